"""The CPU time of `devlint check`, against that of `libcst.parse_module` alone on the same files.

    python benchmarks/speed.py FOLDER [--at-most 1.6]       one row a package of the folder, and the ratio
    python benchmarks/speed.py FOLDER --linear              a file ten times over costs at most eleven times

One process, no cache. Files that libcst cannot parse count for neither. libcst runs with the garbage
collector off, as devlint runs it.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import io
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

import libcst

from devlint.cli.entry import main as devlint

CHECK = ["check", "--isolated", "--no-cache", "--jobs", "1", "--exit-zero", "--output-format", "json"]


def cpu(work: Callable[[], object]) -> float:
    """The CPU time of this process, all threads, while it does some work."""
    gc.collect()
    start = time.process_time()
    work()
    return time.process_time() - start


def check(*paths: Path) -> None:
    """What the program does, without the report on the screen."""
    with contextlib.redirect_stdout(io.TextIOWrapper(io.BytesIO())):
        code = devlint([*CHECK, *map(str, paths)])
    if code:
        print(f"devlint ended with {code}: what it could not check counts as fast", file=sys.stderr)


def parse(texts: Iterable[bytes]) -> None:
    """Parse texts, and do nothing with them."""
    gc.disable()
    try:
        for text in texts:
            libcst.parse_module(text)
    finally:
        gc.enable()


def parsable(files: Iterable[Path]) -> dict[Path, bytes]:
    """The files that libcst can parse."""
    found: dict[Path, bytes] = {}
    for file in files:
        text = file.read_bytes()
        with contextlib.suppress(libcst.ParserSyntaxError, RecursionError, UnicodeDecodeError):
            libcst.parse_module(text)
            found[file] = text
    return found


def against_libcst(folder: Path, at_most: float) -> int:
    """One row a package, and the ratio of all."""
    total = [0.0, 0.0]
    print(f"{'package':28} {'files':>6} {'kB':>8} {'libcst s':>9} {'devlint s':>9} {'ratio':>6}")
    for package in sorted(path for path in folder.iterdir() if path.is_dir()):
        texts = parsable(sorted(package.rglob("*.py")))
        if not texts:
            continue
        alone = cpu(partial(parse, texts.values()))
        all_of_it = cpu(partial(check, *texts))
        total[0] += alone
        total[1] += all_of_it
        size, ratio = sum(map(len, texts.values())) // 1000, all_of_it / alone
        row = f"{package.name:28} {len(texts):6} {size:8} {alone:9.2f} {all_of_it:9.2f} {ratio:6.2f}"
        print(row, flush=True)
    ratio = total[1] / total[0]
    print(f"devlint {total[1]:.1f} s, libcst {total[0]:.1f} s: ratio {ratio:.2f} (at most {at_most:g})")
    return 0 if ratio <= at_most else 1


def linear(folder: Path, at_most: float) -> int:
    """Files of a middling size, alone and ten times over: the median of what ten times cost."""
    files = [f for f in sorted(folder.rglob("*.py")) if 8_000 < f.stat().st_size < 20_000]
    texts = [text for text in parsable(files[:: max(1, len(files) // 40)]).values() if usable(text)][:20]
    ratios = []
    with tempfile.TemporaryDirectory() as scratch:
        one, ten = Path(scratch, "one.py"), Path(scratch, "ten.py")
        for text in texts:
            one.write_bytes(text)
            ten.write_bytes((text + b"\n") * 10)
            times = [(cpu(partial(check, one)), cpu(partial(check, ten))) for _ in range(3)]
            ratios.append(min(b for _, b in times) / min(a for a, _ in times))
    print(
        f"{len(ratios)} files ten times over: {statistics.median(ratios):.1f} times the cost "
        f"(from {min(ratios):.1f} to {max(ratios):.1f}, at most {at_most:g})"
    )
    return 0 if statistics.median(ratios) <= at_most else 1


def usable(text: bytes) -> bool:
    """Whether a text may follow itself, and devlint has something to do with it."""
    return b"__future__" not in text and b"torch" in text and not text.startswith(b"\xef\xbb\xbf")


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--linear", action="store_true")
    parser.add_argument(
        "--at-most", type=float, help="fail above this ratio (default: 1.6; with --linear 11)"
    )
    given = parser.parse_args()
    warm_up()
    if given.linear:
        return linear(given.folder, given.at_most or 11)
    return against_libcst(given.folder, given.at_most or 1.6)


def warm_up() -> None:
    """Import all that a run imports: it is not what is measured here."""
    with tempfile.TemporaryDirectory() as scratch:
        file = Path(scratch, "warm.py")
        file.write_text("import torch\nx = torch.zeros(3).cuda()\n")
        check(file)


def deep(work: Callable[[], int]) -> int:
    """Run where deeply nested files can be parsed."""
    result: list[int] = []
    threading.stack_size(256 << 20)
    sys.setrecursionlimit(50_000)
    thread = threading.Thread(target=lambda: result.append(work()))
    thread.start()
    thread.join()
    return result[0] if result else 2


if __name__ == "__main__":
    sys.exit(deep(main))
