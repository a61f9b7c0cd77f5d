"""From running text to words apart by single blanks, in lower case."""

from __future__ import annotations

import re
from collections.abc import Callable

from kibitz.errors import InputError

Tokenise = Callable[[str], str]

TOKENISERS = ("moses", "none")

# `l' ordre` becomes `l'ordre`: some sources set a blank after an elision, others none, and the tokeniser would make
# three words of the one and two of the other.
_ELISION = re.compile(r"(?<=[^\W\d_]['’])\s+(?=[^\W\d_])")
_ELIDING = ("ca", "fr", "ga", "it")

_GAP = re.compile(r"\[(?:[^\s\[\]]+,)?\d+\]|\|\|\|")  # what a word of a grammar file must not be


def tokeniser(kind: str, language: str) -> Tokenise:
    """`moses`: the tokeniser of Moses for a language, punctuation made plain first; `none`: as they are."""
    if kind == "none":
        return _as_it_is
    if kind != "moses":
        raise InputError(f"There is no tokeniser {kind!r}: known are {', '.join(TOKENISERS)}.")
    try:
        from sacremoses import MosesPunctNormalizer, MosesTokenizer
    except ImportError as error:
        raise InputError(
            "Tokenising needs sacremoses, which is not installed: run `pip install 'kibitz[translation]'`, or give "
            "tokenised text with --tokeniser none."
        ) from error
    plain = MosesPunctNormalizer(language, norm_quote_commas=False, norm_numbers=False)
    words = MosesTokenizer(language)
    eliding = language in _ELIDING

    def tokenise(line: str) -> str:
        line = plain.normalize(line)
        if eliding:
            line = _ELISION.sub("", line)
        return " ".join(words.tokenize(line, escape=False, return_str=True).lower().split())

    return tokenise


def _as_it_is(line: str) -> str:
    words = [word for word in line.split(" ") if word]
    if words != line.split():
        raise InputError("the words should be apart by blanks, and hold no other white space.")
    for word in words:
        if _GAP.fullmatch(word):
            raise InputError(
                f"{word!r} stands for something else in a grammar: write the word in another way."
            )
    return " ".join(words)
