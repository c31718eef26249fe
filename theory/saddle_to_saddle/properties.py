"""Section 2: which unit maps have a zero unit, are homogeneous of degree one, are linear; derived, not typed in.

A property that fails comes with a point where it fails, so that the table is a list of statements.
"""

from __future__ import annotations

from dataclasses import dataclass

from sympy import And, Expr, Gt, Integer, Matrix, Ne, Or, Rational, S, Symbol, diff, expand, oo, symbols
from sympy import Interval as Range
from sympy.logic.boolalg import Boolean

from theory.displays import equal
from theory.saddle_to_saddle._display import reals
from theory.saddle_to_saddle._paper import paper
from theory.saddle_to_saddle.layer import ARCHITECTURES, Layer
from theory.statements import Statement

_INPUTS = {2: (Integer(1), Integer(2)), 4: (Integer(1), Integer(2), Integer(3), Integer(-1))}
_WEIGHTS, _OTHER = (Integer(1), Rational(1, 2)), (Integer(-2), Rational(1, 3))


@dataclass(frozen=True)
class Properties:
    """Zero unit at the origin, homogeneity over the reals or the nonnegative numbers, linearity, lowest Taylor order.

    >>> properties(ARCHITECTURES["relu"])
    Properties(zero=True, homogeneous='nonnegative', linear=False, order=None)
    >>> properties(ARCHITECTURES["s-tanh-s"]).order
    2
    """

    zero: bool
    homogeneous: str
    linear: bool
    order: int | None

    def applies(self, clause: str) -> bool:
        """Whether a clause of Theorems 1 and 3 may be used."""
        return {"i": True, "ii": self.zero, "iii": bool(self.homogeneous), "iv": self.linear}[clause]


def _size(layer: Layer) -> int:
    return 4 if layer.second == 2 else 2


def _vanishes(matrix: Matrix) -> bool:
    return all(expand(entry) == 0 for entry in matrix)


def properties(layer: Layer) -> Properties:
    """The row of the table for one architecture."""
    z = symbols(f"z_1:{_size(layer) + 1}", real=True)
    u, w = symbols("u_1:3", real=True), symbols("w_1:3", real=True)
    zero = _vanishes(layer.phi(z, (S.Zero, S.Zero)))
    homogeneous = ""
    for name, factor in (("reals", Symbol("c", real=True)), ("nonnegative", Symbol("c", nonnegative=True))):
        scaled = layer.phi(z, [factor * entry for entry in u])
        difference = scaled - factor * layer.phi(z, u)
        sample = dict(zip((*z, *u), (*_INPUTS[len(z)], *_WEIGHTS), strict=True)) | {factor: Integer(2)}
        if any(abs(entry.subs(sample).evalf(20)) > Rational(1, 10**9) for entry in difference):
            continue
        if _vanishes(difference.applyfunc(lambda entry: entry.factor(deep=True))):
            homogeneous = name
            break
    joined = layer.phi(z, [a + b for a, b in zip(u, w, strict=True)])
    linear = homogeneous == "reals" and _vanishes(joined - layer.phi(z, u) - layer.phi(z, w))
    return Properties(zero, homogeneous, linear, None if homogeneous == "nonnegative" else _order(layer))


def _order(layer: Layer) -> int | None:
    """The lowest Taylor order in u at the origin that does not vanish."""
    t = Symbol("t")
    ray = layer.phi(_INPUTS[_size(layer)], [t * weight for weight in _WEIGHTS])
    for order in range(5):
        if any(diff(entry, t, order).subs(t, 0) != 0 for entry in ray):
            return order
    return None


