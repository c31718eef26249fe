"""Theorem 1 and Appendix F.3 and F.4 for layers of every size.

A layer enters these claims by few numbers. The index s runs over the entries of zeta of all P samples together, so that
phi_{s,j,b} is what unit j contributes to the entry s for each unit of its second weight b; phi'_{s,j,n,b} is the
derivative of that number in the first weight n, and l_s the derivative of the loss in the entry s of zeta, whatever
the loss and whatever comes before and after the layer. By (21) and (22) the gradient in v_{j,b} is the sum of
l_s phi_{s,j,b}, the one in u_{j,n} is the sum of l_s v_{j,b} phi'_{s,j,n,b}. The l_s depend on zeta alone: where both
networks have the same zeta, which each clause says first, they are the same numbers.
"""

from __future__ import annotations

from typing import Any

from sympy import And, Eq, Expr, KroneckerDelta, Ne, S, Sum, Symbol, symbols
from sympy.logic.boolalg import Boolean

from theory.language.families import family
from theory.saddle_to_saddle._paper import paper
from theory.scope import part, whole
from theory.statements import Statement
from theory.temporal import ForEach

h, S_, N_u, N_v = symbols("h S N_u N_v")
i, j, k, s, n, b = symbols("i j k s n b")
share, scale = symbols("gamma_v gamma_u")

RANGES = {i: h, j: h, k: h, s: S_, n: N_u, b: N_v}
"""How far each index runs: h units of the narrow network, the entries of zeta, first weights, second weights."""

v, u, l = family("v", h, N_v), family("u", h, N_u), family("l", S_)
phi, slope = family("phi", S_, h, N_v), family("phi_slope", S_, h, N_u, N_v)
v_H, at_zero, at_zero_slope = family("v_H", N_v), family("phi_zero", S_, N_v), family("phi_zero_slope", S_, N_u, N_v)
"""Second weights, value and slope of a unit at u_zero."""

matrix = family("phi_matrix", S_, N_u, N_v)
"""A unit map that is linear in u: phi_{s,b}(u) is the sum of phi_matrix_{s,n,b} u_n, and phi_matrix is its slope."""

gamma_u, gamma_v, gamma = family("gamma_u", h), family("gamma_v", h), family("gamma", h)


def over(of: Expr, *indices: Symbol) -> Expr:
    """The sum over all values of the indices."""
    return Sum(of, *((index, 1, RANGES[index]) for index in indices))


def each(*indices: Symbol, be: Boolean) -> Boolean:
    """The formula for all values of the indices."""
    for index in reversed(indices):
        be = ForEach(index, RANGES[index], be)
    return be


def same(*indices: Symbol, left: Expr, right: Expr) -> Boolean:
    """An equation for all values of the indices."""
    return each(*indices, be=Eq(left, right, evaluate=False))


def of_second(value: Expr) -> Expr:
    """The gradient in a second weight, (21)."""
    return over(l[s] * value, s)


def of_first(second: Expr, change: Expr) -> Expr:
    """The gradient in a first weight, (22)."""
    return over(l[s] * second * change, s, b)


def on_reals(then: Boolean, *given: Boolean, notes: str = "") -> Statement:
    """A formula about all real values of its families and numbers."""
    sizes = set(RANGES.values()) | set(RANGES)
    free = set().union(*(part.free_symbols for part in (then, *given))) - sizes
    variables: dict[Any, Any] = dict.fromkeys(sorted(free, key=str), S.Reals)
    return Statement(variables=variables, given=given, then=then, notes=notes)


ZETA = over(phi[s, j, b] * v[j, b], j, b)
REST = (
    same(j, b, left=of_second(phi[s, j, b]), right=S.Zero),
    same(j, n, left=of_first(v[j, b], slope[s, j, n, b]), right=S.Zero),
)
"""The narrow network is at a fixed point."""


def split(value: Expr, change: Expr, product: Expr) -> list[Boolean]:
    """Unit i keeps 1 - product of its second weights, a new unit with this value and slope gets gamma_v times them."""
    kept = v[j, b] - product * KroneckerDelta(i, j) * v[i, b]
    return [
        same(s, i, left=over(phi[s, j, b] * kept, j, b) + over(value * share * v[i, b], b), right=ZETA),
        same(i, n, left=of_first((1 - product) * v[i, b], slope[s, i, n, b]), right=S.Zero),
        same(i, b, left=of_second(value), right=S.Zero),
        same(i, n, left=of_first(share * v[i, b], change), right=S.Zero),
    ]


ADDED = (
    same(s, left=ZETA + over(at_zero[s, b] * v_H[b], b), right=ZETA),
    same(b, left=of_second(at_zero[s, b]), right=S.Zero),
    same(n, left=of_first(v_H[b], at_zero_slope[s, n, b]), right=S.Zero),
)
"""(5): a new unit with u = u_zero and v = 0 leaves zeta alone, and none of its weights has a gradient."""

ZERO = (same(s, b, left=at_zero[s, b], right=S.Zero), same(b, left=v_H[b], right=S.Zero))

