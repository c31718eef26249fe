"""A theorem as data: variables with their domains, hypotheses, optional dynamics, and a conclusion."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from types import MappingProxyType
from typing import Any, Literal

from sympy import (
    And,
    Basic,
    Expr,
    FiniteSet,
    Float,
    Function,
    I,
    MatrixSymbol,
    Not,
    Rational,
    S,
    Set,
    Symbol,
    conjugate,
    false,
    im,
    nan,
    oo,
    re,
    sympify,
    true,
    zoo,
)
from sympy.core.function import AppliedUndef
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean

from theory.domains import assumed_domain, is_discrete, membership, narrowed, resolve_domains
from theory.dynamics import Flow, Map, in_places
from theory.errors import LemmascopeError
from theory.indices import require_bound_indices, require_bound_places
from theory.language.ball_means import BallMean
from theory.language.classes import FunctionClass, require_sense
from theory.language.families import Entry, Entrywise, Family
from theory.language.formulas import clauses
from theory.language.means import Noise, require_random_sense, resolved
from theory.language.spaces import Space, require_fitting, size_symbols
from theory.language.structure_types import require_structures, speaks_of_structures
from theory.language.structures import Structures
from theory.notation import implication, latex, words
from theory.scope import Scope
from theory.temporal import (
    After,
    AlmostEvery,
    AtStart,
    ConvergesTo,
    ForEach,
    HasPeriod,
    Quantifier,
    Scaling,
    apart,
    begun,
    formula,
    is_temporal,
    negation,
    rename,
    substitute,
    untimed,
)

_MOST_BITS = 13_000
"""Python itself writes no number that is much longer."""


@dataclass(frozen=True)
class Source:
    """Where a statement is printed.

    >>> Source("edge_of_stability", "Theorem 3.3", ("3.4", "B.15")).label
    'Theorem 3.3'
    """

    paper: str = ""
    label: str = ""
    equations: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The source as the public JSON object.

        >>> Source("", "lemmas_mine.py:3").to_json()
        {'paper': None, 'label': 'lemmas_mine.py:3', 'equations': []}
        """
        return {"paper": self.paper or None, "label": self.label or None, "equations": list(self.equations)}


@dataclass(frozen=True)
class Constant:
    """A number of a statement that can be sharpened: a symbol, its stated value, and which direction is better.

    `best` is "largest" when a larger value makes the statement stronger (an upper end of a range of validity), and
    "smallest" when a smaller one does (a bound).

    >>> Constant(Symbol("c"), "3/2", best="largest").value
    3/2
    """

    symbol: Symbol
    value: Expr
    best: Literal["largest", "smallest"]

    def __post_init__(self) -> None:
        if self.best not in ("largest", "smallest"):
            raise LemmascopeError(f"the best value of {self.symbol} is 'largest' or 'smallest', not {self.best!r}")
        object.__setattr__(self, "value", exact(self.value))
        if not self.value.is_number or self.value.is_finite is False or self.value.is_real is False:
            raise LemmascopeError(f"the constant {self.symbol} has the value {self.value}: give it a real number")
        if narrowed(self.symbol, FiniteSet(self.value)) is S.EmptySet:
            raise LemmascopeError(f"the value {self.value} of {self.symbol} is not what the symbol is assumed to be")

    def latex(self) -> str:
        """The symbol, its value, and which values would say more."""
        stronger = "larger" if self.best == "largest" else "smaller"
        return f"{latex(self.symbol)} = {latex(self.value)}" + words(f" ({stronger} is stronger)")

    def _repr_latex_(self) -> str:
        return f"${self.latex()}$"


