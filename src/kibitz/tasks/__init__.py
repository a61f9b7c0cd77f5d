"""What to learn and on what: the tasks by name, their settings, and whole runs of them."""
