"""Translation: language models, grammars, and the decoder that joins them."""
