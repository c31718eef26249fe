"""Families that move: a false claim is refuted at a size, indices are compared, and examples are not believed."""

import pytest
from sympy import Implies, Interval, Lt, Ne, Rational, S, Sum, Symbol, oo, symbols

from proofs_check import as_property_test, verify
from proofs_check.budget import Budget
from proofs_check.engines.falsify import examples
from proofs_check.kernel.theorem import Rejection, Sense, accept
from proofs_check.kernel.written_out import at_sizes
from theory import Always, Flow, ForEach, LemmascopeError, Map, Statement, family
from theory.trees import content_hash, decode_statement, encode_statement

n, m, i, j, k, x, t = symbols("n m i j k x t")
u, v = family("u", n), family("v", n)
TOTAL = Sum(v[k], (k, 1, n))


def summing(bound, **changes):
    """Every entry becomes the sum of all."""
    return Statement(
        variables={u: Interval(0, 1)},
        dynamics=Map((v[i],), (TOTAL,)),
        start={v[i]: u[i]},
        then=Always(ForEach(i, n, v[i] <= bound)),
    ).but(**changes)


def halving(**changes):
    return summing(1, dynamics=Map((v[i],), (v[i] / 2,)), **changes)


def test_a_claim_that_fails_from_two_entries_on_is_refuted_there():
    verdict = verify(summing(1), effort="quick")
    assert verdict.outcome == "refuted"
    assert verdict.counterexample["n"] == "2"


def test_the_same_of_a_map_that_shrinks_is_not_refuted():
    assert verify(halving(), effort="quick").outcome != "refuted"


def test_a_flow_moves_entry_by_entry():
    decay = Flow((v[i],), (-v[i],), t)
    grows = summing(1, dynamics=Flow((v[i],), (v[i],), t))
    assert verify(grows, effort="quick").outcome == "refuted"
    assert verify(summing(1, dynamics=decay), effort="quick").outcome != "refuted"


def test_what_is_written_out_at_a_size_is_the_system_of_its_entries():
    about = at_sizes(summing(1), {"n": 2})
    first, second = symbols("v_1 v_2")
    assert about.dynamics.state == (first, second)
    assert set(about.dynamics.update) == {first + second}
    assert dict(about.start) == {first: Symbol("u_1"), second: Symbol("u_2")}


@pytest.mark.parametrize("relation", [i > j, Ne(i, j)])
def test_indices_are_compared(relation):
    apart = halving(then=Always(ForEach(i, n, ForEach(j, n, Implies(relation, v[i] + 2 * v[j] <= 3)))))
    assert len(at_sizes(apart, {"n": 3}).then.args[0].args) == (3 if relation == (i > j) else 6)


def test_it_is_stored_and_read_back():
    about = summing(1, examples=({n: 2, Symbol("u_1"): 1, Symbol("u_2"): 1},))
    again = decode_statement(encode_statement(about))
    assert content_hash(again) == content_hash(about)
    assert again.examples == about.examples


def test_a_property_test_draws_sizes():
    as_property_test(halving(), max_examples=20)()
    with pytest.raises(AssertionError):
        as_property_test(summing(1), max_examples=40)()


@pytest.mark.parametrize(
    "changes",
    [
        lambda: {"dynamics": Map((v[i],), (v[j],))},  # a free index
        lambda: {"dynamics": Map((v,), (x,))},  # no formula for an entry
        lambda: {"start": {v[i]: u[j]}},
        lambda: {"then": ForEach(i, n, v[i] <= 1)},  # not said when
    ],
)
def test_what_makes_no_sense_is_refused(changes):
    with pytest.raises(LemmascopeError):
        summing(1).but(**changes())


def test_the_name_of_an_entry_is_no_variable():
    clash = summing(1, variables={u: Interval(0, 1), Symbol("v_1"): S.Reals})
    assert verify(clash, effort="quick").outcome != "refuted"


def test_an_example_that_satisfies_the_hypotheses_refutes():
    place = 10**9 + Rational(1, 7)
    narrow = Statement(variables={x: Interval(0, oo)}, given=(x > 10**9, x < 10**9 + 1), then=Ne(x, place))
    found = examples.decide(narrow.but(examples=({x: place},)), Budget.of("quick"))
    assert not isinstance(accept(narrow, Sense.FAILS, found.certificate), Rejection)


@pytest.mark.parametrize("example", [{x: 3}, {x: Rational(1, 2)}, {x: 1, n: 2}, {}])
def test_an_example_outside_of_the_hypotheses_or_where_the_claim_holds_does_not(example):
    claim = Statement(variables={x: Interval(0, 2)}, then=Lt(x, 1), examples=(example,))
    assert examples.decide(claim, Budget.of("quick")) is None


@pytest.mark.parametrize("example", [2, {"x": 1}, {x: Symbol("y")}])
def test_an_example_is_a_mapping_to_numbers(example):
    with pytest.raises(LemmascopeError):
        Statement(variables={x: Interval(0, 2)}, then=Lt(x, 1), examples=(example,))
