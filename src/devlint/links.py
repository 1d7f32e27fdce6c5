"""Where the project lives, as the metadata of the installed package says (from `[project.urls]`).

What it does not say is left out of reports.
"""

from __future__ import annotations

import functools


@functools.cache
def addresses() -> dict[str, str]:
    """The addresses by their labels, in lower case."""
    from importlib import metadata  # it costs more than a small run, and few formats ask

    try:
        lines = metadata.metadata("devlint").get_all("Project-URL") or []
    except metadata.PackageNotFoundError:
        return {}
    pairs = (line.partition(", ") for line in lines)
    return {label.lower(): address.rstrip("/") for label, _, address in pairs}


def repository() -> str | None:
    """Where the sources are kept."""
    return addresses().get("repository")


def rule_url(name: str) -> str | None:
    """The page of a rule."""
    docs = addresses().get("documentation")
    return f"{docs}/rules/{name}/" if docs else None


def please_report() -> str:
    """What to do about a fault in devlint."""
    issues = addresses().get("issues")
    return f"please report it: {issues}" if issues else "please report it"
