"""SciPy, scikit-learn, pandas and others that compute on the host."""

from __future__ import annotations

from devlint.model.libraries.record import Library
from devlint.model.torch.effects import words

LIBRARY = Library(
    host_sinks=words(
        """
        imageio.imwrite imageio.v2.imwrite imageio.v3.imwrite pandas.DataFrame pandas.Series scipy.fft
        scipy.interpolate scipy.io.wavfile.write scipy.linalg scipy.ndimage
        scipy.optimize.linear_sum_assignment scipy.signal scipy.spatial.distance scipy.special scipy.stats
        skimage.measure skimage.metrics skimage.transform sklearn.metrics sklearn.preprocessing.normalize
        sklearn.preprocessing.scale soundfile.write
        """
    ),
)
