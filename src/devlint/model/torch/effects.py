"""What an operation asks of the devices of its operands, and where its result lives.

The vocabulary of the tables in this package. It is data: nothing here knows values, events or rules, and
torch is never imported (the tests compare the tables with the installed torch).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum


class Mix(Enum):
    """What an operation asks of the devices of its tensor operands."""

    FREE = "free"
    """No agreement asked (one operand, or the others are only looked at)."""
    ELEMENTWISE = "elementwise"
    """One device, but `Op.cpu_scalars` 0-dim CPU inputs may mix with an accelerator (TensorIterator). A 0-dim
    CPU tensor as the receiver of an in-place operation may not: the result cannot be written to it."""
    STRICT = "strict"
    """One device, 0-dim CPU tensors too."""
    INDEX = "index"
    """Indexing: indices are on the CPU or on the device of the first operand; the values stored obey
    ELEMENTWISE."""
    COPY = "copy"
    """Crosses devices: `copy_`."""


class Out(Enum):
    """What an operation returns."""

    SAME = "same"
    """A tensor on the operands' device (of a 0-dim CPU tensor and a CUDA tensor: CUDA)."""
    RECEIVER = "receiver"
    """In place: the first operand itself."""
    HOST = "host"
    """A Python value: number, list, size, bool, str, dtype, device."""
    NONE = "none"
    """None, or nothing worth following (a handle)."""
    MANY = "many"
    """A tuple of `Op.count` tensors on the operands' device (0: of unknown length)."""
    CPU = "cpu"
    """A CPU tensor, whatever went in."""
    SCALAR = "scalar"
    """A 0-dim tensor on the operands' device, always."""
    NEW = "new"
    """A new tensor: on `device=`, else on the device of a tensor passed for one of `Op.follows`, else on the
    default device."""
    LIKE = "like"
    """A tensor on `device=`, else on the device of the operand named by `Op.like` (the first)."""
    UNKNOWN = "unknown"
    """Anything: nothing is said of it."""


class Rank(Enum):
    """Whether the result of SAME, LIKE or RECEIVER is 0-dim."""

    KEPT = "kept"
    """0-dim exactly if all tensor operands are."""
    SOME = "some"
    """Never 0-dim."""
    VARIES = "varies"
    """The arguments decide."""


@dataclass(frozen=True, slots=True)
class Op:
    """One operation.

    Parameters are named as torch names them; of a method the first is the receiver, `input`. `params` lists
    the positional ones where something else in the entry needs them bound, or a reader does (factories,
    losses); it stops where nothing further matters.
    """

    mix: Mix
    out: Out
    count: int = 0
    zero_dim_if_no: tuple[str, ...] = ()
    """0-dim if none of these arguments is passed; with one, `out` and `rank` hold. `reduction` is among
    them for losses, where `reduction="mean"` and `"sum"` are 0-dim as well."""
    host_args: tuple[str, ...] = ()
    """Arguments that must be on the CPU, if they are tensors."""
    operands: tuple[str, ...] | None = None
    """The parameters whose tensors must agree; None: every tensor, those inside lists and tuples too."""
    random: bool = False
    """Draws random numbers: another device draws others."""
    params: tuple[str, ...] = ()
    rank: Rank = Rank.VARIES
    follows: tuple[str, ...] = ()
    """For NEW: parameters which, if they are tensors, decide the device (`data` of torch.tensor)."""
    follows_items: bool = False
    """Of a list or tuple the first tensor decides (torch.nested.nested_tensor)."""
    like: int = 0
    """For LIKE: the position of the operand whose device is taken (1 for type_as)."""
    cpu_scalars: int = 1
    """For ELEMENTWISE: how many 0-dim CPU inputs may mix (where takes any number)."""
    pairwise: bool = False
    """A tensor as the second argument makes it the element-wise form that returns one tensor (max, min)."""
    host_items: tuple[int, ...] = ()
    """For MANY: positions in the tuple that are on the CPU (the lengths of pad_packed_sequence)."""


def table(op: Op, names: str, prefix: str = "") -> dict[str, Op]:
    """The same entry for every name of a blank-separated list."""
    return dict.fromkeys((prefix + name for name in names.split()), op)


def words(names: str, prefix: str = "") -> frozenset[str]:
    """The names of a blank-separated list."""
    return frozenset(prefix + name for name in names.split())


def prefixed(prefix: str, entries: Mapping[str, Op]) -> dict[str, Op]:
    """A table under dotted names."""
    return {prefix + name: op for name, op in entries.items()}


# The entries that most names share.
UNARY = Op(Mix.FREE, Out.SAME, rank=Rank.KEPT)
BINARY = Op(Mix.ELEMENTWISE, Out.SAME, rank=Rank.KEPT)
VIEW = Op(Mix.FREE, Out.SAME)
GROWN = Op(Mix.FREE, Out.SAME, rank=Rank.SOME)
JOINED = Op(Mix.STRICT, Out.SAME, rank=Rank.SOME)
PRODUCT = Op(Mix.STRICT, Out.SAME)
MANY = Op(Mix.FREE, Out.MANY)
PAIR = Op(Mix.FREE, Out.MANY, count=2)
TRIPLE = Op(Mix.FREE, Out.MANY, count=3)
HOST = Op(Mix.FREE, Out.HOST)
NOTHING = Op(Mix.FREE, Out.NONE)
ANYTHING = Op(Mix.FREE, Out.UNKNOWN)
IN_PLACE = Op(Mix.FREE, Out.RECEIVER, rank=Rank.KEPT)
BINARY_IN_PLACE = Op(Mix.ELEMENTWISE, Out.RECEIVER, rank=Rank.KEPT)
STRICT_IN_PLACE = Op(Mix.STRICT, Out.RECEIVER, rank=Rank.KEPT)
DRAWN = Op(Mix.FREE, Out.SAME, rank=Rank.KEPT, random=True)
DRAWN_IN_PLACE = Op(Mix.FREE, Out.RECEIVER, rank=Rank.KEPT, random=True)
