"""Which files a run is about."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from devlint.config import ConfigError, Resolver, Settings
from devlint.diagnostic import Failure, FileResult
from devlint.globs import Glob, around, shown, slashed

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec


@dataclass(frozen=True, slots=True)
class Target:
    """A file to check. `path` is its name in reports; `data` its bytes where they are given (stdin)."""

    path: str
    file: str
    settings: Settings
    data: bytes | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """The files of a run in their order, and the paths that cannot be checked, with the reason."""

    targets: tuple[Target, ...] = ()
    failures: tuple[FileResult, ...] = ()


def discover(paths: Sequence[str], resolver: Resolver) -> Found:
    """The files that these files, folders and patterns mean; links to folders are not followed.

    A file that is named is checked whatever it is called; it is left out only where it is excluded and
    `force-exclude` says so.
    """
    walk = _Walk(resolver)
    for path in paths:
        walk.add(path)
    return walk.found()


def from_stdin(data: bytes, filename: str | None, resolver: Resolver) -> Found:
    """The text of standard input, as if it were the content of the file of that name."""
    settings = resolver.settings(Path(filename).parent if filename else Path.cwd())
    if filename and settings.force_exclude and _excluded(settings, slashed(filename)):
        return Found()
    name = shown(filename) if filename else "-"
    return Found((Target(name, filename or "-", settings, data),))


def _means(globs: Sequence[Glob], path: str) -> bool:
    return any(pattern.matches(path) for pattern in globs)


def _excluded(settings: Settings, path: str) -> bool:
    return any(_means(settings.exclude, part) for part in around(path, slashed(settings.root)))


@dataclass(frozen=True, slots=True)
class _Ignores:
    """The .gitignore files from the root of a repository down to a folder, the deepest first."""

    specs: tuple[tuple[str, GitIgnoreSpec], ...] = ()

    def below(self, folder: str) -> _Ignores:
        """With that of one more folder."""
        try:
            with open(f"{folder}/.gitignore", encoding="utf-8", errors="replace") as stream:
                lines = stream.read().splitlines()
        except OSError:
            return self
        from pathspec import GitIgnoreSpec

        try:
            spec = GitIgnoreSpec.from_lines(lines)
        except ValueError:
            return self
        return _Ignores(((folder, spec), *self.specs))

    def leave_out(self, path: str, is_folder: bool) -> bool:
        """Whether a path is ignored: the last line of the deepest file that speaks of it says so."""
        for folder, spec in self.specs:
            relative = path[len(folder.rstrip("/")) + 1 :] + ("/" if is_folder else "")
            verdict = spec.check_file(relative).include
            if verdict is not None:
                return verdict
        return False


@dataclass
class _Walk:
    resolver: Resolver
    targets: dict[str, Target] = field(default_factory=dict)
    links: dict[str, str] = field(default_factory=dict)
    failures: dict[str, FileResult] = field(default_factory=dict)

    def add(self, path: str) -> None:
        """A path of the command line."""
        if os.path.isdir(path):
            whole = slashed(path)
            settings = self._settings(whole)
            if not (settings.force_exclude and _excluded(settings, whole)):
                self._folder(whole, shown(path), self._above(whole, settings))
        elif os.path.isfile(path):
            self._named(path)
        elif os.path.exists(path):
            self._fail(shown(path), "neither a file nor a folder")
        elif glob.has_magic(path) and (matches := sorted(glob.glob(path, recursive=True))):
            for match in matches:
                self.add(match)
        elif os.path.islink(path):
            self._fail(shown(path), "a link that leads nowhere")
        else:
            self._fail(shown(path), "no such file or folder")

    def found(self) -> Found:
        """All that was found, each file once (a link gives way to what it means), sorted by path."""
        real = {os.path.realpath(path) for path in self.targets if path not in self.links}
        targets = [
            target
            for path, target in self.targets.items()
            if path not in self.links or self.links[path] not in real
        ]
        targets.sort(key=lambda target: target.path.split("/"))
        return Found(tuple(targets), tuple(self.failures[name] for name in sorted(self.failures)))

    def _named(self, path: str) -> None:
        whole = slashed(path)
        settings = self._settings(os.path.dirname(whole))
        if not (settings.force_exclude and _excluded(settings, whole)):
            self.targets[whole] = Target(shown(path), path, settings)
            self.links.pop(whole, None)

    def _folder(self, folder: str, name: str, ignores: _Ignores) -> None:
        waiting = [(folder, name, ignores)]
        while waiting:
            folder, name, ignores = waiting.pop()
            settings = self._settings(folder)
            if settings.respect_gitignore:
                ignores = ignores.below(folder)
            for entry in self._entries(folder, name):
                path = f"{folder.rstrip('/')}/{entry.name}"
                here = entry.name if name == "." else f"{name.rstrip('/')}/{entry.name}"
                is_folder = entry.is_dir(follow_symlinks=False)
                if not is_folder and not _means(settings.include, path):
                    continue
                if _means(settings.exclude, path):
                    continue
                if settings.respect_gitignore and ignores.leave_out(path, is_folder):
                    continue
                if is_folder:
                    waiting.append((path, here, ignores))
                elif _is_file(entry) and path not in self.targets:
                    self.targets[path] = Target(here, path, settings)
                    if entry.is_symlink():
                        self.links[path] = os.path.realpath(path)

    def _entries(self, folder: str, name: str) -> Iterator[os.DirEntry[str]]:
        try:
            with os.scandir(folder) as entries:
                yield from entries
        except OSError as error:
            self._fail(name, f"cannot be read: {error.strerror or error}")

    def _above(self, folder: str, settings: Settings) -> _Ignores:
        """What the repository around a folder ignores; nothing, where it ignores the folder itself."""
        ignores = _Ignores()
        if not settings.respect_gitignore or os.path.exists(f"{folder}/.git"):
            return ignores
        parents: list[str] = []
        parent = folder
        while parent != os.path.dirname(parent):
            parent = os.path.dirname(parent)
            parents.append(parent)
            if os.path.exists(f"{parent}/.git"):
                break
        else:
            return ignores
        child = ""
        for parent in reversed(parents):
            ignores = ignores.below(parent)
            child = f"{parent.rstrip('/')}/{folder[len(parent.rstrip('/')) + 1 :].split('/')[0]}"
            if ignores.leave_out(child, True):
                return _Ignores()
        return ignores

    def _settings(self, folder: str) -> Settings:
        try:
            return self.resolver.settings(Path(folder))
        except ConfigError as error:
            self._fail(error.where or folder, error.message)
            return self.resolver.forgive(Path(folder))

    def _fail(self, name: str, message: str) -> None:
        self.failures.setdefault(name, FileResult(name, failure=Failure(name, message)))


def _is_file(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_file()
    except OSError:
        return False
