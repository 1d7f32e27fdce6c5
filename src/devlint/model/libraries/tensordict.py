"""TensorDict."""

from __future__ import annotations

from devlint.model.libraries.record import PLAIN, Library, bases
from devlint.model.torch.effects import words

LIBRARY = Library(
    bases=bases(
        PLAIN,
        """
        AddStateIndependentNormalScale EnsembleModule NormalParamExtractor ProbabilisticTensorDictModule
        ProbabilisticTensorDictSequential TensorDictModule TensorDictModuleBase TensorDictModuleWrapper
        TensorDictSequential WrapModule
        """,
        "tensordict.nn",
    ),
    # `to` returns a copy unless `inplace=True` is passed.
    copy_moving=words("LazyStackedTensorDict TensorDict TensorDictBase", "tensordict."),
)
