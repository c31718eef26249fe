"""Families, vectors and matrices of every size at one size: for witnesses, samples and pictures, which have numbers."""

from __future__ import annotations

from collections.abc import Mapping

from sympy import Sum

from proofs_check.kernel.indexed import NotIndexedError
from proofs_check.kernel.inner_products import NotTranslatedError
from proofs_check.kernel.spaces import size_symbols, translation
from proofs_check.kernel.written_out import at_sizes
from theory.errors import LemmascopeError
from theory.language.families import Family
from theory.statements import Statement
from theory.temporal import ForEach


def sizes_of(statement: Statement) -> list[str]:
    """The names of the sizes of a statement about families.

    >>> from sympy import Reals, Symbol
    >>> from theory.language.families import family
    >>> k, n = Symbol("k"), Symbol("n")
    >>> u = family("u", n)
    >>> sizes_of(Statement(variables={u: Reals}, then=Sum(u[k] ** 2, (k, 1, n)) >= 0))
    ['n']
    """
    moves = () if statement.dynamics is None else statement.dynamics.right_side
    parts = (statement.then, *statement.given, *moves, *statement.start.values())
    found = {size.name for u in (*statement.variables, *statement.start) if isinstance(u, Family) for size in u.sizes}
    found |= {limit[2].name for part in parts for total in part.atoms(Sum) for limit in total.limits}
    return sorted(found | {part.size.name for whole in parts for part in whole.atoms(ForEach)})


def at_one_size(statement: Statement, sizes: Mapping[str, int]) -> Statement:
    """The statement with every family written out, or a sentence that says why it is not."""
    try:
        return at_sizes(statement, sizes).but(id=statement.id, title=statement.title)
    except NotIndexedError as error:
        raise LemmascopeError(str(error)) from error


def entry_by_entry(statement: Statement, size: int) -> Statement:
    """The statement with vectors and matrices of one size written out, or a sentence that says why it is not.

    >>> from theory.language.spaces import Vectors, norm
    >>> from theory.dynamics import vector
    >>> x = vector("x")
    >>> entry_by_entry(Statement(variables={x: Vectors()}, given=(norm(x) > 0,), then=norm(x) ** 2 > 0), 2).given
    (sqrt(x_1_1**2 + x_2_1**2) > 0,)
    """
    try:
        translated = translation(statement, "size", dict.fromkeys(size_symbols(statement), size))
    except NotTranslatedError as error:
        raise LemmascopeError(str(error)) from error
    if not translated.is_exact:
        raise LemmascopeError("not everything in the statement has a value, so that it is not written out")
    return translated.about_numbers
