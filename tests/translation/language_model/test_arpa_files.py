"""ARPA files: they mean what kenlm takes them to mean, what is written is read again, what is broken is named."""

from __future__ import annotations

import gzip
import lzma
from pathlib import Path

import kenlm
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_models import listed, ngrams

from kibitz.errors import InputError
from kibitz.translation.language_model import LanguageModel, NGrams, estimate, read_arpa, write_arpa
from kibitz.translation.language_model.arpa_reader import parse_arpa

GOOD = """\\data\\
ngram 1=5
ngram 2=3
ngram 3=1

\\1-grams:
-2.5\t<unk>
-99\t<s>\t-0.3
-0.8\t</s>
-0.6\tthe\t-0.25
-0.9\thouse\t-0.125

\\2-grams:
-0.2\t<s> the\t-0.5
-0.3\tthe house\t0
-0.4\thouse </s>

\\3-grams:
-0.1\t<s> the house

\\end\\
"""


def written(folder: Path, text: str | bytes, name: str = "lm.arpa") -> Path:
    path = folder / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def entries(model: NGrams) -> dict[str, tuple[float, float]]:
    """The n-grams by their words."""
    return {
        " ".join(model.words[w] for w in words): (p, b)
        for order in model.orders
        for words, p, b in zip(
            order.words.tolist(), order.logprob.tolist(), order.backoff.tolist(), strict=True
        )
    }


def peer(path: Path) -> kenlm.Model:
    config = kenlm.Config()
    config.show_progress = False
    return kenlm.Model(str(path), config)


def test_a_file_is_taken_to_mean_something_else_than_it_says(tmp_path: Path) -> None:
    model = LanguageModel.read(written(tmp_path, GOOD))
    assert model.order == 3
    assert model.words == ("", "<unk>", "<s>", "</s>", "the", "house")
    assert model.score(["the", "house"]) == pytest.approx(-0.2 - 0.1 + (0.0 - 0.4), abs=1e-6)
    assert model.score(["the", "barn"]) == pytest.approx(-0.2 + (-0.5 - 0.25 - 2.5) - 0.8, abs=1e-6)
    assert model.score(["house"], begin=False, end=False) == pytest.approx(-0.9, abs=1e-6)
    assert model.numbers(["the", "barn", "<unk>", "house"]).tolist() == [4, 1, 1, 5]


@pytest.mark.parametrize("order", [2, 3, 4, 5])
def test_a_score_differs_from_that_of_kenlm(tmp_path: Path, order: int) -> None:
    rng = np.random.default_rng(order)
    for seed in range(3):
        path = tmp_path / f"{seed}.arpa"
        write_arpa(ngrams(listed(seed, order)), path)
        model, other = LanguageModel.read(path), peer(path)
        for length in rng.integers(0, 15, size=200).tolist():
            words = rng.choice(["w4", "w5", "w6", "w7", "never-seen"], size=length).tolist()
            assert model.score(words) == other.score(" ".join(words))
            each = [p for p, _, _ in other.full_scores(" ".join(words), bos=False, eos=False)]
            assert model.score_words(words, begin=False, end=False).tolist() == each


def test_a_model_without_unknown_words_gives_them_another_probability_than_kenlm(tmp_path: Path) -> None:
    path = written(tmp_path, GOOD.replace("-2.5\t<unk>\n", "").replace("1=5", "1=4"))
    assert LanguageModel.read(path).score(["a", "house"]) == peer(path).score("a house")


def test_what_is_written_is_read_as_something_else(tmp_path: Path) -> None:
    made = estimate([["la", "maison", "où", "naît\u00a0l'été"], ["la", "maison"]], 3).ngrams
    for name in ("lm.arpa", "lm.arpa.gz"):
        write_arpa(made, tmp_path / name)
        read, lines = read_arpa(tmp_path / name)
        assert read.words == made.words
        assert lines == (7, 16, 24)
        ours, theirs = entries(made), entries(read)
        assert list(ours) == list(theirs)
        np.testing.assert_allclose(list(ours.values()), list(theirs.values()), rtol=0, atol=1e-7)
    assert (tmp_path / "lm.arpa.gz").read_bytes()[:2] == b"\x1f\x8b"


def test_blanks_line_ends_and_packing_change_what_is_read(tmp_path: Path) -> None:
    plain = entries(read_arpa(written(tmp_path, GOOD))[0])
    other = "\n\n" + GOOD.replace("\t", "  ").replace("ngram 2=3", "ngram  2 =   3 ").replace("\n", "\r\n")
    other = other.replace("\n\\2", "\n\n\r\n\\2").replace("-0.6", "-.6").replace("-0.9", "-9e-1")
    assert entries(read_arpa(written(tmp_path, other))[0]) == plain
    for name, pack in (("lm.gz", gzip.compress), ("lm.xz", lzma.compress)):
        assert entries(read_arpa(written(tmp_path, pack(GOOD.encode()), name))[0]) == plain


