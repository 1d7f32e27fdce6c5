"""Texts in which every `bad` is a finding; the fix is looked up by the word that follows it."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from devlint.diagnostic import Diagnostic, FileResult, Fix, Safety, Severity
from devlint.fix.apply import Look, Rewriting, choose, rewrite
from devlint.syntax.source import Source
from devlint.text import Edit, Span

Fixes = Callable[[re.Match[str]], tuple[Edit, ...] | None]


def look(source: Source, fixes: Fixes) -> Look:
    found = []
    for match in re.finditer(r"bad(\d+)?", source.text):
        edits = fixes(match)
        found.append(
            Diagnostic(
                code=f"DEV{match[1] or 101}",
                name="x",
                severity=Severity.ERROR,
                message="m",
                path=source.path,
                span=Span(*match.span()),
                start=source.lines.position(match.start()),
                end=source.lines.position(match.end()),
                statement=(1, 1),
                fix=None if edits is None else Fix("f", Safety.SAFE, edits),
            )
        )
    result = FileResult(source.path, tuple(found))
    return Look(result, result)


def run(
    text: str | Source, fixes: Fixes, wanted: Callable[[Diagnostic], bool] = lambda _: True
) -> tuple[Rewriting, int]:
    """The rewriting, and how many texts were looked at for it."""
    source = Source.from_text("a.py", text) if isinstance(text, str) else text
    looked = 0

    def check(new: Source) -> Look:
        nonlocal looked
        looked += 1
        return look(new, fixes)

    return rewrite(source, look(source, fixes), check, wanted), looked


def by(text: str) -> Fixes:
    return lambda match: (Edit(*match.span(), text),)


def test_what_does_not_overlap_is_done_in_one_round() -> None:
    done, looked = run("bad = bad + bad\n", by("good"))
    assert done.after == "good = good + good\n"
    assert (len(done.fixed), done.dropped, looked) == (3, (), 1)
    assert done.remaining.diagnostics == ()


def test_nothing_to_do() -> None:
    for fixes in (lambda _: None, lambda _: ()):
        done, looked = run("bad\n", fixes)
        assert (done.after, done.fixed, done.dropped, looked) == ("bad\n", (), (), 0)
        assert len(done.remaining.diagnostics) == 1


def test_only_what_is_wanted_is_done() -> None:
    done, _ = run("bad = bad101 + bad104\n", by("good"), lambda d: d.code == "DEV104")
    assert done.after == "bad = bad101 + good\n"
    assert [d.code for d in done.remaining.diagnostics] == ["DEV101", "DEV101"]


def test_what_overlaps_waits_for_the_next_round() -> None:
    done, looked = run("bad bad\n".replace(" ", "+"), lambda m: (Edit(m.start(), m.start() + 5, "x"),))
    # The first reaches into the second, of which "ad" is left: no finding any more.
    assert done.after == "xad\n"
    assert (len(done.fixed), looked) == (1, 1)
    done, looked = run(
        "bad101 ** bad104\n", lambda m: (Edit(0, 0, "y="), Edit(*m.span(), m[0].replace("bad", "c")))
    )
    assert (done.after, looked) == ("y=c101 ** c104\n", 1)  # equal edits are no overlap
    done, looked = run("bad101 ** bad104\n", lambda m: (Edit(0, 0, f"x{m[1]}="), Edit(*m.span(), "c")))
    assert (done.after, looked) == ("x101=x104=c ** c\n", 2)


def test_a_fix_that_does_not_help_is_dropped_and_the_others_are_done() -> None:
    def fixes(match: re.Match[str]) -> tuple[Edit, ...] | None:
        return (Edit(*match.span(), "badly" if match[1] == "104" else "good"),) if match[1] else None

    done, _ = run("bad101, bad104, bad101\n", fixes)
    assert done.after == "good, bad104, good\n"
    assert [(d.code, why) for d, why in done.dropped] == [("DEV104", "DEV101 is found afterwards")]
    assert [d.code for d in done.fixed] == ["DEV101", "DEV101"]
    assert [(d.code, d.fix) for d in done.remaining.diagnostics] == [("DEV104", None)]


def test_what_a_fix_brings_to_light_is_fixed_with_it() -> None:
    def fixes(match: re.Match[str]) -> tuple[Edit, ...]:
        return (Edit(*match.span(), "bad101" if match[1] == "104" else "good"),)

    done, _ = run("bad101, bad104\n", fixes)
    assert (done.after, done.dropped) == ("good, good\n", ())
    assert [d.code for d in done.fixed] == ["DEV101", "DEV104", "DEV101"]


def test_a_dropped_fix_is_not_tried_again_and_frees_its_place() -> None:
    def fixes(match: re.Match[str]) -> tuple[Edit, ...]:
        start = 0 if match[1] == "104" else match.start()
        return (Edit(start, match.end(), "bad104" if match[1] == "104" else "good"),)

    done, _ = run("bad101; bad104\n", fixes)
    assert done.after == "good; bad104\n"
    assert [(d.code, why) for d, why in done.dropped] == [("DEV104", "DEV104 is still found afterwards")]


@pytest.mark.parametrize(
    ("new", "why"),
    [("bad101", "the fix changes nothing"), ("bad101 + bad104", "DEV101 is still found afterwards")],
)
def test_why_a_single_fix_is_dropped(new: str, why: str) -> None:
    done, _ = run("bad101\n", by(new))
    assert [reason for _, reason in done.dropped] == [why]
    assert (done.after, done.fixed) == ("bad101\n", ())


def test_a_text_that_the_encoding_cannot_hold_is_not_made() -> None:
    source = Source.from_bytes("a.py", b"# -*- coding: latin-1 -*-\nbad = '\xe9'\n")
    done, looked = run(source, by("日本"))
    assert [why for _, why in done.dropped] == ["the file's encoding cannot hold the new text"]
    assert looked == 0


def test_the_encoding_and_the_mark_are_kept() -> None:
    for data in (b"\xef\xbb\xbfbad = 1\r\n", b"# -*- coding: latin-1 -*-\nbad = '\xe9'\n"):
        source = Source.from_bytes("a.py", data)
        done, _ = run(source, by("good"))
        assert source.encode(done.after) == data.replace(b"bad", b"good")


def test_a_file_whose_places_are_not_certain_is_left_alone() -> None:
    done, looked = run("bad = 2\nx = 1\r", by("good"))
    assert (done.after, looked) == ("bad = 2\nx = 1\r", 0)
    assert "lone carriage return" in done.dropped[0][1]


def test_a_file_that_does_not_parse_is_left_alone() -> None:
    done, looked = run("x = (  # bad\n", by("good"))
    assert (done.after, looked) == ("x = (  # bad\n", 0)
    assert [why for _, why in done.dropped] == ["the file does not parse"]


def test_rounds_end() -> None:
    def longer(match: re.Match[str]) -> tuple[Edit, ...]:
        return (Edit(*match.span(), f"bad{int(match[1]) + 1}"),)

    def no_objection(source: Source) -> Look:
        return Look(FileResult(source.path), look(source, longer).shown)

    source = Source.from_text("a.py", "bad101\n")
    done = rewrite(source, look(source, longer), no_objection, lambda _: True)
    assert done.after == "bad121\n"


def test_the_baseline_is_not_touched_but_proves_with() -> None:
    source = Source.from_text("a.py", "bad101 + bad104\n")

    def check(new: Source) -> Look:
        every = look(new, by("good")).every
        shown = tuple(d for d in every.diagnostics if d.code == "DEV104")
        return Look(every, FileResult(new.path, shown))

    done = rewrite(source, check(source), check, lambda _: True)
    assert done.after == "bad101 + good\n"
    assert done.remaining.diagnostics == ()


def test_choosing_prefers_the_first_and_then_the_longest() -> None:
    text = "bad101 bad104 bad301"
    spans = {"101": (5, 9), "104": (0, 4), "301": (0, 8)}
    every = look(Source.from_text("a.py", text), lambda m: (Edit(*spans[m[1]], "x"),)).every
    assert [d.code for d in choose(every.diagnostics)] == ["DEV301"]


def test_edits_that_touch_do_not_overlap_and_insertions_at_one_place_do() -> None:
    def chosen(**edits: tuple[int, int, str]) -> list[str]:
        text = " ".join(edits)
        every = look(Source.from_text("a.py", text), lambda m: (Edit(*edits[m[0]]),)).every
        return [d.code for d in choose(every.diagnostics)]

    assert chosen(bad101=(0, 3, "a"), bad104=(3, 5, "b")) == ["DEV101", "DEV104"]
    assert chosen(bad101=(3, 3, "a"), bad104=(3, 3, "b")) == ["DEV101"]
    assert chosen(bad101=(3, 3, "a"), bad104=(3, 3, "a")) == ["DEV101", "DEV104"]
    assert chosen(bad101=(3, 5, "a"), bad104=(3, 3, "b")) == ["DEV101", "DEV104"]
    assert chosen(bad101=(0, 3, "a"), bad104=(1, 1, "b")) == ["DEV101"]
