"""heyoka as a second, independent integrator: the reference of the tests, near machine precision."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import sympy as sp

from numerics.ensemble import ensemble_arrays
from theory.errors import LemmascopeError
from theory.language.functions import entry_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from numerics.ensemble import Parameters, Starts
    from numerics.flows import FlowLike


def integrate_with_heyoka(
    flow: FlowLike, starts: Starts, until: float, *, parameters: Parameters | None = None, tolerance: float = 1e-16
) -> NDArray[np.float64]:
    """Final states (state, trajectory) by heyoka's Taylor method.

    >>> from theory.dynamics import Flow
    >>> x = sp.Symbol("x")
    >>> integrate_with_heyoka(Flow((x,), (-x,)), {x: 1.0}, 1.0).round(12).tolist()
    [[0.367879441171]]
    """
    try:
        import heyoka as hy
    except ImportError as error:
        raise LemmascopeError('heyoka is not installed: pip install "lemmascope[fast]".') from error
    starts_array, given = ensemble_arrays(flow, starts, parameters)
    names = [f"x{i}" for i in range(len(flow.state))]
    table: dict[sp.Basic, Any] = (
        dict(zip(flow.state, hy.make_vars(*names), strict=True))
        if len(names) > 1
        else {flow.state[0]: hy.make_vars(names[0])}
    )
    table |= {p: hy.par[i] for i, p in enumerate(flow.parameters)}
    if flow.time is not None:
        table[flow.time] = hy.time
    system = [(table[s], _translated(sp.sympify(v), table, hy)) for s, v in zip(flow.state, flow.velocity, strict=True)]
    results = np.empty_like(starts_array)
    integrator = hy.taylor_adaptive(
        system, starts_array[:, 0].tolist(), pars=given[:, 0].tolist(), tol=tolerance, compact_mode=True
    )
    for i in range(starts_array.shape[1]):
        integrator.time = 0.0
        integrator.state[:] = starts_array[:, i]
        integrator.pars[:] = given[:, i]
        integrator.propagate_until(until)
        results[:, i] = integrator.state
    return results


def _translated(formula: sp.Basic, table: dict[sp.Basic, Any], hy: Any) -> Any:
    """A SymPy formula in heyoka's own expressions; rationals become quotients, which heyoka rounds once."""
    if formula in table:
        return table[formula]
    if formula.is_Integer:
        return hy.expression(float(int(formula)))
    if formula.is_number:
        if formula.is_Rational:
            return hy.expression(float(formula.p)) / hy.expression(float(formula.q))
        return hy.expression(float(formula))
    parts = [_translated(a, table, hy) for a in formula.args]
    if formula.is_Add:
        return hy.sum(parts)
    if formula.is_Mul:
        return hy.prod(parts)
    if formula.is_Pow:
        return parts[0] ** parts[1]
    entry = entry_of(formula)
    if entry is not None and not entry.roughness and hasattr(hy, entry.name):
        return getattr(hy, entry.name)(*parts)
    if entry is not None and entry.ratio is not None:
        return _translated(entry.as_ratio(formula.args[0]), table, hy)
    raise LemmascopeError(f"heyoka has no {formula.func.__name__}: integrate this flow with the built-in method.")
