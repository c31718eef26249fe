"""Statements about vectors of every size as Coq theorems: coordinates are found in Coq, then numbers are left.

A few vectors have triangular coordinates (the prelude proves it by taking one out of the others), every inner product
is a combination of those of the vectors alone, and what is left is the statement about numbers with its certificate.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import sympy as sp
from sympy import Add, Basic, Expr, MatAdd, MatMul, MatrixSymbol, Mul, S, Symbol, ZeroMatrix
from sympy.matrices.expressions.matexpr import MatrixExpr

from proofs_check.budget import Budget
from proofs_check.coq.language import Names, NotCoqError, conclusion, plain_name, proposition, term
from proofs_check.coq.scripts import framed, lemma
from proofs_check.engines.discharge import discharge
from proofs_check.goals import Goal, goal_of
from proofs_check.kernel.coq_vectors import forms_of, sizes_of
from proofs_check.kernel.inner_products import NotTranslatedError
from proofs_check.kernel.spaces import coordinates_of, length_of, translation
from theory.language.spaces import Inner
from theory.statements import Statement

_COUNTS = {1: "one", 2: "two", 3: "three"}
"""How many vectors of one size have coordinates in the prelude."""


def vectors_script(statement: Statement, certificate: Mapping[str, Any] | None, choice: int = 0) -> str:
    """A Coq file for a statement about numbers and vectors of every size; NotCoqError for all others."""
    try:
        sizes = sizes_of(statement)
        about = translation(statement, "coordinates").about_numbers
    except (ValueError, NotTranslatedError) as error:
        raise NotCoqError(str(error)) from error
    return _Writer(statement, sizes, about).script(certificate, choice)


class _Writer:
    def __init__(self, statement: Statement, sizes: Mapping[MatrixSymbol, Expr], about: Statement) -> None:
        self._statement, self._sizes = statement, sizes
        goal = goal_of(about)
        if goal is None:
            raise NotCoqError("what is left of numbers is not plain")
        self._goal, self._inner = goal, Names(goal)
        numbers = {symbol: domain for symbol, domain in statement.variables.items() if isinstance(symbol, Symbol)}
        self._numbers = Names(Goal(numbers, (), sp.true))
        self._letters = {letter: f"{plain_name(letter.name)}_v{k}" for k, letter in enumerate(sizes)}
        self._size_names = {size: f"size_{k}" for k, size in enumerate(dict.fromkeys(sizes.values()))}
        self._coordinates, self._values = list[Symbol](), dict[MatrixSymbol, list[Expr]]()
        fresh = [symbol for symbol in about.variables if symbol not in numbers]
        for size in self._size_names:
            group = [letter for letter in sizes if sizes[letter] == size]
            for place, letter in enumerate(group):
                own, fresh = fresh[: place + 1], fresh[place + 1 :]
                self._values[letter] = [*own, *[S.Zero] * (len(group) - len(own))]
        if fresh:
            raise NotCoqError("the coordinates are not triangular")

    def script(self, certificate: Mapping[str, Any] | None, choice: int) -> str:
        """The whole file."""
        forms = forms_of(self._statement)
        texts = {form: self._form(form) for form in forms}
        names = Names(Goal({}, (), sp.true), bound={**self._number_names(), **texts})
        given = [f"({proposition(part, names)}) -> " for part in self._statement.hypotheses if part != sp.true]
        theorem = f"{self._binders()}, {''.join(given)}{conclusion(self._statement.conclusion, names)}"
        lines = lemma("L", self._goal, self._inner, self._proved(certificate), choice)
        lines += [self._general(place, form) for place, form in enumerate(forms)]
        lines += ["intros.", *self._found()]
        for place, form in enumerate(forms):
            lines += self._known(place, form, texts[form])
        lines += [f"ls_put N{place}." for place, form in enumerate(forms) if not isinstance(form, Inner)]
        lines += [*(f"ls_put T{place}." for place in range(len(forms))), "ls_even_roots."]
        own = self._own()
        used = " ".join((self._inner if symbol in own else self._numbers)[symbol] for symbol in self._goal.variables)
        return framed(theorem, [*lines, f"ls_use (L {used}).", "ls_shown."])

    def _proved(self, certificate: Mapping[str, Any] | None) -> Mapping[str, Any] | None:
        """The certificate of the statement about numbers: the one that is kept, or what is found for it now."""
        if certificate and certificate.get("route") == "coordinates":
            return dict(certificate["certificate"])
        found = discharge(self._goal, Budget.of("quick").start())
        return None if found is None else found.certificate

    def _own(self) -> set[Basic]:
        return {symbol for own in self._values.values() for symbol in own}

    def _number_names(self) -> dict[Expr, str]:
        return {s: self._numbers[s] for s in self._statement.variables if isinstance(s, Symbol)}

    def _binders(self) -> str:
        sizes, letters = list(self._size_names.values()), list(self._letters.values())
        groups = [("nat", sizes), ("R", list(self._numbers)), ("nat -> R", letters)]
        return "forall " + " ".join(f"({' '.join(names)} : {kind})" for kind, names in groups if names)

    # -- inner products and norms -------------------------------------------------------------------------------------

    def _size_of(self, form: Expr) -> str:
        found = {self._sizes[letter] for letter in form.atoms(MatrixSymbol)}
        if len(found) != 1:
            raise NotCoqError(f"{form} joins vectors of different sizes, or none")
        return self._size_names[found.pop()]

    def _sum(self, form: Expr) -> str:
        """The sum that an inner product is, or that is under the root of a norm."""
        parts = [self._entry(part) for part in form.args]
        body = " * ".join(parts) if isinstance(form, Inner) else f"{parts[0]} ^ 2"
        return f"sum_f_R0 (fun i : nat => {body}) {self._size_of(form)}"

    def _form(self, form: Expr) -> str:
        return f"({self._sum(form)})" if isinstance(form, Inner) else f"(sqrt ({self._sum(form)}))"

    def _entry(self, vector: Basic) -> str:
        if isinstance(vector, MatrixSymbol):
            return f"({self._letters[vector]} i)"
        if isinstance(vector, ZeroMatrix):
            return "0"
        if isinstance(vector, (MatAdd, MatMul)):
            joint = " + " if isinstance(vector, MatAdd) else " * "
            parts = [self._entry(p) if isinstance(p, MatrixExpr) else term(p, self._numbers) for p in vector.args]
            return f"({joint.join(parts)})"
        raise NotCoqError(f"{vector} has no coordinates")

    def _general(self, place: int, form: Expr) -> str:
        """That a sum is a combination of those of the vectors alone, for all vectors of every size."""
        left, right = (_combination(form.args[0]), _combination(form.args[-1]))
        parts = dict[tuple[MatrixSymbol, MatrixSymbol], Expr]()
        order = list(self._sizes)
        for (one, a), (two, b) in ((x, y) for x in left.items() for y in right.items()):
            pair = (one, two) if order.index(one) <= order.index(two) else (two, one)
            parts[pair] = Add(parts.get(pair, S.Zero), Mul(a, b))
        size = self._size_of(form)
        basic = " + ".join(
            f"{term(factor, self._numbers)} * sum_f_R0 (fun i : nat => {self._entry(one)} * {self._entry(two)}) {size}"
            for (one, two), factor in parts.items()
        )
        return f"assert (G{place} : {self._binders()}, {self._sum(form)} = {basic or '0'}) by ls_sums."

    def _found(self) -> list[str]:
        """The sentences that find coordinates for the vectors of each size."""
        lines = []
        for size, name in self._size_names.items():
            group = [letter for letter in self._sizes if self._sizes[letter] == size]
            if len(group) not in _COUNTS:
                raise NotCoqError("more than three vectors of one size")
            own = [self._inner[symbol] for letter in group for symbol in self._values[letter] if symbol != 0]
            vectors = " ".join(self._letters[letter] for letter in group)
            lines.append(f"ls_coordinates_{_COUNTS[len(group)]} {name} {vectors} {' '.join(own)}.")
        return lines

    def _known(self, place: int, form: Expr, text: str) -> list[str]:
        """The sentences that put numbers for one inner product or norm."""
        sides = [coordinates_of(part, self._values) for part in form.args]
        total = Add(*(a * b for a, b in zip(sides[0], sides[-1], strict=True)))
        names = " ".join([*self._size_names.values(), *self._numbers, *self._letters.values()])
        value = self._in_coordinates(total)
        lines = [f"assert (T{place} : {self._sum(form)} = {value}) by ls_gathered (G{place} {names})."]
        if not isinstance(form, Inner):
            length = self._in_coordinates(length_of(sides[0]))
            lines.append(f"assert (N{place} : {text} = {length}) by ls_length T{place}.")
        return lines

    def _in_coordinates(self, value: Expr) -> str:
        own = {symbol: self._inner[symbol] for symbol in value.free_symbols & self._own()}
        return term(value, Names(Goal({}, (), sp.true), bound={**self._number_names(), **own}))


def _combination(vector: Basic) -> dict[MatrixSymbol, Expr]:
    """A vector as a combination of letters."""
    if isinstance(vector, MatrixSymbol):
        return {vector: S.One}
    if isinstance(vector, ZeroMatrix):
        return {}
    if isinstance(vector, MatAdd):
        total = dict[MatrixSymbol, Expr]()
        for part in vector.args:
            for letter, factor in _combination(part).items():
                total[letter] = Add(total.get(letter, S.Zero), factor)
        return total
    if isinstance(vector, MatMul) and isinstance(vector.args[-1], MatrixExpr) and _is_scaled(vector.args):
        return {letter: Mul(*vector.args[:-1], factor) for letter, factor in _combination(vector.args[-1]).items()}
    raise NotCoqError(f"{vector} is no combination of vectors")


def _is_scaled(parts: Sequence[Basic]) -> bool:
    return not any(isinstance(part, MatrixExpr) for part in parts[:-1])
