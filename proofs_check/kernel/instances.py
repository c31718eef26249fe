"""Hypotheses about all arguments of a function, at the arguments that a statement mentions.

Each instance follows from its hypothesis by putting in terms, or by differentiating an equation that holds on open
domains first. Which instances an engine used does not matter here: all of small terms are taken.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, product

import sympy as sp
from sympy import And, Derivative, Eq, Expr, Implies, Interval, S, Set, Symbol, false, true
from sympy.core.function import AppliedUndef
from sympy.logic.boolalg import Boolean

from proofs_check.kernel.claims import Claim
from proofs_check.kernel.derivatives import carried_out
from theory.domains import is_discrete, membership
from theory.language.functions import rough
from theory.statements import Statement
from theory.temporal import ForAll, is_plain, put_at_once

_MOST = 200


def with_instances(statement: Statement) -> Claim | None:
    """The claim in which hypotheses "for all" are replaced by instances; None when something else is not plain.

    >>> x, z, f = Symbol("x"), Symbol("z"), sp.Function("f")
    >>> even = ForAll(z, S.Reals, Eq(f(-z), f(z)))
    >>> claim = with_instances(Statement(variables={x: S.Reals}, given=(even,), then=Eq(f(-x), f(x))))
    >>> Eq(f(-x), f(x)) in claim.hypotheses
    True
    """
    plain = [part for part in statement.hypotheses if not isinstance(part, ForAll)]
    known = [*plain, statement.conclusion]
    if statement.computed is not None or statement.dynamics is not None or not all(map(is_plain, known)):
        return None
    free = set().union(*(part.free_symbols for part in known))
    uses = set().union(*(part.atoms(AppliedUndef) for part in known))
    mentioned = {term for use in uses for term in use.args if term.free_symbols <= free}
    terms = [S.One, S.Zero, *sorted(mentioned, key=lambda term: (term.count_ops(), str(term)))]
    smooth = any(part.has(Derivative) for part in known)
    found: dict[Boolean, None] = {}
    for hypothesis in statement.hypotheses:
        if isinstance(hypothesis, ForAll):
            found |= dict.fromkeys(islice(_instances(hypothesis, terms, statement.integers, smooth), _MOST))
    return Claim(dict(statement.variables), tuple([*plain, *found][: len(plain) + _MOST]), statement.conclusion)


def _instances(hypothesis: ForAll, terms: list[Expr], whole: tuple[Symbol, ...], smooth: bool) -> Iterator[Boolean]:
    domains: dict[Symbol, Set] = {}
    body: Boolean = hypothesis
    while isinstance(body, ForAll):
        if body.symbol in domains:
            return
        domains[body.symbol] = body.domain
        body = body.body
    if not is_plain(body):
        return
    laws = [body]
    if smooth and isinstance(body, Eq) and not body.has(*rough()):
        tied = set().union(*(domain.free_symbols for domain in domains.values()))
        for symbol, domain in domains.items():
            wide = domain == S.Reals or (isinstance(domain, Interval) and domain.left_open and domain.right_open)
            if wide and symbol not in tied:
                laws.append(Eq(*(carried_out(sp.diff(side, symbol)) for side in body.args), evaluate=False))
    for values in product(terms, repeat=len(domains)):
        at = dict(zip(domains, values, strict=True))
        counted = [at[symbol] for symbol, domain in domains.items() if is_discrete(domain)]
        if any(not value.is_Integer and value not in whole for value in counted):
            continue
        inside = And(*(put_at_once(membership(*pair), at) for pair in domains.items()))
        if inside != false:
            for law in laws:
                instance = put_at_once(law, at)
                for form in dict.fromkeys((instance, _without_detours(instance))):
                    yield form if inside == true else Implies(inside, form)


def _without_detours(law: Boolean) -> Boolean:
    """A derivative "at a symbol" as the derivative by that symbol, which is how statements have it."""
    return law.replace(
        lambda part: isinstance(part, sp.Subs) and all(value.is_Symbol for value in part.point),
        carried_out,
    )
