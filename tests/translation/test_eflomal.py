"""Alignments that eflomal makes."""

from __future__ import annotations

import numpy as np

from kibitz.translation.alignment.eflomal import align


def test_a_text_without_doubts_is_aligned_wrongly() -> None:
    generator = np.random.Generator(np.random.PCG64(1))
    sentences = [generator.permutation(12)[: generator.integers(2, 6)] for _ in range(200)]
    source, target = ([" ".join(f"{side}{k}" for k in words) for words in sentences] for side in "fe")
    expected = [" ".join(f"{i}-{i}" for i in range(len(words))) for words in sentences]
    same = sum(a == b for a, b in zip(align(source, target).lines(), expected, strict=True))
    assert same > 0.95 * len(sentences)
