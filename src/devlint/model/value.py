"""Values: what the model knows of an expression's result.

A value is a leaf below, or a `Cond` tree of leaves. Tensors, constants, tuples and device values are
immutable and compared by what they say; objects (instances, lists, unknown things) have an identity, and
their attributes live in a dict that the machine's journal writes.
"""

from __future__ import annotations

import itertools
import weakref
from typing import TYPE_CHECKING, Any, NamedTuple

from devlint.model.device import Device, Like

if TYPE_CHECKING:
    from devlint.model.libraries.record import Base
    from devlint.model.program import File
    from devlint.syntax import tree


class Site(NamedTuple):
    """A place in the project: a node of a file, and the statement that it is part of."""

    file: File
    node: tree.Node
    stmt: tree.Node


class Step:
    """Why a value is where it is: the newest step of its trail.

    `kind`: "create" (a factory without a device), "copied" (one that copies its data: `torch.tensor`),
    "typed" (`torch.FloatTensor` and its like, which take none), "placed" (a factory with one), "move",
    "dropped" (a move whose result was dropped), "host" (from NumPy and the like), "loader", "load"
    (torch.load), "store" (kept as a plain attribute of a module), "param", "module", "arg" (passed to a
    module). `owner` is the module concerned; of the first three, whether it happened inside `forward`; of a
    parameter that moved with its module, the step that made it.
    `also` are the causes of other operands that were on the same device.
    `given` of an "arg" is the argument, and the circumstances of the call.
    """

    __slots__ = ("also", "given", "kind", "owner", "prev", "site", "text")

    def __init__(
        self,
        kind: str,
        site: Site,
        text: str,
        prev: Step | None = None,
        owner: Any = None,
        also: tuple[Step, ...] = (),
        given: tuple[Any, Any] | None = None,
    ) -> None:
        self.also = also
        self.given = given
        self.kind = kind
        self.site = site
        self.text = text
        self.prev = prev
        self.owner = owner


class Root:
    """Something unknown that other values come from: a parameter, a result of a library.

    What its uses tell about it is gathered in `seen` while the program is read ("tensor", "module",
    "device", "host", "array"; "list": calls are seen to give one; "number": math takes it, "state": a random
    generator does, or what keeps numbers only, "asked": it is called, or has methods of its own), so rules,
    which run afterwards, know all of it. `source` is what it is a part or a measure of: `ids` of `ids[0]` and
    of `len(ids)`.
    """

    __slots__ = ("annotation", "kind", "label", "seen", "source")

    def __init__(self, label: str, kind: str) -> None:
        self.label = label
        self.kind = kind
        self.seen: set[str] = set()
        self.annotation = ""
        self.source: Root | None = None

    def __repr__(self) -> str:
        return self.label


FACTORY_STEPS = frozenset({"create", "copied"})
"""Kinds of steps of factories without a device."""


class Value:
    """A leaf. `cause` is the newest step of its trail, if it has one."""

    __slots__ = ()
    cause: Step | None = None


class Const(Value):
    """A constant. `site` is the literal, for strings that may name a device; of a truth, the comparison
    which found that an accelerator is meant."""

    __slots__ = ("site", "value")

    def __init__(self, value: object, site: Site | None = None) -> None:
        self.value = value
        self.site = site

    def __eq__(self, other: object) -> bool:
        return type(other) is Const and type(other.value) is type(self.value) and other.value == self.value

    def __hash__(self) -> int:
        return hash(self.value)

    def __repr__(self) -> str:
        return repr(self.value)


TRUE, FALSE, NONE = Const(True), Const(False), Const(None)


class Tensor(Value):
    """A tensor. `grad` is "" or "leaf", "param" (nn.Parameter), "moved" (a leaf that was moved) or "frozen"
    (it surely requires no gradient). `pinned` is None where it is not known."""

    __slots__ = ("cause", "device", "grad", "pinned", "zero_dim")

    def __init__(
        self,
        device: Device,
        cause: Step | None = None,
        zero_dim: bool | None = None,
        grad: str = "",
        pinned: bool | None = False,
    ) -> None:
        self.device = device
        self.cause = cause
        self.zero_dim = zero_dim
        self.grad = grad
        self.pinned = pinned

    def __eq__(self, other: object) -> bool:
        return (
            type(other) is Tensor
            and self.device == other.device
            and self.zero_dim is other.zero_dim
            and self.grad == other.grad
            and self.pinned is other.pinned
            and (self.cause is None) is (other.cause is None)
            and (self.cause is None or other.cause is None or self.cause.kind == other.cause.kind)
        )

    def __hash__(self) -> int:
        return hash((self.device, self.grad))

    def __repr__(self) -> str:
        return f"{'parameter' if self.grad == 'param' else 'tensor'}@{self.device!r}"


