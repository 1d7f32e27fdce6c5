"""Lists, dicts, iterators and Python's own functions."""

from __future__ import annotations

from typing import Any

from devlint.model.cond import Cond, choose, each, tips
from devlint.model.device import At, Like
from devlint.model.modules import Modules
from devlint.model.torch.modules import CLASS_ALIASES
from devlint.model.value import (
    FALSE,
    NONE,
    REST,
    Class,
    Const,
    DeviceValue,
    Function,
    Lib,
    Obj,
    Partial,
    Root,
    Step,
    Super,
    Tensor,
    Tuple,
    Unknown,
    item,
)
from devlint.syntax import tree as t

BUILTINS = frozenset(
    "abs all any bool bytes callable chr classmethod complex dict dir divmod enumerate eval filter float "
    "format frozenset getattr globals hasattr hash hex id input int isinstance issubclass iter len list "
    "locals map max min next object open ord pow print property range repr reversed round set setattr "
    "slice sorted staticmethod str sum super tuple type vars zip reveal "
    "Exception RuntimeError ValueError AssertionError KeyError TypeError ImportError NotImplementedError "
    "StopIteration AttributeError IndexError OSError".split()
)
PASSES_ITERABLE = frozenset(
    "builtins.iter builtins.reversed builtins.sorted tqdm.tqdm tqdm.auto.tqdm tqdm.trange tqdm.notebook.tqdm "
    "tqdm.std.tqdm builtins.filter itertools.islice itertools.cycle rich.progress.track "
    "itertools.chain.from_iterable".split()
)
_READ = frozenset({"builtins.int", "builtins.float"})
_ITERABLE = frozenset("collections.abc.Iterable collections.abc.Collection typing.Iterable".split())
_SEQUENCE = _ITERABLE | {"collections.abc.Sequence", "typing.Sequence"}
_MAPPING = frozenset("collections.abc.Mapping typing.Mapping collections.abc.MutableMapping".split())
_KINDS = {
    "tuple": _SEQUENCE | {"builtins.tuple"},
    "list": _SEQUENCE | {"builtins.list", "collections.abc.MutableSequence"},
    "dict": _ITERABLE | _MAPPING | {"builtins.dict"},
    "set": _ITERABLE | {"builtins.set"},
}
_OBJECTS = frozenset(
    "torch.Tensor torch.nn.Parameter torch.nn.Module builtins.str builtins.int builtins.float builtins.list "
    "builtins.tuple builtins.dict".split()
)
"""Types that no function or class is an instance of."""
_OPAQUE = frozenset({"generator", "loader", "module", "optimizer"})
"""Kinds of torch's objects, which are no instances of those types either, but for modules."""
HOST_RESULT = frozenset(
    "builtins.len builtins.int builtins.float builtins.str builtins.bool builtins.range builtins.round "
    "builtins.repr builtins.id builtins.hash builtins.ord builtins.format builtins.any builtins.all".split()
)


PLAIN = "%plain"
"""The key under which a module keeps a plain tensor whose name is not known."""


