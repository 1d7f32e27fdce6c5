"""NumPy: what turns its arguments into arrays, on the host."""

from __future__ import annotations

from devlint.model.libraries.record import Library
from devlint.model.torch.effects import words

LIBRARY = Library(
    # Not here: what calls the method of the tensor itself (mean, sum, max), only looks at its shape, or asks
    # for a Python number (float64).
    host_sinks=words(
        """
        abs absolute acos acosh add allclose angle append apply_along_axis apply_over_axes arccos arccosh
        arcsin arcsinh arctan arctan2 arctanh argmax argmin argpartition argsort argwhere around array
        asanyarray asarray asarray_chkfinite ascontiguousarray asfortranarray asin asinh atan atan2 atanh
        atleast_1d atleast_2d atleast_3d average bincount bitwise_and bitwise_count bitwise_invert
        bitwise_left_shift bitwise_not bitwise_or bitwise_right_shift bitwise_xor bool_ broadcast_arrays
        broadcast_to cbrt ceil clip column_stack complex128 complex64 compress conj conjugate convolve copy
        copysign corrcoef correlate cos cosh count_nonzero cov cross cumprod cumsum cumulative_prod
        cumulative_sum deg2rad degrees delete diag diagflat diagonal digitize divide divmod dot dstack ediff1d
        einsum equal exp exp2 expand_dims expm1 extract fabs fix flatnonzero fliplr flipud float16 float32
        float_power floor floor_divide fmax fmin fmod frexp full gcd gradient greater greater_equal heaviside
        histogram histogram2d histogram_bin_edges histogramdd hstack hypot i0 inner insert int16 int32 int64
        int8 int_ interp intersect1d invert isclose iscomplex isfinite isinf isnan isneginf isposinf kron lcm
        ldexp left_shift less less_equal log log10 log1p log2 logaddexp logaddexp2 logical_and logical_not
        logical_or logical_xor matmul matrix_transpose matvec maximum median meshgrid minimum mod modf
        multiply nan_to_num nanargmax nanargmin nancumprod nancumsum nanmax nanmean nanmedian nanmin
        nanpercentile nanprod nanquantile nanstd nansum nanvar negative nextafter not_equal outer packbits pad
        partition percentile permute_dims piecewise poly polyadd polyder polydiv polyfit polyint polymul
        polysub polyval positive pow power ptp quantile rad2deg radians ravel reciprocal remainder repeat
        require reshape resize right_shift rint roll roots rot90 round row_stack save savetxt savez
        savez_compressed searchsorted select setdiff1d setxor1d sign signbit sin sinc sinh sort sort_complex
        spacing sqrt square stack subtract take tan tanh tensordot tile trace transpose trapezoid tril
        trim_zeros triu true_divide trunc uint16 uint32 uint64 uint8 union1d unique unique_all unique_counts
        unique_inverse unique_values unpackbits unwrap vander vdot vecdot vecmat vstack where
        """,
        "numpy.",
    )
    | {"numpy.fft", "numpy.linalg"}
    | words(
        """
        assert_allclose assert_almost_equal assert_array_almost_equal assert_array_equal assert_array_less
        assert_equal
        """,
        "numpy.testing.",
    ),
)
