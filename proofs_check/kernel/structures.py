"""Re-checks claims about finite structures: case by case, or for every size by a reduction to numbers.

The members of every sort are listed anew and every word is computed from its one meaning
(`theory.language.structure_values`); nothing is taken from the engine but a case, or a certificate about numbers.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from sympy import Symbol

from proofs_check.kernel.kinds import accepted, proves, refutes
from proofs_check.kernel.structure_cases import Case, cases, claimed, exact_number, members, truth
from proofs_check.kernel.structure_recursion import as_recursion
from proofs_check.kernel.structure_rules import about_numbers
from theory.language.structure_values import Graph
from theory.language.structures import Structures
from theory.statements import Statement
from theory.trees import decode


def check(statement: Statement, certificate: Mapping[str, Any]) -> bool:
    """Whether the certificate settles the statement by its rule."""
    if statement.dynamics or statement.computed or statement.uses or statement.almost_all or statement.constants:
        return False
    match certificate["rule"]:
        case "counterexample":
            return _fails(statement, {Symbol(name): read(value) for name, value in certificate["case"].items()})
        case "cases":
            return _holds_in_every_case(statement, certificate)
        case "every size":
            return proves(about_numbers(statement), certificate["certificate"])
        case "recursion":
            inner, more = certificate["certificate"], [decode(part) for part in certificate["more"]]
            return not refutes(inner) and accepted(as_recursion(statement, more), inner)
    return False


def read(value: Any) -> Any:
    """A value of a certificate: numbers as text, structures as lists."""
    if isinstance(value, str):
        return Fraction(value)
    if isinstance(value, Mapping):
        return Graph(tuple(map(int, value["features"])), tuple((int(i), int(j)) for i, j in value["edges"]))
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    return tuple(map(read, value))


def _fails(statement: Statement, case: Case) -> bool:
    """Whether the case lies in the domains, satisfies the hypotheses and makes the conclusion false."""
    if set(case) != set(statement.variables):
        return False
    for symbol, domain in statement.variables.items():
        if isinstance(domain, Structures):
            if not any(case[symbol] == member for member, _ in members(domain, case)):
                return False
        elif domain.contains(exact_number(case[symbol])) != True:  # noqa: E712 - SymPy's truth
            return False
    return all(truth(part, case) is True for part in statement.given) and truth(statement.conclusion, case) is False


def _holds_in_every_case(statement: Statement, certificate: Mapping[str, Any]) -> bool:
    """Whether the sizes are finitely many and every case of them satisfies the claim; numbers may be left over.

    The certificates of what is left come in the order of the cases. A sort of which a list has not all members proves
    nothing.
    """
    if not all(domain.complete for domain in statement.variables.values() if isinstance(domain, Structures)):
        return False
    left = iter(certificate["left"])
    number = 0
    for case in cases(statement):
        number += 1
        claim = claimed(statement, case)
        if claim is True:
            continue
        if claim is False or claim is None or not proves(claim, next(left)):
            return False
    return number == certificate["cases"] and next(left, None) is None
