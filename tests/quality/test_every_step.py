"""First-order methods after every number of steps: rates and potentials, counterexamples, forgeries."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any

import pytest
from forgeries import changed, places, value_at
from sympy import Eq, Expr, Ge, Interval, Le, Rational, S, Symbol, oo, symbols

from proofs_check import verify
from proofs_check.kernel.potential import NotInductiveError, every_step, falling, geometric
from proofs_check.kernel.theorem import Rejection, Sense, Theorem, accept
from theory import (
    After,
    Always,
    Constant,
    Convex,
    ForAll,
    PolyakLojasiewicz,
    Smooth,
    SmoothConvex,
    SmoothStronglyConvex,
    Statement,
    Vectors,
    exact_line_search,
    function,
    gradient_descent,
    inner,
    nesterov,
    norm,
    proximal_point,
    vector,
)
from theory.trees import content_hash, decode, decode_statement, encode, encode_statement

f, x, x0, before = function("f"), vector("x"), vector("x0"), vector("x_prev")
L, mu, eta, k, N, c = symbols("L mu eta k N c")
POSITIVE = Interval.open(0, oo)
GAP, DISTANCE = f(x) - f.minimum, norm(x0 - f.minimiser)
GAP_AT_START = f(x0) - f.minimum
STRONG, TENTH = SmoothStronglyConvex(mu, L), SmoothStronglyConvex(Rational(1, 10), 1)
DESCENT = gradient_descent(f, x, 1 / L)
MOMENTUM = nesterov(f, x, 1 / L, (k - 1) / (k + 2), time=k)
SEARCH = exact_line_search(f, x)


def run(of: Any, method: Any, then: Any, *given: Any) -> Statement:
    """A claim about a method that starts at x0."""
    used = of.free_symbols | then.free_symbols | set(method.parameters)
    used |= set().union(*(part.free_symbols for part in given))
    return Statement(
        variables={f: of, x0: Vectors(), **({N: S.Naturals} if N in used else {})}
        | dict.fromkeys(used & {L, mu, eta}, POSITIVE),
        given=given,
        dynamics=method,
        start={x: x0} | ({before: x0} if before in method.state else {}),
        then=then,
    )


def convex(bound: Expr, method: Any = DESCENT, of: Any = None) -> Statement:
    return run(of or SmoothConvex(L), method, After(N, bound * DISTANCE**2 >= GAP))


TRUE = {
    "gradient descent": convex(L / (2 * N)),
    "gradient descent, a weaker rate": convex(L / N),
    "gradient descent, as a quantifier": run(
        SmoothConvex(L), DESCENT, ForAll(N, S.Naturals, After(N, GAP <= L * DISTANCE**2 / (2 * N)))
    ),
    "Nesterov": convex(2 * L / (N + 1) ** 2, MOMENTUM),
    "the proximal point method": convex(1 / (2 * eta * N), proximal_point(f, x, eta), Convex()),
    "a contraction": run(STRONG, DESCENT, After(N, norm(x - f.minimiser) <= (1 - mu / L) ** N * DISTANCE)),
    "a contraction, squared": run(
        STRONG, DESCENT, After(N, norm(x - f.minimiser) ** 2 <= (1 - mu / L) ** (2 * N) * DISTANCE**2)
    ),
    "a contraction with a clock": run(
        STRONG,
        gradient_descent(f, x, 1 / L, time=k),
        Always(norm(x - f.minimiser) <= (1 - mu / L) ** k * DISTANCE),
    ),
    "a contraction with numbers": run(
        TENTH, gradient_descent(f, x, 1), After(N, norm(x - f.minimiser) <= Rational(9, 10) ** N * DISTANCE)
    ),
    "Polyak and Lojasiewicz": run(
        PolyakLojasiewicz(mu, L), DESCENT, After(N, (1 - mu / L) ** N * GAP_AT_START >= GAP), mu <= L
    ),
    "nobody goes away": run(SmoothConvex(L), DESCENT, Always(norm(x - f.minimiser) <= DISTANCE)),
    "nobody goes up": run(Smooth(L), DESCENT, Always(f(x) <= f(x0))),
    "a proximal step does not go away": run(
        Convex(), proximal_point(f, x, eta), Always(norm(x - f.minimiser) <= DISTANCE)
    ),
    "a line search with numbers": run(TENTH, SEARCH, After(1, Rational(81, 121) * GAP_AT_START >= GAP)),
    "a line search descends": run(
        SmoothConvex(L), SEARCH, After(1, f(x) <= f(x0) - norm(f.gradient(x0)) ** 2 / (2 * L))
    ),
    "a line search turns": run(SmoothConvex(L), SEARCH, After(1, inner(f.gradient(x), f.gradient(x0)) <= 0)),
}

FALSE = {
    "gradient descent, better": convex(L / (5 * N)),
    "gradient descent, much better": convex(L / N**3),
    "gradient descent without convexity": convex(L / (6 * N), of=Smooth(L)),
    "gradient descent with a long step": convex(L / (2 * N), gradient_descent(f, x, 3 / L)),
    "Nesterov, better": convex(L / (N + 1) ** 2, MOMENTUM),
    "the proximal point method, better": convex(1 / (5 * eta * N), proximal_point(f, x, eta), Convex()),
    "a contraction, better": run(
        STRONG, DESCENT, After(N, norm(x - f.minimiser) <= (1 - mu / L) ** (2 * N) * DISTANCE)
    ),
    "a contraction without strong convexity": run(
        SmoothConvex(1), gradient_descent(f, x, 1), After(N, norm(x - f.minimiser) <= Rational(9, 10) ** N * DISTANCE)
    ),
    "a rate from a better start": run(
        STRONG, DESCENT, After(N, norm(x - f.minimiser) <= (1 - mu / L) ** N * DISTANCE / 2)
    ),
    "everybody goes down": run(Smooth(L), gradient_descent(f, x, 3 / L), Always(f(x) <= f(x0))),
    "a line search, better": run(TENTH, SEARCH, After(1, Rational(66, 100) * GAP_AT_START >= GAP)),
}


@cache
def decided(name: str) -> Any:
    return verify((TRUE | FALSE)[name], effort="deep")


@pytest.mark.parametrize("name", TRUE)
def test_a_true_statement_is_proved_exactly(name: str) -> None:
    verdict = decided(name)
    assert (str(verdict.outcome), str(verdict.strength), verdict.trust) == ("proved", "exact", ()), verdict.notes


@pytest.mark.parametrize("name", FALSE)
def test_a_false_statement_is_refuted_by_a_function(name: str) -> None:
    verdict = decided(name)
    assert (str(verdict.outcome), str(verdict.strength)) == ("refuted", "exact"), verdict.notes


def is_rejected(statement: Statement, sense: Sense, certificate: Any) -> bool:
    return isinstance(accept(statement, sense, certificate), Rejection)


INDUCTIVE = [name for name in TRUE if not isinstance(TRUE[name].then, After) or TRUE[name].then.args[0] == N]
EVERY_FALSE = [name for name in FALSE if not isinstance(FALSE[name].then, After) or FALSE[name].then.args[0] == N]


def _used(proofs: list[Any]) -> list[tuple[Any, ...]]:
    """Where numbers stand in proofs of goals that are not identities: those need none."""
    spots = (path for path in places(proofs, also_whole=False) if "signs" not in path and "nodes" not in path)
    return [path for path in spots if any(value_at(proofs, path[:3])[key] for key in ("multipliers", "squares"))]


def test_changed_proofs_are_rejected() -> None:
    """Numbers that are off, potentials that are not the right one, another base, proofs of other claims."""
    how, tried = Random(11), 0  # noqa: S311 - not for cryptography
    for name in INDUCTIVE:
        statement, certificate = TRUE[name], dict(decided(name).certificate)
        assert isinstance(accept(statement, Sense.HOLDS, certificate), Theorem)
        proofs = certificate["proofs"]
        for path in _used(proofs) * 2:
            forged = certificate | {"proofs": changed(proofs, path, how)}
            assert is_rejected(statement, Sense.HOLDS, forged), (name, path)
            tried += 1
        for lost in range(len(certificate["proofs"])):
            rest = [*certificate["proofs"][:lost], *certificate["proofs"][lost + 1 :]]
            assert is_rejected(statement, Sense.HOLDS, certificate | {"proofs": rest})
            tried += 1
        for twin in EVERY_FALSE:
            assert is_rejected(FALSE[twin], Sense.HOLDS, certificate), (name, twin)
            tried += 1
        if "potential" in certificate:
            own = decode(certificate["potential"])
            for other in (own + GAP, 2 * own, own - norm(x - f.minimiser) ** 2, GAP, N * GAP, own.xreplace({N: N + 1})):
                assert is_rejected(statement, Sense.HOLDS, certificate | {"potential": encode(other)}), (name, other)
                tried += 1
            grown = decode(certificate["bound"])
            for bound in (grown / 2, N * grown, grown - 1, GAP):
                assert is_rejected(statement, Sense.HOLDS, certificate | {"bound": encode(bound)}), (name, bound)
                tried += 1
    for name in EVERY_FALSE:
        certificate = dict(decided(name).certificate)
        for holds in INDUCTIVE:
            assert is_rejected(TRUE[holds], Sense.FAILS, certificate), (name, holds)
            tried += 1
        for steps in (-1, 0):
            assert is_rejected(FALSE[name], Sense.FAILS, certificate | {"steps": steps})
            tried += 1
    assert tried >= 400


def test_a_potential_speaks_of_the_state_and_a_bound_of_what_is_fixed() -> None:
    every = every_step(TRUE["gradient descent"])
    for potential, bound in ((GAP, GAP), (GAP, N * DISTANCE**2), (GAP + Symbol("z"), DISTANCE**2)):
        with pytest.raises(NotInductiveError):
            falling(every, potential, bound, 0)
    with pytest.raises(NotInductiveError):
        falling(every, GAP, DISTANCE**2, -1)


TWINS = {
    "a rate that depends on the counter": run(
        STRONG, DESCENT, After(N, norm(x - f.minimiser) <= (1 - 1 / (N + 1)) ** N * DISTANCE)
    ),
    "a bound that depends on the state": run(STRONG, DESCENT, After(N, Rational(1, 2) ** N * norm(x) ** 2 >= GAP)),
}


@pytest.mark.parametrize("name", TWINS)
def test_the_geometric_rule_is_refused_outside_of_its_hypotheses(name: str) -> None:
    with pytest.raises(NotInductiveError):
        geometric(every_step(TWINS[name]))


def test_a_negative_rate_is_no_rate() -> None:
    """Without mu <= L the number 1 - mu / L may be negative: the obligation says that it is not."""
    goals = geometric(every_step(TRUE["Polyak and Lojasiewicz"].but(given=())))
    assert goals[-1].then == Le(0, 1 - mu / L, evaluate=False) or goals[-1].then.rhs == 0
    assert verify(TRUE["Polyak and Lojasiewicz"].but(given=())).outcome != "refuted"


def test_a_rate_of_unknown_sign_needs_a_quantity_with_one_that_starts_at_its_bound() -> None:
    """q <= r^n U: for r < 0 a q of any sign may be negative, and a U above q_0 makes the bound too small."""
    claimed = run(PolyakLojasiewicz(mu, L), DESCENT, After(N, (1 - mu / L) ** N * GAP_AT_START >= GAP))
    start, _, sign = geometric(every_step(claimed), "quantity")
    assert (start.then.args[0].func, sign.then) == (Eq, Ge(GAP, 0, evaluate=False))
    verdict = verify(claimed)
    assert (str(verdict.outcome), verdict.certificate["sign"]) == ("proved", "quantity")
    larger = claimed.but(then=After(N, 2 * (1 - mu / L) ** N * GAP_AT_START >= GAP))
    norms = run(STRONG, DESCENT, After(N, norm(x - f.minimiser) <= (1 - mu / L) ** N * DISTANCE))
    for statement in (larger, norms):
        assert is_rejected(statement, Sense.HOLDS, dict(verdict.certificate))
    with pytest.raises(NotInductiveError):
        geometric(every_step(norms), "quantity")


OTHERS = {
    "a counter in the step": run(
        SmoothConvex(L), gradient_descent(f, x, 1 / (N * L)), After(N, GAP <= L * DISTANCE**2)
    ),
    "one number of steps": run(SmoothConvex(L), DESCENT, After(2, GAP <= L * DISTANCE**2)),
}


@pytest.mark.parametrize("name", OTHERS)
def test_what_is_not_about_every_number_of_steps_is_not_read(name: str) -> None:
    with pytest.raises(NotInductiveError):
        every_step(OTHERS[name])


@pytest.mark.parametrize(
    "name", ["gradient descent", "Nesterov", "a contraction with a clock", "a line search descends"]
)
def test_a_statement_is_stored_and_read_back(name: str) -> None:
    statement = TRUE[name]
    again = decode_statement(encode_statement(statement))
    assert content_hash(again) == content_hash(statement)
    assert again.latex() == statement.latex()


@pytest.mark.slow
@pytest.mark.parametrize(("steps", "best"), [(2, "1/10"), (3, "1/14")])
def test_the_tight_constant_is_found(steps: int, best: str) -> None:
    loose = Statement(
        variables={f: SmoothConvex(1), x0: Vectors()},
        dynamics=gradient_descent(f, x, 1),
        start={x: x0},
        then=After(steps, c * DISTANCE**2 >= GAP),
        constants=(Constant(c, Rational(1, 5), best="smallest"),),
    )
    assert ((verify(loose).sharp or {})["c"])["best"] == best
