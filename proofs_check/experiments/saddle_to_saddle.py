"""Small trainings for the figures of the saddle-to-saddle paper: plateaus, effective widths and families are detected.

A plateau is the slowest moment between the first two drops of the loss. A unit counts when its weights exceed a quarter
of the largest; the family is (5) when few units are large, (6) when they lie on one ray, (7) otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import sympy as sp
from numpy.typing import NDArray

from numerics import PREDICTION, TARGET, UNIT, Network, Trainer, train
from proofs_check.experiments import experiment

Array = NDArray[np.float64]
Weights = list[Array]
SQUARED = (PREDICTION - TARGET) ** 2
ACTIVATIONS: dict[str, sp.Expr] = {
    "linear": UNIT,
    "deep-linear": UNIT,
    "relu": sp.Max(UNIT, 0),
    "quadratic": UNIT**2,
    "cubic": UNIT**3,
    "tanh": sp.tanh(UNIT),
    "sin": sp.sin(UNIT),
    "s-tanh-s": UNIT * sp.tanh(UNIT),
}


@dataclass(frozen=True)
class Run:
    """Losses and weights, once for every block of steps."""

    losses: Array
    weights: list[Weights]

    def plateau(self) -> int:
        """The block of slowest progress between the first two drops of the loss; the end of the run without two."""
        drops = -np.diff(self.losses)
        peaks = [
            k for k in range(1, len(drops) - 1) if drops[k] >= drops[k - 1] and drops[k] > drops[k + 1]
            and drops[k] > 5e-4 * drops.max()
        ]  # fmt: skip
        if len(peaks) < 2:
            return len(drops)
        return int(peaks[0] + np.argmin(drops[peaks[0] : peaks[1]]))


def follow(
    gradient: Callable[[Weights], tuple[float, Weights]], weights: Weights, rate: float, blocks: int, block: int
) -> Run:
    """Plain gradient descent, remembered once in a block."""
    losses, kept = [], []
    current = [part.copy() for part in weights]
    for _ in range(blocks):
        losses.append(gradient(current)[0])
        kept.append([part.copy() for part in current])
        for _ in range(block):
            current = [part - rate * slope for part, slope in zip(current, gradient(current)[1], strict=True)]
    return Run(np.array(losses), kept)


def flow(gradient: Callable[[Weights], tuple[float, Weights]], weights: Weights, times: Array) -> Run:
    """Gradient flow with adaptive steps, remembered at the given times."""
    from scipy.integrate import solve_ivp

    shapes = [part.shape for part in weights]
    ends = np.cumsum([part.size for part in weights])[:-1]

    def unpack(flat: Array) -> Weights:
        return [part.reshape(shape) for part, shape in zip(np.split(flat, ends), shapes, strict=True)]

    def velocity(_: float, flat: Array) -> Array:
        return -np.concatenate([part.ravel() for part in gradient(unpack(flat))[1]])

    start = np.concatenate([part.ravel() for part in weights])
    found = solve_ivp(velocity, (0.0, float(times[-1])), start, t_eval=times, rtol=1e-7, atol=1e-9)
    kept = [unpack(column) for column in found.y.T]
    return Run(np.array([gradient(part)[0] for part in kept]), kept)


def normal_weights(widths: tuple[int, ...], scale: float, seed: int) -> Weights:
    """Gaussian weights for every layer."""
    chance = np.random.default_rng(seed)
    return [scale * chance.standard_normal((above, below)) for below, above in pairwise(widths)]


def trained(
    name: str,
    x: Array,
    y: Array,
    widths: tuple[int, ...],
    scale: float,
    rate: float,
    blocks: int,
    block: int,
    seed: int,
) -> Run:
    """A fully connected network trained by numerics.train, block by block."""
    trainer = Trainer(Network(widths, ACTIVATIONS[name], SQUARED), x, y)
    losses, kept = [], []
    current = normal_weights(widths, scale, seed)
    for _ in range(blocks):
        kept.append([part.copy() for part in current])
        result = train(trainer, current, block, learning_rate=rate)
        losses.append(float(result.losses[0]))
        current = result.weights
    return Run(np.array(losses), kept)


def hermite_grid() -> Array:
    """Points with the Gaussian moments up to degree five in each of two coordinates."""
    line = np.sqrt(3.0) * np.array([-1.0, 0, 0, 0, 0, 1.0])
    return np.array([[a, b] for a in line for b in line])


def linear_data() -> tuple[Array, Array]:
    """Two inputs with the covariance [[1, 1], [1, 4]] and the target [[2, 1/2], [1/2, 1]]."""
    x = np.sqrt(2.0) * np.linalg.cholesky(np.array([[1.0, 1.0], [1.0, 4.0]])).T
    return x, x @ np.array([[2.0, 0.5], [0.5, 1.0]])


def relu_data() -> tuple[Array, Array]:
    """The two points of Fig. 1D."""
    return np.array([[1.0, 0.5], [-1.0, 2.0]]), np.array([[1.0], [-1.0]])


def teacher(name: str, points: Array) -> Array:
    """A width-2 teacher with the same activation."""
    f = sp.lambdify(UNIT, ACTIVATIONS[name], "numpy")
    second = 1.0 if name in ("cubic", "quadratic") else 2.0
    return (f(points[:, 0]) + f(second * points[:, 1]))[:, None]


def units_of(weights: Weights) -> Array:
    """First and second weights of every unit of a two-layer network, one row each."""
    return np.hstack([weights[1].T, weights[0]]) if len(weights) == 2 else weights[0]


def large(rows: Array, part: float = 0.25) -> Array:
    """The rows that count: those longer than a part of the longest."""
    size = np.linalg.norm(rows, axis=1)
    return rows[size > part * size.max()]


def rank(rows: Array, tolerance: float = 0.1) -> int:
    """How many singular values count."""
    values = np.linalg.svd(rows, compute_uv=False)
    return int((values > tolerance * values[0]).sum())


def rays(rows: Array) -> int:
    """How many different directions the rows that count have."""
    directions: list[Array] = []
    for row in large(rows, 0.1):
        unit = row / np.linalg.norm(row)
        if all(unit @ other < 0.95 for other in directions):
            directions.append(unit)
    return len(directions)


def family(rows: Array) -> int:
    """The number of the equation whose set of fixed points the weights are near."""
    if len(large(rows, 0.1)) <= max(1, len(rows) // 5):
        return 5
    return 6 if rays(rows) == 1 else 7


def convolution(
    x: Array, y: Array, *, rectified: bool, units: int, scale: float, seed: int
) -> tuple[Callable[..., Any], Weights]:
    """Gradient of (66) or (68): kernels u (units x 2), readout v (units x 2)."""
    patches = x.reshape(len(x), 2, 2)

    def gradient(weights: Weights) -> tuple[float, Weights]:
        u, v = weights
        inner = np.einsum("pkn,in->pik", patches, u)
        active = (inner > 0).astype(float) if rectified else np.ones_like(inner)
        error = np.einsum("pik,ik->p", inner * active, v) - y
        slope = 2 * error / len(x)
        return float((error**2).mean()), [
            np.einsum("p,ik,pik,pkn->in", slope, v, active, patches, optimize=True),
            np.einsum("p,pik->ik", slope, inner * active),
        ]

    chance = np.random.default_rng(seed)
    return gradient, [scale * chance.standard_normal((units, 2)) for _ in range(2)]


def run_panel(panel: str, seed: int) -> tuple[Run, Callable[[Array], int]]:
    """The training of a panel and how its effective width is read off."""
    if panel.endswith("convolution"):
        rectified = panel.startswith("relu")
        size = np.array([2.0, 2.0, 2 * np.sqrt(2.0), 2.0])
        x = np.diag(size)
        y = x @ np.array([1.0, 1.0, -1.0, 1.0]) / np.sqrt(5.0)
        gradient, start = convolution(x, y, rectified=rectified, units=50, scale=1e-6, seed=seed)
        run = follow(gradient, start, 0.05, 160, 10 if not rectified else 20)
        return Run(run.losses, [[w[0], w[1].T] for w in run.weights]), (rays if rectified else rank)
    if panel == "linear":
        return trained(panel, *linear_data(), (2, 50, 2), 1e-6, 0.01, 150, 10, seed), rank
    if panel == "deep-linear":
        return trained(panel, *linear_data(), (2, 20, 20, 2), 0.01, 0.005, 300, 20, seed), rank
    if panel == "relu":
        return trained(panel, *relu_data(), (2, 50, 1), 1e-6, 0.01, 250, 40, seed), rays
    points = hermite_grid() if panel == "quadratic" else np.random.default_rng(7).standard_normal((200, 2))
    rate = {"quadratic": 0.04, "cubic": 0.005}.get(panel, 0.02)
    scale = 0.05 if panel == "cubic" else 0.005 if panel == "quadratic" else 0.02
    return (
        trained(panel, points, teacher(panel, points), (2, 10, 1), scale, rate, 400, 25, seed),
        lambda rows: len(large(rows)),
    )


@experiment("saddle_to_saddle.panel")
def panel_widths(panel: str, seed: int) -> Mapping[str, Any]:
    """Effective width on the intermediate plateau and at the end, and the last loss."""
    run, effective = run_panel(panel, seed)
    at = run.plateau()
    level = {"level": float(abs(run.losses[at] / _rank_one_loss() - 1))} if panel == "linear" else {}
    return {
        **level,
        "plateau_width": effective(units_of(run.weights[at])),
        "final_width": effective(units_of(run.weights[-1])),
        "loss": float(run.losses[-1]),
        "coverage": f"one run of {panel}, seed {seed}; plateau at block {at} of {len(run.losses)}",
    }


def _rank_one_loss() -> float:
    """The loss of the best rank-one map for the data of the linear panel: the second eigenvalue of (40)."""
    x, y = linear_data()
    crossed, of_inputs = y.T @ x / 2, x.T @ x / 2
    return float(np.linalg.eigvalsh(crossed @ np.linalg.inv(of_inputs) @ crossed.T)[0])


@experiment("saddle_to_saddle.attention")
def attention(seed: int) -> Mapping[str, Any]:
    """Large heads of linear attention (69) on in-context regression, 10 heads of rank 1; X X^T is divided by N."""
    chance = np.random.default_rng(seed)
    samples, context = 400, 32
    x, w = chance.standard_normal((samples, context, 2)), chance.standard_normal((samples, 2))
    query = chance.standard_normal((samples, 2))
    tokens = np.concatenate([x, np.einsum("pnd,pd->pn", x, w)[..., None]], axis=2)
    last = np.hstack([query, np.zeros((samples, 1))])
    seen = (np.einsum("pna,pnb->pab", tokens, tokens) + last[:, :, None] * last[:, None, :]) / context
    cubic = np.einsum("pab,pc->pabc", seen, last).reshape(samples, 27)
    targets = (query * w).sum(axis=1)
    crossed, squared = targets @ cubic / samples, cubic.T @ cubic / samples
    base = float((targets**2).mean())

    def gradient(weights: Weights) -> tuple[float, Weights]:
        v, k, q = weights
        tensor = np.einsum("ia,ib,ic->abc", v, k, q).reshape(27)
        pull = squared @ tensor
        slope = 2 * (pull - crossed).reshape(3, 3, 3)
        loss = base + float(tensor @ (pull - 2 * crossed))
        return loss, [
            np.einsum("abc,ib,ic->ia", slope, k, q, optimize=True),
            np.einsum("abc,ia,ic->ib", slope, v, q, optimize=True),
            np.einsum("abc,ia,ib->ic", slope, v, k, optimize=True),
        ]

    run = flow(gradient, [0.005 * chance.standard_normal((10, 3)) for _ in range(3)], np.linspace(0, 200, 401))
    at = run.plateau()
    heads = [len(large(np.hstack(run.weights[place]))) for place in (at, -1)]
    return {"plateau_width": heads[0], "final_width": heads[1], "coverage": f"one start; plateau at time {at / 2}"}


@experiment("saddle_to_saddle.families")
def families(seed: int) -> Mapping[str, Any]:
    """The family of the visited saddle for three architectures."""
    found = {}
    for name in ("linear", "relu", "quadratic"):
        run, _ = run_panel(name, seed)
        found[f"{name}_family"] = family(units_of(run.weights[run.plateau()]))
    return found


@experiment("saddle_to_saddle.escape")
def escape(seed: int) -> Mapping[str, Any]:
    """A quadratic network with one unit at its width-1 minimum, one perturbed, the others zero."""
    points = hermite_grid()
    trainer = Trainer(Network((2, 4, 1), ACTIVATIONS["quadratic"], SQUARED), points, teacher("quadratic", points))
    start = normal_weights((2, 4, 1), 1e-3, seed)
    start[0][0], start[1][0, 0] = (1.0, 0.0), 1.0
    start[0][2:], start[1][0, 2:] = 0.0, 0.0
    result = train(trainer, start, 6000, learning_rate=0.02)
    rows = units_of(result.weights)
    return {"width": len(large(rows)), "loss": float(result.losses[-1])}


@experiment("saddle_to_saddle.units")
def separated_units(units: int, seed: int) -> Mapping[str, Any]:
    """The system (14) in log-spaced sizes: the second largest unit when the first has size one, as a power of eps."""
    from scipy.integrate import solve_ivp

    rates = np.array([1.5, 0.4, -0.7])
    g = np.random.default_rng(seed).standard_normal((units, 4))

    def velocity(_: float, flat: Array) -> Array:
        rows = flat.reshape(units, 4)
        v, u = rows[:, :1], rows[:, 1:]
        return np.hstack([(u**2 @ rates)[:, None], 2 * v * u * rates]).ravel()

    def reached(_: float, flat: Array) -> float:
        return float(np.linalg.norm(flat.reshape(units, 4), axis=1).max() - 1)

    reached.terminal = True  # type: ignore[attr-defined]
    sizes, seconds = 10.0 ** np.arange(-5, -2, 0.5), []
    for eps in sizes:
        end = solve_ivp(velocity, (0, 1e3 / eps), eps * g.ravel(), events=reached, rtol=1e-9, atol=1e-12).y[:, -1]
        seconds.append(float(np.sort(np.linalg.norm(end.reshape(units, 4), axis=1))[-2]))
    slopes = np.diff(np.log(seconds)) / np.diff(np.log(sizes))
    return {"slope": float(slopes[0]), "least": float(slopes.min()), "cases": len(sizes)}


@experiment("saddle_to_saddle.tanh_alignment")
def tanh_alignment(seed: int) -> Mapping[str, Any]:
    """Second over first singular value of the first weights: least early, and at the end."""
    run = _smooth("tanh", seed)
    ratios = [_second(weights[0]) for weights in run.weights]
    early = int(np.argmax(run.losses < 0.9 * run.losses[0]))
    return {"early": ratios[early], "late": ratios[-1]}


def _second(matrix: Array) -> float:
    values = np.linalg.svd(matrix, compute_uv=False)
    return float(values[1] / values[0])


def _smooth(name: str, seed: int) -> Run:
    points = np.random.default_rng(7).standard_normal((200, 2))
    return trained(name, points, teacher(name, points), (2, 20, 1), 1e-6, 0.05, 150, 40, seed)


@experiment("saddle_to_saddle.early_rank")
def early_rank(seed: int) -> Mapping[str, Any]:
    """The same ratio right after the first drop, for tanh and sin."""
    found = {}
    for name in ("tanh", "sin"):
        run = _smooth(name, seed)
        after = int(np.argmax(run.losses < 0.9 * run.losses[0]))
        found[f"{name}_second"] = _second(run.weights[after][0])
    return found


@experiment("saddle_to_saddle.relu_direction")
def relu_direction(seed: int) -> Mapping[str, Any]:
    """The angle between the first unit that grows and the direction of largest correlation (Fig. 1D data)."""
    run, _ = run_panel("relu", seed)
    x, y = relu_data()
    angles = np.linspace(0, 2 * np.pi, 20001)
    circle = np.stack([np.cos(angles), np.sin(angles)])
    best = circle[:, np.argmax(np.abs((np.maximum(x @ circle, 0) * y).mean(axis=0)))]
    after = int(np.argmax(run.losses < 0.999 * run.losses[0]))
    first = run.weights[after][0]
    top = first[np.argmax(np.linalg.norm(first, axis=1))]
    return {"angle": float(np.arccos(min(1.0, best @ top / np.linalg.norm(top))))}


@experiment("saddle_to_saddle.deep")
def deep(seed: int) -> Mapping[str, Any]:
    """On the plateau: rank of the first of three linear layers, large units of a quadratic layer below a linear one."""
    linear, _ = run_panel("deep-linear", seed)
    at = linear.plateau()
    points = hermite_grid()
    targets = points**2

    def gradient(weights: Weights) -> tuple[float, Weights]:
        a, b, c = weights
        inner = points @ a.T
        hidden = inner**2
        error = hidden @ b.T @ c.T - targets
        slope = 2 * error / len(points)
        back = slope @ c @ b
        return float((error**2).sum(axis=1).mean()), [
            (2 * inner * back).T @ points,
            (slope @ c).T @ hidden,
            slope.T @ (hidden @ b.T),
        ]

    run = follow(gradient, normal_weights((2, 10, 10, 2), 0.05, seed + 3), 0.02, 500, 5)
    return {
        "linear_rank": rank(linear.weights[at][0]),
        "quadratic_units": len(large(run.weights[run.plateau()][0])),
    }


def _linear_modes(target: Array, units: int, scale: float, seed: int, start: Weights | None = None) -> Array:
    """The diagonal of W along gradient descent on ||target - W||^2 with white inputs."""
    size = len(target)
    u, v = start or normal_weights((size, units, size), scale, seed)
    rows = []
    for _ in range(6000):
        rows.append(np.diag(v @ u).copy())
        residual = np.diag(target) - v @ u
        u, v = u + 0.02 * v.T @ residual, v + 0.02 * residual @ u.T
    return np.array(rows)


def _half_times(modes: Array, target: Array) -> Array:
    return np.array([0.02 * np.argmax(modes[:, k] > target[k] / 2) for k in range(len(target))])


@experiment("saddle_to_saddle.width")
def width_effect(seed: int) -> Mapping[str, Any]:
    """Time to the second drop with a wide against a narrow layer: linear, and the second plateau of a quadratic one."""
    target = np.array([6.0, 3.0, 2.0]) / 11
    times = [_half_times(_linear_modes(target, units, 1e-4, seed), target)[1] for units in (10, 100)]
    points = hermite_grid()
    lengths = []
    for units in (5, 80):
        found = []
        for k in range(4):
            run = trained(
                "quadratic", points, teacher("quadratic", points), (2, units, 1), 0.005, 0.02, 150, 15, seed + k
            )
            below = [int(np.argmax(run.losses < part * run.losses[0])) or len(run.losses) for part in (0.75, 0.1)]
            found.append(below[1] - below[0])
        lengths.append(float(np.median(found)))
    return {"linear_ratio": float(times[1] / times[0]), "quadratic_ratio": lengths[1] / lengths[0]}


@experiment("saddle_to_saddle.spectrum")
def spectrum(seed: int) -> Mapping[str, Any]:
    """Last over first half-time of the modes, for kappa = 1 and kappa = 0."""
    found = {}
    for name, target in (("unequal", np.array([6.0, 3.0, 2.0]) / 11), ("equal", np.ones(3) / 3)):
        times = _half_times(_linear_modes(target, 100, 1e-4, seed), target)
        found[name] = float(times.max() / times.min())
    return found


@experiment("saddle_to_saddle.structure")
def structure(seed: int) -> Mapping[str, Any]:
    """Large rank-one weights: time of the first mode, and how close the loss comes to the levels of rank 1 and 2."""
    target = np.array([6.0, 3.0, 2.0]) / 11
    chance = np.random.default_rng(seed)
    a, b, c = chance.standard_normal(20), chance.standard_normal(3), chance.standard_normal(3)
    u = 0.3 * np.outer(a, b) + 1e-6 * chance.standard_normal((20, 3))
    v = 0.3 * np.outer(c, a) + 1e-6 * chance.standard_normal((3, 20))
    losses, times = [], 6000
    for _ in range(times):
        residual = np.diag(target) - v @ u
        losses.append(float((residual**2).sum()))
        u, v = u + 0.02 * v.T @ residual, v + 0.02 * residual @ u.T
    values = np.array(losses)
    levels = (target[1] ** 2 + target[2] ** 2, target[2] ** 2)
    falling = int(np.argmax(values < 0.9 * values[0]))
    flat = [np.abs(np.gradient(np.log(values)))[(values > 0.9 * k) & (values < 1.2 * k)] for k in levels]
    gaps = [float(part.min()) if part.size else 1.0 for part in flat]
    return {"first_plateau": falling / times, "rank_one": gaps[0], "rank_two": gaps[1]}


@experiment("saddle_to_saddle.scale")
def scale_effect(seed: int) -> Mapping[str, Any]:
    """Half-time of the first mode for a small and a larger initial scale."""
    target = np.array([6.0, 3.0, 2.0]) / 11
    times = [_half_times(_linear_modes(target, 50, size, seed), target)[0] for size in (1e-4, 1e-2)]
    return {"small": float(times[0]), "large": float(times[1])}


@experiment("saddle_to_saddle.skips")
def skips(seed: int) -> Mapping[str, Any]:
    """Steps until the loss of three four-layer linear networks is below 1/2 (target diag(2, 1), white inputs)."""
    target = np.diag([2.0, 1.0])
    found = {}
    for name in ("none", "one", "two"):
        a, b, c, d = normal_weights((2, 30, 30, 30, 2), 0.05, seed)
        eye = np.eye(30)
        for step in range(4000):
            second = b + eye if name == "one" else b
            middle = c @ second + (eye if name == "two" else 0)
            residual = target - d @ middle @ a
            if (residual**2).sum() < 0.5:
                found[name] = step
                break
            back = d.T @ residual @ a.T
            moves = (middle.T @ d.T @ residual, c.T @ back, back @ second.T, residual @ (middle @ a).T)
            a, b, c, d = (part + 0.04 * move for part, move in zip((a, b, c, d), moves, strict=True))

    return found


PAIRS = {"01": (0, 1), "08": (0, 8), "57": (5, 7), "35": (3, 5)}


def _pair(digits: tuple[int, int]) -> tuple[Array, Array] | None:
    try:
        from sklearn.datasets import load_digits
    except ImportError:
        return None
    images, labels = load_digits(return_X_y=True)
    chosen = np.isin(labels, digits)
    return images[chosen] / 16, np.stack([labels[chosen] == digit for digit in digits], axis=1).astype(float)


MISSING = {"missing": "the digits need scikit-learn: install it with `pip install lemmascope[all]`"}


def _governing(x: Array, y: Array) -> tuple[float, float]:
    """The two singular values of Table 1."""
    crossed, of_inputs = y.T @ x / len(x), x.T @ x / len(x)
    best = np.linalg.eigh(crossed @ np.linalg.pinv(of_inputs) @ crossed.T)[1][:, -1]
    left = crossed - np.outer(best, best) @ crossed
    return tuple(float(np.linalg.svd(part, compute_uv=False)[0]) for part in (crossed, left))  # type: ignore[return-value]


@experiment("saddle_to_saddle.singular_values")
def singular_values() -> Mapping[str, Any]:
    """Table 1 on the bundled 8 x 8 digits."""
    data = {name: _pair(digits) for name, digits in PAIRS.items()}
    if any(part is None for part in data.values()):
        return MISSING
    found = {name: _governing(*part) for name, part in data.items() if part is not None}
    firsts = [first for first, _ in found.values()]
    return {
        "hardest_last": int(min(found, key=lambda name: found[name][1]) == "35"),
        "spread": max(firsts) / min(firsts),
        "gap_08": abs(found["08"][0] - found["08"][1]) / found["08"][0],
        "notes": ["; ".join(f"{name}: {first:.3f}, {second:.3f}" for name, (first, second) in found.items())],
    }


@experiment("saddle_to_saddle.digits")
def digits_run(seed: int) -> Mapping[str, Any]:
    """Third singular value of the first layer at the end; how much longer the second plateau is for 3/5 than 0/1."""
    lengths, third = [], 0.0
    for name in ("01", "35"):
        data = _pair(PAIRS[name])
        if data is None:
            return MISSING
        x, y = data
        run = trained("linear", x, y, (64, 20, 2), 1e-6, 0.05, 120, 10, seed)
        values = np.array([np.linalg.svd(weights[0], compute_uv=False)[:3] for weights in run.weights])
        third = max(third, float(values[-1, 2] / values[-1, 0]))
        top = values[:, 0].max()
        grown = [int(np.argmax(values[:, k] > 0.1 * top)) or len(values) for k in (0, 1)]
        lengths.append(grown[1] - grown[0])
    return {"third": third, "harder": lengths[1] / max(lengths[0], 1)}
