"""Signs by how an expression varies: monotone from a base, concave between ends, compared, split, put."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from sympy import Expr, Mul, Pow, S, exp, true
from sympy.core.relational import Ge, Gt
from sympy.logic.boolalg import Boolean

from proofs_check.kernel.claims import Claim
from proofs_check.kernel.conditions import Shown
from proofs_check.kernel.cover_signs import same
from proofs_check.kernel.inverse_substitutions import change_called
from proofs_check.kernel.signed_claims import Conditions, Signed, Step
from proofs_check.kernel.variation import claims_of, subgoals
from proofs_check.report.arguments.passages import Passage, factor, signed_sum, weighted
from theory.notation import implication, latex
from theory.trees import decode

Inner = Callable[[Claim, Mapping[str, Any]], list[Passage]]


class _Granted(Conditions):
    """Conditions that were shown when the certificate was accepted: here they are only written down."""

    def __init__(self) -> None:
        super().__init__(Shown(()))

    def hold(self, claim: Signed, conditions: Iterable[Boolean]) -> bool:
        del claim, conditions
        return True


def varied(claim: Claim, certificate: Mapping[str, Any], inner: Inner) -> list[Passage]:
    """Each inequality of a conclusion, with the steps that show its sign."""
    writer = _Writer(certificate.get("obligations", ()), inner)
    claims = claims_of(claim) or []
    passages = [
        passage
        for one, step in zip(claims, certificate["arguments"], strict=True)
        for passage in writer.step(one, step)
    ]
    return [*passages, *side_conditions(certificate.get("obligations", ()), writer.used, inner)]


def side_conditions(
    stored: Sequence[Mapping[str, Any]], told: set[int], inner: Inner, title: str = "On the way it is used that"
) -> list[Passage]:
    """What a certificate proves beside its steps, such as that everything has a value; for the long form alone."""
    passages = []
    for place, item in enumerate(stored):
        if place not in told:
            condition, given = decode(item["condition"]), [part for part in map(decode, item["given"]) if part != true]
            shown = implication([latex(part) for part in given], condition)
            why = inner(_claim(condition, given), item["certificate"])
            passages.append(Passage(title, shown, tuple(why), is_detail=True))
    return passages


def _claim(condition: Boolean, given: Sequence[Boolean]) -> Claim:
    symbols = condition.free_symbols.union(*(part.free_symbols for part in given))
    return Claim(dict.fromkeys(sorted(symbols, key=str), S.Reals), tuple(given), condition)


class _Writer:
    def __init__(self, stored: Sequence[Mapping[str, Any]], inner: Inner) -> None:
        self._stored, self._inner = stored, inner
        self.used: set[int] = set()

    def step(self, claim: Signed, step: Step, label: str = "To show:") -> list[Passage]:
        """One step: the inequality, why it holds, and below it what is left."""
        rule = str(step["rule"])
        shown = latex((Gt if claim.strict else Ge)(claim.expression, 0, evaluate=False))
        if rule == "shown":
            return [Passage(label, shown, tuple(self._leaf(claim)))]
        claims = subgoals(claim, step, _Granted()) or []
        labels = _LABELS[rule](step, len(claims))
        triples = zip(claims, step.get("parts", ()), labels, strict=True)
        below = [passage for one, part, name in triples for passage in self.step(one, part, name)]
        text, formula = _SENTENCES[rule](claim, step)
        return [Passage(label, shown, (Passage(text, formula, tuple(below)),))]

    def _leaf(self, claim: Signed) -> list[Passage]:
        for place, item in enumerate(self._stored):
            condition = decode(item["condition"])
            given = [decode(part) for part in item["given"]]
            is_it = condition.func is claim.relation.func and set(given) <= set(claim.given)
            if is_it and same(condition.lhs - condition.rhs, claim.expression):
                self.used.add(place)
                return self._inner(_claim(condition, given), item["certificate"])
        return []


def _monotone(_: Signed, step: Step) -> tuple[str, str]:
    ways = ["does not fall above it"] * bool(step["above"]) + ["does not rise below it"] * bool(step["below"])
    start = "limit" if step["start"] == "limit" else "value"
    text = f"By the mean value theorem, from a base: the {start} there has the sign, and the expression"
    return f"{text} {' and '.join(ways)}.", rf"{latex(decode(step['variable']))} = {latex(decode(step['at']))}"


def _concave(_: Signed, step: Step) -> tuple[str, str]:
    x, ends = latex(decode(step["variable"])), [latex(decode(tree)) for tree in step["ends"]]
    text = "A concave function is at least the smaller of its values at the ends. It is concave in the variable here:"
    return text, rf"{ends[0]} \leq {x} \leq {ends[1]}"


def _taylor(_: Signed, step: Step) -> tuple[str, str]:
    count = len(step["pieces"])
    where = "one piece" if count == 1 else f"{count} pieces that leave nothing out"
    ends = [latex(decode(step["pieces"][place][side])) for place, side in ((0, 0), (-1, 1))]
    text = f"By Taylor polynomials whose remainders are enclosed, on {where}."
    return text, rf"{ends[0]} \leq {latex(decode(step['variable']))} \leq {ends[1]}"


def _product(claim: Signed, step: Step) -> tuple[str, str]:
    factors = [(decode(tree), int(power)) for tree, power, _ in step["factors"]]
    shown = " \\, ".join(factor(base) + (f"^{{{power}}}" if power != 1 else "") for base, power in factors)
    left = latex(claim.expression)
    whole = Mul(*(Pow(base, power) for base, power in factors))
    text = "It is a product, and each factor has its sign (even powers need none):"
    return text, shown if whole == claim.expression else rf"{left} = {shown}"


def _sum(_: Signed, step: Step) -> tuple[str, str]:
    parts: list[Expr] = [decode(tree) for tree in step["terms"]]
    return "It is a sum of parts none of which is negative:", signed_sum([weighted(part, []) for part in parts])


def _compare(_: Signed, step: Step) -> tuple[str, str]:
    left, right = (latex(decode(step[key])) for key in ("left", "right"))
    text = f"The function {step['function']} is monotone, so that its arguments decide:"
    return text, rf"{left} \quad\text{{against}}\quad {right}"


def _raised(_: Signed, step: Step) -> tuple[str, str]:
    left, right = (latex(exp(decode(step[key]))) for key in ("left", "right"))
    return "The exponential increases, so that it may be taken of both:", rf"{left} \quad\text{{against}}\quad {right}"


def _split(_: Signed, step: Step) -> tuple[str, str]:
    x, at = latex(decode(step["variable"])), latex(decode(step["at"]))
    return "There are two cases:", rf"{x} \leq {at} \quad\text{{or}}\quad {x} \geq {at}"


def _kink(_: Signed, step: Step) -> tuple[str, str]:
    return "Each piece of this is looked at where it is the one that counts:", latex(decode(step["kink"]))


def _put(_: Signed, step: Step) -> tuple[str, str]:
    x, new = latex(decode(step["variable"])), decode(step["new"])
    change = change_called(str(step["by"]))
    return "Put, which reaches all values:", rf"{x} = {latex(change.value(new) if change else new)}"


def _squared(_: Signed, step: Step) -> tuple[str, str]:
    large, small = (latex(decode(step[key])) for key in ("large", "small"))
    text = "Where the first is not negative it is at least the second if its square is:"
    return text, rf"{large} \quad\text{{against}}\quad {small}"


def _weaken(_: Signed, step: Step) -> tuple[str, str]:
    given = [latex(decode(tree)) for tree in step["given"]]
    return "No more than this of what is given is needed:", r",\quad ".join(given) or r"\text{nothing}"


def _solved(_: Signed, step: Step) -> tuple[str, str]:
    return "What is given says that", f"{latex(decode(step['variable']))} = {latex(decode(step['value']))}"


_SENTENCES: dict[str, Callable[[Signed, Step], tuple[str, str]]] = {
    "monotone": _monotone, "concave": _concave, "taylor": _taylor, "product": _product, "sum": _sum,
    "compare": _compare, "raised": _raised, "split": _split, "kink": _kink, "put": _put,
    "squared": _squared, "weaken": _weaken, "solved": _solved,
}  # fmt: skip


def _of_a_base(step: Step, count: int) -> list[str]:
    slopes = ["its slope above the base:"] * bool(step["above"])
    slopes += ["minus its slope below the base:"] * bool(step["below"])
    start = "at the base, in the limit:" if step["start"] == "limit" else "at the base:"
    return [start] * (count - len(slopes)) + slopes


def _each(name: str) -> Callable[[Step, int], list[str]]:
    return lambda _, count: [name] * count


_LABELS: dict[str, Callable[[Step, int], list[str]]] = {
    "monotone": _of_a_base,
    "concave": lambda _, count: ["at an end:"] * (count - 1) + ["minus its second derivative:"],
    "taylor": _each(""), "product": _each("a factor:"), "sum": _each("a part:"), "compare": _each("hence:"),
    "raised": _each("hence:"), "split": _each("in this case:"), "kink": _each("on this piece:"),
    "put": _each("in the new variable:"), "weaken": _each("hence:"), "solved": _each("with this put in:"),
    "squared": lambda *_: ["the first is not negative:", "the squares:"],
}  # fmt: skip
