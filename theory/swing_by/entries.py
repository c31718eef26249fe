"""What the lemmas of Appendix D.2 share: the letters of their displays, the noise bound, and runs of whole claims.

A lemma as printed is about whole trajectories at scales near 10^-80: it is checked on admissible instances in ball
arithmetic, where one certain violation refutes it. The displayed steps are inequalities between numbers: E stands for
the exponential exp(eta t (a_i + a_j) kappa) or its counterpart, w_0 and w for |w_ij(0)| and w_ij(t), n for the noise.
"""

from __future__ import annotations

from sympy import Expr, Interval, S, Symbol, oo, symbols
from sympy.logic.boolalg import Boolean

from theory.displays import equal
from theory.domains import POSITIVE
from theory.statements import Computation, Statement
from theory.swing_by.assumptions import EDGE

alpha, beta, gamma, omega, P, d = symbols("alpha beta gamma omega P d")
w, w0, E, n, y, q, T = symbols("w w_0 E n y q T")
MORE = {w: POSITIVE, w0: POSITIVE, E: Interval(1, oo), n: S.Reals, y: POSITIVE, q: S.Reals, T: POSITIVE}

NOISE = 2 * P * gamma * alpha * d * beta**2 * omega**2
"""The printed bound of Corollary D.1."""

TRUE_NOISE = 2 * gamma * alpha * d * EDGE**2
"""What the initial phase of the off-diagonal entries does give: P^2 in place of P."""

A_PROOF = "A proof for all instances needs the induction over time with the right power of P in the noise bound."


def on_runs(
    claim: str, instances: tuple[str, ...], dynamics: str = "printed", steps: int = 80_000, notes: str = A_PROOF
) -> Statement:
    """The claim of Appendix D on admissible instances: none of them violates it."""
    return Statement(
        then=equal((Symbol("violations"), S.Zero)),
        computed=Computation(
            "swing_by.run",
            {"claim": claim, "instances": list(instances), "dynamics": dynamics, "steps": steps},
            yields=("violations",),
        ),
        notes=notes,
    )


def in_phase(*entries: Symbol, edge: Expr = EDGE) -> tuple[Boolean, ...]:
    """The entries are in the initial phase."""
    return tuple(part for entry in entries for part in (entry <= edge, entry >= -edge))
