"""Flows rewritten before they are integrated: rescaled time for t -> infinity, log-norms for tiny starts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import sympy as sp

from theory.errors import LemmascopeError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from numerics.flows import FlowLike


@dataclass(frozen=True)
class TransformedFlow:
    """A flow in new variables; it can be integrated like any other."""

    state: tuple[sp.Symbol, ...]
    velocity: tuple[sp.Basic, ...]
    time: sp.Symbol | None

    @property
    def parameters(self) -> tuple[sp.Symbol, ...]:
        """The free symbols that are neither state nor time, sorted by name."""
        free: set[sp.Symbol] = set().union(*(v.free_symbols for v in self.velocity))
        return tuple(sorted(free - set(self.state) - {self.time}, key=str))


def rescaled_time(flow: FlowLike) -> TransformedFlow:
    """The same trajectories with new time s in [0, 1): t = s / (1 - s), so that t -> infinity is reached at s = 1.

    Integrate to s < 1; the velocity is that of the flow divided by (1 - s)^2.

    >>> from theory.dynamics import Flow
    >>> x = sp.Symbol("x")
    >>> rescaled_time(Flow((x,), (-x,))).velocity
    (-x/(1 - s)**2,)
    """
    _require_no_domain(flow)
    s = sp.Symbol("s")
    if s in set(flow.state) | set(flow.parameters):
        s = sp.Dummy("s")
    new = {flow.time: s / (1 - s)} if flow.time is not None else {}
    velocity = tuple(sp.sympify(v).subs(new) / (1 - s) ** 2 for v in flow.velocity)
    return TransformedFlow(tuple(flow.state), velocity, s)


def _require_no_domain(flow: FlowLike) -> None:
    if getattr(flow, "restrictions", ()):
        raise LemmascopeError("the flow has an evolution domain, which new variables do not keep: leave out domain=")


LOG_NORM = sp.Symbol("log_norm", real=True)


def direction_and_log_norm(flow: FlowLike) -> TransformedFlow:
    """The flow of the direction x/|x| and of log |x|, for starts as small as exp(-1e6).

    The state is the old symbols (now the direction, of length 1) followed by LOG_NORM. Every entry of the velocity
    must vanish at the origin like a polynomial, so that nothing is divided by zero there.

    >>> from theory.dynamics import Flow
    >>> x, y = sp.symbols("x y", real=True)
    >>> direction_and_log_norm(Flow((x, y), (y, x))).velocity
    (-2*x**2*y + y, -2*x*y**2 + x, 2*x*y)
    """
    _require_no_domain(flow)
    state = tuple(flow.state)
    size = sp.Dummy("size", positive=True)
    scaled = [_divided_by_size(sp.sympify(v), state, size) for v in flow.velocity]
    growth = sp.expand(sum(s * v for s, v in zip(state, scaled, strict=True)))
    velocity = [sp.expand(v - s * growth) for s, v in zip(state, scaled, strict=True)]
    norm = {size: sp.exp(LOG_NORM)}
    return TransformedFlow((*state, LOG_NORM), tuple(v.subs(norm) for v in (*velocity, growth)), flow.time)


def _divided_by_size(velocity: sp.Basic, state: tuple[sp.Symbol, ...], size: sp.Symbol) -> sp.Basic:
    polynomial = velocity.as_poly(*state)
    if polynomial is None or polynomial.coeff_monomial(1) != 0:
        raise LemmascopeError(
            f"The velocity {velocity} is not a polynomial in the state that vanishes at 0: "
            "integrate it directly with a tolerance relative to the start."
        )
    terms = []
    for powers, coefficient in polynomial.terms():
        monomial = sp.Mul(*(s**p for s, p in zip(state, powers, strict=True)))
        terms.append(coefficient * monomial * size ** (sum(powers) - 1))
    return sp.Add(*terms)


def to_direction_and_log_norm(log_norms: NDArray[np.float64], directions: NDArray[np.float64]) -> NDArray[np.float64]:
    """Starts for `direction_and_log_norm`: directions (state, trajectories) are brought to length 1.

    >>> to_direction_and_log_norm(np.array([-1000.0]), np.array([[3.0], [4.0]])).ravel().tolist()
    [0.6, 0.8, -1000.0]
    """
    lengths = np.linalg.norm(directions, axis=0)
    if not (lengths > 0).all():
        raise LemmascopeError("A direction is zero: give every start a direction.")
    return np.vstack([directions / lengths, np.broadcast_to(log_norms, lengths.shape)])
