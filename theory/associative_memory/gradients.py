"""The one-layer model at zero initialisation: mean and square of each entry of the value matrix's gradient.

For one sample the entry of row j and column k is (1/(N+1) - 1{y = j}) n_k / T; given the target, y and the counts
are independent. Tokens are "trigger", "noise", or any other name for an ordinary token.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

from sympy import Expr, S

from theory.associative_memory._paper import ALPHA, TRIGGER, N, T
from theory.associative_memory.chain import OTHER_POWER, POWER, Sequence

SPECIAL = ("trigger", "noise")


@dataclass(frozen=True)
class Data:
    """The law of the data: the noise level, the sizes, and whether the last token is forced to be the trigger."""

    forced: bool = True
    length: Expr = T
    vocabulary: Expr = N
    noise: Expr = ALPHA
    powers: tuple[Expr, Expr] = (POWER, OTHER_POWER)

    def sequence(self, target: str) -> Sequence:
        """The context given its target."""
        return self._sequences[target == "trigger"]

    @cached_property
    def _sequences(self) -> dict[bool, Sequence]:
        kinds = zip((True, False), self.powers, strict=True)
        rest = (self.length,), (self.vocabulary, self.noise)
        return {same: Sequence(same, self.forced, *rest[0], power, *rest[1]) for same, power in kinds}

    def targets(self, *tokens: str) -> Iterator[tuple[str, Expr]]:
        """The targets that these tokens tell apart, with their probabilities; "" is none of them.

        >>> list(Data().targets("noise", "j"))
        [('trigger', 1/N), ('j', 1/N), ('', (N - 2)/N)]
        """
        named = list(dict.fromkeys(["trigger", *[token for token in tokens if token not in SPECIAL]]))
        for token in named:
            yield token, 1 / self.vocabulary
        yield "", (self.vocabulary - len(named)) / self.vocabulary

    def average(self, value: Callable[[str], Expr], *tokens: str) -> Expr:
        """The mean over the targets of something that depends on them."""
        return sum((weight * value(target) for target, weight in self.targets(*tokens)), S.Zero)

    def label(self, row: str, target: str) -> Expr:
        """P(y = row) given the target."""
        return self.noise if row == "noise" else 1 - self.noise if row == target else S.Zero

    def factor(self, row: str, target: str, power: int = 1) -> Expr:
        """E of (1/(N+1) - 1{y = row})**power given the target."""
        guess, hit = 1 / (self.vocabulary + 1), self.label(row, target)
        return (1 - hit) * guess**power + hit * (guess - 1) ** power

    def role(self, token: str, target: str) -> str:
        """How the chain of this target calls the token."""
        return "target" if token == target and token != TRIGGER else token

    def given(self, row: str, column: str, target: str, power: int = 1) -> Expr:
        """E of the gradient entry, or of its square, given the target."""
        counts, role = self.sequence(target), self.role(column, target)
        count = counts.mean(role) if power == 1 else counts.product(role, role)
        return self.factor(row, target, power) * count / self.length**power

    def entry(self, row: str, column: str, power: int = 1) -> Expr:
        """E of the gradient entry of one sample, or of its square."""
        return self.average(lambda target: self.given(row, column, target, power), row, column)

    def variance(self, row: str, column: str) -> Expr:
        """The variance of the gradient entry of one sample."""
        return self.entry(row, column, 2) - self.entry(row, column) ** 2
