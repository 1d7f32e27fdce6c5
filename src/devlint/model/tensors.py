"""Operations on tensors: agreement of operands, factories, methods and moves."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from devlint.model.attributes import is_none
from devlint.model.cond import Cond, each, pairs, restrict, tips
from devlint.model.device import AVAILABLE, CPU, UNKNOWN, At, Device, Like, Verdict, compare
from devlint.model.events import Combine, Create, HostRead
from devlint.model.items import Items
from devlint.model.machine import MORE_KEYWORDS, is_guard
from devlint.model.takes import Taking
from devlint.model.torch.devices import ACCELERATORS
from devlint.model.torch.effects import GROWN, Mix, Op, Out, Rank
from devlint.model.value import (
    FALSE,
    NONE,
    PLACE,
    TRUE,
    Const,
    Obj,
    Root,
    Step,
    Tensor,
    Tuple,
    Unknown,
)
from devlint.syntax import tree as t
from devlint.syntax.walk import argument_of


def device_of(leaf: Any) -> Device | None:
    """Where a leaf lives, if it is, or may be, a tensor."""
    if type(leaf) is Tensor:
        return leaf.device
    return leaf.device if type(leaf) is Unknown and leaf.root.kind != "host" else None


INDICES = frozenset({"nonzero", "torch.nonzero", "where", "torch.where"})
"""They return a tuple of index tensors, one for each dimension, if asked so."""

MANY_ARGUMENTS = 1_000
"""The position of an argument that is given by name only."""


class Tensors(Items, Taking):
    """The part of the machine that knows what operations do with tensors."""

    # -- agreement -----------------------------------------------------------------------------------

    def combine(
        self, name: str, mix: Mix, operands: list[Any], node: t.Node, owner: Obj | None = None
    ) -> None:
        """Emits a Combine for operands that cannot be used together."""
        if len(operands) < 2 or mix is Mix.FREE or mix is Mix.COPY or self.assume.get(AVAILABLE) is False:
            return
        first = operands[0]
        place = None if type(first) is Cond else device_of(first)
        if place is not None and all(type(x) is not Cond and device_of(x) in (place, None) for x in operands):
            return
        world: dict[Any, bool] = {**self.assume, AVAILABLE: True}
        for i, left in enumerate(operands):
            for right in operands[i + 1 :]:
                if left is not right:
                    self._pair(name, mix, left, right, node, owner, world)
            if mix is Mix.INDEX:
                return

    def _pair(
        self,
        name: str,
        mix: Mix,
        left: Any,
        right: Any,
        node: t.Node,
        owner: Obj | None,
        world: dict[Any, bool],
    ) -> None:
        for path, a, b in pairs(left, right, world):
            da, db = device_of(a), device_of(b)
            if da is None or db is None or da is db:
                continue
            verdict = compare(da, db, {**world, **path})
            if verdict is not Verdict.DIFFERENT and verdict is not Verdict.FOLLOWS:
                continue
            if mix is Mix.ELEMENTWISE and (_may_mix(a) or _may_mix(b)):
                continue
            if any(_blurred(flag, value) for flag, value in path.items()) or _chosen_apart(left, right, path):
                continue
            if _is_replaced(left, a, world) or _is_replaced(right, b, world):
                continue
            if _another_item_fits(left, right, world, path):
                continue
            if verdict is Verdict.FOLLOWS and (
                _is_on_wish(left, path, world) or _is_on_wish(right, path, world)
            ):
                continue
            if mix is Mix.INDEX and (db is CPU or _may_be_a_number(b)):
                continue
            self.emit(Combine(self.site(node), self.where(), name, a, b, da, db, verdict, path, owner))
            return

    def is_replaced(self, tree: Any, leaf: Any) -> bool:
        """Whether one of the values that something may have was only there before (see `_is_replaced`)."""
        return _is_replaced(tree, leaf, {**self.assume, AVAILABLE: True})

    def flatten(self, values: Iterable[Any], depth: int = 0) -> list[Any]:
        """The values that may be tensors, those inside tuples and lists too."""
        out: list[Any] = []
        for value in values:
            kind = type(value)
            if kind is Tensor or kind is Unknown or kind is Cond:
                out.append(value)
            elif depth > 4:
                continue
            elif kind is Tuple:
                rest = (value.rest,) if value.rest is not None else ()
                out += self.flatten((*value.items, *rest), depth + 1)
            elif kind is Obj and value.kind == "list":
                inner = [v for k, v in value.attrs.items() if isinstance(k, tuple) or k == "%rest"]
                out += self.flatten(inner, depth + 1)
        return out

    def dominant(self, operands: list[Any]) -> Any:
        """The operand on whose device the result lives. Of one that is this or that, where it is that another
        may count for more."""
        best, best_score = None, -1
        for operand in operands:
            score = _weight(operand)
            if score > best_score:
                best, best_score = operand, score
        if type(best) is not Cond or len(operands) < 2 or all(_weight(x) == best_score for x in tips(best)):
            return best
        other = self.dominant([operand for operand in operands if operand is not best])
        return each(best, lambda leaf: other if _weight(leaf) < _weight(other) else leaf)

    # -- operations by table -------------------------------------------------------------------------

    def operate(
        self, name: str, op: Op, args: list[Any], kwargs: dict[str, Any], node: t.Expr, extra: int = 0
    ) -> Any:
        """The result of an operation of torch's tables; `args[0]` is the receiver of a method."""
        if op.out is Out.NEW:
            return self.create(name, op, args, kwargs, node, extra)
        if (
            args
            and name in INDICES
            and (kwargs.get("as_tuple") == TRUE or (len(args) == 1 and "where" in name))
        ):
            return Tuple((), self._unary_result(GROWN, args[0], name))
        alone = len(args) == 1 and not kwargs and type(args[0]) in (Tensor, Unknown, Cond)
        if alone and op.out is Out.SAME and not op.zero_dim_if_no:
            return self._unary_result(op, args[0], name)
        bound = dict(zip(op.params, args, strict=False))
        bound.update(kwargs)
        if op.operands is not None and op.params:
            named = [bound[p] for p in op.operands if p in bound]
            operands = self.flatten(named)
        else:
            operands = self.flatten([*args, *kwargs.values()])
        if len(operands) > 1:
            self.combine(name, op.mix, operands, node)
        if op.mix is Mix.COPY and len(args) > 1:
            self.watch_copy(args[0], args[1], node)
        for host in op.host_args:
            if host in bound:
                position = op.params.index(host) if host in op.params else MANY_ARGUMENTS
                self.host_argument(bound[host], name, node, argument_of(node, host, position))
        return self.outcome(op, operands, bound, args, kwargs, name, node)

    def _unary_result(self, op: Op, value: Any, name: str) -> Any:
        kind = type(value)
        if kind is Tensor:
            rank = False if op.rank is Rank.SOME else value.zero_dim if op.rank is Rank.KEPT else None
            if op.out is Out.MANY:
                rank = False
            return self._derive(value, rank)
        if kind is Unknown:
            return self.derived(value)
        if kind is Cond:
            return each(value, lambda leaf: self._unary_result(op, leaf, name))
        found = self.flatten([value])
        return self._unary_result(op, self.dominant(found), name) if found else self.unknown(name, "call")

    def watch_copy(self, target: Any, source: Any, node: t.Expr) -> None:
        """`target.copy_(source)` (see `watch`)."""
        raise NotImplementedError

    def watch_device(self, value: Any, node: t.Node) -> None:
        """A device is used to place something (see `watch`)."""
        raise NotImplementedError

    def host_argument(self, value: Any, name: str, node: t.Expr, given: t.Expr | None) -> None:
        """A tensor arrived where PyTorch wants one on the CPU."""
        if type(value) is Unknown and type(value.device) is Like:
            value.root.seen.add("host")
        self.host_read(value, name, node, given, "argument")

    def host_read(
        self, value: Any, name: str, node: t.Expr, given: t.Expr | None = None, kind: str = "numpy"
    ) -> None:
        """A tensor arrived where one on an accelerator is refused: unless a test has shown where it is."""
        places = [d for d in map(device_of, tips(value)) if isinstance(d, Like)]
        if not any(compare(CPU, d, self.assume) is Verdict.SAME for d in places):
            self.emit(HostRead(self.site(node), self.where(), value, name, kind, given))

    def as_devices(self, value: Any) -> Any:
        """The tree of devices that a value names; a leaf of None where it names none."""
        raise NotImplementedError

    def outcome(
        self, op: Op, operands: list[Any], bound: Mapping[str, Any], args: list[Any], kwargs: dict[str, Any],
        name: str, node: t.Expr,
    ) -> Any:  # fmt: skip
        """What an operation returns."""
        out = op.out
        if out is Out.HOST:
            return self.unknown(name, "host")
        if out is Out.NONE:
            return NONE
        if out is Out.RECEIVER:
            return args[0] if args else self.unknown(name, "call")
        if out is Out.UNKNOWN:
            return self.unknown(name, "call")
        if out is Out.CPU:
            return Tensor(CPU, Step("host", self.site(node), "made on the CPU here"), False)
        source = self.dominant(operands)
        if out is Out.LIKE:
            device = kwargs.get("device")
            if device is not None and not is_none(device):
                return self.placed(device, name, node)
            source = args[op.like] if len(args) > op.like else source
        if source is None:
            return self.unknown(name, "call")
        zero_dim = self._rank(op, operands, bound)
        if out is Out.SCALAR:
            zero_dim = True
        result = each(source, lambda leaf: self._derive(leaf, zero_dim))
        if len(operands) > 1 and type(result) is Tensor and result.device is CPU:
            result = _joint(result, operands, op.mix)
        if out is Out.MANY:
            if op.zero_dim_if_no and not any(p in bound for p in op.zero_dim_if_no):
                return result
            if op.pairwise and len(operands) > 1:
                return result
            items = [result] * op.count
            for i in op.host_items:
                items[i] = Tensor(CPU, None, False)
            return Tuple(tuple(items), None if op.count else result)
        return result

    def _derive(self, leaf: Any, zero_dim: bool | None) -> Any:
        if type(leaf) is Tensor:
            if leaf.zero_dim is zero_dim and not leaf.grad and leaf.pinned is not True:
                return leaf
            pinned = None if leaf.pinned is not False else False  # a view is, a result is not
            return Tensor(leaf.device, leaf.cause, zero_dim, "", pinned)
        return self.derived(leaf) if type(leaf) is Unknown else leaf

    def _rank(self, op: Op, operands: list[Any], bound: Mapping[str, Any]) -> bool | None:
        if op.zero_dim_if_no:
            dim = bound.get("dim")
            if type(dim) is Const and type(dim.value) is int and dim.value > 0:
                return False  # what has a second dimension keeps the first one
            given = [bound[p] for p in op.zero_dim_if_no if p in bound]
            if all(is_none(v) for v in given):
                return True
            if any(type(v) is Const and v.value in ("mean", "sum") for v in given):
                return True
            return None
        if op.rank is Rank.SOME or op.out is Out.MANY:
            return False
        if op.rank is Rank.KEPT:
            return broadcast_rank(operands)
        return None

    # -- factories -----------------------------------------------------------------------------------

    def create(
        self, name: str, op: Op, args: list[Any], kwargs: dict[str, Any], node: t.Expr, extra: int
    ) -> Any:
        """A factory of torch: on `device=`, else like its data, else on the default device."""
        bound = dict(zip(op.params, args, strict=False))
        bound.update(kwargs)
        device = bound.get("device")
        zero_dim = self._made_rank(name, op, args, kwargs)
        grad = "leaf" if bound.get("requires_grad") == Const(True) else ""
        source = next((bound[p] for p in op.follows if p in bound and self.flatten([bound[p]])), None)
        if source is not None and op.follows_items and type(source) not in (Tensor, Cond, Unknown):
            source = self.flatten([source])[0]
        site = self.site(node)

        def default() -> Any:
            if extra & MORE_KEYWORDS and device is None:
                return Tensor(UNKNOWN, Step("placed", site, "created here"), zero_dim, grad)
            if source is not None and type(source) in (Tensor, Cond, Unknown):
                return each(
                    source, lambda leaf: self._derive(leaf, zero_dim) if follows(leaf) else made_anew()
                )
            return made_anew()

        def follows(leaf: Any) -> bool:
            """Data that is a tensor stays where it is; what torch.tensor is given is seldom one."""
            if type(leaf) is Unknown:
                return name != "torch.tensor" or "tensor" in leaf.root.seen
            return type(leaf) is Tensor

        def made_anew() -> Any:
            ambient = self.frame.ambient if self.frame.ambient is not None else self.default_device
            if ambient is not None:
                return each(self.as_devices(ambient), lambda d: Tensor(d, None, zero_dim, grad))
            faulty = self.frame.forward and not self.asks_place()
            kind = "copied" if op.follows and not op.random else "create"
            step = Step(kind, site, "created on the CPU here", None, faulty)
            return Tensor(CPU, step, zero_dim, grad, bound.get("pin_memory", FALSE) != FALSE or False)

        if device is None:
            result = default()
        else:
            self.take(device, "device=", node)
            self.watch_device(device, node)
            step = Step("placed", site, "created here")

            def made(leaf: Any) -> Any:
                return default() if leaf is None else Tensor(leaf, step, zero_dim, grad)

            result = each(self.as_devices(device), made)
        is_source = device is None and type(source) in (Tensor, Cond, Unknown)
        ambient = self.frame.ambient is not None or self.default_device is not None
        if not (extra & MORE_KEYWORDS and device is None) and not is_source:
            given = bound.get("generator")
            if isinstance(given, Obj) and given.kind == "generator":
                self._check_generator(given, result, node)
            self.emit(Create(site, self.where(), name, device, result, ambient, op.random, given is not None))
        return result

    def _check_generator(self, generator: Obj, result: Any, node: t.Expr) -> None:
        """A generator draws on its own device only (torch.Generator)."""
        world = {**self.assume, AVAILABLE: True}
        for _, mine, made in pairs(generator.attrs[PLACE], result, world):
            if type(made) is Tensor and compare(mine, made.device, world) is Verdict.DIFFERENT:
                self.emit(HostRead(self.site(node), self.where(), made, "generator", "generator"))
                return

    def _made_rank(self, name: str, op: Op, args: list[Any], kwargs: dict[str, Any]) -> bool | None:
        if op.rank is Rank.SOME:
            return False
        short = name.rsplit(".", 1)[-1]
        data = args[0] if args else next(iter(kwargs.values()), None)
        if short in ("tensor", "as_tensor", "asarray", "scalar_tensor"):
            if type(data) is Const or short == "scalar_tensor":
                return True
            known = type(data) is Tuple or isinstance(data, Obj)
            known = known or (type(data) is Unknown and "list" in data.root.seen)
            return False if known else None
        return type(data) is Tuple and not data.items and data.rest is None

    def placed(self, device: Any, name: str, node: t.Expr) -> Any:
        """A tensor made on a device that is given."""
        self.take(device, "device=", node)
        step = Step("placed", self.site(node), "created here")
        return each(self.as_devices(device), lambda d: Tensor(d if d is not None else UNKNOWN, step, None))


