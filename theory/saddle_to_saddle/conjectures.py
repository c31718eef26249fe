"""Conjectures and heuristic claims of Sections 5-7 and Appendix C, as statements."""

from __future__ import annotations

from sympy import Abs, And, Eq, Expr, Implies, Integer, Interval, Ne, Or, Rational, S, Symbol, symbols, tanh

from theory.displays import equal
from theory.domains import POSITIVE
from theory.saddle_to_saddle._display import claim_on_reals, experiment, reals
from theory.saddle_to_saddle._paper import paper
from theory.saddle_to_saddle.architectures import ARCHITECTURES
from theory.saddle_to_saddle.embedding import multiples, scale, share
from theory.saddle_to_saddle.figures import CHOSEN, FULL_PROOF
from theory.saddle_to_saddle.instances import Case, data_for
from theory.saddle_to_saddle.layer import Layer
from theory.scope import case, measured, own
from theory.statements import Statement

ratio = Symbol("rho")


# Degree p > 2 -------------------------------------------------------------------------------------------------------


@paper.statement(
    "conjecture-degree",
    "Degree 3 separates units more strongly than degree 2, degree 4 more than 3",
    scope=case("the scalar model v' = v^p for p = 2, 3, 4"),
    claims="Units of a homogeneous polynomial of degree p > 2 separate too, perhaps more strongly than for p = 2",
)
def conjecture_degree() -> Statement:
    return Statement(
        variables={ratio: Interval.open(0, 1)},
        then=And((1 - ratio) ** 2 < 1 - ratio**2, (1 - ratio**2) ** 3 < (1 - ratio**3) ** 2),
        notes="For v' = v^p a unit that starts at rho times the largest has grown by (1 - rho^(p-1))^(-1/(p-1)) when"
        " the largest blows up; the inequalities compare these factors after raising to a common power.",
    )


def _register_degree(degree: int) -> None:
    @paper.step(
        "conjecture-degree",
        f"solution-{degree}",
        f"The printed power solves v' = v^{degree}",
        scope=case(f"p = {degree}"),
    )
    def solves() -> Statement:
        start, t = symbols("v_0 t")
        inside = start ** (1 - degree) - (degree - 1) * t
        value = inside ** Rational(-1, degree - 1)
        return Statement(
            variables={start: POSITIVE, t: S.Reals},
            given=(inside > 0,),
            then=Eq(value.diff(t), value**degree, evaluate=False),
        )

    @paper.step(
        "conjecture-degree",
        f"homogeneous-{degree}",
        f"Scaling by eps slows degree-{degree} units by eps^{degree - 1}",
        scope=own(f"not in print: one first weight, p = {degree}"),
    )
    def homogeneous() -> Statement:
        v, u, eps = symbols("v u epsilon")
        cubic: Expr = v * u**degree
        velocity = [cubic.diff(v), cubic.diff(u)]
        small = [entry.subs({v: eps * v, u: eps * u}, simultaneous=True) for entry in velocity]
        return claim_on_reals(equal((small, [eps**degree * entry for entry in velocity])))


for _degree in (2, 3, 4):
    _register_degree(_degree)


# Exhaustiveness -----------------------------------------------------------------------------------------------------


def _scaled_embedding(layer: Layer, degree: int) -> tuple[list[Expr], list[Expr], list[Expr]]:
    """u_H = a u, v_H = g v, v = (1 - a^p g) v: wide gradients, and the multiples of the narrow ones."""
    case = Case.symbolic(layer, 2, 1)
    ((v, u),) = case.units
    kept = 1 - scale**degree * share
    new = (share * v, tuple(scale * entry for entry in u))
    slim, broad = case.gradients([(v, u)]), case.gradients([(kept * v, u), new])
    size = len(slim)
    first = multiples((Integer(1), kept), layer, slim)
    second = multiples((scale**degree, share * scale ** (degree - 1)), layer, slim)
    return broad, [*first, *second], slim[:size]


@paper.statement(
    "conjecture-exhaustive",
    "Quadratic units: an embedded point u_H = a u is of the form (4) or (5)",
    scope=own("the paper asks whether its families are all there are; this is a form of yes"),
)
def conjecture_exhaustive() -> Statement:
    """If the wide gradients are multiples of the narrow ones for these data, then a = 1 or the new unit is zero."""
    broad, printed, _ = _scaled_embedding(ARCHITECTURES["quadratic"], 2)
    agree = And(*[Eq(x, z) for x, z in zip(broad, printed, strict=True)])
    here = {symbol: Integer(1) for symbol in agree.free_symbols if symbol not in (scale, share)}
    return Statement(
        variables=reals((scale, share)),
        then=Implies(agree.subs(here), Or(Eq(scale, 1), And(Eq(scale, 0), Eq(share, 0)))),
        notes="The paper asks whether its families are exhaustive. conjecture-exhaustive.quadratic is one outside"
        " them that needs no property of the data.",
    )


