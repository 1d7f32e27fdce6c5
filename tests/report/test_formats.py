"""The formats that the configuration knows are those that there are."""

from __future__ import annotations

from devlint.options import OUTPUT_FORMATS
from devlint.report import FORMATS, STATISTICS


def test_the_formats_are_those_of_the_configuration() -> None:
    assert tuple(FORMATS) == OUTPUT_FORMATS


def test_statistics_have_some_of_them() -> None:
    assert set(STATISTICS) < set(FORMATS)
