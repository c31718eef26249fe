"""What agents and the workbench ask, answered as JSON: the questions come as data, and so do the answers.

Everything here runs in the process of a `Desk`, which limits its time and memory.
"""

from __future__ import annotations

import base64
import math
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import lru_cache
from io import BytesIO
from typing import Any

import numpy as np
from sympy import Rational, sstr
from sympy.core.relational import Relational

from proofs_check.budget import EFFORTS, Budget
from proofs_check.engines.falsify.runs import Simulation
from proofs_check.evidence.case import Case
from proofs_check.goals import domains
from proofs_check.limits import OutOfTimeError, at_most
from proofs_check.referee.judge import judge
from proofs_check.repair.sharpen import sharpen
from proofs_check.report.derivation import derive
from proofs_check.report.explain import OUTCOMES, how_to_believe
from proofs_check.report.plots.show import plot
from proofs_check.report.typeset import formula
from proofs_check.report.write_derivation import as_latex, as_markdown
from proofs_check.run.statement_source import source
from proofs_check.run.workers import Job, finished, perform
from proofs_check.verdict import Outcome, Verdict
from theory.dynamics import Map
from theory.errors import LemmascopeError
from theory.latex_prose import statement_from_latex
from theory.library import find, premised
from theory.notation import latex
from theory.statements import Statement
from theory.trees import content_hash, decode_statement, encode_statement
from theory.written import statement_from

Watch = Callable[[str, float], None]
Answer = dict[str, Any]

_FOR_EQUILIBRIA = 1.5
"""Seconds of computing that the equilibria of typed dynamics may take."""
_MOST_LISTED = 200
_POINTS = 400
"""How many points of a trajectory are sent at most."""


def answer(action: str, question: Mapping[str, Any], watch: Watch) -> Answer:
    """The answer to one question; what cannot be asked is refused with a sentence."""
    if action not in _ACTIONS:
        raise LemmascopeError(f"there is no question called {action}")
    return _ACTIONS[action](question, watch)


def subject(question: Mapping[str, Any]) -> Statement:
    """The statement that a question is about: an id of the library, a written statement, or a sentence in LaTeX."""
    given = [name for name in ("id", "statement", "latex") if question.get(name)]
    if len(given) != 1:
        raise LemmascopeError("give one of: id (of the library), statement (an object), latex (a sentence)")
    value = question[given[0]]
    if given[0] == "statement":
        return statement_from(value)
    if not isinstance(value, str) or len(value) > 20_000:
        raise LemmascopeError(f"{given[0]} is a text of at most 20000 characters")
    return premised(value) if given[0] == "id" else statement_from_latex(value)


def _effort(question: Mapping[str, Any]) -> str:
    effort = question.get("effort") or "standard"
    if effort not in EFFORTS:
        raise LemmascopeError(f"effort is {', '.join(EFFORTS)}; {effort!r} is none of them")
    return str(effort)


def _judged(statement: Statement, effort: str, watch: Watch) -> Verdict:
    job = Job.of(statement, effort=effort)
    return finished([job]).get(job.id) or perform(job, watch)


def check(question: Mapping[str, Any], watch: Watch) -> Answer:
    """The verdict; its certificate is named by what it is about and can be asked for."""
    statement = subject(question)
    verdict = _judged(statement, _effort(question), watch)
    found = verdict.to_json()
    reference = None
    if verdict.certificate is not None:
        kind = verdict.certificate.get("kind")
        reference = {"about": content_hash(statement), "kind": kind, "checked_by": "the kernel of lemmascope"}
    full = found["certificate"] if question.get("certificate") else None
    return {**found, "certificate": full, "certificate_reference": reference, "means": OUTCOMES[verdict.outcome]}


def find_counterexample(question: Mapping[str, Any], watch: Watch) -> Answer:
    """A certified counterexample, or what is known instead."""
    verdict = _judged(subject(question), _effort(question), watch)
    said = {
        Outcome.REFUTED: "the counterexample was re-checked exactly or in ball arithmetic",
        Outcome.PROVED: "there is none: the statement is proved",
        Outcome.VACUOUS: "there is none: no point satisfies the hypotheses",
        Outcome.SUSPECT: "clear violations were seen in floating point, but none could be certified",
    }.get(verdict.outcome, "none was found; that proves nothing")
    return {
        "outcome": str(verdict.outcome),
        "counterexample": None if verdict.counterexample is None else dict(verdict.counterexample),
        "said": said,
        "correction": verdict.correction,
        "cases": verdict.cases,
        "notes": list(verdict.notes),
    }


