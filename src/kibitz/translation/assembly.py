"""A system put together from the folder of a build, from files named one by one, or from both."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from kibitz.errors import InputError
from kibitz.translation.building.model import DOMAIN_LANGUAGE_MODEL, GRAMMAR, LANGUAGE_MODEL, Model
from kibitz.translation.decoder.decoder import FEATURES
from kibitz.translation.decoder.parser import HIERO, ParserOptions
from kibitz.translation.decoder.rule_features import SPARSE
from kibitz.translation.system import NO_BEAM, System

MODELS = {"LanguageModel": LANGUAGE_MODEL, "DomainLanguageModel": DOMAIN_LANGUAGE_MODEL}


def system_of(
    model: Path | None, grammars: Sequence[str | Path], models: Sequence[str], *, sparse: bool, pop_limit: int,
    best_pop_limit: int | None = None, beam: float | None = None, span: int | None = None, glue: bool = True,
    pass_through: bool = True, alone: bool = False,
) -> System:  # fmt: skip
    """The files and settings of a system; ``alone`` says that sentences bring grammars of their own."""
    files, named = [str(path) for path in grammars], dict(map(_named, models))
    if len(named) < len(models):
        raise InputError("two language models have the same name: give each its own, as NAME=FILE.")
    if model is not None:
        built = Model.read(model)
        span = span or built.limits.span
        files += [] if alone else [str(model / GRAMMAR)]
        named = {
            **{name: str(model / file) for name, file in MODELS.items() if (model / file).is_file()},
            **named,
        }
    options = ParserOptions(glue=glue, pass_through=pass_through, span=span or HIERO.span)
    features = (*FEATURES, *(SPARSE if sparse else ()))
    limit = NO_BEAM if beam is None else beam
    return System(tuple(files), named, features, options, pop_limit, limit, best_pop_limit)


def _named(model: str) -> tuple[str, str]:
    name, equals, path = model.partition("=")
    return (name, path) if equals else ("LanguageModel", model)
