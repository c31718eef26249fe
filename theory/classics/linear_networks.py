"""Chapter 3: linear networks along gradient flow."""

from typing import Any

from sympy import And, Eq, Expr, Ne, Or, S, exp, hessian, log, sinh, symbols
from sympy.logic.boolalg import Boolean

from theory.classics._paper import paper
from theory.classics._words import POSITIVE, a, c, lam, m, n, q, s, t, u, u0, v, v0, w, x, x0
from theory.dynamics import Flow, gradient_flow, matrix
from theory.language.spaces import Matrices, norm, trace
from theory.scope import case, whole
from theory.statements import Statement
from theory.temporal import After, Always, ConvergesTo

chapter = paper.section(
    steps=whole(),
    title="3 Linear networks",
    text=r"""A linear network multiplies matrices; its loss $\frac{1}{2}\|B A - Y\|^2$ is a polynomial, and gradient
flow keeps $B^\top B - A A^\top$ for every depth and size. For one mode of strength $s$ with balanced layers the
product $p = u v$ obeys $\dot p = 2 p (s - p)$, which has a sigmoid as its solution: a plateau, a fast rise,
saturation.

Sharp here: the conserved matrices, the sigmoid, the time $\log(s/p_0 - 1)/(2 s)$ to half of the strength, the rate
$\exp(-2 \lambda t)$ at which weight decay balances the layers.

Folklore says that gradient flow finds the minimum from every start, which fails on the stable side of the saddle;
that all saddles are strict, which fails from depth three on; and that depth changes nothing because the model is
linear.""",
)

rows, hidden, columns = symbols("m h n")
first, second, target = matrix("A", hidden, columns), matrix("B", rows, hidden), matrix("Y", rows, columns)
first0, second0 = matrix("A_0", hidden, columns), matrix("B_0", rows, hidden)
SHALLOW = {first0: Matrices(hidden, columns), second0: Matrices(rows, hidden), target: Matrices(rows, columns)}
product = (u * v - s) ** 2 / 2
mode = 2 * x * (s - x)
SAXE = "Saxe, McClelland and Ganguli 2014, Exact solutions to the nonlinear dynamics of learning"


def two_layers(then: Boolean) -> Statement:
    """A claim about gradient flow of a network with one hidden layer of every size on every target."""
    flow = gradient_flow(norm(second * first - target) ** 2 / 2, (first, second))
    return Statement(variables=SHALLOW, dynamics=flow, start={first: first0, second: second0}, then=then)


def scalar(then: Boolean, *given: Boolean, loss: Expr = product, **more: Any) -> Statement:
    """A claim about gradient flow of a product of two numbers."""
    flow = gradient_flow(loss, (u, v))
    timed = Flow(flow.state, flow.velocity, t, flow.loss)
    extra = {symbols(name): domain for name, domain in more.items()}
    return Statement(
        variables={s: POSITIVE, u0: S.Reals, v0: S.Reals, **extra},
        given=given,
        dynamics=timed if t in then.free_symbols else flow,
        start={u: u0, v: v0},
        then=then,
    )


def learned(then: Boolean, start: Any = POSITIVE, *given: Boolean) -> Statement:
    """A claim about the strength of one mode of a balanced network."""
    return Statement(
        variables={s: POSITIVE, x0: start}, given=given, dynamics=Flow((x,), (mode,), t), start={x: x0}, then=then
    )


@chapter.statement(
    "theorem-3.1",
    "Gradient flow keeps B^T B - A A^T, for every size",
    "Fukumizu 1998; Saxe, McClelland and Ganguli 2014; Arora, Cohen and Hazan 2018",
    scope=whole(),
)
def balanced() -> Statement:
    return two_layers(Always(Eq(second.T * second - first * first.T, second0.T * second0 - first0 * first0.T)))


@chapter.statement(
    "theorem-3.2",
    "With three layers it keeps both differences, for every size",
    "Arora, Cohen and Hazan 2018",
    scope=case("three layers"),
    claims="every depth",
)
def balanced_deep() -> Statement:
    inner_size = symbols("k")
    third, third0 = matrix("C", rows, hidden), matrix("C_0", rows, hidden)
    middle, middle0 = matrix("B", hidden, inner_size), matrix("B_0", hidden, inner_size)
    lowest, lowest0 = matrix("A", inner_size, columns), matrix("A_0", inner_size, columns)
    flow = gradient_flow(norm(third * middle * lowest - target) ** 2 / 2, (lowest, middle, third))
    return Statement(
        variables={
            lowest0: Matrices(inner_size, columns),
            middle0: Matrices(hidden, inner_size),
            third0: Matrices(rows, hidden),
            target: Matrices(rows, columns),
        },
        dynamics=flow,
        start={lowest: lowest0, middle: middle0, third: third0},
        then=And(
            Always(Eq(middle.T * middle - lowest * lowest.T, middle0.T * middle0 - lowest0 * lowest0.T)),
            Always(Eq(third.T * third - middle * middle.T, third0.T * third0 - middle0 * middle0.T)),
        ),
    )


