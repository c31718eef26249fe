"""Solutions of flows: one that exists for ever, and a formula of the time that satisfies equation and start."""

from __future__ import annotations

from typing import Any

import sympy as sp
from sympy import Eq, Expr, Ge, Le, S, Symbol

from proofs_check.kernel.invariant import closure, invariant
from proofs_check.kernel.scene import Node, Scene, conditions, require
from proofs_check.kernel.trust import rests_on
from theory.temporal import After, Always, is_plain, put_at_once


def closed_solution(scene: Scene, claim: Any, node: Node) -> None:
    """A closed solution of a flow (Picard and Lindelof; Hartman, Ordinary Differential Equations, II.1).

    u(t), made of the fixed symbols and the time alone, is smooth for t >= 0, has the start as its value at 0 and
    satisfies u'(t) = f(u(t)) for t >= 0; the field f is smooth at every u(t). Then u is the trajectory, which exists
    for ever. A plain formula about the state at every time, or at a moment, is one about u(t) for t >= 0, and has a
    value.
    """
    require(not scene.discrete, "steps have no derivative")
    moment = claim.args[0] if isinstance(claim, After) else None
    require(isinstance(claim, (Always, After)) and is_plain(claim.args[-1]), "not about plain moments")
    time = scene.clock or Symbol("_time")
    require(time not in scene.variables and (scene.clock or time not in scene.state), "time has another meaning")
    orbit: list[Expr] = list(node.facts["orbit"])
    require(len(orbit) == len(scene.state), "not a state")
    for symbol, part in zip(scene.state, orbit, strict=True):
        require(part.free_symbols <= {*scene.variables, time}, "not a formula of the time")
        require(symbol != scene.clock or part == time, "the clock shows the time")
    at_first = [Eq(put_at_once(part, {time: S.Zero}), begin) for part, begin in zip(orbit, scene.start, strict=True)]
    meanwhile = [*scene.known, Ge(time, 0)]
    scene.sound(node, *orbit_ends(orbit, time))
    node.need(scene.known, *at_first)
    node.need(meanwhile, *conditions(*orbit, smooth=True))
    node.need(meanwhile, *(scene.at(orbit, part) for part in conditions(*scene.rule, smooth=True)))
    speeds = [scene.at(orbit, part) for part in scene.rule]
    node.need(meanwhile, *(Eq(sp.diff(part, time), speed) for part, speed in zip(orbit, speeds, strict=True)))
    body = node.facts["body"]
    scene.meant(node, claim.args[-1], body)
    rests_on("Picard-Lindelof")
    if moment is None:
        node.need(meanwhile, scene.at(orbit, body))
        return
    scene.constant(moment)
    scene.sound(node, moment)
    node.need(scene.at_start, Ge(moment, 0), put_at_once(scene.at(orbit, body), {time: moment}))


def lasts(scene: Scene, node: Node) -> None:
    """The solution of a flow exists for ever (Hartman, Ordinary Differential Equations, II.3 and III.5).

    A solution that ends leaves every compact set inside of the domain of a locally Lipschitz field. An affine field
    is one everywhere, and its solutions are exponentials. Otherwise an invariant set is given; on its closure the
    field is smooth, and the size of the state, without the clock, is bounded there by a constant or satisfies (size)'
    <= pace (1 + size), so that it is bounded on bounded times (Gronwall).
    """
    require(node.rule == "lasts" and not scene.discrete, "nothing about the end of the solution")
    if node.facts["reason"] == "affine":
        slopes = sp.Matrix(scene.rule).jacobian(sp.Matrix(scene.state))
        require(not slopes.free_symbols & set(scene.state), "not affine")
        require(all(part.is_polynomial(*scene.state) for part in scene.rule), "not affine")
        scene.sound(node, *slopes)
        return
    parts = invariant(scene, node.parts[0])
    number = node.facts["size"]
    scene.constant(number)
    scene.sound(node, number)
    around = [*scene.known, *(closure(scene, part) for part in parts), closure(scene, scene.assumed)]
    node.need(around, *conditions(*scene.rule, smooth=True))
    size = sum((symbol**2 for symbol in scene.state if symbol != scene.clock), S.Zero)
    if node.facts["reason"] == "bounded":
        node.need(around, Le(size, number))
    else:
        require(node.facts["reason"] == "linear growth", "unknown reason")
        rests_on("Gronwall")
        node.need(around, Le(scene.rate(size), number * (1 + size)))


def orbit_ends(orbit: list[Expr], time: Symbol) -> list[Expr]:
    """The formulas at time 0."""
    return [put_at_once(part, {time: S.Zero}) for part in orbit]
