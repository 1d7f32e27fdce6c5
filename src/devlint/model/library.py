"""What libraries' functions and classes do when they are called."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from devlint.model.attributes import is_none
from devlint.model.cond import Cond, each, tips
from devlint.model.device import AVAILABLE, CPU, UNKNOWN, At, Device, Like, at
from devlint.model.dispatch import DISPATCHERS, is_dispatched
from devlint.model.events import Build, Load, Use
from devlint.model.higher import Higher
from devlint.model.libraries import (
    COPY_MOVING,
    HOST_SINKS,
    LOADERS,
    PLACERS,
    TENSOR_FUNCTIONS,
    makes_module,
    module_base,
    moves_itself,
)
from devlint.model.tensors import MANY_ARGUMENTS, argument_of
from devlint.model.torch.devices import AVAILABILITY, CUDA_ONLY_APIS, LEGACY_TYPES, means_device
from devlint.model.torch.effects import Mix, Op, words
from devlint.model.torch.functions import ALIASES, FUNCTIONS
from devlint.model.torch.modules import CLASS_ALIASES, DATA, MODULES, OPTIMIZERS, SCHEDULERS, WRAPPERS
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
    Site,
    Step,
    Tensor,
    Tuple,
    Unknown,
    item,
)
from devlint.syntax import tree as t

TYPED = frozenset(LEGACY_TYPES) | {"torch.Tensor"}
USED = frozenset(CUDA_ONLY_APIS) | frozenset(LEGACY_TYPES) | {"torch.set_default_tensor_type"}
WAITS = frozenset({"torch.cuda.synchronize", "torch.accelerator.synchronize"})
DISTRIBUTIONS = "torch.distributions."
NO_DISTRIBUTIONS = tuple(
    DISTRIBUTIONS + name
    for name in ("kl", "constraints", "constraint_registry", "transforms", "utils", "register")
)
PARALLEL = frozenset({"torch.nn.DataParallel", "torch.nn.parallel.DistributedDataParallel"})
_READS_LISTS = words("all amax amin any concatenate max mean min prod std sum var", "numpy.")
_SINK_ROOTS = frozenset(name.split(".", 1)[0] for name in HOST_SINKS)


def canonical(name: str) -> str:
    """The listed spelling of a library's name."""
    return ALIASES.get(name) or CLASS_ALIASES.get(name) or name


