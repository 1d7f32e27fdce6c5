"""Modules: what they register, where they are, what calling them does."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from devlint.model.cond import Cond, each, tips
from devlint.model.contexts import LISTS
from devlint.model.device import CPU, UNKNOWN, At, Device, Like, Verdict
from devlint.model.events import Build, Combine
from devlint.model.libraries import module_base, network
from devlint.model.moves import CASTS, Moves
from devlint.model.reach import REGISTERS
from devlint.model.tensors import device_of
from devlint.model.torch.effects import Mix, Op
from devlint.model.torch.modules import MODULES, ModuleInfo
from devlint.model.value import (
    FALSE,
    NONE,
    PLACE,
    REST,
    Bound,
    Const,
    DeviceValue,
    Function,
    Obj,
    Root,
    Step,
    Tensor,
    Tuple,
    Unknown,
    item,
)
from devlint.syntax import tree as t
from devlint.syntax.walk import argument_of

SELF_METHODS = frozenset(
    "train eval requires_grad_ apply half float double bfloat16 type share_memory to_empty compile zero_grad "
    "freeze unfreeze".split()
)
PARAMETERS = frozenset({"parameters", "buffers"})
NAMED = frozenset({"named_parameters", "named_buffers"})
CHILDREN = frozenset({"children", "modules"})
UNKNOWN_MODULE = ModuleInfo(state="option", call="any")


class Modules(Moves):
    """The part of the machine that knows torch.nn.Module."""

    def build(self, lib: str, info: ModuleInfo, args: list[Any], kwargs: dict[str, Any], node: t.Expr) -> Obj:
        """An instance of a library's module class."""
        site = self.site(node)
        obj = Obj("module", site, None, lib)
        device = kwargs.get("device")
        ambient = self.frame.ambient if self.frame.ambient is not None else self.default_device
        default: Any = CPU if ambient is None else self.as_devices(ambient)
        place = default
        if device is not None and info.takes_device:
            self.take(device, "device=", node)
            place = each(self.as_devices(device), lambda d: d if d is not None else default)
        obj.attrs[PLACE] = place
        if info.state_if and not any(_asked(args, kwargs, *option) for option in info.state_if):
            obj.attrs["%stateless"] = True
        if info.container is not None:
            self._fill(obj, info, args, kwargs)
        else:
            for name in info.tensor_state_args:
                value = kwargs.get(name, args[0] if args and name == "weight" else None)
                if value is not None and type(value) in (Tensor, Cond, Unknown):
                    obj.attrs[name] = value
                    obj.registered.add(name)
            for value in (*args, *kwargs.values()):
                if isinstance(value, Obj) and value.is_module:
                    value.attrs.setdefault("%owned", obj)
                    obj.attrs[item(len(obj.attrs))] = value
        self.emit(Build(site, self.bare_where(), obj, lib))
        return obj

    def _fill(self, obj: Obj, info: ModuleInfo, args: list[Any], kwargs: dict[str, Any]) -> None:
        if info.container == "sequential" and not (
            len(args) == 1 and isinstance(args[0], Obj) and args[0].kind == "dict"
        ):
            for i, value in enumerate(args):
                obj.attrs[item(i)] = value
                self.adopt(value, obj)
        elif args:
            self.extend(obj, args[0])
        for name, value in kwargs.items():
            obj.attrs[item(name)] = value
            self.adopt(value, obj)

    def adopt(self, value: Any, owner: Obj | None = None, depth: int = 0) -> None:
        """Marks the modules in a value as registered: in `owner`, or somewhere. The first owner stays."""
        for leaf in tips(value):
            inner: list[Any] = []
            if isinstance(leaf, Obj) and leaf.is_module:
                leaf.attrs.setdefault("%owned", owner or True)
            elif isinstance(leaf, Obj) and leaf.kind in LISTS:
                inner = [v for k, v in leaf.attrs.items() if isinstance(k, tuple) or k == REST]
            elif type(leaf) is Tuple:
                inner = [*leaf.items, *((leaf.rest,) if leaf.rest is not None else ())]
            if depth < 5:
                for x in inner:
                    self.adopt(x, owner, depth + 1)

    def extend(self, obj: Obj, value: Any) -> None:
        """Puts the elements of a value into a container, one by one where they are known."""
        if type(value) is Cond:
            self.add_item(obj, self.iterate(value, None), summary=True)
            return
        if obj.is_module:
            self.adopt(value, obj)
        if isinstance(value, Obj) and value.kind in ("list", "dict", "module", "set", "iterator"):
            for key, inner in list(value.attrs.items()):
                if isinstance(key, tuple) and obj.kind != "list":
                    self.write(obj.attrs, key, inner)
                elif isinstance(key, tuple):
                    self.add_item(obj, inner)
                elif key == REST:
                    self.add_item(obj, inner, summary=True)
            return
        if type(value) is Tuple:
            for inner in value.items:
                self.add_item(obj, inner)
            if value.rest is not None:
                self.add_item(obj, value.rest, summary=True)
            return
        self.add_item(obj, self.iterate(value, None), summary=True)

    # -- place ---------------------------------------------------------------------------------------

    def place(self, module: Obj, devices: Any) -> None:
        """Moves a module with all that it registered; what it did not register stays."""
        self._place(module, devices, set())

    def _place(self, module: Obj, devices: Any, seen: set[int]) -> None:
        if id(module) in seen:
            return
        seen.add(id(module))
        old = module.attrs.get(PLACE, CPU)
        where = each(devices, lambda d: d if d is not None else old)
        self.write(module.attrs, PLACE, where)
        if module.cls is not None and self._moves_itself(module, where):
            return
        for key, value in list(module.attrs.items()):
            if isinstance(key, tuple) or key == REST or key in module.registered:
                self._place_value(module, key, value, where, seen)

    def _place_value(self, module: Obj, key: Any, value: Any, where: Any, seen: set[int]) -> None:
        if any(type(leaf) is Tensor or _is_loaded(leaf) for leaf in tips(value)):

            def moved(leaf: Any) -> Any:
                if _is_loaded(leaf):
                    return each(where, lambda d: Unknown(leaf.root, d, leaf.cause))
                if type(leaf) is not Tensor or _is_plain(leaf, key):
                    return leaf
                made = (
                    leaf.cause.owner if leaf.cause is not None and leaf.cause.kind == "module" else leaf.cause
                )
                step = Step("module", module.site, "its module is made here", None, made)
                return each(where, lambda d: Tensor(d, step, leaf.zero_dim, leaf.grad))

            self.write(module.attrs, key, each(value, moved))
        for leaf in tips(value):
            if isinstance(leaf, Obj) and leaf.is_module:
                self._place(leaf, where, seen)

    def _moves_itself(self, module: Obj, where: Any) -> bool:
        """A class that overrides `_apply` or `to` moves more than it registered: all its tensors."""
        assert module.cls is not None
        if module.cls.find("_apply") is None:
            return False
        for key, value in list(module.attrs.items()):
            if isinstance(key, str) and not key.startswith("%"):
                self._place_value(module, key, value, where, set())
        return True

    def device_tree(self, module: Obj) -> Any:
        """Where a module is."""
        return module.attrs.get(PLACE, CPU)

    def whole_tree(self, module: Obj) -> Any:
        """Where the parameters of a module and all its parts are: unknown if not in one place."""
        places = [self.device_tree(part) for part in stateful_parts(module, set())]
        if any(place != places[0] for place in places):
            return UNKNOWN
        return places[0] if places else self.device_tree(module)

    def parameters_of(self, module: Obj) -> Any:
        """A parameter of a module or of one of its parts, as a tensor."""
        return _parameter(module, self.whole_tree(module))

    def state(self, module: Obj) -> Any:
        """A parameter of a module itself, as a tensor."""
        return _parameter(module, self.device_tree(module))

    # -- attributes and methods ----------------------------------------------------------------------

    def lib_obj_attr(self, obj: Obj, name: str, node: t.Expr) -> Any:
        """An attribute that the project does not define."""
        if obj.is_module:
            if obj.kind == "module" and name.startswith(("weight", "bias")) and obj.lib in MODULES:
                return self.state(obj)
            if name in _STATISTICS and obj.lib in MODULES:
                return each(self.state(obj), _without_gradient)
            if item(name) in obj.attrs:
                return obj.attrs[item(name)]
            if name == "device" and self.follows(obj):
                return each(self.whole_tree(obj), DeviceValue)
            if name == "training":
                return self.remembered(obj, name, "state")
            if obj.lib in _PARALLEL and name == "module" and item(0) in obj.attrs:
                return obj.attrs[item(0)]
        if obj.kind == "generator" and name == "device":
            return each(obj.attrs[PLACE], DeviceValue)
        if obj.kind == "distribution" and not self.is_called(node):
            return each(obj.attrs["%source"], lambda leaf: self._derive(leaf, False))
        if obj.kind in ("namespace", "instance", "object", "module"):
            if isinstance(node, t.Attr) and self.is_called(node):
                return Bound(obj, name)
            return self.remembered(obj, name, "option" if obj.kind == "namespace" else "attribute")
        return Bound(obj, name)

    def follows(self, obj: Obj) -> bool:
        """Whether a module's own `device` is right: that of Lightning, of Transformers."""
        if obj.cls is None and obj.lib.startswith("transformers."):
            return True  # what AutoModel makes is a PreTrainedModel
        base = obj.cls.base if obj.cls is not None else module_base(obj.lib)
        return base is not None and base.device

    def is_called(self, node: t.Expr) -> bool:
        """Whether an attribute is read to be called at once."""
        return self.callee is node

    def module_method(
        self, obj: Obj, name: str, args: list[Any], kwargs: dict[str, Any], node: t.Expr
    ) -> Any:
        """A method of nn.Module itself; None where it has none of that name."""
        if name in ("to", "cuda", "cpu", "xpu", "npu", "hpu") or (name == "type" and args):
            return self.move(obj, name, args, kwargs, node, False)
        if name == "to_empty" and "device" in kwargs:
            self.take(kwargs["device"], "device=", node)
            self.place(obj, self.as_devices(kwargs["device"]))
        if name in SELF_METHODS:
            if name in CASTS:
                self.cast(obj, name, node)
            elif name == "requires_grad_" and FALSE in (*args, *kwargs.values()):
                obj.attrs["%frozen"] = True
            return obj
        if name in PARAMETERS:
            return self.iterator(self.parameters_of(obj))
        if name in NAMED:
            return self.iterator(Tuple((self.unknown("a name", "host"), self.parameters_of(obj))))
        if name in CHILDREN:
            return self.iterator(self._child(obj))
        if name in ("named_children", "named_modules"):
            return self.iterator(Tuple((self.unknown("a name", "host"), self._child(obj))))
        if name == "state_dict":
            out = Obj("dict", self.site(node))
            out.lib = "state_dict"
            out.root = Root("a state_dict", "checkpoint")
            out.attrs["%module"] = obj
            out.attrs[REST] = self.parameters_of(obj)
            return out
        if name == "set_submodule" and len(args) > 1:
            self.adopt(args[1])
            return NONE
        if name in REGISTERS:
            self._register(obj, name, args, kwargs, node)
            if self.tracing and args and type(args[0]) is Const and isinstance(args[0].value, str):
                self.trace(self.site(node), f"self.{args[0].value}", obj.attrs.get(args[0].value, NONE))
            return NONE
        if name in ("append", "extend", "insert", "update", "pop", "items", "values", "keys", "__setitem__"):
            return self.container_method(obj, name, args, kwargs, node)
        return None

    def container_method(
        self, obj: Obj, name: str, args: list[Any], kwargs: dict[str, Any], node: t.Expr
    ) -> Any:
        """A method of a list, dict or module container."""
        raise NotImplementedError

    def _unknown_method(
        self,
        receiver: Unknown,
        name: str,
        op: Op | None,
        args: list[Any],
        kwargs: dict[str, Any],
        node: t.Expr,
    ) -> Any:
        if name in PARAMETERS or name in NAMED:
            step = Step("module", self.site(node), "a parameter of a module", receiver.cause, receiver)
            parameter = Tensor(receiver.device, step, False, "param")
            named = Tuple((self.unknown("a name", "host"), parameter))
            return self.iterator(parameter if name in PARAMETERS else named)
        return super()._unknown_method(receiver, name, op, args, kwargs, node)

    def iterator(self, element: Any) -> Obj:
        """An iterator of elements."""
        out = Obj("iterator", self.site(self.frame.stmt))
        out.attrs[REST] = element
        return out

    def _child(self, obj: Obj) -> Any:
        found = [
            v
            for k, v in obj.attrs.items()
            if isinstance(v, Obj)
            and v.is_module
            and (isinstance(k, tuple) or k in obj.registered or k == REST)
        ]
        if len(found) == 1:
            return found[0]
        child = Obj("module", obj.site, None, "?")
        child.attrs[PLACE] = self.device_tree(obj)
        child.attrs["%owned"] = True
        return child

    def _register(self, obj: Obj, how: str, args: list[Any], kwargs: dict[str, Any], node: t.Expr) -> None:
        name = args[0] if args else kwargs.get("name")
        value = (
            args[1]
            if len(args) > 1
            else next((kwargs[k] for k in ("tensor", "param", "module", "default") if k in kwargs), NONE)
        )
        self.adopt(value, obj)
        if type(name) is Const and isinstance(name.value, str):
            obj.registered.add(name.value)
            self.write(obj.attrs, name.value, value)
        else:
            obj.registered.add("*")

    # -- calls ---------------------------------------------------------------------------------------

    def call_module(self, obj: Obj, args: list[Any], kwargs: dict[str, Any], node: t.Expr, extra: int) -> Any:
        """Calling a module."""
        if "forward" in obj.attrs:
            return self.call(obj.attrs["forward"], args, kwargs, node, extra)
        if obj.cls is not None:
            forward = obj.cls.find("forward")
            if forward is not None and isinstance(forward[0], Function):
                where = self.where() if any(map(_is_tensor, (*args, *kwargs.values()))) else None
                passed = [
                    self._passed(a, obj, node, argument_of(node, None, i), where) for i, a in enumerate(args)
                ]
                named = {
                    k: self._passed(v, obj, node, argument_of(node, k, len(args)), where)
                    for k, v in kwargs.items()
                }
                if all(_is_named(place) for place in tips(obj.attrs.get(PLACE))):
                    self.run_somewhere.add(id(obj.cls.node))
                result = self.call_function(forward[0].bound(obj), passed, named, extra)
                return self._returned(result, obj)
            return self.unknown("a module's result", "call")
        info = MODULES.get(obj.lib) or network(obj.lib) or UNKNOWN_MODULE
        if info.container == "sequential":
            return self._call_sequential(obj, args, node, extra)
        if obj.lib in _PARALLEL and item(0) in obj.attrs:
            if "%scatters" in obj.attrs:
                args = [self._scattered(value, obj) for value in args]
                kwargs = {name: self._scattered(value, obj) for name, value in kwargs.items()}
            return self.call(obj.attrs[item(0)], args, kwargs, node, extra)
        given = [*args, *kwargs.values()]
        if info.inputs is not None:
            given = [*args[:1], *(value for name, value in kwargs.items() if name in info.inputs)]
        operands = self.flatten(given)
        for operand in operands if info is not UNKNOWN_MODULE and info.call != "some" else ():
            for leaf in tips(operand):
                if type(leaf) is Unknown:
                    leaf.root.seen.add("tensor")
        place = None
        optional = info.state == "option" and not info.loss and "%stateless" not in obj.attrs
        if info.state == "always" or (optional and info is not UNKNOWN_MODULE):
            place = self.state(obj)
        weights = [obj.attrs[n] for n in info.tensor_state_args if n in obj.attrs]
        differ = False
        if place is not None or weights:
            differ = self._check_call(
                obj, [*([place] if place is not None else []), *weights], operands, node
            )
        if info.loss:
            self.combine(
                obj.lib, Mix.STRICT if "Entropy" in obj.lib else Mix.ELEMENTWISE, operands, node, obj
            )
        # Of a call that is reported: where it will be once that is put right, at the module or its input.
        source = place if place is not None and not differ else self.dominant([place, *operands])
        return self._result(info, source)

    def _check_call(self, obj: Obj, state: list[Any], operands: list[Any], node: t.Expr) -> bool:
        """Whether a module's parameters and what it is called with are known to be apart."""
        differ = False
        for operand in operands:
            before = len(self.events)
            for mine in state:
                self.combine("call", Mix.STRICT, [mine, operand], node, obj)
                met = self.events[-1] if len(self.events) > before else None
                if isinstance(met, Combine):
                    differ = differ or met.verdict is Verdict.DIFFERENT
                    break
        return differ

    def _result(self, info: ModuleInfo, source: Any) -> Any:
        if source is None:
            return self.unknown("a module's result", "call")
        if info.call == "some":
            root = Root("a module's result", "call")
            return each(source, lambda leaf: Unknown(root, device_of(leaf), leaf.cause))
        zero_dim = True if info.loss else False if info.call != "any" else None

        def made(leaf: Any) -> Any:
            if type(leaf) is Tensor:
                return Tensor(leaf.device, leaf.cause, zero_dim)
            return self.derived(leaf) if type(leaf) is Unknown else leaf

        result = each(source, made)
        if info.call == "tuple2":
            return Tuple((result, result))
        if info.call == "lstm":
            return Tuple((result, Tuple((result, result))))
        if info.call == "any" and device_of(result) is None:
            return self.unknown("a module's result", "call")
        return result

    def _scattered(self, value: Any, obj: Obj) -> Any:
        """An argument that is moved to where the copies of a module are (torch.nn.DataParallel.scatter)."""
        step = Step("move", obj.site, "moved by this wrapper")

        def leaf(x: Any) -> Any:
            if type(x) is Tensor and x.device is CPU:
                return each(self.device_tree(obj), lambda d: x if d is CPU else Tensor(d, step, x.zero_dim))
            if type(x) is Tuple:
                rest = self._scattered(x.rest, obj) if x.rest is not None else None
                return Tuple(tuple(self._scattered(i, obj) for i in x.items), rest)
            return x

        return each(value, leaf)

    def _call_sequential(self, obj: Obj, args: list[Any], node: t.Expr, extra: int) -> Any:
        value = args[0] if args else self.unknown("input", "call")
        keys = [k for k in obj.attrs if isinstance(k, tuple)]
        for key in keys:
            value = self.call(obj.attrs[key], [value], {}, node, False)
        if REST in obj.attrs:
            value = self.call(obj.attrs[REST], [value], {}, node, False)
        return value

    def _passed(self, value: Any, obj: Obj, node: t.Expr, given: t.Expr | None, where: Any) -> Any:
        """An argument of a module's call remembers the call: there the fault is, if it is misplaced."""

        def step(leaf: Any) -> Any:
            if type(leaf) is not Tensor:
                return leaf
            at = (given, where) if given is not None else None
            cause = Step("arg", self.site(node), "passed to the module here", leaf.cause, obj, (), at)
            return Tensor(leaf.device, cause, leaf.zero_dim, leaf.grad, leaf.pinned)

        if type(value) is Tuple:
            return Tuple(tuple(self._passed(v, obj, node, None, None) for v in value.items), value.rest)
        return each(value, step)

    def _returned(self, value: Any, obj: Obj, depth: int = 0) -> Any:
        """What a module's call gives forgets the call: what it meets later is no fault of what was passed."""

        def leaf(x: Any) -> Any:
            if type(x) is Tensor and x.cause is not None:
                cause = _without_call(x.cause, obj)
                return x if cause is x.cause else Tensor(x.device, cause, x.zero_dim, x.grad, x.pinned)
            if type(x) is Tuple and depth < 3:
                rest = self._returned(x.rest, obj, depth + 1) if x.rest is not None else None
                return Tuple(tuple(self._returned(i, obj, depth + 1) for i in x.items), rest)
            if isinstance(x, Obj) and x.kind in LISTS and depth < 3:
                for key, inner in list(x.attrs.items()):
                    if isinstance(key, tuple) or key == REST:
                        out = self._returned(inner, obj, depth + 1)
                        if out is not inner:
                            self.write(x.attrs, key, out)
            return x

        return each(value, leaf)

    def settle(self, module: Obj, label: str) -> Device:
        """Puts a module that was built for its own sake somewhere unknown: where its user moves it."""
        root = Root(label, "module")
        root.seen.add("tensor")
        device = Like(root)
        self.place(module, device)
        return device