class DeviceValue(Value):
    """A torch.device. `literal` is the string it was made of, if that is known; `text`: it is bound to a
    parameter that takes strings too, so what is said of it there need not hold of other calls."""

    __slots__ = ("device", "literal", "text")

    def __init__(self, device: Device, literal: Const | None = None, text: bool = False) -> None:
        self.device = device
        self.literal = literal
        self.text = text

    def __eq__(self, other: object) -> bool:
        return type(other) is DeviceValue and self.device == other.device

    def __hash__(self) -> int:
        return hash(self.device)

    def __repr__(self) -> str:
        return f"device({self.device!r})"


class Tuple(Value):
    """A tuple; `rest` stands for elements of unknown number after `items`."""

    __slots__ = ("items", "rest")

    def __init__(self, items: tuple[Any, ...], rest: Any = None) -> None:
        self.items = items
        self.rest = rest

    def __eq__(self, other: object) -> bool:
        return type(other) is Tuple and self.items == other.items and self.rest == other.rest

    def __hash__(self) -> int:
        return hash(len(self.items))

    def __repr__(self) -> str:
        inner = [repr(x) for x in self.items] + ([f"*{self.rest!r}"] if self.rest is not None else [])
        return f"({', '.join(inner)})"


class Lib(Value):
    """A module, class or function of a library, by its dotted name."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __eq__(self, other: object) -> bool:
        return type(other) is Lib and self.name == other.name

    def __hash__(self) -> int:
        return hash(self.name)

    def __repr__(self) -> str:
        return self.name


class FileValue(Value):
    """A module of the project, imported."""

    __slots__ = ("file",)

    def __init__(self, file: File) -> None:
        self.file = file

    def __eq__(self, other: object) -> bool:
        return type(other) is FileValue and self.file is other.file

    def __hash__(self) -> int:
        return id(self.file)


class Function(Value):
    """A function of the project; `self_value` is the receiver of a bound method, `defaults` the values of
    its parameters' defaults."""

    __slots__ = ("_owner", "closure", "defaults", "file", "node", "self_value")

    def __init__(
        self,
        node: Any,
        file: File,
        closure: Any,
        owner: Class | None = None,
        self_value: Any = None,
        defaults: dict[str, Any] | None = None,
    ) -> None:
        self.node = node
        self.defaults = defaults or {}
        self.file = file
        self.closure = closure
        self._owner = weakref.ref(owner) if owner is not None else None  # it has the function: no cycle
        self.self_value = self_value

    @property
    def owner(self) -> Class | None:
        """The class that it is a method of."""
        return self._owner() if self._owner is not None else None

    def bound(self, receiver: Any) -> Function:
        """The function with a receiver."""
        out = Function(self.node, self.file, self.closure, None, receiver, self.defaults)
        out._owner = self._owner
        return out

    def __eq__(self, other: object) -> bool:
        return type(other) is Function and self.node is other.node and self.self_value is other.self_value

    def __hash__(self) -> int:
        return id(self.node)

    def __repr__(self) -> str:
        return f"function {getattr(self.node, 'name', 'lambda')}"


class Class(Value):
    """A class of the project. `libs` are the names of libraries' classes among its bases, `base` is what is
    known of the first that is a module."""

    __slots__ = ("__weakref__", "_above", "attrs", "base", "bases", "closure", "file", "kind", "libs", "node")

    def __init__(self, node: tree.ClassDef, file: File, closure: Any, bases: list[Any]) -> None:
        self.node = node
        self.file = file
        self.closure = closure
        self.bases = bases
        self.attrs: dict[str, Any] = {}
        known = [base for base in bases if isinstance(base, Class)]
        # Without itself: a cycle would have to be collected.
        self._above = _merged([*([*base.mro] for base in known), known])
        self.libs: list[str] = []
        self.kind = "plain"
        self.base: Base | None = None
        for base in bases:
            if isinstance(base, Class):
                self.libs += base.libs
            elif isinstance(base, Lib):
                self.libs.append(base.name)
            else:
                self.libs.append("?")

    def find(self, name: str) -> tuple[Any, Class] | None:
        """An attribute of the class or of its bases, and the class that has it."""
        value = self.attrs.get(name)
        if value is not None:
            return value, self
        for cls in self._above:
            value = cls.attrs.get(name)
            if value is not None:
                return value, cls
        return None

    @property
    def mro(self) -> list[Class]:
        """The classes of the project it is made of, itself first."""
        return [self, *self._above]

    def __repr__(self) -> str:
        return f"class {self.node.name}"