class Containers(Modules):
    """The part of the machine that knows Python's containers and built-in functions."""

    def new_list(self, kind: str, node: t.Node, items: list[Any] | None = None, rest: Any = None) -> Obj:
        """A new list, dict or set."""
        out = Obj(kind, self.site(node))
        for i, value in enumerate(items or ()):
            out.attrs[item(i)] = value
        if rest is not None:
            out.attrs[REST] = rest
        return out

    def container_method(
        self, obj: Obj, name: str, args: list[Any], kwargs: dict[str, Any], node: t.Expr
    ) -> Any:
        """A method of a list, dict, set or module container."""
        first = args[0] if args else None
        if name in ("append", "add", "appendleft") and first is not None:
            self.add_item(obj, first)
            return obj if obj.is_module else NONE
        if name == "insert" and len(args) == 2:
            self.add_item(obj, args[1], summary=True)
            return obj if obj.is_module else NONE
        if name in ("extend", "update") and (first is not None or kwargs):
            if first is not None:
                self.extend(obj, first)
            for key, value in kwargs.items():
                self.write(obj.attrs, item(key), value)
                self.own_item(obj, value)
            return obj if obj.is_module else NONE
        if name in ("get", "pop", "setdefault") and obj.kind == "dict":
            return self._dict_get(obj, name, args, node)
        if name in ("values", "items", "keys"):
            if obj.root is not None and obj.root.kind == "checkpoint":
                saved = Unknown(Root("a key", "key"))
                value = obj.attrs[REST]
                return self.iterator({"items": Tuple((saved, value)), "keys": saved}.get(name, value))
            element = self.iterate_items(obj)
            if element is None:
                element = self.unknown("an item", "iter")
            some = self.unknown("a key", "host")
            return self.iterator(
                element if name == "values" else some if name == "keys" else Tuple((some, element))
            )
        if name in ("pop", "popleft"):
            return self.iterate(obj, node)
        if name == "copy":
            return self.sliced(obj)
        return self.unknown(f".{name}()", "host" if name in ("index", "count") else "call")

    def _dict_get(self, obj: Obj, name: str, args: list[Any], node: t.Expr) -> Any:
        key = args[0] if args else None
        if type(key) is Const:
            found = obj.attrs.get(item(key.value))
            if found is not None:
                return found
            if name == "setdefault" and len(args) > 1:
                self.write(obj.attrs, item(key.value), args[1])
                return args[1]
            if REST not in obj.attrs and not obj.attrs.get("%open"):
                return args[1] if len(args) > 1 else NONE
            found = obj.attrs.get(REST) or self.unknown("an item", "item")
            return self.either(self.opaque("given"), found, args[1]) if len(args) > 1 else found
        return self.iterate_items(obj) or self.unknown("an item", "item")

    # -- built-in functions --------------------------------------------------------------------------

    def builtin(self, name: str, args: list[Any], kwargs: dict[str, Any], node: t.Expr, extra: int) -> Any:
        """A function of Python's own (`builtins.len`, `functools.partial` ...); None if not known here."""
        handler = _HANDLERS.get(name)
        if handler is not None:
            return handler(self, args, kwargs, node)
        for leaf in tips(args[0]) if name in _READ and args else ():
            if type(leaf) is Tensor:
                self.watch_read(leaf, name.rsplit(".", 1)[-1], node)
        if name in HOST_RESULT:
            if name == "builtins.int" and args and type(args[0]) is Unknown and args[0].root.kind == "rank":
                return args[0]
            out = self.unknown(name.rsplit(".", 1)[-1] + "()", "host")
            out.root.source = args[0].root if args and type(args[0]) is Unknown else None
            return out
        if name in PASSES_ITERABLE and args:
            source = args[1] if name.endswith("filter") and len(args) > 1 else args[0]
            return self.iterator(self.iterate(source, node))
        return None

    def _list(self, args: list[Any], kwargs: dict[str, Any], node: t.Expr) -> Any:
        out = self.new_list("list", node)
        if args:
            self.extend(out, args[0])
        return out

    def _tuple(self, args: list[Any], kwargs: dict[str, Any], node: t.Expr) -> Any:
        if not args:
            return Tuple(())
        value = args[0]
        if type(value) is Tuple:
            return value
        if isinstance(value, Obj) and value.kind in ("list", "set", "iterator"):
            items = [v for k, v in value.attrs.items() if isinstance(k, tuple)]
            return Tuple(tuple(items), value.attrs.get(REST))
        return Tuple((), self.iterate(value, node))

    def _dict(self, args: list[Any], kwargs: dict[str, Any], node: t.Expr) -> Any:
        out = self.new_list("dict", node)
        entries = _entries(args[0]) if args else None
        if args and isinstance(args[0], Obj) and args[0].kind == "dict":
            out.attrs.update(args[0].attrs)
        elif entries is not None:
            out.attrs.update(entries)
        elif args:
            pair = self.iterate(args[0], node)
            out.attrs[REST] = (
                pair.items[1] if type(pair) is Tuple and len(pair.items) == 2 else self.unknown("x", "item")
            )
        for key, value in kwargs.items():
            out.attrs[item(key)] = value
        return out

    def _set(self, args: list[Any], kwargs: dict[str, Any], node: t.Expr) -> Any:
        return self.new_list("set", node, rest=self.iterate(args[0], node) if args else None)

    def _enumerate(self, args: list[Any], kwargs: dict[str, Any], node: t.Expr) -> Any:
        element = self.iterate(args[0], node) if args else self.unknown("x", "iter")
        return self.iterator(Tuple((self.unknown("an index", "iter"), element)))

    def _zip(self, args: list[Any], kwargs: dict[str, Any], node: t.Expr) -> Any:
        return self.iterator(Tuple(tuple(self.iterate(a, node) for a in args)))

    def _map(self, args: list[Any], kwargs: dict[str, Any], node: t.Expr) -> Any:
        if len(args) < 2:
            return self.unknown("map()", "call")
        return self.iterator(self.call(args[0], [self.iterate(a, node) for a in args[1:]], {}, node))

    def _next(self, args: list[Any], kwargs: dict[str, Any], node: t.Expr) -> Any:
        return self.iterate(args[0], node) if args else self.unknown("next()", "call")

    def _isinstance(self, args: list[Any], kwargs: dict[str, Any], node: t.Expr) -> Any:
        if len(args) != 2:
            return self.unknown("isinstance()", "host")
        value, kind = args
        kinds = kind.items if type(kind) is Tuple else (kind,)
        names = {k.name for k in kinds if type(k) is Lib}
        every = len(names) == len(kinds)
        tensorish = names & {"torch.Tensor", "torch.nn.Parameter"}

        def test(leaf: Any) -> Any:
            if type(leaf) is DeviceValue and names:
                return "torch.device" in names
            if type(leaf) is Tensor:
                return (
                    True
                    if "torch.Tensor" in names or (leaf.grad == "param" and tensorish)
                    else self.opaque("isinstance")
                    if not names or tensorish
                    else False
                )
            own = _KINDS.get("tuple" if type(leaf) is Tuple else getattr(leaf, "kind", ""))
            if own is not None:
                others = {"builtins.str", "builtins.int", "builtins.float", "torch.Tensor", "torch.nn.Module"}
                if names & own:
                    return True
                return (
                    False if every and names <= others.union(*_KINDS.values()) else self.opaque("isinstance")
                )
            if type(leaf) in (Function, Class):
                return False if every and names <= _OBJECTS else self.opaque("isinstance")
            if isinstance(leaf, Obj) and leaf.is_module and "torch.nn.Module" in names:
                return True
            if isinstance(leaf, Obj) and leaf.kind in _OPAQUE and every and names <= _OBJECTS:
                return False
            if isinstance(leaf, Obj) and leaf.kind == "module" and names:
                return any(CLASS_ALIASES.get(n, n) == leaf.lib for n in names) or self.opaque("isinstance")
            if type(leaf) is Const:
                if type(leaf.value) is str:
                    return True if "builtins.str" in names else False if names else self.opaque("isinstance")
                return False if tensorish else self.opaque("isinstance")
            if type(leaf) is Unknown:
                return Cond(("isinstance", leaf, tuple(sorted(names)) or id(node)), True, False)
            return self.opaque("isinstance")

        return self.from_formula(each(value, test))

    def _getattr(self, args: list[Any], kwargs: dict[str, Any], node: t.Expr) -> Any:
        if len(args) >= 2 and type(args[1]) is Const and isinstance(args[1].value, str):
            obj = args[0]
            if len(args) > 2 and isinstance(obj, Obj) and args[1].value not in obj.attrs:
                if obj.cls is None or obj.cls.find(args[1].value) is None:
                    return self.either(
                        self.opaque("getattr"), self.get_attr(obj, args[1].value, node), args[2]
                    )
            return self.get_attr(obj, args[1].value, node)
        if args and isinstance(args[0], Obj) and args[0].is_module:
            plain = args[0].attrs.get(PLAIN)
            return plain or self.iterate_items(args[0]) or self.unknown("getattr()", "call")
        return self.unknown("getattr()", "call")

    def _setattr(self, args: list[Any], kwargs: dict[str, Any], node: t.Expr) -> Any:
        if len(args) == 3:
            names = tips(args[1])
            if all(type(name) is Const and isinstance(name.value, str) for name in names):
                for name in names:
                    self.set_attr(args[0], name.value, args[2], node)
            elif isinstance(args[0], Obj) and args[0].is_module:
                self._set_some_attr(args[0], args[2], node)
            elif isinstance(args[0], Obj):
                for key in [k for k in args[0].attrs if isinstance(k, str) and not k.startswith("%")]:
                    old, new = args[0].attrs[key], self.unknown(key, "attribute")
                    if all(type(x) in (Const, Unknown) for x in tips(old)):  # a setting, which may stay
                        new = self.either(self.opaque("set"), new, old)
                    self.write(args[0].attrs, key, new)
            else:
                self.adopt(args[2])
        return NONE

    def _set_some_attr(self, module: Obj, value: Any, node: t.Expr) -> None:
        """`setattr(module, name, value)` with a name that is only known when the program runs."""
        self.adopt(value)
        if not all(type(leaf) is Tensor and leaf.grad != "param" for leaf in tips(value)):
            self.add_item(module, value, summary=True)
            return
        step = Step("store", self.site(node), "kept as a plain attribute", None, module)
        self.write(module.attrs, PLAIN, self.kept(value, step))

    def _callable(self, args: list[Any], kwargs: dict[str, Any], node: t.Expr) -> Any:
        def test(leaf: Any) -> Any:
            if type(leaf) in (Function, Class, Partial) or (isinstance(leaf, Obj) and leaf.is_module):
                return True
            return False if type(leaf) in (Const, Tensor, Tuple, DeviceValue) else self.opaque("callable")

        return self.from_formula(each(args[0], test)) if args else self.unknown("callable()", "host")

    def _hasattr(self, args: list[Any], kwargs: dict[str, Any], node: t.Expr) -> Any:
        if len(args) != 2 or type(args[1]) is not Const:
            return self.from_formula(self.opaque("hasattr"))
        name = args[1].value

        def has(leaf: Any) -> Any:
            if not isinstance(leaf, Obj):
                return self.opaque("hasattr")
            if name in leaf.attrs or (leaf.cls is not None and leaf.cls.find(str(name)) is not None):
                return True
            if name == "module" and leaf.is_module:
                return leaf.lib in ("torch.nn.DataParallel", "torch.nn.parallel.DistributedDataParallel")
            return self.opaque("hasattr")

        return self.from_formula(each(args[0], has))

    def _super(self, args: list[Any], kwargs: dict[str, Any], node: t.Expr) -> Any:
        frame: Any = self.frame
        while frame is not None and frame.owner is None:
            frame = frame.closure
        if frame is None:
            return self.unknown("super()", "call")
        owner = args[0] if args and isinstance(args[0], Class) else frame.owner
        return Super(owner, frame.self_value)

    def _partial(self, args: list[Any], kwargs: dict[str, Any], node: t.Expr) -> Any:
        return Partial(args[0], args[1:], kwargs) if args else self.unknown("partial()", "call")

    def _minmax(self, args: list[Any], kwargs: dict[str, Any], node: t.Expr) -> Any:
        found = self.flatten(args)
        tensor = next((x for x in found if type(x) is Tensor), None)
        return tensor if tensor is not None else self.unknown("max()", "host")

    def _sum(self, args: list[Any], kwargs: dict[str, Any], node: t.Expr) -> Any:
        return self.iterate(args[0], node) if args else self.unknown("sum()", "host")

    def _deepcopy(self, args: list[Any], kwargs: dict[str, Any], node: t.Expr) -> Any:
        return each(args[0], self._copied) if args else NONE

    def _copied(self, leaf: Any) -> Any:
        if not isinstance(leaf, Obj):
            return leaf
        out = Obj(leaf.kind, leaf.site, leaf.cls, leaf.lib)
        out.attrs.update(leaf.attrs)
        out.registered = set(leaf.registered)
        for key, value in leaf.attrs.items():
            if isinstance(value, Obj) and (isinstance(key, tuple) or key in leaf.registered):
                out.attrs[key] = self._copied(value)
        return out

    def _type(self, args: list[Any], kwargs: dict[str, Any], node: t.Expr) -> Any:
        if len(args) == 1 and isinstance(args[0], Obj) and args[0].cls is not None:
            return args[0].cls
        return self.unknown("type()", "host")

    def _chain(self, args: list[Any], kwargs: dict[str, Any], node: t.Expr) -> Any:
        out = None
        for a in args:
            element = self.iterate(a, node)
            out = element if out is None else self.either(self.opaque("item"), out, element)
        return self.iterator(out if out is not None else self.unknown("an item", "iter"))

    def _print(self, args: list[Any], kwargs: dict[str, Any], node: t.Expr) -> Any:
        for value in args:
            for leaf in tips(value):
                if type(leaf) is Tensor:
                    self.watch_read(leaf, "print", node)
        return NONE

    def _bool(self, args: list[Any], kwargs: dict[str, Any], node: t.Expr) -> Any:
        return self.from_formula(self.truth(args[0])) if args else FALSE

    def _str(self, args: list[Any], kwargs: dict[str, Any], node: t.Expr) -> Any:
        if len(args) == 1 and all(type(x) in (Const, DeviceValue) for x in tips(args[0])):
            return each(args[0], self._text)
        return self.unknown("str()", "host")

    def _text(self, leaf: Any) -> Any:
        if type(leaf) is Const:
            return Const(str(leaf.value)) if type(leaf.value) is int else leaf
        if isinstance(leaf.device, At):
            return Const(repr(leaf.device))
        return Unknown(leaf.device.root) if isinstance(leaf.device, Like) else self.unknown("str()", "host")

    def _buffer_of_bytes(self, args: list[Any], kwargs: dict[str, Any], node: t.Expr) -> Any:
        out = self.unknown("io.BytesIO()", "call")
        # What is read from an empty one was written by this process.
        out.attrs["%bytes" if args or kwargs else "%empty"] = True
        return out

    def _scratch_file(self, args: list[Any], kwargs: dict[str, Any], node: t.Expr) -> Any:
        out = self.unknown("a scratch file", "call")
        out.attrs["%empty"] = True
        return out

    # -- argparse ------------------------------------------------------------------------------------

    def _parser(self, args: list[Any], kwargs: dict[str, Any], node: t.Expr) -> Any:
        return Obj("parser", self.site(node))

    def parser_method(
        self, obj: Obj, name: str, args: list[Any], kwargs: dict[str, Any], node: t.Expr
    ) -> Any:
        """A method of an argparse parser."""
        if name == "add_argument":
            self._add_argument(obj, args, kwargs)
            return NONE
        if name == "set_defaults":
            for key, value in kwargs.items():
                self.write(obj.attrs, key, value)
            return NONE
        if name in ("add_argument_group", "add_mutually_exclusive_group"):
            return obj
        if name in ("add_subparsers", "add_parser"):
            return obj
        if name in ("parse_args", "parse_known_args"):
            out = Obj("namespace", self.site(node))
            out.attrs.update(obj.attrs)
            return out if name == "parse_args" else Tuple((out, self.unknown("rest", "host")))
        return self.unknown(f"parser.{name}()", "host")

    def _add_argument(self, obj: Obj, args: list[Any], kwargs: dict[str, Any]) -> None:
        names = [a.value for a in args if type(a) is Const and isinstance(a.value, str)]
        long = [n for n in names if n.startswith("--")] or names
        dest = kwargs.get("dest")
        if type(dest) is Const and isinstance(dest.value, str):
            name = dest.value
        elif long:
            name = long[0].lstrip("-").replace("-", "_")
        else:
            return
        root = Root(name, "option")
        given: Any = Unknown(root)
        default = kwargs.get("default")
        action = kwargs.get("action")
        if type(action) is Const and action.value in ("store_true", "store_false"):
            default = None
        if type(default) is Const and isinstance(default.value, bool):
            default = None  # a switch: whoever starts the program sets it
        if default is not None:
            given = choose(Cond(("given", root), True, False), given, default)
        self.write(obj.attrs, name, given)


