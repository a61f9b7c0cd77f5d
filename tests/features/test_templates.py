"""Templates: their language, what they give, and what they say when they are wrong."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kibitz.data import Split, generated_chunks
from kibitz.errors import InputError
from kibitz.features import (
    PAPER,
    SHA_PEREIRA,
    Templates,
    Vocabulary,
    default_templates,
    extractor_from,
    read_templates,
)
from kibitz.features.words import shape

DOG = [("the", "DT"), ("dog", "NN"), ("barks", "VBZ")]


def test_a_pair_joins_its_values() -> None:
    assert Templates(["w[-1] & t[0]"]).extract(DOG) == [[], ["w[-1]&t[0]=the|NN"], ["w[-1]&t[0]=dog|VBZ"]]


def test_what_falls_outside_the_sentence_is_skipped() -> None:
    extracted = Templates(["w[-2]", "w[0]", "t[-1] & t[0] & t[1]"]).extract(DOG)
    assert extracted == [["w[0]=the"], ["w[0]=dog", "t[-1]&t[0]&t[1]=DT|NN|VBZ"], ["w[-2]=the", "w[0]=barks"]]


def test_an_offset_beyond_the_whole_sentence_gives_nothing() -> None:
    assert Templates(["w[5]", "w[-5] & w[0]"]).extract(DOG) == [[], [], []]


def test_a_line_without_cells_is_had_by_every_token() -> None:
    assert Templates(["bias"]).extract(DOG) == [["bias"]] * 3


def test_a_title_replaces_the_attribute_name() -> None:
    assert Templates(["here: w[0]"]).extract(DOG[:1]) == [["here=the"]]


def test_columns_go_by_number_too() -> None:
    assert Templates(["1[0]"]).extract(DOG[:1]) == [["1[0]=DT"]]


def test_functions_look_at_part_of_a_word() -> None:
    lines = ["suffix2(w[0])", "prefix3(w[0])", "lower(w[0])", "shape(w[0])"]
    attributes = Templates(lines).extract([("McDonald's", "NNP")])
    assert attributes == [
        ["suffix2(w[0])='s", "prefix3(w[0])=McD", "lower(w[0])=mcdonald's", "shape(w[0])=XxXx'x"]
    ]


def test_shapes_keep_what_is_no_letter() -> None:
    assert [shape(word) for word in ("1,024", "U.S.", "iPhone7", "Übung", "a_b", "")] == [
        "9,9", "X.X.", "xXx9", "Xx", "x_x", "",
    ]  # fmt: skip


def test_tokens_may_be_single_strings() -> None:
    assert Templates(["w[-1]"]).extract(["the", "dog"]) == [[], ["w[-1]=the"]]


def test_an_empty_sentence_has_no_positions() -> None:
    assert Templates(PAPER).extract([]) == []


values = st.text(alphabet="a|\\", max_size=3)


@given(st.tuples(values, values), st.tuples(values, values))
def test_different_values_never_give_the_same_attribute(one: tuple[str, str], other: tuple[str, str]) -> None:
    extract = Templates(["w[0] & t[0]"]).extract
    assert (extract([one]) == extract([other])) == (one == other)


@pytest.mark.parametrize("lines", [PAPER, SHA_PEREIRA, default_templates(1), default_templates(2)])
def test_templates_agree_with_the_plain_reading_of_their_lines(lines: tuple[str, ...]) -> None:
    plain = [line for line in lines if "(" not in line and line != "bias"]
    for raw, _ in generated_chunks(seed=5, count=10):
        expected = []
        for here in range(len(raw)):
            attributes = []
            for line in plain:
                cells = [(cell[0], here + int(cell[2:-1])) for cell in line.split(" & ")]
                if all(0 <= place < len(raw) for _, place in cells):
                    read = [raw[place][{"w": 0, "t": 1, "1": 1}[column]] for column, place in cells]
                    attributes.append(line.replace(" ", "") + "=" + "|".join(read))
            expected.append(attributes)
        assert Templates(plain).extract(raw) == expected


def test_the_template_sets_have_the_sizes_of_the_literature() -> None:
    assert (len(PAPER), len(SHA_PEREIRA)) == (18, 21)


def test_settings_give_the_same_extractor_back() -> None:
    extractor = Templates(["word[0]", "bias"], columns=("word",))
    assert extractor_from(extractor.settings()).extract(DOG) == extractor.extract(DOG)


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("w[0", "`w[0` is no cell"),
        ("w[0] &", "`` is no cell"),
        ("w[x]", "`w[x]` is no cell"),
        ("", "`` is no cell"),
        ("w", "`w` is no cell"),
        ("lower(w[0]", "`lower(w[0]` is no cell"),
        ("v[0]", "no column `v`"),
        ("upper(w[0])", "no function `upper`"),
    ],
)
def test_a_line_that_is_no_template_is_refused(line: str, complaint: str) -> None:
    with pytest.raises(InputError) as error:
        Templates(["w[0]", line])
    assert complaint in str(error.value)
    assert "Template 2" in str(error.value)


def test_no_templates_or_the_same_twice_are_refused() -> None:
    with pytest.raises(InputError, match="at least one"):
        Templates([])
    with pytest.raises(InputError, match="twice"):
        Templates(["w[-1] & w[0]", "w[-1]&w[0]"])


def test_a_missing_column_is_named() -> None:
    with pytest.raises(InputError, match=r"column 1, counted from 0, but a token has 1"):
        Templates(["t[0]"]).extract([("the",)])


def test_a_template_file_may_have_comments_and_empty_lines(tmp_path: Path) -> None:
    path = tmp_path / "templates.txt"
    path.write_text("# words\n w[0]\n\nw[-1] & w[0]  \r\n", encoding="utf-8")
    assert read_templates(path) == ("w[0]", "w[-1] & w[0]")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("w[0]\n\nw[1\n", ":3: `w[1` is no cell"),
        ("w[0]\nw[0]\n", ":2: the template `w[0]` already stands in line 1"),
        ("# nothing\n", "has no template"),
        ("\udcff", "not UTF-8"),
    ],
)
def test_a_broken_template_file_is_refused_with_its_line(tmp_path: Path, text: str, complaint: str) -> None:
    path = tmp_path / "templates.txt"
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(InputError) as error:
        read_templates(path)
    assert complaint in str(error.value)
    assert str(path) in str(error.value)


def test_a_missing_template_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"nowhere\.txt"):
        read_templates(tmp_path / "nowhere.txt")


def test_the_paper_s_attributes_are_all_there(conll: Split) -> None:
    extractor, vocabulary = Templates(PAPER), Vocabulary()
    rows = sum(len(vocabulary.numbers(at)) for raw, _ in conll.train for at in extractor.extract(raw))
    assert len(vocabulary) == 300_550
    assert round(rows / len(conll.train)) == 402
