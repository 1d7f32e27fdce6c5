"""The command line: options in, a call to `devlint.project`, a report out. No logic of its own."""
