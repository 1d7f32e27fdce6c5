"""The model by itself: what it knows of a value, in the programs of `tests/model/*.md`.

Where a row is reached several times, `# reveal: A / B` says what is known, each text once, in this order.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from devlint.deep import run_deep
from devlint.model.analyse import analyse
from devlint.model.events import Reveal
from devlint.model.program import Program
from devlint.syntax.source import Source
from tests.blocks import Case, read_cases

FOLDER = Path(__file__).parent / "model"
CASES = [
    case
    for file in sorted(FOLDER.rglob("*.md"))
    for case in read_cases(file.read_text("utf-8"), file.relative_to(FOLDER).as_posix(), {})
]


def revealed(folder: Path, files: dict[str, str]) -> list[tuple[str, int, str]]:
    """What is said of each row with a `reveal`: file, row, texts."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    texts: dict[tuple[str, int], dict[str, None]] = {}
    for name in files:
        model = analyse(
            Source.from_bytes(str(folder / name), (folder / name).read_bytes()), Program((str(folder),))
        )
        for event in model.events:
            if isinstance(event, Reveal) and event.site.file is model.file:
                source = event.site.file.source
                row = source.lines.position(source.span(event.site.node).start).row
                texts.setdefault((name, row), {})[event.text] = None
    return sorted((name, row, " / ".join(said)) for (name, row), said in texts.items())


@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_model_knows_what_is_marked(case: Case, tmp_path: Path) -> None:
    assert case.mark == "model"
    assert run_deep(lambda: revealed(tmp_path, case.files)) == case.lines


def test_every_reveal_is_marked() -> None:
    for case in CASES:
        calls = sum(text.count("reveal(") for text in case.files.values())
        assert calls == len(case.lines), str(case)
