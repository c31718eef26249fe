"""Noisy in-context recall as a Markov chain: exact first and second moments of all token counts for any N, T, alpha.

Given the target, every token but the trigger is followed by a uniform one, so the transition matrix is a rank-one
matrix plus one more row. Its powers, and with them all moments, are closed forms in N, alpha, the number of steps
and the power r**(steps - 1) of the only other non-zero eigenvalue r.

Tokens are named by their role: "trigger", "target" (when it is not the trigger), "noise", or any other name for an
ordinary token.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from sympy import Expr, Integer, Poly, S, Symbol, together

from theory.associative_memory._paper import ALPHA, NOISE, TRIGGER, C, E, N, T

POWER = Symbol("Q")
"""r**(steps - 1)."""

OTHER_POWER = Symbol("P")
"""The same power of the eigenvalue -1/N, where both chains occur together."""

SMALL_POWER, OTHER_SMALL_POWER = Symbol("s"), Symbol("o")
"""In the regime T = c N the powers are smaller than any power of e; they are written e**3 s with |s| <= 1."""


@dataclass(frozen=True)
class Chain:
    """The chain given its target, run freely for some steps; `from_trigger` puts the trigger before the first token."""

    target_is_trigger: bool
    steps: Expr = T
    from_trigger: bool = False
    power: Expr = POWER
    vocabulary: Expr = N
    noise: Expr = ALPHA

    @cached_property
    def eigenvalue(self) -> Expr:
        """The eigenvalue of the transition matrix besides 1 and 0.

        >>> Chain(target_is_trigger=False).eigenvalue
        -1/N
        """
        return self.after_trigger("trigger") - self.elsewhere("trigger")

    def elsewhere(self, token: str) -> Expr:
        """The probability of a token after anything but the trigger."""
        return S.Zero if token == NOISE else 1 / self.vocabulary

    def after_trigger(self, token: str) -> Expr:
        """The probability of a token after the trigger."""
        target = "trigger" if self.target_is_trigger else "target"
        return {target: 1 - self.noise, "noise": self.noise}.get(token, S.Zero)

    @cached_property
    def _settling(self) -> Expr:
        return 1 / (1 - self.eigenvalue)

    @cached_property
    def _sums(self) -> tuple[Expr, Expr, Expr]:
        """Over all s < t up to the last step: of 1, of r**(s - 1) (or r**(t - s - 1)), and of their product."""
        r, n, settling = self.eigenvalue, self.steps, self._settling
        faded = 1 - r * self.power
        once = (n - faded * settling) * settling
        return n * (n - 1) / 2, once, (faded * settling - n * self.power) * settling

    def _rise(self, token: str) -> Expr:
        return self.after_trigger(token) - self.elsewhere(token)

    def _settled(self, token: str) -> Expr:
        return self.elsewhere(token) + self._rise(token) * self._settling / self.vocabulary

    def _transient(self, token: str, *, trigger: bool) -> Expr:
        """The token's probability k steps later is the settled one plus this times r**(k - 1)."""
        fading = -self._rise(token) * self._settling / self.vocabulary
        return fading + (self._rise(token) if trigger else 0)

    def mean(self, token: str) -> Expr:
        """E of the count of a token."""
        transient = self._transient(token, trigger=self.from_trigger)
        faded = (1 - self.eigenvalue * self.power) * self._settling
        return self.steps * self._settled(token) + transient * faded

    def product(self, first: str, second: str) -> Expr:
        """E of the product of the counts of two tokens."""
        both = self._ordered(first, second) + self._ordered(second, first)
        return both + (self.mean(first) if first == second else 0)

    def _ordered(self, first: str, second: str) -> Expr:
        """The expected number of pairs s < t with the first token at s and the second at t."""
        pairs, once, twice = self._sums
        start, later = (
            self._transient(first, trigger=self.from_trigger),
            self._transient(second, trigger=first == "trigger"),
        )
        here, there = self._settled(first), self._settled(second)
        return here * there * pairs + (here * later + start * there) * once + start * later * twice

    def last(self, token: str) -> Expr:
        """The probability of a token at the last step."""
        return self._settled(token) + self._transient(token, trigger=self.from_trigger) * self.power

    def pairs(self, first: str, second: str) -> Expr:
        """The expected number of places where the second token directly follows the first."""
        follows = self.after_trigger(second) if first == "trigger" else self.elsewhere(second)
        return (self.mean(first) - self.last(first)) * follows


def one_step(chain: Chain, token: str, after: tuple[Expr, ...]) -> tuple[Expr, ...]:
    """First-step analysis: (Y, Yh, Z, Zh) for one step more, from their values `after` the first token.

    Y and Z are the first and second moment of the count with the trigger before the first token, Yh and Zh without.
    """
    y, y_hat, z, z_hat = after
    ahead = y if token == TRIGGER else y_hat
    rows: list[tuple[Expr, Expr]] = []
    for law in (chain.after_trigger, chain.elsewhere):
        again = law("trigger")
        rows.append(
            (
                again * y + (1 - again) * y_hat + law(token),
                again * z + (1 - again) * z_hat + law(token) * (1 + 2 * ahead),
            )
        )
    return rows[0][0], rows[1][0], rows[0][1], rows[1][1]


@dataclass(frozen=True)
class Sequence:
    """The whole context of T tokens: T - 1 free ones, then the trigger; or T free ones when `forced` is False."""

    target_is_trigger: bool
    forced: bool = True
    length: Expr = T
    power: Expr = POWER
    vocabulary: Expr = N
    noise: Expr = ALPHA

    @cached_property
    def free(self) -> Chain:
        """The tokens before the forced one."""
        return Chain(
            self.target_is_trigger,
            self.length - 1 if self.forced else self.length,
            power=self.power,
            vocabulary=self.vocabulary,
            noise=self.noise,
        )

    def _extra(self, token: str) -> Expr:
        return Integer(self.forced and token == TRIGGER)

    def mean(self, token: str) -> Expr:
        """E of the count of a token."""
        return self.free.mean(token) + self._extra(token)

    def product(self, first: str, second: str) -> Expr:
        """E of the product of two counts."""
        one, two = self._extra(first), self._extra(second)
        return self.free.product(first, second) + one * self.free.mean(second) + two * self.free.mean(first) + one * two

    def pairs(self, first: str, second: str) -> Expr:
        """The expected number of places t >= 2 where the second token follows the first."""
        return self.free.pairs(first, second) + self._extra(second) * self.free.last(first)

    def before_product(self, before: str, token: str) -> Expr:
        """E of the count of `before` among the tokens that have a successor, times the count of `token`."""
        return self.free.product(before, token) + self._extra(token) * self.free.mean(before)


def in_regime(expression: Expr) -> Expr:
    """The expression for T = c N and e = 1/N.

    >>> in_regime(T / N)
    c
    """
    small = {POWER: SMALL_POWER * E**3, OTHER_POWER: OTHER_SMALL_POWER * E**3}
    return expression.subs({T: C / E, N: 1 / E, **small}, simultaneous=True)


def order_of(expression: Expr) -> int:
    """The order in e of a rational expression, in the regime.

    >>> order_of(1 / (N * (N + 1)))
    2
    """
    above, below = (Poly(part, E) for part in together(in_regime(expression)).as_numer_denom())
    return int(min(above.monoms())[0] - min(below.monoms())[0])