@chapter.statement(
    "proposition-3.3",
    "Along gradient flow the loss never exceeds its start, for every size",
    "Cauchy 1847",
    scope=whole(),
)
def loss_falls() -> Statement:
    return two_layers(Always(norm(second * first - target) ** 2 <= norm(second0 * first0 - target) ** 2))


@chapter.statement(
    "proposition-3.4", "With equal layers the product of two numbers moves at 2 p (s - p)", SAXE, scope=whole()
)
def product_speed() -> Statement:
    speed = gradient_flow(product, (u, v)).velocity
    derived = (speed[0] * v + u * speed[1]).subs(v, u)
    return Statement(variables={u: S.Reals, s: POSITIVE}, then=Eq(derived, mode.subs(x, u**2), evaluate=False))


@chapter.statement("theorem-3.5", "One mode is learnt along a sigmoid", SAXE, scope=whole())
def sigmoid() -> Statement:
    return learned(Always(Eq(x, s * exp(2 * s * t) / (exp(2 * s * t) - 1 + s / x0))))


@chapter.statement(
    "corollary-3.6", "Half of its strength is reached at the time log(s/x_0 - 1)/(2 s)", SAXE, scope=whole()
)
def half_time() -> Statement:
    moment = log(s / x0 - 1) / (2 * s)
    return learned(After(moment, Eq(x, s / 2)), POSITIVE, 2 * x0 < s)


@chapter.statement("proposition-3.7", "Every positive start learns the whole strength", SAXE, scope=whole())
def learns() -> Statement:
    return learned(ConvergesTo(x, s))


@chapter.statement("proposition-3.8", "A mode grows at most like exp(2 s t)", SAXE, scope=whole())
def plateau() -> Statement:
    return learned(Always(x <= x0 * exp(2 * s * t)))


@chapter.statement(
    "lemma-3.9",
    "Critical points of two layers: the origin and the minima",
    "Baldi and Hornik 1989",
    scope=case("layers of width one"),
    claims="every size: minima and saddles only",
)
def critical_points() -> Statement:
    slopes = [product.diff(letter) for letter in (u, v)]
    return Statement(
        variables={u: S.Reals, v: S.Reals, s: POSITIVE},
        given=tuple(Eq(slope, 0) for slope in slopes),
        then=Or(And(Eq(u, 0), Eq(v, 0)), Eq(u * v, s)),
    )


@chapter.statement(
    "lemma-3.10",
    "The origin is a strict saddle with eigenvalues s and -s",
    "Baldi and Hornik 1989",
    scope=case("layers of width one"),
    claims="every size",
)
def strict_saddle() -> Statement:
    derived = hessian(product, (u, v)).subs({u: 0, v: 0}).charpoly(c).as_expr()
    return Statement(variables={s: POSITIVE, c: S.Reals}, then=Eq(derived, (c - s) * (c + s), evaluate=False))


@chapter.statement("claim-3.11", "Folklore: deep linear networks have strict saddles only", scope=whole())
def all_strict() -> Statement:
    return _curvature(3)


@chapter.statement(
    "claim-3.11.corrected",
    "Networks with one hidden layer have strict saddles only",
    "Kawaguchi 2016",
    scope=case("equal layers of width one"),
)
def shallow_strict() -> Statement:
    return _curvature(2)


def _curvature(depth: int) -> Statement:
    """A critical point of the balanced chain that is no minimum has negative curvature."""
    loss = (u**depth - s) ** 2 / 2
    return Statement(
        variables={u: S.Reals, s: POSITIVE},
        given=(Eq(loss.diff(u), 0), Ne(u**depth, s)),
        then=loss.diff(u, 2) < 0,
    )


@chapter.statement(
    "claim-3.12", "Folklore: gradient flow of two layers reaches the minimum from every start", scope=whole()
)
def every_start() -> Statement:
    return scalar(ConvergesTo(u * v, s))


@chapter.statement(
    "claim-3.12.corrected", "It does from equal layers that are not zero", SAXE, scope=case("equal layers")
)
def equal_start() -> Statement:
    loss = product.subs({v: u, s: c**2}) / 2
    return Statement(
        variables={c: POSITIVE, u0: POSITIVE},
        dynamics=gradient_flow(loss, u),
        start={u: u0},
        then=ConvergesTo(u, c),
        notes="The strength is c^2. Equal layers stay equal; half of the loss gives each its own speed.",
    )


@chapter.statement("lemma-3.13", "Opposite layers stay opposite, and fall into the saddle", SAXE, scope=whole())
def stable_side() -> Statement:
    return scalar(Always(Eq(u + v, 0)), Eq(u0 + v0, 0))


@chapter.statement(
    "proposition-3.14",
    "Weight decay balances the layers at the rate exp(-2 lambda t)",
    "Arora, Cohen and Hazan 2018",
    scope=case("layers of width one"),
    claims="every size",
)
def decay_balances() -> Statement:
    loss = product + lam * (u**2 + v**2) / 2
    return scalar(Always(Eq(u**2 - v**2, (u0**2 - v0**2) * exp(-2 * lam * t))), loss=loss, **{"lambda": POSITIVE})


