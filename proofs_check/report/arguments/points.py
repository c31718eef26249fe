"""Counterexamples, evaluated line by line until the contradiction shows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sympy import Basic, Expr, Float, N, Symbol, nsimplify
from sympy.core.relational import Relational

from proofs_check.report.arguments.passages import Passage, readable
from theory.dynamics import Map
from theory.notation import latex
from theory.statements import Statement
from theory.temporal import is_plain
from theory.trees import decode

_DIGITS = 6
_STEPS = 4


def point_of(certificate: Mapping[str, Any]) -> dict[Symbol, Expr]:
    """The point that a certificate names; empty where it names none."""
    pairs = certificate.get("point") or ()
    return {decode(symbol): decode(value) for symbol, value in pairs if not isinstance(symbol, str)}


def evaluated(statement: Statement, certificate: Mapping[str, Any]) -> list[Passage]:
    """The point, the first steps of its trajectory, and both sides of every relation there."""
    point = point_of(certificate)
    if not point:
        return []
    passages = [Passage("Take", r",\quad ".join(f"{latex(s)} = {latex(value)}" for s, value in point.items()))]
    passages += [
        Passage("The hypothesis holds there:", _sides(part, point))
        for part in statement.hypotheses
        if isinstance(part, Relational) and len(part.free_symbols) > 1
    ]
    if isinstance(statement.dynamics, Map) and statement.start:
        passages.append(Passage("The first steps:", _walk(statement.dynamics, statement.start, point)))
    if is_plain(statement.conclusion):
        for part in sorted(statement.conclusion.atoms(Relational), key=str):
            holds = part.subs(point)
            word = "holds" if holds == True else "fails" if holds == False else "is what matters"  # noqa: E712
            passages.append(Passage(f"This {word}:", _sides(part, point)))
    return passages


def _sides(relation: Relational, point: Mapping[Symbol, Expr]) -> str:
    left, right = (_number(side, point) for side in relation.args)
    return rf"{latex(relation)}:\quad {left} \;\text{{against}}\; {right}"


def _number(expression: Expr, point: Mapping[Symbol, Expr]) -> str:
    value = expression.subs(point)
    short = _decimal(value)
    if value.is_Integer or not readable(value) or value.count_ops() > 12:
        return latex(value) if value.is_Integer else short
    return rf"{latex(value)} \approx {short}" if value.is_number and latex(value) != short else latex(value)


def _decimal(value: Basic) -> str:
    number = N(value, _DIGITS)
    return latex(nsimplify(number) if number == int(number) else number) if isinstance(number, Float) else latex(value)


def _walk(rule: Map, start: Mapping[Any, Any], point: Mapping[Symbol, Expr]) -> str:
    rows, state = [], {symbol: Expr.subs(value, point) for symbol, value in start.items() if hasattr(value, "subs")}
    clock = {} if rule.time is None else {rule.time: 0}
    for step in range(_STEPS):
        shown = [f"{latex(symbol)}_{{({step})}} = {_number(value, {})}" for symbol, value in state.items()]
        rows.append(r",\; ".join(shown))
        if rule.time is not None:
            clock = {rule.time: step}
        moved = [part.subs(point).subs({**state, **clock}, simultaneous=True) for part in rule.update]
        state = {
            symbol: value if readable(value) else N(value, 30) for symbol, value in zip(rule.state, moved, strict=True)
        }
    return r"\begin{aligned}" + r" \\ ".join(f"& {row}" for row in rows) + r"\end{aligned}"
