"""Settings, and where they come from: the closest configuration file, `extend`, and the command line.

In a folder `.devlint.toml` comes before `devlint.toml` before a `pyproject.toml` that has
`[tool.devlint]` (one that has not is passed over). The closest file wins and nothing is merged, unless it
says `extend`. Keys and meanings are ruff's where ruff has them.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from devlint.diagnostic import Safety, Severity
from devlint.globs import Glob, shown, slashed
from devlint.options import ConfigError, Layer, read_layer
from devlint.rule import Rule
from devlint.selectors import Selection, narrowest

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

__all__ = ["CONFIG_NAMES", "ConfigError", "Resolver", "Settings", "load"]

CONFIG_NAMES = (".devlint.toml", "devlint.toml", "pyproject.toml")

# What ruff leaves out, and our own cache.
DEFAULT_EXCLUDE = (
    *(".bzr", ".devlint_cache", ".direnv", ".eggs", ".git", ".git-rewrite", ".hg", ".ipynb_checkpoints"),
    *(".mypy_cache", ".nox", ".pants.d", ".pyenv", ".pytest_cache", ".pytype", ".ruff_cache", ".svn", ".tox"),
    *(".venv", ".vscode", "__pypackages__", "_build", "buck-out", "build", "dist", "node_modules"),
    *("site-packages", "venv"),
)

# Stubs hold no flow, so they are read only when they are named.
DEFAULT_INCLUDE = ("*.py", "*.pyw", "*.ipynb")

# The last of torch 1: what fixes write by default works since then, and newer names wait until a project
# says that it needs them (torch.amp.GradScaler 2.3, torch.accelerator 2.6).
DEFAULT_TORCH = (1, 13)


@dataclass(frozen=True, slots=True)
class Settings:
    """How files below one folder are checked. Patterns know the folder that they are relative to."""

    root: Path = field(default_factory=Path.cwd)
    """The folder of the configuration file; without one the working directory."""
    source: Path | None = None
    """The configuration file."""
    selections: tuple[Selection, ...] = ()
    per_file_ignores: tuple[tuple[Glob, tuple[str, ...]], ...] = ()
    fixable: tuple[str, ...] = ("ALL",)
    unfixable: tuple[str, ...] = ()
    extend_safe_fixes: tuple[str, ...] = ()
    extend_unsafe_fixes: tuple[str, ...] = ()
    include: tuple[Glob, ...] = ()
    exclude: tuple[Glob, ...] = ()
    respect_gitignore: bool = True
    force_exclude: bool = False
    fix: bool = False
    unsafe_fixes: bool = False
    show_fixes: bool = False
    fail_on: Severity = Severity.INFO
    output_format: str = "text"
    baseline: Path | None = None
    max_file_size: int = 2_000_000
    """How many bytes of Python a file may hold to be checked; of a notebook, its code counts."""
    cache_dir: Path | None = None
    """Where results are kept; None means `.devlint_cache` in `root`."""
    device_idiom: str = "cuda"
    """What a script's inserted device line asks for: `cuda` or `accelerator`."""
    target_torch: tuple[int, int] = DEFAULT_TORCH
    """The oldest torch that a fix may count on."""
    device_types: tuple[str, ...] = ()
    """Device names beyond torch's own, which a plugin registers."""
    respect_suppressions: bool = True
    """False under `--ignore-noqa`."""

    def enabled(self, rule: Rule) -> bool:
        """Whether the rule is on at all."""
        on = rule.default
        for selection in self.selections:
            on = selection.decide(rule, on)
        return on

    def selected(self, rule: Rule, path: str) -> bool:
        """Whether the rule is on for this file."""
        return self.enabled(rule) and not self.ignored_in_file(rule, path)

    def ignored_in_file(self, rule: Rule, path: str) -> bool:
        """Whether `per-file-ignores` turns the rule off for this file."""
        whole = slashed(path) if self.per_file_ignores else ""
        for glob, selectors in self.per_file_ignores:
            inverted = glob.pattern.startswith("!")
            means = Glob(glob.pattern[1:], glob.base) if inverted else glob
            if narrowest(selectors, rule) >= 0 and means.covers(whole) != inverted:
                return True
        return False

    def fix_allowed(self, rule: Rule) -> bool:
        """Whether fixes of the rule may be applied at all."""
        return narrowest(self.fixable, rule) > narrowest(self.unfixable, rule)

    def safety(self, rule: Rule, safety: Safety) -> Safety:
        """The safety of a fix, after `extend-safe-fixes` and `extend-unsafe-fixes` (unsafe wins a draw)."""
        safe = narrowest(self.extend_safe_fixes, rule)
        unsafe = narrowest(self.extend_unsafe_fixes, rule)
        if safe < 0 and unsafe < 0:
            return safety
        return Safety.SAFE if safe > unsafe else Safety.UNSAFE

    @property
    def cache_folder(self) -> Path:
        """Where results are kept."""
        return self.cache_dir or self.root / ".devlint_cache"


