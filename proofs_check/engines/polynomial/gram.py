"""Weighted sums of squares as linear algebra: unknown Gram matrices and cofactors that match given coefficients.

sum_k  (basis_k' Q_k basis_k) * weight_k  +  sum_j lambda_j * equation_j  =  target,     Q_k positive semidefinite
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import flint
import numpy as np
from scipy import sparse
from scipy.linalg import qr

from theory.polynomials import Polynomial


@dataclass(frozen=True)
class Block:
    """One sum of squares of combinations of `basis`, times `weight`."""

    basis: tuple[Any, ...]
    weight: Polynomial = None

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """The entries of the upper triangle, column by column."""
        return [(i, j) for j in range(len(self.basis)) for i in range(j + 1)]


@dataclass
class System:
    """A linear system for the entries of symmetric matrices and some free numbers, exact and in floating point."""

    blocks: Sequence[Block]
    columns: list[dict[Any, Any]]
    """What each unknown contributes: first the upper triangles of the blocks, then the free numbers."""
    wanted: dict[Any, Any]

    @cached_property
    def rows(self) -> list[Any]:
        """Whose coefficients must match."""
        return sorted(set().union(*self.columns, self.wanted))

    @cached_property
    def right(self) -> list[Any]:
        """The coefficients that are wanted."""
        return [self.wanted.get(row, flint.fmpq(0)) for row in self.rows]

    @cached_property
    def matrix(self) -> sparse.csc_matrix:
        """The coefficient matrix in floating point."""
        place = {row: k for k, row in enumerate(self.rows)}
        entries = [(place[e], k, _float(c)) for k, column in enumerate(self.columns) for e, c in column.items()]
        rows, columns, values = (list(part) for part in zip(*entries, strict=True)) if entries else ([], [], [])
        return sparse.csc_matrix((values, (rows, columns)), shape=(len(self.rows), len(self.columns)))

    @cached_property
    def normal(self) -> dict[tuple[int, int], Any]:
        """The coefficient matrix times its transpose, exactly, without zeros that no column makes."""
        place = {row: k for k, row in enumerate(self.rows)}
        found: dict[tuple[int, int], Any] = {}
        for column in self.columns:
            entries = [(place[row], coefficient) for row, coefficient in column.items()]
            for a, one in entries:
                for b, other in entries:
                    found[a, b] = found.get((a, b), 0) + one * other
        return found

    @cached_property
    def independent(self) -> list[int]:
        """A largest independent set of rows, as floating point sees it."""
        triangle, order = qr(self.matrix.toarray().T, mode="r", pivoting=True)
        diagonal = np.abs(np.diag(triangle))
        rank = int(np.sum(diagonal > 1e-9 * max(1.0, diagonal[0]))) if len(diagonal) else 0
        return sorted(int(k) for k in order[:rank])


def matching(target: Polynomial, blocks: Sequence[Block], multiples: Sequence[Polynomial]) -> System:
    """The coefficients of weighted sums of squares and of multiples with free coefficients, against the target's."""
    columns: list[dict[Any, Any]] = []
    for block in blocks:
        weighted = [part * block.weight for part in block.basis]
        for i, j in block.pairs:
            product = weighted[i] * block.basis[j]
            columns.append((product if i == j else 2 * product).to_dict())
    columns += [multiple.to_dict() for multiple in multiples]
    return System(blocks, columns, target.to_dict())


def _float(number: Any) -> float:
    return int(number.p) / int(number.q)


def solve(system: System, seconds: float) -> tuple[list[np.ndarray], np.ndarray, float] | None:
    """Gram matrices whose smallest eigenvalue is as large as possible, the free coefficients, and that eigenvalue."""
    found = _solved(system, range(len(system.rows)), seconds)
    if found is None and len(system.independent) < len(system.rows):
        found = _solved(system, system.independent, seconds)  # equations that repeat others can end the solver
    if found is None:
        return None
    count, gram = len(system.columns), sum(len(block.pairs) for block in system.blocks)
    return _matrices(system, found), found[gram:count], float(found[count])


def _solved(system: System, rows: Sequence[int], seconds: float) -> np.ndarray | None:
    import clarabel

    entries, cones, height = _cones(system, rows, clarabel)
    count = len(system.columns)
    places, columns, values = (np.concatenate(part) for part in zip(*entries, strict=True))
    sides = np.zeros(height)
    sides[: len(rows)] = [_float(system.right[row]) for row in rows]
    sides[len(rows)] = 1.0
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    settings.time_limit = max(0.05, seconds)
    settings.max_threads = 1
    cost = np.zeros(count + 1)
    cost[count] = -1.0
    solver = clarabel.DefaultSolver(
        sparse.csc_matrix((count + 1, count + 1)), cost,
        sparse.csc_matrix((values, (places, columns)), shape=(height, count + 1)), sides, cones, settings,
    )  # fmt: skip
    try:
        solution = solver.solve()
    except BaseException as error:  # a panic of the solver, which is no Exception, means that it has no answer
        if type(error).__name__ != "PanicException":
            raise
        return None
    if str(solution.status) not in ("Solved", "AlmostSolved", "InsufficientProgress"):
        return None
    found = np.array(solution.x)
    return found if np.all(np.isfinite(found)) else None


def _cones(system: System, rows: Sequence[int], clarabel: Any) -> tuple[list[tuple[Any, Any, Any]], list[Any], int]:
    """The conditions row by row: the equations, the margin below one, and blocks larger than the margin."""
    coefficients, count = system.matrix.tocsr()[list(rows)].tocoo(), len(system.columns)
    height = len(rows)
    entries = [(coefficients.row, coefficients.col, coefficients.data), (_whole([height]), _whole([count]), np.ones(1))]
    cones, start, single = [clarabel.ZeroConeT(height)], 0, 1
    height += 1
    for block in system.blocks:
        pairs = block.pairs
        diagonal = [k for k, (i, j) in enumerate(pairs) if i == j]
        scale = [-1.0 if i == j else -np.sqrt(2.0) for i, j in pairs]
        entries.append(
            (_whole(range(height, height + len(pairs))), _whole(range(start, start + len(pairs))), np.array(scale))
        )
        entries.append((height + _whole(diagonal), _whole([count] * len(diagonal)), np.ones(len(diagonal))))
        if len(block.basis) == 1:
            single += 1
        else:
            cones += [clarabel.NonnegativeConeT(single)] if single else []
            cones.append(clarabel.PSDTriangleConeT(len(block.basis)))
            single = 0
        start, height = start + len(pairs), height + len(pairs)
    return entries, [*cones, *([clarabel.NonnegativeConeT(single)] if single else [])], height


def _whole(numbers: Any) -> Any:
    return np.array(list(numbers), dtype=np.int64)


def _matrices(system: System, values: np.ndarray) -> list[np.ndarray]:
    found, start = [], 0
    for block in system.blocks:
        gram = np.zeros((len(block.basis),) * 2)
        for k, (i, j) in enumerate(block.pairs):
            gram[i, j] = gram[j, i] = values[start + k]
        start += len(block.pairs)
        found.append(gram)
    return found
