"""What PyTorch's functions, methods and classes do with devices, as tables."""