class Resolver:
    """Finds the settings of a folder, each folder once.

    `config` are the values of `--config` (one file, which then holds for everything, and any number of
    `key = value`); `overrides` are the options of the command line under their configuration keys, None
    where not given; both beat the files. `rules` are those that selectors may mean.
    """

    def __init__(
        self,
        rules: Sequence[Rule],
        *,
        config: Sequence[str] = (),
        isolated: bool = False,
        overrides: Mapping[str, object] | None = None,
    ) -> None:
        self._rules = rules
        self._cwd = Path.cwd()
        self._known: dict[Path, Settings] = {}
        self._isolated = isolated
        self._file: Path | None = None
        self._top: list[Layer] = []
        for value in config:
            self._take(value)
        given = {key: value for key, value in (overrides or {}).items() if value is not None}
        self._top.append(read_layer(given, "command line", self._cwd, rules))

    def settings(self, folder: Path) -> Settings:
        """The settings that hold in a folder.

        Raises:
            ConfigError: a configuration file cannot be read, or says something that devlint does not know.
        """
        folder = Path(os.path.abspath(folder))
        if folder not in self._known:
            self._known[folder] = self._find(folder)
        return self._known[folder]

    def forgive(self, folder: Path) -> Settings:
        """The settings of the folder above, for this folder too: its own configuration is broken."""
        folder = Path(os.path.abspath(folder))
        if folder.parent == folder:
            above = self._build(None, self._cwd)
        else:
            try:
                above = self.settings(folder.parent)
            except ConfigError:
                above = self.forgive(folder.parent)
        self._known[folder] = above
        return above

    def _find(self, folder: Path) -> Settings:
        if self._isolated or self._file is not None:
            return self._build(self._file, self._cwd)
        for name in CONFIG_NAMES:
            file = folder / name
            # A folder that may not be entered has no configuration that could be read.
            if os.path.isfile(file) and _section(file) is not None:
                return self._build(file, folder)
        if folder.parent == folder:
            return self._build(None, self._cwd)
        return self.settings(folder.parent)

    def _take(self, value: str) -> None:
        if os.path.isfile(value) or value.endswith(".toml"):
            if self._isolated:
                raise ConfigError("--config FILE and --isolated contradict each other")
            if self._file is not None:
                raise ConfigError("--config: only one configuration file can be given")
            self._file = Path(os.path.abspath(value))
            return
        try:
            table = tomllib.loads(value)
        except tomllib.TOMLDecodeError as error:
            raise ConfigError(
                f"--config {value}: neither a file that exists nor `key = value` in TOML ({error})"
            ) from None
        self._top.append(read_layer(table, "--config", self._cwd, self._rules))

    def _build(self, file: Path | None, root: Path) -> Settings:
        layers = [*self._chain(file, root), *self._top]
        return _stack(layers, root, file)

    def _chain(self, file: Path | None, root: Path) -> list[Layer]:
        """The layers of a file and of all that it extends, the farthest first."""
        layers: list[Layer] = []
        seen: list[Path] = []
        while file is not None:
            if file in seen:
                raise ConfigError("`extend` leads back to itself", shown(file))
            seen.append(file)
            table = dict(_section(file) or {})
            above = table.pop("extend", None)
            base = root if len(seen) == 1 else file.parent
            layers.insert(0, read_layer(table, shown(file), base, self._rules))
            file = _extended(file, above)
        return layers


def load(
    path_hint: Path,
    rules: Sequence[Rule],
    *,
    config: Sequence[str] = (),
    isolated: bool = False,
    overrides: Mapping[str, object] | None = None,
) -> Settings:
    """The settings that hold for a file or folder.

    Raises:
        ConfigError: see `Resolver.settings`.
    """
    resolver = Resolver(rules, config=config, isolated=isolated, overrides=overrides)
    return resolver.settings(path_hint if path_hint.is_dir() else path_hint.parent)


def _extended(file: Path, above: object) -> Path | None:
    if above is None:
        return None
    if not isinstance(above, str):
        raise ConfigError("`extend`: expected the path of a file", shown(file))
    target = Path(os.path.abspath(file.parent / os.path.expandvars(os.path.expanduser(above))))
    if not target.is_file():
        raise ConfigError(f"`extend`: no such file: {above}", shown(file))
    return target


def _section(file: Path) -> Mapping[str, object] | None:
    """The table of a configuration file; None if a pyproject.toml has no `[tool.devlint]`."""
    try:
        table: Mapping[str, object] = tomllib.loads(file.read_bytes().decode("utf-8"))
    except OSError as error:
        raise ConfigError(f"cannot be read: {error.strerror or error}", shown(file)) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"not valid TOML: {error}", shown(file)) from None
    if file.name != "pyproject.toml":
        return table
    tool = table.get("tool", {})
    section = tool.get("devlint") if isinstance(tool, dict) else None
    if section is not None and not isinstance(section, dict):
        raise ConfigError("`tool.devlint`: expected a table", shown(file))
    return section


def _globs(patterns: Sequence[str], base: Path) -> tuple[Glob, ...]:
    return tuple(Glob(pattern, slashed(base)) for pattern in patterns)


def _stack(layers: Sequence[Layer], root: Path, source: Path | None) -> Settings:
    """Lays the layers over the defaults; a later one wins, `extend-*` adds."""
    last: dict[str, object] = {}
    added: dict[str, tuple[object, ...]] = {}
    for layer in layers:
        last.update(layer.values)
        for name, more in layer.additions.items():
            added[name] = added.get(name, ()) + more
    default = {"include": _globs(DEFAULT_INCLUDE, root), "exclude": _globs(DEFAULT_EXCLUDE, root)}
    values: dict[str, object] = {**default, **last}
    for name, more in added.items():
        before = values.get(name, ())
        assert isinstance(before, tuple)
        values[name] = before + more
    chosen = tuple(layer.selection for layer in layers if layer.selection != Selection())
    return Settings(root=root, source=source, selections=chosen, **values)  # type: ignore[arg-type]
