"""Methods of tensors, and moves: `.to()`, `.cuda()`, `.cpu()`, `.type()`."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from devlint.model.attributes import is_none
from devlint.model.cond import Cond, each, restrict, tips
from devlint.model.device import AVAILABLE, CPU, UNKNOWN, At, Device, Like, at
from devlint.model.events import Bind, Move
from devlint.model.tensors import Tensors, device_of
from devlint.model.torch.devices import is_valid_device
from devlint.model.torch.effects import Op
from devlint.model.torch.methods import METHODS, MODULE_ONLY, MOVES, TENSOR_ONLY
from devlint.model.value import (
    FALSE,
    NONE,
    PLACE,
    Const,
    DeviceValue,
    Lib,
    Obj,
    Root,
    Site,
    Step,
    Tensor,
    Unknown,
)
from devlint.syntax import tree as t

SHAPED = frozenset(
    {"squeeze", "view", "reshape", "expand", "repeat", "tile", "view_as", "expand_as", "unflatten"}
)
_OF_PATHS = frozenset({"exists", "is_dir", "is_file"})
"""Methods of pathlib.Path that ask the disk, whose answer is nobody's choice."""

CASTS = frozenset("half bfloat16 float double int long short char byte bool".split())


class Moves(Tensors):
    """The part of the machine that knows where methods put tensors."""

    def trace(self, site: Site, name: str, value: Any, *, moved: bool = False) -> None:
        """A value is bound, in a trace."""
        frame = self.frame.caller
        caller = Site(frame.file, frame.stmt, frame.stmt) if frame is not None else None
        place = each(value, lambda leaf: leaf.attrs.get(PLACE) if isinstance(leaf, Obj) else None)
        self.emit(Bind(site, self.bare_where(), name, value, place, caller, moved))

    # -- devices -------------------------------------------------------------------------------------

    def as_devices(self, value: Any) -> Any:
        """The tree of devices that a value names; a leaf of None where it names none."""
        return each(restrict(value, self.assume), self.as_device)

    def as_device(self, leaf: Any) -> Device | None:
        """The device that a leaf names; None for None."""
        if type(leaf) is DeviceValue or type(leaf) is Tensor:
            return leaf.device
        if type(leaf) is Const:
            if leaf.value is None:
                return None
            if isinstance(leaf.value, int):
                return at("cuda", int(leaf.value)) if leaf.value >= 0 else UNKNOWN
            return parse_device(leaf.value) if isinstance(leaf.value, str) else UNKNOWN
        if type(leaf) is Unknown:
            if leaf.root.kind == "index":
                return leaf.device
            text = leaf.attrs.get("%text")
            if text is not None:
                return at("cuda") if text.startswith("cuda") else UNKNOWN
            return Like(leaf.root, named=True)
        return UNKNOWN

    # -- methods -------------------------------------------------------------------------------------

    def tensor_method(
        self, receiver: Any, name: str, args: list[Any], kwargs: dict[str, Any], node: t.Expr, extra: int
    ) -> Any:
        """A method called on a tensor, or on something unknown."""
        if type(receiver) is Unknown and self._is_asked_tensor(receiver):
            receiver = Tensor(receiver.device, receiver.cause)
        if type(receiver) is Unknown:
            if name in TENSOR_ONLY and receiver.root.kind != "host":
                receiver.root.seen.add("tensor")
            elif name in MODULE_ONLY:
                receiver.root.seen.add("module")
        if name in MOVES or (name == "type" and args):
            return self.move(receiver, name, args, kwargs, node, extra)
        if name == "type" and not kwargs:
            out = self.unknown(f"{spelled(receiver_of(node))}.type()", "host")
            out.attrs["%type_of"] = receiver
            return out
        if name == "is_pinned":
            return self.from_formula(Cond(AVAILABLE, self.opaque("pinned"), False))
        if name == "get_device" and not args:
            return self._card_of(receiver)
        if name in CASTS:
            self.cast(receiver, name, node)
        elif name == "backward":
            self.backwards += 1
        op = METHODS.get(name)
        if type(receiver) is Tensor:
            return self._known_method(receiver, name, op, args, kwargs, node)
        return self._unknown_method(receiver, name, op, args, kwargs, node)

    def _is_asked_tensor(self, value: Unknown) -> bool:
        """Whether an assumption says that something is a tensor: `if isinstance(x, torch.Tensor)`."""
        return any(
            yes
            and type(flag) is tuple
            and len(flag) == 3
            and flag[0] == "isinstance"
            and flag[1].root is value.root
            and flag[2] in (("torch.Tensor",), ("torch.nn.Parameter",))
            for flag, yes in self.assume.items()
        )

    def _card_of(self, receiver: Any) -> Any:
        """`x.get_device()`: the index of its card, or -1 on the CPU (torch.Tensor.get_device)."""
        index = Unknown(Root(f"{receiver!r}.get_device()", "index"), receiver.device)
        return self.from_flag(self.device_type_is(receiver.device, "cuda"), index, Const(-1))

    def _known_method(
        self,
        receiver: Tensor,
        name: str,
        op: Op | None,
        args: list[Any],
        kwargs: dict[str, Any],
        node: t.Expr,
    ) -> Any:
        if name in ("numpy", "__array__"):
            if kwargs.get("force", FALSE) == FALSE:
                self.host_read(receiver, name, node, receiver_of(node))
            self.watch_read(receiver, name, node)
            out = self.unknown("an array", "host")
            out.root.seen.add("array")
            return out
        if name == "requires_grad_" and receiver.grad in ("", "frozen"):
            grad = "frozen" if FALSE in (*args, *kwargs.values()) else "leaf"
            return Tensor(receiver.device, receiver.cause, receiver.zero_dim, grad, receiver.pinned)
        if name == "pin_memory":
            return Tensor(receiver.device, receiver.cause, receiver.zero_dim, "", True)
        if op is None:
            return self.unknown(f".{name}()", "call")
        if name in ("item", "tolist"):
            self.watch_read(receiver, name, node)
        result = self.operate(name, op, [receiver, *args], kwargs, node)
        if name in SHAPED and args and type(result) is Tensor and result.zero_dim is None:
            return Tensor(result.device, result.cause, False)
        return result

    def _leaf_of(self, part: Unknown, node: t.Expr) -> Tensor:
        """A batch, or a part of one, that requires a gradient from now on: so it is a tensor."""
        old = part.cause
        step = (
            Step(old.kind, self.site(node), "made a leaf here", old, old.owner) if old is not None else None
        )
        return Tensor(part.device, step, None, "leaf")

    def _unknown_method(
        self,
        receiver: Unknown,
        name: str,
        op: Op | None,
        args: list[Any],
        kwargs: dict[str, Any],
        node: t.Expr,
    ) -> Any:
        if name == "numpy" and "tensor" in receiver.root.seen and kwargs.get("force", FALSE) == FALSE:
            self.host_read(receiver, name, node, receiver_of(node))
        if name in ("item", "numpy", "tolist"):
            self.watch_read(receiver, name, node)
        of_loader = receiver.cause is not None and receiver.cause.kind == "loader"
        if name == "requires_grad_" and of_loader and FALSE not in (*args, *kwargs.values()):
            return self._leaf_of(receiver, node)
        if op is None or "array" in receiver.root.seen:
            receiver.root.seen.add("asked")
            out = self.unknown(f"{receiver.root.label}.{name}()", "host" if name in _OF_PATHS else "call")
            if isinstance(receiver.device, At) and receiver.root.kind == "iter":
                out.device, out.cause = receiver.device, receiver.cause
            if "array" in receiver.root.seen:
                out.root.seen.add("array")
            return out
        return self.operate(name, op, [receiver, *args], kwargs, node)

    def move(
        self, receiver: Any, name: str, args: list[Any], kwargs: dict[str, Any], node: t.Expr, extra: int
    ) -> Any:
        """`.to(...)`, `.cuda()`, `.cpu()`, `.type(...)` on a tensor, a module or something unknown."""
        target, like, cast = self.destination(name, args, kwargs)
        if target is not None and name == "to" and not self._may_be_another_to(receiver, target):
            self.take(target, ".to", node)
        if target is not None:
            self.watch_device(target, node)
        devices: Any = None
        if like is not None:
            devices = each(like, device_of)
        elif target is not None:
            devices = self.as_devices(target)
        elif extra or (name in ("to", "type") and not cast):
            devices = UNKNOWN
        dropped = self.is_dropped(node)
        site = self.site(node)
        if isinstance(receiver, Obj) and receiver.is_module:
            if devices is not None:
                self.place(receiver, devices)
                if self.tracing:
                    self.trace(site, spelled(receiver_of(node)), receiver, moved=True)
            result: Any = receiver
        else:
            step = Step("move", site, "moved here", getattr(receiver, "cause", None))
            result = self._moved(receiver, devices, step)
        where = self.where()
        if not where.guarded and self.is_chosen(target):
            where = replace(where, guarded=True)
        dtype = self._dtype_argument(args, kwargs) if cast else None
        blocking = kwargs.get("non_blocking", args[1] if name == "cuda" and len(args) > 1 else None)
        after = self.moved_by(receiver_of(node)) if cast and target is None and like is None else None
        self.emit(
            Move(site, where, name, receiver, target, like, cast, dropped, result, dtype, blocking, after)
        )
        self.watch_move(receiver, result, devices, site, blocking)
        return result

    backwards = 0

    def watch_read(self, value: Any, how: str, node: t.Node) -> None:
        """A tensor is read by the host (see `watch`)."""
        raise NotImplementedError

    def watch_move(self, receiver: Any, result: Any, devices: Any, site: Site, blocking: Any) -> None:
        """What a move means for what was done before (see `watch`)."""
        raise NotImplementedError

    def _dtype_argument(self, args: list[Any], kwargs: dict[str, Any]) -> Any:
        given = kwargs.get("dtype")
        return given if given is not None else next((a for a in args if self._is_dtype(a)), None)

    def cast(self, receiver: Any, name: str, node: t.Expr) -> None:
        """`.half()` and the like right after a move: two steps for one."""
        after = self.moved_by(receiver_of(node))
        if after is not None:
            dtype = Lib("torch." + name)
            site, where = self.site(node), self.bare_where()
            self.emit(
                Move(site, where, name, receiver, None, None, True, False, receiver, dtype, after=after)
            )

    def moved_by(self, node: t.Expr | None) -> Move | None:
        """The move that a call was, if it was one to a device."""
        if not (isinstance(node, t.Call) and isinstance(node.func, t.Attr) and node.func.attr in MOVES):
            return None
        found = next((e for e in reversed(self.events) if type(e) is Move and e.site.node is node), None)
        return found if found is not None and (found.target is not None or found.like is not None) else None

    def is_dropped(self, node: t.Expr) -> bool:
        """Whether an expression is a statement, so that its value goes nowhere."""
        stmt = self.frame.stmt
        if not isinstance(stmt, t.ExprStmt):
            return False
        value = stmt.value
        if isinstance(value, t.Display):  # `x.to(device), y.to(device)`
            return any(part is node for part in value.items)
        return value is node or (isinstance(value, t.Comprehension) and value.element is node)

    def _may_be_another_to(self, receiver: Any, target: Any) -> bool:
        """`tokens.to("html")`: something unknown, and a string that names no device."""
        if type(receiver) is not Unknown or receiver.root.seen & {"tensor", "module"}:
            return False
        return any(type(leaf) is Const and not is_valid_device(str(leaf.value)) for leaf in tips(target))

    def place(self, module: Obj, devices: Any) -> None:
        """Moves a module with all that it registered."""
        raise NotImplementedError

    def _moved(self, receiver: Any, devices: Any, step: Step) -> Any:
        if devices is None:
            return self._derive(receiver, getattr(receiver, "zero_dim", None))
        if type(receiver) is Tensor:
            grad = "moved" if receiver.grad in ("leaf", "param") else ""

            def tensor(device: Device | None) -> Tensor:
                if device is None:
                    return receiver
                if device == receiver.device:
                    return Tensor(device, step, receiver.zero_dim, receiver.grad, receiver.pinned)
                return Tensor(device, step, receiver.zero_dim, grad)

            return each(devices, tensor)
        if type(receiver) is Unknown:
            if type(devices) is Cond or devices is None:
                return each(devices, lambda d: Unknown(receiver.root, d or receiver.device, step))
            return Unknown(receiver.root, devices, step)
        return self.unknown("a moved value", "call")

    def destination(self, name: str, args: list[Any], kwargs: dict[str, Any]) -> tuple[Any, Any, bool]:
        """What a move asks for: the device value, or the tensor to follow, and whether a dtype too."""
        if name in ("cuda", "cpu", "xpu", "npu", "hpu", "mtia", "ipu"):
            index = args[0] if args else kwargs.get("device")
            if name != "cpu" and index is not None and not is_none(index):
                return index, None, False
            return Const(name), None, False
        if name == "type":
            if type(args[0]) is Unknown and "%type_of" in args[0].attrs:
                return None, args[0].attrs["%type_of"], True  # "torch.cuda.FloatTensor" names a device, too
            return _legacy_target(args[0])
        cast = "dtype" in kwargs
        target = kwargs.get("device")
        like = kwargs.get("other")
        for arg in args:
            if self._is_dtype(arg):
                cast = True
            elif all(map(_is_tensor, tips(arg))) or any(type(leaf) is Tensor for leaf in tips(arg)):
                like = arg
            elif all(map(_is_no_device, tips(arg))):
                cast = True
            elif target is None and not (type(arg) is Const and isinstance(arg.value, bool)):
                target = arg
        return target, like, cast or like is not None

    def _is_dtype(self, value: Any) -> bool:
        if type(value) is Cond:
            return all(self._is_dtype(leaf) for leaf in tips(value))
        return type(value) is Lib and value.name.startswith("torch.")


