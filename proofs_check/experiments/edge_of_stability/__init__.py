"""The experiments behind the figures of the edge-of-stability paper; importing this package registers them."""

from proofs_check.experiments.edge_of_stability import digits, factorisation, networks

__all__ = ["digits", "factorisation", "networks"]
