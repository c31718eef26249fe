"""The experiments of the simplicity-bias paper; importing this package registers them."""

from proofs_check.experiments.simplicity_bias import figures, flows

__all__ = ["figures", "flows"]
