"""Arguments about trajectories: the rule of each step with its theorem, what it speaks of, and what it needs."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any

from sympy import And, Basic, Symbol, true
from sympy.logic.boolalg import Boolean

from proofs_check.kernel.argument import RULES
from proofs_check.kernel.claims import Claim
from proofs_check.kernel.departure import DEPARTURES
from proofs_check.kernel.invariant import invariant
from proofs_check.kernel.scene import conjuncts
from proofs_check.report.arguments.passages import Passage
from theory.notation import implication, latex
from theory.trees import decode

Inner = Callable[[Claim, Mapping[str, Any]], list[Passage]]

_SETS = {
    "invariant": "The trajectory starts in this set, and no step leads out of it:",
    "barrier": "The trajectory starts in this set, and cannot leave it through any of its boundaries:",
}
_NAMES = {
    "start": "At the start", "step": "After one step", "follows": "This gives the claim", "claim": "The claim itself",
    "now": "At the start", "inside": "Inside", "defined": "Everything has a value", "smooth": "Everything is smooth",
    "boundary": "On the boundary", "decreases": "It decreases", "rate": "Its rate", "stable": "The roots lie inside",
    "equilibrium": "It is at rest there", "target": "That is the stated limit",
}  # fmt: skip
_SILENT = {"body", "weights", "reasons", "size", "depth"}
"""What a rule stores for the kernel and a reader does not need: the rule says what it is for."""
_FACTS = {
    "unit": "Measured in units in which this is 1:",
    "set": "", "rest": "The point of rest:", "target": "The limit:", "function": "The function that decreases:",
    "solution": "The solution:", "bound": "The bound:", "factor": "The factor:",
}  # fmt: skip


def argued(argument: Mapping[str, Any], inner: Inner) -> list[Passage]:
    """One rule with all that it rests on; rules that only unwrap the claim are passed over."""
    facts = [_fact(name, value) for name, value in argument["facts"].items() if name not in _SILENT]
    needs = [passage for item in argument["obligations"] for passage in _need(item, inner)]
    parts = [passage for part in argument["parts"] for passage in argued(part, inner)]
    below = [*parts, *(fact for fact in facts if fact is not None), *needs]
    sentence = theorem(str(argument["rule"]))
    return [Passage(sentence, below=tuple(below))] if sentence and below else below or [Passage(sentence)]


def theorem(rule: str) -> str:
    """The theorem behind a rule, as the kernel states it."""
    if rule in _SETS:
        return _SETS[rule]
    function = RULES.get(rule) or DEPARTURES.get(rule) or (invariant if rule in _SETS else None)
    text = inspect.getdoc(function) if function is not None else None
    return " ".join(text.split("\n\n", maxsplit=1)[0].split()) if text else ""


def departed(certificate: Mapping[str, Any]) -> list[Passage]:
    """Why a trajectory does not do what is claimed, from the point of a certificate."""
    return [Passage(sentence)] if (sentence := theorem(str(certificate["refutation"]))) else []


def _fact(name: str, value: Any) -> Passage | None:
    read = [part for part in _read(value) if part != true]
    shown = r",\quad ".join(latex(part) for part in read)
    label = _FACTS.get(name, f"{name.replace('_', ' ').capitalize()}:")
    return Passage(label, shown) if shown else None


def _read(value: Any) -> list[Basic]:
    if isinstance(value, Mapping):
        return [decode(value)] if "nodes" in value else []
    if isinstance(value, (list, tuple)):
        return [part for item in value for part in _read(item)]
    return []


def _need(item: Mapping[str, Any], inner: Inner) -> list[Passage]:
    """An obligation: what it says beyond its hypotheses, and why."""
    hypotheses = [decode(part) for part in item["hypotheses"]]
    conclusion: Boolean = And(*(part for part in conjuncts(decode(item["conclusion"])) if part not in hypotheses))
    if conclusion == true:
        return []
    variables: dict[Symbol, Any] = {decode(symbol): decode(domain) for symbol, domain in item["variables"]}
    claim = Claim(variables, tuple(hypotheses), conclusion)
    relevant = [part for part in hypotheses if part.free_symbols & conclusion.free_symbols]
    why = inner(Claim(variables, tuple(hypotheses), decode(item["conclusion"])), item["certificate"])
    title = _NAMES.get(str(item["name"]), str(item["name"]).replace("-", " ").capitalize())
    return [Passage(f"{title}:", implication([latex(part) for part in relevant], claim.conclusion), tuple(why))]
