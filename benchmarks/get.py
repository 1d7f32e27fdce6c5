"""Download the packages of packages.txt, one folder of sources each.

python benchmarks/get.py FOLDER [NAME ...]      all of them, or those named; those that are there stay
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

LIST = Path(__file__).with_name("packages.txt")


def wanted(names: list[str]) -> dict[str, str]:
    """The packages of the list by name, with their versions; all, or those named."""
    lines = [line.split("#")[0].strip() for line in LIST.read_text("utf-8").splitlines()]
    packages = dict(line.split("==") for line in lines if line)
    unknown = set(names) - packages.keys()
    if unknown:
        raise SystemExit(f"not in {LIST.name}: {', '.join(sorted(unknown))}")
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


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("names", nargs="*", metavar="NAME")
    given = parser.parse_args()
    missing = []
    for name, version in wanted(given.names).items():
        target = given.folder / name
        if target.exists():
            continue
        with tempfile.TemporaryDirectory() as folder:
            wheel = download(name, version, Path(folder))
            if wheel is None:
                missing.append(name)
            else:
                print(f"{name} {version}: {unpack(wheel, target)} files", flush=True)
    if missing:
        print(f"not downloaded: {', '.join(missing)}", file=sys.stderr)
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
