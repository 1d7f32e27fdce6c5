"""Reports as those of a package that says where it lives."""

from __future__ import annotations

import pytest

from devlint import links


@pytest.fixture(autouse=True)
def addresses(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """The addresses; a test may take them away."""
    known = {"repository": "https://example.org/devlint", "documentation": "https://example.org/docs"}
    monkeypatch.setattr(links, "addresses", lambda: known)
    return known
