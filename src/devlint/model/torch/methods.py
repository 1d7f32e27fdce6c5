"""The public methods and properties of torch.Tensor."""

from __future__ import annotations

from devlint.model.torch.effects import (
    ANYTHING,
    BINARY_IN_PLACE,
    DRAWN_IN_PLACE,
    GROWN,
    HOST,
    IN_PLACE,
    JOINED,
    NOTHING,
    STRICT_IN_PLACE,
    UNARY,
    VIEW,
    Mix,
    Op,
    Out,
    Rank,
    table,
    words,
)
from devlint.model.torch.shared import SHARED

_RESHAPED_IN_PLACE = Op(Mix.FREE, Out.RECEIVER)
_NEW_LIKE = Op(Mix.FREE, Out.LIKE, params=("input",))
_STORED_BY_INDEX = Op(
    Mix.STRICT,
    Out.RECEIVER,
    operands=("input", "index", "source"),
    params=("input", "dim", "index", "source"),
)
_SCATTERED = Op(
    Mix.STRICT, Out.RECEIVER, operands=("input", "index", "src"), params=("input", "dim", "index", "src")
)

_IN_PLACE: dict[str, Op] = {
    **table(
        IN_PLACE,
        """
        abs_ absolute_ acos_ acosh_ apply_ arccos_ arccosh_ arcsin_ arcsinh_ arctan_ arctanh_ asin_ asinh_
        atan_ atanh_ bitwise_not_ ceil_ conj_physical_ cos_ cosh_ cumprod_ cumsum_ deg2rad_ detach_ digamma_
        erf_ erfc_ erfinv_ exp2_ exp_ expm1_ fill_ fill_diagonal_ fix_ floor_ frac_ i0_ lgamma_ log10_ log1p_
        log2_ log_ logical_not_ logit_ mvlgamma_ nan_to_num_ neg_ negative_ polygamma_ rad2deg_ reciprocal_
        relu_ renorm_ requires_grad_ round_ rsqrt_ set_ sgn_ share_memory_ sigmoid_ sign_ sin_ sinc_ sinh_
        sqrt_ square_ swapaxes_ swapdims_ t_ tan_ tanh_ transpose_ tril_ triu_ trunc_ zero_
        """,
    ),
    **table(
        BINARY_IN_PLACE,
        """
        add_ addcdiv_ addcmul_ arctan2_ atan2_ bitwise_and_ bitwise_left_shift_ bitwise_or_
        bitwise_right_shift_ bitwise_xor_ clamp_ clamp_max_ clamp_min_ clip_ copysign_ div_ divide_ eq_
        float_power_ floor_divide_ fmod_ gcd_ ge_ greater_ greater_equal_ gt_ heaviside_ hypot_ igamma_
        igammac_ lcm_ ldexp_ le_ lerp_ less_ less_equal_ logical_and_ logical_or_ logical_xor_ lt_ map2_ map_
        mul_ multiply_ ne_ nextafter_ not_equal_ pow_ remainder_ sub_ subtract_ true_divide_ xlogy_
        """,
    ),
    **table(STRICT_IN_PLACE, "addbmm_ addmm_ addmv_ addr_ baddbmm_"),
    **table(
        DRAWN_IN_PLACE,
        "bernoulli_ cauchy_ exponential_ geometric_ log_normal_ normal_ random_ uniform_",
    ),
    **table(
        _RESHAPED_IN_PLACE,
        """
        as_strided_ resize_ resize_as_ resize_as_sparse_ sparse_resize_ sparse_resize_and_clear_ squeeze_
        unsqueeze_
        """,
    ),
    "copy_": Op(Mix.COPY, Out.RECEIVER, rank=Rank.KEPT, params=("input", "src", "non_blocking")),
    **table(_STORED_BY_INDEX, "index_add_ index_copy_ index_reduce_"),
    **table(_SCATTERED, "scatter_ scatter_add_ scatter_reduce_"),
    "index_fill_": Op(
        Mix.STRICT, Out.RECEIVER, operands=("input", "index"), params=("input", "dim", "index", "value")
    ),
    "index_put_": Op(
        Mix.INDEX, Out.RECEIVER, rank=Rank.SOME, params=("input", "indices", "values", "accumulate")
    ),
    "masked_fill_": Op(
        Mix.STRICT,
        Out.RECEIVER,
        operands=("input", "mask"),
        params=("input", "mask", "value"),
        rank=Rank.KEPT,
    ),
    "masked_scatter_": Op(Mix.STRICT, Out.RECEIVER, params=("input", "mask", "source")),
    "put_": Op(Mix.STRICT, Out.RECEIVER, params=("input", "index", "source")),
}

