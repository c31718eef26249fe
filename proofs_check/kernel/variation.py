"""Signs of an expression from how it varies along one variable: monotone from a base point, concave between two ends.

A claim says that an expression is positive, or not negative, on a region of real variables; the expression is known to
have a value there. Each rule turns a claim into simpler claims once its own conditions are shown, and is a theorem of
one real variable with the others held fixed. What no rule is left for is shown by a stored proof.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import sympy as sp
from sympy import Add, Eq, Integer, Mul, Pow, Rational, Symbol, exp
from sympy.concrete.expr_with_limits import ExprWithLimits
from sympy.core.relational import Ge, Gt, Le, Lt, Relational
from sympy.logic.boolalg import Or

from proofs_check.kernel.claims import Claim, claim_of, unfolded
from proofs_check.kernel.conditions import Shown
from proofs_check.kernel.cover_signs import same
from proofs_check.kernel.fields import expanded
from proofs_check.kernel.inverse_substitutions import substituted
from proofs_check.kernel.point import sign
from proofs_check.kernel.signed_claims import Conditions, Signed, Step
from proofs_check.kernel.variation_lines import concave, monotone, taylor
from theory.language.definedness import demands
from theory.language.formulas import clauses
from theory.language.functions import by_name
from theory.statements import Statement
from theory.temporal import put_at_once
from theory.trees import decode

_MOST_REGIONS = 8
_BINDING = (ExprWithLimits, sp.Derivative, sp.Subs)
"""What has symbols of its own, of which no case may be made."""


def check(statement: Statement, certificate: Mapping[str, Any]) -> bool:
    """Whether the argument shows the conclusion, one inequality or several."""
    claim = claim_of(statement)
    return claim is not None and holds(claim, certificate["arguments"], Shown(certificate.get("obligations", ())))


def holds(claim: Claim, arguments: list[Step], shown: Shown) -> bool:
    """The same, with what shows the conditions."""
    claims = claims_of(claim)
    conditions = Conditions(shown)
    if not claims or len(claims) != len(arguments) or not has_values(claim, claims, conditions):
        return False
    return all(follow(one, argument, conditions) for one, argument in zip(claims, arguments, strict=True))


def claims_of(claim: Claim) -> list[Signed] | None:
    """The inequalities of a conclusion, over real variables, two for an equation; None where there is anything else.

    Whole numbers are taken for real ones, which says more; hypotheses other than relations and "or" are left out.
    """
    parts = [one for part in clauses(claim.conclusion) for one in unfolded(part)]
    parts = [part for part in parts if part != sp.true]
    if not all(isinstance(part, (Eq, Ge, Gt, Le, Lt)) and not part.has(*_BINDING) for part in parts):
        return None
    variables = tuple(claim.variables)
    gaps = [
        (gap, isinstance(part, (Gt, Lt)))
        for part in parts
        for gap in ((part.lhs - part.rhs, part.rhs - part.lhs) if isinstance(part, Eq) else (part.gts - part.lts,))
    ]
    return [Signed(variables, given, gap, strict) for given in _regions(claim) for gap, strict in gaps]


def _regions(claim: Claim) -> list[tuple[Relational, ...]]:
    """Relations of which those of one region hold wherever the hypotheses do: one region for each case of an "or"."""
    parts = [one for part in claim.hypotheses for one in clauses(part)]
    regions = [tuple(part for part in parts if isinstance(part, Relational))]
    for cases in (part.args for part in parts if isinstance(part, Or)):
        if len(regions) * len(cases) <= _MOST_REGIONS:
            split = [tuple(one for one in clauses(case) if isinstance(one, Relational)) for case in cases]
            regions = [(*region, *case) for region in regions for case in split]
    return regions


def has_values(claim: Claim, regions: list[Signed], conditions: Conditions) -> bool:
    """Whether both sides of all relations have values, which their differences may hide."""
    asked = demands([side for part in clauses(claim.conclusion) for side in part.args])
    return all(conditions.hold(region, asked) for region in {one.given: one for one in regions}.values())


def follow(claim: Signed, argument: Step, conditions: Conditions) -> bool:
    """Whether one step, with everything below it, shows a claim."""
    claims = subgoals(claim, argument, conditions)
    if claims is None:
        return False
    parts = argument.get("parts", [])
    return len(parts) == len(claims) and all(
        follow(one, below, conditions) for one, below in zip(claims, parts, strict=True)
    )


def subgoals(claim: Signed, step: Step, conditions: Conditions) -> list[Signed] | None:
    """What is left to show after one step; None where the step is not allowed."""
    rule = _RULES.get(str(step["rule"]))
    return None if rule is None else rule(claim, step, conditions)


# -- plain steps -----------------------------------------------------------------------------------------------------


def _shown(claim: Signed, _: Step, conditions: Conditions) -> list[Signed] | None:
    """Nothing to vary: 0 where that is enough, an exponential or a hyperbolic cosine, which are positive where they
    have a value, or a stored proof.
    """
    if isinstance(claim.expression, (exp, sp.cosh)):
        return []
    if not claim.strict and same(claim.expression, Integer(0)):
        return []
    return [] if conditions.hold(claim, [claim.relation]) else None


def _product(claim: Signed, step: Step, conditions: Conditions) -> list[Signed] | None:
    """f = product of g^n, and all g with a sign: a product of positive numbers is positive.

    Factors to a negative power are not 0, and those to an even positive power need no sign unless f is to be positive.
    Equality is algebra wherever both sides have values, so that every factor is shown to have one.
    """
    factors = [(decode(tree), int(power), int(side)) for tree, power, side in step["factors"]]
    whole = Mul(*[Pow(base, power) for base, power, _ in factors])
    known = all(conditions.hold(claim, demands((base,))) for base, _, _ in factors)
    if not known or not same(claim.expression, whole):
        return None
    total, claims = 1, []
    for base, power, side in factors:
        if power == 0 or side not in (1, -1, 0):
            return None
        if side == 0:
            if power % 2 or not ((power > 0 and not claim.strict) or conditions.hold(claim, [sp.Ne(base, 0)])):
                return None
            continue
        total *= side if power % 2 else 1
        claims.append(claim.but(side * base, strict=claim.strict or power < 0))
    return claims if total == 1 else None


def _sum(claim: Signed, step: Step, conditions: Conditions) -> list[Signed] | None:
    """f = sum of parts that are not negative, the first of them positive if f is to be."""
    parts = [decode(tree) for tree in step["terms"]]
    if not parts or not conditions.hold(claim, demands(parts)) or not same(claim.expression, Add(*parts)):
        return None
    return [claim.but(part, strict=claim.strict and place == 0) for place, part in enumerate(parts)]


def _compare(claim: Signed, step: Step, conditions: Conditions) -> list[Signed] | None:
    """F(a) - F(b) has the sign of a - b for a function that increases on an interval that holds both, else of b - a.

    The table says that the function is monotone on every interval of its domain; two values tell in which direction,
    and a smooth function of the table is constant on no interval.
    """
    function, scale = by_name()[str(step["function"])], Rational(step["scale"])
    left, right = (decode(step[key]) for key in ("left", "right"))
    ends = function.function(left), function.function(right)
    if function.turns != () or function.roughness or function.arity != (1,) or not scale > 0:
        return None
    u = Symbol("u")
    shape = function.defined(u)
    if shape is None or not all(
        isinstance(one, (Gt, Ge, Lt, Le)) and (one.gts - one.lts).diff(u) ** 2 == 1 for one in shape
    ):
        return None  # the domain is an interval
    asked = demands((left, right, *(function.function(side, evaluate=False) for side in (left, right))))
    if not conditions.hold(claim, asked) or not same(claim.expression, scale * (ends[0] - ends[1])):
        return None
    rises = sign(function.function(Rational(3, 4)) - function.function(Rational(1, 2)), {})
    return [claim.but(rises * (left - right))] if rises in (1, -1) else None


def _raised(claim: Signed, step: Step, conditions: Conditions) -> list[Signed] | None:
    """exp increases on the whole line: where a and b have values, a - b has the sign of exp(a) - exp(b)."""
    scale, (left, right) = Rational(step["scale"]), (decode(step[key]) for key in ("left", "right"))
    if not scale > 0 or not same(claim.expression, scale * (left - right)):
        return None
    return [claim.but(exp(left) - exp(right))] if conditions.hold(claim, demands((left, right))) else None


def _squared(claim: Signed, step: Step, conditions: Conditions) -> list[Signed] | None:
    """f = a - b with a not negative: where a^2 is at least b^2, a is at least |b|; where it is larger, so is a."""
    large, small = (decode(step[key]) for key in ("large", "small"))
    if not conditions.hold(claim, demands((large, small))) or not same(claim.expression, large - small):
        return None
    return [claim.but(large, strict=False), claim.but(expanded(large**2 - small**2))]


def _split(claim: Signed, step: Step, conditions: Conditions) -> list[Signed] | None:
    """Two numbers are in one order or the other."""
    x, at = decode(step["variable"]), decode(step["at"])
    if (
        x not in claim.variables
        or not at.free_symbols <= set(claim.variables)
        or not conditions.hold(claim, demands((at,)))
    ):
        return None
    return [claim.but(claim.expression, Le(x, at)), claim.but(claim.expression, Ge(x, at))]


def _kink(claim: Signed, step: Step, _: Conditions) -> list[Signed] | None:
    """An absolute value, a maximum or a minimum is the piece that is not smaller, or not larger, than the others."""
    kink = decode(step["kink"])
    if not isinstance(kink, (sp.Abs, sp.Max, sp.Min)) or not claim.expression.has(kink):
        return None
    pieces = (kink.args[0], -kink.args[0]) if isinstance(kink, sp.Abs) else kink.args
    order = Le if isinstance(kink, sp.Min) else Ge
    cases = [(one, [order(one, other) for other in pieces if other != one]) for one in pieces]
    return [claim.but(claim.expression.xreplace({kink: one}), *where) for one, where in cases]


def _weaken(claim: Signed, step: Step, conditions: Conditions) -> list[Signed] | None:
    """A larger region, given by relations that hold on this one, and on which the expression has a value as well."""
    given = tuple(decode(tree) for tree in step["given"])
    if not all(isinstance(part, Relational) for part in given) or not conditions.hold(claim, given):
        return None
    larger = replace(claim, given=given)
    return [larger] if conditions.hold(larger, demands((claim.expression,))) else None


def _solved(claim: Signed, step: Step, conditions: Conditions) -> list[Signed] | None:
    """A variable that equals a term of the others on the whole region is that term."""
    x, value = decode(step["variable"]), decode(step["value"])
    if x not in claim.variables or value.has(x) or not value.free_symbols <= set(claim.variables):
        return None
    if not conditions.hold(claim, [*demands((value,)), Eq(x, value)]):
        return None
    put = [put_at_once(part, {x: value}) for part in claim.given]
    given = [part for part in put if isinstance(part, Relational) and not (isinstance(part, Eq) and same(*part.args))]
    variables = tuple(v for v in claim.variables if v != x)
    after = Signed(variables, tuple(dict.fromkeys(given)), put_at_once(claim.expression, {x: value}), claim.strict)
    return [after] if conditions.hold(after, demands((after.expression,))) else None


def _put(claim: Signed, step: Step, conditions: Conditions) -> list[Signed] | None:
    """A variable as a function of a new one that takes all its values."""
    x, new = decode(step["variable"]), decode(step["new"])
    if x not in claim.variables or new != Symbol(str(new)) or new in claim.variables:
        return None
    found = substituted(str(step["by"]), x, new, claim.given, claim.expression)
    if found is None or not conditions.hold(claim, found.needed):
        return None
    variables = (*(v for v in claim.variables if v != x), new)
    after = Signed(variables, found.given, found.expression, claim.strict)
    return [after] if conditions.hold(after, demands((found.expression,))) else None


_RULES: dict[str, Callable[[Signed, Step, Conditions], list[Signed] | None]] = {
    "shown": _shown, "product": _product, "sum": _sum, "compare": _compare, "raised": _raised, "squared": _squared,
    "split": _split, "put": _put, "kink": _kink, "weaken": _weaken, "solved": _solved,
    "monotone": monotone, "concave": concave, "taylor": taylor,
}  # fmt: skip
