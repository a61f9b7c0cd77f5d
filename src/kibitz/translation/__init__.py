"""Translation: from parallel text to a system that learns from ratings of what it says."""
