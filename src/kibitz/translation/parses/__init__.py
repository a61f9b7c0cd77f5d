"""Parses kept on disk: made once, compact, and read by any number of processes from the same pages of memory."""
