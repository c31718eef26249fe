"""Where a variable lives: SymPy sets, joined with what the symbol itself assumes, read back as hypotheses."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from sympy import (
    And,
    Complement,
    Contains,
    Eq,
    Expr,
    FiniteSet,
    Integer,
    Interval,
    MatrixSymbol,
    Ne,
    Not,
    Or,
    Range,
    S,
    Set,
    Symbol,
    Union,
    floor,
    oo,
    true,
)
from sympy.logic.boolalg import Boolean
from sympy.sets.sets import Intersection

from theory.errors import LemmascopeError
from theory.language.classes import FunctionSymbol, in_class
from theory.language.families import Family, entries_in
from theory.language.spaces import Space, lives_in, require_sizes, size_symbols

_MOST_LISTED = 400

POSITIVE = Interval.open(0, oo)
"""The positive numbers."""

_ASSUMED: tuple[tuple[str, Set], ...] = (
    ("positive", POSITIVE),
    ("negative", Interval.open(-oo, 0)),
    ("nonnegative", Interval(0, oo)),
    ("nonpositive", Interval(-oo, 0)),
    ("nonzero", Union(Interval.open(-oo, 0), Interval.open(0, oo))),
    ("real", S.Reals),
)


def assumed_domain(symbol: Symbol) -> Set | None:
    """The set that the assumptions of a symbol describe, or None when they say nothing about the real line.

    An assumption that no set here describes is refused: SymPy has used it while the formulas were written.

    >>> from sympy import Symbol
    >>> assumed_domain(Symbol("eta", positive=True))
    Interval.open(0, oo)
    >>> assumed_domain(Symbol("n", integer=True, positive=True))
    Range(1, oo, 1)
    >>> assumed_domain(Symbol("z")) is None
    True
    """
    fact, assumed = next(((fact, domain) for fact, domain in _ASSUMED if getattr(symbol, f"is_{fact}")), ("real", None))
    described = Symbol(symbol.name, **{fact: True}, **({"integer": True} if symbol.is_integer else {}))
    beyond = sorted(set(symbol.assumptions0.items()) - set(described.assumptions0.items()))
    if beyond:
        said = ", ".join(f"{name}={value}" for name, value in beyond)
        raise LemmascopeError(
            f"the symbol {symbol} assumes {said}, which no domain describes: create it without and say so in variables="
            " or given=, for an even number as 2*k with an integer k"
        )
    if symbol.is_integer:
        return integers_in(assumed if assumed is not None else S.Reals)
    return assumed


def integers_in(domain: Set) -> Set:
    """The integers of a real set, as a Range where that is possible.

    >>> integers_in(Interval(2, 7))
    Range(2, 8, 1)
    """
    inside = S.Integers.intersect(domain)
    if inside is S.Integers:
        return Range(-oo, oo)
    return inside


def resolve_domains(declared: Mapping[Symbol, Set], used: Iterable[Symbol]) -> dict[Symbol, Set]:
    """The domain of every variable: what was declared, intersected with what its symbol assumes.

    >>> x, K = Symbol("x", positive=True), Symbol("K")
    >>> resolve_domains({K: Interval.open(1, 2)}, [x, K])
    {K: Interval.open(1, 2), x: Interval.open(0, oo)}
    """
    functions = {f: in_class(f, domain) for f, domain in declared.items() if isinstance(f, FunctionSymbol)}
    families = {u: entries_in(u, domain) for u, domain in declared.items() if isinstance(u, Family)}
    letters = {
        symbol: lives_in(symbol, space) for symbol, space in declared.items() if isinstance(symbol, MatrixSymbol)
    }
    declared = {symbol: domain for symbol, domain in declared.items() if symbol not in letters | functions | families}
    used = set(used) - set(functions) - set(families)
    for symbol, space in letters.items():
        require_sizes(symbol, space, declared)
    for symbol in used - set(letters):
        if isinstance(symbol, FunctionSymbol):
            raise LemmascopeError(f"{symbol} has no class: add it to variables=, for example {{{symbol}: Convex()}}")
        if isinstance(symbol, Family):
            raise LemmascopeError(f"{symbol} has no domain: add it to variables=, for example {{{symbol}: Reals}}")
        if isinstance(symbol, MatrixSymbol):
            raise LemmascopeError(f"{symbol} has no space: add it to variables=, for example {{{symbol}: Vectors()}}")
    used -= set(letters)
    sizes = set().union(*(size_symbols(letter, space) for letter, space in letters.items()))
    sizes |= {size for u in families for size in u.sizes}
    declared = dict.fromkeys((sizes & used) - set(declared), S.Naturals) | declared
    for symbol in declared:
        if not isinstance(symbol, Symbol):
            cure = "use the symbol itself, x = Symbol('x')"
            if type(symbol).__name__ == "RandomSymbol":  # by name: sympy.stats is slow to import
                cure = f"what is random is a symbol with a law, noise={{Symbol('{symbol}'): Noise(mean=0, variance=1)}}"
            raise LemmascopeError(f"the variable {symbol!r} is no symbol: {cure}")
    domains: dict[Symbol, Set] = {}
    extra = sorted(set(used) - set(declared), key=lambda symbol: symbol.name)
    for symbol in [*declared, *extra]:
        assumed = assumed_domain(symbol)
        given = declared.get(symbol)
        if given is None and assumed is None:
            raise LemmascopeError(
                f"symbol {symbol} has no domain: add it to variables=, for example {{{symbol}: Reals}},"
                f" or create it with Symbol('{symbol}', real=True)"
            )
        if given is not None and not isinstance(given, Set):
            raise LemmascopeError(
                f"the domain of {symbol} is {given!r}: give a SymPy set such as Interval(0, 1) or Reals"
            )
        joined = assumed if given is None else narrowed(symbol, given)
        if joined is S.EmptySet:
            raise LemmascopeError(
                f"the domains of {symbol} contradict each other: it is assumed to be in {assumed}"
                f" and declared to be in {given}; change one of them"
                if assumed is not None and given is not S.EmptySet
                else f"the domain of {symbol} is empty: give it a set with at least one point"
            )
        domains[symbol] = joined
    return domains | letters | functions | families


def narrowed(symbol: Symbol, given: Set) -> Set:
    """The part of a set in which a symbol lies by its own assumptions.

    >>> narrowed(Symbol("x", positive=True), Interval(-1, 1))
    Interval.Lopen(0, 1)
    """
    assumed = assumed_domain(symbol)
    if assumed in (None, S.Reals):
        return given
    both = given.intersect(assumed)
    if not both.has(Intersection):
        return both
    if _hull(given).is_subset(assumed):
        return given
    raise LemmascopeError(
        f"whether {symbol} is in {assumed}, as it is assumed to be, depends on the ends of its domain {given}:"
        " create it without assumptions and say the rest in given="
    )


def _hull(domain: Set) -> Set:
    """The largest set that a domain can be, whatever the symbols in its ends are."""
    if not isinstance(domain, Interval):
        return S.Reals
    low, high = _least(domain.start), -_least(-domain.end)
    left_open, right_open = domain.left_open or domain.start.is_positive, domain.right_open or domain.end.is_negative
    return Interval(low, high, bool(left_open), bool(right_open))


def _least(end: Expr) -> Expr:
    return end if end.is_number else S.Zero if end.is_nonnegative else -oo


def is_discrete(domain: Set) -> bool:
    """Whether a domain consists of integers.

    >>> is_discrete(S.Naturals), is_discrete(Interval(0, 1))
    (True, False)
    """
    return not isinstance(domain, (Interval, Space)) and bool(domain.is_subset(S.Integers))


def membership(symbol: Symbol, domain: Set) -> Boolean:
    """The domain of a symbol as a quantifier-free condition (integrality aside, which `is_discrete` tells).

    >>> x = Symbol("x")
    >>> membership(x, Interval.Lopen(0, 1))
    (x <= 1) & (0 < x)
    """
    if isinstance(domain, Space):
        return true
    if isinstance(domain, Interval):
        return And(*_bounds(symbol, domain))
    if isinstance(domain, FiniteSet):
        return Or(*[Eq(symbol, point) for point in domain.args])
    if isinstance(domain, Union):
        return Or(*[_within(symbol, part, domain) for part in domain.args])
    if isinstance(domain, Range) and abs(domain.step) != 1:
        return Or(*[Eq(symbol, number) for number in _listed(domain)])
    if isinstance(domain, Range):
        low = true if domain.inf is -oo else domain.inf <= symbol
        high = true if domain.sup is oo else symbol <= domain.sup
        return And(low, high)
    if domain in (S.Reals, S.Integers):
        return true
    if domain in (S.Naturals, S.Naturals0):
        return domain.inf <= symbol
    if domain.is_subset(S.Reals) and (complement := domain.complement(S.Reals)).is_FiniteSet:
        return And(*[Ne(symbol, point) for point in complement.args])
    if isinstance(domain, Complement):
        whole, removed = domain.args
        return And(membership(symbol, whole), Not(_within(symbol, removed, whole)))
    condition = domain.as_relational(symbol) if hasattr(domain, "as_relational") else Contains(symbol, domain)
    if condition.has(Contains):
        raise LemmascopeError(f"the domain {domain} of {symbol} is not an interval, a finite set or a range")
    return condition


def _within(symbol: Symbol, part: Set, whole: Set) -> Boolean:
    """Membership in a part of a set: integers among other numbers are told by a condition of their own."""
    apart = is_discrete(part) and not is_discrete(whole) and not part.is_FiniteSet
    return And(membership(symbol, part), Eq(floor(symbol), symbol)) if apart else membership(symbol, part)


def _listed(domain: Range) -> list[Integer]:
    """The members of a range with gaps, one by one: an interval around them has others."""
    if not domain.is_finite_set or domain.size > _MOST_LISTED:
        raise LemmascopeError(
            f"the domain {domain} is long and has gaps: replace its variable by {domain.start} + {domain.step}*k"
            " with an integer k"
        )
    return list(domain)


def _bounds(symbol: Symbol, interval: Interval) -> list[Boolean]:
    bounds: list[Boolean] = []
    if interval.start is not -oo:
        bounds.append(interval.start < symbol if interval.left_open else interval.start <= symbol)
    if interval.end is not oo:
        bounds.append(symbol < interval.end if interval.right_open else symbol <= interval.end)
    return bounds
