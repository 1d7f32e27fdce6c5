"""torch.linalg, fft, special, nn.init, nn.utils, distributed and the other namespaces of torch."""

from __future__ import annotations

from devlint.model.torch.effects import (
    ANYTHING,
    BINARY,
    DRAWN_IN_PLACE,
    GROWN,
    HOST,
    IN_PLACE,
    JOINED,
    MANY,
    NOTHING,
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

_LINALG: dict[str, Op] = {
    **table(
        GROWN,
        "cholesky diagonal eigvals eigvalsh inv matrix_exp matrix_power svdvals tensorinv vander",
        "torch.linalg.",
    ),
    **table(VIEW, "cond det matrix_norm", "torch.linalg."),
    # Tolerances may be tensors.
    "torch.linalg.matrix_rank": Op(Mix.ELEMENTWISE, Out.SAME),
    "torch.linalg.pinv": Op(Mix.ELEMENTWISE, Out.SAME, rank=Rank.SOME),
    "torch.linalg.norm": Op(
        Mix.FREE, Out.SAME, zero_dim_if_no=("dim",), params=("input", "ord", "dim", "keepdim")
    ),
    "torch.linalg.vector_norm": Op(
        Mix.FREE, Out.SAME, zero_dim_if_no=("dim",), params=("input", "ord", "dim", "keepdim")
    ),
    **table(
        JOINED,
        "cross householder_product ldl_solve lu_solve multi_dot solve solve_triangular tensorsolve",
        "torch.linalg.",
    ),
    **table(PRODUCT, "matmul vecdot", "torch.linalg."),
    **table(PAIR, "cholesky_ex eig eigh inv_ex ldl_factor lu_factor qr slogdet", "torch.linalg."),
    **table(TRIPLE, "ldl_factor_ex lu lu_factor_ex svd", "torch.linalg."),
    "torch.linalg.solve_ex": Op(Mix.STRICT, Out.MANY, count=2),
    "torch.linalg.lstsq": Op(Mix.STRICT, Out.MANY, count=4),
}

_FFT: dict[str, Op] = table(
    GROWN,
    """
    fft fft2 fftn fftshift hfft hfft2 hfftn ifft ifft2 ifftn ifftshift ihfft ihfft2 ihfftn irfft irfft2 irfftn
    rfft rfft2 rfftn
    """,
    "torch.fft.",
)

_SPECIAL: dict[str, Op] = {
    **table(
        UNARY,
        """
        airy_ai bessel_j0 bessel_j1 bessel_y0 bessel_y1 digamma entr erf erfc erfcx erfinv exp2 expit expm1
        gammaln i0 i0e i1 i1e log1p log_ndtr log_softmax logit modified_bessel_i0 modified_bessel_i1
        modified_bessel_k0 modified_bessel_k1 multigammaln ndtr ndtri polygamma psi round
        scaled_modified_bessel_k0 scaled_modified_bessel_k1 sinc softmax spherical_bessel_j0
        """,
        "torch.special.",
    ),
    **table(
        BINARY,
        """
        chebyshev_polynomial_t chebyshev_polynomial_u chebyshev_polynomial_v chebyshev_polynomial_w gammainc
        gammaincc hermite_polynomial_h hermite_polynomial_he laguerre_polynomial_l legendre_polynomial_p
        shifted_chebyshev_polynomial_t shifted_chebyshev_polynomial_u shifted_chebyshev_polynomial_v
        shifted_chebyshev_polynomial_w xlog1py xlogy zeta
        """,
        "torch.special.",
    ),
    "torch.special.logsumexp": VIEW,
}

_INIT: dict[str, Op] = {
    **table(IN_PLACE, "constant_ dirac_ eye_ ones_ zeros_", "torch.nn.init."),
    **table(
        DRAWN_IN_PLACE,
        """
        kaiming_normal_ kaiming_uniform_ normal_ orthogonal_ sparse_ trunc_normal_ uniform_ xavier_normal_
        xavier_uniform_
        """,
        "torch.nn.init.",
    ),
    # The deprecated spellings.
    **table(IN_PLACE, "constant dirac eye", "torch.nn.init."),
    **table(
        DRAWN_IN_PLACE,
        "kaiming_normal kaiming_uniform normal orthogonal sparse uniform xavier_normal xavier_uniform",
        "torch.nn.init.",
    ),
    "torch.nn.init.calculate_gain": HOST,
}

_SELF = Op(Mix.FREE, Out.RECEIVER)
_NORM = Op(Mix.FREE, Out.SCALAR, params=("parameters", "max_norm", "norm_type"))

_UTILS: dict[str, Op] = {
    # The norm is computed on the device of the first gradient.
    "torch.nn.utils.clip_grad_norm_": _NORM,
    "torch.nn.utils.clip_grad_norm": _NORM,
    "torch.nn.utils.get_total_norm": Op(Mix.FREE, Out.SCALAR, params=("tensors", "norm_type")),
    **table(ANYTHING, "fuse_conv_bn_eval fuse_conv_bn_weights fuse_linear_bn_eval", "torch.nn.utils."),
    **table(ANYTHING, "fuse_linear_bn_weights skip_init", "torch.nn.utils."),
    **table(NOTHING, "clip_grad_value_ clip_grads_with_norm_ vector_to_parameters", "torch.nn.utils."),
    "torch.nn.utils.parameters_to_vector": JOINED,
    # They change the module that they are given, and return it.
    **table(_SELF, "remove_spectral_norm remove_weight_norm spectral_norm weight_norm", "torch.nn.utils."),
    **table(_SELF, "orthogonal spectral_norm weight_norm", "torch.nn.utils.parametrizations."),
    **table(_SELF, "register_parametrization remove_parametrizations", "torch.nn.utils.parametrize."),
    **table(
        _SELF,
        """
        custom_from_mask identity l1_unstructured ln_structured random_structured random_unstructured remove
        """,
        "torch.nn.utils.prune.",
    ),
    # Each sequence is copied into a tensor made like the first: copy_ crosses devices.
    "torch.nn.utils.rnn.pad_sequence": Op(
        Mix.COPY,
        Out.SAME,
        rank=Rank.SOME,
        params=("sequences", "batch_first", "padding_value", "padding_side"),
    ),
    "torch.nn.utils.rnn.pack_sequence": Op(
        Mix.COPY, Out.SAME, rank=Rank.SOME, params=("sequences", "enforce_sorted")
    ),
    "torch.nn.utils.rnn.pack_padded_sequence": Op(
        Mix.FREE,
        Out.SAME,
        rank=Rank.SOME,
        operands=("input",),
        host_args=("lengths",),
        params=("input", "lengths", "batch_first", "enforce_sorted"),
    ),
    "torch.nn.utils.rnn.pad_packed_sequence": Op(
        Mix.FREE,
        Out.MANY,
        count=2,
        host_items=(1,),
        params=("sequence", "batch_first", "padding_value", "total_length"),
    ),
    "torch.nn.utils.rnn.unpack_sequence": MANY,
    "torch.nn.utils.rnn.unpad_sequence": Op(
        Mix.FREE, Out.MANY, operands=("padded_sequences",), params=("padded_sequences", "lengths")
    ),
    "torch.nn.utils.rnn.invert_permutation": UNARY,
}

_OTHERS: dict[str, Op] = {
    # One gradient for each input, on its device.
    "torch.autograd.grad": Op(
        Mix.FREE, Out.MANY, params=("outputs", "inputs", "grad_outputs", "retain_graph", "create_graph")
    ),
    "torch.autograd.backward": NOTHING,
    "torch.utils.checkpoint.checkpoint": ANYTHING,
    "torch.utils.checkpoint.checkpoint_sequential": ANYTHING,
    **table(
        NOTHING,
        """
        all_gather all_gather_into_tensor all_gather_object all_reduce all_to_all all_to_all_single barrier
        broadcast broadcast_object_list destroy_process_group gather gather_object irecv init_process_group
        isend monitored_barrier reduce reduce_scatter reduce_scatter_tensor scatter scatter_object_list send
        """,
        "torch.distributed.",
    ),
    **table(
        HOST,
        """
        get_backend get_rank get_world_size is_available is_gloo_available is_initialized is_mpi_available
        is_nccl_available is_torchelastic_launched recv
        """,
        "torch.distributed.",
    ),
    "torch.testing.assert_close": NOTHING,
    **table(JOINED, "addmm mm sampled_addmm spsolve", "torch.sparse."),
    **table(UNARY, "log_softmax softmax", "torch.sparse."),
    "torch.sparse.spdiags": GROWN,
    "torch.sparse.sum": VIEW,
    "torch.nested.to_padded_tensor": GROWN,
    "torch.cuda.get_rng_state": Op(Mix.FREE, Out.CPU),
}

NAMESPACES: dict[str, Op] = {**_LINALG, **_FFT, **_SPECIAL, **_INIT, **_UTILS, **_OTHERS}
