from __future__ import annotations

import pytest

from devlint.config import Settings
from devlint.diagnostic import Diagnostic
from devlint.lint import triage
from devlint.noqa import add_noqa
from devlint.syntax.source import Source
from tests.fakes import MARK, RULES, fake_engine


def judge(text: str) -> tuple[Diagnostic, ...]:
    engine = fake_engine(("/none",))
    return triage(engine.read("a.py", text.encode(), Settings()), RULES, Settings()).result.diagnostics


def added(text: str, found: tuple[Diagnostic, ...], reason: str | None = None) -> tuple[str, int]:
    source, count = add_noqa(Source.from_text("a.py", text), found, reason)
    return source.text, count


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("bad101()\n", "bad101()  # noqa: DEV101\n"),
        ("bad101()", "bad101()  # noqa: DEV101"),
        ("bad101()\r\nx\r\n", "bad101()  # noqa: DEV101\r\nx\r\n"),
        ("bad104(), bad101(), bad101()\n", "bad104(), bad101(), bad101()  # noqa: DEV101, DEV104\n"),
        ("bad101()  # a comment\n", "bad101()  # a comment  # noqa: DEV101\n"),
        ("bad101()  # noqa: E501 why\n", "bad101()  # noqa: E501, DEV101 why\n"),
        ("bad101(), bad104()  # noqa: DEV101\n", "bad101(), bad104()  # noqa: DEV101, DEV104\n"),
        ("f(\n    bad101(),\n)\n", "f(\n    bad101(),\n)  # noqa: DEV101\n"),
        ('x = bad101() + """\n"""\n', 'x = bad101() + """\n"""  # noqa: DEV101\n'),
        ("if bad101():\n    x\n", "if bad101():  # noqa: DEV101\n    x\n"),
        ("bad101('# noqa: E501')\n", "bad101('# noqa: E501')  # noqa: DEV101\n"),
    ],
)
def test_every_finding_is_silenced_and_stays_so(before: str, after: str) -> None:
    found = judge(MARK + before)
    text, count = added(MARK + before, found)
    assert text == MARK + after
    assert count == len(found)
    assert judge(text) == ()
    assert added(text, judge(text)) == (text, 0)


def test_a_reason_is_written_after_new_codes() -> None:
    text = MARK + "bad101()\nbad104()  # noqa: E501\n"
    assert added(text, judge(text), "before 1.0")[0] == (
        MARK + "bad101()  # noqa: DEV101 before 1.0\nbad104()  # noqa: E501, DEV104\n"
    )


def test_a_line_that_is_continued_takes_no_comment() -> None:
    text = MARK + "bad101(); \\\nx\n"
    assert added(text, judge(text)) == (text, 0)
