from __future__ import annotations

from pathlib import Path

import pytest

from devlint.config import DEFAULT_EXCLUDE, ConfigError, Resolver, Settings, load
from devlint.diagnostic import Safety, Severity
from devlint.globs import Glob
from devlint.options import KEYS
from tests.fakes import RULES

RULE = {rule.code: rule for rule in RULES}


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(path: Path, text: str = "") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def codes(settings: Settings) -> str:
    return " ".join(rule.code for rule in RULES if settings.enabled(rule))


def refused(text: str, *, name: str = "devlint.toml") -> str:
    write(Path(name), text)
    with pytest.raises(ConfigError) as caught:
        load(Path("x.py"), RULES)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_without_a_file_the_defaults_hold(here: Path) -> None:
    settings = load(here / "a.py", RULES)
    assert settings.root == here
    assert settings.source is None
    assert {glob.pattern for glob in settings.exclude} == set(DEFAULT_EXCLUDE)
    assert [glob.pattern for glob in settings.include] == ["*.py", "*.pyw", "*.ipynb"]
    assert settings.cache_folder == here / ".devlint_cache"
    assert codes(settings) == codes(Settings())


@pytest.mark.parametrize(
    ("files", "wins"),
    [
        ([".devlint.toml", "devlint.toml", "pyproject.toml"], ".devlint.toml"),
        (["devlint.toml", "pyproject.toml"], "devlint.toml"),
        (["pyproject.toml"], "pyproject.toml"),
    ],
)
def test_in_one_folder_the_names_have_an_order(here: Path, files: list[str], wins: str) -> None:
    for name in files:
        write(here / name, "[tool.devlint]\n" if name == "pyproject.toml" else "")
    assert load(here / "a.py", RULES).source == here / wins


def test_the_closest_file_wins_and_nothing_is_merged(here: Path) -> None:
    write(here / "pyproject.toml", '[tool.devlint]\nignore = ["DEV101"]\nunsafe-fixes = true\n')
    write(here / "sub/devlint.toml", 'ignore = ["DEV104"]\n')
    resolver = Resolver(RULES)
    assert codes(resolver.settings(here / "other")) == "DEV001 DEV002 DEV104 DEV301"
    below = resolver.settings(here / "sub/deeper")
    assert codes(below) == "DEV001 DEV002 DEV101 DEV301"
    assert not below.unsafe_fixes
    assert below.root == here / "sub"
    assert resolver.settings(here / "sub/deeper") is below


def test_a_pyproject_without_the_section_is_passed_over(here: Path) -> None:
    write(here / "devlint.toml", "fix = true\n")
    write(here / "sub/pyproject.toml", "[tool.ruff]\n")
    write(here / "tool/pyproject.toml", "tool = 1\n")
    assert load(here / "sub/a.py", RULES).fix
    assert load(here / "tool/a.py", RULES).fix


def test_extend_puts_a_file_over_another(here: Path) -> None:
    write(
        here / "base/devlint.toml",
        'select = ["DEV1"]\nfix = true\nshow-fixes = true\nextend-exclude = ["gen"]\n'
        'per-file-ignores = { "x/a.py" = ["DEV1"] }\nextend-safe-fixes = ["DEV1"]\n',
    )
    write(
        here / "devlint.toml",
        'extend = "base/devlint.toml"\nignore = ["DEV101"]\nfix = false\nextend-exclude = ["more"]\n'
        'extend-safe-fixes = ["DEV3"]\n',
    )
    settings = load(here / "a.py", RULES)
    assert codes(settings) == "DEV104"
    assert (settings.fix, settings.show_fixes) == (False, True)
    assert settings.root == here
    assert settings.extend_safe_fixes == ("DEV1", "DEV3")
    # A pattern is relative to the file that it is written in.
    base = (here / "base").as_posix()
    assert Glob("gen", base) in settings.exclude
    assert Glob("more", here.as_posix()) in settings.exclude
    assert Glob(".git", here.as_posix()) in settings.exclude
    assert settings.selected(RULE["DEV104"], "x/a.py")
    assert not settings.selected(RULE["DEV104"], "base/x/a.py")
    write(here / "extra.toml", 'extend = "base/devlint.toml"\nper-file-ignores = {}\n')
    assert load(here / "a.py", RULES, config=["extra.toml"]).per_file_ignores == ()


