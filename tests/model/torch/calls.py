"""Calls of operations that PyTorch's own samples do not cover."""

from __future__ import annotations

from typing import Any


def calls() -> dict[str, tuple[Any, ...]]:
    """The arguments of one call of each, by the dotted name."""
    import torch
    from torch import nn

    x, pair, image = torch.rand(4, 6), [torch.rand(2, 3), torch.rand(4, 3)], torch.rand(2, 3, 8, 8)
    packed = nn.utils.rnn.pack_sequence(pair, enforce_sorted=False)
    lengths = torch.tensor([2, 4])

    def functional(name: str) -> str:
        return f"torch.nn.functional.{name}"

    return {
        **{f"torch.nn.init.{name}": (torch.empty(3, 3),) for name in _INITS},
        "torch.nn.init.constant_": (torch.empty(3), 1.0),
        "torch.nn.init.dirac_": (torch.empty(2, 2, 3),),
        "torch.nn.init.sparse_": (torch.empty(3, 3), 0.5),
        "torch.nn.utils.parameters_to_vector": ([torch.rand(3), torch.rand(2)],),
        "torch.nn.utils.rnn.invert_permutation": (torch.tensor([1, 0]),),
        "torch.nn.utils.rnn.pad_packed_sequence": (packed,),
        "torch.nn.utils.rnn.pad_sequence": (pair,),
        "torch.nn.utils.rnn.unpack_sequence": (packed,),
        "torch.nn.utils.rnn.unpad_sequence": (
            nn.utils.rnn.pad_sequence(pair, batch_first=True),
            lengths,
            True,
        ),
        functional("affine_grid"): (torch.rand(2, 2, 3), [2, 3, 4, 4]),
        functional("dropout1d"): (torch.rand(2, 3, 4),),
        functional("elu_"): (torch.rand(3),),
        functional("fold"): (torch.rand(1, 12, 12), (4, 5), (2, 2)),
        functional("gumbel_softmax"): (x,),
        functional("hardtanh_"): (torch.rand(3),),
        functional("leaky_relu_"): (torch.rand(3),),
        functional("log_softmax"): (x, 1),
        functional("lp_pool1d"): (torch.rand(2, 3, 8), 2, 2),
        functional("lp_pool2d"): (image, 2, 2),
        functional("max_pool2d_with_indices"): (image, 2),
        functional("native_channel_shuffle"): (torch.rand(1, 4, 2, 2), 2),
        functional("relu_"): (torch.rand(3),),
        functional("rrelu_"): (torch.rand(3), 0.1, 0.3, True),
        functional("sigmoid"): (x,),
        functional("softmax"): (x, 1),
        functional("tanh"): (x,),
        functional("threshold_"): (torch.rand(3), 0.5, 0.0),
        functional("upsample"): (image, None, 2),
        "torch.adaptive_avg_pool1d": (torch.rand(2, 3, 8), 2),
        "torch.adaptive_max_pool1d": (torch.rand(2, 3, 8), 2),
        "torch.allclose": (x, x),
        "torch.avg_pool1d": (torch.rand(2, 3, 8), 2),
        "torch.batch_norm": (x, None, None, None, None, True, 0.1, 1e-5, False),
        "torch.bilinear": (x, x, torch.rand(5, 6, 6), None),
        "torch.binomial": (torch.full((3,), 10.0), torch.full((3,), 0.5)),
        "torch.celu": (x,),
        "torch.celu_": (torch.rand(3),),
        "torch.chain_matmul": (torch.rand(2, 3), torch.rand(3, 4)),
        "torch.conv1d": (torch.rand(1, 3, 8), torch.rand(2, 3, 3)),
        "torch.cosine_similarity": (x, x),
        "torch.dequantize": (torch.quantize_per_tensor(x, 0.1, 0, torch.quint8),),
        "torch.detach": (x,),
        "torch.det": (torch.rand(3, 3),),
        "torch.dropout": (x, 0.5, True),
        "torch.embedding": (x, torch.tensor([1, 2])),
        "torch.get_device": (x,),
        "torch.group_norm": (image, 3),
        "torch.gru_cell": (torch.rand(2, 3), torch.rand(2, 4), torch.rand(12, 3), torch.rand(12, 4)),
        "torch.hardshrink": (x,),
        "torch.instance_norm": (image, None, None, None, None, True, 0.1, 1e-5, False),
        "torch.inverse": (torch.rand(3, 3) + torch.eye(3),),
        "torch.is_floating_point": (x,),
        "torch.is_nonzero": (torch.ones(()),),
        "torch.is_tensor": (x,),
        "torch.layer_norm": (x, [6]),
        "torch.lstm_cell": (
            torch.rand(2, 3),
            (torch.rand(2, 4), torch.rand(2, 4)),
            torch.rand(16, 3),
            torch.rand(16, 4),
        ),
        "torch.max_pool2d": (image, 2),
        "torch.numel": (x,),
        "torch.pairwise_distance": (x, torch.rand(4, 6)),
        "torch.pdist": (x,),
        "torch.pixel_shuffle": (torch.rand(1, 4, 2, 2), 2),
        "torch.poisson": (torch.full((8,), 5.0),),
        "torch.prelu": (x, torch.rand(1)),
        "torch.result_type": (x, x),
        "torch.rms_norm": (x, [6]),
        "torch.rrelu": (x, 0.1, 0.3, True),
        "torch.select_copy": (x, 0, 0),
        "torch.selu": (x,),
        "torch.slogdet": (torch.rand(3, 3),),
        "torch.threshold": (x, 0.5, 0.0),
        "torch.vander": (torch.rand(3),),
    }


_INITS = """
    eye_ kaiming_normal_ kaiming_uniform_ normal_ ones_ orthogonal_ trunc_normal_ uniform_ xavier_normal_ xavier_uniform_
    zeros_
""".split()
