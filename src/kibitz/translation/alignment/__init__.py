"""Word alignments of parallel text."""
