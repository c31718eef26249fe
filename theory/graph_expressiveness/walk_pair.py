"""Appendix A.10: the induction behind the 14-node pair, display by display."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

from sympy import And, Eq, Expr, S, Symbol

from theory.graph_expressiveness._paper import counted, paper
from theory.graph_expressiveness.pair import FIRST_NEIGHBOURS, PRINTED_LINES, SECOND_NEIGHBOURS
from theory.scope import case, own, whole
from theory.statements import Statement

FIRST = {i: Symbol(f"w{i}") for i in range(1, 15)}
SECOND = {i: Symbol(f"v{i}") for i in range(1, 15)}
"""The numbers of walks of one length from every node, in the first and in the second graph."""


def _sum(walks: dict[int, Symbol], nodes: Iterable[int]) -> Expr:
    return sum((walks[node] for node in nodes), S.Zero)


SIDES = (((1,), (2,)), ((3, 9), (6, 8)), ((5, 7), (4, 10)))
"""The nodes of the side identities (A.30)-(A.32)."""


def _induction(*claims: tuple[Expr, Expr], sides: bool = True) -> Statement:
    """What holds for one length, (A.29)-(A.32), as far as it concerns the same nodes, gives the claims for the next."""
    claimed = [Eq(left, right) for left, right in claims if left != right]
    concerned = set().union(*(claim.free_symbols for claim in claimed))
    known = [Eq(_sum(FIRST, left), _sum(FIRST, right)) for left, right in SIDES if sides]
    given = [side for side in known if side.free_symbols & concerned]
    given += [Eq(FIRST[i], SECOND[i]) for i in FIRST if SECOND[i] in concerned]
    symbols = sorted(concerned.union(*(part.free_symbols for part in given)), key=lambda symbol: symbol.name)
    return Statement(variables=dict.fromkeys(symbols, S.Reals), given=tuple(given), then=And(*claimed))


@paper.statement(
    "lemma-a.9", "Both graphs have the same walks from every node, and three side identities hold", scope=whole(),
    equations=("A.29", "A.30", "A.31", "A.32"),
)  # fmt: skip
def lemma_a_9() -> Statement:
    return _pair((1, 14))


@paper.statement(
    "lemma-a.9.reading-b",
    "The same for the pair in which node 7 has the neighbours of display (A.39)",
    scope=own("the neighbours of node 7 read from (A.39), against (A.46)"),
)
def lemma_a_9_as_displayed() -> Statement:
    return _pair((1, 13)).but(notes="Display (A.39) contradicts (A.46); this reading follows (A.39).")


def _pair(seventh: tuple[int, int]) -> Statement:
    return counted(
        "pair_walks",
        And(Eq(Symbol("unequal_walks"), 0), Eq(Symbol("unequal_sides"), 0)),
        yields=("unequal_walks", "unequal_sides"),
        seventh=list(seventh),
    )


@paper.step(
    "lemma-a.9",
    "a.28",
    "Powers of A count walks, so equal walk counts make equal features",
    scope=case("the 14-node pair"),
    equations=("A.28",),
)
def powers_count_walks() -> Statement:
    return counted("separating_pairs", Eq(Symbol("differing_walks"), 0), yields=("differing_walks",))


def _display(node: int, lines: tuple[tuple[int, ...], ...]) -> Statement:
    """The walks of the next length from the node in the first graph, the printed lines, and the second graph."""
    chain = [_sum(FIRST, FIRST_NEIGHBOURS[node]), *[_sum(FIRST, line) for line in lines]]
    chain += [_sum(SECOND, lines[-1]), _sum(SECOND, SECOND_NEIGHBOURS[node])]
    return _induction(*pairwise(chain))


def _register_display(node: int) -> None:
    tag = f"a.{32 + node}"

    @paper.step("lemma-a.9", tag, f"The induction for node {node}", scope=whole(), equations=(tag.upper(),))
    def display() -> Statement:
        return _display(node, PRINTED_LINES[node])


for _node in PRINTED_LINES:
    _register_display(_node)
    if _node == 7:

        @paper.step("lemma-a.9", "a.39.corrected", "The induction for node 7, whose neighbours are 1 and 14")
        def display_of_node_seven() -> Statement:
            return _display(7, ((1, 14),))


@paper.step(
    "lemma-a.9",
    "a.43",
    "The induction for nodes 11 to 14, whose neighbours are the same",
    scope=whole(),
    equations=("A.43",),
)
def last_nodes() -> Statement:
    def near(lists: dict[int, tuple[int, ...]], node: int) -> list[int]:
        return [i for i, nodes in lists.items() if node in nodes]

    def walks(node: int) -> tuple[Expr, Expr]:
        return _sum(FIRST, near(FIRST_NEIGHBOURS, node)), _sum(SECOND, near(SECOND_NEIGHBOURS, node))

    return _induction(*[walks(node) for node in range(11, 15)], sides=False)


def _next(*nodes: int) -> Expr:
    return sum((_sum(FIRST, FIRST_NEIGHBOURS[node]) for node in nodes), S.Zero)


@paper.step(
    "lemma-a.9", "a.44", "Nodes 1 and 2 have the same walks of the next length", scope=whole(), equations=("A.44",)
)
def side_one() -> Statement:
    w = FIRST
    return _induction(
        (_next(1), w[3] + w[5] + w[7] + w[9]), (_next(1), w[4] + w[6] + w[8] + w[10]), (_next(1), _next(2))
    )


@paper.step(
    "lemma-a.9", "a.45", "Nodes 3 and 9 together have the walks of nodes 6 and 8", scope=whole(), equations=("A.45",)
)
def side_two() -> Statement:
    w = FIRST
    return _induction(
        (_next(3, 9), 2 * w[1] + w[11] + w[12]), (_next(3, 9), 2 * w[2] + w[11] + w[12]), (_next(3, 9), _next(6, 8))
    )


@paper.step(
    "lemma-a.9", "a.46", "Nodes 5 and 7 together have the walks of nodes 4 and 10", scope=whole(), equations=("A.46",)
)
def side_three() -> Statement:
    w = FIRST
    return _induction(
        (_next(5, 7), 2 * w[1] + w[13] + w[14]), (_next(5, 7), 2 * w[2] + w[13] + w[14]), (_next(5, 7), _next(4, 10))
    )