@dataclass(frozen=True)
class Computation:
    """A named procedure that yields the values of some symbols: exact enumeration, or a numerical experiment.

    `exact` procedures return integers, rationals or algebraic numbers; the others return measurements, which can
    support a statement but never prove it.

    >>> Computation("walks", {"length": 3}, yields=("count",), exact=True).arguments["length"]
    3
    """

    name: str
    arguments: Mapping[str, Any] = field(default_factory=dict)
    yields: tuple[str, ...] = ()
    exact: bool = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "arguments", MappingProxyType(dict(self.arguments)))

    def latex_lines(self) -> list[str]:
        r"""What yields which symbols, and from which arguments, in LaTeX.

        >>> Computation("walks", {"length": 3}, yields=("count",)).latex_lines()
        ['\\mathrm{count}\\text{ counted by walks}', '\\text{length = 3}']
        """
        names = ", ".join(latex(Symbol(name)) for name in self.yields)
        how = " counted by " if self.exact else " measured by "
        return [names + words(how + self.name), *(words(f"{key} = {value}") for key, value in self.arguments.items())]


@dataclass(frozen=True, eq=False)
class Statement:
    """For all variables in their domains that satisfy `given`: `then`.

    `dynamics` with `start` makes `then` a formula over the trajectory. `constants` are symbols with a stated value.
    `almost_all` lists the variables for which an exceptional set of measure zero is allowed. `uses` names earlier
    steps of the same proof whose conclusions may be used. `computed` names the procedure that yields symbols of
    `then` which no domain describes. `scope` says how much of a printed statement this is. `noise` says what is known
    of the symbols that every step of a Map draws anew; the conclusion then speaks of means, `Expectation(x)`.
    `examples` claim nothing: points at which a counterexample is looked for before any search. Where families have
    entries, an example names sizes and entries: `{d: 2, Symbol("u_1"): 3, Symbol("u_2"): 4}`.

    >>> from sympy import Interval, Symbol
    >>> x = Symbol("x")
    >>> lemma = Statement(id="mine/lemma-1", variables={x: Interval(0, 1)}, then=x**2 <= x)
    >>> lemma.hypotheses
    (0 <= x, x <= 1)
    """

    then: Boolean = None  # forgetting it is said in words
    variables: Mapping[Symbol, Set] = field(default_factory=dict)
    given: tuple[Boolean, ...] = ()
    dynamics: Map | Flow | None = None
    start: Mapping[Symbol, Expr] = field(default_factory=dict)
    constants: tuple[Constant, ...] = ()
    almost_all: tuple[Symbol, ...] = ()
    uses: tuple[str, ...] = ()
    computed: Computation | None = None
    id: str = ""
    title: str = ""
    source: Source = Source()
    notes: str = ""
    scope: Scope | None = None
    noise: Mapping[Any, Noise] = field(default_factory=dict)
    examples: tuple[Mapping[Symbol, Expr], ...] = ()

    def __post_init__(self) -> None:
        if self.then is None:
            raise LemmascopeError(f"{self._name} has no conclusion: add then=, for example then=x**2 >= 0")
        self._check_kinds()
        given = (self.given,) if isinstance(self.given, (Boolean, bool)) else tuple(self.given)
        self._set("then", exact(formula(self.then)))
        self._set("given", tuple(exact(formula(part)) for part in given))
        self._set("start", MappingProxyType(dict(_began(*pair) for pair in dict(self.start).items())))
        self._set("constants", tuple(self.constants))
        self._set("almost_all", tuple(self.almost_all))
        self._set("uses", tuple(self.uses))
        laws = {drawn: law.changed(exact) for drawn, law in resolved(self.noise).items()}
        self._set("noise", MappingProxyType(laws))
        self._check_conclusion()
        self._check_noise()
        self._check_dynamics()
        require_bound_indices((self.then, *self.given), self.variables)
        require_bound_places(self._state, (self._moves, self._starts), self.variables)
        declared = {symbol: exact(domain) for symbol, domain in dict(self.variables).items()}
        self._set("variables", MappingProxyType(resolve_domains(declared, self._symbols_used())))
        require_sense(self.variables, (self.then, *self.given, *self.start.values(), *self._moves))
        require_fitting(self.variables, (self.then, *self.given, *self.start.values(), *self._moves))
        self._check_structures()
        self._check_exceptions()
        self._check_examples()
        self._forget_assumptions()
        self._name_apart()

    def _check_kinds(self) -> None:
        """Say in words what Python would say of an attribute that something of another kind does not have."""
        for name in ("id", "title"):
            if not isinstance(text := getattr(self, name), str) or not text.isprintable():
                raise LemmascopeError(f"the {name} {text!r} of a statement is no line of text")
        if not isinstance(self.variables, Mapping):
            raise LemmascopeError(f"the variables of {self._name} need their domains: variables={{x: Reals}}")
        if not all(isinstance(constant, Constant) for constant in self.constants):
            raise LemmascopeError(f"the constants of {self._name} are no Constants: Constant(c, 2, best='largest')")
        if self.scope is not None and not isinstance(self.scope, Scope):
            raise LemmascopeError(f"the scope of {self._name} is no Scope: whole(), case('degree 6'), part('...')")
        if self.dynamics is not None and not isinstance(self.dynamics, (Map, Flow)):
            raise LemmascopeError(f"the dynamics of {self._name} are neither a Map nor a Flow")

    def _check_conclusion(self) -> None:
        if self.then in (true, false):
            raise LemmascopeError(
                f"the conclusion of {self._name} became the constant {self.then} while it was written, before an engine"
                " could check it: give domains in variables= instead of assumptions on symbols, and write an equation"
                " of two equal sides as Eq(left, right, evaluate=False)"
            )

    def _check_noise(self) -> None:
        """Means are of what is random, and what is random is spoken of in means."""
        if self.noise and isinstance(self.dynamics, Flow):
            raise LemmascopeError(f"{self._name} has noise in a flow, which has no steps: give a Map")
        if self.noise and (timed := [part for part in self.given if is_temporal(part)]):
            raise LemmascopeError(f"{self._name} assumes {timed[0]} of a random trajectory: say it of the start")
        if self.noise and self.then.has(HasPeriod):
            raise LemmascopeError(f"{self._name} speaks of the period of a random trajectory: speak of its means")
        described = [symbol for symbol in sorted(self._drawn, key=str) if symbol in self.variables]
        if described:
            raise LemmascopeError(f"{described[0]} of {self._name} is both a variable and a noise: describe it once")
        laws = [part for law in self.noise.values() for part in law.parts]
        fixed = (*self.given, *map(sympify, self.variables.values()), *self.start.values(), *laws)
        begun_with = dict.fromkeys(self.then.atoms(AtStart), true)
        bare = self.then.xreplace(begun_with) if begun_with else self.then
        require_random_sense(self.noise, self._state, fixed, self._moves, (bare,))

    def _check_structures(self) -> None:
        """Words about structures fit together, and structures stand still."""
        if not self.speaks_of_structures:
            return
        if self.dynamics is not None or self.noise or self.computed is not None or self.uses or self.constants:
            raise LemmascopeError(
                f"{self._name} speaks of finite structures, which do not move: leave out dynamics=, noise=, computed=,"
                " uses= and constants="
            )
        require_structures((self.then, *self.given), self.variables)

    @property
    def _sizes(self) -> set[Symbol]:
        """The symbols that are sizes of vectors, matrices and families: they need no domain."""
        spaces = ((letter, space) for letter, space in self.variables.items() if isinstance(space, Space))
        families = (set(u.sizes) for u in (*self.variables, *self._state) if isinstance(u, Family))
        return set().union(*(size_symbols(*pair) for pair in spaces if isinstance(pair[0], MatrixSymbol)), *families)

    @property
    def _drawn(self) -> set[Basic]:
        """The symbols that every step draws anew."""
        return {symbol for drawn in self.noise for symbol in drawn}

    def _check_exceptions(self) -> None:
        """Almost all of what is not spread over an interval is nothing or everything, as one likes to read it."""
        stated = self.then.atoms(AlmostEvery)
        if not stated <= set(clauses(self.then)) or any(part.has(AlmostEvery) for part in self.given):
            raise LemmascopeError(f"{self._name} speaks of almost every value inside of something else: say it alone")
        for symbol in dict.fromkeys((*self.almost_all, *sorted((part.symbol for part in stated), key=str))):
            if symbol not in self.variables:
                raise LemmascopeError(f"{self._name} allows exceptions in {symbol}, which is none of its variables")
            if self.variables[symbol].is_finite_set or is_discrete(self.variables[symbol]):
                raise LemmascopeError(
                    f"{self._name} speaks of almost all {symbol} in {self.variables[symbol]}, where every point counts:"
                    " say it of all of them, and in given= which are excepted"
                )

    def _check_examples(self) -> None:
        """An example says which number stands for which symbol."""
        for example in self.examples:
            if not isinstance(example, Mapping) or not all(isinstance(symbol, Symbol) for symbol in example):
                raise LemmascopeError(f"the example {example} of {self._name} is no mapping such as {{x: 2}}")
        found = tuple({Symbol(s.name): exact(number) for s, number in example.items()} for example in self.examples)
        if wrong := [number for example in found for number in example.values() if not number.is_number]:
            raise LemmascopeError(f"{wrong[0]} in an example of {self._name} is no number")
        self._set("examples", tuple(map(MappingProxyType, found)))

    def _forget_assumptions(self) -> None:
        """Domains carry the hypotheses from here on: assumptions would let SymPy decide relations unseen."""
        plain = {symbol: Symbol(symbol.name) for symbol in self._all_symbols()}
        if len({symbol.name for symbol in plain}) < len(plain):
            names = [symbol.name for symbol in plain]
            twice = sorted({name for name in names if names.count(name) > 1})
            raise LemmascopeError(
                f"{self._name} has two symbols called {', '.join(twice)} with different assumptions: use the same one"
            )
        changed = {old: new for old, new in plain.items() if old != new}
        if not changed:
            return  # rebuilding would carry out what was written with evaluate=False
        self._set("then", rename(self.then, changed))
        self._set("given", tuple(rename(part, changed) for part in self.given))
        self._set(
            "variables",
            MappingProxyType({key.xreplace(plain): set_.xreplace(plain) for key, set_ in self.variables.items()}),
        )
        self._set(
            "start", MappingProxyType({plain.get(key, key): value.xreplace(plain) for key, value in self.start.items()})
        )
        self._set("constants", tuple(replace(item, symbol=plain[item.symbol]) for item in self.constants))
        self._set("almost_all", tuple(plain[symbol] for symbol in self.almost_all))
        laws = {
            tuple(symbol.xreplace(plain) for symbol in drawn): law.changed(lambda part: part.xreplace(plain))
            for drawn, law in self.noise.items()
        }
        self._set("noise", MappingProxyType(laws))
        if self.dynamics is not None:
            self._set("dynamics", self.dynamics.rename(plain))

    def _name_apart(self) -> None:
        """No quantifier speaks of a symbol that also is a variable: values put in for one would reach the other."""
        symbols = (*self.variables, *self._state, *self._clock, *(constant.symbol for constant in self.constants))
        symbols = (*symbols, *self._drawn)
        known = frozenset(symbols)
        self._set("then", apart(self.then, known))
        self._set("given", tuple(apart(part, known) for part in self.given))

    def _all_symbols(self) -> set[Symbol]:
        parts = [self.then, *self.given, *self.variables, *self.variables.values(), *self.start.values()]
        parts += [constant.symbol for constant in self.constants]
        parts += [part for law in self.noise.values() for part in law.parts] + list(self._drawn)
        if self.dynamics is not None:
            parts += [*self._state, *self.dynamics.right_side, *self.dynamics.restrictions, *self._clock]
        return set().union(*(part.atoms(Symbol) for part in parts)) - self._senses

    @property
    def _senses(self) -> set[Symbol]:
        return {law.args[3] for law in self.then.atoms(Scaling)}

    def _set(self, name: str, value: object) -> None:
        object.__setattr__(self, name, value)

    @property
    def _state(self) -> tuple[Symbol, ...]:
        return self.dynamics.state if self.dynamics is not None else ()

    def _symbols_used(self) -> set[Symbol]:
        used: set[Symbol] = set().union(*(part.free_symbols for part in (self.then, *self.given)))
        if self.dynamics is not None:
            used |= set(self.dynamics.parameters)
            used |= set().union(*(value.free_symbols for value in self.start.values()))
        used |= set().union(*(domain.free_symbols for domain in self._classes))
        used |= set().union(*(set_.free_symbols for set_ in self.variables.values() if isinstance(set_, Structures)))
        used |= set().union(*(part.free_symbols for law in self.noise.values() for part in law.parts))
        measured = set(self.computed.yields) if self.computed is not None else set()
        known = {constant.symbol for constant in self.constants} | set(self._state) | self._clock | self._drawn
        return {symbol for symbol in used - known if symbol.name not in measured}

    @property
    def _classes(self) -> list[FunctionClass]:
        return [domain for domain in self.variables.values() if isinstance(domain, FunctionClass)]

    @property
    def _moves(self) -> tuple[Expr, ...]:
        return self.dynamics.right_side if self.dynamics is not None else ()

    @property
    def _starts(self) -> tuple[Expr, ...]:
        return tuple(self.start[symbol] for symbol in self._state if symbol in self.start)

    @property
    def begins(self) -> list[Boolean]:
        """What the evolution domain says of the start."""
        first = {**dict.fromkeys(self._clock, S.Zero), **self.start}
        return [] if self.dynamics is None else [rename(part, first) for part in self.dynamics.restrictions]

    @property
    def _clock(self) -> set[Symbol]:
        return {self.dynamics.time} if self.dynamics is not None and self.dynamics.time is not None else set()

    def _check_dynamics(self) -> None:
        if self.dynamics is None:
            if is_temporal(self.then):
                raise LemmascopeError(
                    f"{self._name} speaks about a trajectory but has no dynamics=: give a Map or a Flow"
                )
            return
        names = ", ".join(symbol.name for symbol in self._state)
        self._check_what_is_fixed()
        self._check_when()
        for symbol in self._state:
            if isinstance(symbol, Symbol) and (assumed := assumed_domain(symbol)) not in (None, S.Reals):
                raise LemmascopeError(
                    f"the state {symbol} is assumed to be in {assumed}, where nothing keeps the trajectory:"
                    " create the symbol without assumptions"
                )
        missing = [symbol.name for symbol in self._state if symbol not in self.start]
        if missing:
            raise LemmascopeError(f"{self._name} does not say where {', '.join(missing)} starts: add it to start=")
        for symbol in self.start:
            if symbol not in self._state:
                raise LemmascopeError(f"{self._name} starts {symbol}, but the dynamics have only {names}")
        for symbol in self.then.free_symbols:
            known = symbol in self._state or symbol in self.variables or symbol.is_real
            known = known or symbol in {constant.symbol for constant in self.constants} or symbol in self._clock
            known = known or (self.computed is not None and symbol.name in self.computed.yields)
            known = known or symbol in self._drawn or symbol in self._sizes or isinstance(symbol, Family)
            if not known:
                raise LemmascopeError(
                    f"{self._name} speaks about {symbol}, which the dynamics do not have (their state is {names})"
                    " and which is no variable: correct the name or add it to variables="
                )

    def _check_what_is_fixed(self) -> None:
        """Hypotheses, domains and starts say nothing of a state that changes."""
        moving = {*self._state, *self._clock}
        for constant in self.constants:
            if constant.symbol in moving:
                raise LemmascopeError(
                    f"{self._name} has a constant {constant.symbol} that the dynamics change: rename it"
                )
        plain = (part for part in self.given if not is_temporal(part))
        for part in (*plain, *map(sympify, self.variables.values()), *self.start.values()):
            for symbol in part.free_symbols & moving - set(self.variables):
                raise LemmascopeError(
                    f"{self._name} says {part}, but the dynamics change {symbol}: speak of a variable that starts it,"
                    " or of all times with Implies(Always(...), ...)"
                )

    def _check_when(self) -> None:
        """A state that moves is spoken of at some time."""
        for part in untimed(self.then):
            for symbol in sorted(part.free_symbols & {*self._state, *self._clock}, key=str):
                raise LemmascopeError(
                    f"{self._name} says {part}, but not when, and the dynamics change {symbol}: write Always({part}),"
                    f" or AtStart({part}) if only the start is meant"
                )
        self._check_fixed_in_time()
        for part in self.given:
            if part.has(AtStart):
                raise LemmascopeError(f"{self._name} assumes {part}: say it of the variables that start the state")

    def _check_fixed_in_time(self) -> None:
        """Moments and targets are fixed numbers, also where a variable has the name of a state."""
        moving, said = {*self._state, *self._clock}, (self.then, *self.given)
        for part in sorted(set().union(*(one.atoms(After, ConvergesTo) for one in said)), key=str):
            fixed = part.points if isinstance(part, ConvergesTo) else part.args[:1]
            for symbol in sorted(set().union(*(value.free_symbols for value in fixed)) & moving, key=str):
                raise LemmascopeError(
                    f"{self._name} says {part}, but the dynamics change {symbol}: name a variable for its first value,"
                    " or let a difference converge to 0"
                )

    @property
    def _name(self) -> str:
        return self.id or "the statement"

    @property
    def premises(self) -> str:
        """What the steps that it uses do: `step 1 of the proof states`, `steps 1, 2 of the proof state`."""
        return f"step{'s'[: len(self.uses) > 1]} {', '.join(self.uses)} of the proof state{'s'[len(self.uses) > 1 :]}"

    @cached_property
    def stated(self) -> dict[Symbol, Expr]:
        """The stated values of the constants."""
        return {constant.symbol: constant.value for constant in self.constants}

    @cached_property
    def hypotheses(self) -> tuple[Boolean, ...]:
        """Domains and `given` as relations, with the constants at their stated values.

        A trajectory starts in the evolution domain of its flow.
        """
        numbers = {s: domain for s, domain in self.variables.items() if not isinstance(s, Family)}
        parts = [membership(symbol, domain) for symbol, domain in numbers.items()]
        parts += [*self.given, *self.begins]
        joined = And(*[substitute(part, self.stated) if self.stated else part for part in parts])
        return clauses(joined)

    @cached_property
    def conclusion(self) -> Boolean:
        """`then`, with the constants at their stated values and a denied quantifier as the other one.

        Of the state at the start it speaks without a temporal operator.
        """
        then = begun(substitute(self.then, self.stated) if self.stated else self.then)
        return negation(then.args[0]) if isinstance(then, Not) and isinstance(then.args[0], Quantifier) else then

    @cached_property
    def speaks_of_state(self) -> bool:
        """Whether the conclusion is about a value on the trajectory, also where a variable has the same name."""
        return not self.conclusion.free_symbols.isdisjoint(self._state)

    @cached_property
    def speaks_of_spaces(self) -> bool:
        """Whether some variables are vectors, matrices or functions."""
        return any(isinstance(domain, Space) for domain in self.variables.values())

    @property
    def speaks_of_structures(self) -> bool:
        """Whether something is said of graphs, trees, sequences, permutations or multisets."""
        return speaks_of_structures((self.then, *self.given), self.variables.values())

    @cached_property
    def speaks_of_functions(self) -> bool:
        """Whether some variables are functions of a class."""
        return bool(self._classes)

    @cached_property
    def speaks_of_families(self) -> bool:
        """Whether some variables are families of numbers, or something is said of every index or of a ball."""
        indexed = any(part.has(ForEach, BallMean) for part in (self.then, *self.given))
        return indexed or any(isinstance(symbol, Family) for symbol in (*self.variables, *self._state))

    @cached_property
    def integers(self) -> tuple[Symbol, ...]:
        """The variables that range over integers."""
        return tuple(symbol for symbol, domain in self.variables.items() if is_discrete(domain))

    def but(self, **changes: Any) -> Statement:
        """The same statement with some of its fields changed.

        >>> from sympy import Interval, Symbol
        >>> x = Symbol("x")
        >>> Statement(variables={x: Interval(0, 1)}, then=x <= 1).but(then=x < 1).then
        x < 1
        """
        unchanged = {item.name: getattr(self, item.name) for item in fields(self) if item.name not in changes}
        return Statement(**unchanged, **changes)

    def latex(self) -> str:
        """The statement in LaTeX, nothing left out: hypotheses, dynamics, constants, procedures, conclusion.

        >>> from sympy import Interval, Symbol
        >>> x = Symbol("x")
        >>> print(Statement(variables={x: Interval(0, 1)}, then=x**2 <= x).latex())
        x \\in \\left[0, 1\\right] \\;\\Longrightarrow\\; x^{2} \\leq x
        """
        shared: dict[tuple[bool, Set], list[str]] = {}
        for symbol, domain in self.variables.items():
            shared.setdefault((symbol in self.almost_all, domain), []).append(latex(symbol))
        premises = [
            (words("for almost every ") if exceptional else "") + rf"{', '.join(names)} \in {latex(domain)}"
            for (exceptional, domain), names in shared.items()
        ]
        premises += [latex(part) for part in self.given]
        if self.dynamics is not None:
            premises.append(self.dynamics.latex())
            role = words(" counts the steps" if isinstance(self.dynamics, Map) else " is the time")
            premises += [latex(symbol) + role for symbol in self._clock]
            premises += ["{}(0) = {}".format(*in_places(symbol, value)) for symbol, value in self.start.items()]
        premises += [law.latex(drawn) for drawn, law in self.noise.items()]
        if self.noise and self.dynamics is not None:
            premises.append(words("drawn anew in every step"))
        premises += [constant.latex() for constant in self.constants]
        premises += [words(f"by step{'s'[: len(self.uses) > 1]} {', '.join(self.uses)}")] if self.uses else []
        premises += self.computed.latex_lines() if self.computed is not None else []
        return implication(premises, self.then)

    def _repr_latex_(self) -> str:
        return rf"$\displaystyle {self.latex()}$"

    def __repr__(self) -> str:
        return f"Statement({self.id or self.then})"