def _register_family(name: str, degree: int) -> None:
    words = name.replace("-", " ")

    @paper.statement(
        f"conjecture-exhaustive.{name}",
        f"More for {words} units: u_H = a u, v_H = g v, v times 1 - a^{degree} g",
        scope=own("a family that the paper does not list, at the smallest size"),
    )
    def family() -> Statement:
        broad, printed, _ = _scaled_embedding(ARCHITECTURES[name], degree)
        return claim_on_reals(equal((broad, printed)))

    @paper.statement(
        f"conjecture-exhaustive.{name}.complete",
        f"All points u_H = a u, v_H = g v, v times c with the same map, for {words} units: c = 1 - a^{degree} g",
        scope=own("a question of ours: whether that family has more members"),
    )
    def complete() -> Statement:
        """The map of one unit at its data is not zero, so the sums agree exactly for this c."""
        value, kept = symbols("phi c")
        return claim_on_reals(
            Eq(kept, 1 - scale**degree * share),
            given=(Eq(kept * value + share * scale**degree * value, value), Ne(value, 0)),
            notes="phi is v times the unit map at an input; at a u it is a^p times that for a form of degree p.",
        )


for _name, _degree in (("quadratic", 2), ("cubic", 3), ("linear-attention", 2)):
    _register_family(_name, _degree)


@paper.statement(
    "conjecture-exhaustive.corrected",
    "Quadratic units: with u_H = a u, v_H = g v, v times 1 - a^2 g all rest",
    scope=own("a family outside those of the paper, at one data set"),
)
def conjecture_exhaustive_corrected() -> Statement:
    """The family that conjecture-exhaustive leaves out, at the same data."""
    broad, printed, _ = _scaled_embedding(ARCHITECTURES["quadratic"], 2)
    agree = And(*[Eq(x, z, evaluate=False) for x, z in zip(broad, printed, strict=True)])
    here = {symbol: Integer(1) for symbol in agree.free_symbols if symbol not in (scale, share)}
    pairs = [(x.subs(here), z.subs(here)) for x, z in zip(broad, printed, strict=True)]
    return Statement(variables=reals((scale, share)), then=equal(*pairs))


def _register_search(name: str, degree: int) -> None:
    """All linear relations theta_j = (a v_i, b u_i) that the flow keeps whatever the data."""
    words = name.replace("-", " ")

    @paper.statement(
        f"conjecture-exhaustive.search-{name}",
        f"All relations v_j = a v_i, u_j = b u_i that {words} units keep",
        scope=own("a search of ours for further manifolds"),
    )
    def search() -> Statement:
        a, b = symbols("a b")
        # tangency for a form of degree p: b^p = a from v, a b^(p - 1) = b from u
        kept = (Eq(b**degree, a), Eq(a * b ** (degree - 1), b))
        listed = Or(And(Eq(a, 0), Eq(b, 0)), And(Eq(b, 1), Eq(a, 1)), And(Eq(b, -1), Eq(a, (-1) ** degree)))
        return Statement(
            variables=reals((a, b)),
            given=kept,
            then=listed,
            notes="The first two are (ii) and (i) of Theorem 3; the last one, the mirror, is not listed there.",
        )


for _name, _degree in (("quadratic", 2), ("cubic", 3)):
    _register_search(_name, _degree)


@paper.statement(
    "conjecture-degree.units",
    "Degree 3: when the first unit has size one, the others have the start's size",
    scope=measured("three units of degree 3 drawn once (seed 0); bounds chosen after a first measurement"),
    claims="Units of a homogeneous polynomial of degree p > 2 separate too, perhaps more strongly than for p = 2",
)
def conjecture_degree_units() -> Statement:
    slope, least = symbols("slope least")
    return experiment(
        "units",
        And(Abs(slope - 1) < Rational(1, 10), least > Rational(9, 10)),
        notes="The bounds on the fitted slope were chosen here after a first measurement. A proof would need blow-up in"
        " finite time for almost every start, as for proposition-5, with a form of degree 3 in u.",
        units=3,
        seed=0,
        degree=3,
    )


def _register_mirror(name: str, sign: int) -> None:
    @paper.statement(
        f"conjecture-exhaustive.mirror-{name}",
        f"A further manifold for {name.replace('-', ' ')} units: u_j = -u_i, v_j = {'' if sign > 0 else '-'}v_i",
        scope=own("a manifold that the paper does not list, at the smallest size"),
    )
    def mirror() -> Statement:
        layer = ARCHITECTURES[name]
        units = layer.units("ab", 2)
        (v, u), (w, x) = units
        flow = layer.flow(data_for(layer, 2), units)
        here = dict(zip((*w, *x), (*(sign * v), *[-entry for entry in u]), strict=True))
        velocity = [entry.subs(here, simultaneous=True) for entry in flow.velocity]
        half = len(velocity) // 2
        wanted = [sign * velocity[0], *[-entry for entry in velocity[1:half]]]
        return claim_on_reals(equal((velocity[half:], wanted)))


