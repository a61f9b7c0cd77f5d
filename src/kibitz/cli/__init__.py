"""The command line, one file per command; before one runs, nothing but Typer is imported."""


def main() -> None:
    """The console script."""
    import sys

    from kibitz.cli.application import app

    if len(sys.argv) > 1 and not {"-h", "--help", "--version"} & set(sys.argv):
        from kibitz.cli import machine_code

        machine_code.settle()
    app(prog_name="kibitz")
