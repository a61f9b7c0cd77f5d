"""Hierarchical phrase rules (Hiero) from aligned text."""
