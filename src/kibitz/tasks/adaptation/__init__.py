"""The paper's translation experiment: a system of one domain learns another from feedback on its own translations."""