def test_exclude_replaces_and_extend_exclude_adds(here: Path) -> None:
    write(here / "devlint.toml", 'exclude = ["a"]\nextend-exclude = ["b"]\nextend-include = ["*.foo"]\n')
    settings = load(here / "a.py", RULES, overrides={"extend-exclude": ["c"]})
    assert [glob.pattern for glob in settings.exclude] == ["a", "b", "c"]
    assert [glob.pattern for glob in settings.include] == ["*.py", "*.pyw", "*.ipynb", "*.foo"]


def test_values(here: Path) -> None:
    write(
        here / "devlint.toml",
        'fail-on = "warning"\noutput-format = "github"\nbaseline = "old.json"\ncache-dir = "/c"\n'
        'device-idiom = "accelerator"\ntarget-torch = "2.10.1"\ndevice-types = ["npu"]\nmax-file-size = 100\n'
        "respect-gitignore = false\nforce-exclude = true\nrespect-suppressions = false\n",
    )
    settings = load(here / "a.py", RULES)
    assert settings.fail_on is Severity.WARNING
    assert settings.output_format == "github"
    assert settings.baseline == here / "old.json"
    assert settings.cache_folder == Path("/c")
    assert settings.device_idiom == "accelerator"
    assert settings.target_torch == (2, 10)
    assert settings.device_types == ("npu",)
    assert settings.max_file_size == 100
    assert not settings.respect_gitignore
    assert settings.force_exclude
    assert not settings.respect_suppressions


def test_the_command_line_beats_config_values_beats_files(here: Path) -> None:
    write(here / "devlint.toml", 'fail-on = "error"\ndevice-idiom = "accelerator"\nselect = ["DEV1"]\n')
    settings = load(
        here,
        RULES,
        config=['fail-on = "warning"', 'output-format = "json"', 'extend-select = ["DEV3"]'],
        overrides={"output-format": "github", "select": None, "ignore": ["DEV104"]},
    )
    assert settings.fail_on is Severity.WARNING
    assert settings.device_idiom == "accelerator"
    assert settings.output_format == "github"
    assert codes(settings) == "DEV101 DEV301"


def test_isolated_reads_no_file_but_takes_values(here: Path) -> None:
    write(here / "devlint.toml", "fix = true\nnonsense = 1\n")
    settings = load(here, RULES, isolated=True, config=["show-fixes = true"])
    assert (settings.fix, settings.show_fixes, settings.source) == (False, True, None)


def test_a_file_that_is_given_holds_for_everything_relative_to_here(here: Path) -> None:
    write(here / "sub/devlint.toml", "fix = true\n")
    write(here / "etc/x.toml", 'extend-exclude = ["gen"]\n')
    settings = load(here / "sub/a.py", RULES, config=["etc/x.toml"])
    assert not settings.fix
    assert settings.root == here
    assert settings.source == here / "etc/x.toml"
    assert Glob("gen", here.as_posix()) in settings.exclude


def test_a_given_pyproject_needs_no_section(here: Path) -> None:
    write(here / "pyproject.toml", "")
    assert load(here, RULES, config=["pyproject.toml"]).source == here / "pyproject.toml"


@pytest.mark.parametrize(
    ("config", "isolated", "message"),
    [
        (["a.toml", "a.toml"], False, "--config: only one configuration file can be given"),
        (["a.toml"], True, "--config FILE and --isolated contradict each other"),
        (["none.toml"], False, "none.toml: cannot be read: No such file or directory"),
        (["fix = 1"], False, "--config: `fix`: expected true or false"),
        (["fox = true"], False, "--config: unknown key `fox` (did you mean `fix`?)"),
    ],
)
def test_config_options_that_make_no_sense(
    here: Path, config: list[str], isolated: bool, message: str
) -> None:
    write(here / "a.toml")
    with pytest.raises(ConfigError) as caught:
        load(here, RULES, config=config, isolated=isolated)
    assert str(caught.value) == message


