"""`devlint check`: reports, exit codes, streams."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from devlint.cli import session
from devlint.project import Run, run_check
from devlint.report import FORMATS
from tests.cli.conftest import Devlint

FAULTY = """\
import torch

device = torch.device("cpu")
scale = torch.ones(3)
scale.to(device)
print(scale)
"""
RIGHT = FAULTY.replace("scale.to", "scale = scale.to")
BROKEN = "import torch\nx = (\n"
UNUSED = "import torch  # noqa: DEV101\n"


@pytest.fixture
def faulty(tmp_path: Path) -> Path:
    file = tmp_path / "src" / "train.py"
    file.parent.mkdir()
    file.write_text(FAULTY)
    return file


def write(folder: Path, **files: str) -> None:
    for name, text in files.items():
        (folder / f"{name}.py").write_text(text)


def test_nothing_found(devlint: Devlint, tmp_path: Path) -> None:
    write(tmp_path, a=RIGHT, b="x = 1\n")
    assert devlint("check") == (0, "All checks passed! 2 files checked.\n", "")


def test_a_finding(devlint: Devlint, faulty: Path) -> None:
    code, out, err = devlint("check", "src")
    assert (code, err) == (1, "")
    assert out.startswith("error[DEV101 unassigned-move]: ")
    assert (
        """\
 --> src/train.py:5:1
  |
3 | device = torch.device("cpu")
4 | scale = torch.ones(3)
  |         ------------- created on the CPU here
5 | scale.to(device)
  | ^^^^^^^^^^^^^^^^
6 | print(scale)
  |
