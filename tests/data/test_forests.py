"""Forests in files: what is written reads back the same, and a line that is wrong is named."""

from __future__ import annotations

import gzip
import io
import lzma
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kibitz.data.forests import FORMATS, Named, read_forest, read_forests, write_forests
from kibitz.data.forests.lines import Lines
from kibitz.data.forests.moses import HEADER
from kibitz.errors import InputError
from kibitz.spaces.hypergraph.builder import ForestBuilder
from kibitz.spaces.hypergraph.forest import Forest
from kibitz.spaces.hypergraph.plain import from_plain

ANYTHING = st.text(max_size=6)
# What the text formats can hold: no blanks, no line ends, no brackets around it, no name that has a =.
TOKENS = st.text(st.characters(codec="utf-8", exclude_characters=" \t\r\n[="), min_size=1, max_size=6).filter(
    lambda token: token != "|||"
)
TEXT = {"jsonl": ANYTHING, "moses": TOKENS, "cdec": TOKENS}
CFG = "[S] ||| [NP] sleeps ||| Long=1\n[S] ||| [NP]\n[NP] ||| the cat ||| Definite=1\n[NP] ||| cats\n"


@st.composite
def forests(draw: st.DrawFn, texts: st.SearchStrategy[str], *, tails_as_said: bool) -> Forest:
    """Up to five nodes, the last one the root; a node may be shared, dropped as unreachable, or said twice."""
    nodes = draw(st.lists(texts, min_size=1, max_size=5, unique=True))
    features = st.dictionaries(texts, st.floats(allow_nan=False, allow_infinity=False), max_size=3)
    builder = ForestBuilder()
    for v, node in enumerate(nodes):
        for _ in range(draw(st.integers(1, 3))):
            tails = draw(st.lists(st.sampled_from(nodes[:v]), max_size=3)) if v else []
            slots = range(len(tails)) if tails_as_said else draw(st.permutations(range(len(tails))))
            output: list[str | int] = list(slots)
            for word in draw(st.lists(texts, max_size=3)):
                output.insert(draw(st.integers(0, len(output))), word)
            builder.edge(node, tails, output, draw(features))
    return builder.build(nodes[-1])


def roundtrip(form: str, given: list[Named]) -> list[Named]:
    pieces = "".join(FORMATS[form].text(given))
    # As a file has them: ended by a line feed alone.
    return list(FORMATS[form].parse(Lines(enumerate(pieces.split("\n"), start=1), "f")))


@pytest.mark.parametrize("form", FORMATS)
def test_a_forest_reads_back_as_it_was_written(form: str) -> None:
    # The format of Moses has no other order of tails than that of the output.
    one = forests(TEXT[form], tails_as_said=form == "moses")

    @given(st.lists(st.builds(Named, TEXT[form], one), min_size=1, max_size=3))
    def check(written: list[Named]) -> None:
        assert roundtrip(form, written) == written

    check()


@given(forests(TOKENS, tails_as_said=False))
def test_moses_puts_tails_in_the_order_of_the_output(forest: Forest) -> None:
    builder = ForestBuilder()
    for edge in forest.edges():
        slots = [symbol for symbol in edge.output if isinstance(symbol, int)]
        output = [slots.index(s) if isinstance(s, int) else s for s in edge.output]
        builder.edge(edge.head, [edge.tails[slot] for slot in slots], output, edge.features)
    assert roundtrip("moses", [Named("0", forest)]) == [Named("0", builder.build(forest.root))]


@pytest.fixture
def path(tmp_path: Path) -> Callable[..., Path]:
    def write(content: str | bytes, name: str = "f") -> Path:
        made = tmp_path / name
        made.write_bytes(content if isinstance(content, bytes) else content.encode())
        return made

    return write


