"""Programs of several ranks: which card each of them takes."""

from __future__ import annotations

import re
from typing import Any

from devlint.model.cond import tips
from devlint.model.events import RankBlind, Where
from devlint.model.library import Library
from devlint.model.torch.effects import words
from devlint.model.value import Const, Obj, Root, Site, Unknown
from devlint.syntax import tree as t

# What gives each process a card of its own: a call, or a question for the local rank.
RANK_AWARE = words(
    """
    LOCAL_RANK SLURM_LOCALID accelerate.Accelerator accelerate.PartialState
    deepspeed.init_distributed deepspeed.initialize horovod.torch.local_rank lightning.Fabric
    torch.accelerator.set_device_index torch.cuda.device torch.cuda.set_device
    torch.distributed.get_node_local_rank
    """
)
# So does a variable of CUDA, and a card whose number is computed: f"cuda:{number}", "cuda:" + number.
_CHOSEN = re.compile(rb"CUDA_VISIBLE_DEVICES|cuda:(?:\{|%|[\"'] *[+%])")
# It starts the processes of one machine: a rank is a card's index there.
SPAWN = words("spawn start_processes", "torch.multiprocessing.")


class Ranks(Library):
    """The part of the machine that knows how ranks choose their cards."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.indices: dict[Root, list[tuple[Site, Where]]] = {}
        self.joined: list[tuple[Site, Where]] = []

    def start_ranks(self, kwargs: dict[str, Any], node: t.Expr) -> None:
        """`torch.distributed.init_process_group(...)`."""
        if kwargs.get("world_size") != Const(1):
            self.joined.append((self.site(node), self.where()))

    def watch_index(self, value: Any, node: t.Node) -> None:
        """Something is taken for the index of a card."""
        for leaf in tips(value):
            if isinstance(leaf, Obj) and leaf.kind == "list":
                for key, inner in leaf.attrs.items():
                    if isinstance(key, tuple):
                        self.watch_index(inner, node)
            elif type(leaf) is Unknown and "%derived" not in leaf.attrs:
                rank = leaf.attrs.get("%rank", None if "%text" in leaf.attrs else leaf)
                if type(rank) is Unknown and rank.root.kind == "rank":
                    self.indices.setdefault(rank.root, []).append((self.site(node), self.where()))

    def finish_ranks(self) -> None:
        """The global rank taken for an index; and programs in which nobody asks for the local rank, so that
        all ranks take the same card."""
        if not self.called & SPAWN:
            for (site, where), *others in self.indices.values():
                self.emit(RankBlind(site, where, "global", tuple(others), False))
        if not self.joined or self.called & RANK_AWARE or _CHOSEN.search(self.file.source.data):
            return
        bare = [uses for uses in self.literals.values() if uses.literal.value == "cuda"]
        for uses in bare:
            place = uses.literal.site
            entries = uses.wrapped + uses.taken
            if place is not None and all(index is None for *_, index in entries):
                fallback = all(safe for _, _, _, safe, _ in entries)
                self.emit(RankBlind(place, entries[0][1], "same", tuple(self.joined[:1]), fallback))
                return