"""
        in out
    )
    assert "\nFound 1 finding (1 error) in 1 file.\n" in out


@pytest.mark.parametrize("name", FORMATS)
def test_the_format_changes_neither_the_exit_code_nor_the_stream(
    devlint: Devlint, faulty: Path, name: str
) -> None:
    code, out, err = devlint("check", "--output-format", name)
    assert (code, err) == (1, "")
    assert "DEV101" in out
    assert "src/train.py" in out
    assert devlint("check", "--output-format", name, "--select", "DEV501").code == 0


def test_the_format_can_come_from_the_environment_and_the_configuration(
    devlint: Devlint, faulty: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "devlint.toml").write_text('output-format = "pylint"')
    assert devlint("check").out.startswith("src/train.py:5: [DEV101] ")
    monkeypatch.setenv("DEVLINT_OUTPUT_FORMAT", "concise")
    assert devlint("check").out.startswith("src/train.py:5:1: DEV101 ")
    assert devlint("check", "--output-format", "github").out.startswith("::error ")


def test_exit_zero(devlint: Devlint, faulty: Path) -> None:
    code, out, _ = devlint("check", "--exit-zero")
    assert code == 0
    assert "DEV101" in out


@pytest.mark.parametrize(("level", "expected"), [("error", 0), ("warning", 1), ("info", 1)])
def test_lesser_findings_are_shown_but_fail_nothing(
    devlint: Devlint, tmp_path: Path, level: str, expected: int
) -> None:
    write(tmp_path, a=UNUSED)
    code, out, _ = devlint("check", "--fail-on", level)
    assert (code, "DEV002" in out) == (expected, True)


def test_what_cannot_be_read_fails_the_run_and_the_rest_is_checked(
    devlint: Devlint, faulty: Path, tmp_path: Path
) -> None:
    (tmp_path / "latin.py").write_bytes(b"import torch\nx = '\xff'\n")
    write(tmp_path, broken=BROKEN)
    code, out, err = devlint("check", ".", "gone.py", "--output-format", "concise")
    assert code == 2
    assert err == (
        "error: gone.py: no such file or folder\nerror: latin.py: not valid utf-8: byte 0xff on line 2\n"
    )
    assert [line.split(": ")[1].split()[0] for line in out.splitlines()[:2]] == ["DEV001", "DEV101"]


def test_a_failure_counts_more_than_exit_zero(devlint: Devlint) -> None:
    assert devlint("check", "gone.py", "--exit-zero") == (2, "", "error: gone.py: no such file or folder\n")


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--select", "DEV9"], "error: command line: `select`: unknown rule `DEV9`"),
        (["--select", ""], "error: command line: `select`: unknown rule ``"),
        (["--select", "DEV1,"], "error: command line: `select`: unknown rule ``"),
        (["--ignore", "unasigned-move"], "(did you mean `unassigned-move`?)"),
        (["--config", "no.toml"], "error: no.toml"),
        (["--config", "colour = 1"], "error: --config: unknown key `colour`"),
        (["--fail-on", "fatal"], "Invalid value for '--fail-on'"),
        (["--output-format", "xml"], "Invalid value for '--output-format'"),
        (["--jobs", "-1"], "Invalid value for '-j' / '--jobs'"),
        (["--nonsense"], "--nonsense"),
        (["-", "a.py"], "cannot be combined"),
        (["-", "--watch"], "--watch cannot be used with standard input"),
        (["--update-baseline"], "--update-baseline needs --baseline FILE"),
        (["--statistics", "--output-format", "github"], "--statistics knows the formats"),
        (["--baseline", "gone.json"], "gone.json: no such baseline (--update-baseline writes one)"),
        (["--output-file", "no/such/folder.txt"], "Could not open file 'no/such/folder.txt'"),
    ],
)
def test_bad_arguments(devlint: Devlint, args: list[str], message: str) -> None:
    code, out, err = devlint("check", *args)
    assert (code, out) == (2, "")
    assert message in err


def test_a_broken_configuration(devlint: Devlint, tmp_path: Path) -> None:
    (tmp_path / "devlint.toml").write_text("select = [")
    code, out, err = devlint("check")
    assert (code, out) == (2, "")
    assert err.startswith("error: devlint.toml: not valid TOML: ")
    assert devlint("check", "--isolated").code == 0


def test_the_command_line_beats_the_configuration(devlint: Devlint, faulty: Path, tmp_path: Path) -> None:
    (tmp_path / "devlint.toml").write_text('ignore = ["unassigned-move"]')
    assert devlint("check").code == 0
    assert devlint("check", "--select", "DEV1").code == 1
    assert devlint("check", "--isolated").code == 1
    assert devlint("check", "--config", "ignore = []", "--extend-select", "DEV101").code == 1


def test_files_can_be_left_out(devlint: Devlint, faulty: Path) -> None:
    assert devlint("check", "--extend-exclude", "src").code == 0
    assert devlint("check", "--exclude", "train.py,other.py").code == 0
    assert devlint("check", "src/train.py", "--extend-exclude", "src").code == 1
    assert devlint("check", "src/train.py", "--extend-exclude", "src", "--force-exclude").code == 0


def test_rules_can_be_left_out_by_file(devlint: Devlint, faulty: Path) -> None:
    assert devlint("check", "--per-file-ignores", "src/*:DEV1").code == 0
    assert devlint("check", "--per-file-ignores", "tests/*:DEV1").code == 1


def test_no_files_at_all(devlint: Devlint) -> None:
    assert devlint("check") == (0, "", "warning: no Python files found\n")


def test_suppressions_can_be_ignored(devlint: Devlint, tmp_path: Path) -> None:
    write(tmp_path, a=FAULTY.replace("scale.to(device)", "scale.to(device)  # noqa: DEV101"))
    assert devlint("check").code == 0
    assert devlint("check", "--ignore-noqa").code == 1


def test_standard_input(devlint: Devlint) -> None:
    code, out, err = devlint("check", "-", "--output-format", "concise", stdin=FAULTY.encode())
    assert (code, err) == (1, "")
    assert out.startswith("-:5:1: DEV101 ")


def test_standard_input_has_the_name_and_the_settings_of_a_file(devlint: Devlint, tmp_path: Path) -> None:
    args = ["check", "-", "--stdin-filename", "pkg/net.py"]
    code, out, _ = devlint(*args, stdin=FAULTY.encode())
    assert code == 1
    assert " --> pkg/net.py:5:1\n" in out
    assert "5 | scale.to(device)\n" in out
    (tmp_path / "devlint.toml").write_text('per-file-ignores = { "pkg/*" = ["ALL"] }')
    assert devlint(*args, stdin=FAULTY.encode()).code == 0


def test_a_report_in_a_file(devlint: Devlint, faulty: Path, tmp_path: Path) -> None:
    args = ["check", "--output-format", "json", "--output-file", "report.json"]
    assert devlint(*args) == (1, "", "")
    assert json.loads((tmp_path / "report.json").read_text())[0]["code"] == "DEV101"
    assert devlint("check", "-o", "report.txt", "--color", "always").code == 1
    assert "\x1b[1;31m" in (tmp_path / "report.txt").read_text()


def test_a_report_in_a_file_has_no_colours_of_its_own(
    devlint: Devlint, faulty: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b" in devlint("check").out
    devlint("check", "-o", "report.txt")
    assert "\x1b" not in (tmp_path / "report.txt").read_text()


def test_statistics(devlint: Devlint, faulty: Path, tmp_path: Path) -> None:
    write(tmp_path, a=FAULTY, b=UNUSED)
    code, out, _ = devlint("check", "--statistics", "--quiet")
    assert code == 1
    assert [line.split()[:2] for line in out.splitlines()] == [["2", "DEV101"], ["1", "DEV002"]]
    assert json.loads(devlint("check", "--statistics", "--output-format", "json").out)[0]["count"] == 2


def test_quiet_says_findings_only(devlint: Devlint, faulty: Path) -> None:
    assert "Found" not in devlint("check", "--quiet").out
    assert devlint("check", "--quiet", "--select", "DEV5") == (0, "", "")


def test_silent_says_errors_only(devlint: Devlint, faulty: Path) -> None:
    assert devlint("check", "--silent") == (1, "", "")
    assert devlint("check", "--silent", "gone.py") == (2, "", "error: gone.py: no such file or folder\n")


def test_verbose_says_what_was_done(devlint: Devlint, faulty: Path) -> None:
    assert "debug: checked 1 file in " in devlint("check", "--verbose").err


def test_show_files(devlint: Devlint, faulty: Path, tmp_path: Path) -> None:
    write(tmp_path, a=RIGHT)
    assert devlint("check", "--show-files") == (0, "a.py\nsrc/train.py\n", "")
    assert devlint("check", "--show-files", "a.py", "b.py").code == 2


def test_show_settings(devlint: Devlint, faulty: Path, tmp_path: Path) -> None:
    (tmp_path / "devlint.toml").write_text(
        'select = ["DEV101", "DEV104"]\nignore = ["DEV104"]\ntarget-torch = "2.3"\nfail-on = "error"\n'
        'baseline = "old.json"\nper-file-ignores = { "a/*" = ["DEV1"] }\nexclude = []\n'
    )
    code, out, err = devlint("check", "--show-settings")
    assert (code, err) == (0, "")
    root = tmp_path.as_posix()
    assert (
        out
        == f"""\
