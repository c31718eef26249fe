"""What Lemmas C.4 to C.10 print: iterations, their decoupled forms, closed forms and leading orders.

Y and Z are the first and second moment of the count of one token over T steps when the trigger stands before the
first of them, Yh and Zh the same without it; lower-case symbols are their values one step earlier.
"""

from __future__ import annotations

from dataclasses import dataclass

from sympy import Expr, Integer, Symbol

from theory.associative_memory._paper import ALPHA, NOISE, TRIGGER, C, N, T
from theory.associative_memory.chain import POWER

a, c = ALPHA, C
y, yh, z, zh = BEFORE = (Symbol("y"), Symbol("yh"), Symbol("z"), Symbol("zh"))

ONE = Integer(1)
FRESH = 1 / N
STAY = (N - 1) / N
SAME, APART = 1 - a - 1 / N, -1 / N


def _fading(eigenvalue: Expr) -> Expr:
    return 1 - eigenvalue * POWER


@dataclass(frozen=True)
class Lemma:
    """One moment lemma: its case, and the displays of its proof in the order of the print."""

    number: str
    target_is_trigger: bool
    counted: str
    case: str
    tag: str
    iteration: tuple[Expr, Expr, Expr, Expr]
    differences: tuple[Expr, Expr]
    sums: tuple[Expr, Expr]
    closed: tuple[Expr, Expr]
    leading: tuple[Expr, Expr, Expr, Expr]
    second: tuple[Expr, Expr]

    @property
    def weight(self) -> Expr:
        """The factor of Yh in the decoupled sum Y/N + weight Yh."""
        return a if self.target_is_trigger else ONE