@pytest.mark.parametrize("ending", ["", ".gz", ".xz"])
@pytest.mark.parametrize("form", FORMATS)
def test_a_file_tells_its_format_packed_or_not(path: Callable[..., Path], form: str, ending: str) -> None:
    given = [Named("0", read_forest(path(CFG)).forest), Named("next", from_plain({"edges": [{"head": "S"}]}))]
    target = path("", f"out{ending}")
    assert write_forests(target, given, form) == 2
    assert list(read_forests(target)) == given
    assert (
        target.read_bytes()[:2] == {"": target.read_bytes()[:2], ".gz": b"\x1f\x8b", ".xz": b"\xfd7"}[ending]
    )
    once = target.read_bytes()
    write_forests(target, given, form)
    assert target.read_bytes() == once


def test_a_forest_is_found_by_its_id(path: Callable[..., Path]) -> None:
    file = path("# id a\n[S] ||| x\n\n[S] ||| y\n")
    assert read_forest(file).id == "a"
    assert read_forest(file, id="1").forest.words == ("y",)
    with pytest.raises(InputError, match="has no forest '7': its forests are a, 1"):
        read_forest(file, id="7")


def test_standard_input_is_a_file_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(CFG.encode())))
    assert len(read_forest("-").forest) == 4


def test_files_with_other_line_ends_blank_lines_and_a_byte_order_mark(path: Callable[..., Path]) -> None:
    plain = read_forest(path(CFG))
    assert read_forest(path("\ufeff\n" + CFG.replace("\n", "\r\n"))) == plain
    assert list(read_forests(path(f"\n# made by hand\n\n{CFG}\n\n\n{CFG}"))) == [
        plain,
        plain._replace(id="1"),
    ]


def test_both_sides_of_a_cdec_rule_give_the_order_of_tails(path: Callable[..., Path]) -> None:
    file = path("[A_0] ||| a ||| u\n[B_1] ||| b ||| v\n[S_2] ||| x [B_1,1] y [A_0,2] ||| [2] z [1] ||| F=2\n")
    *_, edge = read_forest(file).forest.edges()
    assert edge.tails == ("A_0", "B_1")
    assert edge.output == ("x", 1, "y", 0)
    assert edge.features == {"F": 2.0}


def test_the_root_of_rules_is_s_only_where_it_is_not_clear(path: Callable[..., Path]) -> None:
    assert read_forest(path("[T] ||| [S]\n[S] ||| x\n")).forest.root == "T"
    assert read_forest(path("[T] ||| y\n[S] ||| x\n")).forest.root == "S"


