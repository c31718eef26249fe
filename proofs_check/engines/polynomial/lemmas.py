"""Conditions that follow from others by their factors, each with the identity that closes its contrary."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from proofs_check.engines.polynomial.products import data
from proofs_check.kernel.formulas import Sign
from theory.polynomials import Polynomial, Ring

ALLOWED = {">": {1}, ">=": {0, 1}, "=": {0}, "!=": {-1, 1}, "<": {-1}, "<=": {-1, 0}}
Factors = list[list[int]]
"""Places of conditions with their powers."""


class Keys:
    """Polynomials up to a number as a factor, computed once."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[Polynomial, Any, int]] = {}

    def of(self, value: Polynomial) -> tuple[Any, int]:
        """What multiples of a polynomial have in common, and the sign of the first coefficient."""
        cached = self._known.get(id(value))
        if cached is None:
            lead = None if value.is_zero() else value.leading_coefficient()
            terms = () if lead is None else tuple((tuple(e), str(n / lead)) for e, n in value.terms())
            cached = self._known[id(value)] = (value, terms, -1 if lead is not None and lead < 0 else 1)
        return cached[1], cached[2]

    def possible(self, signs: Sequence[Sign]) -> dict[Any, set[int]] | None:
        """The signs that each polynomial may have; None when one may have none."""
        known: dict[Any, set[int]] = {}
        for sign in signs:
            key, side = self.of(sign.value)
            known[key] = known.get(key, {-1, 0, 1}) & {side * s for s in ALLOWED[sign.op]}
            if not known[key]:
                return None
        return known


@dataclass(frozen=True)
class Lemma:
    """A condition, the identity by which its contrary contradicts what is given, and what it makes superfluous."""

    value: Polynomial
    op: str
    leaf: dict[str, Any]
    replaces: int | None = None