SECOND, FIRST = over(gamma_v[k] * v[k, b], k), over(gamma_u[k] * u[k, n], k)
KEPT = v[j, b] - gamma_u[j] * SECOND
COMBINED = (
    same(
        s,
        left=over(matrix[s, n, b] * u[j, n] * KEPT, j, n, b) + over(matrix[s, n, b] * FIRST * SECOND, n, b),
        right=over(matrix[s, n, b] * u[j, n] * v[j, b], j, n, b),
    ),
    same(j, n, left=of_first(KEPT, matrix[s, n, b]), right=S.Zero),
    same(b, left=over(l[s] * matrix[s, n, b] * FIRST, s, n), right=S.Zero),
    same(n, left=of_first(SECOND, matrix[s, n, b]), right=S.Zero),
)
"""(7): a new unit that is a linear combination of the others."""

LINEAR_REST = (
    same(j, b, left=over(l[s] * matrix[s, n, b] * u[j, n], s, n), right=S.Zero),
    same(j, n, left=of_first(v[j, b], matrix[s, n, b]), right=S.Zero),
)

OF_LAYERS = (
    "The index s runs over the entries of zeta of all samples. phi_{s,j,b} and phi_slope_{s,j,n,b} are value and"
    " derivative of the unit map at the first weights of unit j, l_s is the derivative of the loss in the entry s, so"
    " that the sums are the gradients (21) and (22). The first equation of each clause says that zeta is the same in"
    " both networks; so the map is, and so are the l_s. "
)


@paper.statement(
    "theorem-1",
    "Every fixed point of a layer of H - 1 units yields fixed points of H units with the same map, by (4) to (7)",
    scope=whole(),
    equations=("4", "5", "6", "7"),
)
def theorem_1() -> Statement:
    return on_reals(
        And(
            *split(phi[s, i, b], slope[s, i, n, b], share),
            *ADDED,
            *split(scale * phi[s, i, b], slope[s, i, n, b], scale * share),
            *COMBINED,
        ),
        *REST,
        *ZERO,
        *LINEAR_REST,
        notes=OF_LAYERS + "Units that stay as they were have the gradients that they had. A homogeneous map has the"
        " value gamma_u phi and, by (25), the same slope at gamma_u u_i; a linear one is phi_matrix. All unit maps are"
        " taken to have slopes where a gradient is formed: what happens at the kink of ReLU, where gamma_u = 0 puts the"
        " new unit, is theorem-1.iii.",
    )


L, K, layer, c = symbols("L K lambda c")
RANGES |= {layer: L, c: K}

deep_v, deep_l, parts = family("v", L, h, N_v), family("l", L, S_), family("p", L, K)
deep_phi, deep_slope = family("phi", L, S_, h, N_v), family("phi_slope", L, S_, h, N_u, N_v)


@paper.statement(
    "corollary-2",
    "A fixed point of a network with widths h_l yields fixed points with the same map for all widths H_l >= h_l",
    scope=whole(),
)
def corollary_2() -> Statement:
    """In every layer a unit is replaced by K units with its first weights, which share its second weights."""
    zeta = over(deep_phi[layer, s, j, b] * deep_v[layer, j, b], j, b)
    others = over(deep_phi[layer, s, j, b] * (1 - KroneckerDelta(i, j)) * deep_v[layer, j, b], j, b)
    copies = over(deep_phi[layer, s, i, b] * parts[layer, c] * deep_v[layer, i, b], c, b)

    def of_u(unit: Symbol, part: Expr) -> Expr:
        product = deep_l[layer, s] * part * deep_v[layer, unit, b] * deep_slope[layer, s, unit, n, b]
        return over(product, s, b)

    def of_v(unit: Symbol) -> Expr:
        return over(deep_l[layer, s] * deep_phi[layer, s, unit, b], s)

    return on_reals(
        And(
            same(layer, s, i, left=others + copies, right=zeta),
            same(layer, i, b, left=of_v(i), right=S.Zero),
            same(layer, c, i, n, left=of_u(i, parts[layer, c]), right=S.Zero),
        ),
        same(layer, j, b, left=of_v(j), right=S.Zero),
        same(layer, j, n, left=of_u(j, S.One), right=S.Zero),
        same(layer, left=over(parts[layer, c], c), right=S.One),
        notes=OF_LAYERS
        + "lambda counts the layers. Unit i of each layer, whichever, becomes K units with the same first weights and"
        " the parts p of its second weights, so that h - 1 + K units are there. Sizes stand for the largest of all"
        " layers: a layer with fewer units has some with v = 0 and phi = 0, one with fewer copies some with p = 0. As"
        " zeta is the same in every layer, all layers have the same inputs and the same l as before.",
    )


JOINT_FIRST, JOINT_SECOND = over(gamma[k] * u[k, n], k), over(gamma[k] * v[k, b], k)


