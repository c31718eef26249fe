"""Table C.1 and the displays of the ten cases behind it, as printed, with a for alpha."""

from __future__ import annotations

from dataclasses import dataclass

from sympy import Expr, Integer, Rational

from theory.associative_memory._paper import ALPHA, C, N, T

a = ALPHA
GUESS = 1 / (N + 1)
POISSON = 1 / (T * N) + 1 / N**2
THINNED = a / (T * N) + a**2 / N**2
DOUBLED = (2 - a) / (T * N) + (2 - a) ** 2 / N**2
CLUSTERED = (-1 + 2 / a**2) / (a * T * N) + 1 / (a**2 * N**2)
GATHERED = (-1 + 2 / a) / (a * T * N) + 1 / (a**2 * N**2)
"""What CLUSTERED should be: 2/a in place of 2/a**2."""

CUBIC = 1 / (T * N**2) + 1 / N**3


@dataclass(frozen=True)
class Case:
    """One row: where it is, the printed mean, variance and range, and the printed moments given the target.

    `given` lists (target, mean, square); the target "" is none of the named tokens. `right` are the leading orders
    of mean and variance of the process itself, with its forced last token, in the regime T = c N.
    """

    row: str
    column: str
    mean: Expr
    variance: Expr
    reach: Expr
    given: tuple[tuple[str, Expr, Expr], ...]
    square: Expr
    right: tuple[Expr, Expr]


LAST = (C**2 + 3 * C + 1) / C**2
MORE = 1 + 1 / C

CASES = (
    Case(
        "noise", "noise", -(a**2) / N, a**2 / (T * N) + (a**3 - a**4) / N**2, Rational(1, 2),
        (("trigger", -a / N, a * POISSON), ("", -(a**2) / N, a * THINNED)),
        a**2 / (T * N) + a**3 / N**2,
        (-(a**2) / N, a**2 / (T * N) + (a**3 - a**4) / N**2),
    ),
    Case(
        "noise", "trigger", -a / N, a / (T * N) + (a - a**2) / N**2, Integer(1),
        (("trigger", -1 / N, a * CLUSTERED), ("", -a / N, a * POISSON)),
        a / (T * N) + a / N**2,
        (-a * MORE / N, (a * LAST - a**2 * MORE**2) / N**2),
    ),
    Case(
        "noise", "k", -a / N, a / (T * N) + (a - a**2) / N**2, Integer(1),
        (("trigger", -a / N, a * POISSON), ("", -a / N, a * POISSON)),
        a * POISSON,
        (-a / N, a / (T * N) + (a - a**2) / N**2),
    ),
    Case(
        "trigger", "noise", (2 * a - 1) / N**2, 1 / (T * N**2) + (a**2 - a + 1) / N**3, Rational(1, 2),
        (("", GUESS * a / N, GUESS * THINNED), ("trigger", -(1 - a) / N, (1 - a) * POISSON)),
        1 / (T * N**2) + (a**2 - a + 1) / N**3,
        ((2 * a - 1) / N**2, (1 - a) * CUBIC),
    ),
    Case(
        "trigger", "trigger", (2 * a - 1) / (a * N**2),
        (a**3 - a**2 - a + 2) / (a**3 * T * N**2) + (a**2 - a + 1) / (a**2 * N**3), Integer(1),
        (("", GUESS / N, GUESS * POISSON), ("trigger", -(1 - a) / (a * N), (1 - a) * CLUSTERED)),
        (a**3 - a**2 - a + 2) / (a**3 * T * N**2) + (a**2 - a + 1) / (a**2 * N**3),
        (
            (2 * a - 1) / (a * N**2) + a / (T * N),
            (1 - a) * ((2 - a) * C / a**2 + C**2 / a**2 + 2 * C / a + 1) / (C**2 * N**3),
        ),
    ),
    Case(
        "trigger", "k", a / N**2, (2 - a) * CUBIC, Integer(1),
        (
            ("k", GUESS * (2 - a) / N, GUESS * DOUBLED),
            ("", GUESS / N, GUESS * POISSON),
            ("trigger", -(1 - a) / N, (1 - a) * POISSON),
        ),
        (2 - a) * CUBIC,
        (a / N**2, (1 - a) * CUBIC),
    ),
    Case(
        "j", "noise", a**2 / N**2, (2 - a) * (a / (T * N**2) + a**2 / N**3), Rational(1, 3),
        (
            ("trigger", GUESS / N, GUESS * POISSON),
            ("", GUESS * a / N, GUESS * THINNED),
            ("j", -(1 - a) * a / N, (1 - a) * THINNED),
        ),
        (2 - a) * (a / (T * N**2) + a**2 / N**3),
        (a**2 / N**2, (1 - a) * (a / (T * N**2) + a**2 / N**3)),
    ),
    Case(
        "j", "trigger", a / N**2, (2 - a) * CUBIC, Rational(1, 2),
        (
            ("trigger", GUESS / (a * N), GUESS * T**2 * CLUSTERED),
            ("", GUESS / N, GUESS * POISSON),
            ("j", -(1 - a) / N, (1 - a) * POISSON),
        ),
        (2 - a) * CUBIC,
        (a * MORE / N**2, (1 - a) * LAST / N**3),
    ),
    Case(
        "j", "j", (-(a**2) + 3 * a - 1) / N**2,
        (1 + (1 - a) * (2 - a)) / (T * N**2) + (1 + (1 - a) * (2 - a) ** 2) / N**3, Integer(1),
        (
            ("trigger", GUESS / N, GUESS * POISSON),
            ("", GUESS / N, GUESS * POISSON),
            ("j", -(1 - a) * (2 - a) / N, (1 - a) * DOUBLED),
        ),
        (1 + (1 - a) * (2 - a)) / (T * N**2) + (1 + (1 - a) * (2 - a) ** 2) / N**3,
        ((-(a**2) + 3 * a - 1) / N**2, (1 - a) * ((2 - a) / (T * N**2) + (2 - a) ** 2 / N**3)),
    ),
    Case(
        "j", "k", a / N**2, (2 - a) * CUBIC, Integer(1),
        (
            ("trigger", GUESS / N, GUESS * POISSON),
            ("j", -(1 - a) / N, (1 - a) * POISSON),
            ("k", GUESS * (2 - a) / N, GUESS * DOUBLED),
            ("", GUESS / N, GUESS * POISSON),
        ),
        (2 - a) * POISSON,
        (a / N**2, (1 - a) * CUBIC),
    ),
)  # fmt: skip


def second_moment(column: str, target: str) -> Expr:
    """The leading order of E[(n_k / T)**2] given the target, the last token left out."""
    if column == "noise":
        return POISSON if target == "trigger" else THINNED
    if column == "trigger":
        return GATHERED if target == "trigger" else POISSON
    return DOUBLED if column == target else POISSON


def right_square(case: Case, target: str) -> Expr:
    """The leading order of the square given the target; a label that the target excludes leaves 1/(N + 1)**2."""
    factor = a if case.row == "noise" else 1 - a if case.row == target else GUESS**2
    return factor * second_moment(case.column, target)


def right_mean_square(case: Case) -> Expr:
    """Over the targets: only the target that is the row's token counts, with probability 1/N, unless it is noise."""
    return a * second_moment(case.column, "") if case.row == "noise" else right_square(case, case.row) / N