def sharpened(question: Mapping[str, Any], watch: Watch) -> Answer:
    """The best values of the constants."""
    statement, effort = subject(question), _effort(question)
    name = question.get("constant")
    found = sharpen(statement, name, Budget.of(effort), watch=lambda text: watch(text, 0.0))
    return {"id": statement.id, "sharp": found}


def derived(question: Mapping[str, Any], watch: Watch) -> Answer:
    """The checked derivation, as Markdown and as LaTeX."""
    watch("deriving", 0.0)
    about = str(question["id"]) if question.get("id") else subject(question)
    derivation = derive(about, _effort(question))
    return {
        "markdown": as_markdown(derivation),
        "latex": as_latex(derivation),
        "lines": len(derivation.lines),
        "left_out": derivation.left_out,
    }


def drawn(question: Mapping[str, Any], watch: Watch) -> Answer:
    """The picture, as PNG in base64."""
    watch("drawing", 0.0)
    statement = subject(question)
    buffer = BytesIO()
    plot(statement, _judged(statement, "quick", watch)).figure.savefig(buffer, format="png", dpi=110)
    return {"mime": "image/png", "base64": base64.b64encode(buffer.getvalue()).decode("ascii")}


def listed(question: Mapping[str, Any], _watch: Watch) -> Answer:
    """What the library has."""
    pattern = question.get("pattern") or ""
    entries = find(pattern) if pattern else find()
    rows = [
        {"id": entry.id, "kind": entry.kind, "title": entry.title, "scope": str(entry.scope or "")}
        for entry in entries
        if question.get("steps") or "#" not in entry.id
    ]
    return {"statements": rows[:_MOST_LISTED], "count": len(rows), "left_out": max(0, len(rows) - _MOST_LISTED)}


def explained(question: Mapping[str, Any], watch: Watch) -> Answer:
    """Why the verdict on a statement can be believed, and what it does not say."""
    verdict = _judged(subject(question), _effort(question), watch)
    return {
        "outcome": str(verdict.outcome),
        "sentences": how_to_believe(verdict),
        "trust": list(verdict.trust),
        "scope": None if verdict.scope is None else str(verdict.scope),
        "notes": list(verdict.notes),
    }


def look(question: Mapping[str, Any], _watch: Watch) -> Answer:
    """What can be said at once: the statement typeset, derived dynamics, equilibria with their stability, sliders."""
    statement = subject(question)
    dynamics = statement.dynamics
    shown: Answer = {
        "latex": statement.latex(),
        "mathml": formula(statement.latex()).mathml,
        "about": content_hash(statement),
        "file": _file(statement),
        "sliders": _sliders(statement),
        "moves": dynamics is not None,
        "equilibria": [],
        "certificate": None,
    }
    if dynamics is not None:
        shown["dynamics"] = {"latex": dynamics.latex(), "mathml": formula(dynamics.latex()).mathml}
        unknown = suppress(OutOfTimeError, LemmascopeError, NotImplementedError, ValueError, TypeError)
        with unknown, at_most(4 * _FOR_EQUILIBRIA, work=_FOR_EQUILIBRIA):
            shown |= _equilibria(statement)
    return shown


def _equilibria(statement: Statement) -> Answer:
    dynamics = statement.dynamics
    if dynamics is None:
        return {}
    found = dynamics.fixed_points()
    rows = []
    for orbit in found:
        text = orbit._repr_latex_().strip("$").removeprefix(r"\displaystyle ")
        row: Answer = {"latex": text, "mathml": formula(text).mathml, "multiplier": None}
        if isinstance(dynamics, Map) and dynamics.dimension == 1:
            slope = dynamics.multiplier(orbit)
            with suppress(AttributeError):
                row["multiplier"] = {"latex": latex(slope), "mathml": formula(latex(slope)).mathml}
        with suppress(LemmascopeError, NotImplementedError, ValueError, TypeError):
            region = dynamics.stability_region(orbit)._repr_latex_().strip("$").removeprefix(r"\displaystyle ")
            row["stable"] = {"latex": region, "mathml": formula(region).mathml}
        rows.append(row)
    return {"equilibria": rows, "complete": found.complete}


