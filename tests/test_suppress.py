"""Findings are `bad101()` and the like; `run` says which stay, and which suppressions are stale."""

from __future__ import annotations

import textwrap

import pytest

from devlint.config import Settings
from devlint.diagnostic import Diagnostic, Fix, Safety
from devlint.lint import triage
from devlint.selectors import Selection
from devlint.text import apply_edits
from tests.fakes import MARK, RULES, fake_engine


def judge(text: str, settings: Settings | None = None) -> tuple[Diagnostic, ...]:
    settings = settings or Settings()
    engine = fake_engine(("/none",))
    reading = engine.read("a.py", text.encode(), settings)
    assert reading.failure is None
    return triage(reading, RULES, settings).result.diagnostics


def run(text: str, settings: Settings | None = None) -> tuple[list[str], list[str]]:
    """The findings (row and code), and the text after the fixes of DEV002."""
    text = textwrap.dedent(text)
    found = judge(MARK + text, settings)
    rest = [f"{d.start.row - 1} {d.code}" for d in found if d.code != "DEV002"]
    return rest, [d.message for d in found if d.code == "DEV002"]


def cleaned(text: str) -> str:
    """The text after all fixes of DEV002, of which there must be one, and no more after it."""
    text = MARK + textwrap.dedent(text)
    found = [d for d in judge(text) if d.code == "DEV002"]
    assert found
    fixes = [d.fix for d in found]
    assert all(isinstance(fix, Fix) and fix.safety is Safety.SAFE for fix in fixes)
    out = apply_edits(text, [edit for fix in fixes if fix is not None for edit in fix.edits])
    assert [d for d in judge(out) if d.code == "DEV002"] == []
    return out.removeprefix(MARK)


@pytest.mark.parametrize(
    "comment",
    [
        "# noqa",
        "# NOQA",
        "#noqa",
        "# noqa: DEV101",
        "# noqa:DEV101",
        "# noqa : DEV101",
        "# noqa: E501, DEV101",
        "# noqa: E501,DEV101",
        "# noqa: DEV101 E501 the reason",
        "# noqa: DEV1",
        "# noqa: DEV101  # type: ignore",
        "# type: ignore  # noqa: DEV101",
        "# noqa: we know it",
        "# devlint: ignore",
        "#devlint:ignore",
        "# devlint: ignore[DEV101]",
        "# devlint: ignore[dev101]",
        "# devlint: ignore [DEV101]",
        "# devlint: ignore[ DEV101 ]",
        "# devlint: ignore[DEV1]",
        "# devlint: ignore[ALL]",
        "# devlint: ignore[unassigned-move]",
        "# devlint: ignore[unassigned-move] the reason",
        "# devlint: ignore[unassigned-move]: the reason",
        "# pylint: disable=x # devlint: ignore[DEV101]",
    ],
)
def test_a_trailing_comment_silences_its_line(comment: str) -> None:
    assert run(f"bad101()  {comment}\nbad101()\n") == (["2 DEV101"], [])


@pytest.mark.parametrize(
    "comment",
    [
        "# noqa: E501",
        "# noqa: DEV104, E501",
        "# noqas",
        "# noqa-not",
        "# see noqa",
        "# `# noqa`",
        "# flake8: noqa",
        "# ruff: noqa: DEV101",
        "# devlint is a tool",
        "# devlint: a tool",
        "# say `# devlint: ignore[DEV101]`",
        "# devlint: ignore[DEV104]",
        "# devlint: ignore[]",
        "# devlint: ignore[DEV101",
        "# devlint: ignores[DEV101]",
    ],
)
def test_what_silences_nothing_here(comment: str) -> None:
    assert run(f"bad101()  {comment}\n")[0] == ["1 DEV101"]


def test_strings_silence_nothing() -> None:
    assert run('bad101("# noqa")\nbad101("""\n# devlint: ignore-file\n""")\n')[0] == ["1 DEV101", "2 DEV101"]


@pytest.mark.parametrize("comment", ["# noqa: DEV101", "# devlint: ignore[DEV101]", "# devlint: ignore"])
def test_a_comment_on_the_line_above_silences_the_next_statement(comment: str) -> None:
    assert run(f"{comment}\nbad101()\nbad101()\n") == (["3 DEV101"], [])
    assert run(f"{comment}\n# more words\nbad101()\n") == ([], [])
    assert run(f"if x:\n    {comment}\n    bad101()\n") == ([], [])


