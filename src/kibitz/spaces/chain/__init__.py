"""Linear chains: tag sequences."""

from kibitz.spaces.chain.chain import Chain
from kibitz.spaces.chain.corpus import ChainInput, Corpus

__all__ = ["Chain", "ChainInput", "Corpus"]
