"""`devlint fix`, and `check` with `--fix`, `--fix-only`, `--diff` and `--add-noqa`."""

from __future__ import annotations

import stat
import sys
from pathlib import Path

import pytest

from devlint.cli import session
from devlint.diagnostic import FileResult
from devlint.rewrite import FixResult
from tests.cli.conftest import Devlint
from tests.cli.test_check import FAULTY

STALE = "import torch  # noqa: DEV101\n"
MENDED = "import torch\n"
# Its fix is safe, unless the configuration says otherwise.
UNSAFE = 'extend-unsafe-fixes = ["unused-suppression"]\n'
DIFF = """\
--- a.py
+++ a.py
@@ -1 +1 @@
-import torch  # noqa: DEV101
+import torch
"""


@pytest.fixture
def stale(tmp_path: Path) -> Path:
    file = tmp_path / "a.py"
    file.write_text(STALE)
    return file


def test_the_diff_is_shown_and_nothing_is_written(devlint: Devlint, stale: Path) -> None:
    assert devlint("fix") == (
        1,
        DIFF,
        "Would fix 1 finding in 1 file. Nothing has been written (--write does it).\n",
    )
    assert stale.read_text() == STALE


def test_in_colour(devlint: Devlint, stale: Path) -> None:
    assert "\x1b[31m-import torch  # noqa: DEV101\x1b[0m\n" in devlint("fix", "--color", "always").out


def test_write(devlint: Devlint, stale: Path) -> None:
    stale.chmod(0o640)
    assert devlint("fix", "--write") == (0, "", "Fixed 1 finding in 1 file.\n")
    assert stale.read_text() == MENDED
    if sys.platform != "win32":
        assert stat.S_IMODE(stale.stat().st_mode) == 0o640
    assert devlint("fix") == (0, "", "Nothing to fix.\n")


def test_fixes_are_listed_on_demand(devlint: Devlint, stale: Path) -> None:
    assert devlint("fix", "--write", "--show-fixes").err == (
        "Fixed 1 finding:\n- a.py:\n    1 x DEV002 (unused-suppression)\nFixed 1 finding in 1 file.\n"
    )


def test_unsafe_fixes_are_left_unless_asked_for(devlint: Devlint, stale: Path, tmp_path: Path) -> None:
    (tmp_path / "devlint.toml").write_text(UNSAFE)
    assert devlint("fix") == (0, "", "Nothing to fix (1 more with `--unsafe-fixes`).\n")
    (tmp_path / "devlint.toml").write_text(UNSAFE + "unsafe-fixes = true")
    assert devlint("fix").out == DIFF
    assert devlint("fix", "--no-unsafe-fixes").out == ""
    assert devlint("fix", "--unsafe-fixes", "--write").code == 0
    assert stale.read_text() == MENDED


def test_what_cannot_be_read_fails_and_the_rest_is_fixed(devlint: Devlint, stale: Path) -> None:
    for args in (["--write"], []):
        stale.write_text(STALE)
        code, out, err = devlint("fix", ".", "gone.py", *args)
        assert code == 2
        assert out == ("" if args else DIFF)
        assert err.startswith("error: gone.py: no such file or folder\n")
        assert stale.read_text() == (MENDED if args else STALE)


def test_quiet_and_silent(devlint: Devlint, stale: Path) -> None:
    assert devlint("fix", "--quiet") == (1, DIFF, "")
    assert devlint("fix", "--silent") == (1, "", "")
    assert devlint("fix", "--write", "--quiet") == (0, "", "")


def test_standard_input_is_shown_or_passed_on(devlint: Devlint) -> None:
    assert devlint("fix", "-", "--stdin-filename", "a.py", stdin=STALE.encode()).out == DIFF
    given = STALE.replace("\n", "\r\n").encode("utf-8-sig")
    code, out, err = devlint("fix", "-", "--write", stdin=given)
    assert (code, err) == (0, "Fixed 1 finding in 1 file.\n")
    assert out == "\ufeffimport torch\r\n"


@pytest.mark.parametrize("text", ["import torch\n", "x = 1\n", "import torch\nx = (\n"])
def test_standard_input_with_nothing_to_fix_is_passed_on_as_it_is(devlint: Devlint, text: str) -> None:
    assert devlint("fix", "-", "--write", stdin=text.encode()) == (0, text, "Nothing to fix.\n")


def test_excluded_standard_input_stays_away(devlint: Devlint) -> None:
    args = ["--stdin-filename", "build/a.py", "--force-exclude"]
    code, out, _ = devlint("fix", "-", "--write", *args, stdin=STALE.encode())
    assert (code, out) == (0, STALE)


