"""Code frames of hard lines: wide and hidden characters, tabs, long rows, marks over many rows."""

from __future__ import annotations

from devlint.report import SourceText
from devlint.report.frame import Mark, render
from devlint.report.style import Style
from devlint.text import Position


def frame(text: str, *marks: Mark, first: int | None = None) -> str:
    lines = render(SourceText(text), marks, Style(color=False), first)
    return "\n".join(line.rstrip() for line in lines)


def mark(start: tuple[int, int], end: tuple[int, int], label: str = "", primary: bool = True) -> Mark:
    return Mark(Position(*start), Position(*end), label, primary)


def test_context_without_blank_lines_at_its_ends() -> None:
    assert (
        frame("a\n\nb\nc\n\n\nd\n", mark((3, 1), (3, 2)))
        == """\
  |
1 | a
2 |
3 | b
  | ^
4 | c
  |"""
    )


def test_a_gap_of_one_row_is_shown_and_a_longer_one_elided() -> None:
    text = "\n".join(f"row{number}" for number in range(1, 21))
    assert (
        frame(
            text,
            mark((15, 1), (15, 6)),
            mark((11, 1), (11, 4), "first", False),
            mark((3, 2), (3, 4), "x", False),
        )
        == """\
   |
 3 | row3
   |  -- x
...
11 | row11
   | --- first
12 | row12
13 | row13
14 | row14
15 | row15
   | ^^^^^
16 | row16
17 | row17
   |"""
    )


def test_the_row_where_the_statement_begins_is_shown_and_not_marked() -> None:
    text = "x = f(\n    a,\n    b,\n    c,\n    d,\n    e,\n)\n"
    assert (
        frame(text, mark((6, 5), (6, 6)), first=1)
        == """\
  |
1 | x = f(
...
4 |     c,
5 |     d,
6 |     e,
  |     ^
7 | )
  |"""
    )


def test_two_marks_on_one_row_the_primary_first() -> None:
    assert (
        frame("y = x.to(d)", mark((1, 5), (1, 6), "on the CPU", False), mark((1, 5), (1, 12), "dropped"))
        == """\
  |
1 | y = x.to(d)
  |     ^^^^^^^ dropped
  |     - on the CPU
  |"""
    )


def test_a_mark_over_three_rows() -> None:
    text = "x = f(\n    1,\n)\n"
    assert (
        frame(text, mark((1, 5), (3, 2), "here"))
        == """\
  |
1 | x = f(
  |     ^^
2 |     1,
  |     ^^
3 | )
  | ^ here
  |"""
    )


def test_a_mark_over_many_rows_shows_its_ends() -> None:
    text = "\n".join(["x = f(", *["    1,"] * 9, ")"])
    assert (
        frame(text, mark((1, 5), (11, 2), "here"))
        == """\
   |
 1 | x = f(
   |     ^^
 2 |     1,
   |     ^^
...
11 | )
   | ^ here
   |"""
    )


def test_a_mark_that_ends_at_the_start_of_a_row_leaves_that_row_alone() -> None:
    assert (
        frame("ab\ncd\n", mark((1, 1), (2, 1)))
        == """\
  |
1 | ab
  | ^^
2 | cd
  |"""
    )


def test_an_empty_mark_still_shows_where() -> None:
    assert (
        frame("ab", mark((1, 3), (1, 3)))
        == """\
  |
1 | ab
  |   ^
  |"""
    )


def test_tabs_wide_and_combining_characters_keep_marks_in_place() -> None:
    lines = frame("\tname = '日本e\u0301', x", mark((1, 17), (1, 18))).split("\n")
    assert lines[1] == "1 |     name = '日本e\u0301', x"
    # Two columns for each of the first two, none for the accent.
    assert lines[2] == "  | " + " " * len("    name = '....e', ") + "^"


def test_what_a_terminal_would_obey_is_made_visible() -> None:
    assert (
        frame("a\x1b[31m\x9b\u202eb\udc80", mark((1, 1), (1, 2)))
        == """\
  |
1 | a␛[31m\N{REPLACEMENT CHARACTER}\N{REPLACEMENT CHARACTER}b\N{REPLACEMENT CHARACTER}
  | ^
  |"""
    )


def test_a_very_long_row_is_cut_around_its_mark() -> None:
    lines = frame("a" * 5000 + "xyz" + "b" * 5000, mark((1, 5001), (1, 5004))).split("\n")
    assert lines[1] == "1 | ..." + "a" * 40 + "xyz" + "b" * 117 + "..."
    assert lines[2] == "  | " + " " * 43 + "^^^"


def test_a_long_row_is_cut_at_its_end_only_when_the_mark_is_near_the_start() -> None:
    lines = frame("xyz" + "b" * 5000, mark((1, 1), (1, 4))).split("\n")
    assert lines[1] == "1 | xyz" + "b" * 157 + "..."
    assert lines[2] == "  | ^^^"


def test_colours() -> None:
    lines = render(SourceText("x"), [mark((1, 1), (1, 2), "here")], Style(color=True))
    assert list(lines) == [
        "\x1b[1;34m  |\x1b[0m",
        "\x1b[1;34m1 |\x1b[0m x",
        "\x1b[1;34m  |\x1b[0m \x1b[31m^ here\x1b[0m",
        "\x1b[1;34m  |\x1b[0m",
    ]