def _is_no_device(leaf: Any) -> bool:
    return type(leaf) is Unknown and (leaf.root.kind == "host" or "dtype" in leaf.root.seen)


def _is_tensor(leaf: Any) -> bool:
    """Whether `.to` takes a value for a tensor to follow: neither a device nor a dtype has a shape."""
    return type(leaf) is Tensor or (
        type(leaf) is Unknown and not leaf.root.seen.isdisjoint(("tensor", "shape"))
    )


def spelled(target: t.Expr | None) -> str:
    """A name or a chain of attributes as it is written; "" for anything else."""
    if isinstance(target, t.Attr):
        return f"{spelled(target.value) or '...'}.{target.attr}"
    return target.id if isinstance(target, t.Name) else ""


def receiver_of(node: t.Node) -> t.Expr | None:
    """What a method is called on."""
    return node.func.value if isinstance(node, t.Call) and isinstance(node.func, t.Attr) else None


def _legacy_target(value: Any) -> tuple[Any, Any, bool]:
    """Where `.type(...)` moves to: tensor types name a place, dtypes do not."""

    def place(leaf: Any) -> Any:
        name = leaf.name if type(leaf) is Lib else leaf.value if type(leaf) is Const else ""
        if isinstance(name, str) and name.endswith("Tensor"):
            return Const("cuda" if ".cuda." in name else "cpu")
        return NONE

    target = each(value, place)
    return (None if target == NONE else target), None, True


def parse_device(text: str) -> Device:
    """The device of a string; unknown if torch would reject it."""
    kind, colon, index = text.partition(":")
    if not kind.isalpha() or not kind.islower() or (colon and not index.isdigit()):
        return UNKNOWN
    return CPU if kind == "cpu" else at(kind, int(index) if colon else None)
