"""What IPython takes beside Python, blanked: every character of a cell keeps its row and its column.

    %matplotlib inline     nothing
        !pip install x     a bare `_`, since a block must have a statement
    files = !ls            files = _
    %time x = f()          _    ; x = f()
    %%time                 nothing, and the cell goes on; after `%%bash` it is no Python at all

`_` is a name that IPython binds by itself (the last value shown), so nothing is known of it.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator

# The cell magics whose cell runs as Python in the notebook's own namespace.
_PYTHON = frozenset(
    {
        *("capture", "debug", "time", "timeit", "prun", "memit", "mprun", "lprun", "snakeviz"),
        *("pyinstrument", "scalene", "memray_flamegraph", "ipytest", "wandb"),
    }
)

_END = r"(?:\r\n|\n|\r)"
_CELL_MAGIC = re.compile(rf"(?:[ \t]*(?:#[^\r\n]*)?{_END})*[ \t]*(?P<line>%%(?P<name>\S*)[^\r\n]*)")
# A row of a command, with those that a backslash joins to it.
_REST = rf"(?:[^\r\n]*\\{_END})*[^\r\n]*"
_COMMAND = re.compile(rf"(?P<indent>[ \t]*)(?:[!?,;/]|%(?!%)){_REST}")
_TIMED = re.compile(rf"(?P<indent>[ \t]*)(?P<magic>%time[ \t]+)(?P<code>[^-\s]{_REST})")
_TARGET = r"""(?:[^=\r\n"'#!%?]|"[^"\r\n]*"|'[^'\r\n]*'|=(?![ \t]*[!%]))+"""
_ASSIGNED = re.compile(
    rf"(?P<target>{_TARGET}=[ \t]*)(?P<magic>(?P<time>%time[ \t]+)|[!%](?!=))(?P<code>{_REST})"
)
_HELP = re.compile(r"""(?P<indent>[ \t]*)[^\s#"'][^#"'\r\n]*\?[ \t]*(?=[\r\n]|\Z)""")
# Whether there can be any of these in a cell: most have none.
_ANY = re.compile(r"^[ \t]*[!%?,;/]|=[ \t]*[!%]|\?[ \t]*\r?$", re.MULTILINE)

_PIECE = re.compile(
    r'"""(?:\\.|[^\\])*?"""'
    r"|'''(?:\\.|[^\\])*?'''"
    r'|"(?:\\(?:\r\n|.)|[^"\\\r\n])*"'
    r"|'(?:\\(?:\r\n|.)|[^'\\\r\n])*'"
    rf"|#[^\r\n]*|\\{_END}|(?P<end>{_END})|(?P<open>[(\[{{])|(?P<close>[)\]}}])"
    r"|[^\"'#\\()\[\]{}\r\n]+|.",
    re.DOTALL,
)
# libcst takes any depth, at gigabytes of memory; Python itself takes 200.
_DEEP = re.compile(r"(?:[(\[{][^()\[\]{}]*){201}")


def python_of(cell: str) -> str:
    """The Python of a cell, as long as the cell; all blanks where the cell is no Python."""
    code = _without_cell_magics(cell)
    if code is None:
        return blanks(cell)
    if _ANY.search(code):
        code = "".join(_statements(code))
    return code if _parses(code) else blanks(cell)


def _without_cell_magics(cell: str) -> str | None:
    """The cell below its cell magics (`%%capture` may stand above `%%time`); None for another language."""
    at = 0
    parts: list[str] = []
    while (found := _CELL_MAGIC.match(cell, at)) is not None:
        if found["name"] not in _PYTHON:
            return None
        parts += [cell[at : found.start("line")], blanks(found["line"])]
        at = found.end()
    return "".join(parts) + cell[at:]


def _statements(code: str) -> Iterator[str]:
    """The logical lines of a cell, commands blanked."""
    at = 0
    while at < len(code):
        end, text = _command(code, at)
        if text:
            yield text
            at = end
        end = _logical_end(code, at)
        yield code[at:end]
        at = end


def _command(code: str, at: int) -> tuple[int, str]:
    """The end of what is no Python at the start of a logical line, and what stands for it."""
    if found := _TIMED.match(code, at):
        return found.end(), found["indent"] + _timed(found["magic"], found["code"])
    if found := _COMMAND.match(code, at) or _HELP.match(code, at):
        rest = found[0][len(found["indent"]) :]
        return found.end(), found["indent"] + (_nothing(rest) if found["indent"] else blanks(rest))
    if found := _ASSIGNED.match(code, at):
        value = found["magic"] + found["code"]
        if found["time"] and _is_expression(found["code"]):
            return found.end(), found["target"] + blanks(found["time"]) + found["code"]
        return found.end(), found["target"] + _nothing(value)
    return at, ""


def _timed(magic: str, code: str) -> str:
    """`%time code` runs the code where it stands; of an expression it shows the value."""
    room = " " * (len(magic) - 3)
    if _is_expression(code):
        return f"_{room}= {code}"
    return f"_{room}; {code}" if _compiles(f"_; {code}") else _nothing(magic + code)


def _logical_end(code: str, at: int) -> int:
    depth = 0
    for piece in _PIECE.finditer(code, at):
        depth += bool(piece["open"]) - bool(piece["close"])
        if piece["end"] and depth <= 0:
            return piece.end()
    return len(code)


def _nothing(text: str) -> str:
    return "_" + blanks(text[1:])


def blanks(text: str) -> str:
    """As many blanks, with the same line ends."""
    return re.sub(r"[^\r\n]", " ", text)


def _is_expression(code: str) -> bool:
    return _compiles(code.strip(), "eval")


def _compiles(code: str, mode: str = "exec") -> bool:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # an invalid escape is nothing to us
            ast.parse(code, mode=mode)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def _parses(code: str) -> bool:
    """Whether a cell is Python: of this version, or of a newer one that libcst knows."""
    if _compiles(code):
        return True
    if _DEEP.search(code):
        return False
    import libcst

    try:
        libcst.parse_module(code)
    except (libcst.ParserSyntaxError, UnicodeError, SyntaxError):
        return False
    return True