def _merged(orders: list[list[Class]]) -> list[Class]:
    """The method resolution order of bases with these (The Python 2.3 Method Resolution Order, C3); of bases
    that contradict each other, which Python refuses, the first one's goes before."""
    out: list[Class] = []
    while orders := [order for order in orders if order]:
        heads = [order[0] for order in orders]
        free = (c for c in heads if not any(c in order[1:] for order in orders))
        out.append(next(free, heads[0]))
        orders = [[c for c in order if c is not out[-1]] for order in orders]
    return out


class Bound(Value):
    """A method or attribute of something that is no instance of the project: `x.view`, `items.append`."""

    __slots__ = ("name", "receiver")

    def __init__(self, receiver: Any, name: str) -> None:
        self.receiver = receiver
        self.name = name

    def __repr__(self) -> str:
        return f"{self.receiver!r}.{self.name}"


class Partial(Value):
    """functools.partial."""

    __slots__ = ("args", "func", "kwargs")

    def __init__(self, func: Any, args: list[Any], kwargs: dict[str, Any]) -> None:
        self.func = func
        self.args = args
        self.kwargs = kwargs


class Spread(Value):
    """`*value` among the arguments of a call, of unknown length."""

    __slots__ = ("element",)

    def __init__(self, element: Any) -> None:
        self.element = element


class Super(Value):
    """`super()` within a method of `owner`."""

    __slots__ = ("owner", "self_value")

    def __init__(self, owner: Class, self_value: Any) -> None:
        self.owner = owner
        self.self_value = self_value


class Unknown(Value):
    """Something of an unknown kind. `device` is where it lives if it is a tensor."""

    __slots__ = ("attrs", "cause", "device", "root")

    def __init__(self, root: Root, device: Device | None = None, cause: Step | None = None) -> None:
        self.root = root
        self.device = device if device is not None else Like(root)
        self.cause = cause
        self.attrs: dict[Any, Any] = {}

    def __repr__(self) -> str:
        return f"unknown({self.root.label})"


class Obj(Value):
    """An object with an identity.

    `kind`: "instance" (of a class of the project), "module" (of a library's module class), "list",
    "dict", "set", "loader", "optimizer", "namespace" (argparse), "parser", "object".
    `attrs` holds attributes by name, items by ("item", key), the summary of further items under REST and,
    for modules, the device under PLACE; `registered` the names that a module moves with itself. `serial`
    says which of two objects is the older.
    """

    __slots__ = ("attrs", "cause", "cls", "kind", "lib", "registered", "root", "serial", "site")
    made = itertools.count()

    def __init__(self, kind: str, site: Site, cls: Class | None = None, lib: str = "") -> None:
        self.kind = kind
        self.site = site
        self.cls = cls
        self.lib = lib
        self.attrs: dict[Any, Any] = {}
        self.registered: set[Any] = set()
        self.cause: Step | None = None
        self.root: Root | None = None
        self.serial = next(Obj.made)

    @property
    def is_module(self) -> bool:
        """Whether it is an nn.Module."""
        return self.kind == "module" or (self.cls is not None and self.cls.kind == "module")

    def __repr__(self) -> str:
        name = self.cls.node.name if self.cls is not None else self.lib or self.kind
        place = self.attrs.get(PLACE)
        return f"module@{place!r}" if self.is_module else f"{self.kind} {name}"


PLACE = "%place"
"""The key under which a module keeps its device tree."""
REST = "%rest"
"""The key under which a container keeps what stands for its further items."""


def item(key: object) -> tuple[str, object]:
    """The key of an item."""
    return ("item", key)
