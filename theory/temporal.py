"""Formulas: relations joined by And, Or, Not, Implies, extended by quantifiers and by time.

All of them are SymPy Booleans, so they nest freely, print as LaTeX, substitute and negate. Inside a temporal
formula a state symbol stands for its current value on the trajectory; every other symbol is a fixed number.

A relation with a term that has no value is not true, and neither is its negation: from a premise without a value
nothing follows. The times of a flow that blows up are those at which it exists: Always and Decreasing speak of these,
Eventually and Until of one among them. A moment after the end is not reached, so that After is not true there, and
what ends converges to nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from itertools import count
from operator import is_
from typing import Any

from sympy import (
    And,
    Basic,
    Derivative,
    Expr,
    Integer,
    Interval,
    Not,
    Or,
    Piecewise,
    Rational,
    Set,
    Subs,
    Symbol,
    Tuple,
    false,
    nan,
    oo,
    sympify,
    true,
)
from sympy.core.relational import Eq, Ge, Gt, Le, Lt, Ne, Relational
from sympy.logic.boolalg import ITE, Boolean, BooleanFalse, BooleanTrue, Equivalent, Implies
from sympy.printing.printer import Printer

from theory.domains import narrowed
from theory.errors import LemmascopeError


class Binding(Boolean):
    """A formula with one bound symbol, how far it ranges, and what is said of it."""

    @property
    def symbol(self) -> Symbol:
        """The bound symbol."""
        return self.args[0]

    @property
    def body(self) -> Boolean:
        """What is said of the bound symbol."""
        return self.args[2]

    @property
    def free_symbols(self) -> set[Symbol]:
        """The symbols of the range and the body, without the bound one."""
        return self.args[1].free_symbols | (self.body.free_symbols - {self.symbol})

    def _eval_subs(self, old: Basic, new: Basic) -> Basic | None:  # noqa: ARG002 - SymPy's protocol
        return self if old == self.symbol else None


class Quantifier(Binding):
    """A formula about one bound symbol and the set it ranges over."""

    _sign = ""

    def __new__(cls, symbol: Symbol, domain: Set, body: Any) -> Quantifier:
        if not isinstance(domain, Set):
            raise LemmascopeError(f"{cls.__name__} ranges over {domain!r}: give a SymPy set such as Interval(0, 1)")
        return Basic.__new__(cls, symbol, narrowed(symbol, domain), formula(body))

    @property
    def domain(self) -> Set:
        """The set that the bound symbol ranges over; it may depend on other symbols."""
        return self.args[1]

    def _latex(self, printer: Printer) -> str:
        symbol, domain, body = (printer.doprint(part) for part in self.args)
        return rf"{self._sign} {symbol} \in {domain}:\; {body}"


class Exists(Quantifier):
    """Some point of the domain satisfies the body.

    >>> from sympy import Interval, Symbol
    >>> x, K = Symbol("x"), Symbol("K")
    >>> Exists(x, Interval(0, 1), x**2 > K).free_symbols
    {K}
    """

    _sign = r"\exists"


class ForAll(Quantifier):
    """Every point of the domain satisfies the body.

    >>> from sympy import Interval, Symbol
    >>> x = Symbol("x")
    >>> ForAll(x, Interval(0, 1), x < 2).symbol
    x
    """

    _sign = r"\forall"


class ForSmall(Boolean):
    """There is a positive bound such that the body holds whenever the symbol is positive and below it.

    >>> from sympy import Symbol, sin
    >>> e = Symbol("e")
    >>> ForSmall(e, sin(e) < e).free_symbols
    set()
    """

    def __new__(cls, symbol: Symbol, body: Any) -> ForSmall:
        return Basic.__new__(cls, _small(symbol), formula(body))

    @property
    def symbol(self) -> Symbol:
        """The small positive symbol."""
        return self.args[0]

    @property
    def body(self) -> Boolean:
        """What holds once the symbol is small enough."""
        return self.args[1]

    @property
    def free_symbols(self) -> set[Symbol]:
        """The symbols of the body, without the small one."""
        return self.body.free_symbols - {self.symbol}

    def _eval_subs(self, old: Basic, new: Basic) -> Basic | None:  # noqa: ARG002 - SymPy's protocol
        return self if old == self.symbol else None

    def _latex(self, printer: Printer) -> str:
        symbol, body = (printer.doprint(part) for part in self.args)
        return rf"\text{{for all small }} {symbol} > 0:\; {body}"


class Scaling(Boolean):
    """As the small symbol tends to 0 from above, the quantity behaves like its power with the given exponent.

    `sense` is "equal" (Theta), "at most" (O: the true exponent is no smaller) or "at least" (Omega). `tolerance`
    bounds the error of a fitted exponent; an exact leading coefficient does not need it.

    >>> from sympy import Rational, Symbol, sin
    >>> e = Symbol("e", positive=True)
    >>> Scaling(e - sin(e), e, 3).exponent
    3
    """

    SENSES = ("equal", "at most", "at least")

    def __new__(
        cls, quantity: Any, small: Symbol, exponent: Any, sense: Any = "equal", tolerance: Any = "1/20"
    ) -> Scaling:
        name = str(sense)
        if name not in cls.SENSES:
            raise LemmascopeError(f"a scaling law is {', '.join(cls.SENSES)}; {name!r} is none of them")
        parts = (sympify(quantity), _small(small), sympify(exponent), Symbol(name), Rational(tolerance))
        return Basic.__new__(cls, *parts)

    @property
    def quantity(self) -> Expr:
        """What scales."""
        return self.args[0]

    @property
    def small(self) -> Symbol:
        """The symbol that tends to 0."""
        return self.args[1]

    @property
    def exponent(self) -> Expr:
        """The claimed power."""
        return self.args[2]

    @property
    def sense(self) -> str:
        """equal, at most or at least."""
        return str(self.args[3])

    @property
    def tolerance(self) -> Expr:
        """How far a fitted exponent may be from the claimed one."""
        return self.args[4]

    @property
    def free_symbols(self) -> set[Symbol]:
        """The symbols of the quantity and the exponent, without the small one."""
        return (self.quantity.free_symbols | self.exponent.free_symbols) - {self.small}

    def _eval_subs(self, old: Basic, new: Basic) -> Basic | None:  # noqa: ARG002 - SymPy's protocol
        return self if old == self.small else None

    def _latex(self, printer: Printer) -> str:
        order = {"equal": r"\Theta", "at most": "O", "at least": r"\Omega"}[self.sense]
        power = printer.doprint(self.small**self.exponent)
        fitted = rf"\;\left(\text{{exponent}} \pm {printer.doprint(self.tolerance)}\text{{ where fitted}}\right)"
        return rf"{printer.doprint(self.quantity)} = {order}\left({power}\right){fitted}"


class ForEach(Binding):
    """The body holds for every index from 1 to the size, which may be a symbol.

    >>> from sympy import Symbol
    >>> from theory.language.families import family
    >>> i, d = Symbol("i"), Symbol("d")
    >>> u = family("u", d)
    >>> ForEach(i, d, u[i] > 0).free_symbols == {u, d}
    True
    """

    def __new__(cls, index: Symbol, size: Any, body: Any) -> ForEach:
        if not isinstance(index, Symbol):
            raise LemmascopeError(f"ForEach({index}, ...) needs an index: ForEach(i, d, u[i] > 0) with a symbol i")
        if not isinstance(sympify(size), Symbol):
            raise LemmascopeError(f"ForEach({index}, {size}, ...) needs a size: the symbol that the family has")
        return Basic.__new__(cls, index, sympify(size), formula(body))

    @property
    def size(self) -> Expr:
        """How far the index runs."""
        return self.args[1]

    def _latex(self, printer: Printer) -> str:
        index, size, body = (printer.doprint(part) for part in self.args)
        return rf"\forall {index} \leq {size}:\; {body}"


class Temporal(Boolean):
    """A formula over a trajectory."""


class AtStart(Temporal):
    """The body, a formula without time, holds of the state at the start.

    >>> from sympy import Symbol
    >>> AtStart(Symbol("x") > 0)
    AtStart(x > 0)
    """

    def __new__(cls, body: Any) -> AtStart:
        said = formula(body)
        if is_temporal(said):
            raise LemmascopeError(
                f"AtStart({said}) speaks of later times: leave AtStart out, every formula starts there"
            )
        return Basic.__new__(cls, said)

    def _latex(self, printer: Printer) -> str:
        return rf"\text{{at the start}}:\; {printer.doprint(self.args[0])}"


class Always(Temporal):
    """The body holds at every time, the start included.

    >>> from sympy import Symbol
    >>> Always(Symbol("x") > 0)
    Always(x > 0)
    """

    def __new__(cls, body: Any) -> Always:
        return Basic.__new__(cls, _in_time(body))

    def _latex(self, printer: Printer) -> str:
        return rf"\Box\left({printer.doprint(self.args[0])}\right)"


class Eventually(Temporal):
    """The body holds at some time.

    >>> from sympy import Symbol
    >>> Eventually(Symbol("x") > 1)
    Eventually(x > 1)
    """

    def __new__(cls, body: Any) -> Eventually:
        return Basic.__new__(cls, _in_time(body))

    def _latex(self, printer: Printer) -> str:
        return rf"\Diamond\left({printer.doprint(self.args[0])}\right)"


class Until(Temporal):
    """The second formula holds at some time, and the first one at every time before it.

    >>> from sympy import Symbol
    >>> x = Symbol("x")
    >>> Until(x < 1, x >= 1)
    Until(x < 1, x >= 1)
    """

    def __new__(cls, first: Any, second: Any) -> Until:
        return Basic.__new__(cls, _in_time(first), _in_time(second))

    def _latex(self, printer: Printer) -> str:
        first, second = (printer.doprint(part) for part in self.args)
        return rf"\left({first}\right)\,\mathcal{{U}}\,\left({second}\right)"


class After(Temporal):
    """The body holds of the trajectory from the given time on.

    A trajectory that ends before that time does not reach it: of such a one nothing of the kind is true.

    >>> from sympy import Symbol
    >>> After(3, Always(Symbol("x") > 0))
    After(3, Always(x > 0))
    """

    def __new__(cls, time: Any, body: Any) -> After:
        moment = sympify(time)
        if moment.is_negative:
            raise LemmascopeError(
                f"After({time}, ...) speaks of a time before the start: give one that is not negative"
            )
        return Basic.__new__(cls, moment, _in_time(body))

    def _latex(self, printer: Printer) -> str:
        time, body = (printer.doprint(part) for part in self.args)
        return rf"\text{{from }} t = {time}:\; {body}"


class ConvergesTo(Temporal):
    """The quantity tends to the target; a target of several points is a cycle that the trajectory settles on.

    A quantity or a point of several components is a tuple.

    >>> from sympy import Symbol
    >>> x, y, d1, d2 = (Symbol(name) for name in ("x", "y", "d1", "d2"))
    >>> ConvergesTo(x, 1).points
    ((1,),)
    >>> ConvergesTo(x, d1, d2).period
    2
    >>> ConvergesTo((x, y), (1, 1)).quantity
    (x, y)
    """

    def __new__(cls, quantity: Any, *points: Any) -> ConvergesTo:
        if not points:
            raise LemmascopeError(
                "ConvergesTo needs a target: ConvergesTo(x, 1), or ConvergesTo(x, d1, d2) for a cycle"
            )
        vector = _vector(quantity)
        targets = [_vector(point) for point in points]
        if any(len(target) != len(vector) for target in targets):
            raise LemmascopeError(
                f"ConvergesTo compares {len(vector)} quantities with a point of another size: give as many numbers"
            )
        if any(part.has(oo, -oo) for target in targets for part in target):
            raise LemmascopeError(
                "ConvergesTo needs a finite target: for growth beyond all bounds write Unbounded(x), and for a limit at"
                " infinity Eventually(Always(x > M)) with a variable M"
            )
        return Basic.__new__(cls, vector, *targets)

    @property
    def quantity(self) -> Tuple:
        """What converges, as a tuple."""
        return self.args[0]

    @property
    def points(self) -> tuple[Tuple, ...]:
        """The points of the target cycle; a single one for a limit."""
        return self.args[1:]

    @property
    def period(self) -> int:
        """How many points the target has."""
        return len(self.points)

    def _latex(self, printer: Printer) -> str:
        points = r",\,".join(printer.doprint(_plain(point)) for point in self.points)
        target = points if self.period == 1 else rf"\left\{{{points}\right\}}"
        return rf"{printer.doprint(_plain(self.quantity))} \to {target}"


class Decreasing(Temporal):
    """The quantity strictly decreases from each time to every later one.

    >>> from sympy import Symbol
    >>> Decreasing(Symbol("x")**2)
    Decreasing(x**2)
    """

    def __new__(cls, quantity: Any) -> Decreasing:
        return Basic.__new__(cls, sympify(quantity))

    def _latex(self, printer: Printer) -> str:
        return rf"{printer.doprint(self.args[0])} \searrow"


class Unbounded(Temporal):
    """The quantity passes every number, each at some time; write the size of what may grow either way.

    >>> from sympy import Abs, Symbol
    >>> Unbounded(Abs(Symbol("x")))
    Unbounded(Abs(x))
    """

    def __new__(cls, quantity: Any) -> Unbounded:
        return Basic.__new__(cls, sympify(quantity))

    def passes(self, bound: Expr) -> Eventually:
        """The claim that it passes one number."""
        return Eventually(Gt(self.args[0], bound, evaluate=False))

    def stays_below(self, bound: Expr) -> Always:
        """The claim that it never passes one number, which is the opposite."""
        return Always(Le(self.args[0], bound, evaluate=False))

    def _latex(self, printer: Printer) -> str:
        return rf"\sup\left({printer.doprint(self.args[0])}\right) = \infty"


class HasPeriod(Temporal):
    """The trajectory settles on a cycle whose least period is the given number.

    >>> HasPeriod(2)
    HasPeriod(2)
    """

    def __new__(cls, period: Any) -> HasPeriod:
        number = sympify(period)
        if not (isinstance(number, Integer) and number > 0):
            raise LemmascopeError(f"a period is a positive whole number, not {period}")
        return Basic.__new__(cls, number)

    def _latex(self, printer: Printer) -> str:
        return rf"\text{{period }} {printer.doprint(self.args[0])}"


class AlmostEvery(Temporal):
    """The body holds for almost every value of a variable, all others being fixed: the exceptions are a null set.

    It stands beside other claims about the same trajectory that have no exceptions, as a part of the conclusion.

    >>> from sympy import Symbol
    >>> x, x0 = Symbol("x"), Symbol("x0")
    >>> AlmostEvery(x0, ConvergesTo(x, 1)) & Always(x > 0)
    Always(x > 0) & AlmostEvery(x0, ConvergesTo((x,), (1,)))
    """

    def __new__(cls, symbol: Symbol, body: Any) -> AlmostEvery:
        if not isinstance(symbol, Symbol):
            raise LemmascopeError(f"AlmostEvery({symbol}, ...) needs a variable: AlmostEvery(x0, ConvergesTo(x, 1))")
        return Basic.__new__(cls, symbol, _in_time(body))

    @property
    def symbol(self) -> Symbol:
        """The variable whose exceptional values are a null set."""
        return self.args[0]

    def _eval_subs(self, old: Basic, new: Basic) -> Basic | None:
        return self if old == self.symbol and not isinstance(new, Symbol) else None

    def _latex(self, printer: Printer) -> str:
        symbol, body = (printer.doprint(part) for part in self.args)
        return rf"\text{{for almost every }} {symbol}:\; {body}"


OPERATORS: dict[str, type[Temporal]] = {kind.__name__: kind for kind in Temporal.__subclasses__()}
"""The operators of time by name."""
CONNECTIVES = (And, Or, Not, Implies, Equivalent)
RELATIONS = (Eq, Ne, Lt, Le, Gt, Ge)


def formula(value: Any) -> Boolean:
    """The value as a formula, or a sentence that says why it is none.

    >>> from sympy import Symbol
    >>> formula(Symbol("x") > 0)
    x > 0
    >>> formula(Symbol("x") + 1)
    Traceback (most recent call last):
    theory.errors.LemmascopeError: x + 1 is not a formula: write a relation such as x + 1 > 0
    """
    if isinstance(value, bool):
        return true if value else false
    if isinstance(value, Boolean) and not isinstance(value, Symbol):
        return value
    advice = (
        "write it with symbols, without quotes" if isinstance(value, str) else f"write a relation such as {value} > 0"
    )
    raise LemmascopeError(f"{value} is not a formula: {advice}")


def is_temporal(value: Boolean) -> bool:
    """Whether a formula speaks about a trajectory.

    >>> from sympy import Symbol
    >>> is_temporal(Always(Symbol("x") > 0)), is_temporal(Symbol("x") > 0)
    (True, False)
    """
    return bool(value.has(Temporal))


def begun(value: Boolean) -> Boolean:
    """The formula without the word AtStart: outside of every operator a state is the one at the start anyhow.

    >>> from sympy import Symbol
    >>> begun(AtStart(Symbol("x") > 0))
    x > 0
    """
    if isinstance(value, AtStart):
        return value.args[0]
    return value.func(*map(begun, value.args)) if value.has(AtStart) else value


def untimed(value: Boolean) -> tuple[Boolean, ...]:
    """The parts of a formula that stand under no temporal operator.

    >>> from sympy import Symbol
    >>> untimed(Always(Symbol("x") > 0) | (Symbol("y") > 0))
    (y > 0,)
    """
    if isinstance(value, Temporal):
        return ()
    if not is_temporal(value):
        return (value,)
    return tuple(
        part for child in value.args if isinstance(child, Boolean) and not child.is_Symbol for part in untimed(child)
    )


def is_plain(value: Boolean) -> bool:
    """Whether a formula consists of relations and connectives only: no time, no quantifier, no scaling law.

    >>> from sympy import Symbol
    >>> is_plain((Symbol("x") > 0) & (Symbol("y") > 0)), is_plain(HasPeriod(2))
    (True, False)
    """
    if isinstance(value, (Relational, BooleanTrue, BooleanFalse)):
        return True
    return isinstance(value, CONNECTIVES) and all(is_plain(part) for part in value.args)


def negation(value: Boolean) -> Boolean:
    """The negation of a plain or quantified formula, pushed down to the relations.

    >>> from sympy import Symbol
    >>> x = Symbol("x")
    >>> negation((x > 0) & (x < 1))
    (x >= 1) | (x <= 0)
    """
    if isinstance(value, And):
        return Or(*[negation(part) for part in value.args])
    if isinstance(value, Or):
        return And(*[negation(part) for part in value.args])
    if isinstance(value, Implies):
        return And(value.args[0], negation(value.args[1]))
    if isinstance(value, Equivalent):
        return And(Or(*value.args), Or(*[negation(part) for part in value.args]))
    if isinstance(value, Not):
        return value.args[0]
    if isinstance(value, Exists):
        return ForAll(value.symbol, value.domain, negation(value.body))
    if isinstance(value, ForAll):
        return Exists(value.symbol, value.domain, negation(value.body))
    if isinstance(value, Relational):
        return value.negated
    return Not(value)


def opposite_of(claim: Boolean) -> Boolean | None:
    """What is true only of trajectories for which the claim is false, all of it having values; None where unknown.

    >>> from sympy import Symbol
    >>> x = Symbol("x")
    >>> opposite_of(Always(x < 1)), opposite_of(~ConvergesTo(x, 1)), opposite_of(Always(Eventually(x < 1)))
    (Eventually(x >= 1), ConvergesTo((x,), (1,)), Eventually(Always(x >= 1)))
    """
    if is_plain(claim):
        return negation(claim)
    if isinstance(claim, Not) and isinstance(claim.args[0], (ConvergesTo, Unbounded)):
        return claim.args[0]
    if isinstance(claim, Unbounded):
        return Not(claim)
    if isinstance(claim, Until) and is_plain(claim.args[1]) and is_plain(claim.args[0]):
        first, never = (negation(part) for part in claim.args)
        return Or(Always(never), Until(never, And(first, never)))
    if not isinstance(claim, (Always, Eventually, After, Implies)):
        return None
    inner = opposite_of(claim.args[-1])
    if inner is None:
        return None
    if isinstance(claim, (After, Implies)):
        return After(claim.args[0], inner) if isinstance(claim, After) else And(claim.args[0], inner)
    return Eventually(inner) if isinstance(claim, Always) else Always(inner)


def fails_in_time(value: Boolean) -> bool:
    """Whether a trajectory that violates the formula shows it within some finite time.

    >>> from sympy import Symbol
    >>> x = Symbol("x")
    >>> fails_in_time(Always(x > 0)), fails_in_time(Eventually(x > 0)), fails_in_time(Not(Eventually(x > 0)))
    (True, False, True)
    """
    return _shows(value, truth=False)


def _shows(value: Boolean, *, truth: bool) -> bool:
    """Whether the formula, when it has this truth, shows it within finite time."""
    if not is_temporal(value):
        return True
    if isinstance(value, Not):
        return _shows(value.args[0], truth=not truth)
    if isinstance(value, Implies):
        return _shows(value.args[0], truth=not truth) and _shows(value.args[1], truth=truth)
    if isinstance(value, Equivalent):
        return all(_shows(part, truth=either) for part in value.args for either in (True, False))
    if isinstance(value, (And, Or)):
        return all(_shows(part, truth=truth) for part in value.args)
    if isinstance(value, (AtStart, After)):
        return _shows(value.args[-1], truth=truth)
    if isinstance(value, Decreasing):
        return not truth
    lasting = (Eventually, Until) if truth else (Always,)
    return isinstance(value, lasting) and all(_shows(part, truth=truth) for part in value.args)


def rename(value: Boolean, names: Mapping[Symbol, Expr]) -> Boolean:
    """The formula with others for some symbols, all at once; relations stay as they were written.

    Not even those that SymPy could decide are carried out.

    >>> from sympy import Symbol
    >>> x, y = Symbol("x"), Symbol("y")
    >>> rename(Eq(x, x, evaluate=False), {x: y})
    Eq(y, y)
    """
    return _rebuilt(value, lambda part: part.xreplace(dict(names)))


def apart(value: Boolean, taken: frozenset[Symbol]) -> Boolean:
    """The formula with another name for every bound symbol that is called like a symbol around it.

    >>> from sympy import Interval, Symbol
    >>> x = Symbol("x")
    >>> apart(Exists(x, Interval(0, x), x < 1), frozenset({x}))
    Exists(x_1, Interval(0, x), x_1 < 1)
    """
    if not value.atoms(Quantifier, ForSmall):
        return value
    if not isinstance(value, (Quantifier, ForSmall)):
        return value.func(*[apart(part, taken) if isinstance(part, Boolean) else part for part in value.args])
    symbol, *domain, body = value.args
    if symbol in taken:
        used = taken | value.atoms(Symbol)
        new = fresh(symbol, used)
        symbol, body = new, rename(body, {symbol: new})
    return value.func(symbol, *domain, apart(body, taken | {symbol}))


def substitute(value: Boolean, values: Mapping[Symbol, Expr]) -> Boolean:
    """The formula with values for some symbols, all at once; a relation between numbers stays one for the engines.

    >>> from sympy import Symbol, pi
    >>> x = Symbol("x")
    >>> substitute(x < 4, {x: pi})
    pi < 4
    """
    return _rebuilt(value, lambda part: put_at_once(part, values))


def put_at_once(value: Basic, values: Mapping[Basic, Basic]) -> Basic:
    """Values for symbols or other terms, all at once; what is bound stays bound.

    The tree is built again around the values, so that nothing is simplified but by the constructors of SymPy; what it
    would write with ITE is written with And and Or.

    >>> from sympy import Interval, Piecewise, Symbol
    >>> x, y = Symbol("x"), Symbol("y")
    >>> put_at_once(Piecewise((1, x > 0), (0, True)), {x: Piecewise((x, x > 1), (-x, True))}).has(ITE)
    False
    >>> put_at_once(Exists(y, Interval(0, 1), y > x), {x: y, y: Integer(2)})
    Exists(y_1, Interval(0, 1), y_1 > y)
    """
    put = _put(value, values, {})
    return put.replace(ITE, lambda case, one, other: Or(And(case, one), And(Not(case), other))) if put.has(ITE) else put


def _put(part: Basic, values: Mapping[Basic, Basic], known: dict[Basic, Basic]) -> Basic:
    if part in values:
        return values[part]
    if not part.args:
        return part
    if part not in known:
        if isinstance(part, Piecewise):
            known[part] = _put_in_pieces(part, values, known)
        elif type(part).free_symbols is not Basic.free_symbols:
            known[part] = _put_below(part, values)
        else:
            inside = [_put(one, values, known) for one in part.args]
            known[part] = part if all(map(is_, inside, part.args)) else part.func(*inside)
    return known[part]


def _put_in_pieces(pieces: Piecewise, values: Mapping[Basic, Basic], known: dict[Basic, Basic]) -> Basic:
    """Branches that are certainly not taken need no value."""
    kept = []
    for branch, condition in pieces.args:
        holds = _put(condition, values, known)
        if holds != false:
            kept.append((_put(branch, values, known), holds))
        if holds == true:
            break
    return Piecewise(*kept) if kept else nan


def _put_below(part: Basic, values: Mapping[Basic, Basic]) -> Basic:
    """Values in what has symbols of its own, which get other names where a value speaks of symbols called like them.

    What is differentiated by a symbol is so at the value of that symbol.
    """
    values = {old: new for old, new in values.items() if old.free_symbols <= part.free_symbols}
    if not values:
        return part
    arriving = set().union(*(new.free_symbols for new in values.values()))
    bound = set().union(*(one.free_symbols for one in part.args)) - part.free_symbols
    if isinstance(part, Derivative):
        bound = set(part.variables)
    names = {symbol: fresh(symbol, arriving | part.atoms(Symbol)) for symbol in bound & arriving}
    rest = {old: new for old, new in values.items() if old not in bound}
    inside = part.func(*(_put(one, rest, {}) for one in part.xreplace(names).args))
    if not isinstance(part, Derivative):
        return inside
    points = {names.get(x, x): values.get(x, x) for x in part.variables if x in names or x in values}
    free = set(points.values()) - inside.free_symbols
    if len(free) == len(points) and all(point.is_Symbol for point in free):
        return inside.xreplace(points)
    return Subs(inside, tuple(points), tuple(points.values())) if points else inside


def fresh(symbol: Symbol, used: Collection[Basic]) -> Symbol:
    """A symbol that is not used yet, called like another one with a number behind its name."""
    return next(name for k in count(1) if (name := Symbol(f"{symbol.name}_{k}")) not in used)


def _rebuilt(value: Boolean, change: Callable[[Basic], Basic]) -> Boolean:
    if isinstance(value, Relational):
        return value.func(*map(change, value.args), evaluate=False)
    if not value.args:
        return value
    return value.func(
        *[_rebuilt(p, change) if isinstance(p, Boolean) and not p.is_Symbol else change(p) for p in value.args]
    )


def _in_time(body: Any) -> Boolean:
    """The body of an operator, in which a state is the current one."""
    said = formula(body)
    if said.has(AtStart):
        raise LemmascopeError(f"{said} speaks of the start at other times: take AtStart out of the temporal operator")
    return said


def _small(symbol: Symbol) -> Symbol:
    """A symbol that may be any small positive number."""
    near = Interval.open(0, 1)
    if narrowed(symbol, near) != near:
        raise LemmascopeError(f"{symbol} stands for all small positive numbers, but is assumed to be something else")
    return symbol


def _vector(value: Any) -> Tuple:
    return (
        Tuple(*[sympify(part) for part in value]) if isinstance(value, (tuple, list, Tuple)) else Tuple(sympify(value))
    )


def _plain(point: Tuple) -> Basic:
    return point[0] if len(point) == 1 else point
