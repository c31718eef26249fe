"""Covers: cases, witnesses and changes of variables in words; only what is left on boxes is counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from sympy import Expr, Rational, exp, factor_terms

from proofs_check.kernel.cover import unpacked
from proofs_check.report.arguments.passages import Passage
from theory.notation import latex
from theory.trees import decode

_MOST_PASSAGES = 40
_SILENT = {"keep only", "assume", "forall", "unfold"}
_REASONS = {
    "b": "an enclosure of the value",
    "m": "an enclosure by slopes",
    "c": "monotony, which leads to a corner or a face",
    "e": "the value on a face and the sign of the slope from there",
    "d": "what dominates far out",
    "l": "the logarithm of something compared with 1",
    "p": "the signs of its factors",
    "z": "being zero identically",
}


def covered(certificate: Mapping[str, Any]) -> list[Passage]:
    """The argument of a cover as far as it is made of words, and the boxes on which arithmetic decides."""
    writer = _Writer()
    return writer.step(unpacked(certificate["argument"]))


class _Writer:
    def __init__(self) -> None:
        self._count = 0

    def step(self, step: Mapping[str, Any]) -> list[Passage]:
        """One step and those below it: what has one continuation goes on at the same depth."""
        kind, parts = str(step["do"]), list(step.get("parts", ()))
        self._count += 1
        if self._count > _MOST_PASSAGES:
            return [Passage("The remaining cases are of the same kinds.")]
        if kind == "cover":
            return [_boxes(step)]
        own = [] if kind in _SILENT else [_PASSAGES[kind](step)]
        if own and len(parts) > 1:
            cases = [_case(place, self.step(part)) for place, part in enumerate(parts, start=1)]
            return [Passage(own[0].text, own[0].formula, tuple(cases))]
        return [*own, *(passage for part in parts for passage in self.step(part))]


def _case(place: int, below: list[Passage]) -> Passage:
    return below[0] if len(below) == 1 else Passage(f"Case {place}:", below=tuple(below))


def _boxes(step: Mapping[str, Any]) -> Passage:
    leaves = [row for row in step["tree"] if not isinstance(row, list)]
    kinds = Counter(_kind(argument) for row in leaves for _, _, argument in step["reasons"][row])
    several = len(kinds) > 1
    ways = [
        _REASONS[kind] + (f" ({count} times)" if several else "")
        for kind, count in kinds.most_common()
        if kind in _REASONS
    ]
    ranges = [
        rf"{_end(low)} \leq {latex(decode(variable))}" + (rf" \leq {_end(high)}" if _is_bounded(high) else "")
        for variable, low, high in zip(step["variables"], step["low"], step["high"], strict=True)
    ]
    where = "one box" if len(leaves) == 1 else f"{len(leaves)} boxes"
    how = f", by {'; '.join(ways)}" if ways else ""
    text = f"Checked on {where} in ball arithmetic, where rounding is accounted for{how}."
    return Passage(text, r",\quad ".join(ranges))


def _kind(argument: Any) -> str:
    return str(argument if isinstance(argument, str) else argument[0])


def _is_bounded(end: Any) -> bool:
    return end is not None and str(end) not in ("inf", "Infinity")


def _end(end: Any) -> str:
    return latex(decode(end) if isinstance(end, Mapping) else Rational(str(end)))


def _read(step: Mapping[str, Any], *names: str) -> list[Any]:
    return [decode(step[name]) for name in names]


def _put(text: str, value: Callable[[Mapping[str, Any], Expr], Expr]) -> Callable[[Mapping[str, Any]], Passage]:
    def passage(step: Mapping[str, Any]) -> Passage:
        variable, new = _read(step, "variable", "new")
        return Passage(text, f"{latex(variable)} = {latex(value(step, new))}")

    return passage


def _between(step: Mapping[str, Any], new: Expr) -> Expr:
    low, high = _read(step, "low", "high")
    return low + factor_terms(high - low) * new


def _crossing(step: Mapping[str, Any]) -> Passage:
    low, high = (latex(end) for end in _read(step, "low", "high"))
    text = "By the intermediate value theorem: the difference of the sides is continuous and changes its sign between"
    return Passage(text, rf"{low} \quad\text{{and}}\quad {high}")


def _intermediate(step: Mapping[str, Any]) -> Passage:
    low, high = (latex(end) for end in _read(step, "low", "high"))
    text = "By the intermediate value theorem: both sides are continuous, and their order at these ends is opposite:"
    return Passage(text, rf"{low} \quad\text{{and}}\quad {high}")


def _keep(step: Mapping[str, Any]) -> Passage:
    (x,), high = _read(step, "variable"), step["high"]
    upper = rf" \leq {_end(high)}" if _is_bounded(high) else ""
    return Passage("The hypotheses say", rf"{_end(step['low'])} \leq {latex(x)}{upper}")


def _at(text: str, name: str) -> Callable[[Mapping[str, Any]], Passage]:
    return lambda step: Passage(text, " = ".join(map(latex, _read(step, "variable", name))))


def _cases(text: str, name: str) -> Callable[[Mapping[str, Any]], Passage]:
    return lambda step: Passage(text, latex(decode(step[name])))


def _words(text: str) -> Callable[[Mapping[str, Any]], Passage]:
    return lambda _: Passage(text)


_PASSAGES: dict[str, Callable[[Mapping[str, Any]], Passage]] = {
    "unpack": _words("Take what a hypothesis says to exist."),
    "each": _words("Each part of the conclusion by itself."),
    "enumerate": lambda step: Passage(
        "One value after the other:", rf"{latex(decode(step['variable']))} = {', '.join(map(str, step['values']))}"
    ),
    "peel": lambda step: Passage(
        "The first values one by one, then all later ones together:",
        rf"{latex(decode(step['variable']))} = {step['first']}, \dots; \quad"
        rf" {latex(decode(step['variable']))} \geq {int(step['first']) + int(step['count'])}",
    ),
    "witness": _cases("This value does what is asked for:", "value"),
    "crossing": _crossing,
    "intermediate": _intermediate,
    "apart": lambda step: Passage(
        f"What lies {'above' if step['above'] else 'below'} a number everywhere differs from it."
    ),
    "shown": _words("What is left follows from an exact argument without boxes."),
    "halved": _at("Two ranges, which meet at", "at"),
    "kink": _cases("Each case of this by itself:", "kink"),
    "or": _words("A counterexample would have to satisfy one of several things; each is excluded."),
    "false": _words("What a counterexample would have to satisfy contradicts itself."),
    "constant": _words("What is left are numbers, and they are not as a counterexample would need them."),
    "opposite": _words("Two things that a counterexample would have to satisfy add up to a contradiction."),
    "set": _at("An equation gives", "value"),
    "keep": _keep,
    "halves": lambda step: Passage(
        "Both signs:", r" = \pm ".join(map(latex, _read(step, "variable", "new")))
    ),
    "between": _put("Between its bounds, put", _between),
    "fold": lambda step: Passage(
        "From both ends to the middle of", r"\;\text{to}\; ".join(map(latex, _read(step, "low", "high")))
    ),
    "above": _put("Above its bound, put", lambda step, new: decode(step["low"]) + new),
    "below": _put("Below its bound, put", lambda step, new: decode(step["high"]) - new),
    "square": _put("Put", lambda _, new: new**2),
    "log": lambda step: Passage(
        "In a logarithmic scale, up to a number as a factor:",
        rf"{latex(decode(step['variable']))} \;\text{{as}}\; {latex(exp(-decode(step['new'])))}",
    ),
    "split": _at("Up and down from", "at"),
    "diagonal": _put("Put", lambda step, new: decode(step["other"]) + new),
    "product": _put("Put", lambda step, new: new / decode(step["other"])),
}  # fmt: skip
