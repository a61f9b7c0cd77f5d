"""The `kibitz` command: its subcommands, and how it says that something is wrong."""

from __future__ import annotations

from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from kibitz.cli.bench import bench
from kibitz.cli.data import data
from kibitz.cli.demo import demo
from kibitz.cli.evaluate import evaluate
from kibitz.cli.forest import forest
from kibitz.cli.grouped import Grouped
from kibitz.cli.judge import judge
from kibitz.cli.learn import learn
from kibitz.cli.output import FAILURE, INTERRUPTED, USER_ERROR
from kibitz.cli.predict import predict
from kibitz.cli.reproduce import reproduce
from kibitz.cli.sweep import sweep
from kibitz.cli.translation import translation
from kibitz.errors import InputError, KibitzError


class _Sentences(TyperGroup):
    """Runs a command; what the user can put right comes out as one sentence and exit code 2."""

    def list_commands(self, ctx: typer.Context) -> list[str]:  # type: ignore[override]
        return list(self.commands)

    def invoke(self, ctx: typer.Context) -> Any:  # type: ignore[override]
        try:
            return super().invoke(ctx)
        except InputError as error:
            raise _said(str(error), USER_ERROR) from None
        except KibitzError as error:
            raise _said(str(error), FAILURE) from None
        except OSError as error:
            where = f" ({error.filename})" if error.filename else ""
            raise _said(f"The system refused: {error.strerror or error}{where}.", USER_ERROR) from None
        except KeyboardInterrupt:
            typer.echo("Stopped.", err=True)
            raise typer.Exit(INTERRUPTED) from None


def _said(sentence: str, code: int) -> typer.Exit:
    typer.echo(f"Error: {sentence.rstrip('.')}.", err=True)
    return typer.Exit(code)


app = typer.Typer(
    name="kibitz",
    cls=_Sentences,
    invoke_without_command=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    add_completion=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
)


def _version(wanted: bool) -> None:
    if wanted:
        from kibitz import __version__

        typer.echo(f"kibitz {__version__}")
        raise typer.Exit


@app.callback()
def kibitz(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and leave.")
    ] = False,
) -> None:
    """Learn to predict structures from feedback on one's own predictions, never from the right answer.

    \b
    Start here:
      kibitz demo                      reads real handwriting after a minute of being told how wrong it was
      kibitz learn chunking            the paper's noun-phrase chunking
      kibitz learn sequence --train my.txt --dev my-dev.txt --out my-model
      kibitz COMMAND --help            every command has examples
    """
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


for command in (demo, learn, predict, evaluate, judge, sweep, bench):
    app.command(cls=Grouped)(command)
app.add_typer(reproduce, name="reproduce")
app.add_typer(forest, name="forest")
app.add_typer(translation, name="translation")
app.add_typer(data, name="data")
