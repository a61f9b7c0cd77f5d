"""The command line: one file per command. Only the standard library and Typer are imported before a command runs."""


def main() -> None:
    """The console script."""
    from kibitz.cli.application import app

    app(prog_name="kibitz")
