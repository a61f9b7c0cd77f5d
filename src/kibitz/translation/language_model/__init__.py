"""N-gram language models: estimated, read, and asked while a translation is put together."""

from kibitz.translation.language_model.model import LanguageModel
from kibitz.translation.language_model.ngrams import BEGIN, END, UNKNOWN, NGrams

__all__ = ["BEGIN", "END", "UNKNOWN", "LanguageModel", "NGrams"]
