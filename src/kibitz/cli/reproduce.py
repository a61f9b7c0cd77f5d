import typer

reproduce = typer.Typer(help="Repro")


@reproduce.command()
def chunking() -> None:
    """c"""


@reproduce.command()
def convergence() -> None:
    """c"""
