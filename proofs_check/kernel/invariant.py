"""Sets that a trajectory never leaves: the steps of a map lead back into them, barriers hold a flow inside."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import sympy as sp
from sympy import And, Eq, Ge, Gt, Le, Lt, Ne, Or, S
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean

from proofs_check.kernel.scene import Node, Scene, conditions, conjuncts, require, sides
from proofs_check.kernel.trust import rests_on
from theory.temporal import is_plain


def invariant(scene: Scene, node: Node) -> list[Boolean]:
    """The set that a node shows to contain the trajectory (Floyd 1967 for maps, barriers for flows).

    The start lies in the set, every relation of which has a value on it. A map has a value on the set and leads back
    into it; of a flow, relations may rest on others that a first round has shown to hold at every time.
    """
    parts: list[Boolean] = node.facts["set"]
    first = [] if scene.discrete or not node.parts else invariant(scene, node.parts[0])
    scene = replace(scene, assumed=And(scene.assumed, *first))
    for part in parts:
        require(is_plain(part), "not a plain set")
        valued = set(scene.moving(scene.values(*sides(part))))
        require(valued <= conjuncts(*first, *parts), "the set may be undefined")
    scene.sound(node, *sides(*parts), jumps=True)
    node.need(scene.at_start, *(scene.begin(part) for part in parts))
    if scene.discrete:
        require(node.rule == "invariant", "not an invariant set")
        inside = [*scene.known, *parts, scene.assumed, scene.step(scene.assumed)]
        node.need(inside, *(scene.step(part) for part in parts))
        node.need([*scene.known, *parts, scene.assumed], *scene.values(*scene.rule))
    else:
        require(node.rule == "barrier", "not a barrier")
        _barrier(scene, node, parts, first)
    return [*first, *parts]


def _barrier(scene: Scene, node: Node, parts: list[Boolean], first: list[Boolean]) -> None:
    """No trajectory leaves through a surface that bounds the set (Nagumo 1942; Hartman, III.4; Khalil, 3.4 and 4.2).

    The field and the gaps are smooth on the closure, as far as relations with continuous sides describe it, where the
    relations of the first round and the premises hold. At the first time of leaving the state lies there, and each
    relation has a reason to hold still: "darboux", gap' = factor gap wherever the state is known to be, the factor
    being continuous there; "growth", gap' >= factor gap inside, for a strict relation (Gronwall); "comparison", gap' >=
    factor gap wherever the state is known to be, be the gap negative or not, everything being smooth there (Gronwall
    again, which then allows a weak relation); "boundary", gap' > 0 where gap = 0 on the closure; "tangent", gap' >= 0
    and a gradient that is not zero wherever gap = 0 in an open set in which the state is known to be.
    """
    require(all(isinstance(part, Relational) for part in parts), "only relations have a boundary")
    reasons = dict(zip(parts, node.facts["reasons"], strict=True))
    gaps = {part: (part.rhs - part.lhs if part.func in (Lt, Le) else part.lhs - part.rhs) for part in parts}
    factors = [reason[1] for reason in reasons.values()]
    scene.sound(node, *factors)
    around = [*scene.known, *(closure(scene, part) for part in parts), scene.assumed]
    node.need(around, *conditions(*scene.rule, *gaps.values(), smooth=True))
    node.need(around, *scene.moving(conditions(*factors)))
    firm = [part for part in first if part.func in (Gt, Lt, Ne)]
    firm += [part for part in parts if part.func in (Gt, Lt, Ne) and reasons[part][0] != "tangent"]
    for part in parts:
        name, factor = reasons[part]
        gap, rate = gaps[part], scene.rate(gaps[part])
        others = [closure(scene, other) for other in parts if other != part]
        require(part.func in (Gt, Lt, Ge, Le) or name == "darboux", "an equation needs an exact factor")
        if name == "darboux":
            node.need([*scene.known, scene.assumed], Eq(rate, factor * gap))
        elif name == "comparison":
            rests_on("Gronwall")
            node.need([*scene.known, scene.assumed], *conditions(*scene.rule, gap, smooth=True), *conditions(factor))
            node.need([*scene.known, scene.assumed], Ge(rate, factor * gap))
        elif name == "growth":
            rests_on("Gronwall")
            require(part.func in (Gt, Lt), "only a positive gap grows")
            node.need([*scene.known, *parts, scene.assumed], Ge(rate, factor * gap))
        elif name == "boundary":
            node.need([*scene.known, *others, scene.assumed, Eq(gap, 0)], Gt(rate, 0))
        else:
            require(name == "tangent", "unknown reason")
            rests_on("Nagumo")
            steep = sum((sp.diff(gap, symbol) ** 2 for symbol in scene.state), S.Zero)
            node.need([*scene.known, *firm, Eq(gap, 0)], Ge(rate, 0), Gt(steep, 0))


def closure(scene: Scene, formula: Boolean) -> Boolean:
    """A closed set around a formula: a weak relation is one only where both sides are continuous at every state."""
    if isinstance(formula, (And, Or)):
        return formula.func(*(closure(scene, part) for part in formula.args))
    if not isinstance(formula, Relational) or not scene.continuous(*formula.args):
        return sp.true
    table: dict[type, Callable[[], Boolean]] = {
        Gt: lambda: Ge(*formula.args), Lt: lambda: Le(*formula.args),
        Ge: lambda: formula, Le: lambda: formula, Eq: lambda: formula,
    }  # fmt: skip
    return table.get(formula.func, lambda: sp.true)()


def strict(formula: Boolean) -> Boolean:
    """A formula that implies the given one and stays true for a while where its sides are continuous."""
    if isinstance(formula, (And, Or)):
        return formula.func(*(strict(part) for part in formula.args))
    table: dict[type, Callable[[], Boolean]] = {
        Ge: lambda: Gt(*formula.args), Le: lambda: Lt(*formula.args),
        Gt: lambda: formula, Lt: lambda: formula, Ne: lambda: formula,
    }  # fmt: skip
    return table.get(formula.func, lambda: sp.false)()
