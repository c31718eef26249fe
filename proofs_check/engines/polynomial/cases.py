"""Searches a tree of cases that closes polynomial conditions: splits, lemmas from factors, programs, squares, cuts."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations
from math import comb
from typing import Any

from proofs_check.engines.polynomial.boxes import contradicted
from proofs_check.engines.polynomial.ideals import cofactors
from proofs_check.engines.polynomial.lemmas import ALLOWED, Keys, Lemma, Lemmas, summand
from proofs_check.engines.polynomial.orthant import contradicted as contradicted_form
from proofs_check.engines.polynomial.positivstellensatz import refute, refute_form
from proofs_check.engines.polynomial.products import LEVELS, Program, data, not_negative
from proofs_check.kernel.algebra import Conditions
from proofs_check.kernel.formulas import Formula, Sign, Some
from proofs_check.kernel.products import Case, adds_up
from proofs_check.shares import SHARES
from theory.polynomials import Polynomial, Ring

Node = dict[str, Any]

_MOST_NODES = 400
_MOST_TERMS = 400
_LEMMA_ROUNDS = 3
_FEW_FORMS = 3
_MOST_ROWS = 400
_DEEPEST_CUT = 7
_QUICK = LEVELS[:2]
_POWERS = (2, 3, 4)
_FORMS = SHARES["polynomial, forms"]
_MEMBERSHIP = SHARES["polynomial, one combination"].most
"""Seconds for one combination of equations."""


def contradiction(
    conditions: Conditions, seconds: float, stop: Callable[[], bool] = lambda: False, *, rich: bool = True
) -> Node | None:
    """A tree that closes the conditions, or None when there is none in time or `stop` says to end.

    >>> from sympy import Ge, S, symbols
    >>> from proofs_check.kernel.algebra import counterexamples
    >>> from proofs_check.kernel.claims import Claim
    >>> x, y = symbols("x y")
    >>> claim = Claim({x: S.Reals, y: S.Reals}, (Ge(x, 1), Ge(y, 1)), Ge(x * y, x))
    >>> [part["product"] for part in contradiction(counterexamples(claim), 5)["sums"]]
    [[[2, 1]], [[1, 1]], [[0, 1], [1, 1]]]
    """
    search = _Search(conditions.ring, time.process_time() + seconds, stop, rich)
    return search.close(Case().plus(conditions.everything))


@dataclass(frozen=True)
class _Row:
    """A linear condition: slopes times symbols plus a number is positive or not negative, as a sum of given ones."""

    slopes: tuple[Fraction, ...]
    number: Fraction
    strict: bool
    weights: dict[int, Fraction]

    @classmethod
    def of(cls, place: int, sign: Sign) -> _Row:
        terms = {tuple(map(int, e)): Fraction(int(n.p), int(n.q)) for e, n in sign.value.terms()}
        size = len(sign.value.degrees())
        units = [tuple(int(k == j) for j in range(size)) for k in range(size)]
        slopes = tuple(terms.get(unit, Fraction(0)) for unit in units)
        return cls(slopes, terms.get((0,) * size, Fraction(0)), sign.op == ">", {place: Fraction(1)})

    def joined(self, other: _Row, symbol: int) -> _Row:
        """The sum of multiples of both in which a symbol cancels."""
        mine, theirs = -other.slopes[symbol], self.slopes[symbol]
        slopes = tuple(mine * a + theirs * b for a, b in zip(self.slopes, other.slopes, strict=True))
        places = {*self.weights, *other.weights}
        weights = {k: mine * self.weights.get(k, 0) + theirs * other.weights.get(k, 0) for k in places}
        number = mine * self.number + theirs * other.number
        return _Row(slopes, number, self.strict or other.strict, weights)


@dataclass
class _Search:
    ring: Ring
    end: float
    stop: Callable[[], bool]
    rich: bool
    nodes: int = 0
    keys: Keys = field(default_factory=Keys)

    @property
    def over(self) -> bool:
        return self.nodes > _MOST_NODES or time.process_time() > self.end or self.stop()

    # -- splitting ----------------------------------------------------------------------------------------------

    def close(self, case: Case) -> Node | None:
        """A tree for a case."""
        self.nodes += 1
        if self.over:
            return None
        known = self.keys.possible(case.signs)
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

    def _absurd(self, formula: Formula, known: dict[Any, set[int]]) -> bool:
        if isinstance(formula, Sign):
            key, side = self.keys.of(formula.value)
            if key == ():
                return 0 not in ALLOWED[formula.op]
            return not known.get(key, {-1, 0, 1}) & {side * s for s in ALLOWED[formula.op]}
        parts = [self._absurd(part, known) for part in formula.parts]
        return all(parts) if isinstance(formula, Some) else any(parts)

    def _conflict(self, case: Case) -> Node | None:
        groups: dict[Any, list[int]] = {}
        for place, sign in enumerate(case.signs):
            groups.setdefault(self.keys.of(sign.value)[0], []).append(place)
        for places in groups.values():
            if self.keys.possible([case.signs[place] for place in places]) is None:
                others = frozenset(range(len(case.signs))) - set(places)
                signs = [Sign(s.value, ">=") if k in others else s for k, s in enumerate(case.signs)]
                return self._checked(case, Program(self.ring, signs, others).leaf((2, 0), self.end))
        return None

    def _excluding_bounds(self, case: Case) -> Node | None:
        """A lower and an upper bound of one polynomial that leave nothing between them, however small they are."""
        bounds: dict[Any, list[tuple[int, int, Any, Any]]] = {}
        for place, sign in enumerate(case.signs):
            number = next((n for powers, n in sign.value.terms() if not any(powers)), 0)
            rest = sign.value - number
            if sign.op not in (">", ">=") or rest.is_zero():
                continue
            (key, side), size = self.keys.of(rest), abs(rest.leading_coefficient())
            for other, turned, weight, shift in bounds.get(key, ()):
                total = number * weight + shift * size
                if turned != side and total <= 0:
                    sums = [([[place, 1]], weight), ([[other, 1]], size), *([([], -total)] if total < 0 else [])]
                    one = self.ring.context.constant(1)
                    return {"sums": [summand(label, str(n), one) for label, n in sums], "cofactors": []}
            bounds.setdefault(key, []).append((place, side, size, number))
        return None

    def _linear(self, case: Case) -> Node | None:
        """Linear conditions that contradict each other, by eliminating one symbol after the other in fractions.

        Linear programs in floating point do not see numbers of very different size.
        """
        linear = [k for k, s in enumerate(case.signs) if s.op in (">", ">=") and s.value.total_degree() <= 1]
        rows = [_Row.of(k, case.signs[k]) for k in linear]
        for symbol in range(len(self.ring.symbols)):
            above = [row for row in rows if row.slopes[symbol] > 0]
            below = [row for row in rows if row.slopes[symbol] < 0]
            if len(above) * len(below) > _MOST_ROWS:
                return None
            rows = [row for row in rows if row.slopes[symbol] == 0]
            rows += [high.joined(low, symbol) for high in above for low in below]
        for row in rows:
            if row.number < 0 or (row.number == 0 and row.strict):
                one = self.ring.context.constant(1)
                sums = [summand([[k, 1]], str(weight), one) for k, weight in row.weights.items()]
                sums += [summand([], str(-row.number), one)] if row.number < 0 else []
                return {"sums": sums, "cofactors": []}
        return None

    def _checked(self, case: Case, leaf: Node | None) -> Node | None:
        return leaf if leaf is not None and adds_up(self.ring, case.signs, leaf) else None

    def _program(
        self, case: Case, levels: Sequence[tuple[int, int]], unused: frozenset[int] = frozenset()
    ) -> Node | None:
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
        simple = self._checked(case, self._excluding_bounds(case)) or self._checked(case, self._linear(case))
        simple = simple or self._within_bounds(case) or self._program(case, LEVELS[:1]) or self._equal_powers(case)
        if simple is not None:
            return simple
        learnt = self._with_lemmas(case)
        if isinstance(learnt, dict):
            return learnt
        lemmas, case, unused = learnt
        impossible = self.keys.possible(case.signs) is None
        node = self._conflict(case) if impossible else self._by_programs(case, unused)
        return None if node is None else self._below(lemmas, node)

    def _within_bounds(self, case: Case) -> Node | None:
        """A condition that the bounds of its symbols contradict."""
        leaves = contradicted(self.ring, case.signs, self.keys)
        return next((leaf for leaf in leaves if adds_up(self.ring, case.signs, leaf)), None)

    def _equal_powers(self, case: Case) -> Node | None:
        """Two monomials that are not negative and have equal squares, or higher powers, are equal.

        Where d = a - b is positive, a^q - b^q = sum of C(q, k) b^(q-k) d^k is positive; the equations say it is zero.
        """
        equations = [(k, sign.value) for k, sign in enumerate(case.signs) if sign.op == "="]
        for sign in case.signs:
            terms = list(sign.value.terms())
            if sign.op != "!=" or len(terms) != 2 or terms[0][1] * terms[1][1] > 0 or not equations:
                continue
            above, rest = case.cut(sign.value, ">")
            below, between = rest.cut(sign.value, "<")
            a, b = sorted(terms, key=lambda term: term[1] < 0)
            for power in _POWERS:
                one = self._checked(above, self._excess(above, a, b, power, equations))
                other = None if one is None else self._checked(below, self._excess(below, b, a, power, equations))
                closed = None if other is None else self._conflict(between)
                if closed is not None:
                    value = data(sign.value)
                    return {"cut": [value, ">"], "cases": [one, {"cut": [value, "<"], "cases": [other, closed]}]}
        return None

    def _excess(
        self, case: Case, a: Any, b: Any, power: int, equations: Sequence[tuple[int, Polynomial]]
    ) -> Node | None:
        """a^q - b^q, which is zero by the equations, as a sum of what is positive where the last condition holds."""
        large, small = (self.ring.context.from_dict({powers: abs(number)}) for powers, number in (a, b))
        known = not_negative(case.signs, tuple(map(int, b[0])))
        if known is None:
            return None
        target = small**power - large**power
        found = cofactors(self.ring, target, [value for _, value in equations], _MEMBERSHIP)
        if found is None:
            return None
        (label, square), _ = known
        here, sums = len(case.signs) - 1, []
        for k in range(1, power + 1):
            factors = [[place, times * (power - k)] for place, times in label] if k < power else []
            root = self.ring.context.from_dict({tuple(p * (power - k) for p in square): 1})
            weight = comb(power, k) * abs(b[1]) ** (power - k)
            sums.append(summand([*factors, [here, k]], str(weight), root))
        parts = [[place, data(c)] for (place, _), c in zip(equations, found, strict=True) if not c.is_zero()]
        return {"sums": sums, "cofactors": parts}

    def _by_programs(self, case: Case, unused: frozenset[int]) -> Node | None:
        node = self._program(case, _QUICK, unused) or self._forms(case, unused, raised=(0,))
        if node is None and self.rich:
            node = self._program(case, LEVELS[2:4], unused)
        if node is not None:
            return node
        node = self._not_zero(case, unused)
        if node is not None or not self.rich or self.over:
            return node
        return (
            self._forms(case, unused, raised=(1, 2))
            or self._squares(case, unused)
            or self._program(case, LEVELS[4:5], unused)
            or self._by_cuts(case, unused)
            or self._program(case, LEVELS[5:], unused)
        )

    def _not_zero(self, case: Case, unused: frozenset[int]) -> Node | None:
        """What is not zero is positive or negative."""
        known = self.keys.possible(case.signs) or {}
        for place, sign in enumerate(case.signs):
            if sign.op != "!=" or place in unused or len(known[self.keys.of(sign.value)[0]]) < 2:
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

    def _forms(self, case: Case, unused: frozenset[int], raised: Sequence[int]) -> Node | None:
        """A strict condition that fails wherever symbols are positive, multiplied by powers of their sum."""
        end = min(self.end, time.process_time() + max(_FORMS.least, _FORMS.part * (self.end - time.process_time())))
        signs = [Sign(s.value, ">=") if k in unused else s for k, s in enumerate(case.signs)]
        leaves = contradicted_form(self.ring, signs, end, self.stop, raised)
        return next((leaf for leaf in leaves if adds_up(self.ring, case.signs, leaf)), None)

    def _squares(self, case: Case, unused: frozenset[int]) -> Node | None:
        end = min(self.end, time.process_time() + max(1.0, (self.end - time.process_time()) / 3))
        return self._checked(case, refute(self.ring, case.signs, end, self.stop, unused)) or self._form(case, unused)

    def _form(self, case: Case, unused: frozenset[int]) -> Node | None:
        """Conditions that vanish at zero, multiplied by the squared distance from there."""
        zero, forms = (0,) * len(self.ring.symbols), [s for s in case.signs if s.op == ">"]
        if len(case.signs) - len(unused) > _FEW_FORMS or any(s.value.to_dict().get(zero, 0) != 0 for s in forms):
            return None
        radius = sum((g**2 for g in self.ring.context.gens()), self.ring.context.constant(0))
        away, there = case.cut(radius, ">")
        node = self._checked(away, refute_form(self.ring, away.signs, len(case.signs), self.end))
        closed = None if node is None else self._checked(there, refute(self.ring, there.signs, self.end, self.stop))
        return None if node is None or closed is None else {"cut": [data(radius), ">"], "cases": [node, closed]}

    # -- lemmas -------------------------------------------------------------------------------------------------

    def _with_lemmas(self, case: Case) -> tuple[list[tuple[Polynomial, str, Node]], Case, frozenset[int]] | Node:
        """The case with conditions that follow at once, and those that become superfluous; or an identity."""
        lemmas: list[tuple[Polynomial, str, Node]] = []
        unused: set[int] = set()
        for _ in range(_LEMMA_ROUNDS):
            before = len(lemmas)
            case = self._with_signs_of_symbols(case, lemmas)
            for place, sign in enumerate(case.signs):
                if len(sign.value) > _MOST_TERMS or sign.value.is_constant():
                    continue
                learning = True
                while learning and place not in unused and not self.over:
                    learning = False
                    for lemma in Lemmas(self.ring, case.signs, self.keys).of(place):
                        if lemma.value.is_constant():
                            if adds_up(self.ring, case.signs, lemma.leaf):
                                return self._below(lemmas, lemma.leaf)
                            continue
                        grown = case if self._says(case, lemma.value, lemma.op) else self._learn(case, lemma, lemmas)
                        if lemma.replaces is not None and self._says(grown, lemma.value, lemma.op):
                            unused.add(lemma.replaces)
                        if grown is not case:  # other lemmas speak of the conditions as they were
                            case, learning = grown, True
                            break
            if len(lemmas) == before:
                break
        known = self.keys.possible(case.signs) or {}
        weaker = [
            k for k, s in enumerate(case.signs) if s.op == "!=" and len(known.get(self.keys.of(s.value)[0], ())) == 1
        ]
        return lemmas, case, frozenset({*unused, *weaker})

    def _with_signs_of_symbols(self, case: Case, lemmas: list[tuple[Polynomial, str, Node]]) -> Case:
        known = None
        while known is not case:
            known = case
            for lemma in Lemmas(self.ring, case.signs, self.keys).signs_of_symbols():
                case = self._learn(case, lemma, lemmas)
                if case is not known:
                    break
        return case

    def _learn(self, case: Case, lemma: Lemma, lemmas: list[tuple[Polynomial, str, Node]]) -> Case:
        """The case in which a lemma that is new and right holds, too."""
        holds, contrary = case.cut(lemma.value, lemma.op)
        if self._says(case, lemma.value, lemma.op) or not adds_up(self.ring, contrary.signs, lemma.leaf):
            return case
        lemmas.append((lemma.value, lemma.op, lemma.leaf))
        return holds

    @staticmethod
    def _below(lemmas: list[tuple[Polynomial, str, Node]], node: Node) -> Node:
        for value, op, closed in reversed(lemmas):
            node = {"cut": [data(value), op], "cases": [node, closed]}
        return node

    def _says(self, case: Case, value: Polynomial, op: str) -> bool:
        key, side = self.keys.of(value)
        known = self.keys.possible(case.signs)
        return known is None or known.get(key, {-1, 0, 1}) <= {side * s for s in ALLOWED[op]}

    # -- cuts ---------------------------------------------------------------------------------------------------

    def _by_cuts(self, case: Case, unused: frozenset[int]) -> Node | None:
        """Smaller boxes, or the order of two symbols."""
        bounds = Lemmas(self.ring, case.signs, self.keys).bounds()
        boxes = {k: (sides[1][0], sides[-1][0]) for k, sides in bounds.items() if len(sides) == 2}
        used = {
            k for place, s in enumerate(case.signs) if place not in unused for k, d in enumerate(s.value.degrees()) if d
        }
        if len(used) <= 3 and used <= set(boxes):
            node = self._halved(case, unused, {k: boxes[k] for k in used}, _DEEPEST_CUT)
            if node is not None:
                return node
        return self._ordered(case, unused, sorted(used))

    def _ordered(self, case: Case, unused: frozenset[int], used: list[int]) -> Node | None:
        gens = self.ring.context.gens()
        known = self.keys.possible(case.signs) or {}
        values = [gens[k] for k in used] + [gens[a] - gens[b] for a, b in combinations(used, 2)]
        for value in values[:8]:
            if len(known.get(self.keys.of(value)[0], {-1, 0, 1})) < 3 or self.over:
                continue
            nodes = []
            for part in case.cut(value, ">="):
                node = self._program(part, LEVELS[:4], unused)
                if node is None:
                    break
                nodes.append(node)
            if len(nodes) == 2:
                return {"cut": [data(value), ">="], "cases": nodes}
        return None

    def _halved(
        self, case: Case, unused: frozenset[int], box: dict[int, tuple[Fraction, Fraction]], depth: int
    ) -> Node | None:
        if not box or depth == 0:
            return None
        widest = max(box, key=lambda k: box[k][1] - box[k][0])
        middle = (box[widest][0] + box[widest][1]) / 2
        value = self.ring.context.gens()[widest] - self.ring.constant(middle)
        nodes = []
        for part, ends in zip(case.cut(value, ">="), ((middle, box[widest][1]), (box[widest][0], middle)), strict=True):
            self.nodes += 1
            node = self._program(part, LEVELS[:4], unused)
            node = node or self._halved(part, unused, {**box, widest: ends}, depth - 1)
            if node is None or self.over:
                return None
            nodes.append(node)
        return {"cut": [data(value), ">="], "cases": nodes}
