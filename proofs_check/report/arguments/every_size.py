"""Statements in every dimension: what they say about numbers, and the facts, moments and steps that lead there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from sympy import Eq, Sum, true
from sympy.logic.boolalg import Boolean

from proofs_check.kernel.after_every_number import at_every_moment
from proofs_check.kernel.families import Desk
from proofs_check.kernel.kinds import refutes
from proofs_check.kernel.matrix_motion import departure, obligations, parts
from proofs_check.kernel.means import translation as moments_of
from proofs_check.kernel.potential import every_step, falling, geometric, rate_of
from proofs_check.kernel.spaces import translation
from proofs_check.kernel.written_out import at_sizes
from proofs_check.report.arguments.passages import Passage, factor, renamed
from theory.dynamics import Flow
from theory.language.families import Entry
from theory.notation import implication, latex, stacked, words
from theory.statements import Statement
from theory.trees import decode

Tell = Callable[[Statement, Mapping[str, Any]], list[Passage]]

_ROUTES = {
    "coordinates": "Inner products do not notice a rotation, so that triangular coordinates are enough. In these:",
    "eigenvalue": "A symmetric matrix is diagonal in a basis of eigenvectors: one eigenvalue is enough. For it:",
    "eigenvalues": "A symmetric matrix is diagonal in a basis of eigenvectors, and as many of them as there are inner "
    "products and norms give the same values. For these:",
    "products": "Lengths r, inner products t and lengths s of sums obey Cauchy and Schwarz. For all such numbers:",
    "determinants": "Determinants of inner products are not negative, and Cauchy and Schwarz holds. For such numbers:",
    "entries": "Matrices are vectors of their entries, and products no longer than their factors multiplied. So:",
    "words": "Multiplied out as words in the letters, what stands before each word must agree:",
    "size": "At one size, entry by entry:",
}
_FACTS = {
    "termwise": "A sum of numbers with a sign has that sign:",
    "jensen": "Jensen's inequality for a convex function:",
    "single": "A sum of numbers that are not negative is at least each of them:",
    "induction": "By induction on the size:",
}
_MOTION = {
    "monotone": ("Since it holds at the start:", "and its change along the trajectory has this sign for all states:"),
    "everywhere": ("It holds for all matrices that the state could be:",),
    "unrolled": ("With the state written out:",),
}


def _goal(title: str, goal: Statement, why: list[Passage]) -> Passage:
    return Passage(title, implication(_premises(goal), goal.then), tuple(why))


def _premises(goal: Statement) -> list[str]:
    return [latex(part) for part in goal.given if part != true]


def in_numbers(statement: Statement, certificate: Mapping[str, Any], tell: Tell) -> list[Passage]:
    """Vectors and matrices: the statement about numbers that decides, and its own argument."""
    route, inner = str(certificate["route"]), certificate["certificate"]
    sizes = {str(name): int(size) for name, size in dict(certificate.get("sizes", {})).items()}
    about = translation(statement, route, sizes).about_numbers
    at = r",\; ".join(f"{name} = {size}" for name, size in sizes.items())
    shown = implication(_premises(about), about.then)
    return [Passage(_ROUTES[route], stacked([part for part in (at, shown) if part]), tuple(tell(about, inner)))]


def by_facts(statement: Statement, certificate: Mapping[str, Any], tell: Tell) -> list[Passage]:
    """Families: each fact about sums with what it needs, and the claim that follows from the facts."""
    inner = certificate["certificate"]
    if "sizes" in certificate:
        sizes = {str(name): int(size) for name, size in dict(certificate["sizes"]).items()}
        written = r",\; ".join(f"{name} = {size}" for name, size in sizes.items())
        return [Passage("Take the sizes", written, tuple(tell(at_sizes(statement, sizes), inner)))]
    goals: list[Statement] = []

    def granted(goal: Statement) -> bool:
        goals.append(goal)
        return True

    desk, proofs, passages = Desk(statement, granted), iter(certificate["proofs"]), list[Passage]()
    for fact in certificate["facts"]:
        goals.clear()
        desk.learn(fact)
        context, learnt = desk.known[-1]
        needs = [_need(goal, next(proofs), tell) for goal in goals]
        shown = stacked([latex(learnt), rf"{words('for every ')} {_indices(context)}"]) if context else latex(learnt)
        passages.append(Passage(_FACTS[str(fact["rule"])], shown, tuple(needs)))
    goals.clear()
    *first, last = desk.conclusions()
    passages += [_need(goal, next(proofs), tell) for goal in goals]
    text = (
        "With letters for the sums and entries, this is left and holds:" if passages else "With letters for the sums:"
    )
    passages += [
        _goal(text, goal, tell(goal, proof)) for goal, proof in zip((*first, last), (*proofs, inner), strict=True)
    ]
    return _with_letters(desk, passages)


def _with_letters(desk: Desk, passages: list[Passage]) -> list[Passage]:
    """Short letters for the entries and sums, and what they mean."""
    free = [letter for letter in "ijklabcdefgmnpqrstuvwxyz" if letter not in desk.taken]
    names = {f"_i{place}": letter for place, letter in enumerate(free)}
    sums = {symbol: meaning for symbol, meaning in desk.meanings.items() if isinstance(meaning, Sum)}
    used = "".join(part.formula for passage in passages for _, part in passage.lines())
    met = [symbol for symbol in sums if latex(symbol) in used]
    letters = {latex(symbol): rf"\sigma_{{{place}}}" for place, symbol in enumerate(met, start=1)}
    entries = {latex(symbol): latex(entry) for symbol, entry in desk.meanings.items() if isinstance(entry, Entry)}
    rows = [f"{letters[latex(symbol)]} = {latex(sums[symbol])}" for symbol in met]
    where = [Passage("Letters for the sums:", stacked(rows))] if rows else []
    return renamed([*where, *renamed(passages, letters | entries)], names)


def _need(goal: Statement, proof: Mapping[str, Any], tell: Tell) -> Passage:
    return _goal("for each term, with letters for entries and sums:", goal, tell(goal, proof))


def _indices(context: Any) -> str:
    return r",\; ".join(rf"{latex(index)} \leq {latex(size)}" for index, size in context)


def by_moments(statement: Statement, certificate: Mapping[str, Any], tell: Tell) -> list[Passage]:
    """Means: the moments that close, how they move, where they start, and the argument about them."""
    derived, inner = moments_of(statement), certificate["certificate"]
    about = derived.to_refute if refutes(inner) and derived.to_refute is not None else derived.to_prove
    why = tell(about, inner)
    dynamics = about.dynamics
    if dynamics is None:
        text = "The mean of a polynomial in the noise is a polynomial in its moments, so that the claim says:"
        return [_goal(text, about, why)]
    named = stacked([f"{latex(name)} = {words(text)}" for name, text in _named(derived.names)])
    moves = [
        rf"{latex(symbol)} \;\to\; {latex(moved)}, \quad {words('from')}\; {latex(about.start[symbol])}"
        for symbol, moved in zip(dynamics.state, dynamics.right_side, strict=True)
    ]
    return [
        Passage("The noise of a step is independent of the past. These means close:", named),
        Passage("Taken over one step, given the state, they move without chance:", stacked(moves)),
        _goal("The claim about them:", about, why),
    ]


def _named(names: Mapping[Any, str]) -> list[tuple[Any, str]]:
    return [(name, f"E[{of}]") for name, of in names.items()]


def at_moments(statement: Statement, certificate: Mapping[str, Any], tell: Tell) -> list[Passage]:
    """After every number of steps: the claim about every moment, and its own argument."""
    about, inner = at_every_moment(statement), certificate["certificate"]
    return [_goal("Every number of steps is a moment, so that the claim says:", about, tell(about, inner))]


def by_potential(statement: Statement, certificate: Mapping[str, Any], tell: Tell) -> list[Passage]:
    """Every number of steps: a rate that each step keeps, or a potential that never grows."""
    every = every_step(statement)
    if "steps" in certificate:
        steps = int(certificate["steps"])
        instance = every.instance(steps)
        return [
            Passage(
                f"It fails after {steps} steps:", latex(instance.then), tuple(tell(instance, certificate["example"]))
            )
        ]
    proofs = certificate["proofs"]
    if certificate["rule"] == "geometric":
        quantity, rate, bound = rate_of(every)
        sign = str(certificate.get("sign", "rate"))
        last = (
            "the rate is not negative:" if sign == "rate" else "it is not negative, as a rate below zero makes it zero:"
        )
        goals, names = geometric(every, sign), ["at the start:", "one step:", last]
        text, shown = (
            "By induction: each step multiplies this by at most a rate.",
            (rf"{latex(quantity)} \leq \left({latex(rate)}\right)^{{{latex(every.counter)}}} {factor(bound)}"),
        )
    else:
        potential, bound = decode(certificate["potential"]), decode(certificate["bound"])
        base = int(certificate["base"])
        goals = falling(every, potential, bound, base)
        names = [
            f"after {base} steps:" if base else "at the start:",
            "one step does not raise it:",
            "it gives the claim:",
        ]
        names += ["an earlier step:"] * (len(goals) - len(names))
        text = "By induction: a potential that starts at most at a bound and never grows."
        shown = stacked([f"V = {latex(potential)}", f"U = {latex(bound)}"])
    needs = [_goal(name, goal, tell(goal, proof)) for name, goal, proof in zip(names, goals, proofs, strict=True)]
    return [Passage(text, shown, tuple(needs))]


def by_matrices(statement: Statement, certificate: Mapping[str, Any], tell: Tell) -> list[Passage]:
    """Trajectories of matrices: a rule for each part of the conclusion, and what it needs of matrices without time."""
    claims = parts(statement)
    if "departs" in certificate:
        place, rule, steps = certificate["departs"]
        goal = departure(statement, claims[int(place)], str(rule), int(steps))
        text = "If it held, so would this, which is false:"
        return [_goal(text, goal, tell(goal, certificate["proof"]))]
    rules = [str(rule) for rule in certificate["rules"]]
    goals, proofs, passages = iter(obligations(statement, rules)), iter(certificate["proofs"]), list[Passage]()
    for claim, rule in zip(claims, rules, strict=True):
        needs = []
        for title in _MOTION[rule]:
            goal, proof = next(goals), next(proofs)
            needs.append(_goal(title, goal, tell(goal, proof)))
        text = "Along the flow nothing of this changes:" if _conserved(statement, claim, rule) else "The claim"
        passages.append(Passage(text, latex(claim), tuple(needs)))
    return passages


def _conserved(statement: Statement, claim: Boolean, rule: str) -> bool:
    return rule == "monotone" and isinstance(statement.dynamics, Flow) and isinstance(claim.args[0], Eq)
