"""The ranges of Table C.1: how large an entry of one sample's gradient can be, for every length of the context.

The entry of row j and column k is (p - b) f, where p = 1/(N+1), b says whether the label is j, and f is the share of k
in the context; a range bounds how far it is from its mean. A share is bounded by following, along the context, the
largest counts so far: x over all beginnings that end in the counted token, y over the others; L is their length.
"""

from __future__ import annotations

from functools import partial

from sympy import And, Expr, Interval, Max, Range, Rational, S, Symbol, oo

from theory.associative_memory._paper import N, counted, paper
from theory.associative_memory.printed_table import CASES, Case
from theory.dynamics import Map
from theory.scope import case as case_
from theory.scope import own, part, whole
from theory.statements import Statement
from theory.temporal import Always

x, y, L, p, b, c, f, g = (Symbol(name) for name in "xyLpbcfg")
SHARE = Interval(0, 1)


def _differ_by(most: Expr) -> And:
    """Two entries with shares f and g of the column differ by at most this, and so does each from the mean."""
    difference = (p - b) * f - (p - c) * g
    return And(difference <= most, -difference <= most)


AVERAGE = "b and c say whether the label is the row's token, f and g are shares; the mean is an average of entries."


@paper.statement(
    "table-c.1.shares",
    "Entries whose shares of a token are at most s differ by at most s",
    scope=own("a step of ours for the ranges"),
)
def shares() -> Statement:
    s = Symbol("s")
    domains = {N: Interval(2, oo), **dict.fromkeys((b, c, s), SHARE), f: Interval(0, s), g: Interval(0, s)}
    return Statement(variables=domains, then=_differ_by(s).subs(p, 1 / (N + 1)), notes=AVERAGE)


def _any_share() -> Statement:
    return Statement(variables=dict.fromkeys((p, b, c, f, g), SHARE), then=_differ_by(S.One), notes=AVERAGE)


def _longest(first: tuple[int, int], then: Always) -> Statement:
    """The token that is counted never follows itself: x' = y + 1 and y' = max(x, y)."""
    return Statement(
        dynamics=Map((x, y, L), (y + 1, Max(x, y), L + 1)),
        start={x: S(first[0]), y: S(first[1]), L: S.One},
        then=then,
        notes="x and y are the largest counts over contexts of length L that end, or do not end, in the token.",
    )


def _noise() -> Statement:
    """A context begins with an ordinary token or the trigger, so that noise always has one before it."""
    return _longest((0, 0), Always(And(2 * x <= L, 2 * y <= L - 1)))


def _trigger() -> Statement:
    """When the label can be an ordinary token, that is the target, and the trigger never follows itself."""
    return _longest((1, 0), Always(And(2 * x <= L + 1, 2 * y <= L)))


def _reach(case: Case) -> Statement:
    length = Symbol("T")
    return counted(
        "reach",
        Symbol("reach") <= case.reach,
        yields=("reach",),
        variables={length: Range(2, oo)},
        row=case.row,
        column=case.column,
        vocabulary=40,
        noise="1/2",
        T=[9, 10, 31, 80],
        notes="The range is read as the largest distance of one sample's entry from its mean.",
    )


def _register(number: int, case: Case) -> None:
    of, name = f"table-c.1.row-{number}.range", f"Range in row {number} of the table of value gradients"
    noisy = case.column == "noise"
    state = partial(paper.statement, label="Table C.1")
    if case.reach == 1:
        state(of, name, scope=whole())(_any_share)
    elif noisy and case.reach == Rational(1, 2):
        state(of, f"{name}: a share of noise is at most 1/2", scope=part("the share of the token, for every length"))(
            _noise
        )
    else:
        title = "a share of noise is at most 1/2" if noisy else "a share of the trigger is at most (T + 1)/(2 T)"
        state(of, name, scope=case_("N = 40, alpha = 1/2 and T = 9, 10, 31, 80, counted"))(partial(_reach, case))
        state(f"{of}.corrected", f"{name}, corrected: {title}")(_noise if noisy else _trigger)


for _number, _case in enumerate(CASES, start=1):
    _register(_number, _case)