def test_a_comment_above_a_blank_line_is_not_above() -> None:
    assert run("# noqa: DEV101\n\nbad101()\n")[0] == ["3 DEV101"]


def test_a_trailing_comment_does_not_reach_the_next_line() -> None:
    assert run("x = 1  # noqa: DEV101\nbad101()\n")[0] == ["2 DEV101"]


@pytest.mark.parametrize(
    "text",
    [
        "f(  # noqa: DEV101\n    1,\n    bad101(),\n)\n",
        "f(\n    1,\n    bad101(),\n)  # noqa: DEV101\n",
        "f(\n    1,\n    bad101(),  # noqa: DEV101\n)\n",
        "# noqa: DEV101\nf(\n    1,\n    bad101(),\n)\n",
        "f(\n    1,\n    # noqa: DEV101\n    bad101(),\n)\n",
        'x = bad101() + """\n"""  # noqa: DEV101\n',
        "x = 1 + \\\n    bad101()  # noqa: DEV101\n",
    ],
)
def test_the_first_the_last_and_the_own_line_of_a_long_statement(text: str) -> None:
    assert run(text) == ([], [])


def test_another_line_of_a_long_statement_silences_nothing() -> None:
    assert run("f(\n    1,  # noqa: DEV101\n    bad101(),\n)\n")[0] == ["1 DEV101"]


def test_the_line_of_a_header_does_not_reach_the_body() -> None:
    assert run("if x:  # noqa: DEV101\n    bad101()\n")[0] == ["2 DEV101"]
    assert run("if bad101():  # noqa: DEV101\n    x\n") == ([], [])


def test_above_a_decorator_is_above_what_is_decorated() -> None:
    assert run("# noqa: DEV101\n@a\n@b\ndef f(x=bad101()):\n    pass\n") == ([], [])


def test_a_block_is_silenced_until_it_is_enabled() -> None:
    text = """\
        bad101()
        # devlint: disable[DEV101] the reason
        bad101()
        bad104()
        # devlint: enable[DEV101]
        bad101()
        """
    assert run(text) == (["1 DEV101", "4 DEV104", "6 DEV101"], [])


def test_a_block_ends_with_the_indented_block_that_it_is_in() -> None:
    text = """\
        def f():
            # devlint: disable[unassigned-move]
            if x:
                bad101()
            bad101()

        bad101()
        """
    assert run(text) == (["7 DEV101"], [])
    assert run("# devlint: disable[DEV101]\nbad101()\nif x:\n    bad101()\nbad101()\n") == ([], [])


def test_a_bare_disable_and_a_bare_enable_mean_all() -> None:
    assert run("# devlint: disable\nbad101()\nbad104()\n# devlint: enable\nbad104()\n") == (["5 DEV104"], [])
    assert run("# devlint: disable[DEV1]\nbad101()\n# devlint: enable\nbad104()\n") == (["4 DEV104"], [])


def test_an_enable_ends_what_it_names_and_no_more() -> None:
    text = """\
        # devlint: disable[DEV101]
        # devlint: disable[DEV104]
        bad101(), bad104()
        # devlint: enable[DEV101]
        bad101(), bad104()
        # devlint: enable[DEV104]
        bad104()
        """
    assert run(text) == (["5 DEV101", "7 DEV104"], [])
    text = "# devlint: disable[DEV101, DEV104]\nbad101()\nbad104()\n# devlint: enable[DEV101]\nbad101()\n"
    assert run(text) == ([], ["this enables what nothing disabled"])


def test_an_enable_does_not_end_a_bare_disable_by_naming_one() -> None:
    assert run("# devlint: disable\nbad101()\n# devlint: enable[DEV101]\nbad101()\n")[0] == []


@pytest.mark.parametrize(
    "comment",
    [
        "# devlint: ignore-file",
        "# devlint: ignore-file the reason",
        "# devlint: file-ignore",
        "# devlint: file-ignore[DEV101, create-then-move]",
        "# devlint: ignore-file[DEV1]",
    ],
)
def test_a_whole_file_is_silenced_from_anywhere(comment: str) -> None:
    assert run(f"bad101()\nbad104()\n{comment}\nbad101()\n") == ([], [])


