"""Reports: one file a format, each a pure function of the results."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Final, TextIO

from devlint.diagnostic import FileResult
from devlint.report import azure, concise, github, gitlab, grouped, json, junit, pylint, rdjson, sarif, text
from devlint.report import statistics as _statistics
from devlint.report.context import ReportContext, SourceText, Texts

__all__ = ["FORMATS", "STATISTICS", "Render", "ReportContext", "SourceText", "Texts"]

Render = Callable[[Sequence[FileResult], TextIO, ReportContext], None]

FORMATS: Final[Mapping[str, Render]] = MappingProxyType(
    {
        "text": text.render,
        "full": text.render,
        "concise": concise.render,
        "grouped": grouped.render,
        "json": json.render,
        "json-lines": json.render_lines,
        "github": github.render,
        "gitlab": gitlab.render,
        "junit": junit.render,
        "sarif": sarif.render,
        "pylint": pylint.render,
        "rdjson": rdjson.render,
        "azure": azure.render,
    }
)
"""The formats of `--output-format`; `full` is ruff's name for `text`."""

STATISTICS: Final[Mapping[str, Render]] = MappingProxyType(
    {
        "text": _statistics.render_text,
        "full": _statistics.render_text,
        "concise": _statistics.render_text,
        "grouped": _statistics.render_text,
        "json": _statistics.render_json,
    }
)
"""The formats that `--statistics` has."""