def test_the_end_of_the_last_line_must_be_there(tmp_path: Path) -> None:
    assert LanguageModel.read(written(tmp_path, GOOD.rstrip())).order == 3


@pytest.mark.parametrize(
    ("old", "new", "line", "named"),
    [
        ("\\data\\", "\\date\\", 1, "\\date\\"),
        ("ngram 1=5\n", "", 2, "ngram 1="),
        ("ngram 2=3", "ngram 2=x", 3, "ngram 2="),
        ("ngram 2=3", "ngram 2=3000000", 3, "too short"),
        ("\\2-grams:", "\\3-grams:", 13, "\\2-grams:"),
        ("ngram 2=3", "ngram 2=2", 16, "more 2-grams"),
        ("ngram 2=3", "ngram 2=4", 17, "after 3"),
        ("-0.6\tthe", "zero\tthe", 10, "'zero'"),
        ("-0.6\tthe", "0.6\tthe", 10, "0 at most"),
        ("-0.6\tthe", "-\tthe", 10, "'-'"),
        ("-0.6\tthe", "-0.6e\tthe", 10, "'-0.6e'"),
        ("-0.3\tthe house\t0", "-0.3\tthe", 15, "2 words"),
        ("-0.3\tthe house\t0", "-0.3\tthe house\t0 0", 15, "more"),
        ("-0.3\tthe house\t0", "-0.3\tthe house\told", 15, "'old'"),
        ("-0.3\tthe house\t0", "-0.3\tthe horse\t0", 15, "'horse'"),
        ("-0.3\tthe house\t0", "-0.3\t<s> the\t0", 15, "'<s> the' is listed twice"),
        ("-0.6\tthe", "-0.6\thouse", 11, "'house' is listed twice"),
        ("-0.8\t</s>", "-0.8\tbarn", 7, "</s>"),
        ("-0.1\t<s> the house\n\n\\end\\\n", "-0.1\t<s> t", 19, "'t'"),
        ("-0.1\t<s> the house\n\n\\end\\\n", "-0.1\t<s> the house\n", 20, "\\end\\"),
        ("\n\\3-grams:\n-0.1\t<s> the house\n\n\\end\\\n", "", 17, "the end of the file"),
    ],
)
def test_a_broken_file_is_read_or_its_line_is_not_named(
    tmp_path: Path, old: str, new: str, line: int, named: str
) -> None:
    assert GOOD.count(old) == 1
    path = written(tmp_path, GOOD.replace(old, new))
    with pytest.raises(InputError) as refused:
        LanguageModel.read(path)
    assert str(refused.value).startswith(f"{path}:{line}: ")
    assert named in str(refused.value)


def test_a_file_that_is_cut_short_is_read(tmp_path: Path) -> None:
    for end in range(len(GOOD.rstrip())):
        path = written(tmp_path, GOOD[:end])
        with pytest.raises(InputError) as refused:
            LanguageModel.read(path)
        line = int(str(refused.value).removeprefix(f"{path}:").partition(":")[0])
        assert 1 <= line <= GOOD.count("\n", 0, end) + 1


@given(st.integers(0, len(GOOD) - 1), st.binary(max_size=3))
def test_a_damaged_byte_gets_no_sentence(at: int, instead: bytes) -> None:
    data = GOOD.encode()[:at] + instead + GOOD.encode()[at + 1 :]
    try:
        read = parse_arpa(data, "lm.arpa")[0]
    except InputError as error:
        assert str(error).startswith("lm.arpa:")  # noqa: PT017
    else:
        assert len(read.orders) == 3


def test_a_file_in_another_encoding_is_read(tmp_path: Path) -> None:
    path = written(tmp_path, GOOD.replace("house", "café").encode("latin-1"))
    with pytest.raises(InputError, match=r"lm\.arpa:11: .*UTF-8"):
        LanguageModel.read(path)


def test_a_packed_file_that_is_cut_short_is_read(tmp_path: Path) -> None:
    path = written(tmp_path, gzip.compress(GOOD.encode())[:-20], "lm.gz")
    with pytest.raises(InputError, match=r"lm\.gz is damaged or cut short"):
        LanguageModel.read(path)


def test_an_empty_file_is_read(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"lm\.arpa:1: .*the end of the file"):
        LanguageModel.read(written(tmp_path, ""))


def test_writing_that_fails_leaves_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = estimate([["a", "b"]], 2).ngrams
    monkeypatch.setattr(
        "kibitz.translation.language_model.arpa_writer.write_ngrams", lambda *arguments: 1 / 0
    )
    with pytest.raises(ZeroDivisionError):
        write_arpa(made, tmp_path / "lm.arpa")
    assert list(tmp_path.iterdir()) == []
