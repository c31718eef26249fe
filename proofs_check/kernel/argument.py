"""The table of rules about trajectories, and the step from a node of an argument to its rule."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sympy as sp
from sympy.logic.boolalg import Boolean

from proofs_check.kernel.scene import Node, Scene, require

Rule = Callable[[Scene, Any, Node], None]

RULES: dict[str, Rule] = {}
"""Rules by name. The module of the certificates with arguments, `induction`, enters every one; no other is known."""

_WHILE_IT_LASTS = frozenset({
    "units", "now", "and", "or", "cases", "implies", "not", "always", "always-tail", "always-and", "descent-flow",
    "unrolled", "inside",
})  # fmt: skip
"""Rules whose claims are about the moments that are reached, and do not say that there are any after the start."""


def walk(scene: Scene, claim: Boolean, node: Node) -> None:
    """Accept a node as an argument for a claim, or reject it."""
    rule = RULES.get(node.rule)
    require(rule is not None, f"unknown rule {node.rule}")
    require(scene.domain == sp.true or node.rule in _WHILE_IT_LASTS, "the trajectory may end by leaving the domain")
    if rule is not None:
        rule(scene, claim, node)