class Library(Higher):
    """The part of the machine that calls libraries."""

    waits = 0

    def lib_attr(self, name: str, node: t.Expr) -> Any:
        """A name of a library; the use of some is an event."""
        if name in USED:
            self.use(name, node)
        return Lib(name)

    def use(self, name: str, node: t.Node) -> None:
        """Emits the use of a name."""
        self.emit(Use(self.site(node), self.where(), name, self.is_called(node)))  # type: ignore[arg-type]

    def call_lib(self, name: str, args: list[Any], kwargs: dict[str, Any], node: t.Expr, extra: int) -> Any:
        """The result of calling a library's function or class."""
        name = canonical(name)
        self.called.add(name)
        if name in WAITS:
            self.waits += 1
        handler = _SPECIAL.get(name)
        if handler is not None:
            return handler(self, args, kwargs, node, extra)
        if name in TYPED:
            return self._typed(name, node)
        op = FUNCTIONS.get(name)
        if op is not None:
            made = self._function(name, op, args, kwargs, node, extra)
            if type(made) is Unknown and name.rsplit(".", 1)[-1][:1].isupper():
                made.attrs["%class"] = name
            return made
        info = MODULES.get(name)
        if info is not None:
            return (
                self._parallel(name, args, kwargs, node)
                if name in PARALLEL
                else self.build(name, info, args, kwargs, node)
            )
        kind = AVAILABILITY.get(name)
        if kind is not None:
            return self._availability(name, kind)
        if name in OPTIMIZERS or name in SCHEDULERS:
            return self._optimizer(name, args, kwargs, node)
        if name in DATA:
            return self.data(name, args, kwargs, node, extra)
        if name in WRAPPERS and args:
            return args[0]
        if name.startswith("torch.Tensor.") and args:
            return self.call_bound(args[0], name.rsplit(".", 1)[-1], args[1:], kwargs, node, extra)
        result = self.builtin(name, args, kwargs, node, extra)
        if result is not None:
            return result
        return self._other(name, args, kwargs, node, extra)

    def _is_tensor(self, args: list[Any], kwargs: dict[str, Any], node: t.Expr, extra: int) -> Any:
        return self.builtin("builtins.isinstance", [*args, Lib("torch.Tensor")], kwargs, node, extra)

    def _typed(self, name: str, node: t.Expr) -> Tensor:
        """The constructor of a tensor type: it takes no `device=` but its own."""
        if ".cuda." in name:
            return Tensor(at("cuda"), Step("placed", self.site(node), "made on the GPU here"), False)
        step = Step("typed", self.site(node), "created on the CPU here", None, self.frame.forward)
        return Tensor(CPU, step, False)

    def _function(
        self, name: str, op: Op, args: list[Any], kwargs: dict[str, Any], node: t.Expr, extra: int
    ) -> Any:
        for value in (*args, *kwargs.values()):
            if (
                type(value) is Unknown
                and value.root.kind in ("param", "attribute", "iter")
                and name.startswith("torch.nn.functional.")
            ):
                if value is args[0] if args else False:
                    value.root.seen.add("tensor")
            elif type(value) is Unknown and args and value is args[0] and op.out.value != "new":
                if value.root.kind in ("param", "iter", "attribute"):
                    value.root.seen.add("tensor")
        return self.operate(name, op, args, kwargs, node, extra)

    def _other(self, name: str, args: list[Any], kwargs: dict[str, Any], node: t.Expr, extra: int) -> Any:
        op = TENSOR_FUNCTIONS.get(name)
        if op is not None:
            return self.operate(name, op, args, kwargs, node, extra)
        if name.startswith(DISTRIBUTIONS) and not name.startswith(NO_DISTRIBUTIONS):
            return self._distribution(name, args, kwargs, node)
        base = module_base(name)
        if base is not None or makes_module(name):
            return self._library_module(name, base is not None and base.placed, args, kwargs, node)
        if name in PLACERS:
            result = self.placed_by_framework(args[:1] if name in DISPATCHERS else args)
            if name in DISPATCHERS and isinstance(result, Obj):
                self.write(result.attrs, "%dispatched", TRUE)
            return result
        if name in LOADERS:
            return self.loader(name, args, kwargs, node)
        if moves_itself(name) or name in COPY_MOVING:
            return self._mover(name, args, kwargs, node)
        root = name.split(".", 1)[0]
        if root == "math":
            for value in args:
                if type(value) is Unknown:
                    value.root.seen.add("number")
            return self.unknown("a number", "host")
        if root in _SINK_ROOTS and (_is_sink(name) or name in _READS_LISTS):
            for i, value in enumerate(args):
                self._sunk(value, name, node, argument_of(node, None, i))
            for key, value in kwargs.items():
                self._sunk(value, name, node, argument_of(node, key, MANY_ARGUMENTS))
        device = kwargs.get("device")
        if type(device) is Unknown:
            device.root.seen.add("device")
        self.adopt_given(args)
        if root != "torch" and name.rsplit(".", 1)[-1][:1].isupper():
            for leaf in (leaf for value in (*args, *kwargs.values()) for leaf in tips(value)):
                if isinstance(leaf, Obj) and leaf.is_module:
                    self.place(leaf, UNKNOWN)  # a trainer may put its model where it likes
        out = self.unknown(f"{name}()", "call")
        out.attrs["%class"] = name
        if any(type(v) is Cond and AVAILABLE in v.flags for v in (*args, *kwargs.values())):
            out.attrs["%asks"] = True  # `skipif(not torch.cuda.is_available())`
        if root in ("numpy", "np"):
            out.root.seen.add("array")
            out.root.kind = "host"
        if name.endswith(".from_pretrained") and is_dispatched(kwargs):
            out.attrs["%dispatched"] = TRUE
        return out

    def adopt_given(self, args: list[Any]) -> None:
        """What nothing is known of is called with modules: it may make one a part of the other."""
        modules = [leaf for a in args for leaf in tips(a) if isinstance(leaf, Obj) and leaf.is_module]
        if len(modules) > 1 or any(a.cls is not None for a in modules):
            for a in args:
                self.adopt(a)

    def _sunk(self, value: Any, name: str, node: t.Expr, given: t.Expr | None) -> None:
        """An argument of what reads on the host: a tensor, or a container of some."""
        inner = self.flatten([value])
        if name in _READS_LISTS and not (len(inner) > 1 or isinstance(value, (Obj, Tuple))):
            return  # of a tensor it calls the tensor's own method
        every = [leaf for x in inner for leaf in tips(x)]
        for leaf in every:
            if type(leaf) is Tensor:
                self.watch_read(leaf, "numpy", node)
        if any(type(x) is Tensor or (type(x) is Unknown and x.device != Like(x.root)) for x in every):
            self.host_read(inner[0] if len(inner) == 1 else Tuple(tuple(inner)), name, node, given)

    def _library_module(
        self, name: str, placed: bool, args: list[Any], kwargs: dict[str, Any], node: t.Expr
    ) -> Obj:
        obj = Obj("module", self.site(node), None, name)
        if placed or kwargs.keys() & {
            "device_map",
            "device",
            "load_in_8bit",
            "load_in_4bit",
            "quantization_config",
        }:
            obj.attrs[PLACE] = UNKNOWN
        else:
            obj.attrs[PLACE] = CPU
        obj.attrs["%dispatched"] = Const(is_dispatched(kwargs))
        for value in (*args, *kwargs.values()):
            self.adopt(value)
        self.emit(Build(obj.site, self.bare_where(), obj, name))
        return obj

    def _distribution(self, name: str, args: list[Any], kwargs: dict[str, Any], node: t.Expr) -> Any:
        """A distribution lives where its parameters do (torch.distributions)."""
        operands = self.flatten([*args, *kwargs.values()])
        inner = [a for a in args if isinstance(a, Obj) and a.kind == "distribution"]
        self.combine(name, Mix.ELEMENTWISE, operands, node)
        source = inner[0].attrs["%source"] if inner else self.dominant(operands)
        if source is None:
            return self.unknown(f"{name}()", "call")
        out = Obj("distribution", self.site(node), None, name)
        out.attrs["%source"] = source
        return out

    def distribution_method(self, obj: Obj, name: str, args: list[Any], node: t.Expr) -> Any:
        """What a distribution draws or computes is where its parameters are."""
        source = obj.attrs["%source"]
        operands = [source, *self.flatten(args)]
        if name in ("log_prob", "cdf", "icdf"):
            self.combine(name, Mix.ELEMENTWISE, operands, node)
        return each(source, lambda leaf: self._derive(leaf, False))

    def placed_by_framework(self, args: list[Any]) -> Any:
        """What a framework's `prepare` or `setup` returns: its arguments, placed where it likes."""
        for value in args:
            for leaf in tips(value):
                if isinstance(leaf, Obj):
                    if leaf.is_module:
                        self.place(leaf, UNKNOWN)
                    elif leaf.kind == "loader":
                        self.write(leaf.attrs, "%batch", Unknown(Root("a batch", "iter"), UNKNOWN))
        return args[0] if len(args) == 1 else Tuple(tuple(args))

    def _mover(self, name: str, args: list[Any], kwargs: dict[str, Any], node: t.Expr) -> Obj:
        """Something that holds tensors and has a `.to()` of its own."""
        obj = Obj("mover", self.site(node), None, name)
        obj.attrs.update(kwargs)
        if args and name.startswith("torch_geometric."):
            obj.attrs.update(zip(("x", "edge_index", "edge_attr", "y", "pos"), args, strict=False))
        return obj

    def _parallel(self, name: str, args: list[Any], kwargs: dict[str, Any], node: t.Expr) -> Any:
        module = args[0] if args else kwargs.get("module", NONE)
        obj = Obj("module", self.site(node), None, name)
        obj.attrs[item(0)] = module
        obj.attrs[PLACE] = self.device_tree(module) if isinstance(module, Obj) else UNKNOWN
        self.adopt(module)
        if name.endswith(".DataParallel") or not is_none(kwargs.get("device_ids", NONE)):
            obj.attrs["%scatters"] = True
        if name.endswith("DistributedDataParallel"):
            self.watch_index(kwargs.get("device_ids", NONE), node)
            self.watch_wrapped(module, obj.site)
            self.write(obj.attrs, "%wrapped", obj)
        return obj

    def watch_wrapped(self, module: Any, site: Site) -> None:
        """DistributedDataParallel wraps a module (see `watch`)."""
        raise NotImplementedError

    def _availability(self, name: str, kind: str) -> Any:
        self.frame.asked = True
        flag = AVAILABLE if kind in ("cuda", "accelerator") else ("available", kind)
        if name.endswith("device_count"):
            return Cond(flag, self.unknown("device_count()", "call"), Const(0))
        return self.from_formula(Cond(flag, True, False))

    def _optimizer(self, name: str, args: list[Any], kwargs: dict[str, Any], node: t.Expr) -> Any:
        obj = Obj("optimizer", self.site(node), None, name)
        obj.attrs["%params"] = args[0] if args else kwargs.get("params", NONE)
        if name in OPTIMIZERS:
            self.watch_optimizer(obj.attrs["%params"], obj.site, OPTIMIZERS[name])
        return obj

    def watch_optimizer(self, params: Any, site: Site, fragile: bool) -> None:
        """An optimizer takes parameters (see `watch`)."""
        raise NotImplementedError

    # -- functions with a meaning of their own -------------------------------------------------------

    def _device(self, args: list[Any], kwargs: dict[str, Any], node: t.Expr, extra: int) -> Any:
        value = args[0] if args else kwargs.get("type", kwargs.get("device"))
        index = args[1] if len(args) > 1 else kwargs.get("index")
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