for _name, _sign in (("quadratic", 1), ("cubic", -1), ("tanh", -1), ("sin", -1), ("s-tanh-s", 1)):
    _register_mirror(_name, _sign)


# Activations, ReLU, depth -------------------------------------------------------------------------------------------


@paper.statement(
    "claim-tanh.a",
    "Rank-one first weights of a tanh network do not stay rank one",
    scope=case("two units, two inputs, one point"),
)
def claim_tanh_a() -> Statement:
    """Units (1, 0) and (2, 0), inputs (1, 1) and (2, -1): the velocities of their first weights are not parallel."""
    slopes = {1: Rational(1), 2: Rational(-1)}
    inputs = {1: (Integer(1), Integer(1)), 2: (Integer(2), Integer(-1))}

    def velocity(size: int) -> list[Expr]:
        return [sum(slopes[k] * (1 - tanh(size * inputs[k][0]) ** 2) * inputs[k][n] for k in (1, 2)) for n in (0, 1)]

    one, two = velocity(1), velocity(2)
    # the weights (1, 0), (2, 0) keep rank one to first order only when the second entries move in proportion 1 : 2
    return Statement(then=Ne(2 * one[1], two[1], evaluate=False))


@paper.statement(
    "claim-tanh",
    "A tanh network aligns to rank one early, then leaves it while the loss still falls",
    scope=measured("one start (seed 1); thresholds chosen after a first run"),
)
def claim_tanh() -> Statement:
    early, late = symbols("early late")
    claim = And(early < Rational(1, 20), late > Rational(1, 5))
    return experiment("alignment", claim, notes=CHOSEN + FULL_PROOF, panel="tanh", seed=1)


paper.unstated(
    "conjecture-relu-direction",
    "From small weights ReLU units grow fastest along the direction that maximises <ReLU(u.x) y>",
    missing="the limit of small random starts",
)


@paper.statement(
    "conjecture-relu-direction.modulus",
    "Small ReLU units first grow along the direction of largest correlation",
    scope=own("with the modulus of the correlation, which the paper does not take; four starts on the data of Fig. 1D"),
)
def conjecture_relu_direction() -> Statement:
    return experiment(
        "relu_direction",
        Symbol("angle") < Rational(1, 20),
        notes="Four starts on the data of Fig. 1D; every unit longer than a quarter of the longest counts. "
        + CHOSEN
        + FULL_PROOF,
        seeds=4,
    )


@paper.statement(
    "conjecture-relu-direction.exact",
    "For the data of Fig. 1D that direction is the second input's",
    scope=own("with the modulus of the correlation, which the paper does not take; the data of Fig. 1D"),
)
def relu_direction_exact() -> Statement:
    """|<ReLU(u.x) y>| <= sqrt(5)/2 |u| with x_1 = (1, 1/2), x_2 = (-1, 2); attained at u = x_2."""
    a, b = symbols("a b")
    first, second = a + b / 2, 2 * b - a
    correlation = (first + Abs(first) - second - Abs(second)) / 4
    return claim_on_reals(4 * correlation**2 <= 5 * (a**2 + b**2))


@paper.statement(
    "conjecture-deep",
    "Three linear layers: the first one gains one rank at a time",
    scope=measured("three linear layers, one start (seed 2); thresholds chosen after a first run"),
    claims="The order of phi in the weights of a layer predicts whether directions or units separate there",
)
def conjecture_deep() -> Statement:
    plateau, width = symbols("plateau_width final_width")
    claim = And(Eq(plateau, 1), Eq(width, 2))
    return experiment("deep", claim, notes=CHOSEN + FULL_PROOF, panel="linear", seed=2)


@paper.statement(
    "conjecture-deep.quadratic",
    "A quadratic layer below a linear one gains one unit at a time",
    scope=measured("the settings of Fig. 5F, one start (seed 4); thresholds chosen after a first run"),
    claims="The order of phi in the weights of a layer predicts whether directions or units separate there",
)
def conjecture_deep_quadratic() -> Statement:
    plateau, width = symbols("plateau_width final_width")
    return experiment(
        "deep",
        And(Eq(plateau, 1), Eq(width, 2)),
        notes="Settings of Fig. 5F. A proof would need the separation of units for three coupled layers. " + CHOSEN,
        panel="quadratic",
        seed=4,
    )
