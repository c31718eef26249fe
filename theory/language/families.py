"""Families of numbers u[1], ..., u[d] of every size d: symbols, entries, and sums over an index (SymPy's Sum).

An entry has as many indices as the family has sizes; an index runs from 1 to the size in its place. What the sums mean
for every size is known to the kernel alone. A family moves when a state names its entries: `Map((w[i, j],), (...,))`.
"""

from __future__ import annotations

from typing import Any

from sympy import Basic, Expr, Set, Sum, Symbol, Tuple, sympify
from sympy.core.symbol import Str
from sympy.printing.printer import Printer

from theory.errors import LemmascopeError

__all__ = ["WORDS", "Entry", "Entrywise", "Family", "Sum", "entries_in", "family"]


class Family(Basic):
    """Numbers with one or more indices, as many as the sizes say.

    >>> u, k, d = family("u", Symbol("d")), Symbol("k"), Symbol("d")
    >>> Sum(u[k] ** 2, (k, 1, d))
    Sum(u[k]**2, (k, 1, d))
    """

    def __new__(cls, name: str | Str, sizes: Tuple) -> Family:
        return Basic.__new__(cls, name if isinstance(name, Str) else Str(name), sizes)

    @property
    def name(self) -> str:
        """What it is called."""
        return str(self.args[0].name)

    @property
    def sizes(self) -> tuple[Expr, ...]:
        """How far each index runs."""
        return tuple(self.args[1])

    @property
    def free_symbols(self) -> set[Basic]:
        """Itself."""
        return {self}

    def __getitem__(self, indices: Any) -> Entry:
        return Entry(self, *(indices if isinstance(indices, tuple) else (indices,)))

    __iter__ = None

    def _sympystr(self, _printer: Printer) -> str:
        return self.name

    def _latex(self, printer: Printer) -> str:
        name = printer.doprint(Symbol(self.name))
        indices = "ijklmnpqrs"[: len(self.sizes)]
        ranges = ", ".join(rf"{i} \leq {printer.doprint(size)}" for i, size in zip(indices, self.sizes, strict=True))
        return rf"\left({name}_{{{','.join(indices)}}}\right)_{{{ranges}}}"


class Entry(Expr):
    """One number of a family.

    >>> family("X", Symbol("m"), Symbol("n"))[Symbol("i"), Symbol("j")]
    X[i, j]
    """

    is_commutative = True

    def __new__(cls, of: Family, *indices: Any) -> Entry:
        if not isinstance(of, Family):
            raise LemmascopeError(f'{of!r} is no family: create it with family("u", d)')
        chosen = [sympify(index) for index in indices]
        if len(chosen) != len(of.sizes):
            raise LemmascopeError(f"{of.name} has {len(of.sizes)} indices, not {len(chosen)}: give one for each size")
        for index in chosen:
            if not isinstance(index, Symbol):
                raise LemmascopeError(
                    f"the index {index} of {of.name} is no symbol: bind one with Sum(..., (k, 1, d)) or"
                    " ForEach(k, d, ...)"
                )
        return Basic.__new__(cls, of, *chosen)

    @property
    def family(self) -> Family:
        """Whose number it is."""
        return self.args[0]

    @property
    def indices(self) -> tuple[Symbol, ...]:
        """Which one."""
        return self.args[1:]

    @property
    def free_symbols(self) -> set[Basic]:
        """The family and the indices."""
        return {self.family, *self.indices}

    def _sympystr(self, printer: Printer) -> str:
        return f"{self.family.name}[{', '.join(map(printer.doprint, self.indices))}]"

    def _latex(self, printer: Printer, exp: str | None = None) -> str:
        text = rf"{{{printer.doprint(Symbol(self.family.name))}}}_{{{','.join(map(printer.doprint, self.indices))}}}"
        return text if exp is None else rf"{text}^{{{exp}}}"


class Entrywise(Expr):
    """A number for every place of a family, by a formula in the indices.

    >>> i, d = Symbol("i"), Symbol("d")
    >>> Entrywise(family("u", d)[i] ** 2, i).free_symbols == {family("u", d)}
    True
    """

    def __new__(cls, number: Any, *indices: Symbol) -> Entrywise:
        if len(set(indices)) != len(indices) or not all(isinstance(index, Symbol) for index in indices):
            raise LemmascopeError(f"the indices {indices} are not distinct symbols: write w[i, j] for an entry")
        return Basic.__new__(cls, sympify(number), *indices)

    @property
    def number(self) -> Expr:
        """The formula."""
        return self.args[0]

    @property
    def indices(self) -> tuple[Symbol, ...]:
        """The symbols of the formula that stand for a place."""
        return self.args[1:]

    @property
    def free_symbols(self) -> set[Basic]:
        """Those of the formula, without the indices."""
        return self.number.free_symbols - set(self.indices)

    def _sympystr(self, printer: Printer) -> str:
        return f"({printer.doprint(self.number)} for {', '.join(map(printer.doprint, self.indices))})"


def family(name: str, *sizes: Any) -> Family:
    """Numbers u[i], or X[i, j], with every index from 1 to a size, which is a symbol: every size.

    >>> family("u", Symbol("d")).sizes
    (d,)
    """
    if not isinstance(name, str) or not name.isidentifier():
        raise LemmascopeError(f'a family needs a name, not {name!r}: u = family("u", d)')
    found = [sympify(size) for size in sizes]
    if not found:
        raise LemmascopeError(f'the family {name} needs a size: {name} = family("{name}", d)')
    for size in found:
        if not isinstance(size, Symbol):
            raise LemmascopeError(f"the size {size} of the family {name} is no symbol: for one size write it out")
    return Family(name, Tuple(*found))


def entries_in(of: Family, domain: Any) -> Set:
    """The set in which every number of a family lies."""
    if not isinstance(domain, Set) or domain.free_symbols:
        raise LemmascopeError(f"the numbers of {of.name} lie in a set such as Reals or Interval(0, 1), not {domain!r}")
    return domain


WORDS = (Entry, Entrywise)
"""What the language has for families beside SymPy's sums."""