def _chosen_apart(left: Any, right: Any, path: Mapping[Any, bool]) -> bool:
    """Whether each of two values is where it is by a choice of its own: such choices go together."""
    if type(left) is not Cond or type(right) is not Cond:
        return False
    return not path.keys().isdisjoint(left.flags - right.flags) and not path.keys().isdisjoint(
        right.flags - left.flags
    )


def _is_on_wish(tree: Any, path: Mapping[Any, bool], world: Mapping[Any, bool]) -> bool:
    """Whether a value is on an accelerator where one is asked for (`if self.use_cuda: x = x.cuda()`), and
    here it is not: then what moves about in the program has not moved either."""
    for flag, value in path.items():
        if is_guard(flag, not value):
            wished = tips(restrict(tree, {**world, **path, flag: not value}))
            if any(isinstance(d, At) and d.type in ACCELERATORS for d in map(device_of, wished)):
                return True
    return False


def broadcast_rank(operands: Iterable[Any]) -> bool | None:
    """Whether what operands make together has no dimensions; None if that is not known."""
    ranks = {x.zero_dim if type(x) is Tensor else None for x in operands}
    return False if False in ranks else True if ranks == {True} else None


def _may_be_a_number(index: Any) -> bool:
    """Whether an index may have no dimensions: it is read then, wherever it is."""
    if type(index) is Tensor:
        return index.zero_dim is not False
    return type(index) is Unknown and "%item" in index.attrs  # `xs[0][i]`


