"""Statements about families at one size, written out entry by entry."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product

from sympy import Add, And, Basic, Eq, Expr, Integer, KroneckerDelta, Lt, Piecewise, Set, Sum, Symbol, false, true
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean

from proofs_check.kernel.indexed import NotIndexedError, outermost, own_demands
from theory.dynamics import Flow, Map
from theory.language.ball_means import BallMean
from theory.language.families import Entry, Entrywise, Family
from theory.statements import Statement
from theory.temporal import ForEach

LARGEST_SIZE = 6


def at_sizes(statement: Statement, sizes: Mapping[str, int]) -> Statement:
    """The statement for one size of every family, written out: where it fails, the statement for every size fails.

    A family that moves becomes that many numbers that move.
    """
    if statement.computed is not None or statement.almost_all or statement.uses or statement.noise:
        raise NotIndexedError("nothing is computed, excepted, drawn or used where families are written out")
    if statement.then.has(BallMean) or any(part.has(BallMean) for part in statement.given):
        raise NotIndexedError("a mean over a ball has no value that is written out")
    families = {u: domain for u, domain in statement.variables.items() if isinstance(u, Family)}
    chosen = {Symbol(name): Integer(size) for name, size in sizes.items()}
    if not all(1 <= size <= LARGEST_SIZE for size in sizes.values()):
        raise NotIndexedError("a size that is not small")
    for size, value in chosen.items():
        if size in statement.variables and statement.variables[size].contains(value) != true:
            raise NotIndexedError(f"{size} is not {value}")
    variables: dict[Symbol, Set] = {
        s: d for s, d in statement.variables.items() if isinstance(s, Symbol) and s not in chosen
    }
    taken = {s.name for s in statement.variables if isinstance(s, Symbol)} | {s.name for s in statement.stated}
    dynamics, start = _moving_at(statement, chosen)
    taken |= {symbol.name for symbol in start}
    for u, domain in families.items():
        for place in _places(u, chosen):
            name = _entry_name(u, place)
            if name.name in taken or name in variables:
                raise NotIndexedError(f"the name {name} is taken: rename a variable")
            variables[name] = domain
    given = [_formula_at(part, chosen) for part in statement.given]
    valued = [condition for part in statement.given for condition in _values_at(part, chosen)]
    then = _formula_at(statement.then, chosen)
    return Statement(
        then=Lt(0, 0, evaluate=False) if then == false else then, variables=variables, given=(*given, *valued),
        constants=statement.constants, dynamics=dynamics, start=start,
    )  # fmt: skip


def _moving_at(statement: Statement, chosen: Mapping[Symbol, Integer]) -> tuple[Map | Flow | None, dict[Symbol, Expr]]:
    """The dynamics and the start with every entry of a family that moves as a number of its own."""
    dynamics = statement.dynamics
    if dynamics is None:
        return None, {}
    if dynamics.restrictions:
        raise NotIndexedError("a family in an evolution domain")
    moved: dict[Symbol, Expr] = {}
    start: dict[Symbol, Expr] = {}
    for symbol, right in zip(dynamics.state, dynamics.right_side, strict=True):
        for place in _places(symbol, chosen) if isinstance(symbol, Family) else [()]:
            name = _entry_name(symbol, place) if place else symbol
            if name in moved:
                raise NotIndexedError(f"two entries are called {name}: rename a family")
            moved[name], start[name] = (_entry_at(part, place, chosen) for part in (right, statement.start[symbol]))
    if {symbol.name for symbol in moved} & {s.name for s in (*statement.variables, *statement.stated)}:
        raise NotIndexedError("the name of an entry is taken: rename a variable")
    return type(dynamics)(tuple(moved), tuple(moved.values()), dynamics.time), start


def _entry_at(of: Expr, place: tuple[int, ...], chosen: Mapping[Symbol, Integer]) -> Expr:
    if isinstance(of, Entrywise):
        return _number_at(of.number, {**chosen, **dict(zip(of.indices, map(Integer, place), strict=True))})
    return _number_at(of, chosen)


def _places(u: Family, chosen: Mapping[Symbol, Integer]) -> Iterator[tuple[int, ...]]:
    return product(*(range(1, int(_at(size, chosen)) + 1) for size in u.sizes))


def _at(size: Expr, chosen: Mapping[Symbol, Integer]) -> Integer:
    if size not in chosen:
        raise NotIndexedError(f"the size {size} is not chosen")
    return chosen[size]


def _entry_name(u: Family, place: tuple[int, ...]) -> Symbol:
    return Symbol(f"{u.name}_{'_'.join(map(str, place))}")


def _formula_at(of: Boolean, values: Mapping[Symbol, Integer]) -> Boolean:
    if isinstance(of, ForEach):
        parts = [
            _formula_at(of.body, {**values, of.symbol: Integer(k)}) for k in range(1, int(_at(of.size, values)) + 1)
        ]
        parts = [part for part in parts if part != true] or [true]
        return parts[0] if len(parts) == 1 else And(*parts, evaluate=False)
    if isinstance(of, Relational):
        sides = [_number_at(side, values) for side in of.args]
        return of.func(*sides, evaluate=all(isinstance(side, Integer) for side in sides))
    parts = [
        _formula_at(part, values) if isinstance(part, Boolean) and not part.is_Symbol else _number_at(part, values)
        for part in of.args
    ]
    return of.func(*parts) if parts else of


def _number_at(of: Expr, values: Mapping[Symbol, Integer]) -> Expr:
    if isinstance(of, Entry):
        return _entry_name(of.family, tuple(int(_at(index, values)) for index in of.indices))
    if isinstance(of, Sum):
        ranges = [range(1, int(_at(limit[2], values)) + 1) for limit in of.limits]
        names = [limit[0] for limit in of.limits]
        return Add(
            *(
                _number_at(of.function, {**values, **dict(zip(names, map(Integer, place), strict=True))})
                for place in product(*ranges)
            )
        )
    if isinstance(of, KroneckerDelta):
        first, second = (_number_at(part, values) for part in of.args)
        return Piecewise((1, Eq(first, second)), (0, True))
    if isinstance(of, Symbol):
        return values.get(of, of)
    return of.func(*(_number_at(part, values) for part in of.args)) if of.args else of


def _values_at(of: Basic, values: Mapping[Symbol, Integer]) -> list[Boolean]:
    """What a hypothesis needs to have values, which hold where it is true."""
    if isinstance(of, (ForEach, Sum)):
        limits = [(of.symbol, of.size)] if isinstance(of, ForEach) else [(limit[0], limit[2]) for limit in of.limits]
        body = of.body if isinstance(of, ForEach) else of.function
        places = product(*(range(1, int(_at(size, values)) + 1) for _, size in limits))
        inside = [{**values, **{limits[k][0]: Integer(v) for k, v in enumerate(place)}} for place in places]
        return [condition for own in inside for condition in _values_at(body, own)]
    if isinstance(of, Boolean) and not isinstance(of, Relational):
        return [condition for part in of.args for condition in _values_at(part, values)]
    sides = of.args if isinstance(of, Relational) else (of,)
    found = [_formula_at(condition, values) for side in sides for condition in own_demands(side)]
    return found + [condition for side in sides for total in outermost(side) for condition in _values_at(total, values)]
