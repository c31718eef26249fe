"""Theorem 1, Corollary 2 and Appendix F hold for layers of every size; with one letter changed they do not."""

import pytest
from sympy import And, Eq, KroneckerDelta, Symbol

from proofs_check import verify
from proofs_check.kernel.theorem import Sense, Theorem, accept
from proofs_check.kernel.written_out import at_sizes
from theory.library import find
from theory.saddle_to_saddle.every_width import (
    FIRST,
    REST,
    SECOND,
    SQUARES,
    b,
    gamma_u,
    i,
    j,
    k,
    matrix,
    n,
    on_reals,
    over,
    phi,
    s,
    same,
    scale,
    share,
    slope,
    split,
    u,
    v,
    v_H,
)
from theory.scope import whole
from theory.statements import Statement


def stated(name: str) -> Statement:
    (entry,) = find(f"saddle_to_saddle/{name}")
    return entry.statement()


@pytest.mark.parametrize("name", ["theorem-1", "corollary-2", "claim-f.3", "claim-f.4", "claim-f.4#30", "claim-f.4#31"])
@pytest.mark.sampled(3)
def test_the_printed_items_are_proved_for_every_size(name: str) -> None:
    statement = stated(name)
    verdict = verify(statement, effort="deep")
    assert (verdict.outcome.value, verdict.scope, verdict.engine) == ("proved", whole(), "families")
    assert isinstance(accept(statement, Sense.HOLDS, verdict.certificate), Theorem)
    assert verdict.witness or not statement.given


def test_the_manifolds_are_tangent_for_every_size_and_other_multiples_are_not() -> None:
    assert verify(stated("theorem-3.tangent")).outcome == "proved"
    moved, kept = over(v[j, b] * phi[s, j, b], s, b), scale * over(v[j, b] * phi[s, j, b], s, b)
    assert verify(on_reals(same(j, left=moved, right=kept))).outcome == "refuted"


def test_lemma_6_and_theorem_4_are_stated_whole() -> None:
    """Both are beyond the kernel; the cases of Lemma 6 are refuted."""
    for name, words in (("lemma-6", r"\exists"), ("theorem-4", r"\Box")):
        assert stated(name).scope == whole()
        assert words in stated(name).latex()


def test_shares_that_do_not_add_up_are_refuted() -> None:
    """(6) with gamma_v in place of gamma_u gamma_v: zeta changes unless gamma_u is one."""
    first, *_ = split(scale * phi[s, i, b], slope[s, i, n, b], share)
    assert verify(on_reals(first)).outcome == "refuted"


def test_a_gradient_of_the_narrow_network_has_to_vanish() -> None:
    _, _, new, _ = split(phi[s, i, b], slope[s, i, n, b], share)
    assert verify(on_reals(new, *REST)).outcome == "proved"
    assert verify(on_reals(new)).outcome == "refuted"


def test_another_factor_is_refuted() -> None:
    """F.3 with gamma in place of its square, F.4 with twice the squares, copies whose parts add up to anything."""
    second = v[i, b]
    two = over(phi[s, i, b] * second, b) + over(scale * phi[s, i, b] * scale * second, b)
    one = over(phi[s, i, b] * (1 + scale) * second, b)
    assert verify(on_reals(same(s, i, left=one, right=two))).outcome == "refuted"
    on_manifold = stated("claim-f.4")
    doubled = same(b, left=(1 + 2 * SQUARES) * v_H[b], right=over(gamma_u[k] * v[k, b], k))
    assert verify(on_manifold.but(given=(doubled,))).outcome == "refuted"
    embedded = stated("corollary-2")
    (same_map,) = [part for part in embedded.then.args if part.has(KroneckerDelta)]
    assert verify(embedded.but(given=(), then=same_map)).outcome == "refuted"


def test_the_sign_in_7_matters() -> None:
    """v_i = v_i* + gamma_{u_i} v_H does not keep zeta."""
    linear = matrix[s, n, b] * u[j, n]
    kept = v[j, b] + gamma_u[j] * SECOND
    old = over(linear * v[j, b], j, n, b)
    new = over(linear * kept, j, n, b) + over(matrix[s, n, b] * FIRST * SECOND, n, b)
    assert verify(on_reals(same(s, left=new, right=old))).outcome == "refuted"


def test_the_sums_are_the_gradients_of_a_layer() -> None:
    """Written out at one size, (21) and (22) are what SymPy derives from a squared error."""
    sizes = {"h": 2, "S": 2, "N_u": 2, "N_v": 1}
    first = {(unit, place): Symbol(f"u_{unit}_{place}") for unit in (1, 2) for place in (1, 2)}
    second = {unit: Symbol(f"v_{unit}_1") for unit in (1, 2)}
    inputs, targets = {1: (1, 2), 2: (3, -1)}, {1: 1, 2: 2}
    value = {
        (q, unit): (first[unit, 1] * inputs[q][0] + first[unit, 2] * inputs[q][1]) ** 3
        for q in (1, 2)
        for unit in (1, 2)
    }
    zeta = {q: sum(value[q, unit] * second[unit] for unit in (1, 2)) for q in (1, 2)}
    loss = sum((zeta[q] - targets[q]) ** 2 for q in (1, 2)) / 4
    known = {Symbol(f"l_{q}"): (zeta[q] - targets[q]) / 2 for q in (1, 2)}
    known |= {Symbol(f"phi_{q}_{unit}_1"): number for (q, unit), number in value.items()}
    known |= {
        Symbol(f"phi_slope_{q}_{unit}_{place}_1"): number.diff(first[unit, place])
        for (q, unit), number in value.items()
        for place in (1, 2)
    }
    written = at_sizes(on_reals(And(*REST)), sizes).then
    found = [equation.lhs.xreplace(known).expand() for equation in written.atoms(Eq)]
    wanted = [loss.diff(weight).expand() for weight in (*second.values(), *first.values())]
    assert sorted(map(str, found)) == sorted(map(str, wanted))
