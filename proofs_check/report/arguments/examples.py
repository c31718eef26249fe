"""Evidence that is a computation or an example: enclosures, orbits that return, zeros, functions of a class."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sympy import Float, Rational, Symbol

from proofs_check.kernel.kinds import kind_of
from proofs_check.report.arguments.passages import Passage
from proofs_check.report.arguments.points import evaluated
from theory.notation import latex, stacked
from theory.statements import Statement
from theory.trees import decode


def followed(statement: Statement, certificate: Mapping[str, Any]) -> list[Passage]:
    """Trajectories that were computed with all errors accounted for."""
    passages = evaluated(statement, certificate)
    horizon = certificate.get("horizon")
    if kind_of(certificate) == "flow":
        text = "By a validated integration of the flow from there, the claim has certainly failed by the time"
        return [*passages, Passage(text, f"t = {latex(Rational(certificate['time']))}")]
    if kind_of(certificate) == "lasso":
        text = "The trajectory, in exact fractions, comes back to a state where it has been, so that all of it is known"
        return [*passages, Passage(f"{text}: the claim {'holds' if certificate['truth'] else 'fails'} on it.")]
    if certificate["truth"] is False:
        return [*passages, Passage(f"In ball arithmetic, with all rounding, the claim fails within {horizon} steps.")]
    count = len(certificate["boxes"])
    boxes = "one box" if count == 1 else f"{count} boxes"
    text = f"Followed for {horizon} steps in ball arithmetic, with all rounding, on {boxes} that leave nothing out."
    return [Passage(text)]


def of_a_zero(certificate: Mapping[str, Any]) -> list[Passage]:
    """A point that is known as the zero of equations: where it is, and why there is one."""
    equations = [latex(decode(item)) for item in certificate["equations"]]
    near = [rf"{latex(decode(s))} \approx {latex(Float(Rational(value), 8))}" for s, value in certificate["center"]]
    near += [f"{latex(decode(s))} = {latex(Rational(value))}" for s, value in certificate["fixed"]]
    does = "does what is asked for" if certificate.get("claim") == "exists" else "contradicts the claim"
    text = "These equations have a solution in a small box around this point, because the Newton step maps the box"
    return [
        Passage(f"{text} into itself (Krawczyk); it {does}:", stacked([*equations, r",\quad ".join(near)])),
    ]


def of_functions(certificate: Mapping[str, Any]) -> list[Passage]:
    """A counterexample of a rate: functions with piecewise linear derivatives in each coordinate, and a start."""
    rows = [f"{latex(Symbol(name))} = {latex(Rational(value))}" for name, value in certificate["numbers"].items()]
    rows += [
        rf"{latex(Symbol(name))} = \left({', '.join(latex(Rational(value)) for value in values)}\right)"
        for name, values in certificate["vectors"].items()
    ]
    names = ", ".join(certificate["functions"])
    text = f"The function {names}, a sum over the coordinates with piecewise linear derivatives, fails the claim for"
    return [Passage(text, stacked(rows))]
