"""What was found before, so that only new findings count: fingerprints without line numbers.

A finding is known by its file, its code and the text of its line, blanks folded; as many as were there
with the same fingerprint are old, the next one is new.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from devlint.files import replace_file
from devlint.globs import shown, slashed
from devlint.options import ConfigError

_VERSION = 1


class Mark(NamedTuple):
    """The fingerprint of a finding within its file."""

    code: str
    line: str


class Entry(NamedTuple):
    """So many findings of a file that a baseline knows."""

    path: str
    code: str
    line: str
    times: int


def normalized(line: str) -> str:
    """The text of a line with its blanks folded: indenting and aligning change no fingerprint."""
    return " ".join(line.split())


@dataclass(frozen=True)
class Baseline:
    """The old findings. Paths in it are relative to the folder of its file, with `/`."""

    file: Path
    known: Mapping[str, Counter[Mark]] = field(default_factory=dict)

    @classmethod
    def read(cls, file: Path) -> Baseline:
        """Reads a baseline.

        Raises:
            ConfigError: it is not there, or is no baseline.
        """
        try:
            text = file.read_text(encoding="utf-8")
        except FileNotFoundError:
            raise ConfigError("no such baseline (--update-baseline writes one)", shown(file)) from None
        except (OSError, UnicodeDecodeError) as error:
            raise ConfigError(
                f"the baseline cannot be read: {getattr(error, 'strerror', None) or error}", shown(file)
            ) from None
        try:
            return cls(file, _decode(json.loads(text)))
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise ConfigError(f"not a baseline of devlint: {error}", shown(file)) from None

    def key(self, path: str) -> str:
        """What a file is called in the baseline."""
        return os.path.relpath(slashed(path), slashed(self.file.parent)).replace(os.sep, "/")

    def old(self, path: str) -> Counter[Mark]:
        """The old findings of a file."""
        return Counter(self.known.get(self.key(path), Counter()))

    def entries(self) -> list[Entry]:
        """All that it holds, sorted."""
        return [
            Entry(path, mark.code, mark.line, count)
            for path, marks in sorted(self.known.items())
            for mark, count in sorted(marks.items())
            if count > 0
        ]

    def missing(self) -> Iterable[str]:
        """The files in it that are there no more."""
        return [path for path in self.known if not os.path.exists(self.file.parent / path)]

    def with_files(self, marks: Mapping[str, Counter[Mark]]) -> Baseline:
        """The baseline with other findings for some files (under the names of `key`)."""
        return Baseline(self.file, {**self.known, **marks})

    def write(self) -> None:
        """Writes the file, whole or not at all.

        Raises:
            OSError: it cannot be written.
        """
        findings: dict[str, list[dict[str, object]]] = {}
        for path, code, line, times in self.entries():
            findings.setdefault(path, []).append({"code": code, "line": line, "count": times})
        text = json.dumps({"version": _VERSION, "findings": findings}, indent=1, ensure_ascii=False) + "\n"
        replace_file(self.file, text.encode("utf-8", "backslashreplace"))


def _decode(table: Any) -> dict[str, Counter[Mark]]:
    if table["version"] != _VERSION:
        raise ValueError(f"version {table['version']}, expected {_VERSION}")
    known: dict[str, Counter[Mark]] = {}
    for path, findings in table["findings"].items():
        marks = known.setdefault(path, Counter())
        for finding in findings:
            marks[Mark(str(finding["code"]), str(finding["line"]))] += int(finding["count"])
    return known