def _is_sink(name: str) -> bool:
    """Whether a name is, or stands under, one of the sinks that refuse tensors on an accelerator."""
    while name:
        if name in HOST_SINKS:
            return True
        name = name.rpartition(".")[0]
    return False


_SPECIAL: dict[str, Any] = {
    "torch.device": Library._device,
    "torch.set_default_device": Library._set_default,
    "torch.set_default_tensor_type": Library._set_default_type,
    "torch.distributed.get_rank": Library._global_rank,
    "os.environ.get": Library._environment,
    "os.getenv": Library._environment,
    "torch.distributed.init_process_group": Library._start_ranks,
    "torch.save": Library._save,
    "torch.nn.modules.utils.consume_prefix_in_state_dict_if_present": Library._consume_prefix,
    "torch.cuda.set_device": Library._set_index,
    "torch.accelerator.set_device_index": Library._set_index,
    "torch.nn.Parameter": Library._parameter,
    "torch.nn.Buffer": Library._buffer,
    "torch.autograd.Variable": Library._variable,
    "torch.autograd.variable.Variable": Library._variable,
    "torch.load": Library._load,
    "torch.set_rng_state": Library._set_state,
    "torch.random.set_rng_state": Library._set_state,
    "torch.default_generator.set_state": Library._set_state,
    "torch.cuda.set_rng_state": Library._set_state,
    "torch.cuda.set_rng_state_all": Library._set_state,
    "torch.cuda.random.set_rng_state": Library._set_state,
    "torch.cuda.random.set_rng_state_all": Library._set_state,
    "torch.accelerator.current_accelerator": Library._accelerator,
    "torch.Generator": Library._generator,
    "einops.pack": Library.packed,
    "torch.vmap": Library.mapped,
    "torch.func.vmap": Library.mapped,
    "torch.utils.checkpoint.checkpoint": Library.checkpointed,
    "torch.utils.data.random_split": Library.random_split,
    "torch.nn.Embedding.from_pretrained": Library.embedding,
    "torch.nn.EmbeddingBag.from_pretrained": Library.embedding,
    "torch.is_tensor": Library._is_tensor,
    "torch.autocast": Library._autocast,
    "torch.amp.autocast": Library._autocast,
    "torch.from_numpy": Library._from_numpy,
    "torch.frombuffer": Library._from_numpy,
}
