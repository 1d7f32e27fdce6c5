"""What torch makes of a function, a dataset or a table that it is given."""

from __future__ import annotations

from typing import Any

from devlint.model.cond import each
from devlint.model.data import Data
from devlint.model.torch.effects import Mix, words
from devlint.model.torch.modules import MODULES
from devlint.model.value import NONE, PLACE, Tensor, Tuple
from devlint.syntax import tree as t

_OPTIONS = words("use_reentrant context_fn determinism_check debug preserve_rng_state early_stop", "")


class Higher(Data):
    """The part of the machine that knows functions of functions."""

    def checkpointed(self, args: list[Any], kwargs: dict[str, Any], node: t.Expr, extra: int) -> Any:
        """torch.utils.checkpoint.checkpoint: calls its first argument with the others."""
        given = {name: value for name, value in kwargs.items() if name not in _OPTIONS}
        function = args[0] if args else given.pop("function", None)
        if function is None:
            return self.unknown("checkpoint()", "call")
        return self.call(function, args[1:], given, node, extra)

    def mapped(self, args: list[Any], kwargs: dict[str, Any], node: t.Expr, extra: int) -> Any:
        """vmap: what it returns takes what the function takes, on the same devices, and so for results."""
        return args[0] if args else kwargs.get("func", NONE)

    def packed(self, args: list[Any], kwargs: dict[str, Any], node: t.Expr, extra: int) -> Any:
        """einops.pack: one tensor, and the shapes that it was made of."""
        operands = self.flatten(args[:1])
        self.combine("einops.pack", Mix.STRICT, operands, node)
        source = self.dominant(operands)
        one = (
            self.unknown("pack()", "call")
            if source is None
            else each(source, lambda x: self._derive(x, False))
        )
        return Tuple((one, self.unknown("shapes", "host")))

    def random_split(self, args: list[Any], kwargs: dict[str, Any], node: t.Expr, extra: int) -> Any:
        """Parts of a dataset."""
        part = self.data("torch.utils.data.Subset", args[:1] or [kwargs.get("dataset", NONE)], {}, node)
        return self.new_list("list", node, rest=part)

    def embedding(self, args: list[Any], kwargs: dict[str, Any], node: t.Expr, extra: int) -> Any:
        """Embedding.from_pretrained: the module is where its table is."""
        table = args[0] if args else kwargs.get("embeddings", NONE)
        made = self.build("torch.nn.Embedding", MODULES["torch.nn.Embedding"], [], {}, node)

        def place(leaf: Any) -> Any:
            return leaf.device if type(leaf) is Tensor else made.attrs[PLACE]

        made.attrs[PLACE] = each(table, place)
        return made
