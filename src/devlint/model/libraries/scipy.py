"""SciPy, scikit-learn, pandas and others that compute on the host: each asks a tensor for its array."""

from __future__ import annotations

from devlint.model.libraries.record import Library
from devlint.model.torch.effects import words

_SCIPY = (
    words("dct fft fft2 fftn fftshift idct ifft ifft2 irfft rfft rfft2", "scipy.fft.")
    | words("CubicSpline griddata interp1d", "scipy.interpolate.")
    | words(
        """
        block_diag cholesky det eig eigh eigvals expm inv lstsq lu norm null_space orth pinv polar qr schur
        solve svd svdvals toeplitz
        """,
        "scipy.linalg.",
    )
    | words(
        """
        affine_transform binary_closing binary_dilation binary_erosion binary_fill_holes binary_opening
        center_of_mass convolve convolve1d correlate distance_transform_edt find_objects gaussian_filter
        gaussian_filter1d generic_filter label laplace map_coordinates maximum_filter median_filter
        minimum_filter rotate shift sobel uniform_filter zoom
        """,
        "scipy.ndimage.",
    )
    | words("linear_sum_assignment", "scipy.optimize.")
    | words(
        """
        convolve convolve2d correlate correlate2d decimate detrend fftconvolve filtfilt find_peaks hilbert
        lfilter medfilt periodogram resample savgol_filter sosfilt sosfiltfilt spectrogram stft welch
        """,
        "scipy.signal.",
    )
    | words("coo_matrix csc_matrix csr_matrix", "scipy.sparse.")
    | words(
        """
        cdist chebyshev cityblock correlation cosine directed_hausdorff euclidean jensenshannon mahalanobis
        pdist squareform
        """,
        "scipy.spatial.distance.",
    )
    | words(
        "digamma erf erfc expit gamma gammaln log_softmax logit logsumexp softmax xlogy", "scipy.special."
    )
    | words(
        """
        describe entropy f_oneway gaussian_kde gmean hmean iqr kendalltau ks_2samp kurtosis linregress
        mannwhitneyu mode normaltest pearsonr rankdata sem shapiro skew spearmanr trim_mean ttest_ind
        ttest_rel wasserstein_distance wilcoxon zscore
        """,
        "scipy.stats.",
    )
)

LIBRARY = Library(
    host_sinks=_SCIPY
    | words(
        """
        imageio.imwrite imageio.v2.imwrite imageio.v3.imwrite pandas.DataFrame pandas.Series skimage.io.imsave
        sklearn.metrics sklearn.preprocessing.normalize sklearn.preprocessing.scale soundfile.write
        """
    ),
)