@paper.statement(
    "theorem-3.tangent",
    "On the manifolds of (ii) to (iv) the velocities obey the relation that the weights obey",
    scope=part("tangency, for every size and every loss; that weights stay there needs unique trajectories"),
)
def theorem_3_tangent() -> Statement:
    """The velocities are minus the gradients (21) and (22); (i) is (iii) with gamma = 1 for any unit map."""
    here = over(l[s] * matrix[s, n, b] * JOINT_FIRST, s, n)
    return on_reals(
        And(
            same(b, left=of_second(at_zero[s, b]), right=S.Zero),
            same(n, left=of_first(v_H[b], at_zero_slope[s, n, b]), right=S.Zero),
            same(j, b, left=of_second(scale * phi[s, j, b]), right=scale * of_second(phi[s, j, b])),
            same(
                j,
                n,
                left=of_first(scale * v[j, b], slope[s, j, n, b]),
                right=scale * of_first(v[j, b], slope[s, j, n, b]),
            ),
            same(b, left=here, right=over(gamma[j] * over(l[s] * matrix[s, n, b] * u[j, n], s, n), j)),
            same(
                n,
                left=of_first(JOINT_SECOND, matrix[s, n, b]),
                right=over(gamma[j] * of_first(v[j, b], matrix[s, n, b]), j),
            ),
        ),
        *ZERO,
        notes="The second unit of (iii) has gamma times the weights of unit j, so that its value is gamma phi and its"
        " slope the same by (25); the unit of (iv) is the sum of gamma_j theta_j over the others.",
    )


gamma_i = over(gamma[k] * v[k, b], k)


@paper.statement(
    "claim-f.3",
    "On each manifold one unit can be removed without a change of the map",
    scope=whole(),
    equations=("28",),
)
def claim_f_3() -> Statement:
    """Unit i stands beside the units j of the others, which are h; (i) to (iv) with the weights that replace them."""
    doubled = v[j, b] + KroneckerDelta(i, j) * v[i, b]
    stretched = v[j, b] + scale**2 * KroneckerDelta(i, j) * v[i, b]
    ray = over(matrix[s, n, b] * over(gamma[k] * u[k, n], k), n)
    linear = over(matrix[s, n, b] * u[j, n], n)
    return on_reals(
        And(
            same(s, i, left=over(phi[s, j, b] * doubled, j, b), right=ZETA + over(phi[s, i, b] * v[i, b], b)),
            same(s, left=ZETA, right=ZETA + over(at_zero[s, b] * v_H[b], b)),
            same(
                s, i,
                left=over(phi[s, j, b] * stretched, j, b),
                right=ZETA + over(scale * phi[s, i, b] * scale * v[i, b], b),
            ),
            same(
                s,
                left=over(linear * (v[j, b] + gamma[j] * gamma_i), j, b),
                right=over(linear * v[j, b], j, b) + over(ray * gamma_i, b),
            ),
        ),
        *ZERO,
        notes="The sums on the right have one unit more. phi_{s,j,b} is the value of the unit map at the first weights"
        " of unit j for the entry s of zeta over all samples; at gamma u_j a homogeneous map has gamma times that"
        " value, and phi_matrix is a linear one.",
    )  # fmt: skip


SQUARES = over(gamma_u[k] ** 2, k)
ON_MANIFOLD = same(i, left=(1 + SQUARES) * gamma_v[i], right=gamma_u[i])
"""gamma_v is gamma_u over one plus the sum of squares."""


@paper.statement(
    "claim-f.4",
    "Which embedded fixed points lie on the manifolds",
    scope=whole(),
    equations=("29", "31a", "31b"),
)
def claim_f_4() -> Statement:
    """v are the second weights of the narrow network; what the units have in the wide one stands on both sides."""
    ray = scale / (1 + scale**2)
    return on_reals(
        And(
            same(j, b, left=ray * v[j, b], right=scale * (1 - scale * ray) * v[j, b]),
            same(b, left=v_H[b], right=over(gamma_u[k] * (v[k, b] - gamma_u[k] * v_H[b]), k)),
        ),
        same(b, left=(1 + SQUARES) * v_H[b], right=over(gamma_u[k] * v[k, b], k)),
        notes="(iii) and (iv), where v_H is given by (7) with the stated gamma_v; in (i) both units have v_i / 2, and"
        " in (ii) the new unit is u_zero with v_H = 0, as in the definition of the manifold. The first weights of the"
        " new unit are gamma_u u_i and the sum of gamma_{u_i} u_i by (6) and (7).",
    )


@paper.step(
    "claim-f.4", "30", "The new second weights in terms of the changed old ones", scope=whole(), equations=("30",)
)
def step_30() -> Statement:
    crossing = over(gamma_v[j] * gamma_u[j], j)
    changed = v[i, b] - gamma_u[i] * SECOND
    return on_reals(
        same(b, left=SECOND, right=over(gamma_v[i] * changed, i) / (1 - crossing)), Ne(crossing, 1, evaluate=False)
    )


@paper.step(
    "claim-f.4",
    "31",
    "On the manifold the denominator of (30) is 1 / (1 + sum of gamma_u^2), which is positive",
    scope=whole(),
    equations=("31b",),
)
def step_31() -> Statement:
    crossing = over(gamma_v[j] * gamma_u[j], j)
    return on_reals(Eq((1 - crossing) * (1 + SQUARES), 1, evaluate=False), ON_MANIFOLD)
