"""Rules for signs along one variable with the others held fixed: mean values, concavity, Taylor polynomials."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from dataclasses import dataclass, replace

from sympy import Expr, Ne, Symbol, diff, nan, oo, true, zoo
from sympy.core.relational import Ge, Gt, Le, Lt
from sympy.logic.boolalg import Boolean

from proofs_check.kernel.end_limits import limit_at
from proofs_check.kernel.fields import expanded
from proofs_check.kernel.signed_claims import Conditions, Signed, Step
from proofs_check.kernel.taylor_bounds import Piece, is_nonnegative
from theory.language.definedness import continuity, demands, smooth_where
from theory.language.formulas import clauses
from theory.temporal import put_at_once
from theory.trees import decode


@dataclass(frozen=True)
class Line:
    """A region along one variable: for fixed others, its points form an interval.

    Kept are the hypotheses without the variable and the inequalities that are affine in it.
    """

    claim: Signed
    x: Symbol
    affine: tuple[tuple[Expr, bool], ...]
    others: tuple[Boolean, ...]

    @classmethod
    def of(cls, claim: Signed, x: Symbol) -> Line:
        """The region of a claim, with hypotheses that may cut holes into its lines left out."""
        others = tuple(part for part in claim.given if not part.has(x))
        affine = []
        for part in claim.given:
            if isinstance(part, (Ge, Gt, Le, Lt)) and part.has(x) and (part.gts - part.lts).is_polynomial(x):
                gap = part.gts - part.lts
                if not expanded(diff(gap, x)).has(x):
                    affine.append((gap, isinstance(part, (Gt, Lt))))
        return cls(claim, x, tuple(affine), others)

    def rate(self, gap: Expr) -> Expr:
        """How fast the gap of an inequality grows."""
        return expanded(diff(gap, self.x))

    def region(self) -> Signed:
        """The claim on the kept hypotheses."""
        kept = [(Gt if strict else Ge)(gap, 0) for gap, strict in self.affine]
        return replace(self.claim, given=tuple(dict.fromkeys((*self.others, *kept))))

    def inside(self, expression: Expr, *more: Boolean, strict: bool) -> Signed:
        """A claim about the points strictly between two different points of the closed line.

        There an affine inequality with a fixed slope is strict.
        """
        kept = [(Gt if is_strict or self.is_fixed(gap) else Ge)(gap, 0) for gap, is_strict in self.affine]
        return replace(self.claim, given=(*self.others, *kept)).but(expression, *more, strict=strict)

    def is_fixed(self, gap: Expr) -> bool:
        """Whether the gap of an inequality grows at a rate that is a number and not 0."""
        rate = self.rate(gap)
        return bool(rate.is_Rational and rate != 0)

    def reaches(self, end: Expr, conditions: Conditions) -> bool:
        """Whether everything strictly between an end and a point of the region is in the region, for fixed others."""
        if end in (oo, -oo):
            direction = 1 if end == oo else -1
            needed = [Ge(direction * self.rate(gap), 0) for gap, _ in self.affine]
        else:
            if not end.free_symbols <= set(self.claim.variables) - {self.x} or end.has(nan, zoo, oo, -oo):
                return False
            needed = [*demands((end,)), *(Ge(put_at_once(gap, {self.x: end}), 0) for gap, _ in self.affine)]
        return conditions.hold(self.region(), [part for part in needed if part != true])


def _starts(line: Line, end: Expr, how: str, from_above: bool, conditions: Conditions) -> Expr | None:
    """The value of the expression at an end, or its limit there; None where it has none that is known."""
    f, x = line.claim.expression, line.x
    if how == "limit":
        return limit_at(f, x, end, from_above)
    needed = continuity(f)
    if needed is None or how != "value" or end in (oo, -oo):
        return None
    there = [put_at_once(condition, {x: end}) for condition in needed]
    value = put_at_once(f, {x: end})
    if value.has(nan, zoo, oo) or not conditions.hold(line.region(), [part for part in there if part != true]):
        return None
    return value


def _is_smooth(line: Line, expressions: Iterable[Expr], conditions: Conditions, *more: Boolean) -> bool:
    """Whether the expression is smooth strictly inside, where the formal derivatives have values, too."""
    inside = line.inside(line.claim.expression, *more, strict=False)
    smooth = smooth_where([line.claim.expression])
    if smooth is None:
        return False
    return conditions.hold(inside, [*clauses(smooth), *demands(expressions)])


def _is_continuous(line: Line, conditions: Conditions) -> bool:
    needed = continuity(line.claim.expression)
    return needed is not None and conditions.hold(line.region(), needed)


def monotone(claim: Signed, step: Step, conditions: Conditions) -> list[Signed] | None:
    """From a base point: f(x) - f(e) = f'(s) (x - e) for some s strictly between (mean value theorem).

    Hypotheses, for fixed others: everything between e and x is in the region; f is continuous from e to x and
    differentiable strictly between; f' is not negative above e and not positive below it; f(e), or the limit of f at e,
    is not negative. At a base with a limit alone, which may be infinite, x is on one side of it. f is positive if f(e)
    is, or if f' has a strict sign and x is never e. Apostol, Calculus I, 4.14 and 4.16.
    """
    x, end, how = decode(step["variable"]), decode(step["at"]), str(step["start"])
    if x not in claim.variables:
        return None
    line = Line.of(claim, x)
    above, below, by_slope = bool(step["above"]), bool(step["below"]), claim.strict and step["strict"] == "slope"
    endless = end in (oo, -oo)
    if endless and (how != "limit" or (above, below) != ((False, True) if end == oo else (True, False))):
        return None
    if not (above or below) or not line.reaches(end, conditions) or not _is_continuous(line, conditions):
        return None
    if how == "limit" and above and below:
        return None
    away = by_slope or how == "limit"
    order = [Ne(x, end)] * (away and above and below)
    order += [(Gt if away else Ge)(x, end)] * (not below) + [(Lt if away else Le)(x, end)] * (not above)
    if not endless and not conditions.hold(line.region(), order):
        return None
    start = _starts(line, end, how, above, conditions)
    if start is None or start == -oo:
        return None
    slope = diff(claim.expression, x)
    claims = [] if start == oo else [line.region().but(start, strict=claim.strict and not by_slope)]
    for direction, is_there in ((1, above), (-1, below)):
        if not is_there:
            continue
        side = [] if endless else [Gt(x, end) if direction == 1 else Lt(x, end)]
        if not _is_smooth(line, [slope], conditions, *side):
            return None
        claims.append(line.inside(direction * slope, *side, strict=by_slope))
    return claims


def concave(claim: Signed, step: Step, conditions: Conditions) -> list[Signed] | None:
    """Between two ends: a concave function is at least the smaller of its values, or limits, at the ends.

    Hypotheses, for fixed others: the region reaches both ends, x lies between them, and strictly where only a limit is
    known; f is continuous, twice differentiable strictly between with f'' not positive. f is positive if both ends
    are, or if f'' is negative and x is neither end. Rockafellar, Convex Analysis, section 24.
    """
    x, ends, hows = decode(step["variable"]), [decode(tree) for tree in step["ends"]], list(step["starts"])
    if x not in claim.variables or len(ends) != 2 or len(hows) != 2 or any(end in (oo, -oo) for end in ends):
        return None
    line, by_bend = Line.of(claim, x), claim.strict and step["strict"] == "bend"
    away = [by_bend or how == "limit" for how in hows]
    order = [(Gt if away[0] else Ge)(x, ends[0]), (Lt if away[1] else Le)(x, ends[1])]
    if not all(line.reaches(end, conditions) for end in ends) or not conditions.hold(line.region(), order):
        return None
    starts = [
        _starts(line, end, how, above, conditions) for end, how, above in zip(ends, hows, (True, False), strict=True)
    ]
    slope = diff(claim.expression, x)
    bend = diff(slope, x)
    between = [Gt(x, ends[0]), Lt(x, ends[1])]
    if any(start is None or start == -oo for start in starts) or not _is_continuous(line, conditions):
        return None
    if not _is_smooth(line, [slope, bend], conditions, *between):
        return None
    known = [start for start in starts if start is not None and start != oo]
    claims = [line.region().but(start, strict=claim.strict and not by_bend) for start in known]
    return [*claims, line.inside(-bend, *between, strict=by_bend)]


def taylor(claim: Signed, step: Step, conditions: Conditions) -> list[Signed] | None:
    """The only variable between two numbers: Taylor polynomials with remainder on pieces that leave nothing out.

    Hypotheses: x lies between the outer ends, the pieces follow each other, and x is no point at which f vanishes where
    f is to be positive. The theorem for one piece stands with its bounds.
    """
    x = decode(step["variable"])
    pieces = [Piece(decode(row[0]), decode(row[1]), decode(row[2]), int(row[3]), int(row[4])) for row in step["pieces"]]
    if x not in claim.variables or not pieces:
        return None
    order = [Ge(x, pieces[0].low), Le(x, pieces[-1].high)]
    order += [Ne(x, piece.centre) for piece in pieces if piece.zeros and claim.strict]
    if any(one.high != other.low for one, other in itertools.pairwise(pieces)) or not conditions.hold(claim, order):
        return None
    shown = all(is_nonnegative(claim.expression, x, piece, strict=claim.strict) for piece in pieces)
    return [] if shown else None
