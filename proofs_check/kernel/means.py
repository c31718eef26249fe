"""Statements about means as statements about the moments, which move without chance.

The kernel derives the map of the moments anew and accepts a certificate for it; nothing derived is stored.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import count
from typing import Any

from sympy import Basic, Expr, Ge, Gt, Integer, Matrix, MatrixSymbol, Mul, Naturals, Ne, Pow, S, Set, Symbol
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean

from proofs_check.kernel.kinds import accepted, refutes
from proofs_check.kernel.moments import (
    ONE,
    Monomial,
    NotClosedError,
    Polynomial,
    Vector,
    composed,
    degree,
    mean,
    polynomial,
    told,
    vector,
)
from theory.dynamics import Map
from theory.language.classes import FunctionSymbol, is_positive
from theory.language.definedness import demands
from theory.language.means import Expectation, Noise
from theory.language.spaces import ANY_SIZE, Inner, Norm, Vectors
from theory.statements import Statement
from theory.temporal import AtStart, begun, rename

_MOST_MOMENTS = 40
_LARGEST_DEGREE = 12


@dataclass(frozen=True)
class Moments:
    """The statement about moments: `to_prove` implies the given one, `to_refute` follows from it.

    They differ in what is said of the moments of the noise: what is necessary for a noise to have them, and what is
    sufficient. `names` are the moments by their symbols.
    """

    to_prove: Statement
    to_refute: Statement | None
    names: Mapping[Symbol, str]


def check(statement: Statement, certificate: Mapping[str, Any]) -> bool:
    """Whether the statement about the moments is decided by the enclosed certificate."""
    inner = certificate["certificate"]
    derived = translation(statement)
    about = derived.to_refute if refutes(inner) else derived.to_prove
    return about is not None and accepted(about, inner)


def translation(statement: Statement) -> Moments:
    """The statement about the moments of a Map with noise, or about means of polynomials in noise without a Map.

    Theorem: let every step draw its noise independently of the past, from the same law. If m is a family of monomials
    of the state such that E[m(next state) | state] is linear in m, then E[m] moves by that linear map (condition on
    the state, take the mean). A statement about E[m] holds iff it holds of the trajectory of that map that starts
    at m(start), for all numbers for which there are such noises. Hypotheses, checked here: the update is polynomial
    in state and noise; every moment that occurs is known; finitely many monomials suffice; whatever is divided by is
    positive by its domain; the start is fixed; noises are independent unless drawn together.
    """
    if statement.computed is not None or statement.almost_all or statement.uses:
        raise NotClosedError("means are not combined with computations, exceptions and steps of a proof")
    if any(isinstance(symbol, FunctionSymbol) for symbol in statement.variables):
        raise NotClosedError("the moments of a method on an unknown function do not close")
    if not statement.noise:
        raise NotClosedError("nothing is random")
    return _Translation(statement).result()


class _Translation:
    def __init__(self, statement: Statement) -> None:
        self.statement = statement
        dynamics = statement.dynamics
        self.state: tuple[Basic, ...] = () if dynamics is None else dynamics.state
        drawn = {symbol for key in statement.noise for symbol in key}
        self.moving = frozenset(drawn | set(self.state))
        self.size = self._common_size()
        self.coordinates = self._coordinates()
        update = () if dynamics is None else dynamics.right_side
        self._require_values([*update, *(part for law in statement.noise.values() for part in law.parts)])
        self.scalars: dict[Symbol, Polynomial] = {}
        self.vectors: dict[MatrixSymbol, Vector] = {}
        for symbol, moved in zip(self.state, update, strict=True):
            if isinstance(symbol, MatrixSymbol):
                self.vectors[symbol] = vector(moved, self.moving)
            else:
                self.scalars[symbol] = polynomial(moved, self.moving)
        self.names: dict[Monomial, Symbol] = {}

    def result(self) -> Moments:
        statement = self.statement
        then = self._conclusion(statement.then)
        updates = self._closed()
        dynamics = statement.dynamics
        time = None if dynamics is None else dynamics.time
        moments = {name: self._at_start(monomial) for monomial, name in self.names.items()}
        known = {s: domain for s, domain in statement.variables.items() if not isinstance(s, MatrixSymbol)}
        used = then.free_symbols | set().union(*(part.free_symbols for part in (*updates, *moments.values())))
        sizes = dict.fromkeys(self.size.free_symbols & used - set(known) - set(statement.stated), Naturals)
        variables = known | self._vector_numbers() | sizes
        laws = [*statement.noise.values()]
        necessary = [part for law in laws for part in law.necessary if not self._is_plain_sign(part)]
        given = tuple(self._numbers(part) for part in statement.given)
        then = then if moments else begun(then)

        def about(more: list[Boolean]) -> Statement:
            return Statement(
                then=then, variables=variables, given=(*given, *more), constants=statement.constants,
                dynamics=Map(tuple(moments), updates, time) if moments else None, start=moments,
            )  # fmt: skip

        sufficient = [realisable(law) for law in laws]
        several = sum(isinstance(letter, MatrixSymbol) for letter in statement.variables) > 1
        unsure = None in sufficient or several
        enough = [part for parts in sufficient for part in parts or () if not self._is_plain_sign(part)]
        to_refute = None if unsure else about(enough)
        return Moments(about(necessary), to_refute, {name: told(of) for of, name in self.names.items()})

    def _is_plain_sign(self, condition: Boolean) -> bool:
        """Whether a condition is plain: something positive by its domain, or a square, is not negative."""
        if not isinstance(condition, (Gt, Ge)) or condition.rhs != 0:
            return False
        value = condition.lhs
        is_square = isinstance(value, Pow) and value.exp.is_Integer and value.exp > 0 and value.exp % 2 == 0
        return is_positive(value, self.statement.variables) or (is_square and isinstance(condition, Ge))

    def _require_values(self, parts: list[Expr]) -> None:
        """Whether everything that is divided by is positive by its domain: what cancels needs a value all the same."""
        for condition in demands(parts):
            nonzero = isinstance(condition, (Ne, Gt, Ge)) and condition.rhs == 0
            if not nonzero or not is_positive(condition.lhs, self.statement.variables):
                raise NotClosedError(f"{condition} must be plain from the domains: divide by positive variables only")

    def _common_size(self) -> Expr:
        letters = [s for s in (*self.moving, *self.statement.variables) if isinstance(s, MatrixSymbol)]
        if any(letter.shape[1] != 1 for letter in letters):
            raise NotClosedError("means are for numbers and vectors, not for matrices")
        spaces = [domain for domain in self.statement.variables.values() if isinstance(domain, Vectors)]
        said = {space.args[0] for space in spaces if space.args} | {letter.shape[0] for letter in letters}
        said -= {ANY_SIZE}
        if len(said) > 1:
            raise NotClosedError(f"vectors of the sizes {', '.join(sorted(map(str, said)))} do not mix")
        size = said.pop() if said else self._fresh("d")
        if size in self.statement.variables and not self.statement.variables[size].is_subset(Naturals):
            raise NotClosedError(f"the size {size} is a positive whole number: {{{size}: Naturals}}")
        return size

    def _fresh(self, stem: str) -> Symbol:
        statement = self.statement
        parts = [statement.then, *statement.given, *statement.variables, *statement.start.values(), *self.moving]
        parts += [part for law in statement.noise.values() for part in law.parts]
        parts += [] if statement.dynamics is None else [*statement.dynamics.right_side]
        taken = {symbol.name for part in parts for symbol in part.atoms(Symbol)} | {s.name for s in statement.stated}
        taken |= {getattr(letter, "name", "") for letter in self.moving}
        taken |= {name.name for name in getattr(self, "names", {}).values()}
        taken |= {symbol.name for symbol in self._vector_numbers()} if hasattr(self, "coordinates") else set()
        names = (stem if place == 0 else f"{stem}_{place}" for place in count())
        return next(Symbol(name) for name in names if name not in taken)

    def _coordinates(self) -> dict[MatrixSymbol, list[Expr]]:
        """Fixed vectors in coordinates that are triangular: n vectors span at most n dimensions."""
        letters = [symbol for symbol in self.statement.variables if isinstance(symbol, MatrixSymbol)]
        return {
            letter: [self._fresh(f"{letter.name}_{place + 1}") for place in range(index + 1)]
            + [S.Zero] * (len(letters) - index - 1)
            for index, letter in enumerate(letters)
        }

    def _vector_numbers(self) -> dict[Symbol, Set]:
        return {entry: S.Reals for row in self.coordinates.values() for entry in row if entry != 0}

    def _fixed_product(self, first: MatrixSymbol, second: MatrixSymbol) -> Expr:
        rows = (self.coordinates[letter] for letter in (first, second))
        return sum((a * b for a, b in zip(*rows, strict=True)), S.Zero)

    def _numbers(self, part: Any) -> Any:
        """A formula or number about fixed vectors in coordinates."""
        values: dict[Basic, Expr] = {}
        for item in part.atoms(Inner, Norm):
            square = polynomial(item**2 if isinstance(item, Norm) else item, self.moving)
            number = self._fixed(square)
            values[item] = number ** (S.One / 2) if isinstance(item, Norm) else number
        if not values:
            return part
        return rename(part, values) if isinstance(part, Boolean) else part.xreplace(values)

    def _fixed(self, of: Polynomial) -> Expr:
        total: Expr = S.Zero
        for monomial, value in of.items():
            term = value
            for atom, exponent in monomial:
                if not isinstance(atom, tuple) or any(letter not in self.coordinates for letter in atom):
                    raise NotClosedError(f"{told(monomial)} is random outside of a mean")
                term *= self._fixed_product(*atom) ** exponent
            total += term
        return total

    def _is_fixed(self, atom: Any) -> bool:
        return isinstance(atom, tuple) and not set(atom) & self.moving

    def _split(self, of: Monomial) -> tuple[Monomial, Expr]:
        """The random part of a monomial, and the number that stands before it."""
        random = tuple((atom, k) for atom, k in of if not self._is_fixed(atom))
        return random, self._fixed({tuple((atom, k) for atom, k in of if self._is_fixed(atom)): S.One})

    def _linear(self, of: Polynomial) -> Expr:
        """A polynomial in the state whose monomials are replaced by their names."""
        total: Expr = S.Zero
        for monomial, value in of.items():
            random, number = self._split(monomial)
            total += value * number * (S.One if random == ONE else self._named(random))
        return total

    def _named(self, monomial: Monomial) -> Symbol:
        if monomial not in self.names:
            letters = "".join(letter for letter in told(monomial) if letter.isalnum())
            self.names[monomial] = self._fresh(f"E_{letters}")
        return self.names[monomial]

    def _conclusion(self, then: Boolean) -> Boolean:
        if isinstance(then, AtStart):
            return AtStart(rename(begun(then), self._values_at_start(then)))
        if isinstance(then, Relational):
            return rename(then, self._means(then))
        parts = []
        for part in then.args:
            if isinstance(part, Boolean) and not part.is_Symbol:
                parts.append(self._conclusion(part))
            else:
                parts.append(part.xreplace(self._means(part)) if part.has(Expectation, Inner, Norm) else part)
        return then.func(*parts) if parts else then

    def _means(self, part: Basic) -> dict[Basic, Expr]:
        """The means in a formula, and the numbers of its fixed vectors."""
        values: dict[Basic, Expr] = {}
        for item in sorted(part.atoms(Expectation), key=str):
            self._require_values([item.args[0]])
            averaged = mean(polynomial(item.args[0], self.moving), self.statement.noise, self.size)
            values[item] = self._linear(averaged)
        for item in part.atoms(Inner, Norm):
            if not item.free_symbols & self.moving and not item.atoms(MatrixSymbol) & self.moving:
                number = self._fixed(polynomial(item**2 if isinstance(item, Norm) else item, self.moving))
                values[item] = number ** (S.One / 2) if isinstance(item, Norm) else number
        return values

    def _values_at_start(self, part: Boolean) -> dict[Basic, Expr]:
        if part.has(Inner, Norm, Expectation):
            raise NotClosedError("at the start nothing is random: say it of the variables that start the state")
        return {symbol: self.statement.start[symbol] for symbol in self.state}

    def _closed(self) -> tuple[Expr, ...]:
        """The map of the moments that occur; it grows until no further moment is needed."""
        updates: dict[Monomial, Expr] = {}
        first_beyond = ""
        while len(updates) < len(self.names):
            monomial = next(of for of in self.names if of not in updates)
            try:
                moved = mean(composed(monomial, self.scalars, self.vectors), self.statement.noise, self.size)
            except NotClosedError as error:
                raise (_endless(first_beyond) if first_beyond else error) from error
            mine = degree(monomial, self.state)
            for other in moved:
                if degree(other, self.state) > mine and not first_beyond:
                    first_beyond = f"E[{told(self._split(other)[0])}] is needed for the next E[{told(monomial)}]"
            updates[monomial] = self._linear(moved)
            if len(self.names) > _MOST_MOMENTS or mine > _LARGEST_DEGREE:
                raise _endless(first_beyond or "there are too many")
        return tuple(updates[of] for of in self.names)

    def _at_start(self, of: Monomial) -> Expr:
        """A monomial of the state where it starts."""
        fixed = {symbol: self._numbers(value) for symbol, value in self.statement.start.items()
                 if not isinstance(symbol, MatrixSymbol)}  # fmt: skip
        begin = {
            symbol: vector(value, frozenset()) for symbol, value in self.statement.start.items()
            if isinstance(symbol, MatrixSymbol)
        }  # fmt: skip
        self._require_values(list(self.statement.start.values()))
        total: Expr = S.One
        for atom, exponent in of:
            if isinstance(atom, tuple):
                rows = [self._row(begin.get(letter, {letter: {ONE: S.One}})) for letter in atom]
                value = sum((a * b for a, b in zip(*rows, strict=True)), S.Zero)
            else:
                value = fixed[atom]
            total = Mul(total, value**exponent)
        return total

    def _row(self, of: Vector) -> list[Expr]:
        """The coordinates of a fixed vector."""
        width = len(self.coordinates)
        row = [S.Zero] * width
        for letter, factor in of.items():
            number = self._fixed(factor)
            row = [entry + number * own for entry, own in zip(row, self.coordinates[letter], strict=True)]
        return row


def _endless(first_beyond: str) -> NotClosedError:
    return NotClosedError(
        f"the moments do not close: {first_beyond}, and so on; take an update that is linear in the state"
    )


def realisable(law: Noise) -> list[Boolean] | None:
    """Conditions that suffice for a noise with these numbers to exist; None where none are known.

    Mean and variance: variance >= 0. Raw moments of all orders up to 2k or 2k + 1: the Hankel matrix of the first 2k
    is positive definite (the truncated Hamburger problem; Akhiezer, The Classical Moment Problem, 2). Finitely many
    values: probabilities that are not negative and add up to 1.
    """
    if law.values or law.law or not law.moments:
        return list(law.necessary)
    top = max(law.moments)
    if set(law.moments) != set(range(3, top + 1)):
        return None
    moments = [S.One, law.mean, law.mean**2 + law.variance, *law.moments.values()]
    half = top // 2
    minors = [Matrix(size, size, lambda i, j: moments[i + j]).det(method="berkowitz") for size in range(1, half + 2)]
    return [Gt(minor, 0, evaluate=False) for minor in minors if minor != Integer(1)]
