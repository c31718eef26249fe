"""Coq propositions over the reals, read back into trees, and formulas of a statement as the same kind of tree.

The reader knows only what a goal may be written with and refuses everything else. Sums and products are compared
without their order; nothing is simplified but numbers, so equal trees say the same.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import Any

import sympy as sp
from sympy import Basic, Symbol
from sympy.core.relational import Eq, Ge, Gt, Le, Lt, Ne, Relational
from sympy.logic.boolalg import Boolean

from theory.language.definedness import demands
from theory.language.functions import entries, entry_of

Tree = Any
"""A Fraction, or a tuple of a head and what stands below it."""

_TOKEN = re.compile(r"\s*(->|<->|=>|/\\|\\/|<>|<=|>=|[-+*/^()~<>=,:]|[A-Za-z_][A-Za-z0-9_]*|\d+)")
_RELATIONS = ("=", "<>", "<", "<=", ">", ">=")
_NAMED = {entry.coq: entry for entry in entries() if entry.coq is not None}
_ONE = (*(name for name, entry in _NAMED.items() if entry.arity == (1,)), "sqrt")
_TWO = tuple(name for name, entry in _NAMED.items() if not entry.arity)
_WORDS = (
    *_ONE,
    *_TWO,
    "PI",
    "R",
    "nat",
    "O",
    "S",
    "fun",
    "forall",
    "exists",
    "sum_f_R0",
    "derivable_pt_lim",
    "True",
    "False",
)
NUMBER, SEQUENCE, SIZE, FUNCTION = "R", "nat -> R", "nat", "R -> R"
"""What a variable of a theorem may be."""

INDEX, NOW, FIRST = ("index",), ("now",), ("O",)
"""The index of a sum, a moment of which all are spoken, and the first one."""


def variable(place: int) -> Tree:
    """The variable at a place, which is nothing that equals a number.

    >>> variable(1) == Fraction(1)
    False
    """
    return ("variable", place)


def sum_of(parts: Iterable[Tree]) -> Tree:
    """A sum, flat and without order, with its numbers added."""
    return _joined("+", parts, Fraction(0), lambda a, b: a + b)


def product_of(parts: Iterable[Tree]) -> Tree:
    """A product, flat and without order, with its numbers multiplied; a factor 0 stays where it is."""
    return _joined("*", parts, Fraction(1), lambda a, b: a * b)


def _joined(head: str, parts: Iterable[Tree], number: Fraction, join: Callable[[Any, Any], Fraction]) -> Tree:
    neutral, others = number, []
    for part in parts:
        for one in part[1] if isinstance(part, tuple) and part[0] == head else (part,):
            if isinstance(one, Fraction):
                number = join(number, one)
            else:
                others.append(one)
    if not others:
        return number
    if number != neutral:
        others.append(number)
    return others[0] if len(others) == 1 else (head, _in_any_order(others))


def _in_any_order(parts: Iterable[Tree]) -> tuple[Tree, ...]:
    return tuple(sorted(parts, key=repr))


def joined(parts: Iterable[Tree]) -> Tree:
    """All of several propositions, without order."""
    return ("/\\", _in_any_order(parts))


def conditions(conclusion: Boolean) -> list[Boolean]:
    """What must hold for every relation of a conclusion to have a value."""
    if isinstance(conclusion, Relational):
        return demands(conclusion.args)
    found = [condition for part in conclusion.args for condition in conditions(part)]
    return list(dict.fromkeys(found))


def power_of(base: Tree, exponent: int) -> Tree:
    """A whole power; only numbers are worked out."""
    if exponent == 1:
        return base
    if isinstance(base, Fraction) and (base or exponent > 0):
        return base**exponent
    if isinstance(base, tuple) and base[0] == "^" and exponent == -1:
        return ("^", base[1], -base[2])
    return ("^", base, exponent)


def extremum_of(head: str, parts: Iterable[Tree]) -> Tree:
    """The largest or smallest of several terms, flat and without order."""
    flat = [one for part in parts for one in (part[1] if isinstance(part, tuple) and part[0] == head else (part,))]
    return (head, _in_any_order(flat))


class Reader:
    """Reads one proposition; ValueError for what it does not know.

    >>> Reader("forall (x_0 : R), (0 < x_0) -> ((x_0 ^ 2) + 1 > 1 / 2)").theorem()[0]
    ('R',)
    >>> Reader("forall (n : nat) (x : nat -> R), sum_f_R0 (fun i : nat => (x i) ^ 2) n >= 0").theorem()[1]
    [('>=', ('sum', 0, ('^', ('at', 1, ('index',)), 2)), Fraction(0, 1))]
    """

    def __init__(self, text: str) -> None:
        self._tokens: list[str] = []
        place, text = 0, text.strip()
        while place < len(text):
            found = _TOKEN.match(text, place)
            if found is None:
                raise ValueError(f"not read: {text[place : place + 20]}")
            self._tokens.append(found.group(1))
            place = found.end()
        self._names: dict[str, int] = {}
        self._sequences: dict[str, int] = {}
        self._sizes: dict[str, int] = {}
        self._functions: dict[str, int] = {}
        self._indices: dict[str, Tree] = {}
        self._moments: set[str] = set()

    def theorem(self) -> tuple[tuple[str, ...], list[Tree]]:
        """What the variables are, in their order; then the hypotheses with the conclusion last."""
        kinds: list[str] = []
        if self._next_is("forall"):
            self._take("forall")
            while self._next_is("("):
                kinds += self._variables(len(kinds))
            self._take(",")
        parts = [self._or()]
        while self._next_is("->"):
            self._take("->")
            parts.append(self._or())
        if self._tokens:
            raise ValueError(f"{self._tokens[0]} is left over")
        return tuple(kinds), parts

    def _variables(self, place: int) -> list[str]:
        """The variables of one kind in brackets; each is known by its place."""
        self._take("(")
        found = []
        while not self._next_is(":"):
            found.append(self._new_name())
        self._take(":")
        words = [self._tokens.pop(0)]
        while not self._next_is(")"):
            words.append(self._tokens.pop(0))
        self._take(")")
        kind = " ".join(words)
        tables: dict[str, dict[str, int]] = {
            NUMBER: self._names, SEQUENCE: self._sequences, SIZE: self._sizes, FUNCTION: self._functions,
        }  # fmt: skip
        if kind not in tables:
            raise ValueError(f"{kind} is no kind of variable")
        tables[kind].update({name: place + k for k, name in enumerate(found)})
        return [kind] * len(found)

    def _new_name(self) -> str:
        name = self._tokens.pop(0)
        tables = (self._names, self._sequences, self._sizes, self._functions, self._indices, self._moments, _WORDS)
        known = [word for table in tables for word in table]
        if not name.isidentifier() or name in known:
            raise ValueError(f"{name} is no new variable")
        if name in self._tokens[: self._tokens.index(":")]:
            raise ValueError(f"{name} is there twice")
        return name

    def _next_is(self, *tokens: str) -> bool:
        return bool(self._tokens) and self._tokens[0] in tokens

    def _take(self, token: str) -> None:
        if not self._next_is(token):
            raise ValueError(f"{token} is missing")
        self._tokens.pop(0)

    # propositions, the loosest first ---------------------------------------------------------------------------------

    def _proposition(self) -> Tree:
        left = self._or()
        for arrow in ("->", "<->"):
            if self._next_is(arrow):
                self._take(arrow)
                return (arrow, left, self._proposition() if arrow == "->" else self._or())
        return left

    def _or(self) -> Tree:
        return self._several("\\/", self._and)

    def _and(self) -> Tree:
        return self._several("/\\", self._not)

    def _several(self, word: str, inner: Callable[[], Tree]) -> Tree:
        parts = [inner()]
        while self._next_is(word):
            self._take(word)
            parts.append(inner())
        return parts[0] if len(parts) == 1 else (word, _in_any_order(parts))

    def _not(self) -> Tree:
        if self._next_is("~"):
            self._take("~")
            return ("~", self._not())
        if self._next_is("True", "False"):
            return (self._tokens.pop(0),)
        if self._next_is("forall"):
            self._take("forall")
            return self._during() if self._tokens[2:3] == ["R"] else self._always()
        if self._next_is("derivable_pt_lim"):
            return self._moves()
        if self._next_is("(") and self._bracket_is_proposition():
            self._take("(")
            inside = self._proposition()
            self._take(")")
            return inside
        left = self._sum()
        if not self._next_is(*_RELATIONS):
            raise ValueError("a relation is missing")
        return (self._tokens.pop(0), left, self._sum())

    def _bracket_is_proposition(self) -> bool:
        """Whether what stands in the next brackets relates or joins something."""
        depth = 0
        for place, sign in enumerate(self._tokens):
            depth += {"(": 1, ")": -1}.get(sign, 0)
            if depth == 0:
                return False
            if place and sign in (*_RELATIONS, "~", "True", "False", "derivable_pt_lim"):
                return True
        raise ValueError("a bracket is not closed")

    def _always(self) -> Tree:
        """What is said of every step."""
        return ("always", self._within(NOW, ",", self._proposition))

    def _during(self) -> Tree:
        """What is said of every moment from 0 on that is before the end, which is one of the numbers."""
        if self._moments:
            raise ValueError("a moment within the reach of another")
        name = self._new_name()
        for token in (":", "R", ",", "0", "<=", name, "->", name, "<"):
            self._take(token)
        end = self._names[self._tokens.pop(0)]
        self._take("->")
        self._moments = {name}
        inside = self._proposition()
        self._moments = set()
        return ("during", end, inside)

    def _moves(self) -> Tree:
        """That a function has a rate at the moment that is spoken of."""
        self._take("derivable_pt_lim")
        place = self._functions[self._tokens.pop(0)]
        self._take(next(iter(self._moments), ""))
        return ("moves", place, self._atom())

    def _within(self, index: Tree, mark: str, inner: Callable[[], Tree]) -> Tree:
        """What stands after the name of an index and a mark; there is one index at a time."""
        if self._indices:
            raise ValueError("an index within the reach of another")
        name = self._new_name()
        for token in (":", "nat", mark):
            self._take(token)
        self._indices[name] = index
        inside = inner()
        del self._indices[name]
        return inside

    # terms ------------------------------------------------------------------------------------------------------------

    def _sum(self) -> Tree:
        parts = [self._product()]
        while self._next_is("+", "-"):
            minus = self._tokens.pop(0) == "-"
            term = self._product()
            parts.append(product_of([Fraction(-1), term]) if minus else term)
        return sum_of(parts)

    def _product(self) -> Tree:
        parts = [self._signed()]
        while self._next_is("*", "/"):
            over = self._tokens.pop(0) == "/"
            factor = self._signed()
            parts.append(power_of(factor, -1) if over else factor)
        return product_of(parts)

    def _signed(self) -> Tree:
        if self._next_is("-"):
            self._take("-")
            return product_of([Fraction(-1), self._signed()])
        if self._next_is("/"):
            self._take("/")
            return power_of(self._signed(), -1)
        base = self._applied()
        if self._next_is("^"):
            self._take("^")
            exponent = self._tokens.pop(0)
            if not exponent.isdigit() or self._next_is("^"):
                raise ValueError("an exponent is a number")
            return power_of(base, int(exponent))
        return base

    def _applied(self) -> Tree:
        if self._next_is(*self._sequences):
            return ("at", self._sequences[self._tokens.pop(0)], self._moment())
        if self._next_is(*self._functions):
            place, moment = self._functions[self._tokens.pop(0)], self._tokens.pop(0)
            if moment != "0" and moment not in self._moments:
                raise ValueError("a function at no moment")
            return ("at", place, FIRST if moment == "0" else NOW)
        if self._next_is("sum_f_R0"):
            return self._total()
        if self._next_is(*_ONE):
            return (self._tokens.pop(0), self._atom())
        if self._next_is(*_TWO):
            return extremum_of(self._tokens.pop(0), (self._atom(), self._atom()))
        return self._atom()

    def _total(self) -> Tree:
        """A sum over the coordinates of vectors of one size."""
        for token in ("sum_f_R0", "(", "fun"):
            self._take(token)
        body = self._within(INDEX, "=>", self._sum)
        self._take(")")
        return ("sum", self._sizes[self._tokens.pop(0)], body)

    def _moment(self) -> Tree:
        """The index of a member of a sequence: that which is bound, the first one, or the next after another."""
        if self._next_is("("):
            self._take("(")
            self._take("S")
            inside = self._moment()
            self._take(")")
            return ("S", inside)
        word = self._tokens.pop(0)
        return FIRST if word == "O" else self._indices[word]

    def _atom(self) -> Tree:
        if not self._tokens:
            raise ValueError("a term is missing")
        if self._next_is("("):
            self._take("(")
            inside = self._sum()
            self._take(")")
            return inside
        word = self._tokens.pop(0)
        if word.isdigit():
            return Fraction(int(word))
        if word in self._names:
            return variable(self._names[word])
        if word in self._moments:
            return NOW
        if word != "PI":
            raise ValueError(f"{word} is not known here")
        return (word,)


_HEADS: Mapping[type, str] = {
    Eq: "=", Ne: "<>", Lt: "<", Le: "<=", Gt: ">", Ge: ">=", sp.Implies: "->", sp.Not: "~",
    **{entry.function: name for name, entry in _NAMED.items() if entry.arity},
}  # fmt: skip


def tree_of(part: Basic, places: Mapping[Basic, Tree]) -> Tree:
    """A formula or an expression as the tree that its Coq text must read as; symbols and others have trees already.

    >>> x = Symbol("x")
    >>> tree_of(x**2 - 1 > 0, {x: variable(0)}) == Reader("forall (a : R), a ^ 2 - 1 > 0").theorem()[1][0]
    True
    """
    if isinstance(part, Symbol) or part in places:
        return places[part]
    if isinstance(part, sp.Rational):
        return Fraction(int(part.p), int(part.q))
    if isinstance(part, sp.Pow):
        return _power(part, places)
    if part in (sp.true, sp.false):
        return ("True",) if part else ("False",)
    if part in (sp.pi, sp.E):
        return ("PI",) if part is sp.pi else ("exp", Fraction(1))
    inner = [tree_of(one, places) for one in part.args]
    if isinstance(part, (sp.Add, sp.Mul)):
        return (sum_of if part.is_Add else product_of)(inner)
    if isinstance(part, (sp.And, sp.Or)):
        return ("/\\" if isinstance(part, sp.And) else "\\/", _in_any_order(inner))
    if isinstance(part, sp.Equivalent) and len(inner) == 2:
        return ("<->", *inner)
    entry = entry_of(part)
    if entry is not None and entry.coq in _TWO:
        return extremum_of(entry.coq, inner)
    if type(part) in _HEADS:
        return (_HEADS[type(part)], *inner)
    raise ValueError(f"{part} has no counterpart in Coq")


def _power(power: sp.Pow, places: Mapping[Basic, Tree]) -> Tree:
    base = tree_of(power.base, places)
    if not power.exp.is_Rational or power.exp.q > 2:
        raise ValueError(f"{power} has no counterpart in Coq")
    return power_of(("sqrt", base) if power.exp.q == 2 else base, int(power.exp.p))
