"""The same statement written needlessly complicated: moved, expanded, factored, rescaled, renamed, split."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from sympy import And, Eq, Expr, Interval, Rational, S, Symbol, expand, factor
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean

from theory.domains import membership
from theory.errors import LemmascopeError
from theory.language.formulas import clauses
from theory.statements import Statement
from theory.temporal import rename, substitute

_FACTOR = Rational(7, 3)
_LONGEST = 200


def complicated(statement: Statement) -> dict[str, Statement]:
    """Every rewrite that changes the statement, by name; each of them means what the statement means."""
    found = {}
    for name, rewrite in _REWRITES.items():
        try:
            twin = next(rewrite(statement), statement)
        except LemmascopeError:  # SymPy decided the conclusion while it was rewritten
            continue
        if _content(twin) != _content(statement):
            found[name] = twin
    return found


def _content(statement: Statement) -> tuple[object, ...]:
    return dict(statement.variables), statement.given, statement.then


def _sides(formula: Boolean, change: Callable[[Expr, Expr], tuple[Expr, Expr]]) -> Boolean:
    """A formula with both sides of every relation changed; relations inside of pieces stay."""
    changes = {}
    for part in formula.atoms(Relational):
        if not any(part != other and other.has(part) for other in formula.atoms(Relational)):
            changes[part] = part.func(*change(part.lhs, part.rhs), evaluate=False)
    return formula.xreplace(changes)


def _moved(statement: Statement) -> Iterator[Statement]:
    yield statement.but(then=_sides(statement.then, lambda left, right: (left - right, S.Zero)))


def _shifted(statement: Statement) -> Iterator[Statement]:
    if statement.then.count_ops() < _LONGEST:
        more = Rational(3, 7)
        yield statement.but(
            then=_sides(statement.then, lambda left, right: (expand(left) + more, expand(right) + more))
        )


def _factored(statement: Statement) -> Iterator[Statement]:
    if statement.then.count_ops() < _LONGEST:
        yield statement.but(then=_sides(statement.then, lambda left, right: (factor(left - right), S.Zero)))


def _multiplied(statement: Statement) -> Iterator[Statement]:
    yield statement.but(then=_sides(statement.then, lambda left, right: (_FACTOR * left, _FACTOR * right)))


def _repeated(statement: Statement) -> Iterator[Statement]:
    yield statement.but(given=(*statement.given, *statement.given))


def _rescaled(statement: Statement) -> Iterator[Statement]:
    first, domain = next(iter(statement.variables.items()), (None, None))
    if type(domain) is not Interval or domain.free_symbols or _is_mentioned(statement, first):
        return
    doubled = Symbol("doubled")
    halved = Interval(domain.start / 2, domain.end / 2, domain.left_open, domain.right_open)
    others = {(doubled if symbol == first else symbol): set_ for symbol, set_ in statement.variables.items()}
    put = {first: 2 * doubled}
    yield statement.but(
        variables=others | {doubled: halved},
        given=tuple(substitute(part, put) for part in statement.given),
        then=substitute(statement.then, put),
    )


def _renamed(statement: Statement) -> Iterator[Statement]:
    """Names in another order, so that nothing may depend on the alphabet."""
    count = len(statement.variables)
    names = {symbol: Symbol(f"w{count - place}") for place, symbol in enumerate(statement.variables)}
    yield statement.but(
        variables={names[symbol]: domain.xreplace(names) for symbol, domain in statement.variables.items()},
        given=tuple(rename(part, names) for part in statement.given),
        then=rename(statement.then, names),
        almost_all=tuple(names[symbol] for symbol in statement.almost_all),
    )


def _split(statement: Statement) -> Iterator[Statement]:
    """Domains as hypotheses of their own."""
    bounds = {symbol: set_ for symbol, set_ in statement.variables.items() if isinstance(set_, Interval)}
    parts = [part for symbol, set_ in bounds.items() for part in clauses(membership(symbol, set_))]
    kept = [part for part in parts if isinstance(part, Relational)]
    if kept:
        yield statement.but(
            variables={symbol: S.Reals if symbol in bounds else set_ for symbol, set_ in statement.variables.items()},
            given=(*kept, *statement.given),
        )


def _joined(statement: Statement) -> Iterator[Statement]:
    """All hypotheses as one."""
    for split in _split(statement):
        yield split.but(given=(And(*split.given),))


def _named(statement: Statement) -> Iterator[Statement]:
    """The left side of a hypothesis, or else a variable, has a name of its own and an equation that explains it."""
    name = Symbol("named")
    relation = next((part for part in statement.given if isinstance(part, Relational)), None)
    if relation is not None and not relation.lhs.is_number:
        given = tuple(relation.func(name, relation.rhs) if part == relation else part for part in statement.given)
        meaning = Eq(name, relation.lhs)
        yield statement.but(variables={**statement.variables, name: S.Reals}, given=(*given, meaning))
    elif relation is None and statement.variables:
        first = next(iter(statement.variables))
        if not _is_mentioned(statement, first):
            yield statement.but(
                variables={**statement.variables, name: S.Reals},
                given=(*statement.given, Eq(name, first + 1)),
                then=substitute(statement.then, {first: name - 1}),
            )


def _is_mentioned(statement: Statement, symbol: Symbol) -> bool:
    return any(symbol in domain.free_symbols for domain in statement.variables.values())


_REWRITES: dict[str, Callable[[Statement], Iterator[Statement]]] = {
    "moved to one side": _moved,
    "expanded and shifted": _shifted,
    "factored": _factored,
    "multiplied": _multiplied,
    "hypotheses twice": _repeated,
    "rescaled": _rescaled,
    "renamed": _renamed,
    "split": _split,
    "joined": _joined,
    "named": _named,
}
