"""What libraries' functions and classes do when they are called."""

from __future__ import annotations

from typing import Any

from devlint.model.attributes import is_none
from devlint.model.cond import Cond, each, tips
from devlint.model.device import AVAILABLE, CPU, UNKNOWN, Like, at
from devlint.model.dispatch import DISPATCHERS, is_dispatched
from devlint.model.events import Build, Use
from devlint.model.functions import Functions
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
from devlint.model.tensors import MANY_ARGUMENTS, broadcast_rank
from devlint.model.torch.devices import AVAILABILITY, CUDA_ONLY_APIS, LEGACY_TYPES
from devlint.model.torch.effects import Mix, Op, words
from devlint.model.torch.functions import ALIASES, FUNCTIONS
from devlint.model.torch.modules import CLASS_ALIASES, DATA, MODULES, OPTIMIZERS, SCHEDULERS, WRAPPERS
from devlint.model.value import (
    NONE,
    PLACE,
    TRUE,
    Const,
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
from devlint.syntax.walk import argument_of

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


class Library(Functions):
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
            if self.frame.forward and args and not info.tensor_state_args and type(args[0]) is Tensor:
                return self.unknown(name, "call")  # the default of a parameter; what is called is a module
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
        if name.startswith("os.path."):
            out.root.kind = "host"  # what the disk holds is nobody's choice
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
            self.host_read(value if inner[0] is value else Tuple(tuple(inner)), name, node, given)

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
        out.attrs["%scalar"] = Const(not inner and broadcast_rank(operands) is True)
        return out

    def distribution_method(self, obj: Obj, name: str, args: list[Any], node: t.Expr) -> Any:
        """What a distribution draws or computes is where its parameters are."""
        source = obj.attrs["%source"]
        operands = [source, *self.flatten(args)]
        if name in ("log_prob", "cdf", "icdf"):
            self.combine(name, Mix.ELEMENTWISE, operands, node)
        scalar = obj.attrs["%scalar"] == TRUE and (not operands[1:] or broadcast_rank(operands[1:]) is True)
        shaped = name in ("sample", "rsample", "expand") and bool(args)
        return each(source, lambda leaf: self._derive(leaf, scalar and not shaped))

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
    "torch.mps.set_rng_state": Library._set_state,
    "torch.xpu.set_rng_state": Library._set_state,
    "torch.xpu.set_rng_state_all": Library._set_state,
    "numpy.random.set_state": Library._set_state,
    "random.setstate": Library._set_state,
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
