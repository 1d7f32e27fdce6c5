from __future__ import annotations

import tokenize

import pytest

from devlint.comments import read_comments
from devlint.text import LineIndex


def read(text: str) -> list[str]:
    return [comment for _, comment in read_comments(text, LineIndex(text)).found]


TEXT = '''\
# one
x = "# no"  # two
y = """
# no
"""  # three
z = '#' + f"#{x}"  # four
w = r"\\"  # five
v = 'it\\'s # no'  # six
'''


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("broken", ["", "\nprint 'old'\n", "\nx = (\n", "\n  y\n z\n", "\n$ ?\n"])
def test_comments_are_not_strings_whatever_else_is_wrong(newline: str, broken: str) -> None:
    text = (TEXT + broken).replace("\n", newline)
    assert read(text) == ["# one", "# two", "# three", "# four", "# five", "# six"]
    for offset, comment in read_comments(text, LineIndex(text)).found:
        assert text.startswith(comment, offset)


def test_offsets_count_characters() -> None:
    text = "é = '日本'  # ü\n"
    assert read_comments(text, LineIndex(text)).found == ((text.index("#"), "# ü"),)


def test_form_feeds_and_other_blanks_end_no_line() -> None:
    text = "x = 1\x0c  # a\x0b b\n# c\n"
    assert read(text) == ["# a\x0b b", "# c"]


def test_an_open_triple_quoted_string_hides_nothing_before_it() -> None:
    assert read('x = 1  # a\ny = """\n# inside\n')[0] == "# a"


def test_where_the_tokenizer_fails_the_quotes_tell(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: object) -> None:
        raise tokenize.TokenError("no")

    monkeypatch.setattr(tokenize, "generate_tokens", fail)
    assert read(TEXT) == ["# one", "# two", "# three", "# four", "# five", "# six"]
    assert read_comments(TEXT, LineIndex(TEXT)).dedents == ()


def test_dedents_are_where_a_block_has_ended() -> None:
    text = "def f():\n    if x:\n        y\n\n# c\nz\n"
    assert read_comments(text, LineIndex(text)).dedents == ((6, 1), (6, 1))
