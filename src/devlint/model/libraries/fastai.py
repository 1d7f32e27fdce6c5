"""fastai."""

from __future__ import annotations

from devlint.model.libraries.record import PLAIN, Library, bases
from devlint.model.torch.effects import words

LIBRARY = Library(
    bases={
        **bases(
            PLAIN,
            """
            AdaptiveConcatPool1d AdaptiveConcatPool2d BatchNorm1dFlat Cat ConvLayer Embedding LinBnDrop
            MergeLayer MishJit Module ParameterModule PixelShuffle_ICNR PoolFlatten PooledSelfAttention2d
            ProdLayer ResBlock ResizeBatch SelfAttention SequentialEx SimpleCNN SimpleSelfAttention SwishJit
            TimeDistributed View
            """,
            "fastai.basics",
            "fastai.layers",
            "fastai.vision.all",
        ),
        **bases(PLAIN, "Module", "fastai.torch_core"),
        **bases(PLAIN, "DynamicUnet XResNet", "fastai.vision.all"),
    },
    # DataLoaders note the device for their batches; a loss of fastai moves its function.
    self_moving=words("basics.DataLoaders data.core.DataLoaders vision.all.DataLoaders", "fastai."),
)
