"""Writes what is generated: rule pages, command and rule lists, the parts between marks, the fixed examples.

python docs/build.py            write what has changed
python docs/build.py --check    change nothing, exit with 1 if something would change

What it writes is committed, so that it can be read as it is, and CI checks that it is what devlint says now.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from inspect import cleandoc
from itertools import groupby
from pathlib import Path

import click

from devlint.catalogue import page, table
from devlint.cli.app import COMMANDS, app
from devlint.cli.params import GroupedCommand
from devlint.rules import all_rules

ROOT = Path(__file__).resolve().parent.parent
GROUPS: Mapping[str, str] = {
    "DEV0": "devlint itself",
    "DEV1": "Moves",
    "DEV2": "Devices by name",
    "DEV3": "Modules and what they hold",
    "DEV4": "Where values meet",
    "DEV5": "Checkpoints and wrappers",
    "DEV6": "Transfers",
}
RULES_HEAD = """\
# Rules

**E** (error) raises, or silently does the wrong thing, on a machine with an accelerator; **W** (warning)
works on one kind of machine only; **I** (info) is right but wastes transfers. What *safe* and *unsafe*
promise is told in [Getting started](getting-started.md#fixing).

A finding is reported at the first row of the smallest statement that holds it, where a suppression comment
works as well as on the last; the report marks the place itself.
"""
COMMANDS_HEAD = """\
# Commands

Options have ruff's names and meanings where ruff has them. Completion for a shell:
`eval "$(_DEVLINT_COMPLETE=bash_source devlint)"` (or `zsh_source`, `fish_source`).
"""
# Folders that hold nothing else: a page of a rule that is gone must go, too.
OWN = ("docs/rules", "examples/fixed")
SHOWN = ("check", "examples/", "--select", "unassigned-move,unregistered-tensor")


def outputs() -> dict[str, str]:
    """All that is generated, by path."""
    rules = all_rules()
    files = {f"docs/rules/{rule.name}.md": page(rule) for rule in rules}
    files["docs/rules.md"] = "".join(_rule_list())
    files["docs/commands.md"] = "".join(_commands())
    files |= _fixed_examples()
    files["examples/report.txt"] = devlint("check", "examples", "--output-format", "concise")
    report = f"    $ devlint {' '.join(SHOWN)}\n" + _indented(devlint(*SHOWN))
    listed = table(rules, link=lambda rule: f"docs/rules/{rule.name}.md")
    files["README.md"] = _between(_between(_read("README.md"), "report", report), "rules", listed)
    files["docs/getting-started.md"] = _between(_read("docs/getting-started.md"), "report", report)
    return files | _shown()


def _shown() -> dict[str, str]:
    """What the pages of `trace` and `explain` show."""
    trace = ("trace", "examples/model.py:SelfAttention")
    message = ("explain", "can't optimize a non-leaf Tensor")
    traceback = ("explain", "examples/traceback.txt")
    page = _between(_read("docs/explain.md"), "message", _called(*message))
    return {
        "docs/trace.md": _between(_read("docs/trace.md"), "trace", _called(*trace)),
        "docs/trace-example.html": devlint("trace", "examples/train.py", "--output-format", "html"),
        "docs/explain.md": _between(page, "traceback", _called(*traceback)),
    }


def _called(*args: str) -> str:
    """A call of the program, and what it prints."""
    words = " ".join(f'"{arg}"' if " " in arg else arg for arg in args)
    return f"    $ devlint {words}\n" + _indented(devlint(*args))


def stale(files: Mapping[str, str]) -> Iterator[str]:
    """The paths that are not as they should be."""
    for path, text in files.items():
        if not (ROOT / path).is_file() or _read(path) != text:
            yield path
    for folder in OWN:
        for found in sorted((ROOT / folder).glob("*")):
            path = found.relative_to(ROOT).as_posix()
            if found.is_file() and path not in files:
                yield path


def devlint(*args: str, cwd: Path = ROOT) -> str:
    """What the program prints. It may find something, but it must not fail."""
    environ = {**os.environ, "COLUMNS": "100", "NO_COLOR": "1", "PYTHONPATH": str(ROOT / "src")}
    command = [sys.executable, "-m", "devlint", *args]
    run = subprocess.run(command, cwd=cwd, env=environ, capture_output=True, text=True, check=False)
    if run.returncode not in (0, 1):
        raise RuntimeError(f"devlint {' '.join(args)} failed:\n{run.stderr}")
    return run.stdout


def _rule_list() -> Iterator[str]:
    yield RULES_HEAD
    for group, rules in groupby(all_rules(), key=lambda rule: rule.code[:4]):
        yield f"\n## {GROUPS[group]} ({group})\n\n"
        yield table(rules, link=lambda rule: f"rules/{rule.name}.md")


def _commands() -> Iterator[str]:
    """All commands with their options. (The text of `--help` would change with the version of click.)"""
    yield COMMANDS_HEAD
    with click.Context(app, info_name="devlint") as above:
        for name, make in COMMANDS.items():
            command = make()
            with click.Context(command, info_name=name, parent=above) as context:
                yield f"\n## devlint {name}\n\n    {_usage(command, context)}\n\n{_help(command)}\n"
                if isinstance(command, GroupedCommand):
                    yield from _options(command, context)


def _usage(command: click.Command, context: click.Context) -> str:
    arguments = [param.metavar or "" for param in command.params if isinstance(param, click.Argument)]
    return " ".join([context.command_path, "[OPTIONS]", *arguments])


def _help(command: click.Command) -> str:
    return cleandoc(command.help or "")


def _options(command: GroupedCommand, context: click.Context) -> Iterator[str]:
    for group, options in command.groups(context).items():
        yield f"\n**{group}**\n\n"
        for option in options:
            yield f"- {_names(option)}: {_sentence(option)}\n"


def _names(option: click.Option) -> str:
    if isinstance(option.type, click.Choice) and not option.metavar:
        value = f" {'|'.join(map(str, option.type.choices))}"
    else:
        value = f" {option.metavar}" if option.metavar else ""
    names = [*option.opts, *option.secondary_opts]
    return ", ".join(f"`{name}{value}`".replace(" [=", "[=") for name in names)


def _sentence(option: click.Option) -> str:
    variable = f" Environment variable: `{option.envvar}`." if option.envvar else ""
    return f"{option.help}{variable}"


def _fixed_examples() -> dict[str, str]:
    """What `devlint fix --write --unsafe-fixes` makes of the examples."""
    with tempfile.TemporaryDirectory() as folder:
        for example in sorted((ROOT / "examples").glob("*.py")):
            shutil.copy(example, folder)
        devlint("fix", ".", "--write", "--unsafe-fixes", "--isolated", cwd=Path(folder))
        fixed = sorted(Path(folder).glob("*.py"))
        return {f"examples/fixed/{path.name}": path.read_text(encoding="utf-8") for path in fixed}


def _between(text: str, name: str, new: str) -> str:
    """The text with another part between the marks of this name."""
    marks = re.compile(rf"(<!-- {name}: begin -->\n).*?(<!-- {name}: end -->)", re.DOTALL)
    changed, count = marks.subn(lambda match: f"{match[1]}\n{new.rstrip()}\n\n{match[2]}", text)
    if count != 1:
        raise RuntimeError(f"{count} pairs of marks `{name}`, not one")
    return changed


def _indented(text: str) -> str:
    return "".join(f"    {line}".rstrip() + "\n" for line in text.splitlines())


def _read(path: str) -> str:
    return (ROOT / path).read_text(encoding="utf-8")


def main() -> int:
    """Write, or check."""
    parser = argparse.ArgumentParser(description="Write or check what is generated.")
    parser.add_argument(
        "--check", action="store_true", help="change nothing, exit with 1 if something would change"
    )
    check = parser.parse_args().check
    files = outputs()
    changed = list(stale(files))
    for path in changed:
        print(f"{'stale' if check else 'written'}: {path}")
        if check:
            continue
        if path in files:
            (ROOT / path).parent.mkdir(parents=True, exist_ok=True)
            (ROOT / path).write_text(files[path], encoding="utf-8")
        else:
            (ROOT / path).unlink()
    return 1 if check and changed else 0


if __name__ == "__main__":
    sys.exit(main())