def test_a_config_value_that_is_neither_file_nor_toml(here: Path) -> None:
    with pytest.raises(ConfigError, match="--config select: neither a file that exists nor `key = value`"):
        load(here, RULES, config=["select"])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("sellect = []", "devlint.toml: unknown key `sellect` (did you mean `select`?)"),
        (
            "per_file_ignores = {}",
            "devlint.toml: unknown key `per_file_ignores` (did you mean `per-file-ignores`?)",
        ),
        ("qqqqqq = 1", "devlint.toml: unknown key `qqqqqq`"),
        ('select = "DEV1"', "devlint.toml: `select`: expected a list of strings"),
        ("select = [1]", "devlint.toml: `select`: expected a list of strings"),
        ('select = ["DEV9"]', "devlint.toml: `select`: unknown rule `DEV9`"),
        ('ignore = ["DEV100"]', "devlint.toml: `ignore`: unknown rule `DEV100`"),
        ("fix = 1", "devlint.toml: `fix`: expected true or false"),
        ('fail-on = "fatal"', "devlint.toml: `fail-on`: expected one of error, warning, info"),
        ('device-idiom = "rocm"', "devlint.toml: `device-idiom`: expected one of cuda, accelerator"),
        ("target-torch = 2.1", 'devlint.toml: `target-torch`: expected a version as a string, like "2.1"'),
        ("max-file-size = 0", "devlint.toml: `max-file-size`: expected a number of bytes"),
        ('max-file-size = "2 MB"', "devlint.toml: `max-file-size`: expected a number of bytes"),
        ("max-file-size = true", "devlint.toml: `max-file-size`: expected a number of bytes"),
        ('target-torch = "2"', 'devlint.toml: `target-torch`: expected a version as a string, like "2.1"'),
        ('baseline = ""', "devlint.toml: `baseline`: expected a path"),
        ('exclude = ["a["]', "devlint.toml: `exclude`: `[` is not closed in 'a['"),
        (
            "per-file-ignores = []",
            "devlint.toml: `per-file-ignores`: expected a table from patterns to lists of rules",
        ),
        ('per-file-ignores = { "a" = ["X1"] }', "devlint.toml: `per-file-ignores`: unknown rule `X1`"),
        ('per-file-ignores = { "{" = [] }', "devlint.toml: `per-file-ignores`: `{` is not closed in '{'"),
        ("extend = 1", "devlint.toml: `extend`: expected the path of a file"),
        ('extend = "gone.toml"', "devlint.toml: `extend`: no such file: gone.toml"),
        ('extend = "devlint.toml"', "devlint.toml: `extend` leads back to itself"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(here: Path, text: str, message: str) -> None:
    assert refused(text) == message


def test_broken_toml_is_named_with_its_place(here: Path) -> None:
    assert refused("a = \n").startswith("devlint.toml: not valid TOML: ")
    assert "line 1" in refused("a = \n")
    assert refused("[tool", name=".devlint.toml").startswith(".devlint.toml: not valid TOML: ")


def test_a_file_that_is_not_utf8(here: Path) -> None:
    (here / "devlint.toml").write_bytes(b"a = '\xff'\n")
    with pytest.raises(ConfigError, match=r"^devlint.toml: not valid TOML: "):
        load(here, RULES)


def test_a_section_that_is_no_table(here: Path) -> None:
    assert refused("[tool]\ndevlint = 1\n", name="pyproject.toml") == (
        "pyproject.toml: `tool.devlint`: expected a table"
    )


def test_an_error_outside_of_here_names_the_whole_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "cwd").mkdir()
    monkeypatch.chdir(tmp_path / "cwd")
    write(tmp_path / "devlint.toml", "x = 1\n")
    with pytest.raises(ConfigError) as caught:
        load(tmp_path / "a.py", RULES)
    assert caught.value.where == (tmp_path / "devlint.toml").as_posix()