LEMMAS = (
    Lemma(
        "c.4",
        target_is_trigger=True,
        counted=TRIGGER,
        case="the target is the trigger, counts of the trigger",
        tag="C.9",
        iteration=(
            (1 - a) * y + a * yh + 1 - a,
            FRESH * y + STAY * yh + FRESH,
            (1 - a) * z + a * zh + (1 - a) * (1 + 2 * y),
            FRESH * z + STAY * zh + FRESH * (1 + 2 * y),
        ),
        differences=(SAME * (y - yh) + SAME, SAME * (z - zh) + SAME * (1 + 2 * y)),
        sums=(y / N + a * yh + FRESH, z / N + a * zh + FRESH * (1 + 2 * y)),
        closed=(SAME / (a + 1 / N) * _fading(SAME), T / N),
        leading=(
            c / a - 1 + 1 / a**2,
            c / a,
            c * (-3 / a + 2 / a**2 + 2 / a**3) + c**2 / a**2 + (1 - a) / a * (2 / a**2 - 1),
            c / a * (-1 + 2 / a**2) + c**2 / a**2,
        ),
        second=((-1 + 2 / a**2) * (1 - a) / a + 2 * (1 - a) / a**2 * c, c * (-1 + 2 / a**2) + c**2 / a),
    ),
    Lemma(
        "c.5",
        target_is_trigger=True,
        counted=NOISE,
        case="the target is the trigger, counts of the noise token",
        tag="C.10",
        iteration=(
            (1 - a) * y + a * yh + a,
            FRESH * y + STAY * yh,
            (1 - a) * z + a * zh + a * (1 + 2 * yh),
            FRESH * z + STAY * zh,
        ),
        differences=(SAME * (y - yh) + a, SAME * (z - zh) + a * (1 + 2 * yh)),
        sums=(y / N + a * yh + a / N, z / N + a * zh + a / N * (1 + 2 * yh)),
        closed=(a / (a + 1 / N) * _fading(SAME), a * T / N),
        leading=(c + 1, c, 3 * a * c + a * c**2 + a, c + c**2),
        second=(2 * c + 1, a * c + a * c**2),
    ),
    Lemma(
        "c.6",
        target_is_trigger=True,
        counted="other",
        case="the target is the trigger, counts of another token",
        tag="C.11",
        iteration=(
            (1 - a) * y + a * yh,
            FRESH * y + STAY * (yh + 1 / (N - 1)),
            (1 - a) * z + a * zh,
            FRESH * z + STAY * zh + FRESH * (1 + 2 * yh),
        ),
        differences=(SAME * (y - yh) - FRESH, SAME * (z - zh) - FRESH * (1 + 2 * yh)),
        sums=(y / N + a * yh + a / N, z / N + a * zh + a / N * (1 + 2 * yh)),
        closed=(-FRESH / (a + 1 / N) * _fading(SAME), a * T / N),
        leading=(c, c, c + c**2, c + c**2),
        second=(-1 / (a * N) * (2 * c + 1), a * c + a * c**2),
    ),
    Lemma(
        "c.7",
        target_is_trigger=False,
        counted=TRIGGER,
        case="the target is not the trigger, counts of the trigger",
        tag="C.12",
        iteration=(yh, FRESH * y + STAY * yh + FRESH, zh, FRESH * z + STAY * zh + FRESH * (1 + 2 * y)),
        differences=(APART * (y - yh) - FRESH, APART * (z - zh) - FRESH * (1 + 2 * y)),
        sums=(y / N + yh + FRESH, z / N + zh + FRESH * (1 + 2 * y)),
        closed=(-FRESH / (1 + 1 / N) * _fading(APART), T / N),
        leading=(c, c, c + c**2, c + c**2),
        second=(-1 / N - 2 * c / N, c + c**2),
    ),
    Lemma(
        "c.8",
        target_is_trigger=False,
        counted=NOISE,
        case="the target is not the trigger, counts of the noise token",
        tag="C.13",
        iteration=(yh + a, FRESH * y + STAY * yh, zh + a * (1 + 2 * yh), FRESH * z + STAY * zh),
        differences=(APART * (y - yh) + a, APART * (z - zh) + a * (1 + 2 * yh)),
        sums=(y / N + yh + a / N, z / N + zh + a / N * (1 + 2 * yh)),
        closed=(a / (1 + 1 / N) * _fading(APART), a * T / N),
        leading=(a * c + a, a * c, c * (2 * a**2 + a) + a**2 * c**2 + a, a * c + a**2 * c**2),
        second=(2 * a**2 * c + a, a * c + a**2 * c**2),
    ),
    Lemma(
        "c.9",
        target_is_trigger=False,
        counted="target",
        case="the target is not the trigger, counts of the target",
        tag="C.14",
        iteration=(
            yh + 1 - a,
            FRESH * y + STAY * yh + FRESH,
            zh + (1 - a) * (1 + 2 * yh),
            FRESH * z + STAY * zh + FRESH * (1 + 2 * yh),
        ),
        differences=(APART * (y - yh) + 1 - a - FRESH, APART * (z - zh) + (1 - a - FRESH) * (1 + 2 * yh)),
        sums=(y / N + yh + (2 - a) / N, z / N + zh + (2 - a) / N * (1 + 2 * yh)),
        closed=((1 - a - FRESH) / (1 + 1 / N) * _fading(APART), (2 - a) * T / N),
        leading=(
            1 - a + (2 - a) * c,
            (2 - a) * c,
            c * (2 - a) * (3 - 2 * a) + (2 - a) ** 2 * c**2 + 1 - a,
            (2 - a) * c + (2 - a) ** 2 * c**2,
        ),
        second=((1 - a) * (1 + 2 * (2 - a) * c), (2 - a) * c + (2 - a) ** 2 * c**2),
    ),
    Lemma(
        "c.10",
        target_is_trigger=False,
        counted="other",
        case="the target is not the trigger, counts of another token",
        tag="C.15",
        iteration=(
            yh + 1 - a,
            FRESH * y + STAY * yh + FRESH,
            zh,
            FRESH * z + STAY * zh + FRESH * (1 + 2 * yh),
        ),
        differences=(APART * (y - yh) - FRESH, APART * (z - zh) - FRESH * (1 + 2 * yh)),
        sums=(y / N + yh + FRESH, z / N + zh + FRESH * (1 + 2 * yh)),
        closed=(-FRESH / (1 + 1 / N) * _fading(APART), T / N),
        leading=(c, c, c + c**2, c + c**2),
        second=(-1 / N - 2 * c / N, c + c**2),
    ),
)
