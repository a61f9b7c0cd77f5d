"""`kibitz translation`: from parallel text to a system, and what it says."""

from __future__ import annotations

import typer

from kibitz.cli.language_model import language_model
from kibitz.cli.translation_build import build
from kibitz.cli.translation_decode import decode
from kibitz.cli.translation_grammar import grammar
from kibitz.cli.translation_tune import tune

translation = typer.Typer(
    help="Build a translation system from parallel text.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
translation.command("build")(build)
translation.command("decode")(decode)
translation.command("grammar")(grammar)
translation.command("tune")(tune)
translation.add_typer(language_model, name="lm")
