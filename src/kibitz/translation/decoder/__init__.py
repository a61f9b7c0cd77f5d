"""The decoder: from a sentence to the forest of its translations."""