def _without_call(step: Step, obj: Obj) -> Step | None:
    """A trail without the newest call of a module of that class (not just of the object: the result of one
    call may stand for that of another instance)."""
    if step.kind == "arg" and step.owner.cls is obj.cls:
        return step.prev
    prev = _without_call(step.prev, obj) if step.prev is not None else None
    also = tuple(x for x in (_without_call(cause, obj) for cause in step.also) if x is not None)
    if prev is step.prev and also == step.also:
        return step
    return Step(step.kind, step.site, step.text, prev, step.owner, also, step.given)


def _is_loaded(leaf: Any) -> bool:
    """Whether it is what was loaded onto a device that was named: a tensor, if it is registered."""
    return type(leaf) is Unknown and isinstance(leaf.device, At)


def _is_plain(leaf: Tensor, name: Any) -> bool:
    """Whether a tensor is one that was assigned to the attribute as it is, where another assignment, under
    another flag, has registered that name."""
    step = leaf.cause
    return (
        step is not None
        and step.kind == "store"
        and isinstance(step.site.node, t.Attr)
        and step.site.node.attr == name
    )


def _is_named(place: Any) -> bool:
    """Whether a place is that of a device with a name, or of a module around."""
    return isinstance(place, At) or (isinstance(place, Like) and place.root.kind == "module")


