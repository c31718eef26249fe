"""Discrete and continuous dynamics on a named state: Map and Flow, and how a loss gives rise to them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, Self

import sympy as sp
from sympy.logic.boolalg import Boolean

from theory.conserved import Conservation, Preservation, conserved_quantities, conserves, preserves
from theory.derivatives import derivatives
from theory.errors import LemmascopeError
from theory.kinks import require_differentiable
from theory.language.classes import FunctionSymbol
from theory.language.families import Entry, Entrywise, Family
from theory.language.spaces import any_matrix, any_vector, fits, norm
from theory.language.words import NotWordsError, derivative, matrix_gradient
from theory.multipliers import multiplier
from theory.notation import latex, words
from theory.orbits import Orbit, Orbits, fixed_points, orbits
from theory.rules import SLOPE, WEIGHT, Memory, Rule, Shared, descent, newton_schulz_step
from theory.rules import momentum as carried
from theory.scalars import scalar
from theory.stability import StabilityRegion, stability_region
from theory.temporal import formula, rename, substitute

State = Any
"""A symbol, a SymPy matrix of symbols, or a sequence of these."""


def vector(name: str, size: Any = None, **assumptions: bool) -> Any:
    """A column of ``size`` symbols, real unless other assumptions are given; without a number, a vector of any size.

    The size of a vector of any size is that of its space: `Vectors(d)`.

    >>> vector("w", 2)
    Matrix([
    [w_1],
    [w_2]])
    >>> vector("x") + vector("y")
    x + y
    """
    if not isinstance(size, int):
        return any_vector(name)
    return matrix_of_symbols([[f"{name}_{i}"] for i in range(1, size + 1)], assumptions)


def matrix(name: str, rows: Any, columns: Any, **assumptions: bool) -> Any:
    """A matrix of symbols, real unless other assumptions are given; where a size is a symbol, a matrix of every size.

    >>> matrix("W", 1, 2)
    Matrix([[W_1_1, W_1_2]])
    >>> matrix("A", sp.Symbol("m"), 2).shape
    (m, 2)
    """
    if not all(isinstance(size, int) for size in (rows, columns)):
        return any_matrix(name, rows, columns)
    names = [[f"{name}_{i}_{j}" for j in range(1, columns + 1)] for i in range(1, rows + 1)]
    return matrix_of_symbols(names, assumptions)


def matrix_of_symbols(names: list[list[str]], assumptions: Mapping[str, bool]) -> sp.Matrix:
    """The matrix whose entries are symbols with these names."""
    if not names or not names[0]:
        raise LemmascopeError("a vector or matrix of symbols needs at least one row and one column")
    chosen = dict(assumptions) or {"real": True}
    return sp.Matrix([[sp.Symbol(name, **chosen) for name in row] for row in names])


def in_places(symbol: Any, value: Any) -> tuple[str, str]:
    r"""What moves and what it becomes in LaTeX; of a family an entry, and the places that it stands for.

    >>> from theory.language.families import family
    >>> i, d = sp.symbols("i d")
    >>> in_places(family("u", d), Entrywise(2 * family("u", d)[i], i))
    ('{u}_{i}', '2 {u}_{i} \\quad \\left(i \\leq d\\right)')
    """
    if not isinstance(symbol, Family):
        return latex(symbol), latex(value)
    ranges = ", ".join(rf"{latex(k)} \leq {latex(n)}" for k, n in zip(value.indices, symbol.sizes, strict=True))
    return latex(symbol[value.indices]), rf"{latex(value.number)} \quad \left({ranges}\right)"


def symbols_of(state: State) -> tuple[sp.Symbol, ...]:
    """The state as a flat tuple of symbols; matrices are read row by row.

    >>> x = sp.Symbol("x")
    >>> symbols_of((x, vector("w", 2)))
    (x, w_1, w_2)
    """
    flat = tuple(_entries(state))
    for entry in flat:
        if not isinstance(entry, (sp.Symbol, sp.MatrixSymbol, Family)):
            raise LemmascopeError(
                f"the state entry {entry} is not a symbol: use Symbol, vector(name, n) or matrix(name, n, m)"
            )
    if not flat:
        raise LemmascopeError("the state is empty: name at least one symbol")
    if len(set(flat)) != len(flat):
        raise LemmascopeError(f"the state {flat} names a symbol twice: use distinct symbols")
    return flat


def _entries(state: State) -> Iterable[Any]:
    if isinstance(state, sp.MatrixBase):
        yield from state
    elif isinstance(state, (str, sp.Basic)) or not isinstance(state, Iterable):
        yield state
    else:
        for part in state:
            yield from _entries(part)


def _expressions(given: Any, state: tuple[Any, ...], role: str) -> tuple[sp.Expr, ...]:
    flat = tuple(_entries(given))
    if len(flat) != len(state):
        raise LemmascopeError(f"the {role} has {len(flat)} entries for a state of {len(state)}: give one for each")
    return tuple(_entry(entry, symbol, role) for entry, symbol in zip(flat, state, strict=True))


def _entry(given: Any, symbol: Any, role: str) -> sp.Expr:
    if isinstance(symbol, Entry):
        return Entrywise(scalar(given, role), *symbol.indices)
    if isinstance(symbol, Family):
        if not isinstance(given, Entrywise) or len(given.indices) != len(symbol.sizes):
            raise LemmascopeError(f"the {role} of the family {symbol} is that of an entry: write {symbol}[i, ...]")
        return given
    if not isinstance(symbol, sp.MatrixSymbol):
        return scalar(given, role)
    if not isinstance(given, sp.MatrixExpr) or not all(map(fits, given.shape, symbol.shape)):
        raise LemmascopeError(f"the {role} {given} of {symbol} is no vector or matrix of its shape")
    return given


class _Dynamics:
    """What Map and Flow share: a named state, the right side, and exact questions about it."""

    state: tuple[sp.Symbol, ...]
    time: sp.Symbol | None
    loss: sp.Expr | None

    @property
    def right_side(self) -> tuple[sp.Expr, ...]:
        """The update of a Map, the velocity of a Flow."""
        raise NotImplementedError

    @property
    def restrictions(self) -> tuple[Boolean, ...]:
        """What holds as long as a trajectory lasts: the evolution domain of a Flow, nothing for a Map."""
        return ()

    @property
    def dimension(self) -> int:
        """How many scalars the state has."""
        return len(self.state)

    @property
    def parameters(self) -> tuple[sp.Symbol, ...]:
        """The free symbols that are neither state nor time, sorted by name."""
        free = set().union(*(entry.free_symbols for entry in (*self.right_side, *self.restrictions)))
        return tuple(sorted(free - set(self.state) - {self.time}, key=lambda symbol: symbol.name))

    def rename(self, names: Mapping[sp.Symbol, sp.Symbol]) -> Self:
        """The same dynamics under other symbols for state, parameters and time.

        >>> x, y = sp.symbols("x y")
        >>> Map((x,), (x**2,)).rename({x: y}).update
        (y**2,)
        """
        new = dict(names)
        state = tuple(new.get(s, s.xreplace(new) if isinstance(s, Family) else s) for s in self.state)
        time = None if self.time is None else new.get(self.time, self.time)
        loss = None if self.loss is None else self.loss.xreplace(new)
        moved = tuple(entry.xreplace(new) for entry in self.right_side)
        kept = (rename(part, new) for part in self.restrictions)
        return type(self)(state, moved, time, loss, *kept)  # type: ignore[call-arg]

    def latex(self) -> str:
        """The equations in LaTeX, one line for each state symbol."""
        raise NotImplementedError

    def _repr_latex_(self) -> str:
        return rf"$\displaystyle {self.latex()}$"

    @property
    def jacobian(self) -> sp.Matrix:
        """The derivative of the right side with respect to the state."""
        if not all(isinstance(symbol, sp.Symbol) for symbol in self.state):
            raise LemmascopeError("a state of vectors or matrices of any size has no Jacobian: give them a size")
        for entry in self.right_side:
            require_differentiable(entry, self.state, "right side")
        return sp.Matrix(derivatives(self.right_side, self.state))

    def fixed_points(self) -> Orbits:
        """All equilibria, exactly, with a certificate of completeness or the word partial."""
        return fixed_points(self)  # type: ignore[arg-type]

    def stability_region(self, equilibrium: Any = None, parameter: sp.Symbol | None = None) -> StabilityRegion:
        """The parameters for which an equilibrium (or orbit of a Map) attracts."""
        return stability_region(self, equilibrium, parameter)  # type: ignore[arg-type]

    def conserves(self, quantity: sp.Expr) -> Conservation:
        """Whether the quantity is constant along every trajectory, decided exactly."""
        return conserves(self, quantity)  # type: ignore[arg-type]

    def preserves(self, relations: Any) -> Preservation:
        """Whether the set where the equations hold is mapped into itself, decided exactly."""
        return preserves(self, relations)  # type: ignore[arg-type]

    def conserved_quantities(self, max_degree: int = 2) -> tuple[sp.Expr, ...]:
        """A basis of the polynomial conserved quantities up to a degree."""
        return conserved_quantities(self, max_degree)  # type: ignore[arg-type]

    def _settle(self, role: str, given: Any) -> None:
        named = tuple(_entries(self.state))
        state = symbols_of([name.family if isinstance(name, Entry) else name for name in named])
        if self.time is not None and (not isinstance(self.time, sp.Symbol) or self.time in state):
            raise LemmascopeError(f"the time {self.time} must be a symbol outside the state")
        object.__setattr__(self, "state", state)
        object.__setattr__(self, role, _expressions(given, named, role))

    def _latex_lines(self, arrow: str, left: str = "{}") -> str:
        pairs = (in_places(*pair) for pair in zip(self.state, self.right_side, strict=True))
        lines = (f"{left.format(name)} &{arrow} {right}" for name, right in pairs)
        return r"\begin{aligned}" + r" \\ ".join(lines) + r"\end{aligned}"


@dataclass(frozen=True)
class Map(_Dynamics):
    """A discrete dynamical system: ``state`` becomes ``update``; ``time`` is the step index of a schedule.

    ``loss`` remembers what a gradient method descends, for derivations; it does not take part in comparisons.

    >>> x, r = sp.symbols("x r", real=True)
    >>> logistic = Map((x,), (r * x * (1 - x),))
    >>> logistic.parameters
    (r,)
    >>> logistic.jacobian
    Matrix([[-r*x + r*(1 - x)]])
    """

    state: tuple[sp.Symbol, ...]
    update: tuple[sp.Expr, ...]
    time: sp.Symbol | None = None
    loss: sp.Expr | None = field(default=None, compare=False, repr=False)
    discrete: ClassVar[Literal[True]] = True

    def __post_init__(self) -> None:
        self._settle("update", self.update)

    @property
    def right_side(self) -> tuple[sp.Expr, ...]:
        """The update."""
        return self.update

    def substitute(self, values: Mapping[sp.Symbol, Any]) -> Self:
        """The same dynamics with parameters replaced."""
        new = dict(values)
        return type(self)(self.state, tuple(entry.subs(new, simultaneous=True) for entry in self.update), self.time)

    def iterate(self, steps: int) -> Map:
        """The Map that makes ``steps`` steps at once; its time then counts these larger steps.

        >>> x = sp.Symbol("x")
        >>> Map((x,), (x**2,)).iterate(3).update
        (x**8,)
        """
        if not isinstance(steps, int) or steps < 1:
            raise LemmascopeError(f"cannot iterate {steps} times: give a positive integer")
        current: tuple[sp.Expr, ...] = self.state
        for step in range(steps):
            moment = {} if self.time is None else {self.time: steps * self.time + step}
            now = moment | dict(zip(self.state, current, strict=True))
            current = tuple(entry.subs(now, simultaneous=True) for entry in self.update)
        return Map(self.state, current, self.time)

    def two_step(self) -> Map:
        """The two-step update, whose fixed points are the period-2 orbits of this Map.

        >>> x = sp.Symbol("x")
        >>> Map((x,), (1 - x,)).two_step().update
        (x,)
        """
        return self.iterate(2)

    def orbits(self, period: int) -> Orbits:
        """The orbits of exactly this period, the lower periods divided out."""
        return orbits(self, period)

    def multiplier(self, orbit: Orbit) -> Any:
        """The multiplier of an orbit: an exact expression in the parameters."""
        return multiplier(self, orbit)

    def latex(self) -> str:
        """The update rule in LaTeX."""
        return self._latex_lines(r"\mapsto")


@dataclass(frozen=True)
class Flow(_Dynamics):
    """A continuous dynamical system: the time derivative of ``state`` is ``velocity``.

    A trajectory starts in the evolution ``domain`` and ends when it leaves it: statements speak of the moments up to
    which the state has been in the domain all the time.

    >>> x, mu = sp.symbols("x mu", real=True)
    >>> Flow((x,), (mu - x**2,)).jacobian
    Matrix([[-2*x]])
    >>> Flow((x,), (mu - x**2,), domain=x >= 0).domain
    x >= 0
    """

    state: tuple[sp.Symbol, ...]
    velocity: tuple[sp.Expr, ...]
    time: sp.Symbol | None = None
    loss: sp.Expr | None = field(default=None, compare=False, repr=False)
    domain: Boolean = sp.true
    discrete: ClassVar[Literal[False]] = False

    def __post_init__(self) -> None:
        self._settle("velocity", self.velocity)
        object.__setattr__(self, "domain", _inequalities(self.domain))

    @property
    def restrictions(self) -> tuple[Boolean, ...]:
        """The evolution domain, where there is one."""
        return () if self.domain == sp.true else (self.domain,)

    @property
    def right_side(self) -> tuple[sp.Expr, ...]:
        """The velocity."""
        return self.velocity

    def substitute(self, values: Mapping[sp.Symbol, Any]) -> Self:
        """The same dynamics with parameters replaced."""
        new = dict(values)
        velocity = tuple(entry.subs(new, simultaneous=True) for entry in self.velocity)
        return type(self)(self.state, velocity, self.time, domain=substitute(self.domain, new))

    def displacement(self) -> Map:
        """The Map that moves a state by its velocity, whose fixed points are the equilibria.

        >>> x = sp.Symbol("x")
        >>> Flow((x,), (-x,)).displacement().update
        (0,)
        """
        return Map(self.state, tuple(x + v for x, v in zip(self.state, self.velocity, strict=True)))

    def derivative_along(self, quantity: sp.Expr) -> sp.Expr:
        """The time derivative of a quantity along the trajectories.

        >>> x = sp.Symbol("x")
        >>> Flow((x,), (-x,)).derivative_along(x**2)
        -2*x**2
        >>> W = matrix("W", sp.Symbol("m"), sp.Symbol("n"))
        >>> Flow((W,), (-W,)).derivative_along(W.T * W)
        (-W).T*W + W.T*(-W)
        """
        if any(isinstance(symbol, sp.MatrixSymbol) for symbol in self.state):
            return derivative(quantity, dict(zip(self.state, self.velocity, strict=True)))
        quantity = scalar(quantity, "quantity")
        explicit = sp.S.Zero if self.time is None else sp.diff(quantity, self.time)
        return explicit + sp.Add(
            *(sp.diff(quantity, symbol) * speed for symbol, speed in zip(self.state, self.velocity, strict=True))
        )

    def latex(self) -> str:
        """The differential equations in LaTeX, with the evolution domain behind them."""
        equations = self._latex_lines("=", r"\dot{{{}}}")
        return equations + "".join(words(" as long as ") + latex(part) for part in self.restrictions)


def _inequalities(domain: Any) -> Boolean:
    """The evolution domain as a formula of inequalities: where an equation is kept there is nothing to leave."""
    read = formula(domain)
    if read == sp.false or not _is_domain(read):
        raise LemmascopeError(f"the domain {read} of a flow is not made of inequalities: join <, <=, >, >= by And, Or")
    return read


def _is_domain(part: Boolean) -> bool:
    if isinstance(part, (sp.And, sp.Or)):
        return all(map(_is_domain, part.args))
    return part == sp.true or isinstance(part, (sp.Lt, sp.Le, sp.Gt, sp.Ge))


def gradient(loss: Any, state: State) -> tuple[sp.Expr, ...]:
    """The gradient of a loss that is differentiable wherever the assumptions allow it to be evaluated.

    >>> u, v = sp.symbols("u v", real=True)
    >>> gradient((u * v - 1) ** 2 / 2, (u, v))
    (v*(u*v - 1), u*(u*v - 1))
    >>> W = matrix("W", sp.Symbol("m"), sp.Symbol("n"))
    >>> gradient(norm(W) ** 2, W)
    (2*W,)
    """
    symbols = symbols_of(state)
    if isinstance(loss, FunctionSymbol):
        return (loss.gradient(_one_vector(symbols, loss)),)
    loss = scalar(loss, "loss")
    moving = [symbol for symbol in symbols if isinstance(symbol, sp.MatrixSymbol)]
    if not moving:
        require_differentiable(loss, symbols, "loss")
        return tuple(derivatives([loss], symbols)[0])
    if len(moving) < len(symbols):
        raise LemmascopeError(f"the state {symbols} mixes numbers with matrices of every size: give all of them a size")
    try:
        return tuple(matrix_gradient(loss, symbol) for symbol in moving)
    except NotWordsError as reason:
        raise LemmascopeError(
            f"the gradient by {moving[0]} is known for a function('f') and for functions of traces, inner products"
            f" and squared norms: {reason}"
        ) from reason


def _one_vector(symbols: tuple[sp.Symbol, ...], of: FunctionSymbol) -> Any:
    if len(symbols) != 1 or not isinstance(symbols[0], sp.MatrixSymbol) or symbols[0].shape[1] != 1:
        raise LemmascopeError(f"the function {of} has one vector of any size as its argument: x = vector('x')")
    return symbols[0]


def _regularised_gradient(loss: Any, state: tuple[sp.Symbol, ...], weight_decay: Any) -> tuple[sp.Expr, ...]:
    decay = scalar(weight_decay, "weight decay")
    if decay == 0:
        return gradient(loss, state)
    return tuple(slope + decay * symbol for slope, symbol in zip(gradient(loss, state), state, strict=True))


def _regularised(loss: Any, state: tuple[sp.Symbol, ...], weight_decay: Any) -> sp.Expr | None:
    if isinstance(loss, FunctionSymbol):
        return None
    decay = scalar(weight_decay, "weight decay")
    squares = (norm(symbol) ** 2 if isinstance(symbol, sp.MatrixSymbol) else symbol**2 for symbol in state)
    return scalar(loss, "loss") + decay / 2 * sp.Add(*squares)


def gradient_flow(loss: Any, state: State, *, weight_decay: Any = 0, time: sp.Symbol | None = None) -> Flow:
    """Gradient flow of a loss, with optional weight decay.

    >>> u, v = sp.symbols("u v", real=True)
    >>> gradient_flow((u * v - 1) ** 2 / 2, (u, v)).velocity
    (-v*(u*v - 1), -u*(u*v - 1))
    """
    symbols = symbols_of(state)
    slopes = _regularised_gradient(loss, symbols, weight_decay)
    return Flow(symbols, tuple(-slope for slope in slopes), time, _regularised(loss, symbols, weight_decay))


def gradient_descent(
    loss: Any,
    state: State,
    learning_rate: Any,
    *,
    weight_decay: Any = 0,
    decoupled_decay: Any = 0,
    time: sp.Symbol | None = None,
) -> Map:
    """Gradient descent on a loss; the learning rate may depend on the step index ``time``.

    >>> x, eta, L = sp.symbols("x eta L", positive=True)
    >>> gradient_descent(L * x**2 / 2, x, eta).update
    (-L*eta*x + x,)
    """
    rule = descent(learning_rate, weight_decay=weight_decay, decoupled_decay=decoupled_decay, time=time)
    made = descend(loss, state, rule)
    if decoupled_decay != 0:
        return made
    return Map(made.state, made.update, time, _regularised(loss, made.state, weight_decay))


def subgradient_descent(
    loss: FunctionSymbol, state: State, learning_rate: Any, *, time: sp.Symbol | None = None
) -> Map:
    """The subgradient method on a convex function of a class.

    >>> from theory.language.classes import function
    >>> subgradient_descent(function("f"), vector("x"), 1).update
    (x - subgrad f(x),)
    """
    symbols, rate = symbols_of(state), scalar(learning_rate, "learning rate")
    point = _one_vector(symbols, loss)
    return Map(symbols, (point - rate * loss.subgradient(point),), time)


def proximal_point(loss: FunctionSymbol, state: State, step: Any, *, time: sp.Symbol | None = None) -> Map:
    """The proximal point method on a convex function of a class.

    >>> from theory.language.classes import function
    >>> proximal_point(function("f"), vector("x"), 1).update
    (prox f(x; 1),)
    """
    symbols = symbols_of(state)
    return Map(symbols, (loss.proximal(_one_vector(symbols, loss), scalar(step, "step")),), time)


def exact_line_search(loss: FunctionSymbol, state: State, *, time: sp.Symbol | None = None) -> Map:
    """Gradient descent to the least value on the line of the gradient, on a smooth function of a class.

    >>> from theory.language.classes import function
    >>> exact_line_search(function("f"), vector("x")).update
    (search f(x),)
    """
    symbols = symbols_of(state)
    return Map(symbols, (loss.line_search(_one_vector(symbols, loss)),), time)


def heavy_ball(
    loss: Any,
    state: State,
    learning_rate: Any,
    momentum: Any,
    *,
    previous: State = None,
    weight_decay: Any = 0,
    decoupled_decay: Any = 0,
    time: sp.Symbol | None = None,
) -> Map:
    """Polyak's heavy ball on the state and its previous value (``x_prev`` unless ``previous`` names it).

    >>> x, eta, beta = sp.symbols("x eta beta", real=True)
    >>> heavy_ball(x**2 / 2, x, eta, beta).update
    (beta*(x - x_prev) - eta*x + x, x)
    """
    rule = carried(learning_rate, momentum, weight_decay=weight_decay, decoupled_decay=decoupled_decay, time=time)
    return descend(loss, state, rule, memory=None if previous is None else (previous,))


def nesterov(
    loss: Any,
    state: State,
    learning_rate: Any,
    momentum: Any,
    *,
    previous: State = None,
    weight_decay: Any = 0,
    decoupled_decay: Any = 0,
    time: sp.Symbol | None = None,
) -> Map:
    """Nesterov's method: the gradient is taken at the point that momentum alone would reach.

    >>> x, eta, beta = sp.symbols("x eta beta", real=True)
    >>> sp.expand(nesterov(x**2 / 2, x, eta, 0).update[0])
    -eta*x + x
    """
    decay = {"weight_decay": weight_decay, "decoupled_decay": decoupled_decay}
    rule = carried(learning_rate, momentum, look_ahead=True, **decay, time=time)
    return descend(loss, state, rule, memory=None if previous is None else (previous,))


def descend(loss: Any, state: State, rule: Rule, *, memory: Sequence[State] | None = None) -> Map:
    """The Map that a training rule makes of a loss: the state, then what the rule remembers of every entry.

    ``memory`` names the remembered symbols, one group like the state for each memory; they are called ``x_m`` and so
    on without it.

    >>> from theory import rules
    >>> x, eta, beta = sp.symbols("x eta beta", real=True)
    >>> descend(x**2 / 2, x, rules.lion(eta, beta, beta)).update
    (-eta*sign(beta*x_m + x*(1 - beta)) + x, beta*x_m + x*(1 - beta))
    """
    symbols = symbols_of(state)
    kept = _memory_symbols(rule, symbols, memory)
    weights = [{WEIGHT: x} | {m.symbol: group[k] for m, group in kept.items()} for k, x in enumerate(symbols)]
    slopes = gradient(loss, symbols)
    if rule.slope_at != WEIGHT:
        ahead = {x: _put(rule.slope_at, known) for x, known in zip(symbols, weights, strict=True)}
        slopes = tuple(slope.xreplace(ahead) for slope in slopes)
    known = [entry | {SLOPE: slope} for entry, slope in zip(weights, slopes, strict=True)]
    for part in rule.shared:
        values = _shared(part, [_put(part.of, entry) for entry in known], _shapes(state))
        known = [entry | {part.symbol: value} for entry, value in zip(known, values, strict=True)]
    moved = [_put(formula, entry) for formula in (rule.moved, *(m.becomes for m in rule.memory)) for entry in known]
    return Map(symbols + tuple(x for group in kept.values() for x in group), tuple(moved), rule.time)


def _put(formula: sp.Expr, values: Mapping[sp.Symbol, Any]) -> Any:
    """The formula with values for its symbols, which may be vectors of any size where it is linear in them."""
    vectors = [symbol for symbol, value in values.items() if isinstance(value, sp.MatrixExpr)]
    linear = formula.as_poly(*vectors) if vectors else None
    if vectors and (linear is None or not linear.is_homogeneous or linear.total_degree() != 1):
        raise LemmascopeError("this rule works on the entries of a vector: give the vector a size")
    return formula.xreplace(dict(values))


def _memory_symbols(
    rule: Rule, symbols: tuple[sp.Symbol, ...], named: Sequence[State] | None
) -> dict[Memory, tuple[sp.Symbol, ...]]:
    if named is not None and len(named) != len(rule.memory):
        raise LemmascopeError(f"the rule remembers {len(rule.memory)} numbers for each weight: name as many groups")
    groups = {}
    for place, memory in enumerate(rule.memory):
        own = tuple(_called(f"{x.name}_{memory.name}", x, memory.start == WEIGHT) for x in symbols)
        groups[memory] = own if named is None else symbols_of(named[place])
        if len(groups[memory]) != len(symbols) or set(groups[memory]) & set(symbols):
            raise LemmascopeError(
                f"the names {groups[memory]} must be one new symbol for each entry of the state {symbols}"
            )
    return groups


def _called(name: str, like: Any, is_alike: bool) -> Any:
    if isinstance(like, sp.MatrixSymbol):
        return sp.MatrixSymbol(name, *like.shape)
    if is_alike:
        return sp.Symbol(name, **like.assumptions0)
    return sp.Symbol(name, real=True) if like.is_real else sp.Symbol(name)


def _shapes(state: State) -> list[tuple[int, int]]:
    """The shapes of the matrices that the state is made of; a symbol is a matrix of one entry."""
    if isinstance(state, (sp.MatrixBase, sp.MatrixSymbol)):
        return [state.shape]
    return [(1, 1)] if isinstance(state, sp.Basic) else [shape for part in state for shape in _shapes(part)]


def _shared(part: Shared, entries: Sequence[Any], shapes: Sequence[tuple[int, int]]) -> list[Any]:
    """The quantity that belongs to each entry: one norm of all, or the entry of its orthogonalised matrix."""
    if part.kind == "norm":
        return [_norm(entries)] * len(entries)
    if any(isinstance(entry, sp.MatrixExpr) for entry in entries):
        raise LemmascopeError("matrices of any size are not orthogonalised: give the matrix a size")
    found: list[Any] = []
    for rows, columns in shapes:
        block = sp.Matrix(rows, columns, entries[len(found) : len(found) + rows * columns])
        block = block / (_norm(list(block)) + part.epsilon)
        for _ in range(part.iterations):
            block = newton_schulz_step(block, part.coefficients)
        found += list(block)
    return found


def _norm(entries: Sequence[Any]) -> sp.Expr:
    if len(entries) == 1:
        return norm(entries[0]) if isinstance(entries[0], sp.MatrixExpr) else sp.Abs(entries[0])
    squares = (norm(entry) if isinstance(entry, sp.MatrixExpr) else entry for entry in entries)
    return sp.sqrt(sp.Add(*(square**2 for square in squares)))
