"""How Sphinx builds these pages."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "_ext"))

import kibitz

project = "Kibitz"
author = "the Kibitz authors"
version = release = kibitz.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "forest", "mathml"]
exclude_patterns = ["_build", "_ext"]
default_role = "code"
nitpicky = False

myst_enable_extensions = ["dollarmath", "deflist"]
myst_heading_anchors = 3
suppress_warnings = ["misc.highlighting_failure"]

autodoc_member_order = "bysource"
autodoc_typehints = "none"
autodoc_class_signature = "mixed"

html_static_path = ["_static"]
html_css_files = ["pages.css"]
html_theme = "furo"
html_title = f"Kibitz {version}"
html_show_copyright = False
html_show_sphinx = False
html_math_renderer = "mathml"
html_theme_options = {"navigation_with_keys": True}
