from __future__ import annotations

from collections.abc import Iterator
from email.message import Message
from importlib import metadata

import pytest

from devlint import links


@pytest.fixture(autouse=True)
def _anew() -> Iterator[None]:
    links.addresses.cache_clear()
    yield
    links.addresses.cache_clear()


def test_addresses_are_those_of_the_installed_package(monkeypatch: pytest.MonkeyPatch) -> None:
    said = Message()
    said["Project-URL"] = "Repository, https://example.org/devlint"
    said["Project-URL"] = "Documentation, https://example.org/docs/"
    said["Project-URL"] = "Issues, https://example.org/issues"
    monkeypatch.setattr(metadata, "metadata", lambda _: said)
    assert links.repository() == "https://example.org/devlint"
    assert links.rule_url("syntax-error") == "https://example.org/docs/rules/syntax-error/"
    assert links.please_report() == "please report it: https://example.org/issues"


def test_where_nothing_is_said_there_are_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(metadata, "metadata", lambda _: Message())
    assert (links.repository(), links.rule_url("syntax-error")) == (None, None)
    assert links.please_report() == "please report it"


def test_what_runs_from_its_sources_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(_: str) -> Message:
        raise metadata.PackageNotFoundError

    monkeypatch.setattr(metadata, "metadata", missing)
    assert links.addresses() == {}