def test_forgiving_a_broken_file_takes_the_settings_above(here: Path) -> None:
    write(here / "devlint.toml", "fix = true\n")
    write(here / "sub/devlint.toml", "x = 1\n")
    resolver = Resolver(RULES)
    with pytest.raises(ConfigError):
        resolver.settings(here / "sub/deep")
    assert resolver.forgive(here / "sub/deep").fix
    assert resolver.settings(here / "sub").fix
    assert resolver.settings(here / "sub/other").fix


def test_forgiving_at_the_top_gives_the_defaults(here: Path) -> None:
    assert Resolver(RULES).forgive(Path(here.anchor)).source is None


def test_per_file_ignores(here: Path) -> None:
    write(
        here / "devlint.toml",
        '[per-file-ignores]\n"tests" = ["DEV1"]\n"*_gen.py" = ["unregistered-tensor"]\n"!src/*" = ["DEV104"]\n',
    )
    settings = load(here, RULES)

    def off(path: str) -> str:
        return " ".join(rule.code for rule in RULES if settings.ignored_in_file(rule, path))

    assert off("src/a.py") == ""
    assert off("src/tests/a.py") == "DEV101 DEV104"
    assert off("src/a_gen.py") == "DEV301"
    assert off("setup.py") == "DEV104"
    assert not settings.selected(RULE["DEV104"], "setup.py")
    assert settings.selected(RULE["DEV101"], "setup.py")
    assert not settings.selected(RULE["DEV605"], "setup.py")


def test_extend_per_file_ignores_adds(here: Path) -> None:
    write(here / "devlint.toml", 'per-file-ignores = { "a.py" = ["DEV101"] }\n')
    settings = load(here, RULES, overrides={"extend-per-file-ignores": {"a.py": ["DEV104"]}})
    assert settings.ignored_in_file(RULE["DEV101"], "a.py")
    assert settings.ignored_in_file(RULE["DEV104"], "a.py")


def test_which_fixes_are_allowed(here: Path) -> None:
    settings = load(here, RULES, overrides={"fixable": ["DEV1", "DEV301"], "unfixable": ["DEV104"]})
    allowed = [rule.code for rule in RULES if settings.fix_allowed(rule)]
    assert allowed == ["DEV101", "DEV301"]
    assert load(here, RULES).fix_allowed(RULE["DEV001"])


@pytest.mark.parametrize(
    ("safe", "unsafe", "was", "is_"),
    [
        ([], [], Safety.SAFE, Safety.SAFE),
        ([], [], Safety.UNSAFE, Safety.UNSAFE),
        (["DEV1"], [], Safety.UNSAFE, Safety.SAFE),
        ([], ["DEV1"], Safety.SAFE, Safety.UNSAFE),
        (["DEV101"], ["DEV1"], Safety.UNSAFE, Safety.SAFE),
        (["DEV101"], ["DEV101"], Safety.SAFE, Safety.UNSAFE),
        (["DEV3"], [], Safety.UNSAFE, Safety.UNSAFE),
    ],
)
def test_safety_can_be_raised_and_lowered(
    here: Path, safe: list[str], unsafe: list[str], was: Safety, is_: Safety
) -> None:
    settings = load(here, RULES, overrides={"extend-safe-fixes": safe, "extend-unsafe-fixes": unsafe})
    assert settings.safety(RULE["DEV101"], was) is is_


def test_every_key_is_a_setting_or_a_selection() -> None:
    from dataclasses import fields

    known = {field.name for field in fields(Settings)} | {"select", "ignore", "extend"}
    for key in KEYS:
        name = key.replace("-", "_")
        assert name in known or name.removeprefix("extend_") in known, key
