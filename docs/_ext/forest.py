"""A directive `forest` that draws the forest it holds while the pages are built.

Its argument describes the picture; the option `weights` has a name and a number for each feature that weighs something.
"""

from __future__ import annotations

from base64 import b64encode
from html import escape

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from kibitz.analysis.drawing import as_svg
from kibitz.analysis.forest_summary import ForestSummary
from kibitz.data.forests import parse_forest

WHOLE = 200  # edges: no picture on these pages is larger


class Picture(SphinxDirective):
    """The forest as a picture within the page: nothing is fetched."""

    required_arguments = 1
    final_argument_whitespace = True
    has_content = True
    option_spec = {"weights": directives.unchanged}  # noqa: RUF012  # as docutils declares it

    def run(self) -> list[nodes.Node]:
        """The picture as HTML."""
        forest = parse_forest("\n".join(self.content), f"{self.env.docname}, forest").forest
        tokens = self.options.get("weights", "").split()
        weights = dict(zip(tokens[::2], map(float, tokens[1::2]), strict=True))
        svg = as_svg(ForestSummary(forest, weights).sketch(WHOLE), title=self.arguments[0])
        data = b64encode(svg.encode()).decode()
        html = f'<p><img alt="{escape(self.arguments[0])}" src="data:image/svg+xml;base64,{data}"></p>'
        return [nodes.raw("", html, format="html")]


def setup(app: Sphinx) -> dict[str, bool]:
    """Make the directive known."""
    app.add_directive("forest", Picture)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
