"""N-gram language models: estimated, read, and asked while a translation is put together."""

from kibitz.translation.language_model.arpa_reader import read_arpa
from kibitz.translation.language_model.arpa_writer import write_arpa
from kibitz.translation.language_model.kneser_ney import Estimate, estimate
from kibitz.translation.language_model.model import LanguageModel
from kibitz.translation.language_model.ngrams import BEGIN, END, UNKNOWN, NGrams
from kibitz.translation.language_model.perplexity import Perplexity, perplexity

__all__ = [
    "BEGIN",
    "END",
    "UNKNOWN",
    "Estimate",
    "LanguageModel",
    "NGrams",
    "Perplexity",
    "estimate",
    "perplexity",
    "read_arpa",
    "write_arpa",
]
