"""Rules for what a trajectory does from whatever state it has come to, and for what passes every bound."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from sympy import And, Le, S, Symbol
from sympy.logic.boolalg import Boolean, Not

from proofs_check.kernel.argument import walk
from proofs_check.kernel.invariant import invariant
from proofs_check.kernel.scene import Node, Scene, conjuncts, require, sides
from theory.temporal import Always, ConvergesTo, Eventually, HasPeriod, Unbounded, is_plain


def _fresh(scene: Scene, claim: Boolean, symbols: Iterable[Any]) -> None:
    """Reject names that are no symbols, or that something else has."""
    parts = (*scene.rule, *scene.start, *scene.known, scene.assumed, scene.domain, claim)
    taken = {*scene.variables, *scene.state}.union(*(part.free_symbols for part in parts))
    found = list(symbols)
    require(all(isinstance(symbol, Symbol) for symbol in found), "not names")
    require(len({*found}) == len(found) and not taken & {*found}, "a name that is taken")


def _restarted(scene: Scene, claim: Boolean, node: Node, known: Iterable[Boolean]) -> Scene:
    """The trajectory from a state of which only some relations are known: the rule knows no time but the clock's.

    Exceptional starts are not allowed any more: some trajectory may come to each of them.
    """
    names = tuple(node.facts["from"])
    require(len(names) == len(scene.state), "not a state")
    _fresh(scene, claim, names)
    variables = {**scene.variables, **dict.fromkeys(names, S.Reals)}
    moved = replace(scene, start=names, variables=variables, almost_all=())
    return replace(moved, known=conjuncts(*scene.known, *(moved.begin(part) for part in known)))


def _anytime(scene: Scene, claim: Boolean, node: Node) -> None:
    """What is true from every state of a set that contains the whole trajectory is true at every time."""
    require(isinstance(claim, Always), "not an Always")
    inside = invariant(scene, node.parts[0])
    walk(_restarted(scene, claim, node, inside), claim.args[0], node.parts[1])


def _reached(scene: Scene, claim: Boolean, node: Node) -> None:
    """A region is reached, and from every state in it the rest follows; what a trajectory does in the end, too."""
    region = node.facts["region"]
    require(isinstance(claim, (Eventually, ConvergesTo, HasPeriod)) and is_plain(region), "not about the future")
    require(not scene.moving(scene.values(*sides(region))), "the region may be undefined")
    walk(scene, Eventually(region), node.parts[0])
    rest = claim.args[0] if isinstance(claim, Eventually) else claim
    walk(_restarted(scene, And(claim, region), node, [region]), rest, node.parts[1])


def _unbounded(scene: Scene, claim: Boolean, node: Node) -> None:
    """A quantity that passes a number of which nothing is known passes every one.

    Exceptional starts are those of any whole number, which is enough: countably many null sets are one.
    """
    require(isinstance(claim, Unbounded), "not about every bound")
    bound = node.facts["bound"]
    _fresh(scene, claim, [bound])
    walk(replace(scene, variables={**scene.variables, bound: S.Reals}), claim.passes(bound), node.parts[0])


def _bounded(scene: Scene, claim: Boolean, node: Node) -> None:
    """A quantity that stays below a constant does not pass every number."""
    require(isinstance(claim, Not) and isinstance(claim.args[0], Unbounded), "not about a bound")
    bound = node.facts["bound"]
    scene.constant(bound)
    scene.sound(node, bound)
    walk(scene, Always(Le(claim.args[0].args[0], bound, evaluate=False)), node.parts[0])


RECURRENCE: dict[str, Callable[[Scene, Any, Node], None]] = {
    "anytime": _anytime, "reached": _reached, "unbounded": _unbounded, "bounded": _bounded,
}  # fmt: skip
"""Rules by name."""