def _is_replaced(tree: Any, leaf: Any, world: Mapping[Any, bool]) -> bool:
    """Whether a plain attribute on the CPU is only what was there before: on other ways it has been replaced
    by what lies elsewhere (`if self.grid.shape != x.shape: self.grid = ...`)."""
    if type(tree) is not Cond or type(leaf) is not Tensor or leaf.device is not CPU:
        return False
    if leaf.cause is None or leaf.cause.kind != "store":
        return False
    return any(
        device_of(tip) not in (CPU, None)
        and (type(tip) is Unknown or tip.cause is None or _replaces(tip.cause, leaf.cause))
        for tip in tips(restrict(tree, world))
    )


def _replaces(step: Step, store: Step) -> bool:
    """Whether a value is no other plain attribute, and none that was registered instead: what stands there by
    the same name, or was made for it."""
    return step.kind != "module" and (step.kind != "store" or step.text == store.text)


def _blurred(flag: Any, value: bool) -> bool:
    """Whether a flag is that of a value which was given up on, so that what it implies is not known; or says
    that a method was not called, or that a function was left early, which nobody knows."""
    if type(flag) is tuple and (flag[0] == "left" or (flag[0] == "called" and not value)):
        return True
    subject = flag[1] if type(flag) is tuple else None
    root = subject.root if type(subject) is Unknown else subject
    return isinstance(root, Root) and root.kind == "join"


