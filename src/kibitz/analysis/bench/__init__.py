"""Speed, always as a ratio of things measured in one run: machines differ, ratios much less."""
