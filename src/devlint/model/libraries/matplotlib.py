"""Matplotlib and seaborn: drawing a tensor reads it on the host."""

from __future__ import annotations

from devlint.model.libraries.record import Library
from devlint.model.torch.effects import words

LIBRARY = Library(
    host_sinks=words(
        """
        bar barh boxplot contour contourf errorbar eventplot fill_between hexbin hist hist2d imsave imshow
        loglog matshow pcolor pcolormesh pie plot quiver scatter semilogx semilogy specgram spy stackplot stem
        step violinplot
        """,
        "matplotlib.pyplot.",
    )
    | words(
        "barplot boxplot displot heatmap histplot kdeplot lineplot scatterplot violinplot",
        "seaborn.",
    ),
)