def _sliders(statement: Statement) -> list[Answer]:
    """The variables of numbers, each with a range that a slider can have and a value inside of it."""
    if statement.speaks_of_spaces or statement.dynamics is None:
        return []
    rows = []
    for symbol, domain in domains(statement).items():
        low, high = (float(end) if end.is_finite else math.copysign(math.inf, float(end.is_positive) - 0.5)
                     for end in (domain.inf, domain.sup))  # fmt: skip
        whole = symbol in statement.integers
        share = 0.5 if math.isfinite(low) and math.isfinite(high) else 0.75 if math.isinf(low) else 0.25
        low, high = _shown_range(low, high)
        middle = low + (high - low) * share
        rows.append({"name": symbol.name, "low": low, "high": high, "value": round(middle) if whole else middle,
                     "step": 1 if whole else (high - low) / 200})  # fmt: skip
    return rows


def _shown_range(low: float, high: float) -> tuple[float, float]:
    """Finite ends for a slider.

    >>> _shown_range(0.0, math.inf), _shown_range(-math.inf, math.inf)
    ((0.0, 3.0), (-2.0, 2.0))
    """
    if math.isinf(low) and math.isinf(high):
        return -2.0, 2.0
    if math.isinf(high):
        return low, low + 3.0
    return (high - 3.0, high) if math.isinf(low) else (low, high)


@lru_cache(maxsize=16)
def _simulation(about: str) -> tuple[Simulation, Statement]:
    statement = _STATEMENTS[about]
    return Simulation(statement, list(domains(statement))), statement


_STATEMENTS: dict[str, Statement] = {}


def trajectory(question: Mapping[str, Any], _watch: Watch) -> Answer:
    """The trajectory from the values of the sliders, in double precision: something to look at, no evidence."""
    statement = subject(question)
    about = content_hash(statement)
    _STATEMENTS[about] = statement
    simulation, statement = _simulation(about)
    values = question.get("values") or {}
    try:
        point = np.array([[float(values[symbol.name])] for symbol in simulation.names]).reshape(-1, 1)
    except (KeyError, TypeError, ValueError):
        raise LemmascopeError("values gives a number for each variable") from None
    horizon = min(max(int(question.get("steps") or 60), 2), 600)
    runs = simulation.run(point, horizon)
    kept = max(2, int(runs.kept[0]))
    every = max(1, kept // _POINTS)
    exact = {symbol: Rational(str(values[symbol.name])) for symbol in simulation.names}
    return {
        "times": [_finite(moment) for moment in runs.times[:kept:every]],
        "states": {
            symbol.name: [_finite(value) for value in runs.states[:kept:every, place, 0]]
            for place, symbol in enumerate(simulation.dynamics.state)
        },
        "holds": {sstr(part): _holds(part.subs(exact)) for part in statement.given},
        "unit": runs.unit,
    }


def _holds(part: Any) -> bool | None:
    return bool(part) if part in (True, False) or not isinstance(part, Relational) else None


def _finite(value: float) -> float | None:
    return float(value) if math.isfinite(value) and abs(value) < 1e12 else None


def _file(statement: Statement) -> str | None:
    """A statement file that says the same, where there is one."""
    with suppress(LemmascopeError):
        return source([("statement", statement, "")])
    return None


def certificate(question: Mapping[str, Any], watch: Watch) -> Answer:
    """The whole certificate of a statement."""
    verdict = _judged(subject(question), _effort(question), watch)
    return {"outcome": str(verdict.outcome), "certificate": verdict.certificate}


def warm_up() -> None:
    """Load and compile what the first question would wait for."""
    claim = {"variables": {"x": "[0, 1]"}, "then": "x**2 <= x"}
    moving = {"variables": {"x0": "[1, 2]"}, "dynamics": {"map": {"x": "x/2"}}, "start": {"x": "x0"},
              "then": {"always": "x <= x0"}}  # fmt: skip
    for written in (claim, moving):
        judge(Case(decode_statement(encode_statement(statement_from(written))), "quick"))


_ACTIONS: dict[str, Callable[[Mapping[str, Any], Watch], Answer]] = {
    "check": check,
    "find_counterexample": find_counterexample,
    "sharpen": sharpened,
    "derive": derived,
    "plot": drawn,
    "list": listed,
    "explain": explained,
    "look": look,
    "trajectory": trajectory,
    "certificate": certificate,
}