def test_a_file_is_silenced_for_what_is_named_only() -> None:
    assert run("# devlint: file-ignore[DEV101]\nbad101()\nbad104()\n") == (["3 DEV104"], [])


def test_suppressions_can_be_disrespected() -> None:
    settings = Settings(respect_suppressions=False)
    assert run("bad101()  # noqa\nbad104()  # devlint: ignore\n", settings) == (["1 DEV101", "2 DEV104"], [])
    assert run("x  # devlint: ignore\n", settings) == ([], [])


# Unused suppressions


@pytest.mark.parametrize(
    "comment", ["# noqa", "# noqa: E501", "# noqa: E501, F401 reason", "# noqa: reason", "# flake8: noqa"]
)
def test_what_may_be_there_for_other_tools_is_never_unused(comment: str) -> None:
    assert run(f"x = 1  {comment}\nbad101()\n") == (["2 DEV101"], [])


@pytest.mark.parametrize(
    ("comment", "left"),
    [
        ("# noqa: DEV101", ""),
        ("# noqa: DEV101, DEV104", ""),
        ("# noqa: DEV101 the reason", "  # the reason"),
        ("# noqa: DEV101 -- the reason", "  # the reason"),
        ("# noqa: DEV101  # type: ignore", "  # type: ignore"),
        ("# type: ignore  # noqa: DEV101", "  # type: ignore"),
        ("# a  # noqa: DEV101  # b", "  # a # b"),
        ("# noqa: E501, DEV101", "  # noqa: E501"),
        ("# noqa: DEV101,E501,DEV104,F401 why", "  # noqa: E501,F401 why"),
        ("# devlint: ignore", ""),
        ("# devlint: ignore why", "  # why"),
        ("# devlint: ignore[DEV101]", ""),
        ("# devlint: ignore[unassigned-move]: why", "  # why"),
        ("# devlint: ignore[DEV101] # pylint: disable=x", "  # pylint: disable=x"),
        ("# devlint: disable[DEV101]", ""),
        ("# devlint: file-ignore[DEV101]", ""),
        ("# devlint: ignore[]", ""),
        ("# devlint: enable[DEV101]", ""),
        ("# devlint: ignore[DEV301, gone-rule]", ""),
    ],
)
def test_the_fix_removes_what_is_unused_and_nothing_else(comment: str, left: str) -> None:
    assert cleaned(f"x = 1  {comment}\ny\n") == f"x = 1{left}\ny\n"


def test_a_line_of_its_own_goes() -> None:
    assert cleaned("x\n    # noqa: DEV101\ny\n") == "x\ny\n"
    assert cleaned("x\n    # noqa: DEV101 why\ny\n") == "x\n    # why\ny\n"
    assert cleaned("# noqa: DEV101\r\nx = 1  # noqa: DEV104\r\n") == "x = 1\r\n"
    assert cleaned("x\r\n# noqa: DEV101") == "x\r\n"
    assert cleaned("x  # noqa: DEV101") == "x"


def test_what_is_used_stays() -> None:
    assert cleaned("bad104()  # noqa: DEV101, DEV104 why\n") == "bad104()  # noqa: DEV104 why\n"
    assert cleaned("bad104()  # devlint: ignore[create-then-move, DEV101]\n") == (
        "bad104()  # devlint: ignore[create-then-move]\n"
    )


def test_a_block_goes_with_its_end() -> None:
    text = "# devlint: disable[DEV101, DEV104]\nbad104()\n# devlint: enable[DEV101, DEV104] x\n"
    assert cleaned(text) == "# devlint: disable[DEV104]\nbad104()\n# devlint: enable[DEV104] x\n"
    assert cleaned("# devlint: disable[DEV101]\nx\n# devlint: enable\ny\n") == "x\ny\n"
    text = "# devlint: disable[DEV101]\n# devlint: disable[DEV104]\nbad104()\n# devlint: enable\n"
    assert cleaned(text) == "# devlint: disable[DEV104]\nbad104()\n# devlint: enable\n"


