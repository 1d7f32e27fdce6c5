"""torch.nn.functional."""

from __future__ import annotations

from devlint.model.torch.effects import (
    DRAWN,
    DRAWN_IN_PLACE,
    GROWN,
    IN_PLACE,
    JOINED,
    PAIR,
    UNARY,
    Mix,
    Op,
    Out,
    Rank,
    table,
)

_REDUCTION = ("reduction", "reduce")


def _loss(mix: Mix, params: str, operands: str | None = None) -> Op:
    names = tuple(params.split())
    wanted = None if operands is None else tuple(operands.split())
    return Op(mix, Out.SAME, zero_dim_if_no=_REDUCTION, params=names, operands=wanted)


_OLD = "size_average reduce reduction"

# The losses that are a TensorIterator kernel: two 0-dim tensors mix (a CPU target of another shape does not,
# for it is broadcast first).
_ELEMENTWISE_LOSSES: dict[str, Op] = {
    "binary_cross_entropy": _loss(Mix.ELEMENTWISE, f"input target weight {_OLD}"),
    "binary_cross_entropy_with_logits": _loss(Mix.ELEMENTWISE, f"input target weight {_OLD} pos_weight"),
    "gaussian_nll_loss": _loss(Mix.ELEMENTWISE, "input target var full eps reduction"),
    "hinge_embedding_loss": _loss(Mix.ELEMENTWISE, f"input target margin {_OLD}"),
    "huber_loss": _loss(Mix.ELEMENTWISE, "input target reduction delta weight"),
    "kl_div": _loss(Mix.ELEMENTWISE, f"input target {_OLD} log_target"),
    "l1_loss": _loss(Mix.ELEMENTWISE, f"input target {_OLD} weight"),
    "margin_ranking_loss": _loss(Mix.ELEMENTWISE, f"input1 input2 target margin {_OLD}"),
    "mse_loss": _loss(Mix.ELEMENTWISE, f"input target {_OLD} weight"),
    "poisson_nll_loss": _loss(
        Mix.ELEMENTWISE, "input target log_input full size_average eps reduce reduction"
    ),
    "smooth_l1_loss": _loss(Mix.ELEMENTWISE, f"input target {_OLD} beta"),
    "soft_margin_loss": _loss(Mix.ELEMENTWISE, f"input target {_OLD}"),
}

_STRICT_LOSSES: dict[str, Op] = {
    "cosine_embedding_loss": _loss(Mix.STRICT, f"input1 input2 target margin {_OLD}"),
    "cross_entropy": _loss(
        Mix.STRICT, "input target weight size_average ignore_index reduce reduction label_smoothing"
    ),
    # Lengths may be anywhere (they are copied to the CPU); cuDNN's kernel even wants the targets there.
    "ctc_loss": _loss(
        Mix.STRICT,
        "log_probs targets input_lengths target_lengths blank reduction zero_infinity",
        "log_probs",
    ),
    "multi_margin_loss": _loss(Mix.STRICT, f"input target p margin weight {_OLD}"),
    "multilabel_margin_loss": _loss(Mix.STRICT, f"input target {_OLD}"),
    "multilabel_soft_margin_loss": _loss(Mix.STRICT, f"input target weight {_OLD}"),
    "nll_loss": _loss(Mix.STRICT, "input target weight size_average ignore_index reduce reduction"),
    "triplet_margin_loss": _loss(Mix.STRICT, f"anchor positive negative margin p eps swap {_OLD}"),
    "triplet_margin_with_distance_loss": _loss(Mix.STRICT, "anchor positive negative"),
}

LOSSES: dict[str, Op] = {**_ELEMENTWISE_LOSSES, **_STRICT_LOSSES}

FUNCTIONAL: dict[str, Op] = {
    **LOSSES,
    **table(
        UNARY,
        """
        celu elu gelu hardshrink hardsigmoid hardswish hardtanh leaky_relu log_softmax logsigmoid mish
        normalize relu relu6 selu sigmoid silu softmax softmin softplus softshrink softsign tanh tanhshrink
        threshold
        """,
    ),
    **table(IN_PLACE, "celu_ elu_ hardtanh_ leaky_relu_ relu_ selu_ threshold_"),
    **table(
        DRAWN,
        """
        alpha_dropout dropout dropout1d dropout2d dropout3d feature_alpha_dropout gumbel_softmax rrelu
        """,
    ),
    "rrelu_": DRAWN_IN_PLACE,
    **table(
        GROWN,
        """
        adaptive_avg_pool1d adaptive_avg_pool2d adaptive_avg_pool3d affine_grid avg_pool1d avg_pool2d
        avg_pool3d channel_shuffle fold glu interpolate local_response_norm lp_pool1d lp_pool2d lp_pool3d
        max_pool1d max_pool2d max_pool3d native_channel_shuffle one_hot pad pdist pixel_shuffle
        pixel_unshuffle unfold upsample upsample_bilinear upsample_nearest
        """,
    ),
    **table(
        Op(Mix.FREE, Out.SAME, rank=Rank.SOME, params=("input", "output_size", "return_indices")),
        "adaptive_max_pool1d adaptive_max_pool2d adaptive_max_pool3d",
    ),
    **table(
        PAIR,
        """
        adaptive_max_pool1d_with_indices adaptive_max_pool2d_with_indices adaptive_max_pool3d_with_indices
        max_pool1d_with_indices max_pool2d_with_indices max_pool3d_with_indices
        """,
    ),
    **table(
        Op(Mix.STRICT, Out.SAME, rank=Rank.SOME, random=True), "fractional_max_pool2d fractional_max_pool3d"
    ),
    **table(
        Op(Mix.STRICT, Out.MANY, count=2, random=True),
        "fractional_max_pool2d_with_indices fractional_max_pool3d_with_indices",
    ),
    **table(
        JOINED,
        """
        bilinear conv1d conv2d conv3d conv_tbc conv_transpose1d conv_transpose2d conv_transpose3d grid_sample
        group_norm grouped_mm instance_norm layer_norm linear max_unpool1d max_unpool2d max_unpool3d rms_norm
        scaled_grouped_mm scaled_mm
        """,
    ),
    "batch_norm": Op(
        Mix.STRICT,
        Out.SAME,
        rank=Rank.SOME,
        params=("input", "running_mean", "running_var", "weight", "bias"),
    ),
    "embedding": Op(Mix.STRICT, Out.SAME, rank=Rank.SOME, params=("input", "weight")),
    "embedding_bag": Op(Mix.STRICT, Out.SAME, rank=Rank.SOME, params=("input", "weight", "offsets")),
    "cosine_similarity": Op(Mix.STRICT, Out.SAME, params=("x1", "x2", "dim", "eps")),
    "pairwise_distance": Op(Mix.ELEMENTWISE, Out.SAME, params=("x1", "x2", "p", "eps", "keepdim")),
    "prelu": Op(Mix.STRICT, Out.SAME, params=("input", "weight"), rank=Rank.KEPT),
    "linear_cross_entropy": Op(Mix.STRICT, Out.SAME, params=("input", "linear_weight", "target")),
    # The other tensors are needed, or not, by options.
    "multi_head_attention_forward": Op(
        Mix.STRICT,
        Out.MANY,
        count=2,
        random=True,
        params=("query", "key", "value"),
        operands=("query", "key", "value"),
    ),
    # Random if dropout_p is above 0.
    "scaled_dot_product_attention": Op(Mix.STRICT, Out.SAME, rank=Rank.SOME, random=True),
}
