"""How many trees and colours there are, for every depth, as recursions of numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count
from math import factorial

from sympy import And, Basic, Expr, Ge, Gt, Le, Lt, Mul, Pow, Range, Rational, S, Set, Symbol, oo, true
from sympy.logic.boolalg import Boolean

from proofs_check.kernel.fields import expanded
from proofs_check.kernel.structure_rules import NotReducedError
from theory.dynamics import Map
from theory.language.structures import Count, RootedTrees, Structures, Word
from theory.statements import Statement
from theory.temporal import Always, is_plain, put_at_once, rename


def as_recursion(statement: Statement, more: Sequence[Boolean] = ()) -> Statement:
    """A claim about how many trees there are, for every depth, as a claim about all steps of a recursion of numbers.

    Theorem. Let N(K) be the number of members of a sort of depth K. A tree of depth K + 1 is the feature of its root
    and a multiset of branches, so that N(0) = x, and N(K + 1) = x C(N(K) + m, m) for at most m children (multisets of
    at most m), x C(N(K) + m - 1, m) for exactly m. Colours after K >= 1 rounds in graphs of degrees at most m are trees
    whose root has at most m branches and whose other nodes have at most m - 1 (the walks that never turn back determine
    all walks and are determined by them; every such tree is itself a graph): x C(B(K - 1) + m, m) with B counting the
    branches; with exactly m neighbours everywhere both are multisets of exactly so many. A claim for all K from K0 on
    is then a claim about every step from K0 on, where K, the numbers, r^K and r^(s^K) take their own steps.

    Hypotheses: K is a variable whose domain is all whole numbers from K0 on, no other hypothesis speaks of K, m is a
    number. A lower bound without m (without x) holds for all m (x) when it does for the smallest: more features only
    add trees, and so do more children where at most so many are meant. `more` is claimed besides, of the numbers that
    step: what follows from a stronger claim holds.
    """
    claim, variables = _at_smallest(statement)
    totals = sorted(claim.atoms(Count), key=str)
    if not all(isinstance(total.over, RootedTrees) and total.body == true for total in totals):
        raise NotReducedError("not the number of trees")
    if len(depths := {total.over.args[1] for total in totals}) != 1:
        raise NotReducedError("not one depth")
    (depth,) = depths
    first = _first(depth, variables.pop(depth, None), (*statement.given, *variables.values()))
    if any(power.exp.could_extract_minus_sign() for power in claim.atoms(Pow)):
        raise NotReducedError("a quotient may have no value")
    taken = {symbol.name for symbol in (*statement.variables, *claim.free_symbols)}
    names = (Symbol(name) for k in count(1) if (name := f"b{k}") not in taken)
    steps: dict[Symbol, Expr] = {}
    start: dict[Symbol, Expr] = {}
    values: dict[Basic, Expr] = {}
    for total in totals:
        name = next(names)
        values[total], steps[name], start[name] = _tree_recursion(total.over, name, int(first))
    claim = _stepping(rename(claim, values), depth, first, steps, start, names)
    grown = [Ge(name, value, evaluate=False) for name, value in start.items()]
    if depth in claim.free_symbols:
        steps[depth], start[depth] = depth + 1, first
    if claim.has(Structures, Word) or any(part.has(Structures, Word) for part in statement.given):
        raise NotReducedError("other structures occur")
    if any(not is_plain(part) or not part.free_symbols <= {*steps, *variables} for part in more):
        raise NotReducedError("what is claimed besides speaks of something else")
    moving = Map(tuple(steps), tuple(steps.values()))
    then = Always(And(claim, *grown, *more))
    return Statement(variables=variables, given=statement.given, dynamics=moving, start=start, then=then)


def _first(depth: Basic, domain: Set | None, others: tuple[Basic, ...]) -> Expr:
    """The first depth, where the depth runs through all whole numbers from there on and nothing else is said of it."""
    if not isinstance(depth, Symbol) or domain is None or any(depth in part.free_symbols for part in others):
        raise NotReducedError(f"the depth {depth} is not free")
    if domain not in (S.Naturals, S.Naturals0) and (domain.inf < 0 or domain != Range(domain.inf, oo)):
        raise NotReducedError(f"the depth {depth} does not run through all whole numbers from one on")
    return domain.inf


def _at_smallest(statement: Statement) -> tuple[Boolean, dict[Symbol, Set]]:
    """The claim at the smallest number of children and features, where it is a lower bound that they do not enter."""
    claim, variables = statement.conclusion, dict(statement.variables)
    if isinstance(claim, (Le, Lt)):
        claim = claim.reversed
    if (
        not isinstance(claim, (Ge, Gt))
        or not isinstance(claim.lhs, Count)
        or not isinstance(claim.lhs.over, RootedTrees)
    ):
        return statement.conclusion, variables
    sort = claim.lhs.over
    for place in (0, 2):
        size = sort.args[place]
        alone = isinstance(size, Symbol) and size not in claim.rhs.free_symbols
        assumed = any(size in part.free_symbols for part in statement.given) or sort.args.count(size) != 1
        used = any(size in domain.free_symbols for domain in variables.values())
        if alone and not assumed and not used and variables[size].inf.is_Integer and (place == 2 or not sort.exactly):
            least = variables.pop(size).inf
            sort = sort.func(*(least if k == place else part for k, part in enumerate(sort.args)))
    return claim.func(Count(claim.lhs.symbol, sort, true), claim.rhs, evaluate=False), variables


def _tree_recursion(sort: RootedTrees, name: Symbol, first: int) -> tuple[Expr, Expr, Expr]:
    """The number of members in terms of what steps, its step, and where it starts at the first depth."""
    m, _, x = sort.args
    if not m.is_Integer or m < 0 or m > 12:
        raise NotReducedError(f"the number of children {m} is no small number")
    children = int(m)
    if sort.one_fewer and (first < 1 or children < 1):
        raise NotReducedError("the first round is no step of the recursion")

    def joined(kinds: Expr, most: int) -> Expr:
        return x * Mul(*[kinds + k + int(not sort.exactly) for k in range(most)]) / Rational(factorial(most))

    inner, value = children - 1 if sort.one_fewer else children, x
    for _ in range(first - 1 if sort.one_fewer else first):
        value = expanded(joined(value, inner))
    return joined(name, children) if sort.one_fewer else name, joined(name, inner), value


def _stepping(
    claim: Boolean,
    depth: Symbol,
    first: Expr,
    steps: dict[Symbol, Expr],
    start: dict[Symbol, Expr],
    names: Iterator[Symbol],
) -> Boolean:
    """The claim with a symbol that steps for every r^K and r^(s^K)."""
    powers = [power for power in claim.atoms(Pow) if depth in power.exp.free_symbols and power.base.is_positive]
    for power in sorted(powers, key=lambda power: (-len(str(power)), str(power))):
        if not claim.has(power):
            continue
        name = next(names)
        inner = power.exp
        constant, rest = inner.as_coeff_Add()
        factor, core = rest.as_coeff_Mul()
        if not power.base.is_Rational or not constant.is_Integer or not factor.is_Integer or factor < 1:
            raise NotReducedError(f"{power} does not step by itself")
        if core == depth:
            rule = power.base**factor * name
        elif isinstance(core, Pow) and core.base.is_Integer and core.base > 0 and (core.exp - depth).is_Integer:
            rule = name**core.base * power.base ** (constant - core.base * constant)
        else:
            raise NotReducedError(f"{power} does not step by itself")
        begins = put_at_once(power, {depth: first})
        if not begins.is_Rational:
            raise NotReducedError(f"{power} does not start at a fraction")
        claim = rename(claim, {power: name})
        steps[name], start[name] = rule, begins
    return claim
