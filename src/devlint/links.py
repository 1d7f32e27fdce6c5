"""Where the project lives. The only place that says so in code."""

from __future__ import annotations

from typing import Final

REPOSITORY: Final = "https://github.com/devlint/devlint"
DOCS: Final = "https://devlint.readthedocs.io/en/latest"


def rule_url(name: str) -> str:
    """The page of a rule."""
    return f"{DOCS}/rules/{name}/"
