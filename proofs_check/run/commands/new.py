"""Write a commented statement file that already runs: `lemmascope check` on it gives a verdict at once."""

from __future__ import annotations

import argparse
from pathlib import Path

_TEMPLATE = '''\
"""{title}: edit this file, then run `lemmascope check {path}` (or pytest, which collects it as tests)."""

from sympy import Interval, Rational, S, symbols

from theory import Always, ConvergesTo, Statement, gradient_descent

# Symbols need no assumptions: what you know about them goes into variables= and given=.
x, x0, eta, L = symbols("x x0 eta L")

# Derive the dynamics from the loss; gradient_flow, heavy_ball, nesterov and Map(...) work the same way.
# A loss can also be copied from a paper: theory.from_latex(r"\\frac{{L}}{{2}} x^2").
step = gradient_descent(L * x**2 / 2, x, eta)

converges = Statement(
    title="gradient descent on a quadratic converges below 2 / L",
    variables={{L: Interval.open(0, S.Infinity), eta: Interval.open(0, S.Infinity), x0: S.Reals}},
    given=(eta * L < 2,),
    dynamics=step,
    start={{x: x0}},
    then=ConvergesTo(x, 0),
)

# A claim that goes too far is refuted with a counterexample. Numbers are exact: Rational("2.1"), not 2.1.
too_far = Statement(
    title="the iterates never grow, even a little beyond the edge",
    variables={{eta: Interval.open(0, Rational("2.1")), x0: Interval(1, 2)}},
    dynamics=gradient_descent(x**2 / 2, x, eta),
    start={{x: x0}},
    then=Always(x**2 <= x0**2),
)
'''


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """NAME."""
    parser.add_argument("name", metavar="NAME", help="the file will be lemmas_NAME.py in this folder")


def run(options: argparse.Namespace) -> int:
    """Write the file, unless there is one already."""
    from theory.errors import LemmascopeError

    if not options.name.isidentifier():
        raise LemmascopeError(f"{options.name!r} cannot be part of a module name: use letters, digits and underscores")
    path = Path(f"lemmas_{options.name}.py")
    if path.exists():
        raise LemmascopeError(f"{path} exists already: choose another name or remove it first")
    path.write_text(_TEMPLATE.format(title=f"Lemmas: {options.name}", path=path), encoding="utf-8")
    print(f"wrote {path}; now run: lemmascope check {path}")
    return 0
