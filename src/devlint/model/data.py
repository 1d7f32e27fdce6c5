"""Datasets and loaders: what a batch is, and who runs the code that makes it."""

from __future__ import annotations

from typing import Any

from devlint.model.cond import Cond, each, leaves, tips
from devlint.model.containers import Containers
from devlint.model.device import AVAILABLE, CPU
from devlint.model.torch.modules import CLASS_ALIASES, DATA
from devlint.model.value import (
    REST,
    Const,
    Obj,
    Root,
    Step,
    Tensor,
    Tuple,
    Unknown,
)
from devlint.syntax import tree as t

LOADER_ARGS = (
    "dataset",
    "batch_size",
    "shuffle",
    "sampler",
    "batch_sampler",
    "num_workers",
    "collate_fn",
    "pin_memory",
)


class Data(Containers):
    """The part of the machine that knows torch.utils.data."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.loaders: list[Obj] = []
        """The loaders with workers that were made."""

    def data(self, name: str, args: list[Any], kwargs: dict[str, Any], node: t.Expr, extra: int = 0) -> Obj:
        """An instance of a class of torch.utils.data."""
        kind = DATA[CLASS_ALIASES.get(name, name)]
        obj = Obj(kind, self.site(node), None, name)
        if kind == "loader":
            obj.attrs.update(zip(LOADER_ARGS, args, strict=False))
            obj.attrs.update(kwargs)
            if extra:
                obj.attrs["%open"] = True
            if self._has_workers(obj):
                self.loaders.append(obj)
        elif kind == "tensors":
            obj.attrs[REST] = Tuple(tuple(self.iterate(a, node) for a in args))
        elif args:
            obj.attrs["dataset"] = args[0]
        return obj

    def finish_loaders(self) -> None:
        """What workers run is read even where nobody iterates over the loader."""
        for loader in self.loaders:
            if "%batch" not in loader.attrs:
                self._batch(loader)

    def loader(self, name: str, args: list[Any], kwargs: dict[str, Any], node: t.Expr) -> Obj:
        """A loader of another library, whose batches are on the CPU."""
        obj = Obj("loader", self.site(node), None, name)
        obj.attrs.update(zip(LOADER_ARGS, args, strict=False))
        obj.attrs.update({k: v for k, v in kwargs.items() if k != "collate_fn"})
        return obj

    def iterate_obj(self, obj: Obj, node: t.Node | None) -> Any:
        """A batch of a loader, a sample of a dataset, else what containers say."""
        if obj.kind == "loader":
            return self._batch(obj)
        if obj.kind in ("dataset", "sampler") and obj.cls is None:
            source = obj.attrs.get("dataset")
            return self.iterate(source, node) if source is not None else self.unknown("a sample", "iter")
        return super().iterate_obj(obj, node)

    def _batch(self, loader: Obj) -> Any:
        found = loader.attrs.get("%batch")
        if found is not None:
            return found
        frame = self.frame
        worker, frame.worker = frame.worker, frame.worker or self._has_workers(loader)
        sample = self._sample(loader)
        collate = loader.attrs.get("collate_fn")
        if collate is not None and not (type(collate) is Const and collate.value is None):
            samples = self.new_list("list", self.frame.stmt, rest=sample)
            batch = self.call(collate, [samples], {}, t.Unspelled(self.frame.stmt))
            if type(batch) is Unknown:
                batch = self._host_unknown(loader, "a batch")
            batch = self._handed(batch, loader, 0)
        else:
            batch = self._collated(sample, loader, 0)
        frame.worker = worker
        self.write(loader.attrs, "%batch", batch)
        return batch

    def _has_workers(self, loader: Obj) -> bool:
        count = loader.attrs.get("num_workers")
        if count is None or "multiprocessing_context" in loader.attrs:
            return False  # other contexts than fork can use CUDA
        return not any(type(leaf) is Const and not leaf.value for leaf in tips(count))

    def _sample(self, loader: Obj) -> Any:
        dataset = loader.attrs.get("dataset")
        if isinstance(dataset, Obj):
            return self.iterate(dataset, None)
        if type(dataset) in (Tuple, Tensor, Cond):
            return self.iterate(dataset, None)
        return self._host_unknown(loader, "a batch")

    def _host_unknown(self, loader: Obj, label: str) -> Unknown:
        """Something unknown whose tensors are on the CPU: whatever a loader yields (torch.utils.data)."""
        step = Step("loader", loader.site, "comes from this loader, on the CPU", None, loader)
        return Unknown(Root(label, "iter"), CPU, step)

    def pins(self, loader: Obj) -> bool | None:
        """Whether a loader pins its batches where there is an accelerator; None if that is not known."""
        given = loader.attrs.get("pin_memory")
        if given is None:
            return None if "%open" in loader.attrs else False
        every = {leaf.value if type(leaf) is Const else None for _, leaf in leaves(given, {AVAILABLE: True})}
        value = every.pop() if len(every) == 1 else None
        return value if isinstance(value, bool) else None

    def _handed(self, value: Any, loader: Obj, depth: int) -> Any:
        """What a collate function returned, as the loader hands it on: pinned, if the loader does that."""
        if type(value) is Cond:
            return each(value, lambda leaf: self._handed(leaf, loader, depth))
        if type(value) is Tensor and value.device is CPU:
            step = Step("loader", loader.site, "comes from this loader, on the CPU", value.cause, loader)
            return Tensor(CPU, step, value.zero_dim, "", self.pins(loader))
        if type(value) is Tuple and depth < 4:
            rest = self._handed(value.rest, loader, depth + 1) if value.rest is not None else None
            return Tuple(tuple(self._handed(x, loader, depth + 1) for x in value.items), rest)
        if isinstance(value, Obj) and value.kind in ("dict", "list") and depth < 4:
            for key, inner in list(value.attrs.items()):
                if isinstance(key, tuple) or key == REST:
                    value.attrs[key] = self._handed(inner, loader, depth + 1)
        return value

    def _collated(self, sample: Any, loader: Obj, depth: int) -> Any:
        """What default_collate makes of samples."""
        if type(sample) is Cond:
            return each(sample, lambda leaf: self._collated(leaf, loader, depth))
        before = getattr(sample, "cause", None)
        step = Step("loader", loader.site, "comes from this loader, on the CPU", before, loader)
        pinned = self.pins(loader)
        if type(sample) is Tensor:
            return Tensor(CPU, step, False, "", pinned) if sample.device is CPU else sample
        if type(sample) is Const and isinstance(sample.value, (int, float)):
            return Tensor(CPU, step, False, "", pinned)
        if type(sample) is Unknown:
            return self._host_unknown(loader, "a batch") if sample.device is not CPU else sample
        if type(sample) is Tuple and depth < 4:
            rest = self._collated(sample.rest, loader, depth + 1) if sample.rest is not None else None
            return Tuple(tuple(self._collated(x, loader, depth + 1) for x in sample.items), rest)
        if isinstance(sample, Obj) and sample.kind in ("dict", "list", "mover") and depth < 4:
            out = Obj(sample.kind, loader.site, None, sample.lib)
            for key, value in sample.attrs.items():
                if isinstance(key, tuple) or key == REST or sample.kind == "mover":
                    out.attrs[key] = self._collated(value, loader, depth + 1)
            return out
        return self._host_unknown(loader, "a batch")
