"""Exact procedures of this paper: alignment rates, index tables, occupancy, margins, orbit sums.

reported statistics.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import comb
from typing import Any

from sympy import Integer, Matrix, Rational, eye

from theory.enumerators import enumerator, recount
from theory.simplicity_bias.data import axis, group, largest_eigenvalue, named


@enumerator("simplicity_bias.alignment")
def alignment(data: list[str]) -> dict[str, Any]:
    """The smallest exponent e over the data sets such that a generic prominent direction error is r^(e kappa*).

    The error of the sphere flow decays at the rate lambda minus the largest tangential eigenvalue of the Euclidean
    Hessian of G at the maximiser e_1; over the time T_1 = kappa* ln(1/r) / lambda that is r^(kappa* rate / lambda).

    >>> alignment(["one point in the band"])["exponent"]
    4/5
    """
    worst, shown = None, {}
    for name in data:
        chosen = named(name)
        top = axis(chosen.dimension, 1)
        if not chosen.is_critical(top):
            return {"missing": f"e_1 is not critical for the data set {name}"}
        height = chosen.value(top)
        bend = largest_eigenvalue(chosen.hessian(top)[1:, 1:])
        exponent = (height - bend) / height
        if worst is None or exponent < worst:
            worst = exponent
            shown = {
                "data": name, "points": str(chosen.points), "xi": str(chosen.width), "lambda": str(height),
                "curvature": str(bend), "exponent": str(exponent),
            }  # fmt: skip
    return {
        "exponent": worst,
        "counterexample": shown,
        "cases": len(data),
        "complete": False,
        "coverage": f"data sets in dimension 3: {', '.join(data)}",
    }


@enumerator("simplicity_bias.basin")
def basin(data: list[str]) -> dict[str, Any]:
    """The smallest share of starts (direction and sign) that reach the global extremum e_1, over the data sets.

    For points at the origin G is constant on the sphere, nothing moves, and only the start at e_1 itself reaches it.
    For one positive point on the axis the sphere flow of a positive neuron increases v.x until v is e_1.

    >>> basin(["origin"])["portion"] == 0
    True
    """
    portions = {}
    for name in data:
        points = named(name).points
        if all(not any(point) for point in points):
            portions[name] = Fraction(0)
        elif len(points) == 1 and points[0][0] > 0 and not any(points[0][1:]):
            portions[name] = Fraction(1, 2)
        else:
            return {"missing": f"the basins of the data set {name} are not known in closed form"}
    least = min(portions, key=lambda name: portions[name])
    return {
        "portion": portions[least],
        "counterexample": {"data": least, "portion": str(portions[least]), "x": "(0, 0, 0)", "xi": "1"},
        "cases": len(data),
        "complete": False,
        "coverage": f"data sets in dimension 3: {', '.join(data)}",
    }


def printed_cluster(k: int) -> tuple[int, int, int]:
    """Axis, sign and label of S_k by the indices as printed: a(k) = k mod 2, b(k) = 2 floor((k-1)/2) - 1."""
    a, b = k % 2, 2 * ((k - 1) // 2) - 1
    return a + 1, b, 1 - 2 * a


def corrected_cluster(k: int) -> tuple[int, int, int]:
    """The same with a(k) = (k - 1) mod 2 and b(k) = 1 - 2 floor((k-1)/2)."""
    a, b = (k - 1) % 2, 1 - 2 * ((k - 1) // 2)
    return a + 1, b, 1 - 2 * a


USED = {1: (1, 1, 1), 2: (2, 1, -1), 3: (1, -1, 1), 4: (2, -1, -1)}
"""How Appendix D uses S_1, ..., S_4: around e_1, e_2, -e_1, -e_2 with labels 1, -1, 1, -1."""


@enumerator("simplicity_bias.indices")
def indices(reading: str) -> dict[str, Any]:
    """How many of the four clusters disagree between Assumption 5.1 and their use in Appendix D.

    >>> indices("printed")["disagreements"], indices("corrected")["disagreements"]
    (4, 0)
    """
    table = printed_cluster if reading == "printed" else corrected_cluster
    found = {k: table(k) for k in USED}
    wrong = [k for k in USED if found[k] != USED[k]]
    labels = [k for k in USED if (found[k][0] == 1) != (found[k][2] == 1)]
    return {
        "disagreements": len(wrong),
        "labels": len(labels),
        "cases": 4,
        "counterexample": {f"S_{k}": f"axis {found[k][0]}, sign {found[k][1]}, label {found[k][2]}" for k in wrong},
        "coverage": "k = 1, 2, 3, 4",
    }


@enumerator("simplicity_bias.signed_angles")
def signed_angles(reading: str) -> dict[str, Any]:
    """For v_k exactly at its cluster: the largest |sin alpha_k|, with alpha_k as Proposition D.2 defines it.

    `printed`: indices of Assumption 5.1 throughout; `appendix`: v_k where Appendix D has it, the rest as printed;
    `corrected`: a(k) = (k-1) mod 2 and the angle to e_1.

    >>> [signed_angles(reading)["largest"] for reading in ("printed", "appendix", "corrected")]
    [1, 1, 0]
    """
    swap, flip = Matrix([[0, 1], [1, 0]]), Matrix([[-1, 0], [0, 1]])
    shown, largest = {}, Integer(0)
    for k, used in USED.items():
        a = (k - 1) % 2 if reading == "corrected" else k % 2
        place, sign, _ = printed_cluster(k) if reading == "printed" else used
        moved = flip ** ((k - 1) // 2) * swap**a * Matrix(axis(2, place, sign))
        target = Matrix(axis(2, 1 if reading == "corrected" else a + 1))
        sine = abs(moved[0] * target[1] - moved[1] * target[0])
        if sine > 0 or moved.dot(target) < 0:
            shown[f"k = {k}"] = f"moved to {tuple(moved)}, compared with {tuple(target)}"
        largest = max(largest, sine)
    return {"largest": largest, "wrong": len(shown), "cases": 4, "counterexample": shown, "coverage": "k = 1, 2, 3, 4"}


@enumerator("simplicity_bias.occupancy")
def occupancy(m: int) -> dict[str, Any]:
    """The probability that m neurons fill four cells of probability 1/4, by inclusion and exclusion, and the product.

    >>> occupancy(1)["filled"], occupancy(1)["printed"]
    (Fraction(0, 1), Fraction(1, 256))
    """
    cell = Fraction(1, 4)
    filled = sum((-1) ** k * comb(4, k) * (1 - k * cell) ** m for k in range(5))
    missed = (1 - cell) ** m
    return {"filled": Fraction(filled), "printed": (1 - missed) ** 4, "union": 1 - 4 * missed}


@recount("simplicity_bias.occupancy")
def occupancy_again(m: int) -> dict[str, Any]:
    """The same by the Markov chain of the number of filled cells."""
    chain = [Fraction(1), *[Fraction(0)] * 4]
    for _ in range(m):
        stay = [chain[k] * Fraction(k, 4) for k in range(5)]
        come = [Fraction(0), *[chain[k] * Fraction(4 - k, 4) for k in range(4)]]
        chain = [one + two for one, two in zip(stay, come, strict=True)]
    return {"filled": chain[4]}


@enumerator("simplicity_bias.orbit_group")
def orbit_group(d: int) -> dict[str, Any]:
    """The order of the symmetry group of Assumption 5.1 and whether it contains -1.

    >>> orbit_group(3)["order"], orbit_group(2)["order"]
    (16, 8)
    """
    members = group(d)
    return {"order": len(members), "minus": int((-eye(d)).as_immutable() in members), "cases": len(members)}


def network_margin(neurons: list[tuple[Any, Any]], name: str) -> Any:
    """The normalised margin of a rectified network, whose neurons are (u, v), on a data set; all exact."""
    chosen = named(name)
    margins = []
    for point, label in zip(chosen.points, chosen.labels, strict=True):
        total = Integer(0)
        for u, v in neurons:
            reach = sum(one * two for one, two in zip(v, point, strict=True))
            total += u * max(reach, Integer(0))
        margins.append(label * total)
    size = sum(u**2 + sum(part**2 for part in v) for u, v in neurons)
    return min(margins) / size


def _clusters() -> list[tuple[Any, Any]]:
    return [(Integer(label), axis(3, place, sign)) for place, sign, label in USED.values()]


@enumerator("simplicity_bias.flat_direction")
def flat_direction(case: str, step: str) -> dict[str, Any]:
    """The change of the normalised margin when weight is moved between neurons of one cluster, at m = 5.

    `split`: P_1 has two neurons with u = 3/5 and 4/5, turned by a rational rotation of half-angle tangent `step`;
    `asleep`: P_1 has one neuron and R has one, which is woken in the direction of P_1.

    >>> flat_direction("asleep", "1/1000")["drop"]
    0
    """
    turn = Rational(step)
    cosine, sine = (1 - turn**2) / (1 + turn**2), 2 * turn / (1 + turn**2)
    pair = (Rational(3, 5), Rational(4, 5)) if case == "split" else (Integer(1), Integer(0))
    turned = (cosine * pair[0] - sine * pair[1], sine * pair[0] + cosine * pair[1])
    others = _clusters()[1:]
    before, after = (
        network_margin([*[(u, tuple(u * part for part in axis(3, 1))) for u in weights], *others], "orbit of sixteen")
        for weights in (pair, turned)
    )
    moved = 2 * ((turned[0] - pair[0]) ** 2 + (turned[1] - pair[1]) ** 2)
    return {
        "drop": before - after,
        "moved": moved,
        "counterexample": {
            "u, |v| of cluster 1": str(pair), "turned to": str(turned), "margin": str(before), "case": case,
        },
        "coverage": "m = 5, orbit of (19/20, 1/10, 1/20)",
    }  # fmt: skip


@enumerator("simplicity_bias.perturbations")
def perturbations(size: str, per_axis: int = 3) -> dict[str, Any]:
    """The smallest loss of margin over a rational grid of perturbations of the four-neuron network, scale removed.

    Each neuron is scaled by 1 + s and turned by a half-angle tangent t; one of the four keeps its scale.

    >>> perturbations("1/50", 2)["least"] > 0
    True
    """
    step = Rational(size)
    base = network_margin(_clusters(), "orbit of sixteen")
    choices = [(s, t) for s in (-step, Integer(0), step)[:per_axis] for t in (-step, Integer(0), step)[:per_axis]]
    least, cases = None, 0
    for picks in product(choices, repeat=2):
        moved = _clusters()
        for place, (scale, turn) in zip((1, 2), picks, strict=True):
            u, v = moved[place]
            cosine, sine = (1 - turn**2) / (1 + turn**2), 2 * turn / (1 + turn**2)
            turned = (cosine * v[0] - sine * v[1], sine * v[0] + cosine * v[1], v[2])
            moved[place] = (u * (1 + scale), tuple((1 + scale) * part for part in turned))
        if all(pick == (0, 0) for pick in picks):
            continue
        drop = base - network_margin(moved, "orbit of sixteen")
        least = drop if least is None else min(least, drop)
        cases += 1
    return {"least": least, "cases": cases, "complete": False, "coverage": f"perturbations of size {step}, two neurons"}


@enumerator("simplicity_bias.orbit_average")
def orbit_average(data: str) -> dict[str, Any]:
    """For theta^mm on one orbit: the smallest margin, and the sum over the orbit divided by 16 and by its size.

    >>> orbit_average("orbit")["smallest"] > orbit_average("orbit")["sixteenth"]
    True
    """
    chosen = named(data)
    values = []
    for point, label in zip(chosen.points, chosen.labels, strict=True):
        total = sum(u * max(sum(s * t for s, t in zip(v, point, strict=True)), Integer(0)) for u, v in _clusters())
        values.append(label * total)
    return {
        "smallest": min(values),
        "sixteenth": sum(values) / 16,
        "mean": sum(values) / len(values),
        "cases": len(values),
        "counterexample": {"orbit": data, "points": len(values), "margin": str(min(values))},
    }


@enumerator("simplicity_bias.assumptions")
def assumptions(data: str, least: str = "9/200") -> dict[str, Any]:
    """How many of the properties of Assumption 5.1 (and |x| <= 1) a data set violates; `least` is Delta.

    >>> assumptions("orbit")["violations"]
    0
    """
    chosen = named(data)
    places = dict(zip(chosen.points, chosen.labels, strict=True))
    violated = []
    for point, label in places.items():
        near = min(
            sum((one - two) ** 2 for one, two in zip(point, axis(3, place, sign), strict=True))
            for place, sign, own in USED.values()
            if own == label
        )
        if 2 * near >= 1 or sum(part**2 for part in point) > 1:
            violated.append(f"{point} is far from its cluster")
        images = [tuple(member * Matrix(point)) for member in group(3)]
        if any(image not in places for image in images):
            violated.append(f"an image of {point} is missing")
    needed = chosen.width + 2 * Rational(least)
    violated += [f"e_{k} is not regular" for k in (1, 2) if chosen.regularity(axis(3, k)) < needed]
    return {"violations": len(violated), "cases": len(places), "counterexample": {"violated": violated}}


@enumerator("simplicity_bias.start_directions")
def start_directions(reading: str) -> dict[str, Any]:
    """How many of the four neurons of the figures start in the direction of a cluster of their own sign, all different.

    `printed`: v_k = u_k e_(a(k)+1) with a(k) = k mod 2; `corrected`: v_k = |u_k| b(k) e_(a(k)+1).

    >>> start_directions("printed")["matches"], start_directions("corrected")["matches"]
    (0, 4)
    """
    signs = {1: 1, 2: -1, 3: 1, 4: -1}
    found = {}
    for k, sign in signs.items():
        place, b, _ = printed_cluster(k) if reading == "printed" else corrected_cluster(k)
        found[k] = (place, sign) if reading == "printed" else (place, b)
    good = [k for k in signs if (found[k][0] == 1) == (signs[k] == 1) and list(found.values()).count(found[k]) == 1]
    return {
        "matches": len(good),
        "cases": 4,
        "counterexample": {f"v_{k}": f"axis {place}, sign {sign}" for k, (place, sign) in found.items()},
    }


def p_value(runs: int, mean: Any, spread: Any, sides: int, kind: str = "deviation") -> tuple[Any, Any]:
    """The p-value of a t-test of `runs` values as a ball, and its degrees of freedom.

    The spread is a deviation, a deviation with divisor n (`population`), or the error of the mean (`error`).
    """
    from flint import arb, fmpq

    ratio = arb(fmpq(*_ratio(mean))) / arb(fmpq(*_ratio(spread)))
    factor = {"deviation": runs, "population": runs - 1, "error": 1}[kind]
    statistic = ratio * arb(factor).sqrt()
    free = runs - 1
    tail = arb(free) / (arb(free) + statistic**2)
    both = tail.beta_lower(arb(free) / 2, arb(1) / 2, True)
    return (both if sides == 2 else both / 2), free


def _ratio(text: Any) -> tuple[int, int]:
    value = Fraction(str(text))
    return value.numerator, value.denominator


@enumerator("simplicity_bias.one_test")
def one_test(runs: int, mean: str, spread: str, sides: int) -> dict[str, Any]:
    """A rational within 1e-12 of the p-value of one t-test.

    >>> one_test(2, "1", "1", 2)["first"] > 0
    True
    """
    value, free = p_value(runs, mean, spread, sides)
    near = Rational(round(float(value.mid()) * 10**12), 10**12)
    return {"first": near, "cases": 1, "coverage": f"{free} degrees of freedom", "notes": ["rounded to 12 decimals"]}


@enumerator("simplicity_bias.reported_tests")
def reported_tests(most: int) -> dict[str, Any]:
    """How many readings (runs up to `most`, sides, kind of spread) may give both reported p-values.

    A reading counts unless its p-values, as balls, certainly lie outside the tolerances, so that none means none.
    """
    from flint import arb

    agreeing, nearest = [], None
    for runs in range(2, most + 1):
        for sides in (1, 2):
            for kind in ("deviation", "population", "error"):
                balls = [p_value(runs, *pair, sides, kind)[0] for pair in (("8.13", "0.80"), ("6.43", "2.43"))]
                first, second = (float(ball.mid()) for ball in balls)
                miss = abs(second / 0.00062 - 1) + (0 if 5e-7 <= first <= 2e-6 else 1)
                told = {"runs": runs, "sides": sides, "spread": kind, "p": f"{first:.3g} and {second:.3g}"}
                off = balls[0] < arb(5) / 10**7 or balls[0] > arb(2) / 10**6
                if not (off or abs(balls[1] * 10**5 - 62) > arb(62) / 100):
                    agreeing.append(told)
                if nearest is None or miss < nearest[0]:
                    nearest = (miss, told)
    return {
        "agreeing": len(agreeing),
        "cases": 6 * (most - 1),
        "counterexample": {"nearest reading": str(nearest and nearest[1])},
        "coverage": f"2 to {most} runs, one and two sides, spread as deviation (both divisors) or error of the mean",
    }


def _accuracy(a: Fraction, b: Fraction, c: Fraction, goal: str) -> tuple[Any, Any, Any]:
    """The lower bound of h(X(T)), the value of h to be reached, and the rate A, as balls, with q = 8/3."""
    from flint import arb, fmpq

    def ball(value: Fraction) -> Any:
        return arb(fmpq(value.numerator, value.denominator))

    def h(at: Any, level: Any) -> Any:
        return at.log() + level * (at.ei() - arb(1).ei())

    q2 = Fraction(64, 9)
    low = (ball(1 - 2 * a) * ball(-7 * q2 * a).exp() - ball(4 * a)) / 2
    high, level = ball((1 + a) / 2), ball(-4 * q2 * a).exp()
    bottom = (1 + level * arb(1).exp()) * ball((1 - 2 * a) * b**2).log()
    gap = (1 + level * ball((1 - 2 * a) / 4).exp()) * ball(c**2).log()
    bound = low / high * h(ball((1 - 2 * a) * q2), level) + (high - low) / high * bottom - gap
    target = (1 - 2 * a) * Fraction(81, 16) if goal == "margin" else 4 * q2 * a
    return bound, h(ball(target), level), low


def _end(ball: Any, side: int) -> Fraction:
    """A rational below (side = -1) or above (side = 1) every number of the ball."""
    scaled = ball * 10**9
    edge = scaled.lower().floor() if side < 0 else scaled.upper().ceil()
    return Fraction(int(edge.unique_fmpz()), 10**9)


@enumerator("simplicity_bias.accuracy")
def accuracy(a: str, b: str, c: int) -> dict[str, Any]:
    """Proposition 5.7 in ball arithmetic: `low` bounds h(X(T)) from below, `high` h at x = 9/4 from above.

    >>> found = accuracy("1/100", "1/1000", 1000)
    >>> found["low"] > found["high"]
    True
    """
    width = Fraction(a)
    bound, target, _ = _accuracy(width, Fraction(b), Fraction(c), "margin")
    return {
        "low": _end(bound, -1),
        "high": _end(target, 1),
        "margin": (1 - 2 * width) * Fraction(81, 16) - 4 * Fraction(64, 9) * width,
        "counterexample": {"a": a, "b": b, "c": c, "bound": str(bound), "needed": str(target)},
    }


def _holds(a: Fraction, goal: str) -> bool | None:
    bound, target, rate = _accuracy(a, Fraction(1, 1000), Fraction(1000), goal)
    margin = (1 - 2 * a) * Fraction(81, 16) - 4 * Fraction(64, 9) * a
    if rate <= 0 or bound < target or (goal == "margin" and margin <= Fraction(467, 100)):
        return False
    return True if rate > 0 and bound > target else None


@enumerator("simplicity_bias.largest_width")
def largest_width(goal: str) -> dict[str, Any]:
    """Bisection for delta + xi: the inequalities of Proposition 5.7 hold at `largest` and fail at `beyond`.

    >>> found = largest_width("margin")
    >>> round(float(found["largest"]), 4)
    0.0102
    """
    inside, outside = Fraction(1, 100), Fraction(1, 10)
    while outside - inside > Fraction(1, 10**6):
        middle = (inside + outside) / 2
        verdict = _holds(middle, goal)
        if verdict is None:
            return {"missing": f"undecided in ball arithmetic at {middle}"}
        inside, outside = (middle, outside) if verdict else (inside, middle)
    return {
        "largest": inside,
        "beyond": outside,
        "coverage": f"delta + xi = {float(inside):.7f} holds, {float(outside):.7f} fails, for {goal}",
    }
