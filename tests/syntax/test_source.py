from __future__ import annotations

import pytest

from devlint.syntax.source import Source, SourceError, may_matter
from devlint.syntax.walk import walk
from tests.fix.programs import rewritten


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ("import torch\n".encode("utf-16"), "encoded as UTF-16 or UTF-32, which Python does not read"),
        ("import torch\n".encode("utf-32"), "encoded as UTF-16 or UTF-32, which Python does not read"),
        (
            b"\xef\xbb\xbf# coding: latin-1\n",
            "its byte order mark says UTF-8, its coding cookie something else",
        ),
        (
            b"# coding: latin-0\n",
            "unknown encoding: latin-0; add a coding cookie (PEP 263) or save it as UTF-8",
        ),
        (b"x = 1\ny = 1\n# \xff\n", "not valid utf-8: byte 0xff on line 3"),
    ],
)
def test_bytes_that_are_no_source_text_are_told_apart(data: bytes, words: str) -> None:
    with pytest.raises(SourceError) as caught:
        Source.from_bytes("a.py", data)
    assert str(caught.value).startswith(words)


def test_a_file_in_utf_16_is_not_passed_over() -> None:
    assert may_matter("import torch\n".encode("utf-16"))
    assert not may_matter(b"import json\n")


FEEDS = """\
import torch
\f
\fx = torch.ones(2)
\f\fdef f(x):
    a = x
\f    b = x
   \f    c = [
\f1]
    \"\"\"
\fb\"\"\"
    return x\f
\f# c
"""


@pytest.mark.parametrize("text", [FEEDS, FEEDS.replace("\n", "\r\n")], ids=["lf", "crlf"])
def test_a_form_feed_before_a_statement_moves_no_place(text: str) -> None:
    source = Source.from_text("a.py", text)
    assert source.doubtful_row is None
    segments = [source.segment(node) for node in walk(*source.tree.body)]
    assert {"import torch", "x = torch.ones(2)", "a = x", "b = x", "torch.ones"} <= set(segments)
    assert any(segment.startswith("def f(x):") for segment in segments)


def test_a_form_feed_stays_where_it_is() -> None:
    text = "import torch\nd = torch.device('cuda')\n\fx = torch.ones(2)\n\fx.to(d)\nprint(x)\n"
    assert rewritten(text, unsafe=False).after == text.replace("\fx.to", "\fx = x.to")


def test_the_row_that_is_not_given_back_is_known() -> None:
    assert Source.from_text("a.py", "x = 1\ny = 2\r").doubtful_row == 2
    assert Source.from_text("a.py", "x = 1\r\ny = 2\r\n").doubtful_row is None


@pytest.mark.parametrize("link", [".f()", ".f", "()", "[0]", "\n  .f(1)[0]"])
def test_a_chain_that_would_take_minutes_is_not_parsed(link: str) -> None:
    source = Source.from_text("a.py", f"x = (\ny{link * 1001})\n")
    with pytest.raises(SourceError, match="a chain of more than 1,000 calls, items and attributes on line"):
        _ = source.cst


def test_what_is_long_and_no_chain_is_parsed() -> None:
    for text in (
        "(1), " * 1500,
        "f(a.b[0])\n" * 1500,
        " " * 100_000 + "# .f",
        "'''\n" + "(a)\n[b]\n" * 1500 + "'''",
    ):
        assert Source.from_text("a.py", text).cst
