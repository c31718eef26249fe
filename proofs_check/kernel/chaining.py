"""What follows from the steps of a proof: facts about one trajectory, joined by logic and used at every moment.

The hypotheses of a statement are facts: formulas that are true of the trajectory at hand. Further facts come from these
by these rules, each of which leads from true formulas to true ones also where terms have no value (a formula without a
value is not true, and neither is its negation; nothing is concluded from a formula not being true):

- the parts of a conjunction are facts, and a conjunction of facts is one;
- from A -> B, or from A <-> B, and the fact A follows B (modus ponens); B <-> A gives the same;
- from A and not A, which are never both true, follows everything;
- what follows from A, and from B, follows from A or B (cases); a disjunction follows from one of its parts;
- Always(A), Always(B), ... and facts that do not speak of the state give Always(Q), if a proof of Q from A, B, ... for
  all real values of the state is stored: at every moment the state has some values, and A, B, ... are true of them. A
  flow speaks of the moments that there are; a map may have no next state, so that A, B, ... must say that what Q
  speaks of has values (twin: x -> 1/x from 0, of which Always(x^2 >= 0) is not true);
- a formula is a fact if a proof of another kind shows it of the same trajectory, from the hypotheses about numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sympy import And, Basic, Or, S, Set, Symbol, true
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean, Equivalent, Implies, Not

from proofs_check.kernel.conditions import Shown
from proofs_check.kernel.kinds import accepted, kind_of, refutes
from theory.dynamics import Map
from theory.language.definedness import demands
from theory.statements import Statement
from theory.temporal import Always, is_plain
from theory.trees import decode

_MOST_CASES = 6
"""How many disjunctions may be split on the way to one goal."""


def check(statement: Statement, certificate: Mapping[str, Any]) -> bool:
    """Whether the conclusion follows from the hypotheses by the rules above."""
    if certificate.get("kind") != "chaining":
        return False
    lemmas = [(decode(item["then"]), item["certificate"]) for item in certificate.get("lemmas", ())]
    if not all(_shows(statement, lemma, proof) for lemma, proof in lemmas):
        return False
    return holds(statement, Shown(list(certificate.get("obligations", ()))), [lemma for lemma, _ in lemmas])


def about(statement: Statement, lemma: Boolean) -> Statement:
    """The claim that a formula is true of the trajectory, whatever else is assumed of it."""
    return statement.but(given=tuple(part for part in statement.given if is_plain(part)), then=lemma, uses=())


def _shows(statement: Statement, lemma: Boolean, proof: Mapping[str, Any]) -> bool:
    return kind_of(proof) != "chaining" and not refutes(proof) and accepted(about(statement, lemma), proof)


def holds(statement: Statement, shown: Shown, lemmas: Sequence[Boolean] = ()) -> bool:
    """The same, with what shows the claims about numbers and with facts that are known already.

    Statements about means and computations, and those whose state is no list of numbers, are not spoken of; nor are
    those in which a symbol is a variable and a state or the time with another first value: outside of the operators
    it would be both.
    """
    dynamics = statement.dynamics
    if dynamics is None or statement.computed is not None or statement.noise:
        return False
    if not all(isinstance(symbol, Symbol) for symbol in (*statement.variables, *dynamics.state)):
        return False
    first = {**statement.start, **({} if dynamics.time is None else {dynamics.time: S.Zero})}
    if any(symbol in statement.variables and value != symbol for symbol, value in first.items()):
        return False
    may_end = frozenset(dynamics.state) if isinstance(dynamics, Map) else frozenset[Symbol]()
    start = Facts(dict(statement.variables), frozenset(first), shown, may_end)
    return start.plus((*statement.hypotheses, *lemmas)).give(statement.conclusion)


@dataclass(frozen=True)
class Facts:
    """What is true of a trajectory, and the symbols whose values change along it."""

    variables: Mapping[Symbol, Set]
    moving: frozenset[Symbol]
    shown: Shown
    may_end: frozenset[Symbol]
    """The symbols that may have no value at a later moment."""
    known: frozenset[Boolean] = frozenset()
    split: int = 0

    def plus(self, more: Iterable[Boolean]) -> Facts:
        """With further facts, and what follows from all of them by conjunction and modus ponens."""
        known, waiting = set(self.known), list(more)
        while waiting:
            while waiting:
                fact = waiting.pop()
                if fact not in known:
                    known.add(fact)
                    waiting += fact.args if isinstance(fact, And) else ()
            reached = replace(self, known=frozenset(known))
            waiting = [end for fact in sorted(known, key=str) for end in reached.ends(fact) if end not in known]
        return replace(self, known=frozenset(known))

    def ends(self, fact: Boolean) -> list[Boolean]:
        """What modus ponens gives from a fact."""
        if isinstance(fact, Implies):
            return [fact.args[1]] if self._plainly(fact.args[0]) else []
        if isinstance(fact, Equivalent) and any(map(self._plainly, fact.args)):
            return list(fact.args)
        return []

    def _plainly(self, goal: Boolean) -> bool:
        """Whether a goal is a fact, or made of facts by conjunction and disjunction."""
        if goal == true or goal in self.known:
            return True
        if isinstance(goal, And):
            return all(map(self._plainly, goal.args))
        if isinstance(goal, Or):
            return any(map(self._plainly, goal.args))
        return self._at_every_moment(goal)

    def _at_every_moment(self, goal: Boolean) -> bool:
        """Whether a goal of the form Always(Q) follows from what is always true."""
        if not isinstance(goal, Always) or not is_plain(goal.args[0]):
            return False
        lasting = [fact.args[0] for fact in self.known if isinstance(fact, Always)]
        wanted = goal.free_symbols & self.may_end or self.may_end
        if not wanted <= _valued(And(*lasting)):
            return False
        resting = [fact for fact in self.known if not fact.free_symbols & self.moving]
        given = sorted((fact for fact in (*lasting, *resting) if is_plain(fact)), key=str)
        variables = {**self.variables, **dict.fromkeys(sorted(self.moving, key=str), S.Reals)}
        valued = demands(side for leaf in goal.atoms(Relational) for side in leaf.args)
        return all(self.shown.follows(part, variables, given) for part in (goal.args[0], *valued))

    def give(self, goal: Boolean) -> bool:
        """Whether a goal follows, by cases if need be."""
        if isinstance(goal, And):
            return all(map(self.give, goal.args))
        if any(isinstance(fact, Not) and fact.args[0] in self.known for fact in self.known):
            return True
        if self._plainly(goal) or (isinstance(goal, Or) and any(map(self.give, goal.args))):
            return True
        if self.split == _MOST_CASES:
            return False
        for fact in sorted((fact for fact in self.known if isinstance(fact, Or)), key=str):
            if not any(map(self._plainly, fact.args)):
                rest = replace(self, known=self.known - {fact}, split=self.split + 1)
                return all(rest.plus((part,)).give(goal) for part in fact.args)
        return False


def _valued(formula: Boolean) -> set[Basic]:
    """The symbols that certainly have a value where a formula is true."""
    if isinstance(formula, Relational):
        return set(formula.free_symbols)
    parts = [_valued(part) for part in formula.args] if isinstance(formula, (And, Or)) else []
    if not parts:
        return set()
    return set.union(*parts) if isinstance(formula, And) else set.intersection(*parts)
