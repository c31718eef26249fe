"""Local statements, "for all small eps" and scaling laws, by exact power series in the small symbol.

"proved" rests on leading coefficients whose signs the other provers show on the whole hypothesis set. The functions are
analytic near 0 under the recorded conditions, or polynomials of such functions in log(e) and exp(-1/e), so a leading
coefficient decides; inner variables are treated uniformly.
"""

from __future__ import annotations

from collections.abc import Mapping

from sympy import Expr, Interval, Set, Symbol, oo
from sympy.logic.boolalg import Boolean

from proofs_check.budget import Budget
from proofs_check.engines.asymptotics import NAME, scaling
from proofs_check.engines.asymptotics.certificates import certificate
from proofs_check.engines.asymptotics.growth_scales import plainly
from proofs_check.engines.asymptotics.near_zero import Setting, eventually
from proofs_check.engines.discharge import Proving
from proofs_check.kernel.series import holds as accepted
from proofs_check.kernel.series import stored
from proofs_check.verdict import Evidence, Outcome
from theory.language.formulas import clauses
from theory.statements import Statement
from theory.temporal import Exists, ForSmall, Scaling, is_plain, is_temporal

VERSION = 8


def decide(statement: Statement, budget: Budget) -> Evidence | None:
    """Prove a local statement or a scaling law, or refute it at an exact point of the parameters.

    >>> from sympy import sin
    >>> e = Symbol("e")
    >>> decide(Statement(then=ForSmall(e, sin(e) < e)), Budget.of("quick")).outcome
    <Outcome.PROVED: 'proved'>
    """
    conclusion = statement.conclusion
    if statement.computed is not None or statement.dynamics is not None or is_temporal(conclusion):
        return None
    plain = tuple(part for part in statement.hypotheses if is_plain(part))
    running = budget.start()
    parts = clauses(conclusion)
    verdicts = []
    for place, part in enumerate(parts):
        verdict = _decide(part, statement.variables, plain, running)
        if verdict is None or verdict.outcome is not Outcome.PROVED:
            complete = len(plain) == len(statement.hypotheses)
            if verdict is None or verdict.outcome is not Outcome.REFUTED or not complete:
                return None
            return verdict.but(certificate={**(verdict.certificate or {}), "part": place})
        verdicts.append(verdict)
    notes = tuple(dict.fromkeys(note for verdict in verdicts for note in verdict.notes))
    certificates = [verdict.certificate for verdict in verdicts]
    known = [item for one in certificates for item in stored(one or {})]
    shown = Proving(running.share("obligations of a series"), known)
    if not accepted(statement, {"kind": "series"}, shown):
        return None
    joined = {"kind": "series", "obligations": shown.obligations}
    return Evidence(Outcome.PROVED, NAME, certificate=joined, notes=notes)


def _decide(
    part: Boolean, variables: Mapping[Symbol, Set], hypotheses: tuple[Boolean, ...], budget: Budget
) -> Evidence | None:
    if isinstance(part, Scaling):
        return scaling.decide(part, variables, hypotheses, budget)
    small, body = _local(part)
    if small is None or small in variables:
        return None
    setting = Setting(variables, hypotheses, small, budget)
    body = plainly(body, small)
    if eventually(body, setting):
        return _proved(setting)
    return scaling.refuted_locally(body, setting) if isinstance(part, ForSmall) else None


def _local(part: Boolean) -> tuple[Symbol | None, Expr]:
    """The small symbol and what is said of it; "there is an eps" follows from "for all small eps"."""
    if isinstance(part, ForSmall):
        return part.symbol, part.body
    if isinstance(part, Exists) and isinstance(part.domain, Interval) and part.domain.start == 0:
        end = part.domain.end
        if end is oo or (end.is_Rational and end > 0):
            return part.symbol, part.body
    return None, part


def _proved(setting: Setting) -> Evidence:
    shown = certificate(setting)
    note = f"leading coefficients in {setting.small} decide; the remainder is of smaller order near 0"
    return Evidence(Outcome.PROVED, NAME, certificate=shown, notes=(note,))