def _table_row(name: str) -> Statement:
    """What holds as identities for all weights and inputs, what fails as inequalities at a point."""
    layer, row = ARCHITECTURES[name], properties(ARCHITECTURES[name])
    z = symbols(f"z_1:{_size(layer) + 1}")
    u, w, c = symbols("u_1:3"), symbols("w_1:3"), Symbol("c")
    origin = layer.phi(z, (S.Zero, S.Zero))
    scaled = (layer.phi(z, [c * entry for entry in u]), c * layer.phi(z, u))
    joined = (layer.phi(z, [a + b for a, b in zip(u, w, strict=True)]), layer.phi(z, u) + layer.phi(z, w))
    holding: list[Boolean] = []
    domain = S.Reals if row.homogeneous == "reals" else Range(0, oo)
    if row.zero:
        holding.append(equal((origin, 0 * origin)))
    if row.homogeneous:
        holding.append(equal(scaled))
    if row.linear:
        holding.append(equal(joined))
    failing = [] if row.homogeneous == "reals" else [_differs(*scaled, z, u, w, c, Integer(-2))]
    failing += [] if row.homogeneous else [_differs(*scaled, z, u, w, c, Integer(2))]
    failing += [] if row.linear else [_differs(*joined, z, u, w, c, Integer(2))]
    then = And(*holding, *failing)
    variables = dict.fromkeys(reals((then,)), S.Reals)
    return Statement(variables=variables | ({c: domain} if c in variables else {}), then=then)


def _differs(left: Matrix, right: Matrix, z: tuple[Symbol, ...], u: object, w: object, c: Symbol, at: Expr) -> Boolean:
    values = dict(zip(z, _INPUTS[len(z)], strict=True)) | {c: at}
    for names, numbers in ((u, _WEIGHTS), (w, _OTHER)):
        values |= dict(zip(names, numbers, strict=True))  # type: ignore[call-overload]
    pairs = zip(left.subs(values), right.subs(values), strict=True)
    return Or(*[Ne(a, b, evaluate=False) for a, b in pairs if a != b])


def _register(name: str) -> None:
    @paper.statement(
        f"claim-2.{name}", f"Zero unit, homogeneity and linearity of {name.replace('-', ' ')} units", label="Section 2"
    )
    def row() -> Statement:
        return _table_row(name)


for _name in ARCHITECTURES:
    _register(_name)


@paper.statement("claim-2.no-zero-sigmoid", "A sigmoid unit never vanishes", label="Section 2")
def sigmoid_never_vanishes() -> Statement:
    u, z = symbols("u_1:3"), symbols("z_1:3")
    value = ARCHITECTURES["sigmoid"].phi(z, u)[0]
    return Statement(variables=reals(u, z), then=Gt(value, 0))


@paper.statement("claim-2.no-zero-softmax", "A softmax head does not vanish on positive tokens", label="Section 2")
def softmax_never_vanishes() -> Statement:
    u, z = symbols("u_1:3"), symbols("z_1:3")
    value = ARCHITECTURES["softmax-attention"].phi(z, u)[0]
    return Statement(variables=reals(u) | {entry: Range.open(0, oo) for entry in z}, then=Gt(value, 0))


@paper.statement("claim-2.zero-linear-attention", "A linear head vanishes exactly where key or query does")
def linear_attention_zero() -> Statement:
    key, query = symbols("k q")
    value = ARCHITECTURES["linear-attention"].phi((Integer(1), Integer(1)), (key, query))[0]
    return Statement(variables=reals((key, query)), given=(equal((value, 0)),), then=equal((key * query, 0)))


@paper.statement(
    "claim-2.order", "The lowest Taylor orders of softmax, sigmoid, sin, tanh, s tanh s, cubic: 0,0,1,1,2,3"
)
def taylor_orders() -> Statement:
    t, u, z = Symbol("t"), symbols("u_1:3"), symbols("z_1:3")
    claims: list[tuple[Expr, Expr]] = []
    for name, order in (("sin", 1), ("tanh", 1), ("s-tanh-s", 2), ("cubic", 3)):
        ray = ARCHITECTURES[name].phi(z, [t * weight for weight in u])[0]
        claims += [(diff(ray, t, k).subs(t, 0), S.Zero) for k in range(order)]
        leading = (u[0] * z[0] + u[1] * z[1]) ** order * (1 if order == 1 else order if order == 2 else 6)
        claims.append((diff(ray, t, order).subs(t, 0), leading))
    claims.append((ARCHITECTURES["sigmoid"].phi(z, (S.Zero, S.Zero))[0], Rational(1, 2)))
    claims.append((ARCHITECTURES["softmax-attention"].phi(z, (S.Zero, S.Zero))[0], (z[0] + z[1]) / 2))
    return Statement(variables=reals(u, z), then=equal(*claims))


__all__ = ["Properties", "properties"]