def _of_real_numbers(formula: Basic) -> Basic:
    """A formula without the real parts that SymPy writes where it does not know yet that a symbol is real.

    >>> from sympy import Abs, exp
    >>> x = Symbol("x")
    >>> Abs(exp(x) * (x - 1)), _of_real_numbers(Abs(exp(x) * (x - 1)))
    (exp(re(x))*Abs(x - 1), exp(x)*Abs(x - 1))
    """
    if not formula.has(re, im, conjugate) or formula.has(I):
        return formula
    return formula.replace(re, lambda u: u).replace(conjugate, lambda u: u).replace(im, lambda _: S.Zero)


def _began(symbol: Any, value: Any) -> tuple[Any, Any]:
    """What starts and where; a family starts entry by entry."""
    if isinstance(symbol, Entry):
        return symbol.family, Entrywise(exact(value), *symbol.indices)
    return symbol, exact(value)


def exact(value: Any) -> Any:
    """The value as a SymPy object without floating-point numbers, or a sentence that says how to write it exactly.

    >>> exact("1/3")
    1/3
    >>> exact(0.25)
    Traceback (most recent call last):
    theory.errors.LemmascopeError: the number 0.25 is a float, which is not exact: write Rational('0.25') instead
    """
    result = Rational(value) if isinstance(value, str) else sympify(value, strict=True)
    result = _of_real_numbers(result) if isinstance(result, Basic) else result
    inexact = result.atoms(Float) if isinstance(result, Basic) else set()
    if isinstance(result, Basic) and result.has(nan, zoo):
        raise LemmascopeError(f"{result} has no value: it divides by zero or is not a number; correct the formula")
    for relation in result.atoms(Relational) if isinstance(result, Basic) else ():
        if oo in relation.args or -oo in relation.args:
            raise LemmascopeError(f"{relation} compares with infinity: every number is finite, leave it out")
    if inexact:
        number = str(float(min(inexact)))
        raise LemmascopeError(f"the number {number} is a float, which is not exact: write Rational('{number}') instead")
    for use in result.atoms(AppliedUndef) if isinstance(result, Basic) else ():
        if use.func not in (Function(use.func.__name__), Function(use.func.__name__, real=True)):
            raise LemmascopeError(
                f"{use} is a function with assumptions, and a function without a formula is any smooth one of real"
                f" numbers: leave them out, and write exp({use}) for a positive function"
            )
    numbers = result.atoms(Rational) if isinstance(result, Basic) else set()
    if any(max(abs(int(number.p)), int(number.q)).bit_length() > _MOST_BITS for number in numbers):
        raise LemmascopeError("a number has more than 4000 digits: rescale the variable that it belongs to")
    return result
