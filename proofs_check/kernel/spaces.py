"""Statements about vectors and matrices of every size, as statements about numbers: translations, each a theorem.

The kernel translates anew and accepts the certificate of the statement about numbers; nothing translated is stored.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import sympy as sp
from sympy import Add, Eq, Expr, Integer, MatrixSymbol, Mul, Symbol, oo
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean, Not
from sympy.matrices.expressions.matexpr import MatrixExpr

from proofs_check.kernel.fields import expanded
from proofs_check.kernel.flattened import Entries
from proofs_check.kernel.inner_products import NotTranslatedError, Products, combination
from proofs_check.kernel.kinds import accepted, refutes
from theory.language.classes import is_positive
from theory.language.definedness import demands
from theory.language.formulas import clauses
from theory.language.spaces import (
    ANY_SIZE,
    Inner,
    Matrices,
    Norm,
    OrthogonalMatrices,
    PositiveSemidefinite,
    Space,
    SymmetricMatrices,
    Vectors,
    letters,
)  # fmt: skip
from theory.language.words import Alphabet, even_norms, fresh_symbols, require_shapes
from theory.statements import Statement
from theory.temporal import Decreasing, ForSmall, Quantifier, Scaling, is_plain, rename

Table = list[list[Expr]]
LARGEST_SIZE = 4
MOST_EIGENVALUES = 3


class Translated:
    """A statement about numbers: `is_general` if it implies the given one, `is_exact` if it follows from it."""

    def __init__(self, about_numbers: Statement, *, is_general: bool, is_exact: bool) -> None:
        self.about_numbers, self.is_general, self.is_exact = about_numbers, is_general, is_exact


def check(statement: Statement, certificate: Mapping[str, Any]) -> bool:
    """Whether the translated statement is decided by the enclosed certificate."""
    sizes = {str(name): int(size) for name, size in dict(certificate.get("sizes", {})).items()}
    inner = certificate["certificate"]
    translated = translation(statement, str(certificate["route"]), sizes)
    if refutes(inner) and not translated.is_exact:
        return False
    if not refutes(inner) and not translated.is_general:
        return False
    return accepted(translated.about_numbers, inner)


def translation(statement: Statement, route: str, sizes: Mapping[str, int] | None = None) -> Translated:
    """The statement about numbers on one of the routes: coordinates, products, eigenvalue(s), words, size.

    On the route of entries it is about vectors.
    """
    if statement.computed is not None or statement.almost_all:
        raise NotTranslatedError("computations are not translated")
    if statement.dynamics is not None and route != "size":
        raise NotTranslatedError("trajectories are translated at one size only")
    if any(part.has(Quantifier, ForSmall, Scaling) for part in (*statement.given, statement.then)):
        raise NotTranslatedError("quantified vectors and matrices are not translated")
    if statement.dynamics is None and not all(is_plain(part) for part in (*statement.given, statement.then)):
        raise NotTranslatedError("formulas about time need dynamics")
    if not _letters_of(statement):
        raise NotTranslatedError("there are no vectors and matrices")
    match route:
        case "coordinates":
            return coordinates(statement)
        case "products" | "determinants":
            return products(statement, with_determinants=route == "determinants")
        case "eigenvalue":
            return eigenvalue(statement)
        case "eigenvalues":
            return eigenvalues(statement)
        case "words":
            return words(statement)
        case "size":
            return at_size(statement, sizes or {})
        case "entries":
            return entries(statement)
    raise NotTranslatedError(f"no translation is called {route}")


def coordinates(statement: Statement) -> Translated:
    """Any formula in inner products of n vectors holds in every dimension iff it does in dimension n.

    Vectors span at most as many dimensions as there are, and a rotation makes them triangular (QR): inner products and
    norms do not notice. A vector of a given size has no more coordinates than that; where something is said of a size,
    the coordinates beyond it are 0. Twins: with matrices between the vectors the rotation is noticed, so that these
    are refused here; on a line two vectors are parallel.
    """
    spaces = _letters_of(statement)
    if not all(isinstance(space, Vectors) for space in spaces.values()):
        raise NotTranslatedError("coordinates are for vectors without matrices")
    fresh = _fresh_names(statement)
    values: dict[MatrixSymbol, list[Expr]] = {}
    beyond: list[Boolean] = []
    for size in dict.fromkeys(_size_of(space) for space in spaces.values()):
        group = [letter for letter, space in spaces.items() if _size_of(space) == size]
        most = min(len(group), int(size)) if size.is_Integer else len(group)
        for place, letter in enumerate(group):
            own = [fresh(f"{letter.name}_{index + 1}") for index in range(min(place + 1, most))]
            values[letter] = [*own, *[sp.S.Zero] * (most - len(own))]
        if _is_spoken_of(size, statement):
            beyond += [_nothing_beyond(size, place, [values[letter] for letter in group]) for place in range(1, most)]
    _require_one_size_each(statement, spaces)
    change = _numbers_for(statement, lambda part: coordinates_of(part, values))
    variables = {symbol: sp.S.Reals for own in values.values() for symbol in own if symbol != 0}
    about = _translated(statement, change, variables, beyond)
    return Translated(about, is_general=True, is_exact=_has_values(statement))


def _is_spoken_of(size: Expr, statement: Statement) -> bool:
    """Whether the statement says anything of a size: else every size is meant, also the largest that is needed."""
    domains = (domain for symbol, domain in statement.variables.items() if symbol != size)
    said = set().union(*(part.free_symbols for part in (statement.then, *statement.given, *domains)))
    every = (sp.S.Naturals, sp.Range(1, oo))
    return size in statement.stated or size in said or statement.variables.get(size, sp.S.Naturals) not in every


def _nothing_beyond(size: Expr, place: int, rows: list[list[Expr]]) -> Boolean:
    """That vectors of a size have no coordinate at a place, counted from 0, which the size does not reach."""
    entries = [Eq(row[place], 0) for row in rows if row[place] != 0]
    return sp.Or(sp.Ge(size, place + 1, evaluate=False), sp.And(*entries))


def products(statement: Statement, *, with_determinants: bool = False) -> Translated:
    """What holds of all numbers that obey some inequalities of inner products holds of the inner products of vectors.

    Norms of sums are numbers whose squares are multiplied out; the inequalities are those of `Products`. Twin: nothing
    false of vectors is learnt from what is false of such numbers, so that this only proves.
    """
    spaces = _letters_of(statement)
    operator = None if all(isinstance(space, Vectors) for space in spaces.values()) else _only_operator(spaces)
    _require_one_size_each(statement, spaces)
    forms = _inside_out(_forms(statement))
    if any(isinstance(item, sp.Trace) for item in forms):
        raise NotTranslatedError("a trace is no inner product of two vectors here")
    sides = {item: [combination(part, operator) for part in (item.args[0], item.args[-1])] for item in forms}
    highest = max((power for pair in sides.values() for side in pair for _, power in side), default=0)
    known = Products([letter for letter in spaces if letter != operator], highest, _fresh_names(statement))
    values: dict[Expr, Expr] = {}
    for item in forms:
        left, right = ({key: number.xreplace(values) for key, number in side.items()} for side in sides[item])
        terms = [a * b * known.inner(one, other) for one, a in left.items() for other, b in right.items()]
        values[item] = expanded(Add(*terms))
        if isinstance(item, Norm):
            values[item**2] = values[item]
            values[item] = known.norm(left, values[item])
    given = known.inequalities(with_determinants=with_determinants)
    if operator is not None:
        given += known.bounds(*_bounds(spaces[operator]))
    about = _translated(statement, _replacing(values), known.variables, given)
    return Translated(about, is_general=True, is_exact=False)


def entries(statement: Statement) -> Translated:
    """Matrices as the vectors of their entries, of which products are letters of their own: see `Entries`."""
    spaces = _letters_of(statement)
    if all(isinstance(space, Vectors) for space in spaces.values()):
        raise NotTranslatedError("there are no matrices")
    shapes = {letter: _shape_in(letter, space) for letter, space in spaces.items()}
    forms = _inside_out(_forms(statement))
    if any(item.args[0].has(Inner, Norm, sp.Trace) for item in forms):
        raise NotTranslatedError("a number made of vectors stands before a vector")
    seen = Entries(spaces, shapes, _fresh_names(statement))
    values: dict[Expr, Expr] = {}
    for item in forms:
        values[item] = seen.number(item)
        values |= {item**2: values[item] ** 2} if isinstance(item, Norm) else {}
    about = _translated(statement, _replacing(values), seen.variables, seen.known)
    return Translated(about, is_general=True, is_exact=False)


def _inside_out(items: set[Expr]) -> list[Expr]:
    """Every form after those that stand in it."""
    return sorted(items, key=lambda item: (len(item.atoms(Inner, Norm, sp.Trace)), str(item)))


def eigenvalue(statement: Statement) -> Translated:
    """One symmetric matrix between two multiples of the identity is one number between them.

    In an orthonormal basis of eigenvectors a form that is linear in <x_i, A^k x_j> is the sum over the eigenvalues of
    what it is for numbers; so it is nonnegative (or zero) always iff it is for numbers. |u| <= c |v| likewise, through
    squares. Twin: hypotheses about the vectors or the matrix are not inherited by components; they are refused.
    """
    spaces = _letters_of(statement)
    operator = _only_operator(spaces)
    if any(letters(part) for part in statement.given):
        raise NotTranslatedError(
            "the eigenvalue rule is unsound where a hypothesis speaks of the vectors or the matrix"
        )
    for claim in clauses(statement.then):
        _require_sum_over_eigenvalues(claim)
    fresh = _fresh_names(statement)
    low, high = _bounds(spaces[operator])
    number = fresh(f"lambda_{operator.name}")
    values = {letter: [fresh(letter.name)] for letter in spaces if letter != operator}
    change = _numbers_for(statement, lambda part: coordinates_of(part, values, {operator: number}))
    given = [*([sp.Le(low, number)] if low != -oo else []), *([sp.Le(number, high)] if high != oo else [])]
    variables = {own[0]: sp.S.Reals for own in values.values()} | {number: sp.S.Reals}
    about = _translated(statement, change, variables, given)
    return Translated(about, is_general=True, is_exact=_has_values(statement))


def eigenvalues(statement: Statement) -> Translated:
    """One symmetric matrix between two multiples of the identity is a diagonal one with as many entries as forms occur.

    With an orthonormal basis of eigenvectors, every form <p(A) x, q(A) y> is a sum over the basis of what it is for one
    eigenvalue and one coordinate of each vector. The m forms that occur, hypotheses included, are together one point of
    a convex cone in R^m, so at most m members of the sum, with nonnegative factors, give the same values (Caratheodory,
    1907, for cones); a factor is drawn into the coordinates. Conversely a diagonal matrix is a symmetric one. Twins:
    fewer eigenvalues than forms; a size that is stated, which a counterexample may exceed.
    """
    spaces = _letters_of(statement)
    operator = _only_operator(spaces)
    most = len(_forms(statement))
    if any(part.atoms(sp.Trace) for part in (statement.then, *statement.given)) or most > MOST_EIGENVALUES:
        raise NotTranslatedError("the rule of several eigenvalues is for few inner products and norms")
    if any(_compares_matrices(part) for part in (statement.then, *statement.given)):
        raise NotTranslatedError("the rule of several eigenvalues is for numbers, not for equations of vectors")
    fresh = _fresh_names(statement)
    numbers = [fresh(f"lambda_{operator.name}_{place + 1}") for place in range(most)]
    vectors = [letter for letter in spaces if letter != operator]
    own = {letter: [fresh(f"{letter.name}_{place + 1}") for place in range(most)] for letter in vectors}
    is_alone = len(vectors) == 1
    entries = {letter: [sp.sqrt(name) if is_alone else name for name in names] for letter, names in own.items()}

    def value(part: MatrixExpr) -> list[Expr]:
        return [
            coordinates_of(part, {letter: [column[k]] for letter, column in entries.items()}, {operator: number})[0]
            for k, number in enumerate(numbers)
        ]

    low, high = _bounds(spaces[operator])
    given = [sp.Le(low, number) for number in numbers if low != -oo] + [
        sp.Le(number, high) for number in numbers if high != oo
    ]
    squares = sp.Interval(0, oo) if is_alone else sp.S.Reals
    variables = dict.fromkeys(numbers, sp.S.Reals) | {name: squares for names in own.values() for name in names}
    about = _translated(statement, _numbers_for(statement, value), variables, given)
    has_sizes = any(_size_of(spaces[letter]).is_Integer for letter in vectors) or operator.shape[0].is_Integer
    is_exact = not has_sizes and _is_free_in_size(statement, about) and _has_values(statement)
    return Translated(about, is_general=True, is_exact=is_exact)


def _is_free_in_size(statement: Statement, about_numbers: Statement) -> bool:
    """Whether vectors may have as many coordinates as a counterexample in numbers needs.

    A symbol for the size is free unless it is a variable that is bounded, or a number that the formulas speak of.
    """
    names = set(size_symbols(statement))
    sizes = {symbol: domain for symbol, domain in statement.variables.items() if symbol.name in names}
    spoken_of = about_numbers.then.free_symbols.union(*(part.free_symbols for part in about_numbers.given))
    is_stated = any(symbol.name in names for symbol in statement.stated)
    return not is_stated and not spoken_of & set(sizes) and set(sizes.values()) <= {sp.S.Naturals, sp.S.Naturals0}


def _only_operator(spaces: Mapping[MatrixSymbol, Space]) -> MatrixSymbol:
    operators = [letter for letter, space in spaces.items() if not isinstance(space, Vectors)]
    if len(operators) != 1 or not isinstance(spaces[operators[0]], (SymmetricMatrices, PositiveSemidefinite)):
        raise NotTranslatedError("the eigenvalue rule is for one symmetric matrix")
    return operators[0]


def _bounds(space: Space) -> tuple[Expr, Expr]:
    return space.bounds if isinstance(space, SymmetricMatrices) else (sp.S.Zero, oo)


def _compares_matrices(part: Boolean) -> bool:
    return any(isinstance(side, MatrixExpr) for claim in part.atoms(Relational) for side in claim.args)


def _require_sum_over_eigenvalues(claim: Boolean) -> None:
    """Whether both sides are linear in the forms <x_i, A^k x_j>, or the claim says |u| <= c |v|."""
    if not isinstance(claim, (sp.Le, sp.Ge, Eq)):
        raise NotTranslatedError("the eigenvalue rule is for weak inequalities and equations")
    small, large = (claim.lhs, claim.rhs) if isinstance(claim, (sp.Le, Eq)) else (claim.rhs, claim.lhs)
    factor, norms = large.as_independent(Norm, as_Add=False)
    if isinstance(small, Norm) and isinstance(norms, Norm) and not letters(factor) and not isinstance(claim, Eq):
        return
    stand_ins = {part: sp.Dummy() for part in _squares(claim)}
    gap = expanded((claim.lhs - claim.rhs).xreplace({_as_power(part): name for part, name in stand_ins.items()}))
    if letters(gap) or gap.has(Norm):
        raise NotTranslatedError("norms that are not squared stand in no sum over eigenvalues")
    for term in Add.make_args(gap):
        occurring = term.free_symbols & set(stand_ins.values())
        if len(occurring) != 1 or (term / next(iter(occurring))).free_symbols & occurring:
            raise NotTranslatedError("the claim is not linear in the inner products")


def _squares(claim: sp.Basic) -> list[Expr]:
    return sorted(claim.atoms(Inner, Norm), key=str)


def _as_power(part: Expr) -> Expr:
    return part**2 if isinstance(part, Norm) else part


def words(statement: Statement) -> Translated:
    """Equations of matrices and traces of every size, by comparing words; traces are read up to rotation and transpose.

    Distinct words are treated as independent numbers, so that what holds then holds for all matrices.
    """
    spaces = _letters_of(statement)
    if any(letters(part) for part in statement.given):
        raise NotTranslatedError("hypotheses about matrices are not used by words")
    alphabet = Alphabet(spaces, _fresh_names(statement))
    claims: list[Boolean] = []
    for claim in clauses(statement.then):
        if not isinstance(claim, Eq):
            raise NotTranslatedError("words decide equations")
        if isinstance(claim.lhs, MatrixExpr) or isinstance(claim.rhs, MatrixExpr):
            gap = claim.lhs - claim.rhs
            require_shapes(gap)
            found = alphabet.words(gap)
            claims += [Eq(value, 0, evaluate=False) for value in found.values()] or [Eq(0, 0, evaluate=False)]
        else:
            sides = claim.args
            if all(_is_norm(side, statement) for side in sides):
                sides = tuple(side**2 for side in sides)  # norms are not negative
            claims.append(claim.func(*map(alphabet.numbers, sides), evaluate=False))
    valued = demands(scalars(statement.then))
    then = _joined([*claims, *valued])
    variables = _number_variables(statement) | dict.fromkeys(alphabet.names.values(), sp.S.Reals)
    used = then.free_symbols | set().union(*(part.free_symbols for part in statement.given))
    sizes = {symbol: sp.S.Naturals for symbol in used if symbol not in variables and symbol not in statement.stated}
    about = Statement(then=then, variables=variables | sizes, given=statement.given, constants=statement.constants)
    return Translated(about, is_general=True, is_exact=False)


def _is_norm(side: Expr, statement: Statement) -> bool:
    """Whether a side is a norm, or a positive number of norms."""
    factor, norm = side.as_independent(Norm, as_Add=False)
    return isinstance(norm, Norm) and is_positive(factor, statement.variables)


def at_size(statement: Statement, sizes: Mapping[str, int]) -> Translated:
    """The statement for matrices of one size, entry by entry: where it fails, the statement for every size fails.

    A trajectory of matrices is one of their entries.
    """
    spaces = _letters_of(statement)
    if not all(1 <= size <= LARGEST_SIZE for size in sizes.values()):
        raise NotTranslatedError("a size that is not small")
    for symbol, domain in _number_variables(statement).items():
        if symbol.name in sizes and domain.contains(Integer(sizes[symbol.name])) != sp.true:
            raise NotTranslatedError(f"{symbol} is not {sizes[symbol.name]}")
    if any(symbol.name in sizes and sizes[symbol.name] != value for symbol, value in statement.stated.items()):
        raise NotTranslatedError("a size with a stated value has that value")
    fresh = _fresh_names(statement)
    entries: dict[MatrixSymbol, Table] = {}
    variables: dict[Symbol, sp.Set] = {}
    given: list[Boolean] = []
    for letter, space in spaces.items():
        rows, columns = (_at(size, sizes) for size in _shape_in(letter, space))
        own = [[fresh(f"{letter.name}_{i + 1}_{j + 1}") for j in range(columns)] for i in range(rows)]
        if isinstance(space, (SymmetricMatrices, PositiveSemidefinite)):
            own = [[own[min(i, j)][max(i, j)] for j in range(columns)] for i in range(rows)]
        variables |= {symbol: sp.S.Reals for row in own for symbol in row}
        given += _entry_conditions(space, own)
        entries[letter] = own
    for letter in () if statement.dynamics is None else statement.dynamics.state:
        if not isinstance(letter, MatrixSymbol) or letter in entries:
            raise NotTranslatedError("the state is called like a variable, or has numbers in it")
        rows, columns = (_at(size, sizes) for size in state_shape(statement, letter))
        entries[letter] = [[fresh(f"{letter.name}_{i + 1}_{j + 1}") for j in range(columns)] for i in range(rows)]
    numbers = {Symbol(name): Integer(size) for name, size in sizes.items()}
    try:
        change = _numbers_for(statement, lambda part: _entries_of(part, entries, sizes))
        moving = _moving(statement, lambda part: [e.xreplace(numbers) for e in _entries_of(part, entries, sizes)])
    except ValueError as error:
        raise NotTranslatedError("the sizes do not fit each other") from error
    about = _translated(statement, lambda part: change(part).xreplace(numbers), variables, given, set(numbers), moving)
    return Translated(about, is_general=False, is_exact=_has_values(statement))


def _moving(statement: Statement, entries: Callable[[MatrixExpr], list[Expr]]) -> dict[str, Any]:
    """Dynamics and start, entry by entry; every number before a matrix must have a value."""
    dynamics = statement.dynamics
    if dynamics is None:
        return {}
    if dynamics.restrictions:
        raise NotTranslatedError("an evolution domain of matrices is not written out")
    if demands(scalars(statement.then, *dynamics.right_side, *statement.start.values())):
        raise NotTranslatedError("a number before a matrix may have no value")
    state = [symbol for letter in dynamics.state for symbol in entries(letter)]
    moves = [entry for part in dynamics.right_side for entry in entries(part)]
    starts = [entry for letter in dynamics.state for entry in entries(statement.start[letter])]
    if any(letters(entry) for entry in (*moves, *starts)):
        raise NotTranslatedError("a trace stands before a matrix of the dynamics")
    return {
        "dynamics": type(dynamics)(tuple(state), tuple(moves), dynamics.time),
        "start": dict(zip(state, starts, strict=True)),
    }


def _entry_conditions(space: sp.Set, own: Table) -> list[Boolean]:
    """What the entries of a matrix of a space satisfy; for bounded eigenvalues up to size two."""
    size = len(own)
    if isinstance(space, (Vectors, Matrices)):
        return []
    if isinstance(space, OrthogonalMatrices):
        pairs = [(i, j) for i in range(size) for j in range(i, size)]
        return [Eq(Add(*(own[k][i] * own[k][j] for k in range(size))), Integer(i == j)) for i, j in pairs]
    low, high = _bounds(space)
    found: list[Boolean] = []
    for bound, sign in ((low, 1), (high, -1)):
        if bound in (oo, -oo):
            continue
        if size > 2:
            raise NotTranslatedError("eigenvalues between bounds are written out up to size two")
        shifted = [
            [sign * (entry - bound * Integer(i == j)) for j, entry in enumerate(row)] for i, row in enumerate(own)
        ]
        found += [sp.Ge(shifted[i][i], 0) for i in range(size)]
        if size == 2:
            found.append(sp.Ge(shifted[0][0] * shifted[1][1] - shifted[0][1] ** 2, 0))
    return found


def size_symbols(statement: Statement) -> list[str]:
    """The names of the sizes that a statement leaves open."""
    spaces = _letters_of(statement)
    shapes = [size for letter, space in spaces.items() for size in _shape_in(letter, space)]
    moving = statement.dynamics.state if statement.dynamics is not None else ()
    shapes += [size for letter in moving for size in state_shape(statement, letter)]
    shapes += [
        size for part in (statement.then, *statement.given) for unit in part.atoms(sp.Identity) for size in unit.shape
    ]
    return list(dict.fromkeys(str(size) for size in shapes if not size.is_Integer))


def state_shape(statement: Statement, letter: MatrixSymbol) -> tuple[Expr, Expr]:
    """The sizes of a state: a vector without a size has that of what it starts at."""
    start = statement.start[letter]
    if letter.shape[0] != ANY_SIZE or not isinstance(start, MatrixExpr):
        return letter.shape
    space = statement.variables.get(start)
    return (_size_of(space) if isinstance(space, Vectors) else start.shape[0], sp.S.One)


def _letters_of(statement: Statement) -> dict[MatrixSymbol, Space]:
    return {letter: space for letter, space in statement.variables.items() if isinstance(letter, MatrixSymbol)}


def _number_variables(statement: Statement) -> dict[Symbol, sp.Set]:
    return {symbol: domain for symbol, domain in statement.variables.items() if not isinstance(symbol, MatrixSymbol)}


def _size_of(space: sp.Set) -> Expr:
    return space.args[0] if space.args else ANY_SIZE


def _shape_in(letter: MatrixSymbol, space: sp.Set) -> tuple[Expr, Expr]:
    return (_size_of(space), sp.S.One) if isinstance(space, Vectors) else letter.shape


def _at(size: Expr, sizes: Mapping[str, int]) -> int:
    if size.is_Integer:
        return int(size)
    if str(size) not in sizes:
        raise NotTranslatedError(f"no size is given for {size}")
    return sizes[str(size)]


def _fresh_names(statement: Statement) -> Callable[[str], Symbol]:
    taken = {symbol.name for symbol in statement.variables} | {item.symbol.name for item in statement.constants}
    moving = () if statement.dynamics is None else (*statement.dynamics.right_side, *statement.start.values())
    taken |= {symbol.name for part in (statement.then, *statement.given, *moving) for symbol in part.atoms(Symbol)}
    taken |= set() if statement.dynamics is None else {str(statement.dynamics.time)}
    return fresh_symbols(taken)


def _require_one_size_each(statement: Statement, spaces: Mapping[MatrixSymbol, Space]) -> None:
    for item in _forms(statement):
        if len({_size_of(spaces[letter]) for letter in letters(item)}) > 1:
            raise NotTranslatedError(f"{item} joins vectors of different sizes")


def _forms(statement: Statement) -> set[Expr]:
    return set().union(*(part.atoms(Inner, Norm, sp.Trace) for part in (statement.then, *statement.given)))


def _numbers_for(statement: Statement, value: Callable[[MatrixExpr], list[Expr]]) -> Callable[[Boolean], Boolean]:
    """Inner products and norms as numbers of the entries."""
    values: dict[Expr, Expr] = {}
    for item in _inside_out(_forms(statement)):
        if isinstance(item, Norm):
            own = [entry.xreplace(values) for entry in value(item.args[0])]
            values |= {item: length_of(own), item**2: Add(*(entry**2 for entry in own))}
        elif isinstance(item, Inner):
            left, right = (value(part) for part in item.args)
            values[item] = Add(*(a * b for a, b in zip(left, right, strict=True))).xreplace(values)
        else:
            own = value(item.args[0])
            size = int(len(own) ** 0.5)
            values[item] = Add(*(own[i * size + i] for i in range(size))).xreplace(values)
    return _replacing(values, value)


def _replacing(
    values: Mapping[Expr, Expr], value: Callable[[MatrixExpr], list[Expr]] | None = None
) -> Callable[[Boolean], Boolean]:
    """Formulas with numbers in place of inner products and norms; equations of matrices are those of their entries."""

    def change(part: Boolean) -> Boolean:
        if isinstance(part, Decreasing):
            return part.func(even_norms(part.args[0]).xreplace(values))
        if not part.args:
            return part
        if not isinstance(part, Relational):
            return part.func(*(change(own) if isinstance(own, Boolean) else own for own in part.args))
        if isinstance(part.lhs, MatrixExpr) or isinstance(part.rhs, MatrixExpr):
            if value is None or not isinstance(part, (Eq, sp.Ne)):
                raise NotTranslatedError("matrices are compared by equations of their entries only")
            sides = zip(value(part.lhs), value(part.rhs), strict=True)
            equal = sp.And(*(Eq(a, b, evaluate=False) for a, b in sides))
            return equal if isinstance(part, Eq) else Not(equal)
        return rename(part.func(*map(even_norms, part.args), evaluate=False), values)

    return change


def length_of(own: list[Expr]) -> Expr:
    """The length of a vector with these coordinates."""
    return sp.Abs(own[0]) if len(own) == 1 else sp.sqrt(Add(*(entry**2 for entry in own)))


def _translated(
    statement: Statement,
    change: Callable[[Boolean], Boolean],
    variables: Mapping[Any, sp.Set],
    given: list[Boolean] | None = None,
    sizes: set[Symbol] | None = None,
    moving: Mapping[str, Any] | None = None,
) -> Statement:
    """The statement about numbers; factors of vectors must have values wherever the statement claims something."""
    known = {s: domain for s, domain in _number_variables(statement).items() if s not in (sizes or set())}
    valued = map(change, demands(scalars(statement.then)))
    supposed = (change(_with_values(part)) for part in statement.given)
    return Statement(
        then=_joined([change(statement.then), *valued]),
        variables=known | dict(variables),
        given=(*supposed, *(given or ())),
        constants=statement.constants,
        **(moving or {}),
    )


def _with_values(hypothesis: Boolean) -> Boolean:
    """A hypothesis in which every relation says that the factors of its vectors have values.

    A relation without a value is not true; another part of the hypothesis may be. Twin: |x / a| <= 1 or a = 0, of which
    a is not 0 does not follow.
    """
    if not demands(scalars(hypothesis)):
        return hypothesis
    if not is_plain(hypothesis):
        raise NotTranslatedError("a factor may have no value in a hypothesis about time")
    whole = sp.to_nnf(hypothesis, simplify=False)
    return rename(
        whole, {part: sp.And(part, *demands(scalars(part)), evaluate=False) for part in whole.atoms(Relational)}
    )


def _has_values(statement: Statement) -> bool:
    """Whether no number before a vector can lack a value: else a failure might be one of definedness alone."""
    return not demands(scalars(statement.then))


def _joined(parts: list[Boolean]) -> Boolean:
    return parts[0] if len(parts) == 1 else sp.And(*parts, evaluate=False)


def scalars(*parts: sp.Basic) -> list[Expr]:
    """The numbers that stand before vectors and matrices: even where they cancel, they need values."""
    found: list[Expr] = []
    for part in parts:
        for product in part.atoms(sp.MatMul):
            found += [factor for factor in product.args if not isinstance(factor, MatrixExpr)]
    return found


def coordinates_of(
    vector: MatrixExpr,
    values: Mapping[MatrixSymbol, list[Expr]],
    numbers: Mapping[MatrixSymbol, Expr] | None = None,
) -> list[Expr]:
    """The coordinates of a vector where every matrix is a number."""
    size = len(next(iter(values.values())))
    if isinstance(vector, MatrixSymbol):
        return values[vector]
    if isinstance(vector, sp.ZeroMatrix):
        return [sp.S.Zero] * size
    if isinstance(vector, sp.MatAdd):
        parts = [coordinates_of(part, values, numbers) for part in vector.args]
        return [Add(*column) for column in zip(*parts, strict=True)]
    if isinstance(vector, sp.MatMul):
        *before, last = vector.args
        factor = Mul(*(_as_number(part, numbers or {}) for part in before))
        return [factor * entry for entry in coordinates_of(last, values, numbers)]
    raise NotTranslatedError(f"{vector} has no coordinates here")


def _as_number(part: sp.Basic, numbers: Mapping[MatrixSymbol, Expr]) -> Expr:
    if not isinstance(part, MatrixExpr):
        return part
    if isinstance(part, sp.Identity):
        return sp.S.One
    if part in numbers:
        return numbers[part]
    if isinstance(part, sp.Transpose):
        return _as_number(part.args[0], numbers)
    if isinstance(part, (sp.MatAdd, sp.MatMul)):
        own = [_as_number(inner, numbers) for inner in part.args]
        return Add(*own) if isinstance(part, sp.MatAdd) else Mul(*own)
    if isinstance(part, sp.MatPow) and part.exp.is_Integer and part.exp.is_nonnegative:
        return _as_number(part.base, numbers) ** part.exp
    raise NotTranslatedError(f"{part} is no number times the identity here")


def _entries_of(of: MatrixExpr, entries: Mapping[MatrixSymbol, Table], sizes: Mapping[str, int]) -> list[Expr]:
    return [entry for row in _table(of, entries, sizes) for entry in row]


def _table(of: sp.Basic, entries: Mapping[MatrixSymbol, Table], sizes: Mapping[str, int]) -> Table:
    """A matrix expression of known sizes, row by row."""
    if of in entries:
        return entries[of]
    if isinstance(of, (sp.Identity, sp.ZeroMatrix)):
        rows, columns = (_at(size, sizes) for size in of.shape)
        return [[Integer(i == j and isinstance(of, sp.Identity)) for j in range(columns)] for i in range(rows)]
    if isinstance(of, sp.Transpose):
        return [list(column) for column in zip(*_table(of.args[0], entries, sizes), strict=True)]
    if isinstance(of, sp.MatAdd):
        parts = [_table(part, entries, sizes) for part in of.args]
        return [[Add(*cell) for cell in zip(*rows, strict=True)] for rows in zip(*parts, strict=True)]
    if isinstance(of, sp.MatPow) and of.exp.is_Integer and of.exp.is_positive:
        return _product([_table(of.base, entries, sizes)] * int(of.exp))
    if isinstance(of, sp.MatMul):
        tables = [_table(part, entries, sizes) for part in of.args if isinstance(part, MatrixExpr)]
        factor = Mul(*(part for part in of.args if not isinstance(part, MatrixExpr)))
        return [[factor * entry for entry in row] for row in _product(tables)]
    raise NotTranslatedError(f"{of} is not written out")


def _product(tables: list[Table]) -> Table:
    total, *rest = tables
    for table in rest:
        columns = list(zip(*table, strict=True))
        total = [[Add(*(a * b for a, b in zip(row, column, strict=True))) for column in columns] for row in total]
    return total
