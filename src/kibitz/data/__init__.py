"""Data sets: which there are, where they come from, and readers for them and for files of the user's own."""

from kibitz.data.catalogue import CATALOGUE, DataFile, DataSet, data_set
from kibitz.data.columns import labelled, parse_columns, read_columns
from kibitz.data.encoded import cached
from kibitz.data.folders import cache_folder, data_folder
from kibitz.data.sentences import generated_chunks
from kibitz.data.shapes import generated_words
from kibitz.data.source import fetch, present
from kibitz.data.split import Example, Split

__all__ = [
    "CATALOGUE",
    "DataFile",
    "DataSet",
    "Example",
    "Split",
    "cache_folder",
    "cached",
    "data_folder",
    "data_set",
    "fetch",
    "generated_chunks",
    "generated_words",
    "labelled",
    "parse_columns",
    "present",
    "read_columns",
]