_ONLY: dict[str, Op] = {
    **table(
        UNARY,
        """
        bfloat16 bool byte cdouble cfloat chalf char coalesce contiguous double float half hardshrink int long
        pin_memory short to_dense
        """,
    ),
    # `.type("torch.cuda.FloatTensor")` moves; `.type()` is a str.
    "type": UNARY,
    "prelu": Op(Mix.STRICT, Out.SAME, params=("input", "weight"), rank=Rank.KEPT),
    **table(
        VIEW,
        """
        as_strided as_subclass expand expand_as repeat reshape_as resize resize_as sum_to_size
        to_padded_tensor unflatten view view_as
        """,
    ),
    **table(
        GROWN,
        """
        ccol_indices col_indices crow_indices indices row_indices to_mkldnn to_sparse to_sparse_bsc
        to_sparse_bsr to_sparse_coo to_sparse_csc to_sparse_csr unfold values
        """,
    ),
    **table(JOINED, "mm sparse_mask"),
    "index": Op(Mix.INDEX, Out.SAME, params=("input", "indices")),
    **table(_NEW_LIKE, "new new_empty new_empty_strided new_full new_ones new_tensor new_zeros"),
    "type_as": Op(Mix.FREE, Out.LIKE, rank=Rank.KEPT, params=("input", "other"), like=1),
    # Moves: see MOVES for where to.
    **table(Op(Mix.FREE, Out.LIKE, rank=Rank.KEPT, params=("input",)), "cuda ipu mtia to xpu"),
    "cpu": Op(Mix.FREE, Out.CPU, rank=Rank.KEPT, params=("input",)),
    "module_load": ANYTHING,
    **table(
        HOST,
        """
        const_data_ptr data_ptr dense_dim dim dim_order element_size is_coalesced is_contiguous is_pinned
        is_set_to is_shared item ndimension nelement numpy qscheme size sparse_dim storage_offset storage_type
        stride tolist
        """,
    ),
    **table(
        NOTHING,
        "backward record_stream register_hook register_post_accumulate_grad_hook reinforce retain_grad",
    ),
    **table(ANYTHING, "storage untyped_storage"),
    # Removed from torch: they raise.
    **table(ANYTHING, "eig lstsq solve symeig"),
}

METHODS: dict[str, Op] = {**SHARED, **_IN_PLACE, **_ONLY}

PROPERTIES: dict[str, Op] = {
    **table(UNARY, "H T data grad imag mH mT real"),
    **table(
        HOST,
        """
        device dtype grad_dtype is_cpu is_cuda is_ipu is_leaf is_maia is_meta is_mkldnn is_mps is_mtia
        is_nested is_quantized is_sparse is_sparse_csr is_vulkan is_xla is_xpu itemsize layout name nbytes
        ndim output_nr requires_grad retains_grad shape volatile
        """,
    ),
    "grad_fn": ANYTHING,
}

# Methods that move, and the device type that they move to (`to`: what it is told). `npu` and `hpu` come with
# plugins.
MOVES: dict[str, str | None] = {
    "to": None,
    "cpu": "cpu",
    "cuda": "cuda",
    "hpu": "hpu",
    "ipu": "ipu",
    "mtia": "mtia",
    "npu": "npu",
    "xpu": "xpu",
}

# Called on a value, they show that it is a tensor: no builtin, ndarray, DataFrame, image, module or optimizer
# has such a method. (`detach` is on Python's text files as well; nobody moves those.)
TENSOR_ONLY: frozenset[str] = words(
    """
    abs_ add_ addcdiv addcdiv_ addcmul addcmul_ addmm addmm_ baddbmm baddbmm_ bernoulli_ bmm byte cauchy_
    ceil_ clamp clamp_ clamp_max clamp_max_ clamp_min clamp_min_ contiguous copy_ copysign_ cumsum_ data_ptr
    detach detach_ dim div_ element_size erfinv_ exp_ expand_as exponential_ fill_ fill_diagonal_ float_power
    floor_ geometric_ index_add index_add_ index_copy index_copy_ index_fill index_fill_ index_put index_put_
    index_reduce index_reduce_ index_select is_contiguous lerp_ log_ log_normal_ log_softmax logcumsumexp
    logical_not logsumexp long masked_fill masked_fill_ masked_scatter masked_scatter_ masked_select matmul
    matrix_exp mm mul_ narrow ndimension neg_ nelement new_empty new_full new_ones new_tensor new_zeros
    nonzero_static normal_ numel permute pow_ random_ relu_ repeat_interleave reshape_as resize_ retain_grad
    round_ rsqrt scatter scatter_ scatter_add scatter_add_ scatter_reduce scatter_reduce_ sigmoid sigmoid_
    sign_ size softmax sqrt_ squeeze_ sub_ t_ tanh_ tensor_split topk transpose_ tril tril_ triu triu_ trunc_
    type_as unbind unflatten uniform_ unsqueeze unsqueeze_ view_as zero_
    """
)

# Called on a value, they show that it is an nn.Module.
MODULE_ONLY: frozenset[str] = words(
    """
    add_module buffers get_extra_state get_submodule modules named_buffers named_children named_modules
    named_parameters parameters register_backward_hook register_buffer register_forward_hook
    register_forward_pre_hook register_full_backward_hook register_full_backward_pre_hook register_module
    register_parameter set_extra_state set_submodule to_empty
    """
)
