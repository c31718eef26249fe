"""Definitions 1 and 3, Remark 3 and Theorem B.3 in every dimension: what is stated holds of matrices with numbers."""

import numpy as np
import pytest
from sympy import Ne, lambdify
from sympy.core.relational import Eq, Relational

from proofs_check import verify
from proofs_check.kernel.spaces import at_size
from theory import norm
from theory.edge_of_stability.factorisation import alpha
from theory.library import entry


def statement(number):
    return entry(f"edge_of_stability/{number}").statement()


def top(matrix):
    """The top singular triple, the second value, and what they leave of the Gram matrix on the left."""
    left, values, right = np.linalg.svd(matrix)
    u, second = left[:, [0]], values[1]
    rest = second**2 * np.eye(len(matrix)) + (values[0] ** 2 - second**2) * u @ u.T - matrix @ matrix.T
    return u, right[[0]].T, values[0], second, rest


def singular(name, value, matrix):
    u, v, largest, second, rest = top(matrix)
    return {f"u_{name}": u, f"v_{name}": v, value: largest, f"t_{name}": second, f"R_{name}": rest}


def numbers(matrices):
    found = {}
    for name, value in matrices.items():
        if np.ndim(value) == 0:
            found[name] = float(value)
        else:
            found |= {f"{name}_{i + 1}_{j + 1}": value[i, j] for i, j in np.ndindex(value.shape)}
    return found


def keeps(relation, values):
    """By how much a relation holds, an equation up to rounding."""
    symbols = sorted(relation.free_symbols, key=str)
    gap = lambdify(symbols, relation.lhs - relation.rhs, "numpy")(*(values[s.name] for s in symbols))
    size = 1 + abs(lambdify(symbols, relation.rhs, "numpy")(*(values[s.name] for s in symbols)))
    if isinstance(relation, Eq):
        return 1 - abs(gap) / size * 1e9
    return (-gap if relation.rel_op in ("<", "<=") else abs(gap) if isinstance(relation, Ne) else gap) + 1e-9 * size


def checked(about, sizes, values):
    """Hypotheses and claims at one size, with numbers for all entries."""
    written = at_size(about, sizes).about_numbers
    hypotheses = [part for given in written.given for part in given.atoms(Relational)]
    assert all(keeps(part, values) > 0 for part in hypotheses)
    return [part for part in written.then.atoms(Relational) if keeps(part, values) <= 0]


@pytest.mark.parametrize("sizes", [(2, 2, 2), (2, 2, 3)])
def test_theorem_b3_holds_of_random_matrices(sizes):
    m, p, q = sizes
    random = np.random.default_rng(sum(sizes))
    X, Y = random.normal(size=(m, p)), random.normal(size=(p, q))
    along = np.linalg.svd(Y)[1][0] * top(X)[0] @ top(Y)[0].T, top(X)[2] * top(X)[1] @ top(Y)[1].T
    for D, E in (along, (random.normal(size=(m, p)), random.normal(size=(p, q)))):
        matrices = {"X": X, "Y": Y, "D": D, "E": E, **singular("x", "s_x", X), **singular("y", "s_y", Y)}
        wrong = checked(statement("theorem-b.3"), {"m": m, "p": p, "q": q}, numbers(matrices))
        assert all(isinstance(part, Eq) for part in wrong), "only the premise of the uniqueness may fail"


def test_remark_3_holds_of_a_random_factorisation():
    random = np.random.default_rng(3)
    half = random.normal(size=(2, 2))
    C, X = half @ half.T, random.normal(size=(2, 2))
    Y = np.linalg.solve(X, C).T
    values, vectors = np.linalg.eigh(C)
    root = vectors @ np.diag(np.sqrt(values)) @ vectors.T
    rest = values[1] * np.eye(2) - C
    D, E = random.normal(size=(2, 2)), random.normal(size=(2, 2))
    matrices = {"X": X, "Y": Y, "D": D, "E": E, "C": C, "S": root, "R": rest, "e": vectors[:, [1]]}
    matrices |= {"sigma_1": np.sqrt(values[1]), **singular("x", "s_x", X), **singular("y", "s_y", Y)}
    assert checked(statement("remark-3"), {"d": 2}, numbers(matrices)) == []


def test_the_rescaled_factors_are_a_minimum_in_every_dimension():
    about = statement("definition-3")
    verdict = verify(about, effort="quick")
    assert verdict.outcome == "proved"
    names = {symbol.name: symbol for symbol in about.variables}
    X, Y, Z = (names[name] for name in ("X_0", "Y", "Z"))
    shifted = norm((alpha * X) * (alpha * X).T - X * X.T) ** 2 <= norm(Y * Z.T - X * X.T) ** 2
    assert verify(about.but(then=shifted), effort="quick").outcome != "proved"


def test_the_gradient_of_a_smooth_function_is_lipschitz_with_no_smaller_constant():
    about = statement("definition-1")
    assert verify(about, effort="quick").outcome == "proved"
    half = about.then.lhs <= about.then.rhs / 2
    assert verify(about.but(then=half), effort="quick").outcome == "refuted"
