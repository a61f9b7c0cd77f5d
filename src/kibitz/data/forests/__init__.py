"""Forests in files: our own JSON Lines, the search graphs of Moses, the rules of cdec; each plain, .gz or .xz."""

from kibitz.data.forests.format import Format, Named
from kibitz.data.forests.reading import FORMATS, format_of, parse_forest, read_forest, read_forests
from kibitz.data.forests.weights import read_weights
from kibitz.data.forests.writing import format_for, write_forests

__all__ = [
    "FORMATS",
    "Format",
    "Named",
    "format_for",
    "format_of",
    "parse_forest",
    "read_forest",
    "read_forests",
    "read_weights",
    "write_forests",
]
