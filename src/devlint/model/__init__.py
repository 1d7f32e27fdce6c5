"""What a program does with devices. It knows no rule."""
