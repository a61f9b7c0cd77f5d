"""Packed forests: SCFG derivations, lattices, parse charts, lists; exact inference on all of them."""

from kibitz.spaces.hypergraph.builder import ForestBuilder
from kibitz.spaces.hypergraph.forest import Edge, Forest
from kibitz.spaces.hypergraph.graph import ForestInput
from kibitz.spaces.hypergraph.hypergraph import Hypergraph

__all__ = ["Edge", "Forest", "ForestBuilder", "ForestInput", "Hypergraph"]