@pytest.mark.parametrize(
    ("comment", "message"),
    [
        ("# noqa: DEV101", "`DEV101` silences nothing"),
        ("# noqa: E501, DEV101, DEV301", "`DEV101` silences nothing; `DEV301` silences nothing"),
        ("# noqa: DEV999", "`DEV999` is no rule"),
        ("# devlint: ignore", "this suppression silences nothing"),
        ("# devlint: file-ignore", "this suppression silences nothing"),
        (
            "# devlint: ignore[unasigned-move]",
            "`unasigned-move` is no rule (did you mean `unassigned-move`?)",
        ),
        ("# devlint: ignore[E501]", "`E501` is no rule"),
        ("# devlint: ignore[]", "this suppression names no rule"),
        ("# devlint: ignore[DEV101", "the list of rules is not closed"),
        ("# devlint: ignored[DEV101]", "`ignored` is no suppression (did you mean `ignore`?)"),
        ("# devlint: ingore", "`ingore` is no suppression (did you mean `ignore`?)"),
        ("# devlint: xyz[DEV101]", "`xyz` is no suppression"),
        ("# devlint: enable", "this enables what nothing disabled"),
    ],
)
def test_what_is_said(comment: str, message: str) -> None:
    assert run(f"x = 1  {comment}\n") == ([], [message])


def test_the_place_is_the_directive() -> None:
    text = MARK + "x = 1  # type: ignore  # noqa: DEV101 why\n"
    (found,) = judge(text)
    assert text[slice(*found.span)] == "# noqa: DEV101"
    assert (found.start, found.end, found.statement) == ((2, 24), (2, 38), (2, 2))


def test_no_fix_for_what_cannot_be_read() -> None:
    (found,) = judge(MARK + "x  # devlint: ignore[DEV101\n")
    assert found.fix is None


@pytest.mark.parametrize(
    ("selection", "stale"),
    [
        (Selection(), "DEV101 bare"),
        (Selection(select=("DEV002", "DEV101")), "DEV101"),
        (Selection(select=("DEV002", "DEV3")), ""),
        (Selection(ignore=("DEV301",)), "DEV101"),
        (Selection(ignore=("DEV101",)), ""),
        (Selection(ignore=("DEV002",)), ""),
        (Selection(select=("ALL", "DEV605")), "DEV101 DEV605 bare"),
    ],
)
def test_a_suppression_is_judged_only_where_all_that_it_means_has_run(
    selection: Selection, stale: str
) -> None:
    settings = Settings(selections=(selection,))
    text = "x  # devlint: ignore[DEV101]\nx  # devlint: ignore[DEV605]\nx  # devlint: ignore\n"
    words = [m.split("`")[1] if "`" in m else "bare" for m in run(text, settings)[1]]
    assert " ".join(words) == stale


def test_a_prefix_is_judged_where_all_its_default_rules_have_run() -> None:
    text = "x  # devlint: ignore[DEV1]\n"
    assert run(text)[1] == ["`DEV1` silences nothing"]
    assert run(text, Settings(selections=(Selection(ignore=("DEV104",)),)))[1] == []


def test_unused_suppressions_can_be_silenced_by_name_only() -> None:
    assert run("x  # devlint: ignore[DEV101, DEV002]\n") == ([], [])
    assert run("x  # noqa: DEV101, unused  # noqa: DEV002\n") == ([], [])
    assert run("# devlint: file-ignore[unused-suppression]\nx  # devlint: ignore\n") == ([], [])
    assert run("x  # devlint: ignore[DEV0, DEV101]\n")[1] == ["`DEV101` silences nothing"]
    assert run("x  # noqa: DEV101  # noqa\n")[1] == ["`DEV101` silences nothing"]


def test_a_file_that_does_not_parse_has_no_unused_suppressions() -> None:
    found = judge(MARK + "x = (  # noqa: DEV101\n# devlint: enable\n")
    assert [d.code for d in found] == ["DEV001"]
    assert judge(MARK + "x = (\n# devlint: ignore-file\n") == ()


def test_a_file_in_which_nothing_can_be_found_is_searched_too() -> None:
    assert [d.code for d in judge("x = 1  # devlint: ignore[DEV101]\n")] == ["DEV002"]
    assert [d.code for d in judge("x = 1  # noqa: DEV101\n")] == ["DEV002"]
