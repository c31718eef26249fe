"""Training rules beyond gradient descent as Maps derived from a loss; the formulas of each stand in `theory.rules`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypedDict, Unpack

import sympy as sp

from theory import rules
from theory.dynamics import Map, State, descend, symbols_of
from theory.errors import LemmascopeError
from theory.scalars import scalar


class Common(TypedDict, total=False):
    """What every rule takes: weight decay in the gradient, weight decay beside it, and the step counter."""

    weight_decay: Any
    decoupled_decay: Any
    time: sp.Symbol | None


def sign_descent(loss: Any, state: State, learning_rate: Any, **common: Unpack[Common]) -> Map:
    """Sign descent: every entry moves by the learning rate.

    Every rule takes ``weight_decay`` (in the gradient), ``decoupled_decay`` (beside it) and ``time``, the step.

    >>> x, eta, L = sp.symbols("x eta L", positive=True)
    >>> z = sp.Symbol("z", real=True)
    >>> sign_descent(L * z**2 / 2, z, eta).update
    (-eta*sign(z) + z,)
    """
    return descend(loss, state, rules.sign(learning_rate, **common))


def normalised(loss: Any, state: State, learning_rate: Any, *, epsilon: Any = 0, **common: Unpack[Common]) -> Map:
    """Gradient descent by steps of one length; ``epsilon`` is added to the norm, which is 0 without it.

    >>> x, y, eta = sp.symbols("x y eta", real=True)
    >>> normalised((x**2 + y**2) / 2, (x, y), eta).update[0]
    -eta*x/sqrt(x**2 + y**2) + x
    """
    return descend(loss, state, rules.normalised(learning_rate, epsilon=epsilon, **common))


def clipped(loss: Any, state: State, learning_rate: Any, threshold: Any, **common: Unpack[Common]) -> Map:
    """Gradient descent with a gradient that is shortened to the threshold where it is longer.

    >>> x, eta, c = sp.symbols("x eta c", real=True)
    >>> clipped(x**2 / 2, x, eta, c).update
    (-c*eta*x/Max(c, Abs(x)) + x,)
    """
    return descend(loss, state, rules.clipped(learning_rate, threshold, **common))


def adagrad(
    loss: Any,
    state: State,
    learning_rate: Any,
    *,
    epsilon: Any = rules.ADAGRAD_EPSILON,
    **common: Unpack[Common],
) -> Map:
    """Adagrad on the state and the sums of squares ``x_v``, which start at 0.

    >>> x, eta = sp.symbols("x eta", real=True)
    >>> adagrad(x**2 / 2, x, eta, epsilon=1).update
    (-eta*x/(sqrt(x**2 + x_v) + 1) + x, x**2 + x_v)
    """
    return descend(loss, state, rules.adagrad(learning_rate, epsilon=epsilon, **common))


def adam(
    loss: Any,
    state: State,
    learning_rate: Any,
    beta1: Any = rules.BETA1,
    beta2: Any = rules.BETA2,
    *,
    epsilon: Any = rules.ADAM_EPSILON,
    bias_correction: bool = True,
    **common: Unpack[Common],
) -> Map:
    """Adam on the state and its moments ``x_m`` and ``x_v``, which start at 0.

    The correction of their bias needs the step: ``time=k``; ``bias_correction=False`` is the rule of late steps. AdamW
    has ``decoupled_decay``.

    >>> k = sp.Symbol("k", integer=True, nonnegative=True)
    >>> x, eta, a, b = sp.symbols("x eta a b", real=True)
    >>> rule = adam(x**2 / 2, x, eta, a, b, epsilon=0, time=k)
    >>> rule.state, rule.update[1:]
    ((x, x_m, x_v), (a*x_m + x*(1 - a), b*x_v + x**2*(1 - b)))
    >>> sp.simplify(rule.update[0].subs({k: 0, rule.state[1]: 0, rule.state[2]: 0, x: 3, a: sp.S.Half, b: sp.S.Half}))
    3 - eta
    """
    rule = rules.adam(learning_rate, beta1, beta2, epsilon=epsilon, bias_correction=bias_correction, **common)
    return descend(loss, state, rule)


def lion(
    loss: Any,
    state: State,
    learning_rate: Any,
    beta1: Any = rules.BETA1,
    beta2: Any = rules.LION_BETA2,
    **common: Unpack[Common],
) -> Map:
    """Lion on the state and its average slope ``x_m``, which starts at 0.

    >>> x, eta, wd = sp.symbols("x eta wd", real=True)
    >>> lion(x**2 / 2, x, eta, decoupled_decay=wd).update[0]
    -eta*wd*x - eta*sign(x/10 + 9*x_m/10) + x
    """
    return descend(loss, state, rules.lion(learning_rate, beta1, beta2, **common))


def muon(
    loss: Any,
    state: State,
    learning_rate: Any,
    momentum: Any = rules.MUON_MOMENTUM,
    *,
    coefficients: Sequence[Any] = rules.QUINTIC,
    iterations: int = 5,
    epsilon: Any = rules.MUON_EPSILON,
    **common: Unpack[Common],
) -> Map:
    """Muon: the momentum of every matrix of the state, orthogonalised by Newton-Schulz iterations.

    ``coefficients`` and ``iterations`` choose them; the formulas grow fast, so take one or two for theory.

    >>> x, eta = sp.symbols("x eta", real=True)
    >>> muon(x**2 / 2, x, eta, 0, coefficients=rules.CUBIC, iterations=1, epsilon=0).update[0].subs(x, 3)
    3 - eta
    """
    chosen = {"coefficients": coefficients, "iterations": iterations, "epsilon": epsilon}
    return descend(loss, state, rules.muon(learning_rate, momentum, **chosen, **common))


def newton_schulz(state: sp.MatrixBase, coefficients: Sequence[Any] = rules.CUBIC) -> Map:
    """The Newton-Schulz iteration of a matrix of symbols, which makes its singular values one.

    >>> from theory.dynamics import matrix
    >>> X = matrix("X", 1, 2)
    >>> newton_schulz(X).update[0]
    -X_1_1*(X_1_1**2 + X_1_2**2)/2 + 3*X_1_1/2
    """
    if not isinstance(state, sp.MatrixBase):
        raise LemmascopeError('the iteration needs a matrix of symbols: X = matrix("X", 2, 2)')
    return Map(symbols_of(state), tuple(rules.newton_schulz_step(state, _three(coefficients))))


def newton_schulz_scalar(state: sp.Symbol, coefficients: Sequence[Any] = rules.CUBIC) -> Map:
    """What a Newton-Schulz iteration does to each singular value: an odd polynomial of it.

    >>> s = sp.Symbol("s", positive=True)
    >>> scalar_map = newton_schulz_scalar(s)
    >>> scalar_map.update, [orbit.points[0] for orbit in scalar_map.fixed_points()]
    ((-s**3/2 + 3*s/2,), [(1,)])
    """
    return newton_schulz(sp.Matrix([[state]]), coefficients)


def _three(coefficients: Sequence[Any]) -> tuple[sp.Expr, ...]:
    if len(coefficients) != 3:
        raise LemmascopeError(f"Newton-Schulz needs three coefficients a, b, c, not {coefficients}")
    return tuple(scalar(value, "coefficient") for value in coefficients)


def alternating(*maps: Map) -> Map:
    """One round of several Maps, one after the other: each moves its own state and sees what was moved before.

    >>> u, v, eta = sp.symbols("u v eta", real=True)
    >>> from theory.dynamics import gradient_descent
    >>> loss = (u * v - 1) ** 2 / 2
    >>> one, other = gradient_descent(loss, u, eta), gradient_descent(loss, v, eta)
    >>> alternating(one, other).update[1].subs({u: 1, v: 3})
    -eta*(1 - 6*eta)*(2 - 18*eta) + 3
    """
    state, time = _joined(maps)
    current: dict[sp.Symbol, sp.Expr] = {}
    for part in maps:
        moved = (entry.subs(current, simultaneous=True) for entry in part.update)
        current |= dict(zip(part.state, list(moved), strict=True))
    return Map(state, tuple(current[symbol] for symbol in state), time)


def simultaneous(*maps: Map) -> Map:
    """Several Maps at once, each on its own block of the state: one rule for one block, another for the next.

    >>> u, v, eta = sp.symbols("u v eta", real=True)
    >>> from theory.dynamics import gradient_descent
    >>> loss = (u * v - 1) ** 2 / 2
    >>> simultaneous(gradient_descent(loss, u, eta), sign_descent(loss, v, eta)).update
    (-eta*v*(u*v - 1) + u, -eta*sign(u*(u*v - 1)) + v)
    """
    state, time = _joined(maps)
    if sum(len(part.state) for part in maps) != len(state):
        raise LemmascopeError("two of the maps move the same symbol: at once each symbol is moved by one map only")
    return Map(state, tuple(entry for part in maps for entry in part.update), time)


def _joined(maps: Sequence[Map]) -> tuple[tuple[sp.Symbol, ...], sp.Symbol | None]:
    if not maps or not all(isinstance(part, Map) for part in maps):
        raise LemmascopeError("give the Maps that are to be joined")
    clocks = {part.time for part in maps} - {None}
    if len(clocks) > 1:
        raise LemmascopeError(f"the maps count their steps by {clocks}: use one symbol")
    return tuple(dict.fromkeys(symbol for part in maps for symbol in part.state)), next(iter(clocks), None)


def frozen(dynamics: Map, values: dict[sp.Symbol, Any]) -> Map:
    """The Map in which some entries of the state do not move: they are parameters, with other values if wanted.

    >>> x, eta, a, p = sp.symbols("x eta a p", positive=True)
    >>> z = sp.Symbol("z", real=True)
    >>> late = adam(z**2 / 2, z, eta, a, 1, epsilon=0, bias_correction=False)
    >>> frozen(late, {late.state[2]: p**2}).update
    (-eta*(a*z_m + z*(1 - a))/p + z, a*z_m + z*(1 - a))
    """
    unknown = [symbol for symbol in values if symbol not in dynamics.state]
    if unknown:
        raise LemmascopeError(f"{unknown} is not in the state {dynamics.state}")
    kept = [place for place, symbol in enumerate(dynamics.state) if symbol not in values]
    update = tuple(dynamics.update[place].subs(values, simultaneous=True) for place in kept)
    return Map(tuple(dynamics.state[place] for place in kept), update, dynamics.time)
