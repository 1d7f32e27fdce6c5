"""`devlint clean`."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import click

from devlint.cli.console import Console
from devlint.cli.exits import CLEAN
from devlint.cli.params import GroupedCommand

_NAME = ".devlint_cache"
_MARK = "CACHEDIR.TAG"


@click.command(cls=GroupedCommand)
@click.argument(
    "folders", nargs=-1, metavar="[FOLDER]...", type=click.Path(exists=True, file_okay=False, path_type=Path)
)
def clean(folders: tuple[Path, ...]) -> int:
    """Remove the caches of devlint.

    They are looked for in these folders (default: the working directory) and below.
    """
    removed = 0
    for folder in folders or (Path(),):
        for cache in _caches(folder):
            shutil.rmtree(cache)
            Console().inform(f"Removed {cache}")
            removed += 1
    if not removed:
        Console().inform("No cache here.")
    return CLEAN


def _caches(folder: Path) -> Iterator[Path]:
    """The folders that devlint made, known by name and by the mark that it put into them."""
    for here, below, _ in os.walk(folder):
        if _NAME in below:
            below.remove(_NAME)
            cache = Path(here, _NAME)
            if (cache / _MARK).is_file() and not cache.is_symlink():
                yield cache
