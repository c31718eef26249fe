"""A proof as data: displayed steps in order, each checked from the hypotheses and the earlier steps it uses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from sympy import And, Basic, Expr, Function, S, Set, Symbol, Wild, true
from sympy.logic.boolalg import Boolean, Implies

from theory.dynamics import Flow, Map
from theory.errors import LemmascopeError
from theory.language.definedness import demands, put, undefined
from theory.language.families import Family
from theory.notation import latex
from theory.statements import Statement
from theory.temporal import Always, is_plain, negation, substitute

_MOST_INSTANCES = 4


@dataclass(frozen=True)
class Step:
    """One displayed line: its equation tag and what it says; `statement.uses` names the tags of earlier steps.

    >>> from sympy import S, Symbol
    >>> x = Symbol("x")
    >>> Step("1", Statement(variables={x: S.Reals}, then=x**2 >= 0)).latex()
    '(1)\\\\quad x^{2} \\\\geq 0'
    """

    tag: str
    statement: Statement

    def latex(self) -> str:
        """The tag and the line in LaTeX."""
        return rf"({self.tag})\quad {latex(self.statement.then)}"

    def _repr_latex_(self) -> str:
        return f"${self.latex()}$"


@dataclass(frozen=True)
class Proof:
    """The steps that lead to a statement, in order.

    >>> from sympy import S, Symbol
    >>> x = Symbol("x")
    >>> square = Statement(variables={x: S.Reals}, then=(x - 1) ** 2 >= 0)
    >>> bound = Statement(variables={x: S.Reals}, then=x**2 >= 2 * x - 1, uses=("1",))
    >>> proof = Proof(bound.but(id="mine/lemma", uses=()), (Step("1", square), Step("2", bound)))
    >>> [step.id for step in proof.statements()]
    ['mine/lemma#1', 'mine/lemma#2']
    """

    of: Statement
    steps: tuple[Step, ...]

    def __post_init__(self) -> None:
        seen: set[str] = set()
        if not self.steps:
            raise LemmascopeError(f"the proof of {self.of.id or 'the statement'} has no steps: give it at least one")
        for step in self.steps:
            if not isinstance(step, Step):
                raise LemmascopeError(f"a proof is made of steps, not of {step}: write Step('1', statement)")
            if step.tag in seen:
                raise LemmascopeError(f"two steps of the proof of {self.of.id} are called {step.tag}: rename one")
            missing = [tag for tag in step.statement.uses if tag not in seen]
            if missing:
                raise LemmascopeError(f"step {step.tag} uses {missing[0]}, which is no earlier step: correct its tag")
            seen.add(step.tag)

    def __iter__(self) -> Iterator[Step]:
        return iter(self.steps)

    def statements(self) -> list[Statement]:
        """Each step as a statement of its own, with its premises among the hypotheses."""
        named = {step.tag: step.statement.but(id=f"{self.of.id}#{step.tag}") for step in self.steps}
        return [with_premises(step, [named[tag] for tag in step.uses]) for step in named.values()]

    def latex(self) -> str:
        """The steps in LaTeX, one line each."""
        return r"\begin{gathered}" + r" \\ ".join(step.latex() for step in self.steps) + r"\end{gathered}"

    def _repr_latex_(self) -> str:
        return f"${self.latex()}$"


def with_premises(statement: Statement, earlier: Sequence[Statement]) -> Statement:
    """The statement under the further hypotheses that earlier steps give.

    Each is true wherever the earlier step is a theorem, also where a term of it has no value: a hypothesis that is not
    true somewhere would take that place out of what the statement says.
    """
    known = [step for step in earlier if _speaks_of_the_same(step, statement)]
    known_otherwise = {*statement.stated, *(() if statement.dynamics is None else statement.dynamics.state)}
    foreign = {
        symbol: _never_empty(domain, symbol in step.integers)
        for step in known
        for symbol, domain in step.variables.items()
        if symbol not in known_otherwise
    }
    own = set(statement.hypotheses)
    premises: list[Boolean] = []
    for step in known:
        instance = _instance(step, statement, own)
        premises += (instance, *_at_terms(step, statement))
        own |= set(And.make_args(instance))  # what one premise says, a later one may assume
    given = (*statement.given, *(part for part in premises if part != true))
    return statement.but(variables=foreign | dict(statement.variables), given=given)


def _never_empty(domain: Basic, is_counted: bool) -> Basic:
    """The domain of a variable of an earlier step, or a larger one that has a member whatever the other symbols are.

    A hypothesis that some number lies in (0, a) would say that a is positive.

    >>> from sympy import Interval, Symbol
    >>> _never_empty(Interval.open(0, Symbol("a")), False), _never_empty(Interval(0, 1), False)
    (Reals, Interval(0, 1))
    """
    if not isinstance(domain, Set) or (not domain.free_symbols and domain.is_empty is False):
        return domain
    return S.Integers if is_counted else S.Reals


def _speaks_of_the_same(step: Statement, goal: Statement) -> bool:
    """Whether what a step says, as a formula, is what it means for the points of a later one.

    A step about whole numbers, or about families in a set, says nothing of others, one that allows exceptions nothing
    of a single point, and one about a trajectory or a computation nothing of another; what is random is known by its
    means alone.

    >>> from sympy import S, Symbol
    >>> x = Symbol("x")
    >>> whole, real = (Statement(variables={x: domain}, then=x * (x - 1) >= 0) for domain in (S.Integers, S.Reals))
    >>> _speaks_of_the_same(whole, real), _speaks_of_the_same(real, whole)
    (False, True)
    """
    counted = all(symbol in goal.integers for symbol in step.integers if symbol in goal.variables)
    tolerant = set(step.almost_all) <= set(goal.almost_all)
    moving = step.dynamics is None or (_motion(step) == _motion(goal) and dict(step.start) == dict(goal.start))
    certain = not step.noise and (step.dynamics is None or not goal.noise)
    entries = ((u, domain) for u, domain in step.variables.items() if isinstance(u, Family) and u in goal.variables)
    ranging = all(goal.variables[u].is_subset(domain) for u, domain in entries)
    return ranging and counted and tolerant and moving and certain and step.computed in (None, goal.computed)


def _motion(statement: Statement) -> tuple[Map | Flow | None, Mapping[Symbol, Expr]]:
    """What moves, and the stated values of the constants in it: the same letter may have another value elsewhere."""
    moving = statement.dynamics
    used = set().union(*(part.free_symbols for part in statement.start.values()))
    used |= set() if moving is None else set(moving.parameters)
    return moving, {symbol: value for symbol, value in statement.stated.items() if symbol in used}


def _instance(step: Statement, goal: Statement, own: set[Boolean]) -> Boolean:
    """What an earlier step says about the variables of a later one; of a moving state it says it at every moment.

    `own` is what is assumed there: the hypotheses, and what other earlier steps give.

    >>> from sympy import Interval, Symbol, log
    >>> x = Symbol("x")
    >>> step = Statement(variables={x: S.Reals}, given=(log(x) > 0,), then=x > 1)
    >>> _instance(step, Statement(variables={x: S.Reals}, then=x > 0), set())
    Implies((x > 0) & (log(x) > 0), x > 1)
    """
    if step.dynamics is None and goal.dynamics is not None and set(step.variables) & set(goal.dynamics.state):
        said = _under(step.hypotheses, step.conclusion)
        return Always(said) if is_plain(said) and said != true else true
    return step.conclusion if own.issuperset(step.hypotheses) else _under(step.hypotheses, step.conclusion)


def _under(hypotheses: Sequence[Boolean], conclusion: Boolean) -> Boolean:
    """That a conclusion follows from hypotheses, so written that it is true also where these have no value."""
    if not all(map(is_plain, hypotheses)):
        return true
    defined = [negation(place) for part in hypotheses for place in undefined(part)]
    return Implies(And(*dict.fromkeys((*defined, *hypotheses))), conclusion)


def _at_terms(step: Statement, goal: Statement) -> Iterator[Boolean]:
    """What an earlier step says of the terms of a later one, where it has a variable that the later one has not.

    >>> from sympy import S, cos, log, symbols
    >>> x, z = symbols("x z")
    >>> bound = Statement(variables={z: S.Reals}, then=cos(z) <= 1)
    >>> list(_at_terms(bound, Statement(variables={x: S.Reals}, then=cos(x**2) < 2)))[0]
    cos(x**2) <= 1
    >>> list(_at_terms(bound, Statement(variables={x: S.Reals}, then=cos(log(x)) < 2)))[0]
    Implies(x > 0, cos(log(x)) <= 1)
    """
    foreign = [symbol for symbol in step.variables if symbol not in goal.variables]
    plain = is_plain(step.conclusion) and is_plain(goal.conclusion) and all(map(is_plain, step.hypotheses))
    if len(foreign) != 1 or foreign[0] in (*step.integers, *step.almost_all) or not plain:
        return
    for term in islice(_terms(step.conclusion, foreign[0], goal), _MOST_INSTANCES):
        conditions = [put(part, foreign[0], term) for part in step.hypotheses]
        yield _under((*demands((term,)), *conditions), substitute(step.conclusion, {foreign[0]: term}))


def _terms(premise: Boolean, symbol: Symbol, goal: Statement) -> Iterator[Expr]:
    """Terms of a goal for a variable: those that make a function of the premise one of the goal."""
    wild = Wild("wild")
    patterns = [use.xreplace({symbol: wild}) for use in sorted(premise.atoms(Function), key=str) if use.has(symbol)]
    uses = sorted(goal.conclusion.atoms(Function), key=str)
    matches = [use.match(pattern) for pattern in patterns for use in uses if use.func == pattern.func]
    yield from dict.fromkeys(match[wild] for match in matches if match)
