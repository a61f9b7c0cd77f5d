"""The command line, one file per command; before one runs, nothing but Typer is imported."""


def main() -> None:
    """The console script."""
    from kibitz.cli.application import app

    app(prog_name="kibitz")
