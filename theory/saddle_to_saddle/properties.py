"""Section 2: which unit maps have a zero unit, are homogeneous of degree one, are linear; derived, not typed in.

A property that fails comes with a point where it fails, so that the table is a list of statements.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache

from sympy import And, Expr, Gt, Integer, Matrix, Ne, Rational, S, Symbol, diff, expand, oo, symbols
from sympy import Interval as Range
from sympy.logic.boolalg import Boolean

from theory.displays import equal
from theory.saddle_to_saddle._display import reals
from theory.saddle_to_saddle._paper import paper
from theory.saddle_to_saddle.architectures import ARCHITECTURES, INPUTS
from theory.saddle_to_saddle.layer import Layer
from theory.scope import case
from theory.statements import Statement


def numbers(count: int, *, kind: int = 0) -> list[Expr]:
    """A point in general position, to show that something fails: three kinds of different small rationals.

    >>> numbers(3), numbers(2, kind=1)
    ([1, 2, -3], [1, 1/2])
    """
    rows = (
        lambda k: Integer((k + 1) * (-1 if k % 3 == 2 else 1)),
        lambda k: Rational(1, k + 1),
        lambda k: Rational(-2, 3 * k + 1) if k % 2 == 0 else Rational(1, k + 2),
    )
    return [rows[kind](k) for k in range(count)]


@dataclass(frozen=True)
class Properties:
    """Zero unit at the origin, homogeneity over the reals or the nonnegative numbers, linearity, lowest Taylor order.

    >>> properties(ARCHITECTURES["relu"], inputs=2)
    Properties(zero=True, homogeneous='nonnegative', linear=False, order=None)
    >>> properties(ARCHITECTURES["s-tanh-s"], inputs=2).order
    2
    """

    zero: bool
    homogeneous: str
    linear: bool
    order: int | None

    def applies(self, clause: str) -> bool:
        """Whether a clause of Theorems 1 and 3 may be used."""
        return {"i": True, "ii": self.zero, "iii": bool(self.homogeneous), "iv": self.linear}[clause]


def _vanishes(matrix: Matrix) -> bool:
    return all(expand(entry) == 0 for entry in matrix)


@cache
def properties(layer: Layer, inputs: int) -> Properties:
    """The row of the table for a layer that reads so many numbers."""
    z = layer.before(symbols(f"z_1:{inputs + 1}", real=True))
    u, w = (symbols(f"{name}_1:{layer.first + 1}", real=True) for name in "uw")
    zero = _vanishes(layer.phi(z, [S.Zero] * layer.first))
    homogeneous = ""
    for name, factor in (("reals", Symbol("c", real=True)), ("nonnegative", Symbol("c", nonnegative=True))):
        difference = layer.phi(z, [factor * entry for entry in u]) - factor * layer.phi(z, u)
        free = sorted(difference.free_symbols - {factor}, key=str)
        sample = dict(zip(free, numbers(len(free), kind=2), strict=True)) | {factor: Integer(2)}
        if any(abs(entry.subs(sample).evalf(20)) > Rational(1, 10**9) for entry in difference):
            continue
        if _vanishes(difference.applyfunc(lambda entry: entry.factor(deep=True))):
            homogeneous = name
            break
    joined = layer.phi(z, [a + b for a, b in zip(u, w, strict=True)])
    linear = homogeneous == "reals" and _vanishes(joined - layer.phi(z, u) - layer.phi(z, w))
    order = None if homogeneous == "nonnegative" else _order(layer, inputs)
    return Properties(zero, homogeneous, linear, order)


def _order(layer: Layer, inputs: int) -> int | None:
    """The lowest Taylor order in u at the origin that does not vanish."""
    t = Symbol("t")
    ray = layer.phi(layer.before(numbers(inputs)), [t * weight for weight in numbers(layer.first, kind=1)])
    for order in range(5):
        if any(diff(entry, t, order).subs(t, 0) != 0 for entry in ray):
            return order
    return None


def _table_row(name: str) -> Statement:
    """What holds as identities for all weights and inputs, what fails as inequalities at a point."""
    layer, row = ARCHITECTURES[name], properties(ARCHITECTURES[name], INPUTS[name])
    x, c = symbols(f"z_1:{INPUTS[name] + 1}"), Symbol("c")
    z = layer.before(x)
    u, w = (symbols(f"{letter}_1:{layer.first + 1}") for letter in "up")
    origin = layer.phi(z, [S.Zero] * layer.first)
    scaled = (layer.phi(z, [c * entry for entry in u]), c * layer.phi(z, u))
    joined = (layer.phi(z, [a + b for a, b in zip(u, w, strict=True)]), layer.phi(z, u) + layer.phi(z, w))
    here = dict(zip((*x, *u, *w), numbers(len(x)) + numbers(len(u), kind=1) + numbers(len(u), kind=2), strict=True))
    domain = S.Reals if row.homogeneous == "reals" else Range(0, oo)
    holding: list[Boolean] = [equal((origin, 0 * origin))] if row.zero else []
    holding += [equal(scaled)] if row.homogeneous else []
    holding += [equal(joined)] if row.linear else []
    failing = [] if row.homogeneous == "reals" else [differ(*scaled, here | {c: Integer(-2)})]
    failing += [] if row.homogeneous else [differ(*scaled, here | {c: Integer(2)})]
    failing += [] if row.linear else [differ(*joined, here)]
    then = And(*holding, *failing)
    variables = dict.fromkeys(reals((then,)), S.Reals)
    return Statement(variables=variables | ({c: domain} if c in variables else {}), then=then)


def differ(left: Iterable[Expr], right: Iterable[Expr], here: Mapping[Symbol, Expr]) -> Boolean:
    """At this point an entry, the simplest that will do, is a different number on each side."""
    at = [(a.subs(here), b.subs(here)) for a, b in zip(left, right, strict=True)]
    apart = [(a, b) for a, b in at if (a - b).free_symbols or abs((a - b).evalf(20)) > Rational(1, 1000)]
    a, b = min(apart, key=lambda pair: (pair[0] - pair[1]).count_ops())
    return Ne(a, b, evaluate=False)


SMALLEST = case("the smallest size: two inputs, four for a convolution, two scalar tokens for attention")


def _register(name: str) -> None:
    @paper.statement(
        f"claim-2.{name}",
        f"Zero unit, homogeneity and linearity of {name.replace('-', ' ')} units",
        scope=SMALLEST,
        label="Section 2",
    )
    def row() -> Statement:
        return _table_row(name)


for _name in ARCHITECTURES:
    _register(_name)


@paper.statement(
    "claim-2.no-zero-sigmoid", "A sigmoid unit never vanishes", scope=case("two inputs"), label="Section 2"
)
def sigmoid_never_vanishes() -> Statement:
    u, z = symbols("u_1:3"), symbols("z_1:3")
    value = ARCHITECTURES["sigmoid"].phi(z, u)[0]
    return Statement(variables=reals(u, z), then=Gt(value, 0))


@paper.statement(
    "claim-2.no-zero-softmax",
    "A softmax head does not vanish on positive tokens",
    scope=case("two scalar tokens, both positive"),
    label="Section 2",
)
def softmax_never_vanishes() -> Statement:
    u, z = symbols("u_1:3"), symbols("z_1:3")
    value = ARCHITECTURES["softmax-attention"].phi(z, u)[0]
    return Statement(variables=reals(u) | {entry: Range.open(0, oo) for entry in z}, then=Gt(value, 0))


@paper.statement(
    "claim-2.zero-linear-attention",
    "A linear head vanishes exactly where key or query does",
    scope=case("two scalar tokens, both equal to one"),
)
def linear_attention_zero() -> Statement:
    key, query = symbols("k q")
    value = ARCHITECTURES["linear-attention"].phi((Integer(1), Integer(1)), (key, query))[0]
    return Statement(variables=reals((key, query)), given=(equal((value, 0)),), then=equal((key * query, 0)))


@paper.statement(
    "claim-2.order",
    "The lowest Taylor orders of softmax, sigmoid, sin, tanh, s tanh s, cubic: 0,0,1,1,2,3",
    scope=case("two inputs, two scalar tokens, six of the eight panels"),
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


__all__ = ["Properties", "differ", "numbers", "properties"]