def _entries(value: Any) -> dict[Any, Any] | None:
    """The items of a dict that is made of a list of pairs, where their keys are known."""
    if not isinstance(value, Obj) or value.kind != "list" or REST in value.attrs:
        return None
    out = {}
    for key, pair in value.attrs.items():
        if isinstance(key, tuple):
            if type(pair) is not Tuple or len(pair.items) != 2 or type(pair.items[0]) is not Const:
                return None
            out[item(pair.items[0].value)] = pair.items[1]
    return out


_HANDLERS: dict[str, Any] = {
    "builtins.list": Containers._list,
    "builtins.tuple": Containers._tuple,
    "builtins.dict": Containers._dict,
    "collections.OrderedDict": Containers._dict,
    "builtins.set": Containers._set,
    "builtins.frozenset": Containers._set,
    "collections.deque": Containers._list,
    "builtins.enumerate": Containers._enumerate,
    "builtins.zip": Containers._zip,
    "builtins.map": Containers._map,
    "builtins.next": Containers._next,
    "builtins.isinstance": Containers._isinstance,
    "builtins.callable": Containers._callable,
    "builtins.getattr": Containers._getattr,
    "builtins.setattr": Containers._setattr,
    "builtins.hasattr": Containers._hasattr,
    "builtins.super": Containers._super,
    "builtins.bool": Containers._bool,
    "builtins.str": Containers._str,
    "functools.partial": Containers._partial,
    "builtins.min": Containers._minmax,
    "builtins.max": Containers._minmax,
    "builtins.sum": Containers._sum,
    "copy.deepcopy": Containers._deepcopy,
    "copy.copy": Containers._deepcopy,
    "builtins.type": Containers._type,
    "itertools.chain": Containers._chain,
    "itertools.product": Containers._zip,
    "builtins.print": Containers._print,
    "argparse.ArgumentParser": Containers._parser,
    "io.BytesIO": Containers._buffer_of_bytes,
    "tempfile.TemporaryFile": Containers._scratch_file,
    "tempfile.NamedTemporaryFile": Containers._scratch_file,
    "tempfile.SpooledTemporaryFile": Containers._scratch_file,
}
