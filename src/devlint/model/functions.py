"""Functions of torch and others that have a meaning of their own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from devlint.model.attributes import is_none
from devlint.model.cond import Cond, each, tips
from devlint.model.device import AVAILABLE, CPU, UNKNOWN, At, Device, at
from devlint.model.events import Load
from devlint.model.higher import Higher
from devlint.model.torch.devices import means_device
from devlint.model.value import (
    FALSE,
    NONE,
    PLACE,
    TRUE,
    Const,
    DeviceValue,
    Function,
    Lib,
    Obj,
    Root,
    Step,
    Tensor,
    Unknown,
)
from devlint.syntax import tree as t


class Functions(Higher):
    """The part of the machine that calls functions with a meaning of their own."""

    def _is_tensor(self, args: list[Any], kwargs: dict[str, Any], node: t.Expr, extra: int) -> Any:
        return self.builtin("builtins.isinstance", [*args, Lib("torch.Tensor")], kwargs, node, extra)

    def _device(self, args: list[Any], kwargs: dict[str, Any], node: t.Expr, extra: int) -> Any:
        value = args[0] if args else kwargs.get("type", kwargs.get("device"))
        index = args[1] if len(args) > 1 else kwargs.get("index")
        if type(index) is Cond:
            index = next((leaf for leaf in tips(index) if type(leaf) is Unknown), index)
        if value is None:
            return self.unknown("a device", "call")
        self.take(value, "torch.device", node, index)
        if not isinstance(self.frame.stmt, t.ExprStmt):  # there it may be for a comparison: `assertEqual`
            self.watch_index(value if index is None else index, node)

        def made(leaf: Any) -> Any:
            device = self.as_device(leaf)
            if device is None:
                return DeviceValue(UNKNOWN)
            if isinstance(device, At) and index is not None and device.type != "cpu":
                number = index.value if type(index) is Const and isinstance(index.value, int) else None
                device = at(device.type, number)
            if type(index) is Unknown:
                return DeviceValue(device)  # which card it is was chosen elsewhere
            literal = (
                leaf
                if type(leaf) is Const and isinstance(leaf.value, str)
                else getattr(leaf, "literal", None)
            )
            return DeviceValue(device, literal)

        return each(value, made)

    def _set_default(self, args: list[Any], kwargs: dict[str, Any], node: t.Expr, extra: int) -> Any:
        if args:
            self.take(args[0], "torch.set_default_device", node)
            self.default_device = None if is_none(args[0]) else args[0]
        return NONE

    def _set_default_type(self, args: list[Any], kwargs: dict[str, Any], node: t.Expr, extra: int) -> Any:
        names = (
            [leaf.name if type(leaf) is Lib else str(getattr(leaf, "value", "")) for leaf in tips(args[0])]
            if args
            else []
        )
        if any(".cuda." in n for n in names):
            self.default_device = Const("cuda")
        return NONE

    def _parameter(self, args: list[Any], kwargs: dict[str, Any], node: t.Expr, extra: int) -> Any:
        data = args[0] if args else kwargs.get("data")
        return self._registered(data, node, "param")

    def _variable(self, args: list[Any], kwargs: dict[str, Any], node: t.Expr, extra: int) -> Any:
        """`Variable(x)` is x since PyTorch 0.4; with `requires_grad=True` it is a new leaf."""
        data = args[0] if args else kwargs.get("data")
        wanted = kwargs.get("requires_grad", args[1] if len(args) > 1 else FALSE)

        def leaf(x: Any) -> Any:
            if type(x) is not Tensor or x.grad or wanted != TRUE:
                return x
            old = x.cause
            step = Step(old.kind, self.site(node), old.text, old.prev, old.owner) if old is not None else None
            return Tensor(x.device, step, x.zero_dim, "leaf")

        return self.unknown("a variable", "call") if data is None else each(data, leaf)

    def _buffer(self, args: list[Any], kwargs: dict[str, Any], node: t.Expr, extra: int) -> Any:
        return self._registered(args[0] if args else kwargs.get("data"), node, "param")

    def _registered(self, data: Any, node: t.Expr, grad: str) -> Any:
        step = Step("param", self.site(node), "made here")

        def made(leaf: Any) -> Any:
            cause = Step("param", step.site, step.text, getattr(leaf, "cause", None))
            if type(leaf) is Tensor:
                return Tensor(leaf.device, cause, leaf.zero_dim, grad)
            return Tensor(leaf.device if type(leaf) is Unknown else UNKNOWN, cause, False, grad)

        return each(data, made)

    def _load(self, args: list[Any], kwargs: dict[str, Any], node: t.Expr, extra: int) -> Any:
        place = args[1] if len(args) > 1 else kwargs.get("map_location")
        if place is not None:
            self.take(place, "map_location", node)
        source = args[0] if args else kwargs.get("f")
        available = self.assume.get(AVAILABLE) is True
        device: Device = UNKNOWN
        if isinstance(place, Function):
            device = CPU
        elif place is not None and not isinstance(place, Obj):
            tree = self.as_devices(place)
            device = tree if isinstance(tree, Device) else UNKNOWN
        step = Step("load", self.site(node), "loaded here")
        result = Unknown(Root("torch.load()", "checkpoint"), device, step)
        self.emit(Load(self.site(node), self.where(), place, bool(extra), source, available, result))
        return result

    def _set_state(self, args: list[Any], kwargs: dict[str, Any], node: t.Expr, extra: int) -> Any:
        """The state of a random generator, of any device, is a tensor on the CPU."""
        self.becomes_state((*args[:1], *kwargs.values()))
        return NONE

    def becomes_state(self, values: Sequence[Any]) -> None:
        """Values become the state of what has no tensors on an accelerator in it."""
        for value in values:
            for leaf in tips(value):
                if type(leaf) is Unknown:
                    leaf.root.seen.add("state")

    def _accelerator(self, args: list[Any], kwargs: dict[str, Any], node: t.Expr, extra: int) -> Any:
        return Cond(AVAILABLE, DeviceValue(at("cuda")), NONE)

    def _generator(self, args: list[Any], kwargs: dict[str, Any], node: t.Expr, extra: int) -> Any:
        device = args[0] if args else kwargs.get("device")
        out = Obj("generator", self.site(node), None, "torch.Generator")
        out.attrs[PLACE] = CPU
        if device is not None:
            self.take(device, "device=", node)
            out.attrs[PLACE] = each(self.as_devices(device), lambda d: d if d is not None else CPU)
        return out

    def _global_rank(self, args: list[Any], kwargs: dict[str, Any], node: t.Expr, extra: int) -> Any:
        return self.unknown("the global rank", "rank")

    def _start_ranks(self, args: list[Any], kwargs: dict[str, Any], node: t.Expr, extra: int) -> Any:
        self.start_ranks(kwargs, node)
        return NONE

    def start_ranks(self, kwargs: dict[str, Any], node: t.Expr) -> None:
        """This process becomes a rank of several (see `ranks`)."""
        raise NotImplementedError

    def _environment(self, args: list[Any], kwargs: dict[str, Any], node: t.Expr, extra: int) -> Any:
        found = self.environment(args[0] if args else None)
        default = args[1] if len(args) > 1 else kwargs.get("default")
        if type(default) is Const and type(found) is Unknown and means_device(str(default.value)):
            return self.either(Cond(("given", found.root), True, False), found, default)
        return found

    def environment(self, key: Any) -> Any:
        """A variable of the environment: torchrun's ranks are known (torch.distributed.run)."""
        name = key.value if type(key) is Const else None
        if name in ("LOCAL_RANK", "CUDA_VISIBLE_DEVICES", "SLURM_LOCALID"):
            self.called.add(str(name))
            return self.unknown("the local rank", "call")
        return (
            self.unknown("the global rank", "rank")
            if name == "RANK"
            else self.unknown("os.environ", "option")
        )

    def _save(self, args: list[Any], kwargs: dict[str, Any], node: t.Expr, extra: int) -> Any:
        if args:
            self.watch_save(args[0], args[1] if len(args) > 1 else kwargs.get("f"), node)
        return NONE

    def _consume_prefix(self, args: list[Any], kwargs: dict[str, Any], node: t.Expr, extra: int) -> Any:
        for leaf in tips(args[0]) if args else ():
            if isinstance(leaf, Obj) and "%module" in leaf.attrs:
                self.write(leaf.attrs, "%module", NONE)  # no wrapper's any more
        return NONE

    def watch_save(self, value: Any, target: Any, node: t.Expr) -> None:
        """Something is saved (see `watch`)."""
        raise NotImplementedError

    def _set_index(self, args: list[Any], kwargs: dict[str, Any], node: t.Expr, extra: int) -> Any:
        if args:
            self.watch_index(args[0], node)
        return NONE

    def watch_index(self, value: Any, node: t.Node) -> None:
        """Something is taken for the index of a card (see `ranks`)."""
        raise NotImplementedError

    def _autocast(self, args: list[Any], kwargs: dict[str, Any], node: t.Expr, extra: int) -> Any:
        return self.unknown("autocast()", "call")

    def _from_numpy(self, args: list[Any], kwargs: dict[str, Any], node: t.Expr, extra: int) -> Any:
        return Tensor(CPU, Step("host", self.site(node), "comes from NumPy, on the CPU, here"), False)
