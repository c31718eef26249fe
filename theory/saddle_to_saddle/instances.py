"""Theorems 1 and 3 for every architecture, from the loss itself: the derived properties decide which clauses apply.

A clause whose hypothesis holds is an identity in all weights and data. A clause whose hypothesis fails is a control:
the same equations are shown to be false at a point.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from sympy import Abs, Expr, Integer, Interval, Matrix, Piecewise, Symbol, expand, oo, symbols
from sympy.logic.boolalg import Boolean

from theory.displays import equal
from theory.dynamics import gradient
from theory.saddle_to_saddle._display import claim_on_reals
from theory.saddle_to_saddle._paper import paper
from theory.saddle_to_saddle.architectures import ARCHITECTURES, INPUTS, OUTER, dot
from theory.saddle_to_saddle.embedding import multiples, scale, share
from theory.saddle_to_saddle.layer import KINK, Layer, Sample, Unit, kinked, state_of
from theory.saddle_to_saddle.properties import differ, numbers, properties
from theory.scope import Scope, case, own
from theory.statements import Statement

CLAUSES = ("i", "ii", "iii", "iv")

Sides = tuple[list[Expr], list[Expr]]
"""Derived gradients and what the clause says they are."""


def has_kink(layer: Layer, inputs: int) -> bool:
    """Whether the unit map holds a modulus, so that its slope must be made explicit."""
    return bool(layer.phi(layer.before(numbers(inputs)), symbols(f"u_1:{layer.first + 1}")).has(Abs))


def data_for(layer: Layer, inputs: int) -> list[Sample]:
    """Two samples with a symbol for every input and target, one if there are several outputs; numbers at a kink."""
    outputs = len(layer.output(numbers(inputs), layer.units("a", 1)))
    samples = 1 if layer.second > 1 or outputs > 1 else 2
    if has_kink(layer, inputs):
        return [(numbers(inputs, kind=2 - mu), symbols(f"y_{mu}_1:{outputs + 1}")) for mu in range(samples)]
    return [(symbols(f"x_{mu}_1:{inputs + 1}"), symbols(f"y_{mu}_1:{outputs + 1}")) for mu in range(1, samples + 1)]


def point_gradients(layer: Layer, data: Sequence[Sample], units: Sequence[Unit]) -> list[Expr]:
    """Gradients through (21) and (22), where the units may be numbers or have a kink."""
    slopes = [_slope_of_loss(layer, sample, units) for sample in data]
    return [-entry for unit in units for entry in layer.velocity([x for x, _ in data], unit, slopes)]


def _slope_of_loss(layer: Layer, sample: Sample, units: Sequence[Unit]) -> Matrix:
    """dl/dzeta by the chain rule through what comes after the units."""
    inputs, targets = sample
    total = layer.sum(inputs, units)
    marks = Matrix(symbols(f"zeta_1:{len(total) + 1}"))
    carried = Matrix(layer.skip(inputs)) if layer.skip else 0 * marks
    values = Matrix(layer.after(list(marks + carried)))
    slope = values.jacobian(marks).T * (values - Matrix(targets))
    return slope.subs(dict(zip(marks, total, strict=True)), simultaneous=True)


@dataclass(frozen=True)
class Case:
    """A layer with data and units, as symbols or at a point; the factors of the clauses likewise."""

    layer: Layer
    data: Sequence[Sample]
    units: Sequence[Unit]
    factors: Mapping[Symbol, Expr] = field(default_factory=dict)

    @classmethod
    def symbolic(cls, layer: Layer, inputs: int, count: int) -> Case:
        """Everything is a symbol."""
        return cls(layer, data_for(layer, inputs), layer.units("ab", count))

    @classmethod
    def point(cls, layer: Layer, inputs: int, count: int) -> Case:
        """Everything is a number; factors are negative, so that positive homogeneity does not suffice."""
        units = layer.units("ab", count)
        weights = state_of(units)
        here = dict(zip(weights, numbers(len(weights), kind=1), strict=True))
        fixed = [(v.subs(here), tuple(entry.subs(here) for entry in u)) for v, u in units]
        outer = dict(zip(OUTER, numbers(len(OUTER), kind=2), strict=True))
        outputs = len(layer.output(numbers(inputs), fixed))
        around = Layer(
            lambda z, u: layer.phi(z, u).subs(outer),
            layer.first,
            layer.second,
            lambda x: [entry.subs(outer) for entry in layer.before(x)],
            lambda x: [entry.subs(outer) for entry in layer.after(x)],
            layer.skip,
        )
        names = (scale, share, factor, *first_shares, *second_shares, *factors)
        return cls(
            around,
            [(numbers(inputs), numbers(outputs, kind=2))],
            fixed,
            dict(zip(names, (Integer(-2), Integer(3), Integer(-2), *numbers(6, kind=2)), strict=True)),
        )

    def value(self, symbol: Symbol) -> Expr:
        """A factor: itself, or its number at the point."""
        return self.factors.get(symbol, symbol)

    def gradients(self, units: Sequence[Unit]) -> list[Expr]:
        """Gradients of the squared error at some units, unit by unit; with symbols, from the loss itself."""
        if self.factors or has_kink(self.layer, len(self.data[0][0])):
            return point_gradients(self.layer, self.data, units)
        plain = self.layer.units("cdh", len(units))
        here = dict(zip(state_of(plain), state_of(units), strict=True))
        found = gradient(self.layer.loss(self.data, plain), state_of(plain))
        return [entry.xreplace(here) for entry in found]


def _combined(units: Sequence[Unit], of_v: Sequence[Expr], of_u: Sequence[Expr]) -> Unit:
    """Linear combinations of second and of first weights."""
    v = sum((c * part for c, (part, _) in zip(of_v, units, strict=True)), 0 * units[0][0])
    u = [dot(of_u, entries) for entries in zip(*[part for _, part in units], strict=True)]
    return v, tuple(u)


first_shares, second_shares = symbols("gamma_u1:3"), symbols("gamma_v1:3")
factor, factors = Symbol("gamma"), symbols("gamma_1:3")


def embedding_clause(case: Case, part: str) -> Sides:
    """Theorem 1: the wide gradients, and the multiples of the narrow ones; one unit becomes two, in (iv) two three."""
    if part == "iv":
        return _linear_embedding(case)
    layer, ((v, u), *_) = case.layer, case.units
    a, g = case.value(scale), case.value(share)
    (new, kept, multiple) = {
        "i": ((g * v, u), 1 - g, (Integer(1), g)),
        "ii": ((0 * v, tuple(0 * entry for entry in u)), Integer(1), (Integer(0), Integer(0))),
        "iii": ((g * v, tuple(a * entry for entry in u)), 1 - a * g, (a, g)),
    }[part]
    slim, broad = case.gradients([(v, u)]), case.gradients([(kept * v, u), new])
    return broad, multiples((Integer(1), kept), layer, slim) + multiples(multiple, layer, slim)


def _linear_embedding(case: Case) -> Sides:
    of_u, of_v = ([case.value(c) for c in names] for names in (first_shares, second_shares))
    new = _combined(case.units, of_v, of_u)
    wide = [(v - c * new[0], u) for c, (v, u) in zip(of_u, case.units, strict=True)]
    slim, broad = case.gradients(case.units), case.gradients([*wide, new])
    size, second = len(slim) // 2, case.layer.second
    parts = [Matrix(slim[:size]), Matrix(slim[size:])]
    joint, crossed = (sum((c * part for c, part in zip(by, parts, strict=True)), 0 * parts[0]) for by in (of_v, of_u))
    wanted: list[Expr] = []
    for c, part in zip(of_u, parts, strict=True):
        wanted += [*part[:second, :], *(part - c * joint)[second:, :]]
    return broad, [*wanted, *crossed[:second, :], *joint[second:, :]]


def manifold_clause(case: Case, part: str) -> Sides:
    """Theorem 3: on the manifold the gradient of the last unit, and what keeps it there."""
    names = {"i": (Integer(1),), "ii": (Integer(0),), "iii": (factor,), "iv": factors}[part]
    weights = [case.value(name) for name in names]
    units = [*case.units, _combined(case.units, weights, weights)]
    found = case.gradients(units)
    size = len(found) // len(units)
    parts = [found[k * size : (k + 1) * size] for k in range(len(units))]
    return parts[-1], [dot(weights, entries) for entries in zip(*parts[:-1], strict=True)]


SIDES = {"1": embedding_clause, "3": manifold_clause}


def clause(theorem: str, part: str, name: str) -> Statement:
    """A clause for an architecture, whether or not its hypothesis holds: identities in all weights and data."""
    layer, row = ARCHITECTURES[name], properties(ARCHITECTURES[name], INPUTS[name])
    case = Case.symbolic(layer, INPUTS[name], 2 if part == "iv" else 1)
    then = equal(SIDES[theorem](case, part))
    notes = ""
    if row.homogeneous == "nonnegative" and part == "iii":
        then, notes = _along_the_ray(then, scale if theorem == "1" else factor), RAY
    positive = {scale, factor} & then.free_symbols if row.homogeneous == "nonnegative" else set()
    domains = dict.fromkeys(positive, Interval.open(0, oo)) | ({KINK: Interval(0, 1)} if then.has(KINK) else {})
    return claim_on_reals(then, variables=domains, notes=notes)


RAY = (
    "For c > 0 the value of ReLU at c s is written as c times that at s and its slope at c s as that at s; both are"
    " proved on their own, claim-2.relu and theorem-1.iii#25.relu.corrected. At c = 0 see theorem-1.iii."
)


def _along_the_ray(then: Boolean, c: Symbol) -> Boolean:
    """|c s| = c |s| and slope(c s) = slope(s) for c > 0, written into the equations."""

    def reduced(s: Expr) -> Expr | None:
        rest = expand(s / c)
        return None if rest.has(c) else rest

    def modulus(s: Expr) -> Expr:
        rest = reduced(s)
        return Abs(s) if rest is None else c * Abs(rest)

    def slope(*cases: tuple[Expr, Boolean]) -> Expr:
        rest = reduced(cases[0][1].lhs)
        return Piecewise(*cases) if rest is None else kinked(rest, KINK)

    return then.replace(Abs, modulus).replace(Piecewise, slope)


def control(theorem: str, part: str, name: str) -> Statement:
    """The equations of a clause whose hypothesis fails are false at a point."""
    case = Case.point(ARCHITECTURES[name], INPUTS[name], 2 if part == "iv" else 1)
    then = differ(*SIDES[theorem](case, part), {})
    return Statement(variables={KINK: Interval(0, 1)} if then.has(KINK) else {}, then=then)


WITHOUT_ZERO = ("sigmoid", "softmax-attention")
ALONG_RAYS = ("relu", "convolution-relu")
LINEAR = ("linear", "convolution-linear", "merged-attention", "deep-linear", "behind-skip", "skipped")
"""What the derived properties say, in names: a scope is wanted before a property is derived."""


def expected(part: str, name: str) -> bool:
    """Whether the hypothesis of a clause holds for an architecture.

    >>> expected("iii", "relu"), expected("iv", "relu")
    (True, False)
    """
    return {
        "i": True,
        "ii": name not in WITHOUT_ZERO,
        "iii": name in ALONG_RAYS + LINEAR,
        "iv": name in LINEAR,
    }[part]


def _scope(theorem: str, part: str, name: str) -> Scope:
    if not expected(part, name):
        return own(f"a control: the hypothesis of clause ({part}) fails for these units, and so does what it says")
    shown = "gradients at every point" if theorem == "1" else "tangency"
    inputs = "two inputs in numbers" if name in ALONG_RAYS else "symbolic data"
    return case(f"clause ({part}) for these units at their smallest size: {shown}, {inputs}")


def _register(theorem: str, part: str, name: str) -> None:
    words = name.replace("-", " ")

    @paper.statement(
        f"theorem-{theorem}.{part}.{name}",
        f"Clause ({part}) for {words} units: an identity, or false at a point",
        scope=_scope(theorem, part, name),
    )
    def instance() -> Statement:
        applies = properties(ARCHITECTURES[name], INPUTS[name]).applies(part)
        return (clause if applies else control)(theorem, part, name)


for _theorem in SIDES:
    for _part in CLAUSES:
        for _name in ARCHITECTURES:
            _register(_theorem, _part, _name)

__all__ = ["CLAUSES", "Case", "clause", "control", "data_for", "expected", "point_gradients"]
