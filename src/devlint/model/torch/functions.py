"""The public functions of torch, by their dotted names.

`FUNCTIONS` says what each does; `ALIASES` maps other public spellings to the one that is listed.
"""

from __future__ import annotations

from devlint.model.torch.effects import (
    ANYTHING,
    BINARY,
    BINARY_IN_PLACE,
    DRAWN,
    DRAWN_IN_PLACE,
    GROWN,
    HOST,
    IN_PLACE,
    JOINED,
    MANY,
    NOTHING,
    PAIR,
    PRODUCT,
    STRICT_IN_PLACE,
    UNARY,
    VIEW,
    Mix,
    Op,
    Out,
    Rank,
    prefixed,
    table,
)
from devlint.model.torch.factories import FACTORIES, FACTORY_OPS, LIKE_FACTORIES, RANDOM_FACTORIES
from devlint.model.torch.functional import FUNCTIONAL
from devlint.model.torch.modules import CLASS_ALIASES
from devlint.model.torch.namespaces import NAMESPACES
from devlint.model.torch.shared import SHARED

__all__ = ["ALIASES", "FACTORIES", "FUNCTIONS", "LIKE_FACTORIES", "RANDOM_FACTORIES"]

_STD_MEAN = Op(Mix.FREE, Out.MANY, count=2)
_CPU = Op(Mix.FREE, Out.CPU)

# Functions of torch that are no methods of Tensor.
_TORCH: dict[str, Op] = {
    **table(
        UNARY,
        """
        alias_copy celu conj_physical detach_copy hardshrink imag permute_copy real selu t_copy threshold
        transpose_copy
        """,
    ),
    **table(BINARY, "complex isin polar rsub fill"),
    "prelu": Op(Mix.STRICT, Out.SAME, params=("input", "weight"), rank=Rank.KEPT),
    **table(
        GROWN,
        """
        adaptive_avg_pool1d affine_grid_generator atleast_1d atleast_2d atleast_3d avg_pool1d
        ccol_indices_copy channel_shuffle col_indices_copy combinations constant_pad_nd crow_indices_copy
        diagonal_copy indices_copy max_pool1d max_pool2d max_pool3d native_channel_shuffle pdist pixel_shuffle
        pixel_unshuffle row_indices_copy slice_copy unfold_copy unsqueeze_copy values_copy vander
        view_as_complex_copy view_as_real view_as_real_copy
        """,
    ),
    **table(
        VIEW,
        """
        as_strided as_strided_copy expand_copy frobenius_norm nuclear_norm native_norm norm_except_dim
        quantize_per_tensor_dynamic select_copy squeeze_copy unflatten view_as_complex view_copy
        """,
    ),
    "atleast_1d": VIEW,
    "atleast_2d": VIEW,
    "atleast_3d": VIEW,
    **table(MANY, "gradient split_copy split_with_sizes_copy unbind_copy unravel_index"),
    # Broadcasting only looks at shapes; each tensor stays where it is.
    "broadcast_tensors": ANYTHING,
    **table(Op(Mix.STRICT, Out.MANY), "meshgrid"),
    **table(_STD_MEAN, "std_mean var_mean"),
    **table(PAIR, "adaptive_max_pool1d max_pool1d_with_indices"),
    **table(Op(Mix.STRICT, Out.MANY, count=2), "lobpcg histogramdd"),
    **table(Op(Mix.STRICT, Out.MANY, count=3), "lu_unpack pca_lowrank svd_lowrank"),
    **table(
        JOINED,
        """
        batch_norm bilinear block_diag cartesian_prod cat cdist column_stack conv1d conv2d conv3d conv_tbc
        conv_transpose1d conv_transpose2d conv_transpose3d convolution dsmm dstack embedding grid_sampler
        grid_sampler_2d grid_sampler_3d group_norm hsmm hspmm hstack instance_norm layer_norm mm rms_norm
        saddmm searchsorted spmm stack vstack
        """,
    ),
    "row_stack": JOINED,
    **table(PRODUCT, "bucketize chain_matmul cosine_similarity einsum segment_reduce tensordot"),
    **table(Op(Mix.ELEMENTWISE, Out.SAME), "cumulative_trapezoid pairwise_distance trapezoid trapz"),
    "embedding_bag": Op(Mix.STRICT, Out.MANY, count=4),
    **table(Op(Mix.STRICT, Out.MANY, count=2), "gru rnn_relu rnn_tanh lstm_cell"),
    **table(Op(Mix.STRICT, Out.MANY, count=3), "lstm native_batch_norm native_group_norm native_layer_norm"),
    **table(JOINED, "gru_cell rnn_relu_cell rnn_tanh_cell"),
    **table(DRAWN, "alpha_dropout dropout feature_alpha_dropout feature_dropout poisson rrelu"),
    "binomial": Op(Mix.ELEMENTWISE, Out.SAME, rank=Rank.KEPT, random=True),
    "native_dropout": Op(Mix.FREE, Out.MANY, count=2, random=True),
    **table(
        IN_PLACE,
        """
        abs_ acos_ acosh_ arccos_ arccosh_ arcsin_ arcsinh_ arctan_ arctanh_ asin_ asinh_ atan_ atanh_ ceil_
        celu_ conj_physical_ cos_ cosh_ deg2rad_ detach_ erf_ erfc_ exp2_ exp_ expm1_ fill_ fix_ floor_ frac_
        i0_ log10_ log1p_ log2_ log_ logit_ nan_to_num_ neg_ negative_ rad2deg_ reciprocal_ relu_ round_
        rsqrt_ selu_ sigmoid_ sin_ sinc_ sinh_ sqrt_ square_ tan_ tanh_ threshold_ trunc_ zero_
        """,
    ),
    **table(Op(Mix.FREE, Out.RECEIVER), "as_strided_ resize_as_ resize_as_sparse_"),
    **table(BINARY_IN_PLACE, "clamp_ clamp_max_ clamp_min_ clip_ gcd_ lcm_ ldexp_ xlogy_"),
    **table(STRICT_IN_PLACE, "addmv_ embedding_renorm_"),
    "index_put_": Op(
        Mix.INDEX, Out.RECEIVER, rank=Rank.SOME, params=("input", "indices", "values", "accumulate")
    ),
    **table(DRAWN_IN_PLACE, "alpha_dropout_ dropout_ feature_alpha_dropout_ feature_dropout_ rrelu_"),
    **table(_CPU, "from_numpy frombuffer get_rng_state Tensor"),
    "from_dlpack": Op(Mix.FREE, Out.NEW, params=("ext_tensor",), follows=("ext_tensor",)),
    "load": Op(Mix.FREE, Out.UNKNOWN, params=("f", "map_location", "pickle_module")),
    "save": Op(Mix.FREE, Out.NONE, params=("obj", "f")),
    "nn.Parameter": Op(Mix.FREE, Out.LIKE, rank=Rank.KEPT, params=("data", "requires_grad")),
    "nn.Buffer": Op(Mix.FREE, Out.LIKE, rank=Rank.KEPT, params=("data",)),
    **table(
        HOST,
        """
        are_deterministic_algorithms_enabled broadcast_shapes can_cast get_default_device get_default_dtype
        get_num_interop_threads get_num_threads initial_seed is_anomaly_enabled is_autocast_cpu_enabled
        is_autocast_enabled is_grad_enabled is_inference_mode_enabled is_storage is_tensor promote_types
        result_type seed typename
        """,
    ),
    **table(
        NOTHING,
        """
        set_anomaly_enabled set_default_device set_default_dtype set_default_tensor_type
        set_deterministic_debug_mode set_float32_matmul_precision set_flush_denormal set_num_interop_threads
        set_num_threads set_printoptions set_rng_state set_warn_always use_deterministic_algorithms
        """,
    ),
    **table(ANYTHING, "cond fork manual_seed to_dlpack vmap wait while_loop"),
}

