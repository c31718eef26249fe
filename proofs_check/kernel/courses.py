"""The meaning of the operators of time along one trajectory of a map, for whoever knows its states."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable

from sympy import Expr, Integer
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean, Not

from theory.language.formulas import joined
from theory.temporal import After, Always, ConvergesTo, Decreasing, Eventually, HasPeriod, Unbounded, Until

Truth = bool | None
"""None where it is not known."""


class Course(ABC):
    """One trajectory of a map, or of a box of them: what is said holds for each."""

    known_forever = False
    """Whether the moments from a step on show all of its future."""

    def truth(self, claim: Boolean, step: int = 0) -> Truth:
        """The truth of a formula from a step on."""
        if isinstance(claim, Relational):
            return self.compares(claim, step)
        if isinstance(claim, Always):
            return self.always(claim.args[0], step)
        if isinstance(claim, Eventually):
            never = self.always(Not(claim.args[0], evaluate=False), step)
            return None if never is None else not never
        if isinstance(claim, After):
            moment, body = claim.args
            return self.truth(body, self.later(step, int(moment))) if isinstance(moment, Integer) else None
        if isinstance(claim, Until):
            first, second = claim.args
            return self._until(first, second, step)
        if isinstance(claim, Decreasing):
            return self.falls(claim.args[0], step)
        if isinstance(claim, Unbounded):  # what is known for ever takes finitely many values, if it does not fall
            return False if self.known_forever and self.falls(claim.args[0], step) is False else None
        if isinstance(claim, (ConvergesTo, HasPeriod)):
            return self.settles(claim)
        return joined(claim, [self.truth(part, step) for part in claim.args])

    def _until(self, first: Boolean, second: Boolean, step: int) -> Truth:
        """Each moment in the order of time: what has not come by the end of all moments never comes."""
        for now in self.moments(step):
            come = self.truth(second, now)
            if come:
                return True
            before = self.truth(first, now)
            if come is None or not before:
                return None if come is None else before
        return False if self.known_forever else None

    def later(self, step: int, steps: int) -> int:
        """The moment so many steps later."""
        return step + steps

    @abstractmethod
    def moments(self, step: int) -> Iterable[int]:
        """The moments from a step on, in the order of time."""

    @abstractmethod
    def compares(self, relation: Relational, step: int) -> Truth:
        """The truth of a relation at a step."""

    @abstractmethod
    def always(self, body: Boolean, step: int) -> Truth:
        """Whether a formula is true at every moment from a step on."""

    @abstractmethod
    def falls(self, quantity: Expr, step: int) -> Truth:
        """Whether a quantity decreases strictly from a step on."""

    @abstractmethod
    def settles(self, claim: ConvergesTo | HasPeriod) -> Truth:
        """The truth of a claim about the limit."""
