"""The exit codes."""

from __future__ import annotations

from typing import Final

CLEAN: Final = 0
"""Nothing found, or all of it fixed."""
FINDINGS: Final = 1
"""Something found."""
FAILED: Final = 2
"""The run itself failed: bad arguments, broken configuration, an unreadable file."""
INTERRUPTED: Final = 130
"""Stopped from the keyboard, as shells report it."""
