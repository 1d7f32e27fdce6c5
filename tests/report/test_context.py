"""The texts that reports quote."""

from __future__ import annotations

from devlint.report import SourceText, Texts


def test_rows_outside_of_the_text_are_empty() -> None:
    text = SourceText("a\nb")
    assert [text.line(row) for row in (0, 1, 2, 3)] == ["", "a", "b", ""]


def test_every_file_is_read_once() -> None:
    read: list[str] = []

    def load(path: str) -> SourceText | None:
        read.append(path)
        return SourceText("x") if path == "a.py" else None

    texts = Texts(load)
    assert [texts.line(path, 1) for path in ("a.py", "b.py", "a.py", "b.py")] == ["x", "", "x", ""]
    assert read == ["a.py", "b.py"]
