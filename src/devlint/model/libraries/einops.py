"""einops."""

from __future__ import annotations

from devlint.model.libraries.record import Base, Library, bases
from devlint.model.torch.effects import HOST, MANY, PRODUCT, table

LIBRARY = Library(
    bases=bases(Base(), "EinMix Rearrange Reduce", "einops.layers.torch"),
    functions={
        # A list of tensors is stacked first.
        **table(PRODUCT, "rearrange reduce repeat einsum", "einops."),
        **table(MANY, "unpack", "einops."),
        **table(HOST, "parse_shape", "einops."),
    },
)