def _another_item_fits(left: Any, right: Any, world: dict[Any, bool], path: Mapping[Any, bool]) -> bool:
    """Whether it depends on the item of a container that was taken, and another one would be right: which one
    it is, by an index or a key, is not known."""
    known = {flag: value for flag, value in path.items() if not _is_item(flag)}
    if len(known) == len(path):
        return False
    for _, a, b in pairs(left, right, {**world, **known}):
        da, db = device_of(a), device_of(b)
        if da is None or db is None:
            continue
        if da is db or compare(da, db, {**world, **known}) not in (Verdict.DIFFERENT, Verdict.FOLLOWS):
            return True
    return False


def _is_item(flag: Any) -> bool:
    return type(flag) is tuple and flag[0] == "item"


def _may_mix(leaf: Any) -> bool:
    """Whether a leaf is a CPU tensor that is, or may be, 0-dim; what was saved may be a plain number."""
    if type(leaf) is Unknown and leaf.root.kind == "checkpoint":
        return "tensor" not in leaf.root.seen
    return type(leaf) is Tensor and leaf.device is CPU and leaf.zero_dim is not False


def _joint(result: Tensor, operands: list[Any], mix: Mix) -> Tensor:
    """A result on the CPU because of several operands: each of them is to be put right, but for those without
    dimensions that may stay."""
    cause = result.cause
    if cause is None:
        return result
    known = {cause, *cause.also}
    others = [
        x.cause
        for x in operands
        if type(x) is Tensor and x.device is CPU and x.cause is not None and x.cause not in known
        if not (mix is Mix.ELEMENTWISE and x.zero_dim and not result.zero_dim)
    ]
    if not others or len(cause.also) > 4:
        return result
    step = Step(cause.kind, cause.site, cause.text, cause.prev, cause.owner, (*cause.also, *others))
    return Tensor(result.device, step, result.zero_dim, result.grad, result.pinned)


def _weight(operand: Any) -> int:
    if type(operand) is Cond:
        return max(_weight(leaf) for leaf in tips(operand))
    if type(operand) is not Unknown and type(operand) is not Tensor:
        return -1
    if type(operand) is Unknown:
        return 4 if "tensor" in operand.root.seen else 1 if operand.root.kind == "host" else 2
    if operand.device is CPU:
        return 2 if isinstance(operand, Tensor) and operand.zero_dim else 3
    return 5
