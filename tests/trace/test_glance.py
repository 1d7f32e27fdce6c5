"""One line, with the values that it uses."""

from __future__ import annotations

from devlint.syntax.source import Source
from devlint.trace import Glance, glance
from tests.tracing import PROGRAM, traced


def at(row: int, text: str = PROGRAM) -> Glance:
    """What is known of a row."""
    found = glance(Source.from_text("net.py", text), traced(text), row)
    assert found is not None
    return found


def test_the_last_values_before_the_line() -> None:
    found = at(25)
    assert (found.first, found.last) == (25, 25)
    assert [(b.name, b.row) for b in found.used] == [("net", 18), ("moved", 23), ("batch", 22)]
    assert [meet.what for meet in found.meets] == ["a + b"]


def test_what_a_module_has_registered_has_moved_with_it() -> None:
    found = at(13)
    places = {b.name: b.spot.text for b in found.used if b.spot}
    assert places["self.layer"] == "wherever this Net is"
    assert {b.name for b in found.bound} == {"x"}


def test_a_plain_attribute_is_where_it_was_made() -> None:
    assert {b.name: b.spot.text for b in at(14).used if b.spot}["self.mask"] == "cpu"


def test_a_statement_of_several_rows() -> None:
    found = at(4, "import torch\nx = torch.ones(2)\ny = (\n    x\n    + 1\n)\n")
    assert (found.first, found.last) == (3, 6)
    assert [b.name for b in found.used] == ["x"]
    assert [b.name for b in found.bound] == ["y"]


def test_a_function_sees_the_values_around_it() -> None:
    found = at(6, "import torch\nx = torch.ones(2)\n\n\ndef f():\n    return x.cuda()\n")
    assert [(b.name, b.row) for b in found.used] == [("x", 2)]


def test_no_statement_there() -> None:
    assert glance(Source.from_text("net.py", PROGRAM), traced(), 5) is None
