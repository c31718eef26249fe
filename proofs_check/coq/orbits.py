"""Statements about every moment of a map or a flow as Coq theorems, driven by the stored argument.

A state is a sequence of numbers, or a function of the time. Every obligation of the argument becomes a lemma about
numbers with its own certificate; the sets that the argument shows to be invariant hold at every moment, by induction
over the steps or because gaps whose rates are multiples of them keep their signs; and what the statement says of a
moment follows from these and the lemmas.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import sympy as sp
from sympy import And, Expr, Symbol
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean

from proofs_check.budget import Budget
from proofs_check.coq.language import AND, Names, NotCoqError, plain_name, proposition, term
from proofs_check.coq.scripts import framed, lemma
from proofs_check.engines.discharge import discharge
from proofs_check.goals import Goal, goal_of
from proofs_check.kernel.coq_motion import Orbit, orbit_of
from proofs_check.kernel.scene import Node, RejectedError, Scene, scene_of
from theory.statements import Statement

_SILENT = frozenset({"and", "always", "always-and", "invariant", "descent", "barrier"})
"""Rules of an argument that are covered by the sets that they show to be invariant, and their obligations."""

_KEPT = {
    "zero": "{} = 0", "nonzero": "{} <> 0", "positive": "0 < {}", "sign": "0 <= {}",
}  # fmt: skip
"""What the prelude shows to be kept of a gap whose rate is a multiple of it."""


def orbit_script(statement: Statement, certificate: Mapping[str, Any] | None, choice: int = 0) -> str:
    """A Coq file for a statement about every moment of a map or a flow; NotCoqError for all others."""
    try:
        orbit = orbit_of(statement)
        scene, _ = scene_of(statement)
        steps = _stored(scene, certificate) or _own(orbit, scene)
    except (ValueError, RejectedError) as error:
        raise NotCoqError(str(error)) from error
    return _Writer(orbit, scene, steps).script(choice)


@dataclass(frozen=True)
class _Step:
    """A set that is kept, with a reason for each relation where something flows, and what has to be shown for it."""

    kept: Sequence[Boolean] = ()
    reasons: Sequence[Any] = ()
    goals: Sequence[tuple[Goal, Mapping[str, Any] | None]] = ()


def _stored(scene: Scene, certificate: Mapping[str, Any] | None) -> list[_Step]:
    """The steps of the argument that is stored, the last ones first; none where a rule is not known here."""
    if certificate is None or certificate.get("kind") != "induction" or "argument" not in certificate:
        return []
    nodes = list(_all(Node.read(certificate["argument"], scene.integers)))
    reasons = {reason for node in nodes for reason, _ in node.facts.get("reasons", ())}
    if any(node.rule not in _SILENT for node in nodes) or reasons - {"darboux"}:
        return []
    steps = []
    for node in nodes:
        goals = [(None if one is None else goal_of(one), proof) for one, _, _, proof in node.obligations]
        is_set = node.rule in ("invariant", "barrier")
        kept, reasons = (node.facts[key] if is_set and key in node.facts else [] for key in ("set", "reasons"))
        steps.append(_Step(kept, reasons, [(goal, proof) for goal, proof in goals if goal is not None]))
    return steps


def _own(orbit: Orbit, scene: Scene) -> list[_Step]:
    """The plainest argument: what is claimed of every moment is itself kept."""
    names = dict(zip((*orbit.state, *([orbit.clock] if orbit.clock else [])), scene.state, strict=True))
    claims = [part.xreplace(names) for one in orbit.always for part in one if not part.free_symbols & {*orbit.next}]
    kept = [part for part in dict.fromkeys(claims) if part.free_symbols & set(scene.state)]
    if not all(isinstance(part, Relational) for part in kept):
        raise NotCoqError("what is claimed is no relation")
    known = tuple(scene.known)
    if orbit.flows:
        return [_Step(kept, [("darboux", _factor(scene, part)) for part in kept])]
    moving = {**scene.variables, **dict.fromkeys(scene.state, sp.S.Reals)}
    goals = [Goal(scene.variables, known, scene.begin(part)) for part in kept]
    goals += [Goal(moving, (*known, *kept), scene.step(part)) for part in kept]
    later = dict(zip(orbit.next, scene.rule, strict=False))
    falls = [part.xreplace({**names, **later}) for one in orbit.always for part in one if part.free_symbols & {*later}]
    goals += [Goal(moving, (*known, *kept), part) for part in falls]
    found = [(goal, discharge(goal, Budget.of("quick").start())) for goal in goals if goal.conclusion != sp.true]
    return [_Step(kept, (), [(goal, None if proof is None else proof.certificate) for goal, proof in found])]


def _factor(scene: Scene, part: Boolean) -> Expr:
    """The rate of a gap, divided by it."""
    gap = part.lhs - part.rhs
    return sp.simplify(scene.rate(gap) / gap)


class _Writer:
    def __init__(self, orbit: Orbit, scene: Scene, steps: Sequence[_Step]) -> None:
        self._orbit, self._steps = orbit, steps
        self._fixed = Names(Goal(dict.fromkeys(orbit.fixed, sp.S.Reals), (), sp.true))
        letter = "f" if orbit.flows else "s"
        self._functions = [f"{plain_name(symbol.name)}_{letter}{k}" for k, symbol in enumerate(orbit.state)]
        later = [] if orbit.flows else [f"({name} (S now))" for name in self._functions]
        after = dict(zip(orbit.next, later, strict=not orbit.flows))
        clock = {orbit.clock: "now"} if orbit.flows and orbit.clock is not None else {}
        self._said = self._named({**self._at(orbit.state, "now"), **after, **clock})
        self._scene, self._moving = scene, self._at(scene.state, "now")
        self._calls, self._still = list[str](), list[str]()

    def script(self, choice: int) -> str:
        """The whole file."""
        orbit, lines = self._orbit, self._lemmas(choice)
        given = [f"({proposition(part, self._fixed)})" for part in orbit.given]
        first = "0" if orbit.flows else "O"
        pairs = zip(self._functions, orbit.start, strict=True)
        begun = [f"({name} {first} = {term(part, self._fixed)})" for name, part in pairs]
        pieces = [
            *(f"({proposition(part, self._fixed)})" for part in orbit.valued),
            *(f"({self._moment()}{self._every(one, self._said)})" for one in orbit.always),
        ]
        concluded = pieces[0] if len(pieces) == 1 else f"({AND.join(pieces)})"
        moves = f"({self._moment()}{AND.join(self._moves())})"
        theorem = f"{self._binders()}, {' -> '.join([*given, *begun, moves, concluded])}"
        self._starts = [f"ls_put B{k}." for k in range(len(begun))]
        names = [*self._numbers(), *self._functions, *(f"A{k}" for k in range(len(given)))]
        lines.append(f"intros {' '.join([*names, *(f'B{k}' for k in range(len(begun))), 'M'])}.")
        kept = self._barriers() if orbit.flows else self._induction()
        return framed(theorem, [*lines, *kept, *self._closing(["I"] if not orbit.flows else self._gaps)])

    def _lemmas(self, choice: int) -> list[str]:
        """The obligations of the argument, and how they are used at a moment or of what does not move."""
        lines = []
        for step in self._steps:
            for goal, certificate in step.goals:
                name = f"L{len(self._calls)}"
                lines += lemma(name, goal, Names(goal), certificate, choice)
                call = f"try ls_use ({' '.join([name, *(self._term(symbol) for symbol in goal.variables)])})."
                self._calls.append(call)
                self._still += [] if set(goal.variables) & set(self._moving) else [call]
        return lines

    def _moment(self) -> str:
        return "forall now : R, 0 <= now -> now < span -> " if self._orbit.flows else "forall now : nat, "

    def _moves(self) -> list[str]:
        """How each symbol of the state moves."""
        orbit = self._orbit
        values = [term(part, self._said) for part in orbit.rule]
        if orbit.flows:
            return [
                f"(derivable_pt_lim {name} now ({value}))" for name, value in zip(self._functions, values, strict=True)
            ]
        return [f"({self._said[one]} = {value})" for one, value in zip(orbit.next, values, strict=True)]

    def _induction(self) -> list[str]:
        inside = [part for step in self._steps for part in step.kept]
        every = self._every(inside, self._named(self._moving)) if inside else "True"
        return [
            f"assert (I : forall now : nat, {every}).", "{", "ls_induction now.",
            "{", *self._starts, *self._still, "ls_shown.", "}",
            "{", *self._calls, "ls_next M now.", "ls_shown.", "}", "}",
        ]  # fmt: skip

    def _barriers(self) -> list[str]:
        """Every gap of the sets, the first rounds first: its sign at the start, and that it is kept."""
        lines: list[str] = []
        self._gaps = list[str]()
        for step in reversed(self._steps):
            for part, (_, factor) in zip(step.kept, step.reasons, strict=True):
                lines += self._kept(part, factor)
        return lines

    def _kept(self, part: Relational, factor: Expr) -> list[str]:
        gap = part.rhs - part.lhs if part.func in (sp.Lt, sp.Le) else part.lhs - part.rhs
        word = {sp.Eq: "zero", sp.Ne: "nonzero", sp.Lt: "positive", sp.Gt: "positive"}.get(part.func, "sign")
        place = len(self._gaps)
        self._gaps.append(f"I{place}")
        during = self._named(self._at(self._scene.state, "moment"))
        functions = " ".join(f"(fun moment : R => {term(one, during)})" for one in (gap, factor))
        begun = _KEPT[word].format(term(gap, self._named(self._at(self._scene.state, "0"))))
        always = _KEPT[word].format(term(gap, self._named(self._moving)))
        return [
            f"assert (D{place} : {begun}).", "{", *self._starts, "ls_at_first.", *self._still, "ls_shown.", "}",
            f"assert (I{place} : {self._moment()}{always}).",
            "{", f"ls_barrier (ls_keeps_{word} {functions} span).", "}",
        ]  # fmt: skip

    def _closing(self, known: list[str]) -> list[str]:
        proofs = [[*self._still, *self._starts, "ls_shown."] for _ in self._orbit.valued]
        opened, end = ("intros now P Q.", " now P Q") if self._orbit.flows else ("intro now.", " now")
        for said in self._orbit.always:
            is_about_next = any(part.free_symbols & set(self._orbit.next) for part in said)
            more = ["ls_next M now."] if is_about_next else []
            uses = [f"ls_use ({name}{end})." for name in known]
            proofs.append([opened, *uses, *self._calls, *more, "ls_shown."])
        *first, last = proofs
        return [*(line for proof in first for line in ("split.", "{", *proof, "}")), *last]

    def _at(self, symbols: tuple[Symbol, ...], moment: str) -> dict[Expr, str]:
        """The symbols of a state at a moment; one more than there are functions is the clock."""
        texts = [f"({name} {moment})" for name in self._functions] + ([moment] if self._orbit.flows else [])
        return dict(zip(symbols, texts, strict=False))

    def _numbers(self) -> list[str]:
        return [*self._fixed, *(["span"] if self._orbit.flows else [])]

    def _named(self, moving: Mapping[Expr, str]) -> Names:
        fixed = {symbol: self._fixed[symbol] for symbol in self._orbit.fixed}
        return Names(Goal({}, (), sp.true), bound={**fixed, **moving})

    def _term(self, symbol: Symbol) -> str:
        return self._moving[symbol] if symbol in self._moving else self._fixed[symbol]

    def _every(self, parts: Any, names: Names) -> str:
        flat = [part for one in parts for part in And.make_args(one)]
        return AND.join(f"({proposition(part, names)})" for part in dict.fromkeys(flat))

    def _binders(self) -> str:
        groups = [("R", self._numbers()), ("R -> R" if self._orbit.flows else "nat -> R", self._functions)]
        return "forall " + " ".join(f"({' '.join(names)} : {kind})" for kind, names in groups if names)


def _all(node: Node) -> Iterator[Node]:
    """A node and all below it."""
    yield node
    for part in node.parts:
        yield from _all(part)
