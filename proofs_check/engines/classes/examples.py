"""Explicit functions of a class on which a claim is tried exactly: quadratics, two-slope functions, kinks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import islice, product
from typing import Any

import flint
from sympy import Gt, MatrixSymbol, Rational, Symbol, lambdify

from proofs_check.budget import Budget
from proofs_check.engines.classes.combination import Example, Question
from proofs_check.engines.classes.scaling import number_at
from proofs_check.kernel.classes import ONE, NotReadError, Problem, Trial, combined, parameters
from proofs_check.kernel.separable import Separable
from theory.language.classes import (
    Convex,
    ConvexLipschitz,
    FunctionClass,
    FunctionSymbol,
    PolyakLojasiewicz,
    Smooth,
    SmoothConvex,
)
from theory.language.spaces import ANY_SIZE
from theory.statements import Statement

Stored = list[Any]
_NUMBERS = ("1", "1/2", "2", "1/10", "3/2", "3", "19/10", "0", "-1", "10")
_PLACES = ("1", "-1", "0", "2", "1/2", "-2", "3", "1/4")
_TURNS = [Rational(1, k) for k in range(2, 24)]
_MOST_SETTINGS, _MOST_EQUALITIES, _MOST_TRIED, _FIRST_SETTINGS = 40, 3, 120, 3
_ROUNDS = ((2, 3), (160, 100))
"""How many starts and functions are tried with each choice of the parameters: a few with all of them first."""


def counterexample(statement: Statement, budget: Budget, most: int | None = None) -> dict[str, Any] | None:
    """A certificate with functions, vectors and numbers on which the statement fails."""
    for candidate in islice(_candidates(statement), most):
        if budget.spent:
            return None
        if _fails(statement, candidate):
            return candidate
    return None


def worst_case(statement: Statement, budget: Budget) -> dict[str, Any] | None:
    """The same with the first few choices of the parameters and many functions: what is tight is bent somewhere."""
    numbers = [symbol for symbol in statement.variables if isinstance(symbol, Symbol)]
    for setting in islice(_settings(statement, numbers), _FIRST_SETTINGS):
        for candidate in _with_numbers(statement, setting, 1, _MOST_TRIED):
            if budget.spent:
                return None
            if _fails(statement, candidate):
                return candidate
    return None


def example(statement: Statement, budget: Budget) -> dict[str, Any] | None:
    """Functions, vectors and numbers that the hypotheses allow."""
    for candidate in _candidates(statement):
        if budget.spent:
            return None
        if _fits(statement, candidate):
            return candidate
    return None


def equalities(
    problem: Problem, question: Question, left: Callable[[], float], setting: Mapping[Symbol, Rational] | None = None
) -> list[Example]:
    """Cases in which a tight claim is an equality, the parameters being one or as they are set."""
    found: list[Example] = []
    numbers = dict.fromkeys(problem.ring.symbols, Rational(1)) | dict(setting or {})
    most = _MOST_TRIED if setting is None else _MOST_TRIED // 4
    for candidate in islice(_with_numbers(problem.statement, numbers, 2, most), most):
        if left() <= 0 or len(found) >= _MOST_EQUALITIES:
            break
        try:
            trial = Trial(problem.statement, candidate)
            example = _seen(problem, trial, numbers) if trial.is_allowed() else None
        except (NotReadError, ValueError):
            continue
        if example is not None and any(map(any, example.coordinates)) and example.of(question.goals[0]) == 0:
            found.append(example)
    return found


def _seen(problem: Problem, trial: Trial, setting: Mapping[Symbol, Rational]) -> Example:
    """The unknown vectors and values of a problem in one case."""
    places: dict[Any, dict[int, Any]] = {}

    def at(vector: Mapping[Any, Any]) -> dict[int, Any]:
        parts = ((_rational(number_at(number, setting)), places[base]) for base, number in vector.items())
        return combined(parts)

    functions = {f.name: f for f in problem.classes}
    for base in problem.bases:
        if isinstance(base, str):
            places[base] = trial.letter(MatrixSymbol(base, ANY_SIZE, 1))
        elif base[0] == "minimiser":
            places[base] = trial.minimiser(functions[base[1]])
        elif base[0] == "search":
            places[base] = trial.search(functions[base[1]], at(dict(base[2])))
        elif base[0] == "proximal":
            places[base] = trial.proximal(functions[base[1]], at(dict(base[2])), _rational(number_at(base[3], setting)))
        else:
            f = functions[base[1]]
            places[base] = trial.slope(f, at(problem.entries[f][base[2]][0]))
    numbers: dict[Any, Any] = {ONE: flint.fmpq(1)}
    for f, entries in problem.entries.items():
        for point, _, value in entries:
            numbers[next(iter(value))] = _fmpq(trial.value(f, at(point)))
    vectors = [places[base] for base in problem.bases]
    for i, one in enumerate(vectors):
        numbers |= {(i, j): _fmpq(trial.product(one, vectors[j])) for j in range(i, len(vectors))}
    rows = [[_exact(own.get(k, Rational(0))) for own in vectors] for k in range(trial.dimension)]
    return Example(numbers, rows)


def _fmpq(form: Mapping[Any, Any]) -> Any:
    return _exact(form.get(ONE, Rational(0)))


def _exact(number: Rational) -> Any:
    return flint.fmpq(int(number.p), int(number.q))


def _rational(number: Any) -> Rational:
    return Rational(int(number.p), int(number.q))


def described(certificate: Mapping[str, Any]) -> dict[str, str]:
    """The counterexample in words of the statement."""
    shown = {name: _formula(stored) for name, stored in certificate["functions"].items()}
    shown |= {
        name: values[0] if len(values) == 1 else f"({', '.join(values)})"
        for name, values in certificate["vectors"].items()
    }
    return shown | dict(certificate["numbers"])


def _formula(stored: Stored) -> str:
    parts = []
    for place, (breaks, lines) in enumerate(stored):
        x = "x" if len(stored) == 1 else f"x_{place + 1}"
        slopes = [f"{a}*{x} + {b}" for a, b in lines]
        ends = [f" for {x} <= {end}" for end in breaks] + [" beyond"]
        parts.append("; ".join(s + e for s, e in zip(slopes, ends, strict=True)) if breaks else slopes[0])
    return "derivative " + ", ".join(parts)


def _fails(statement: Statement, candidate: Mapping[str, Any]) -> bool:
    try:
        trial = Trial(statement, candidate)
        return trial.is_allowed() and not trial.holds(statement.then)
    except (NotReadError, ValueError):
        return False


def _fits(statement: Statement, candidate: Mapping[str, Any]) -> bool:
    try:
        return Trial(statement, candidate).is_allowed()
    except (NotReadError, ValueError):
        return False


def _candidates(statement: Statement) -> Iterator[dict[str, Any]]:
    numbers = [symbol for symbol in statement.variables if isinstance(symbol, Symbol)]
    settings = list(_settings(statement, numbers))
    for starts, members in _ROUNDS:
        for setting in settings:
            yield from _with_numbers(statement, setting, starts, members)


def _with_numbers(
    statement: Statement, setting: Mapping[Symbol, Rational], starts: int, members: int
) -> Iterator[dict[str, Any]]:
    letters = [symbol.name for symbol in statement.variables if isinstance(symbol, MatrixSymbol)]
    functions = {f: domain for f, domain in statement.variables.items() if isinstance(f, FunctionSymbol)}
    constants = {f: [part.xreplace(dict(setting)) for part in domain.args] for f, domain in functions.items()}
    for dimension in (1, 2):
        families = [_family(domain, tuple(constants[f]), dimension)[:members] for f, domain in functions.items()]
        chosen_starts = list(islice(_starts(len(letters), dimension, constants), starts))
        for chosen, start in product(product(*families), chosen_starts):
            yield {
                "kind": "classes",
                "functions": {f.name: own for f, own in zip(functions, chosen, strict=True)},
                "vectors": dict(zip(letters, start, strict=True)),
                "numbers": {symbol.name: str(value) for symbol, value in setting.items()},
                "dimension": dimension,
            }


def _settings(statement: Statement, numbers: list[Symbol]) -> Iterator[dict[Symbol, Rational]]:
    """Values of the parameters that their domains and what is given of them allow."""
    hypotheses = about_numbers(statement)
    values = [Rational(number) for number in _NUMBERS]
    spread = sorted(product(range(len(values)), repeat=len(numbers)), key=sum)
    is_allowed = condition_on(numbers, hypotheses)
    settings = ([values[k] for k in places] for places in spread)
    allowed = (dict(zip(numbers, setting, strict=True)) for setting in settings if is_allowed(setting))
    yield from islice(allowed, _MOST_SETTINGS)


def condition_on(symbols: Sequence[Symbol], parts: Sequence[Any]) -> Callable[[Sequence[Rational]], bool]:
    """A function that says whether all parts are true at numbers: compiled, as it is asked often to choose points."""
    compiled = lambdify([list(symbols)], list(parts), modules=["sympy"])

    def is_true(values: Sequence[Rational]) -> bool:
        try:
            return all(part == True for part in compiled([Fraction(int(v.p), int(v.q)) for v in values]))  # noqa: E712
        except (ArithmeticError, TypeError):
            return all(part.subs(dict(zip(symbols, values, strict=True))) == True for part in parts)  # noqa: E712

    return is_true


def about_numbers(statement: Statement) -> list[Any]:
    """What domains and hypotheses say of the parameters alone."""
    variables, given = parameters(statement)
    return list(Statement(variables=variables, given=given, then=Gt(1, 0, evaluate=False)).hypotheses)


def _starts(count: int, dimension: int, constants: Mapping[Any, Any]) -> Iterator[list[list[str]]]:
    if dimension == 1:
        places = sorted(product(range(len(_PLACES)), repeat=count), key=sum)
        yield from ([[_PLACES[k]] for k in chosen] for chosen in places)
        return
    several = [[str(1 / c) for c in own] for own in constants.values() if len(own) == 2]
    several += [["1", "1"], ["1", "-1"], ["0", "1"], ["1", "0"], ["0", "0"]]
    order = sorted(product(range(len(several)), repeat=count), key=sum)
    yield from ([several[k] for k in chosen] for chosen in order)


@lru_cache(maxsize=256)
def _family(domain: FunctionClass, constants: tuple[Rational, ...], dimension: int) -> list[Stored]:
    """Functions of a class, the simplest first."""
    if isinstance(domain, (Convex, ConvexLipschitz)):
        most = constants[0] if constants else Rational(1)
        single = [_kink(most), *(_kink(most * turn) for turn in _TURNS)]
        single += [_bent(most / turn, 0, turn) for turn in (Rational(1), *_TURNS)]
        single += [] if constants else [_line(Rational(1)), _line(Rational(2)), _line(Rational(10))]
    else:
        most = constants[-1]
        least = Rational(0) if isinstance(domain, SmoothConvex) else constants[0]
        single = [_line(most), *([_line(least)] if least else [_line(most / 4)]), _line((most + least) / 2)]
        if isinstance(domain, Smooth):
            least = -most
            single += [_wave(most, turn) for turn in (Rational(1), *_TURNS)]
            single += [_line(-most), _bent(most, 0, Rational(1, 2))]
        single += [_bent(most, least, turn) for turn in _TURNS if least >= 0]
        single += [_bent(least, most, turn) for turn in _TURNS if least >= 0]
        if isinstance(domain, PolyakLojasiewicz):
            single += [_dent(most, depth, turn) for depth in (2, 4) for turn in (Rational(1), *_TURNS)]
            single = [own for own in single if Separable.of([own]).is_in(domain, list(constants))]
    if dimension == 1:
        return [[own] for own in single]
    return [[one, other] for one, other in product(single[:3], repeat=2) if one != other]


def _line(a: Rational) -> Stored:
    return [[], [[str(a), "0"]]]


def _kink(steep: Rational) -> Stored:
    return [["0"], [["0", str(-steep)], ["0", str(steep)]]]


def _bent(inside: Rational, outside: Any, turn: Rational) -> Stored:
    """A slope near zero and another beyond a turn on both sides, the derivative continuous."""
    shift = (inside - outside) * turn
    lines = [[outside, -shift], [inside, 0], [outside, shift]]
    return [[str(-turn), str(turn)], [[str(a), str(b)] for a, b in lines]]


def _dent(most: Rational, depth: int, turn: Rational) -> Stored:
    """The derivative rises, falls by a part of that, and rises again."""
    end, share = turn * (1 + Rational(1, depth)), most / depth
    top, high = most * end, most * turn * (1 - Rational(1, depth**2)) - most * end
    lines = [[most, -high], [-share, -top], [most, 0], [-share, top], [most, high]]
    return [[str(x) for x in (-end, -turn, turn, end)], [[str(a), str(b)] for a, b in lines]]


def _wave(most: Rational, turn: Rational) -> Stored:
    """The derivative rises, falls back to a half, and stays there."""
    top, half = most * turn, most * turn / 2
    lines = [[0, -half], [-most, -2 * top], [most, 0], [-most, 2 * top], [0, half]]
    ends = [-3 * turn / 2, -turn, turn, 3 * turn / 2]
    return [[str(end) for end in ends], [[str(a), str(b)] for a, b in lines]]
