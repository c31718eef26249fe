"""A solver process: reads SMT-LIB scripts, answers in JSON lines. Run as a file, it imports nothing of Lemmascope.

When the solver is loaded it says {"ready": true}. Request: one JSON line {"id": number, "script": text, "seconds":
number}. Answer: {"id": the same number, "answer": "sat" | "unsat" | "unknown", "model": {name: value}} with a value
"p/q", or {"polynomial": [c0, c1, ...], "low": "p/q", "high": "p/q"} for the one root of a polynomial between two
rationals.
"""

from __future__ import annotations

import importlib
import json
import math
import os
import signal
import sys
from fractions import Fraction
from typing import Any

_GRACE = 5.0
"""Seconds after its time limit at which a solver that has not noticed it is ended, even when nobody waits for it."""


def z3_answer(script: str, seconds: float) -> dict[str, Any]:
    """Ask z3."""
    import z3

    context = z3.Context()
    logic = script.split("(set-logic ", 1)[1].split(")", 1)[0]
    solver = z3.SolverFor(logic, ctx=context)
    solver.set("timeout", max(1, int(1000 * seconds)))
    solver.from_string(script)
    answer = str(solver.check())
    if answer != "sat":
        return {"answer": answer}
    model = solver.model()
    values = {}
    for declared in model.decls():
        if declared.arity() == 0:
            values[declared.name()] = _z3_value(model[declared])
    return {"answer": "sat", "model": values}


def _z3_value(value: Any) -> Any:
    import z3

    if z3.is_int_value(value) or z3.is_rational_value(value):
        return f"{value.numerator_as_long()}/{value.denominator_as_long()}" if value.is_real() else str(value)
    if z3.is_algebraic_value(value):
        low, high = (
            z3.RatNumRef(bound(value.ctx_ref(), value.as_ast(), 20), value.ctx)
            for bound in (z3.Z3_get_algebraic_number_lower, z3.Z3_get_algebraic_number_upper)
        )
        return {
            "polynomial": [str(number) for number in value.poly()],
            "low": f"{low.numerator_as_long()}/{low.denominator_as_long()}",
            "high": f"{high.numerator_as_long()}/{high.denominator_as_long()}",
        }
    return None


def cvc5_answer(script: str, seconds: float) -> dict[str, Any]:
    """Ask cvc5."""
    import cvc5

    manager = cvc5.TermManager()
    solver = cvc5.Solver(manager)
    solver.setOption("tlimit-per", str(max(1, int(1000 * seconds))))
    solver.setOption("produce-models", "true")
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, script, "question")
    symbols = parser.getSymbolManager()
    answer = "unknown"
    while True:
        command = parser.nextCommand()
        if command.isNull():
            break
        said = str(command.invoke(solver, symbols)).strip()
        if command.getCommandName() == "check-sat":
            answer = said if said in ("sat", "unsat") else "unknown"
        elif said:
            raise ValueError(said)
    if answer != "sat":
        return {"answer": answer}
    terms = symbols.getDeclaredTerms()
    return {"answer": "sat", "model": {str(term): _cvc5_value(solver.getValue(term), manager) for term in terms}}


def _cvc5_value(value: Any, manager: Any) -> Any:
    if value.isRealValue():
        number = value.getRealValue()
        return f"{number.numerator}/{number.denominator}"
    if value.isIntegerValue():
        return str(value.getIntegerValue())
    if value.isRealAlgebraicNumber():
        unknown = manager.mkVar(manager.getRealSort(), "unknown")
        low, high = value.getRealAlgebraicNumberLowerBound(), value.getRealAlgebraicNumberUpperBound()
        coefficients = _coefficients(value.getRealAlgebraicNumberDefiningPolynomial(unknown))
        scale = math.lcm(*(number.denominator for number in coefficients.values()))
        degree = max(coefficients)
        return {
            "polynomial": [str(int(coefficients.get(power, 0) * scale)) for power in range(degree + 1)],
            "low": str(low.getRealValue()),
            "high": str(high.getRealValue()),
        }
    return None


def _coefficients(term: Any) -> dict[int, Fraction]:
    """A univariate polynomial term as powers with their coefficients."""
    import cvc5

    if term.getKind() == cvc5.Kind.CONST_RATIONAL:
        return {0: Fraction(term.getRealValue())}
    if term.getKind() == cvc5.Kind.VARIABLE:
        return {1: Fraction(1)}
    parts = [_coefficients(part) for part in term]
    total = parts[0]
    for other in parts[1:]:
        if term.getKind() == cvc5.Kind.ADD:
            total = {power: total.get(power, Fraction(0)) + other.get(power, 0) for power in {*total, *other}}
        else:
            product: dict[int, Fraction] = {}
            for p, a in total.items():
                for q, b in other.items():
                    product[p + q] = product.get(p + q, Fraction(0)) + a * b
            total = product
    return {power: number for power, number in total.items() if number}


def main() -> None:
    """Answer scripts until the input ends."""
    import resource

    name, memory = sys.argv[1], int(sys.argv[2])
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # what the libraries print is no answer
    ask = {"z3": z3_answer, "cvc5": cvc5_answer}[name]
    importlib.import_module(name)
    answers.write(json.dumps({"ready": True}) + "\n")
    answers.flush()
    for line in sys.stdin:
        request = json.loads(line)
        signal.setitimer(signal.ITIMER_REAL, request["seconds"] + _GRACE)
        try:
            answer = ask(request["script"], request["seconds"])
        except Exception as error:  # noqa: BLE001 - whatever a solver throws is an answer: it does not know
            answer = {"answer": "unknown", "why": f"{type(error).__name__}: {error}"[:300]}
        signal.setitimer(signal.ITIMER_REAL, 0)
        answers.write(json.dumps({**answer, "id": request["id"]}) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
