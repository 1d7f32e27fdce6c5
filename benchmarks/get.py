"""Download the packages of packages.txt, or of another list, one folder of sources each.

python benchmarks/get.py FOLDER [NAME ...]      all of them, or those named; those that are there stay
                                   --list FILE  those of another list
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Mapping
from pathlib import Path

LIST = Path(__file__).with_name("packages.txt")


def listed(file: Path = LIST) -> dict[str, str]:
    """The packages of a list by name, with their versions."""
    lines = [line.split("#")[0].strip() for line in file.read_text("utf-8").splitlines()]
    return dict(line.split("==") for line in lines if line)


def wanted(names: list[str], file: Path = LIST) -> dict[str, str]:
    """The packages of a list: all, or those named."""
    packages = listed(file)
    unknown = set(names) - packages.keys()
    if unknown:
        raise SystemExit(f"not in {file.name}: {', '.join(sorted(unknown))}")
    return {name: version for name, version in packages.items() if not names or name in names}


def download(name: str, version: str, folder: Path) -> Path | None:
    """The wheel of a package, or None where pip finds none (it has said why)."""
    command = [
        "download",
        "--quiet",
        "--no-deps",
        "--only-binary=:all:",
        "--dest",
        str(folder),
        f"{name}=={version}",
    ]
    subprocess.run([sys.executable, "-m", "pip", *command], check=False)
    return next(folder.glob("*.whl"), None)


def unpack(wheel: Path, target: Path) -> int:
    """Write the Python files of a wheel into a folder; how many there are."""
    with zipfile.ZipFile(wheel) as archive:
        sources = [name for name in archive.namelist() if name.endswith(".py")]
        archive.extractall(target, sources)
    return len(sources)


def download_all(folder: Path, packages: Mapping[str, str]) -> list[str]:
    """Lay out the packages that are not in a folder yet; those that could not be had."""
    missing = []
    for name, version in packages.items():
        target = folder / name
        if target.exists():
            continue
        with tempfile.TemporaryDirectory() as scratch:
            wheel = download(name, version, Path(scratch))
            if wheel is None:
                missing.append(name)
            else:
                print(f"{name} {version}: {unpack(wheel, target)} files", flush=True)
    return missing


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--list", type=Path, default=LIST, help=f"the list (default: {LIST.name})")
    given = parser.parse_args()
    missing = download_all(given.folder, wanted(given.names, given.list))
    if missing:
        print(f"not downloaded: {', '.join(missing)}", file=sys.stderr)
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
