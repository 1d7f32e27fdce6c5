"""devlint finds device-placement mistakes in PyTorch code by reading it, and rewrites them."""

__version__ = "0.1.0"
