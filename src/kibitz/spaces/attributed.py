"""Spaces whose weights belong to attributes by name: they grow with new attributes, or are frozen."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol, Self

import numpy.typing as npt

from kibitz.features.vocabulary import Vocabulary
from kibitz.spaces.protocol import Output, Space


class Corpus(Protocol):
    """Encoded inputs with their gold answers, in arrays that can be kept."""

    def __len__(self) -> int: ...
    def __getitem__(self, i: int) -> Any: ...
    def gold_of(self, i: int) -> Any: ...
    def subset(self, indices: Sequence[int]) -> Any: ...
    def arrays(self) -> dict[str, npt.NDArray[Any]]: ...


class Attributed(Space):
    """A space with a vocabulary of attributes; its settings say whether that is ``frozen``."""

    vocabulary: Vocabulary

    @abstractmethod
    def corpus(self, raws: Iterable[Any], golds: Iterable[Output] | None = None) -> Any:
        """Encode many inputs; an attribute gets its number at first sight, unless the vocabulary is frozen.

        The inputs are read one after the other, and only then the gold answers.
        """

    @abstractmethod
    def restore_corpus(self, arrays: Mapping[str, npt.NDArray[Any]]) -> Any:
        """The corpus that its ``arrays`` gave."""

    def reopened(self) -> Self:
        """The same space, ready for new attributes."""
        again: Any = type(self).restore({**self.settings(), "frozen": False}, self.arrays())
        return again  # type: ignore[no-any-return]