@chapter.statement(
    "lemma-3.15",
    "The penalty of two layers is at least that of their product: 2 tr(B A) <= |A|^2 + |B|^2",
    "Srebro, Rennie and Jaakkola 2005",
    scope=whole(),
)
def penalty() -> Statement:
    left, right = matrix("B", m, n), matrix("A", n, m)
    return Statement(
        variables={left: Matrices(m, n), right: Matrices(n, m)},
        then=2 * trace(left * right) <= norm(left) ** 2 + norm(right) ** 2,
    )


y = symbols("y")
diagonal = (u**2 - v**2 - y) ** 2 / 2


@chapter.statement(
    "lemma-3.16",
    "A diagonal network w = u^2 - v^2 keeps u v",
    "Woodworth et al. 2020, Kernel and rich regimes",
    scope=case("one coordinate; coordinates interact through the loss only"),
    claims="every dimension",
)
def diagonal_network() -> Statement:
    return Statement(
        variables={y: S.Reals, u0: S.Reals, v0: S.Reals},
        dynamics=gradient_flow(diagonal, (u, v)),
        start={u: u0, v: v0},
        then=Always(Eq(u * v, u0 * v0)),
    )


@chapter.statement(
    "proposition-3.17",
    "Hence w = 2 a^2 sinh(2 q): mirror descent with a hyperbolic potential",
    "Woodworth et al. 2020",
    scope=whole(),
)
def hyperbolic() -> Statement:
    return Statement(
        variables={a: POSITIVE, q: S.Reals},
        then=Eq((a * exp(q)) ** 2 - (a * exp(-q)) ** 2, 2 * a**2 * sinh(2 * q)),
        notes="u = a exp(q) and v = a exp(-q) have the constant product a^2.",
    )


@chapter.statement(
    "proposition-3.18",
    "With three equal layers the product moves at 3 p^(4/3) (s - p)",
    "Saxe, McClelland and Ganguli 2014",
    scope=case("depth 3"),
    claims="N p^(2 - 2/N) (s - p) for depth N",
)
def depth_three() -> Statement:
    loss = (u * v * w - s) ** 2 / 2
    letters = (u, v, w)
    speed = gradient_flow(loss, letters).velocity
    derived = sum((u * v * w).diff(letter) * part for letter, part in zip(letters, speed, strict=True))
    return Statement(
        variables={u: S.Reals, s: POSITIVE},
        then=Eq(derived.subs({v: u, w: u}), 3 * u**4 * (s - u**3), evaluate=False),
        notes="p = u^3.",
    )


@chapter.statement(
    "proposition-3.19",
    "In a chain of any depth two factors keep the difference of their squares: (u^2 - v^2)' = 0",
    "Arora, Cohen and Hazan 2018",
    scope=whole(),
)
def two_factors() -> Statement:
    letters = (u, v)
    speed = gradient_flow((u * v * w - s) ** 2 / 2, letters).velocity
    change = sum((u**2 - v**2).diff(letter) * part for letter, part in zip(letters, speed, strict=True))
    return Statement(
        variables={s: POSITIVE, u: S.Reals, v: S.Reals, w: S.Reals},
        then=Eq(change, 0, evaluate=False),
        notes="w is the product of all other factors, whatever they do.",
    )


@chapter.statement(
    "claim-3.20", "Folklore: depth only slows learning: three equal layers grow at most at the rate s", scope=whole()
)
def depth_slows() -> Statement:
    speed = gradient_flow((u**3 - s) ** 2 / 6, u).velocity[0]
    return Statement(variables={s: POSITIVE, u: POSITIVE}, given=(u**3 < s,), then=speed <= s * u)


@chapter.statement(
    "claim-3.20.corrected",
    "Three equal layers stay below u_0/(1 - s u_0 t): they leave a plateau later",
    "Saxe, McClelland and Ganguli 2014",
    scope=case("depth 3"),
)
def deep_plateau() -> Statement:
    flow = gradient_flow((u**3 - s) ** 2 / 6, u)
    return Statement(
        variables={s: POSITIVE, u0: POSITIVE},
        given=(u0**3 < s,),
        dynamics=Flow((u,), flow.velocity, t),
        start={u: u0},
        then=Always(u * (1 - s * u0 * t) <= u0),
    )


@chapter.statement(
    "proposition-3.21", "A linear model decays to its target at the rate of its curvature", "Cauchy 1847", scope=whole()
)
def linear_model() -> Statement:
    flow = gradient_flow(lam * (x - s) ** 2 / 2, x)
    return Statement(
        variables={lam: POSITIVE, s: S.Reals, x0: S.Reals},
        dynamics=Flow((x,), flow.velocity, t),
        start={x: x0},
        then=Always(Eq(x, s + (x0 - s) * exp(-lam * t))),
    )
