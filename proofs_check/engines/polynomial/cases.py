"""Searches a tree of cases that closes polynomial conditions: splits, lemmas from factors, programs, squares, cuts."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations
from typing import Any

from proofs_check.checkers.algebra import Conditions
from proofs_check.checkers.formulas import Formula, Sign, Some
from proofs_check.checkers.products import Case, adds_up
from proofs_check.engines.polynomial.products import LEVELS, Program, data
from theory.polynomials import Polynomial, Ring

Node = dict[str, Any]

_MOST_NODES = 400
_MOST_TERMS = 400
_LEMMA_ROUNDS = 3
_DEEPEST_CUT = 7
_QUICK = LEVELS[:2]
_ALLOWED = {">": {1}, ">=": {0, 1}, "=": {0}, "!=": {-1, 1}, "<": {-1}, "<=": {-1, 0}}


def contradiction(
    conditions: Conditions, seconds: float, stop: Callable[[], bool] = lambda: False, *, rich: bool = True
) -> Node | None:
    """A tree that closes the conditions, or None when there is none in time or `stop` says to end.

    >>> from sympy import Ge, S, symbols
    >>> from proofs_check.checkers.algebra import counterexamples
    >>> from proofs_check.checkers.claims import Claim
    >>> x, y = symbols("x y")
    >>> claim = Claim({x: S.Reals, y: S.Reals}, (Ge(x, 1), Ge(y, 1)), Ge(x * y, x))
    >>> sorted(contradiction(counterexamples(claim), 5))
    ['cofactors', 'sums']
    """
    search = _Search(conditions.ring, time.monotonic() + seconds, stop, rich)
    return search.close(Case().plus(conditions.formula))


@dataclass
class _Search:
    ring: Ring
    end: float
    stop: Callable[[], bool]
    rich: bool
    nodes: int = 0
    _keys: dict[int, tuple[Polynomial, Any, int]] = field(default_factory=dict)

    @property
    def over(self) -> bool:
        return self.nodes > _MOST_NODES or time.monotonic() > self.end or self.stop()

    # -- splitting ----------------------------------------------------------------------------------------------

    def close(self, case: Case) -> Node | None:
        """A tree for a case."""
        self.nodes += 1
        if self.over:
            return None
        known = self._known(case.signs)
        if known is None:
            return self._conflict(case)
        if not case.pending:
            return self._leaf(case)
        live = [sum(not self._absurd(part, known) for part in option.parts) for option in case.pending]
        place = min(range(len(live)), key=lambda k: (live[k], k))
        if live[place] > 1:
            leaf = self._program(case, _QUICK[:1] if len(case.pending) > 1 else ())
            if leaf is not None:
                return leaf
        cases = []
        for part in case.split(place):
            node = self.close(part)
            if node is None:
                return None
            cases.append(node)
        return {"split": place, "cases": cases}

    def _known(self, signs: Sequence[Sign]) -> dict[Any, set[int]] | None:
        """The signs that each polynomial may have; None when one may have none."""
        known: dict[Any, set[int]] = {}
        for sign in signs:
            key, side = self._key(sign.value)
            known[key] = known.get(key, {-1, 0, 1}) & {side * s for s in _ALLOWED[sign.op]}
            if not known[key]:
                return None
        return known

    def _key(self, value: Polynomial) -> tuple[Any, int]:
        """A polynomial up to a number as a factor, and the sign of that."""
        cached = self._keys.get(id(value))
        if cached is None:
            if value.is_zero():
                cached = (value, (), 1)
            else:
                lead = value.leading_coefficient()
                terms = tuple((tuple(powers), str(number / lead)) for powers, number in value.terms())
                cached = (value, terms, 1 if lead > 0 else -1)
            self._keys[id(value)] = cached
        return cached[1], cached[2]

    def _absurd(self, formula: Formula, known: dict[Any, set[int]]) -> bool:
        if isinstance(formula, Sign):
            key, side = self._key(formula.value)
            if key == ():
                return 0 not in _ALLOWED[formula.op]
            return not known.get(key, {-1, 0, 1}) & {side * s for s in _ALLOWED[formula.op]}
        parts = [self._absurd(part, known) for part in formula.parts]
        return all(parts) if isinstance(formula, Some) else any(parts)

    def _conflict(self, case: Case) -> Node | None:
        groups: dict[Any, list[int]] = {}
        for place, sign in enumerate(case.signs):
            groups.setdefault(self._key(sign.value)[0], []).append(place)
        for places in groups.values():
            if self._known([case.signs[place] for place in places]) is None:
                others = frozenset(range(len(case.signs))) - set(places)
                signs = [Sign(s.value, ">=") if k in others else s for k, s in enumerate(case.signs)]
                return self._checked(case, Program(self.ring, signs, others).leaf((2, 0), self.end))
        return None

    def _checked(self, case: Case, leaf: Node | None) -> Node | None:
        return leaf if leaf is not None and adds_up(self.ring, case.signs, leaf) else None

    def _program(self, case: Case, levels: Sequence[tuple[int, int]], unused: frozenset[int] = frozenset()) -> Node | None:
        program = Program(self.ring, case.signs, unused) if levels else None
        for level in levels:
            if program is None or self.over:
                return None
            leaf = self._checked(case, program.leaf(level, self.end, self.stop))
            if leaf is not None:
                return leaf
        return None

    # -- leaves -------------------------------------------------------------------------------------------------

    def _leaf(self, case: Case) -> Node | None:
        simple = self._program(case, _QUICK)
        if simple is not None:
            return simple
        lemmas, case, unused = self._with_lemmas(case)
        if self._known(case.signs) is None:
            node = self._conflict(case)
        else:
            node = self._by_programs(case, unused)
        for value, op, closed in reversed(lemmas):
            node = None if node is None else {"cut": [data(value), op], "cases": [node, closed]}
        return node

    def _by_programs(self, case: Case, unused: frozenset[int]) -> Node | None:
        node = self._program(case, LEVELS[:3] if self.rich else _QUICK, unused)
        if node is not None:
            return node
        node = self._not_zero(case, unused)
        if node is not None or not self.rich or self.over:
            return node
        return (
            self._squares(case, unused)
            or self._program(case, LEVELS[3:4], unused)
            or self._by_cuts(case, unused)
            or self._program(case, LEVELS[4:], unused)
        )

    def _not_zero(self, case: Case, unused: frozenset[int]) -> Node | None:
        """What is not zero is positive or negative."""
        known = self._known(case.signs) or {}
        for place, sign in enumerate(case.signs):
            if sign.op != "!=" or place in unused or len(known[self._key(sign.value)[0]]) < 2:
                continue
            above = self.close(case.cut(sign.value, ">")[0])
            if above is None:
                return None
            rest = case.cut(sign.value, ">")[1]
            below, between = rest.cut(sign.value, "<")
            node, closed = self.close(below), self._conflict(between)
            if node is None or closed is None:
                return None
            value = data(sign.value)
            return {"cut": [value, ">"], "cases": [above, {"cut": [value, "<"], "cases": [node, closed]}]}
        return None

    def _squares(self, case: Case, unused: frozenset[int]) -> Node | None:
        from proofs_check.engines.polynomial.positivstellensatz import refute

        end = min(self.end, time.monotonic() + max(1.0, (self.end - time.monotonic()) / 3))
        return self._checked(case, refute(self.ring, case.signs, end, self.stop, unused))

    # -- lemmas -------------------------------------------------------------------------------------------------

    def _with_lemmas(self, case: Case) -> tuple[list[tuple[Polynomial, str, Node]], Case, frozenset[int]]:
        """Conditions with factors of known sign divided out, each with the leaf that closes its contrary."""
        lemmas: list[tuple[Polynomial, str, Node]] = []
        unused: set[int] = set()
        for _ in range(_LEMMA_ROUNDS):
            before = len(lemmas)
            for place, sign in enumerate(case.signs):
                if place in unused or len(sign.value) > _MOST_TERMS or sign.value.is_constant() or self.over:
                    continue
                for value, op, replaces in self._simpler(case, sign):
                    if self._says(case, value, op):
                        unused |= {place} if replaces else set()
                        continue
                    leaf = self._program(case.cut(value, op)[1], LEVELS[:2], frozenset())
                    if leaf is not None:
                        lemmas.append((value, op, leaf))
                        case = case.cut(value, op)[0]
                        unused |= {place} if replaces else set()
            if len(lemmas) == before:
                break
        return lemmas, case, frozenset(unused)

    def _says(self, case: Case, value: Polynomial, op: str) -> bool:
        key, side = self._key(value)
        known = self._known(case.signs)
        return known is None or known.get(key, {-1, 0, 1}) <= {side * s for s in _ALLOWED[op]}

    def _simpler(self, case: Case, sign: Sign) -> Iterator[tuple[Polynomial, str, bool]]:
        """Lemmas that may follow from one condition; whether each says as much as the condition."""
        number, factors = sign.value.factor()
        known = self._known(case.signs) or {}
        if len(factors) == 1 and factors[0][1] == 1:
            return
        rest = self.ring.context.constant(1 if number > 0 or sign.op in ("=", "!=") else -1)
        for factor, power in factors:
            key, side = self._key(factor)
            allowed = {side * s for s in known.get(key, {-1, 0, 1})}
            if 0 in allowed and sign.op in (">", "!="):
                yield factor, "!=", False
                allowed -= {0}
            if allowed >= {-1, 1} and self._evident(case, factor):
                yield factor, ">", False
                allowed = {1}
            if sign.op in ("=", "!="):
                rest *= factor if 0 in allowed or sign.op == "!=" else 1
            elif 0 in allowed:
                rest *= factor ** (2 - power % 2)
            elif power % 2:
                rest *= factor if allowed >= {-1, 1} else min(allowed)
        if not rest.is_constant() and self._key(rest) != self._key(sign.value):
            yield rest, sign.op, True

    def _evident(self, case: Case, value: Polynomial) -> bool:
        """Whether all terms are positive where the symbols that must be are."""
        known = self._known(case.signs) or {}
        gens = self.ring.context.gens()
        positive = [known.get(self._key(g)[0], {-1, 0, 1}) <= {0, 1} for g in gens]
        return all(n > 0 and all(p % 2 == 0 or good for p, good in zip(e, positive, strict=True)) for e, n in value.terms())

    # -- cuts ---------------------------------------------------------------------------------------------------

    def _by_cuts(self, case: Case, unused: frozenset[int]) -> Node | None:
        """Smaller boxes, or the order of two symbols."""
        boxes = self._bounds(case)
        used = {k for place, s in enumerate(case.signs) if place not in unused for k, d in enumerate(s.value.degrees()) if d}
        if len(used) <= 3 and used <= set(boxes):
            node = self._halved(case, unused, {k: boxes[k] for k in used}, _DEEPEST_CUT)
            if node is not None:
                return node
        return self._ordered(case, unused, sorted(used))

    def _ordered(self, case: Case, unused: frozenset[int], used: list[int]) -> Node | None:
        gens = self.ring.context.gens()
        known = self._known(case.signs) or {}
        values = [gens[k] for k in used] + [gens[a] - gens[b] for a, b in combinations(used, 2)]
        for value in values[:8]:
            if len(known.get(self._key(value)[0], {-1, 0, 1})) < 3 or self.over:
                continue
            nodes = []
            for part in case.cut(value, ">="):
                node = self._program(part, LEVELS[:3], unused)
                if node is None:
                    break
                nodes.append(node)
            if len(nodes) == 2:
                return {"cut": [data(value), ">="], "cases": nodes}
        return None

    def _bounds(self, case: Case) -> dict[int, tuple[Fraction, Fraction]]:
        low: dict[int, Fraction] = {}
        high: dict[int, Fraction] = {}
        for sign in case.signs:
            degrees = [int(d) for d in sign.value.degrees()]
            if sum(degrees) != 1 or sign.op not in (">", ">="):
                continue
            k = degrees.index(1)
            terms = {tuple(e): Fraction(int(n.p), int(n.q)) for e, n in sign.value.terms()}
            slope = next(n for e, n in terms.items() if any(e))
            bound = -next((n for e, n in terms.items() if not any(e)), Fraction(0)) / slope
            if slope > 0:
                low[k] = max(low.get(k, bound), bound)
            else:
                high[k] = min(high.get(k, bound), bound)
        return {k: (low[k], high[k]) for k in low if k in high and low[k] < high[k]}

    def _halved(self, case: Case, unused: frozenset[int], box: dict[int, tuple[Fraction, Fraction]], depth: int) -> Node | None:
        if not box or depth == 0:
            return None
        widest = max(box, key=lambda k: box[k][1] - box[k][0])
        middle = sum(box[widest]) / 2
        value = self.ring.context.gens()[widest] - self.ring.constant(middle)
        nodes = []
        for part, ends in zip(case.cut(value, ">="), ((middle, box[widest][1]), (box[widest][0], middle)), strict=True):
            self.nodes += 1
            node = self._program(part, LEVELS[:3], unused)
            node = node or self._halved(part, unused, {**box, widest: ends}, depth - 1)
            if node is None or self.over:
                return None
            nodes.append(node)
        return {"cut": [data(value), ">="], "cases": nodes}
