"""What was read before: `.devlint_cache` keeps the reading of every file for as long as nothing that it
depends on changes (its text, the settings, devlint, the project's files that were looked into).

A cache never fails: what cannot be read is not there, what cannot be written is not kept.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import json
import os
from collections.abc import Iterable
from pathlib import Path

import devlint
from devlint.codec import decode, encode
from devlint.config import Settings
from devlint.lint import Reading
from devlint.rule import Rule

_TAG = (
    "Signature: 8a477f597d28d172789f06886806bc55\n# This folder is a cache of devlint; it can be deleted.\n"
)


class Cache:
    """The readings kept in one folder."""

    def __init__(self, folder: Path, rules: Iterable[Rule]) -> None:
        self._folder = folder
        self._rules = tuple(rules)
        self._prints: dict[str, str] = {}
        self._ready = False

    def get(self, path: str, data: bytes, settings: Settings) -> Reading | None:
        """The reading of a file with these bytes, if all that it depends on is as it was."""
        try:
            key, dependencies, reading = json.loads(self._file(path).read_bytes())
            if key != self._key(path, data, settings):
                return None
            if any(self._print(name) != known for name, known in dependencies):
                return None
            return decode(Reading, reading)
        except (OSError, ValueError, TypeError, RecursionError):
            return None

    def put(self, path: str, data: bytes, settings: Settings, reading: Reading) -> None:
        """Keeps a reading; not one that failed, which may go better the next time."""
        if reading.failure is not None:
            return
        dependencies = [(name, self._print(name)) for name in reading.dependencies]
        entry = json.dumps([self._key(path, data, settings), dependencies, encode(reading)])
        file = self._file(path)
        with contextlib.suppress(OSError):
            self._make()
            file.parent.mkdir(exist_ok=True)
            aside = file.with_name(f"{file.name}.{os.getpid()}")
            try:
                aside.write_text(entry, encoding="ascii")
                os.replace(aside, file)
            finally:
                aside.unlink(missing_ok=True)

    def _make(self) -> None:
        """Makes the folder, marked so that backups and git leave it alone."""
        if self._ready:
            return
        self._ready = True
        self._folder.mkdir(parents=True, exist_ok=True)
        for name, text in (("CACHEDIR.TAG", _TAG), (".gitignore", "# Made by devlint\n*\n")):
            file = self._folder / name
            if not file.exists():
                file.write_text(text, encoding="ascii")

    def _file(self, path: str) -> Path:
        name = hashlib.sha256(os.path.abspath(path).encode("utf-8", "surrogateescape")).hexdigest()[:32]
        return self._folder / name[:2] / f"{name[2:]}.json"

    def _key(self, path: str, data: bytes, settings: Settings) -> str:
        on = [rule.code for rule in self._rules if settings.selected(rule, path)]
        words = (
            *(path, devlint.__version__, _own_print(), on),
            *(settings.device_idiom, settings.target_torch, settings.device_types),
            settings.respect_suppressions,
            settings.max_file_size,
        )
        digest = hashlib.sha256(repr(words).encode("utf-8", "surrogateescape"))
        digest.update(data)
        return digest.hexdigest()

    def _print(self, name: str) -> str:
        """What a dependency holds now: the bytes of a file, the names in a folder that can be modules."""
        known = self._prints.get(name)
        if known is None:
            known = self._prints[name] = _print(name)
        return known


def _print(name: str) -> str:
    try:
        if os.path.isdir(name):
            modules = filter(_can_be_a_module, os.listdir(name))
            data = "\0".join(sorted(modules)).encode("utf-8", "surrogateescape")
        else:
            data = Path(name).read_bytes()
    except OSError:
        return ""
    return hashlib.sha256(data).hexdigest()


def _can_be_a_module(name: str) -> bool:
    return name.endswith(".py") or (name.isidentifier() and name != "__pycache__")


@functools.cache
def _own_print() -> str:
    """What this installation of devlint is made of, so that a changed checkout forgets what it kept."""
    digest = hashlib.sha256()
    for file in sorted(Path(devlint.__file__).parent.rglob("*.py")):
        state = file.stat()
        digest.update(f"{file}\0{state.st_size}\0{state.st_mtime_ns}\n".encode("utf-8", "surrogateescape"))
    return digest.hexdigest()
