"""Random steps in double precision: noises drawn from a law that has the stated moments, many paths at once.

Paths are the first axis of every array; a vector has its coordinates along the second.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from sympy import Add, Basic, Expr, MatAdd, MatMul, MatrixSymbol, Mul, Pow, Symbol, Transpose, Tuple, ZeroMatrix
from sympy.matrices.expressions.matexpr import MatrixExpr

from theory.errors import LemmascopeError
from theory.language.means import Drawn, Noise
from theory.language.spaces import Inner, Norm

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Values = NDArray[np.float64]


def drawn_values(
    drawn: Drawn, law: Noise, point: Mapping[Basic, Any], random: np.random.Generator, shape: tuple[int, int]
) -> dict[Basic, Values]:
    """One draw for every path: paths and coordinates are the shape.

    >>> xi = Symbol("xi")
    >>> coin = drawn_values((xi,), Noise(values=(-1, 1)), {}, np.random.default_rng(0), (1000, 1))[xi]
    >>> sorted(set(coin.tolist()))
    [-1.0, 1.0]
    """
    paths = shape[0]
    if law.values:
        rows = [tuple(value) if isinstance(value, Tuple) else (value,) for value in law.values]
        table = np.array([[_float(item, point) for item in row] for row in rows])
        chosen = table[random.choice(len(rows), size=paths, p=[_float(p, point) for p in law.probabilities])]
        return {symbol: chosen[:, place] for place, symbol in enumerate(drawn)}
    symbol = drawn[0]
    mean, variance = _float(law.mean, point), _float(law.variance, point)
    if law.moments:
        values, chances = _quadrature(
            [1.0, mean, mean**2 + variance, *(_float(v, point) for v in law.moments.values())]
        )
        return {symbol: random.choice(values, size=paths, p=chances)}
    size = shape if isinstance(symbol, MatrixSymbol) else (paths,)
    return {symbol: mean + np.sqrt(variance) * random.standard_normal(size)}


def _quadrature(moments: list[float]) -> tuple[Values, Values]:
    """Finitely many values with these moments: the nodes and weights of Gauss, from the Hankel matrix."""
    half = (len(moments) + 1) // 2
    padded = [*moments, 0.0] if len(moments) % 2 else moments
    hankel = np.array([[padded[i + j] for j in range(half)] for i in range(half)])
    shifted = np.array([[padded[i + j + 1] for j in range(half)] for i in range(half)])
    try:
        inverse = np.linalg.inv(np.linalg.cholesky(hankel))
    except np.linalg.LinAlgError as error:
        raise LemmascopeError(f"no noise is known with the moments {moments[1:]}") from error
    nodes, vectors = np.linalg.eigh(inverse @ shifted @ inverse.T)
    weights = (vectors[0] * inverse[0, 0] * moments[0]) ** 2
    return nodes, weights / weights.sum()


def value_of(expression: Basic, values: Mapping[Basic, Any]) -> Any:
    """A number or a vector on every path.

    >>> x = Symbol("x")
    >>> value_of(x**2 + 1, {x: np.array([1.0, 2.0])}).tolist()
    [2.0, 5.0]
    """
    if expression in values:
        return values[expression]
    parts = expression.args
    if isinstance(expression, (Add, MatAdd)):
        return sum(value_of(part, values) for part in parts)
    if isinstance(expression, Mul):
        return np.prod(np.broadcast_arrays(*(value_of(part, values) for part in parts)), axis=0)
    if isinstance(expression, Pow) and expression.exp.is_number:
        return value_of(parts[0], values) ** float(parts[1])
    if isinstance(expression, Inner):
        return np.sum(value_of(parts[0], values) * value_of(parts[1], values), axis=-1)
    if isinstance(expression, Norm):
        return np.sqrt(np.sum(value_of(parts[0], values) ** 2, axis=-1))
    if isinstance(expression, ZeroMatrix):
        return 0.0
    if isinstance(expression, MatMul):
        return _product(expression, values)
    return float(expression)


def _product(of: MatMul, values: Mapping[Basic, Any]) -> Any:
    """A vector times numbers and inner products written as rows times columns."""
    factor = np.prod(
        np.broadcast_arrays(1.0, *(value_of(p, values) for p in of.args if not isinstance(p, MatrixExpr))), axis=0
    )
    columns = [part for part in of.args if isinstance(part, MatrixExpr)]
    for row, column in zip(columns[1::2], columns[2::2], strict=True):
        if not isinstance(row, Transpose):
            raise LemmascopeError(f"{of} has a matrix: noise is for numbers and vectors")
        factor = factor * np.sum(value_of(row.args[0], values) * value_of(column, values), axis=-1)
    return np.asarray(factor)[..., None] * value_of(columns[0], values)


def _float(of: Expr, point: Mapping[Basic, Any]) -> float:
    return float(value_of(of, point))


def means_along(
    state: Mapping[Basic, Any],
    update: Mapping[Basic, Basic],
    noise: Mapping[Drawn, Noise],
    quantities: list[Expr],
    point: Mapping[Symbol, Any],
    *,
    steps: int,
    shape: tuple[int, int],
    seed: int,
) -> list[list[tuple[float, float]]]:
    """Mean and standard error of each quantity after 0, 1, ..., steps steps of a seeded ensemble.

    >>> x, xi = Symbol("x"), Symbol("xi")
    >>> walk = means_along({x: 0.0}, {x: x + xi}, {(xi,): Noise(values=(-1, 1))}, [x**2], {}, steps=1, shape=(10, 1),
    ...     seed=0)
    >>> [row[0] for row in walk]
    [(0.0, 0.0), (1.0, 0.0)]
    """
    random = np.random.default_rng(seed)
    current = {
        symbol: np.broadcast_to(
            np.asarray(value, dtype=float), shape if isinstance(symbol, MatrixSymbol) else shape[:1]
        )
        for symbol, value in state.items()
    }
    rows: list[list[tuple[float, float]]] = []
    for step in range(steps + 1):
        known: dict[Basic, Any] = {**point, **current}
        for drawn, law in noise.items():
            known |= drawn_values(drawn, law, point, random, shape)
        found = [
            np.broadcast_to(np.asarray(value_of(quantity, known), dtype=float), shape[:1]) for quantity in quantities
        ]
        rows.append([(float(of.mean()), float(of.std() / np.sqrt(len(of)))) for of in found])
        if step < steps:
            current = {
                symbol: np.broadcast_to(value_of(moved, known), current[symbol].shape)
                for symbol, moved in update.items()
            }
    return rows