@dataclass
class Lemmas:
    """What follows at once from a list of conditions."""

    ring: Ring
    signs: Sequence[Sign]
    keys: Keys

    @cached_property
    def _places(self) -> dict[Any, list[tuple[int, int, str]]]:
        found: dict[Any, list[tuple[int, int, str]]] = {}
        for place, sign in enumerate(self.signs):
            key, side = self.keys.of(sign.value)
            found.setdefault(key, []).append((place, side, sign.op))
        return found

    def _says(self, value: Polynomial, ops: tuple[str, ...]) -> tuple[int, int, str] | None:
        """A condition on a multiple of the polynomial: its place, whether the multiple is positive, its operator."""
        key, side = self.keys.of(value)
        kept = [(place, s * side, op) for place, s, op in self._places.get(key, ()) if op in ops]
        return min(kept, key=lambda item: ops.index(item[2])) if kept else None

    def bounds(self, *, strict: bool = False) -> dict[int, dict[int, tuple[Fraction, int]]]:
        """For each symbol the largest lower (1) and the least upper (-1) number, with the place that says so."""
        found: dict[int, dict[int, tuple[Fraction, int]]] = {}
        for place, sign in enumerate(self.signs):
            degrees = [int(d) for d in sign.value.degrees()]
            if sum(degrees) != 1 or sign.op not in (">", ">=") or (strict and sign.op != ">"):
                continue
            terms = {tuple(e): Fraction(int(n.p), int(n.q)) for e, n in sign.value.terms()}
            slope = next(n for e, n in terms.items() if any(e))
            bound = -next((n for e, n in terms.items() if not any(e)), Fraction(0)) / slope
            side = 1 if slope > 0 else -1
            old = found.setdefault(degrees.index(1), {}).get(side)
            if old is None or side * bound > side * old[0]:
                found[degrees.index(1)][side] = (bound, place)
        return found

    def signs_of_symbols(self) -> Iterator[Lemma]:
        """Symbols that bounds make positive or negative."""
        one = self.ring.context.constant(1)
        for k, sides in self.bounds().items():
            symbol = self.ring.context.gens()[k]
            for side, (bound, place) in sides.items():
                if side * bound <= 0 or self._says(symbol, (">",)) is not None:
                    continue
                slope = abs(next(n for e, n in self.signs[place].value.terms() if any(e)))
                scale = Fraction(int(slope.p), int(slope.q))
                new = [[len(self.signs), 1]]
                sums = [summand([[place, 1]], "1", one), summand(new, str(scale), one)]
                sums.append(summand([], str(side * bound * scale), one))
                yield Lemma(side * symbol, ">", {"sums": sums, "cofactors": []})

    def of(self, place: int) -> Iterator[Lemma]:
        """What follows from one condition: factors that are not zero, and what is left without those of known sign."""
        sign = self.signs[place]
        number, factors = sign.value.factor()
        if not factors or (len(factors) == 1 and factors[0][1] == 1):
            return
        known: Factors = []
        side, rest = 1 if number > 0 else -1, self.ring.context.constant(1)
        unknown = 0
        for factor, power in ((factor, int(power)) for factor, power in factors):
            said = self._says(factor, (">", "!=", ">="))
            useful = said is not None and (
                said[2] == ">" or (said[2] == "!=" and power % 2 == 0) or (said[2] == ">=" and sign.op == ">")
            )
            if said is not None and sign.op in ("=", "!=") and said[2] in (">", "!="):
                useful = True
            if useful and said is not None:
                known.append([said[0], power])
                side *= said[1] ** power
                continue
            evident = self.evident(factor)
            if evident is not None and self._says(factor, (evident.op,)) is None:
                yield evident
            unknown += 1
            if sign.op == ">" and (len(factors) > 1 or power > 1) and said is None:
                yield Lemma(factor, "!=", self._leaf([[place, 1]], -(sign.value / factor)))
            rest *= factor**power if sign.op in (">", ">=") else factor
        if not known and rest.total_degree() == sign.value.total_degree():
            return
        lemma = self._left(place, side * rest if sign.op in (">", ">=") else rest, known)
        if lemma is not None:
            yield lemma

    def _leaf(self, product: Factors, cofactor: Polynomial) -> dict[str, Any]:
        """A positive product and a multiple of the new equation."""
        one = self.ring.context.constant(1)
        return {"sums": [summand(product, "1", one)], "cofactors": [[len(self.signs), data(cofactor)]]}

    def _left(self, place: int, rest: Polynomial, known: Factors) -> Lemma | None:
        """The condition without its known factors."""
        sign, one, new = self.signs[place], self.ring.context.constant(1), len(self.signs)
        if sign.op in (">", ">="):
            divided = sign.value / rest
            product = self.ring.context.constant(1)
            for k, power in known:
                product *= self.signs[k].value ** power
            ratio = (divided / product).leading_coefficient()
            sums = [
                summand([[place, 1]], "1", one),
                summand([*known, *([] if rest.is_constant() else [[new, 1]])], str(ratio), one),
            ]
            return Lemma(rest, sign.op, {"sums": sums, "cofactors": []}, place)
        if sign.op == "!=":
            return (
                None
                if rest.is_constant()
                else Lemma(rest, "!=", self._leaf([[place, 2]], -(sign.value**2 / rest)), place)
            )
        most = max((int(power) for _, power in sign.value.factor()[1]), default=1)
        strict = [[k, 2 * power] for k, power in known] + ([] if rest.is_constant() else [[new, 2 * most]])
        total = rest ** (2 * most)
        for k, power in known:
            total *= self.signs[k].value ** (2 * power)
        quotient, remainder = divmod(total, sign.value)
        if not remainder.is_zero():
            return None
        leaf = {"sums": [summand(strict, "1", one)], "cofactors": [[place, data(-quotient)]]}
        return Lemma(rest, "=", leaf, place)

    def evident(self, value: Polynomial) -> Lemma | None:
        """That all terms of a polynomial are positive, or not negative, where the symbols are."""
        sums, positive, one = [], False, self.ring.context.constant(1)
        for powers, number in value.terms():
            if number < 0:
                return None
            label: Factors = []
            square, strict = [0] * len(powers), True
            for k, power in enumerate(map(int, powers)):
                if not power:
                    continue
                said = self._says(self.ring.context.gens()[k], (">", ">=", "!="))
                if said is not None and said[1] > 0 and said[2] in (">", ">="):
                    label.append([said[0], power])
                    strict = strict and said[2] == ">"
                elif power % 2 == 0:
                    square[k], strict = power // 2, False
                else:
                    return None
            weight = number
            for k, power in label:
                weight = weight / self.signs[k].value.leading_coefficient() ** power
            sums.append(summand(label, str(weight), self.ring.context.from_dict({tuple(square): 1})))
            positive = positive or strict
        sums.append(summand([[len(self.signs), 1]], "1", one))
        return Lemma(value, ">" if positive else ">=", {"sums": sums, "cofactors": []})


def summand(product: Factors, weight: str, root: Polynomial) -> dict[str, Any]:
    """A product of conditions times a square with a weight, as certificate data."""
    return {"product": product, "squares": [[weight, data(root)]]}
