"""Operations that are both a function of torch and a method of Tensor: `torch.sum(x)`, `x.sum()`."""

from __future__ import annotations

from devlint.model.torch.effects import (
    BINARY,
    DRAWN,
    GROWN,
    HOST,
    JOINED,
    MANY,
    PAIR,
    PRODUCT,
    TRIPLE,
    UNARY,
    VIEW,
    Mix,
    Op,
    Out,
    Rank,
    table,
)

_REDUCED = Op(Mix.FREE, Out.SAME, zero_dim_if_no=("dim",), params=("input", "dim", "keepdim"))
_EXTREME = Op(
    Mix.ELEMENTWISE,
    Out.MANY,
    count=2,
    zero_dim_if_no=("dim", "other"),
    params=("input", "dim", "keepdim"),
    pairwise=True,
)
_MIDDLE = Op(Mix.FREE, Out.MANY, count=2, zero_dim_if_no=("dim",), params=("input", "dim", "keepdim"))
_SCATTERED = Op(
    Mix.STRICT, Out.SAME, operands=("input", "index", "src"), params=("input", "dim", "index", "src")
)

SHARED: dict[str, Op] = {
    **table(
        UNARY,
        """
        abs absolute acos acosh angle arccos arccosh arcsin arcsinh arctan arctanh argsort asin asinh atan
        atanh bitwise_not ceil clone conj conj_physical cos cosh cumprod cumsum deg2rad dequantize detach
        digamma erf erfc erfinv exp exp2 expm1 fix flip floor frac i0 int_repr isfinite isinf isnan isneginf
        isposinf isreal lgamma log log10 log1p log2 log_softmax logcumsumexp logical_not logit moveaxis
        movedim msort mvlgamma nan_to_num neg negative permute polygamma positive rad2deg reciprocal relu
        resolve_conj resolve_neg roll round rsqrt sgn sigmoid sign signbit sin sinc sinh softmax sqrt square
        swapaxes swapdims t tan tanh transpose trunc
        """,
    ),
    **table(
        BINARY,
        """
        add addcdiv addcmul arctan2 atan2 bitwise_and bitwise_left_shift bitwise_or bitwise_right_shift
        bitwise_xor clamp clamp_max clamp_min clip copysign div divide eq float_power floor_divide fmax fmin
        fmod gcd ge greater greater_equal gt heaviside hypot igamma igammac isclose lcm ldexp le lerp less
        less_equal logaddexp logaddexp2 logical_and logical_or logical_xor lt maximum minimum mul multiply ne
        nextafter not_equal pow remainder sub subtract true_divide xlogy
        """,
    ),
    **table(
        GROWN,
        """
        adjoint argwhere cholesky cholesky_inverse diag diag_embed diagflat diagonal fliplr flipud flatten
        histc inverse matrix_exp matrix_power narrow narrow_copy nonzero nonzero_static pinverse
        q_per_channel_scales q_per_channel_zero_points ravel rot90 tril triu unique_consecutive unsqueeze
        """,
    ),
    **table(
        VIEW,
        """
        broadcast_to det hash_tensor logdet logsumexp reshape renorm select squeeze tile unique
        """,
    ),
    **table(_REDUCED, "all any amax amin argmax argmin count_nonzero mean nanmean nansum prod std sum var"),
    "norm": Op(Mix.FREE, Out.SAME, zero_dim_if_no=("dim",), params=("input", "p", "dim", "keepdim", "dtype")),
    "trace": Op(Mix.FREE, Out.SCALAR),
    "dist": Op(Mix.ELEMENTWISE, Out.SCALAR),
    **table(_EXTREME, "max min"),
    **table(_MIDDLE, "median nanmedian"),
    **table(PAIR, "aminmax cummax cummin frexp geqrf kthvalue mode qr slogdet sort topk"),
    **table(TRIPLE, "svd"),
    **table(
        MANY,
        """
        chunk dsplit hsplit lu split split_with_sizes unbind unsafe_chunk unsafe_split unsafe_split_with_sizes
        vsplit
        """,
    ),
    "tensor_split": Op(
        Mix.FREE,
        Out.MANY,
        host_args=("indices_or_sections", "indices", "tensor_indices_or_sections"),
        params=("input", "indices_or_sections", "dim"),
    ),
    **table(
        PRODUCT,
        """
        addr corrcoef cov inner ger kron matmul outer quantile nanquantile
        """,
    ),
    **table(
        JOINED,
        """
        addbmm addmm addmv baddbmm bincount bmm cholesky_solve cross diff lu_solve masked_select mv orgqr
        ormqr repeat_interleave slice_inverse smm sspaddmm
        """,
    ),
    # A clone, and copy_ into a view of it.
    **table(
        Op(Mix.COPY, Out.SAME, rank=Rank.SOME),
        "as_strided_scatter diagonal_scatter select_scatter slice_scatter",
    ),
    **table(Op(Mix.STRICT, Out.SCALAR), "dot vdot"),
    **table(Op(Mix.STRICT, Out.SAME, params=("input", "dim", "index")), "gather index_select"),
    **table(Op(Mix.STRICT, Out.SAME, params=("input", "index")), "take take_along_dim"),
    "put": Op(Mix.STRICT, Out.SAME, rank=Rank.KEPT, params=("input", "index", "source")),
    **table(_SCATTERED, "scatter scatter_add scatter_reduce"),
    **table(
        Op(
            Mix.STRICT,
            Out.SAME,
            operands=("input", "index", "source"),
            params=("input", "dim", "index", "source"),
        ),
        "index_add index_copy index_reduce",
    ),
    # The value is read with item(): a 0-dim tensor on the CPU will do.
    "index_fill": Op(
        Mix.STRICT, Out.SAME, operands=("input", "index"), params=("input", "dim", "index", "value")
    ),
    "masked_fill": Op(
        Mix.STRICT, Out.SAME, operands=("input", "mask"), params=("input", "mask", "value"), rank=Rank.KEPT
    ),
    "masked_scatter": Op(Mix.STRICT, Out.SAME, params=("input", "mask", "source")),
    "index_put": Op(Mix.INDEX, Out.SAME, params=("input", "indices", "values", "accumulate"), rank=Rank.SOME),
    # where moves each 0-dim CPU operand itself.
    "where": Op(
        Mix.ELEMENTWISE, Out.SAME, params=("condition", "input", "other"), rank=Rank.KEPT, cpu_scalars=3
    ),
    "histogram": Op(Mix.STRICT, Out.MANY, count=2),
    "triangular_solve": Op(Mix.STRICT, Out.MANY, count=2),
    **table(Op(Mix.STRICT, Out.SAME, rank=Rank.SOME), "stft istft"),
    "bernoulli": DRAWN,
    "multinomial": Op(Mix.FREE, Out.SAME, rank=Rank.SOME, random=True),
    "allclose": Op(Mix.ELEMENTWISE, Out.HOST),
    "equal": Op(Mix.STRICT, Out.HOST),
    **table(
        HOST,
        """
        get_device is_complex is_conj is_distributed is_floating_point is_inference is_neg is_nonzero
        is_same_size is_signed numel q_per_channel_axis q_scale q_zero_point
        """,
    ),
}
