"""A command of many options, whose help lists them in groups."""

from __future__ import annotations

from operator import itemgetter
from typing import Any

from typer.core import TyperCommand


class Grouped(TyperCommand):
    """Its help has a section for each ``rich_help_panel`` that its options name, after those that name none."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        sections: dict[str, list[tuple[str, str]]] = {"Arguments": [], "Options": []}
        for parameter in self.get_params(ctx):
            entry = parameter.get_help_record(ctx)
            if entry is not None:
                own = "Arguments" if parameter.param_type_name == "argument" else "Options"
                sections.setdefault(getattr(parameter, "rich_help_panel", None) or own, []).append(entry)
        for name, entries in filter(itemgetter(1), sections.items()):
            with formatter.section(name):
                formatter.write_dl(entries)