FUNCTIONS: dict[str, Op] = {
    **prefixed("torch.", SHARED),
    **prefixed("torch.", _TORCH),
    **FACTORY_OPS,
    **prefixed("torch.nn.functional.", FUNCTIONAL),
    **NAMESPACES,
}

# Losses of torch itself are those of torch.nn.functional with an enum for the reduction.
_MOVED = """
    binary_cross_entropy_with_logits cosine_embedding_loss ctc_loss hinge_embedding_loss kl_div
    margin_ranking_loss poisson_nll_loss triplet_margin_loss
"""
_IN_FUNCTIONAL = """
    atleast_1d atleast_2d atleast_3d block_diag broadcast_shapes broadcast_tensors cartesian_prod cdist
    chain_matmul einsum lu meshgrid norm split stft tensordot unique unique_consecutive unravel_index
"""

ALIASES: dict[str, str] = {
    **CLASS_ALIASES,
    "torch.concat": "torch.cat",
    "torch.concatenate": "torch.cat",
    **{f"torch.{name}": f"torch.nn.functional.{name}" for name in _MOVED.split()},
    **{f"torch.functional.{name}": f"torch.{name}" for name in _IN_FUNCTIONAL.split()},
    **{f"torch.Tensor.{name}": f"torch.{name}" for name in SHARED},
    "torch.utils.dlpack.from_dlpack": "torch.from_dlpack",
    "torch.serialization.load": "torch.load",
    "torch.serialization.save": "torch.save",
    "torch.random.get_rng_state": "torch.get_rng_state",
    "torch.random.set_rng_state": "torch.set_rng_state",
    "torch.random.manual_seed": "torch.manual_seed",
    "torch.nn.parameter.Parameter": "torch.nn.Parameter",
    "torch.nn.parameter.Buffer": "torch.nn.Buffer",
}
