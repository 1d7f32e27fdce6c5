"""devlint finds device-placement mistakes in PyTorch code by reading it, and rewrites them.

The names below are the public interface; they are imported when they are first used.
"""

from __future__ import annotations

# What `typing` calls so; importing it would double the time that `devlint --version` takes.
TYPE_CHECKING = False

if TYPE_CHECKING:
    from devlint.config import ConfigError, Resolver, Settings
    from devlint.diagnostic import Diagnostic, Failure, FileResult, Fix, Note, Safety, Severity
    from devlint.discover import discover as find_files
    from devlint.lint import lint_text
    from devlint.project import run_check
    from devlint.rewrite import run_fix
    from devlint.rule import Rule
    from devlint.rules import all_rules
    from devlint.text import Edit, Position

__version__ = "0.1.0"

_HOME = {
    "devlint.config": ("ConfigError", "Resolver", "Settings"),
    "devlint.diagnostic": ("Diagnostic", "Failure", "FileResult", "Fix", "Note", "Safety", "Severity"),
    "devlint.lint": ("lint_text",),
    "devlint.project": ("run_check",),
    "devlint.rewrite": ("run_fix",),
    "devlint.rule": ("Rule",),
    "devlint.rules": ("all_rules",),
    "devlint.text": ("Edit", "Position"),
}

__all__ = [
    "ConfigError",
    "Diagnostic",
    "Edit",
    "Failure",
    "FileResult",
    "Fix",
    "Note",
    "Position",
    "Resolver",
    "Rule",
    "Safety",
    "Settings",
    "Severity",
    "all_rules",
    "find_files",
    "lint_text",
    "run_check",
    "run_fix",
]


def __getattr__(name: str) -> object:
    if name == "find_files":  # its own name is that of its module
        from devlint.discover import discover

        return discover
    for module, names in _HOME.items():
        if name in names:
            from importlib import import_module

            value: object = getattr(import_module(module), name)
            globals()[name] = value
            return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