# src/train.py: {root}/devlint.toml
select = ["DEV101"]
per-file-ignores = {{ "a/*" = ["DEV1"] }}
fixable = ["ALL"]
unfixable = []
extend-safe-fixes = []
extend-unsafe-fixes = []
include = ["*.py", "*.pyw", "*.ipynb"]
exclude = []
respect-gitignore = true
force-exclude = false
fix = false
unsafe-fixes = false
show-fixes = false
fail-on = "error"
output-format = "text"
baseline = "{root}/old.json"
max-file-size = 2000000
device-idiom = "cuda"
target-torch = "2.3"
device-types = []
respect-suppressions = true
cache-dir = "{root}/.devlint_cache"
"""
    )


def test_show_settings_without_a_configuration(devlint: Devlint, faulty: Path) -> None:
    assert devlint("check", "--isolated", "--show-settings").out.startswith(
        "# src/train.py: no configuration file\n"
    )


def test_the_cache_gives_the_same_report(
    devlint: Devlint, faulty: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("DEVLINT_NO_CACHE")
    first = devlint("check", "--cache-dir", "cache")
    assert Path("cache").is_dir()
    assert devlint("check", "--cache-dir", "cache") == first


def test_show_settings_of_nothing(devlint: Devlint) -> None:
    code, out, err = devlint("check", "--show-settings", "gone.py")
    assert (code, out, err) == (2, "", "error: gone.py: no such file or folder\n")


def test_a_file_that_goes_during_the_run_is_reported_without_its_code(
    devlint: Devlint, faulty: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(*args: Any, **kwargs: Any) -> Run:
        run = run_check(*args, **kwargs)
        faulty.unlink()
        return run

    monkeypatch.setattr(session, "run_check", gone)
    code, out, _ = devlint("check")
    assert code == 1
    assert " --> src/train.py:5:1\n" in out
    assert "5 | scale.to(device)" not in out


def test_a_reader_that_is_gone_changes_no_exit_code(devlint: Devlint, faulty: Path) -> None:
    program = "import sys; from devlint.cli.entry import main; sys.exit(main(sys.argv[1:]))"
    for args, code in ((["check", "--isolated"], 1), (["--help"], 2)):
        command = [sys.executable, "-c", program, *args]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as run:
            assert run.stdout is not None
            assert run.stderr is not None
            run.stdout.close()
            assert run.stderr.read() == b""
        assert run.returncode == code