def test_a_moses_node_without_a_comment_is_called_by_its_number(path: Callable[..., Path]) -> None:
    file = path(f"{HEADER}\n2 2\n1\nx |||  ||| 0\n# node top\n1\n[0] y ||| F_1=0.5 ||| 3\n")
    assert [edge.head for edge in read_forest(file).forest.edges()] == ["0", "top"]


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ('{"edges": [}', "f:1: this line should be one JSON object, but it breaks at character 12"),
        ('{"edges": [{"head": "S"}]}\n[1]', "f:2: this line should be one JSON object with a forest"),
        ('{"edge": []}', 'f:1: a forest should be an object with "edges"'),
        ('{"edges": []}', "f:1: the forest is empty"),
        ('{"edges": [{"head": "S"}, 7]}', 'f:1: edge 2 is wrong: it should be an object with "head", not 7'),
        ('{"edges": [{"head": "S", "word": 1}]}', "f:1: edge 1 is wrong: it has 'word', but it should have head,"),
        ('{"edges": [{"head": 1}]}', 'f:1: edge 1 is wrong: its "head" should be'),
        ('{"edges": [{"head": "S", "tails": "NP"}]}', 'f:1: edge 1 is wrong: its "tails" should be a list'),
        ('{"edges": [{"head": "S", "output": [true]}]}', 'f:1: edge 1 is wrong: its "output" should be a list'),
        ('{"edges": [{"head": "S", "output": [0]}]}', "f:1: edge 1 is wrong: the output [0] of an edge"),
        ('{"edges": [{"head": "S", "features": [1]}]}', 'f:1: edge 1 is wrong: its "features" should be'),
        ('{"edges": [{"head": "S", "features": {"a": "b"}}]}', "f:1: edge 1 is wrong: its feature 'a' should be"),
        ('{"edges": [{"head": "S", "features": {"a": NaN}}]}', "f:1: edge 1 is wrong: the feature 'a' of an"),
        (f'{{"edges": [{{"head": "S", "features": {{"a": 1{"0" * 400}}}}}]}}', "f:1: edge 1 is wrong: one of its"),
        ('{"edges": [{"head": "S", "head": "T"}]}', "f:1: this line should be one JSON object with a forest: 'head'"),
        ('{"edges": [{"head": "\\ud800"}]}', "f:1: this line escapes half a character"),
        ('{"id": [], "edges": [{"head": "S"}]}', 'f:1: the "id" should be a string'),
        ('{"root": 7, "edges": [{"head": "S"}]}', 'f:1: the "root" should be the name of a node'),
        ('{"root": "T", "edges": [{"head": "S"}]}', "f:1: the root 'T' cannot be reached"),
        ('{"a": ' + "[" * 100_000, "f:1: this line should be one JSON object"),
        (f"{HEADER}\n", "f:1: the file ends here: the numbers of nodes and of edges should follow"),
        (f"{HEADER}\n1\n", "f:2: this line should be the numbers of nodes and of edges, as 2 3"),
        (f"{HEADER}\n# x\n1 one\n", "f:3: this line should be the numbers of nodes and of edges"),
        (f"{HEADER}\n1 1\nx ||| ||| 0\n", "f:3: this line should be the number of edges of node 0"),
        (f"{HEADER}\n1 1\n1\n", "f:3: the file ends here: an edge of node '0' should follow"),
        (f"{HEADER}\n1 1\n1\nx ||| 0\n", "f:4: an edge should be: target |||"),
        (f"{HEADER}\n1 1\n1\nx ||| ||| all\n", "f:4: an edge should be: target |||"),
        (f"{HEADER}\n1 1\n1\n[0] ||| ||| 0\n", "f:4: [0] should be the number of a node above this one"),
        (f"{HEADER}\n2 2\n1\nx ||| ||| 0\n1\n[X] ||| ||| 0\n", "f:6: [X] should be the number of a node above"),
        (f"{HEADER}\n1 1\n1\nx ||| F=one ||| 0\n", "f:4: 'F=one' should be a feature, name=value"),
        (f"{HEADER}\n1 1\n1\nx ||| F=1 F=2 ||| 0\n", "f:4: the feature 'F' is given twice"),
        (f"{HEADER}\n1 2\n1\nx ||| ||| 0\n", "f:2: there should be 2 edges, not 1"),
        (f"{HEADER}\n2 2\n# node a\n1\nx ||| ||| 0\n# node a\n1\n", "f:7: two nodes of this forest are called 'a'"),
        (f"{HEADER}\n1 1\n1\nx ||| ||| 0\n2 2\n", "f:5: a forest should begin with the line"),
        ("[S] ||| x\nNP ||| y\n", "f:2: a rule should be: [NODE] ||| output"),
        ("[S]\n", "f:1: a rule should be: [NODE] ||| output"),
        ("[S] ||| a ||| b ||| F=1 ||| c\n", "f:1: a rule should be: [NODE] ||| output"),
        ("[S] ||| [NP]\n\n[NP] ||| x\n", "f:1: [NP] should be on the left-hand side of some rule"),
        ("[S] ||| x ||| F=inf\n", "f:1: 'F=inf' should be a feature, name=value, with a finite number"),
        ("[S] ||| x ||| 0.5\n", "f:1: '0.5' should be a feature, name=value"),
        ("[S] ||| x ||| F=1;G=2\n", "f:1: 'F=1;G=2' should be a feature, name=value"),
        ("[S] ||| x ||| F=1_0\n", "f:1: 'F=1_0' should be a feature, name=value"),
        ("[A] ||| x\n[S] ||| [A,1] ||| [1]\n[S] ||| x\n", "f:1: this rule should have a source side"),
        ("[A] ||| x ||| y\n[S] ||| [A,1] ||| [2]\n", "f:2: the tails should be numbered from 1"),
        ("[A] ||| x ||| y\n[S] ||| [A,2] ||| [2]\n", "f:2: the tails should be numbered from 1"),
        ("\n[S] ||| [A]\n[A] ||| [S]\n", "f:2: the root is not clear"),
        ("[S] ||| [A]\n[A] ||| [B]\n[B] ||| [A]\n", "f:1: the forest has a cycle"),
        ("S -> NP VP\n", "f:1: no forest begins with this line"),
        ("\n\n", "f is empty: it should have a forest"),
        ("# nothing but this\n", "f is empty: it should have a forest"),
        (b"[S] ||| x\n\n[S] ||| \xff\n", "f:3: this line is not UTF-8"),
    ],
)  # fmt: skip
def test_a_wrong_line_is_named_with_what_was_expected(
    path: Callable[..., Path], content: str | bytes, complaint: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(path(content).parent)
    with pytest.raises(InputError) as error:
        list(read_forests("f"))
    assert str(error.value).startswith(complaint)


@pytest.mark.parametrize(("ending", "pack"), [(".gz", gzip.compress), (".xz", lzma.compress)])
def test_a_packed_file_that_is_cut_short_is_named_with_its_line(
    path: Callable[..., Path], ending: str, pack: Callable[[bytes], bytes]
) -> None:
    whole = pack("".join(f"[S] ||| {i * i * i % 1009}\n\n" for i in range(5000)).encode())
    file = path(whole[: len(whole) // 2], f"f{ending}")
    seen = 0
    with pytest.raises(InputError, match="damaged or cut short") as error:
        for seen, _ in enumerate(read_forests(file), start=1):  # noqa: B007
            pass
    line = int(str(error.value).split(":")[1])
    assert seen > 100  # what lies before the end is read
    assert 2 * seen <= line <= 2 * seen + 2


def test_packed_files_one_after_the_other_are_one_file(path: Callable[..., Path]) -> None:
    for ending, pack in ((".gz", gzip.compress), (".xz", lzma.compress)):
        parts = [f"[S] ||| {i}\n\n".encode() for i in range(3)]
        file = path(b"\0\0\0\0".join(map(pack, parts)) + b"\0" * 512, f"f{ending}")
        assert [named.forest.words for named in read_forests(file)] == [("0",), ("1",), ("2",)]


def test_a_file_that_is_not_packed_as_its_name_says_is_named(path: Callable[..., Path]) -> None:
    for name in ("f.gz", "f.xz"):
        with pytest.raises(InputError, match=r"f\.[gx]z:1: the packed file is damaged"):
            read_forest(path(CFG, name))


def test_a_missing_file_a_folder_and_an_unknown_format_are_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no file .*nowhere"):
        read_forest(tmp_path / "nowhere")
    with pytest.raises(InputError, match="cannot be read"):
        read_forest(tmp_path)
    with pytest.raises(InputError, match="no format 'hg' of forests: choose from jsonl, moses, cdec"):
        read_forest(tmp_path / "nowhere", "hg")


@pytest.mark.parametrize(
    ("form", "edge"),
    [
        ("moses", {"head": "S", "output": ["New York"]}),
        ("moses", {"head": "S", "output": [""]}),
        ("moses", {"head": "S", "output": ["|||"]}),
        ("moses", {"head": "S", "output": ["[0]"]}),
        ("moses", {"head": "S", "features": {"a b": 1}}),
        ("moses", {"head": "S\n"}),
        ("cdec", {"head": "S", "output": ["[NP]"]}),
        ("cdec", {"head": "S", "output": ["a\tb"]}),
        ("cdec", {"head": "S", "features": {"a=b": 1}}),
        ("cdec", {"head": "S 1"}),
        ("cdec", {"head": ""}),
    ],
)
def test_what_a_format_cannot_say_is_refused_and_nothing_is_written(
    tmp_path: Path, form: str, edge: dict[str, object]
) -> None:
    file = tmp_path / "f"
    file.write_text("as it was")
    with pytest.raises(InputError, match="cannot be written in the"):
        write_forests(file, [Named("0", from_plain({"edges": [edge]}))], form)
    assert file.read_text() == "as it was"
    assert list(tmp_path.iterdir()) == [file]
