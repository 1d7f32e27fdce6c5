"""Simulated GPUs: programs run on the CPU, and raise where a machine with GPUs would.

    python -m tests.sim [--gpus N] PROGRAM.py

Values, control flow, autograd and optimizers are real; only the device of each tensor is a claim, which
factories and moves set, operations check, and results inherit. See `run`.
"""

from tests.sim.client import Judge, Outcome, run

__all__ = ["Judge", "Outcome", "run"]
