"""Ten derivations to read, written from stored certificates: `python derivations.py` writes, `--check` compares.

A certificate is searched for only where none is stored (`--search NAME` searches again). Whatever is stored, the
kernel accepts it anew before anything is written.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
from pathlib import Path

from sympy import Eq, Interval, S, Sum, log, oo, symbols

from proofs_check import Verdict, derive, verify
from proofs_check.kernel.theorem import Sense, Theorem, accept
from proofs_check.report.derivation import Derivation, derived
from proofs_check.report.design_card import DesignCard
from proofs_check.report.write_derivation import as_latex, as_markdown
from theory import (
    After,
    Always,
    ConvergesTo,
    Expectation,
    Map,
    Matrices,
    Noise,
    PositiveSemidefinite,
    SmoothStronglyConvex,
    Statement,
    Vectors,
    family,
    function,
    gradient_descent,
    gradient_flow,
    matrix,
    norm,
    trace,
    vector,
)

HERE = Path(__file__).parent
STORED = HERE / "certificates.json.gz"

x, u, w, k, n, a, b, s = symbols("x u w k n a b s")
eta, x0, a0, b0, xi, mu, L, N, d, h, m = symbols("eta x_0 a_0 b_0 xi mu L N d h m")
POSITIVE, UNIT = Interval.open(0, oo), Interval.open(0, 1)
f, X, X0, U = function("f"), vector("x"), vector("x0"), family("u", n)
A, B, W, V, Y = matrix("A", h, n), matrix("B", m, h), matrix("W", h, n), matrix("V", m, h), matrix("Y", m, n)
P, Q = matrix("P", d, d), matrix("Q", d, d)

STATEMENTS = {
    "balanced-layers": Statement(
        title="Two linear layers stay balanced along gradient flow, whatever their sizes.",
        variables={W: Matrices(h, n), V: Matrices(m, h), Y: Matrices(m, n)},
        dynamics=gradient_flow(norm(B * A - Y) ** 2 / 2, (A, B)),
        start={A: W, B: V},
        then=Always(Eq(B.T * B - A * A.T, V.T * V - W * W.T)),
    ),
    "linear-rate": Statement(
        title="Gradient descent on a smooth, strongly convex function converges linearly.",
        variables={f: SmoothStronglyConvex(mu, L), X0: Vectors(), L: POSITIVE, mu: POSITIVE, N: S.Naturals},
        given=(mu < L,),
        dynamics=gradient_descent(f, X, 1 / L),
        start={X: X0},
        then=After(N, f(X) - f.minimum <= (1 - mu / L) ** N * (f(X0) - f.minimum)),
    ),
    "weights-balance": Statement(
        title="The difference of squared weights is conserved by the flow.",
        variables={a0: S.Reals, b0: S.Reals},
        dynamics=gradient_flow((a * b - 1) ** 2 / 2, (a, b)),
        start={a: a0, b: b0},
        then=Always(Eq(a**2 - b**2, a0**2 - b0**2)),
    ),
    "imbalance-grows": Statement(
        title="Gradient descent never increases the imbalance of two weights (false).",
        variables={eta: UNIT, a: Interval(0, 2), b: Interval(0, 2)},
        then=((a - eta * b * (a * b - 1)) ** 2 - (b - eta * a * (a * b - 1)) ** 2) ** 2 <= (a**2 - b**2) ** 2,
    ),
    "double-well": Statement(
        title="The flow in a double well reaches the minimum on its side.",
        variables={x0: UNIT},
        dynamics=gradient_flow((x**2 - 1) ** 2 / 4, x),
        start={x: x0},
        then=ConvergesTo(x, 1),
    ),
    "noisy-descent": Statement(
        title="The mean of stochastic gradient descent on a quadratic converges.",
        variables={a: POSITIVE, eta: POSITIVE, s: POSITIVE, x0: S.Reals},
        noise={xi: Noise(mean=0, variance=s**2)},
        given=(eta * a < 2,),
        dynamics=Map((x,), (x - eta * (a * x + xi),)),
        start={x: x0},
        then=ConvergesTo(Expectation(x), 0),
    ),
    "sum-of-squares": Statement(
        title="The square of a sum of n numbers is at most n times the sum of their squares.",
        variables={U: S.Reals},
        then=Sum(U[k], (k, 1, n)) ** 2 <= n * Sum(U[k] ** 2, (k, 1, n)),
    ),
    "trace-of-a-product": Statement(
        title="The trace of a product of two positive semidefinite matrices is not negative.",
        variables={P: PositiveSemidefinite(d), Q: PositiveSemidefinite(d)},
        then=trace(P * Q) >= 0,
    ),
    "inverse-squares": Statement(
        title="The sum of the first inverse squares is at most 2 - 1/n.",
        variables={n: S.Naturals},
        then=Sum(1 / k**2, (k, 1, n)) <= 2 - 1 / n,
    ),
    "entropy": Statement(
        title="The entropy of a coin is at most log 2.",
        variables={x: UNIT},
        then=-x * log(x) - (1 - x) * log(1 - x) <= log(2),
    ),
}


def double_well_map() -> DesignCard:
    """The design card of gradient descent in the double well."""
    return derive(gradient_descent((x**2 - 1) ** 2 / 4, x, symbols("eta", positive=True)))


def stored() -> dict[str, Verdict]:
    """The verdicts with their certificates."""
    data = json.loads(gzip.decompress(STORED.read_bytes())) if STORED.exists() else {}
    return {name: Verdict.from_json(verdict) for name, verdict in data.items()}


def written(name: str, verdict: Verdict) -> Derivation:
    """The derivation of a statement from a certificate that the kernel accepts now."""
    statement = STATEMENTS[name].but(id=f"examples/{name}")
    accepted = accept(statement, Sense(verdict.outcome.value), verdict.certificate)
    if not isinstance(accepted, Theorem):
        sys.exit(f"{name}: the kernel does not accept the stored certificate ({accepted.reason}): --search {name}")
    return derived(statement, verdict)


def main() -> int:
    """Write or compare."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="compare with what is stored, write nothing")
    parser.add_argument("--search", action="append", default=[], metavar="NAME", help="search for a certificate again")
    options = parser.parse_args()
    verdicts = {name: verdict for name, verdict in stored().items() if name in STATEMENTS}
    for name, statement in STATEMENTS.items():
        if not options.check and (name not in verdicts or name in options.search):
            verdicts[name] = verify(statement.but(id=f"examples/{name}"))
    derivations = {name: written(name, verdicts[name]) for name in STATEMENTS}
    texts = {f"{name}.md": as_markdown(derivation) for name, derivation in derivations.items()}
    card = double_well_map()
    texts["design-card.md"] = as_markdown(card)
    texts["appendix.tex"] = as_latex(*derivations.values(), card)
    if options.check:
        old = [name for name, text in texts.items() if (HERE / name).read_text(encoding="utf-8") != text]
        print(f"not current: {', '.join(old)}: run derivations.py" if old else "all current")
        return bool(old)
    data = {name: verdict.to_json() | {"seconds": 0.0} for name, verdict in verdicts.items()}
    STORED.write_bytes(gzip.compress(json.dumps(data).encode(), mtime=0))
    for name, text in texts.items():
        (HERE / name).write_text(text, encoding="utf-8")
    print(f"wrote {len(texts)} files")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
