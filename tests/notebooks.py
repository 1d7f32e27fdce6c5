"""Notebooks for tests."""

from __future__ import annotations

import json
from typing import Any


def code(source: str, **metadata: Any) -> dict[str, Any]:
    """A code cell."""
    return {
        "cell_type": "code",
        "execution_count": None,
        "metadata": metadata,
        "outputs": [],
        "source": source.splitlines(keepends=True),
    }


def prose(source: str = "# A title") -> dict[str, Any]:
    """A markdown cell."""
    return {"cell_type": "markdown", "metadata": {}, "source": source.splitlines(keepends=True)}


def notebook(*cells: str | dict[str, Any], **more: Any) -> str:
    """A notebook's document, as Jupyter writes it; a string is the source of a code cell."""
    table = {
        "cells": [code(cell) if isinstance(cell, str) else cell for cell in cells],
        "metadata": {"language_info": {"name": "python"}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return json.dumps({**table, **more}, indent=1, ensure_ascii=False) + "\n"
