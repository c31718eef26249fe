"""Bounds of single coordinates that a flow may keep, as far as samples tell."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from sympy import Ge, Le, Rational
from sympy.core.relational import Relational

from proofs_check.engines.barriers.view import View


def signs_of_coordinates(view: View) -> list[Relational]:
    """Coordinates that have one sign as far as was seen, and not always."""
    low, high = view.reached.min(axis=1), view.reached.max(axis=1)
    found: list[Relational] = []
    for place, symbol in enumerate(view.setting.state):
        if low[place] >= 0 and (symbol, -1) not in view.known_bounds:
            found.append(Ge(symbol, 0))
        if high[place] <= 0 and (symbol, 1) not in view.known_bounds:
            found.append(Le(symbol, 0))
    return found


def faces(view: View, room: float) -> list[Relational]:
    """The sides of a box around what is reached, where no bound is known already."""
    low, high = view.around(room)
    found: list[Relational] = []
    for place, symbol in enumerate(view.setting.state):
        if (symbol, -1) not in view.known_bounds:
            found.append(Ge(symbol, Rational(float(low[place]))))
        if (symbol, 1) not in view.known_bounds:
            found.append(Le(symbol, Rational(float(high[place]))))
    return found


def seems_kept(view: View, sides: Sequence[Relational], part: Relational) -> bool:
    """Whether the flow goes inward at the samples of one side of a box; of the others only those given bound it."""
    symbol, end = part.args
    place = view.setting.state.index(symbol)
    low, high = view.box
    count = len(view.names)
    unit = view.random.uniform(size=(count, 400))
    bounded = {(side.args[0], isinstance(side, Ge)) for side in sides}
    for row, name in enumerate(view.names[: len(view.setting.state)]):
        for lower in (True, False):
            if (name, lower) not in bounded and not view.is_known(name, -1 if lower else 1):
                unit[row] = unit[row] - 4 * unit[row] if lower else unit[row] + 4 * unit[row]
    points = low[:, None] + (high - low)[:, None] * unit
    points[place] = float(end)
    points = points[:, view.allowed(points)]
    speed = view.speed(points)[place]
    return bool(np.all(speed > 0 if isinstance(part, Ge) else speed < 0))
