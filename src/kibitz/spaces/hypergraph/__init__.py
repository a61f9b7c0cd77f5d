"""Packed forests: SCFG derivations, lattices, parse charts, lists; exact inference on all of them."""