def test_check_fix_reports_what_is_left(devlint: Devlint, stale: Path, tmp_path: Path) -> None:
    stale.write_text(STALE + FAULTY.partition("\n")[2])
    code, out, err = devlint("check", "--fix", "--unfixable", "DEV101", "--output-format", "concise")
    assert (code, err) == (1, "")
    assert out.splitlines()[0].startswith("a.py:5:1: DEV101 ")
    assert out.splitlines()[1] == "Found 2 findings (1 fixed, 1 remaining)."
    assert stale.read_text() == FAULTY


def test_check_fix_of_all_there_is(devlint: Devlint, stale: Path) -> None:
    assert devlint("check", "--fix", "--show-fixes") == (
        0,
        "Fixed 1 finding:\n- a.py:\n    1 x DEV002 (unused-suppression)\n\n"
        "Found 1 finding (1 fixed, 0 remaining).\n",
        "",
    )


def test_the_configuration_can_ask_for_fixes(devlint: Devlint, stale: Path, tmp_path: Path) -> None:
    (tmp_path / "devlint.toml").write_text("fix = true")
    assert devlint("check", "--no-fix").code == 1
    assert stale.read_text() == STALE
    assert devlint("check").code == 0
    assert stale.read_text() == MENDED


def test_a_fix_can_fail_the_run(devlint: Devlint, stale: Path) -> None:
    assert devlint("check", "--fix", "--exit-non-zero-on-fix").code == 1
    assert devlint("check", "--fix", "--exit-non-zero-on-fix").code == 0


def test_fix_only(devlint: Devlint, stale: Path) -> None:
    stale.write_text(STALE + FAULTY.partition("\n")[2])
    assert devlint("check", "--fix-only", "--unfixable", "DEV101") == (0, "", "Fixed 1 finding in 1 file.\n")


def test_check_diff(devlint: Devlint, stale: Path) -> None:
    assert devlint("check", "--diff") == (1, DIFF, "Would fix 1 finding in 1 file.\n")
    assert stale.read_text() == STALE
    stale.write_text(MENDED)
    assert devlint("check", "--diff") == (0, "", "Nothing to fix.\n")


def test_check_fix_of_standard_input(devlint: Devlint) -> None:
    text = STALE + FAULTY.partition("\n")[2]
    args = ["check", "-", "--fix", "--unfixable", "DEV101", "--output-format", "concise"]
    code, out, err = devlint(*args, stdin=text.encode())
    assert (code, out) == (1, FAULTY)
    assert err.splitlines()[0].startswith("-:5:1: DEV101 ")
    assert devlint(*args, "--silent", stdin=text.encode()) == (1, FAULTY, "")


def test_accepted_findings_are_not_fixed(devlint: Devlint, stale: Path) -> None:
    devlint("check", "--baseline", "old.json", "--update-baseline")
    assert devlint("fix", "--write", "--baseline", "old.json").err == "Nothing to fix.\n"
    assert stale.read_text() == STALE


def test_add_noqa(devlint: Devlint, tmp_path: Path) -> None:
    file = tmp_path / "a.py"
    file.write_text(FAULTY)
    assert devlint("check", "--add-noqa", ".") == (
        0,
        "",
        "Added `# noqa` comments for 1 finding in 1 file.\n",
    )
    assert "scale.to(device)  # noqa: DEV101\n" in file.read_text()
    assert devlint("check").code == 0
    file.write_text(FAULTY)
    assert devlint("check", "--add-noqa=a module").code == 0
    assert "scale.to(device)  # noqa: DEV101 a module\n" in file.read_text()
    assert devlint("check", "--add-noqa", "gone.py").code == 2


def test_what_was_dropped_is_said(devlint: Devlint, stale: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reason = "a.py:1: the fix of DEV002 is left out: it does not parse"
    result = FixResult("a.py", STALE, STALE, (), FileResult("a.py"), (reason,))
    monkeypatch.setattr(session, "run_fix", lambda *_, **__: [result])
    assert devlint("fix") == (0, "", f"warning: {reason}\nNothing to fix.\n")


def test_a_file_that_cannot_be_written_fails_the_run(
    devlint: Devlint, stale: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("devlint.rewrite.replace_file", refuse)
    for args in (["fix", "--write"], ["check", "--fix"], ["check", "--fix-only"]):
        code, _, err = devlint(*args)
        assert code == 2
        assert err.startswith("error: a.py: cannot be rewritten: Permission denied\n")
    assert stale.read_text() == STALE