def _asked(args: list[Any], kwargs: dict[str, Any], name: str, position: int, default: bool) -> bool:
    """Whether an option of a constructor is, or may be, true."""
    value = kwargs.get(name, args[position] if len(args) > position else Const(default))
    return not (type(value) is Const and not value.value)


_STATISTICS = frozenset({"running_mean", "running_var", "num_batches_tracked"})
_PARALLEL = frozenset({"torch.nn.DataParallel", "torch.nn.parallel.DistributedDataParallel"})


def _without_gradient(leaf: Any) -> Any:
    return Tensor(leaf.device, leaf.cause) if type(leaf) is Tensor else leaf


def _is_tensor(value: Any) -> bool:
    return any(type(leaf) is Tensor for leaf in tips(value))


def _parameter(module: Obj, devices: Any) -> Any:
    step = Step("module", module.site, "its module is made here", module.cause, module)
    return each(devices, lambda d: Tensor(d, step, False, "param"))


def stateful_parts(module: Obj, seen: set[int]) -> Iterator[Obj]:
    """The modules of a library in it that have parameters."""
    seen.add(id(module))
    for key, value in module.attrs.items():
        if not (isinstance(key, tuple) or key == REST or key in module.registered):
            continue
        for leaf in tips(value):
            if not isinstance(leaf, Obj) or not leaf.is_module or id(leaf) in seen:
                continue
            info = MODULES.get(leaf.lib)
            if leaf.kind == "module" and info is not None and info.container is None:
                if info.state == "always":
                    yield leaf
            else:
                yield from stateful_parts(leaf, seen)
