"""Words of running text."""

from __future__ import annotations

import pytest

from kibitz.errors import InputError
from kibitz.translation.text import tokeniser


@pytest.mark.parametrize(
    ("language", "line", "words"),
    [
        ("fr", "L' ordre, d\u2019abord l'ordre.", "l' ordre , d' abord l' ordre ."),
        ("fr", "«\u00a0Oui\u00a0», dit-il\u2026", '" oui " , dit-il ...'),
        ("en", "The dogs' house isn't Mr. Smith's.", "the dogs ' house isn 't mr. smith 's ."),
        ("en", "a ||| b [X,1] &amp; <s>", "a | | | b [ x , 1 ] & amp ; < s >"),
        ("en", " a\u2028b\x85c\t", "a b c"),
        ("en", "", ""),
    ],
)
def test_moses_words_in_lower_case(language: str, line: str, words: str) -> None:
    assert tokeniser("moses", language)(line) == words


def test_tokenised_text_is_taken_as_it_is() -> None:
    assert tokeniser("none", "fr")("  L'Ordre  , [X") == "L'Ordre , [X"


@pytest.mark.parametrize("line", ["a\tb", "a\u00a0b", "a ||| b", "[X,1]", "x [2]", "[NP,12] a"])
def test_a_word_that_a_grammar_cannot_hold_is_taken(line: str) -> None:
    with pytest.raises(InputError):
        tokeniser("none", "fr")(line)


def test_an_unknown_tokeniser_is_taken() -> None:
    with pytest.raises(InputError, match="moses, none"):
        tokeniser("mose", "fr")
