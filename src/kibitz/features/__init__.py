"""Attributes of inputs: templates, vocabularies, hashing. Knows nothing of labels, weights or models."""

from kibitz.features.extractor import Attribute, Extractor, extractor_from
from kibitz.features.hashing import HashedVocabulary
from kibitz.features.pixels import Pixels
from kibitz.features.plain import Plain
from kibitz.features.syntax import read_templates
from kibitz.features.templates import PAPER, SHA_PEREIRA, Templates, default_templates
from kibitz.features.vocabulary import Vocabulary

__all__ = [
    "PAPER",
    "SHA_PEREIRA",
    "Attribute",
    "Extractor",
    "HashedVocabulary",
    "Pixels",
    "Plain",
    "Templates",
    "Vocabulary",
    "default_templates",
    "extractor_from",
    "read_templates",
]
