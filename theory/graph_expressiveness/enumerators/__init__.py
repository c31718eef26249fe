"""The exact procedures behind the statements about graphs, walks and trees."""

from theory.graph_expressiveness.enumerators import (
    classes,
    collected,
    construction_recounts,
    isomorphism,
    level_trees,
    operators,
    order_recounts,
    pair_recounts,
    recounts,
    tree_recounts,
    walk_counts,
)

__all__ = [
    "classes",
    "collected",
    "construction_recounts",
    "isomorphism",
    "level_trees",
    "operators",
    "order_recounts",
    "pair_recounts",
    "recounts",
    "tree_recounts",
    "walk_counts",
]
