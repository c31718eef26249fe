"""Coq propositions about vectors of every size, read back: inner products are sums of Coq's own library.

A vector of size n + 1 is a sequence whose first n + 1 members are its coordinates, so that
sum_f_R0 (fun i => x i * y i) n is an inner product, and the square root of one is a norm.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from sympy import Basic, Expr, MatAdd, MatMul, MatrixSymbol, Symbol, ZeroMatrix, true
from sympy.matrices.expressions.matexpr import MatrixExpr

from proofs_check.kernel import coq_terms as coq
from theory.language.spaces import ANY_SIZE, Inner, Norm, Space, Vectors
from theory.statements import Statement
from theory.temporal import is_plain


def sizes_of(statement: Statement) -> dict[MatrixSymbol, Expr]:
    """The vectors of a statement about numbers and vectors alone, each with the symbol of its size; else ValueError."""
    if statement.dynamics is not None or statement.noise or statement.computed is not None:
        raise ValueError("something moves, is drawn or is computed")
    if not all(is_plain(part) for part in (*statement.hypotheses, statement.conclusion)):
        raise ValueError("not a plain statement")
    found: dict[MatrixSymbol, Expr] = {}
    for letter, domain in statement.variables.items():
        if isinstance(letter, MatrixSymbol) and isinstance(domain, Vectors) and domain.size is None:
            found[letter] = domain.args[0] if domain.args else ANY_SIZE
        elif not isinstance(letter, Symbol) or isinstance(domain, Space):
            raise ValueError(f"{letter} is neither a number nor a vector of every size")
    return found


def forms_of(statement: Statement) -> list[Expr]:
    """The inner products and norms of a statement."""
    parts = (*statement.hypotheses, statement.conclusion)
    return sorted(set().union(*(part.atoms(Inner, Norm) for part in parts)), key=str)


def states_vectors(text: str, statement: Statement) -> bool:
    """Whether a Coq proposition says of all vectors of every size what a statement does, and that it has a value.

    >>> from theory.language.spaces import any_vector, inner
    >>> x = any_vector("x")
    >>> lemma = Statement(variables={x: Vectors()}, then=inner(x, x) >= 0)
    >>> said = "forall (n : nat) (x : nat -> R), (sum_f_R0 (fun i : nat => (x i) * (x i)) n >= {})"
    >>> states_vectors(said.format(0), lemma), states_vectors(said.format(1), lemma)
    (True, False)
    """
    try:
        sizes = sizes_of(statement)
        numbers = [symbol for symbol in statement.variables if isinstance(symbol, Symbol)]
        named = list(dict.fromkeys(sizes.values()))
        wanted = (coq.SIZE,) * len(named) + (coq.NUMBER,) * len(numbers) + (coq.SEQUENCE,) * len(sizes)
        places: dict[Basic, coq.Tree] = {symbol: coq.variable(len(named) + k) for k, symbol in enumerate(numbers)}
        entries = {letter: ("at", len(named) + len(numbers) + k, coq.INDEX) for k, letter in enumerate(sizes)}
        for form in forms_of(statement):
            (own,) = {named.index(sizes[letter]) for letter in form.atoms(MatrixSymbol)}
            places[form] = _form(form, own, entries, places)
        kinds, (*hypotheses, conclusion) = coq.Reader(text).theorem()
        given = [coq.tree_of(part, places) for part in statement.hypotheses if part != true]
        concluded = [
            coq.tree_of(part, places) for part in (*coq.conditions(statement.conclusion), statement.conclusion)
        ]
    except (ValueError, IndexError, KeyError):
        return False
    whole = coq.joined(concluded) if len(concluded) > 1 else concluded[0]
    return kinds == wanted and set(hypotheses) <= set(given) and conclusion == whole


def _form(form: Expr, size: int, entries: dict[MatrixSymbol, coq.Tree], places: dict[Basic, coq.Tree]) -> coq.Tree:
    """An inner product or a norm as a sum over the coordinates."""
    parts = [_entry(part, entries, places) for part in form.args]
    if isinstance(form, Inner):
        return ("sum", size, coq.product_of(parts))
    return ("sqrt", ("sum", size, coq.power_of(parts[0], 2)))


def _entry(vector: Basic, entries: dict[MatrixSymbol, coq.Tree], places: dict[Basic, coq.Tree]) -> coq.Tree:
    """One coordinate of a combination of vectors."""
    if isinstance(vector, MatrixSymbol):
        return entries[vector]
    if isinstance(vector, ZeroMatrix):
        return Fraction(0)
    if isinstance(vector, MatAdd):
        return coq.sum_of(_entry(part, entries, places) for part in vector.args)
    if isinstance(vector, MatMul):
        return coq.product_of(_factors(vector.args, entries, places))
    raise ValueError(f"{vector} has no coordinates")


def _factors(
    parts: Iterable[Basic], entries: dict[MatrixSymbol, coq.Tree], places: dict[Basic, coq.Tree]
) -> list[coq.Tree]:
    return [
        _entry(part, entries, places) if isinstance(part, MatrixExpr) else coq.tree_of(part, places) for part in parts
    ]
