"""Forests as pictures: Graphviz DOT, and SVG that needs no other program."""

from kibitz.analysis.drawing.dot import as_dot
from kibitz.analysis.drawing.sketch import Sketch, sketch
from kibitz.analysis.drawing.svg import as_svg

__all__ = ["Sketch", "as_dot", "as_svg", "sketch"]
