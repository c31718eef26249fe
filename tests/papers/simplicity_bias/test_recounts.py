"""Every exact number behind a statement of this paper is found again by other means: floats, scans, complex numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import product
from typing import Any

import mpmath
import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import t as student

from theory.enumerators import enumerate_exactly
from theory.library import stated

Array = NDArray[np.float64]
Route = Callable[..., Mapping[str, Any]]


# Data sets and G, written again in floats ----------------------------------------------------------------------------


def data(name: str) -> tuple[Array, Array, float]:
    """Points, labels and width, typed in."""
    if not name.startswith("orbit"):
        width, place = {
            "origin": (1.0, 0.0),
            "one point in the band": (1.0, 0.5),
            "one point outside the band": (0.25, 0.5),
        }[name]
        return np.array([[place, 0.0, 0.0]]), np.array([1.0]), width
    third = (0.05, -0.05) if "sixteen" in name else (0.0,)
    near = [(s * 0.95, t * 0.1, w) for s, t, w in product((1, -1), (1, -1), third)]
    swapped = [(q, p, w) for p, q, w in near]
    return np.array(near + swapped), np.repeat([1.0, -1.0], len(near)), 0.01


NODES, WEIGHTS = np.polynomial.legendre.leggauss(4)


def G(v: Array, name: str) -> Array:
    """Half the mean of y times the mean rectifier over a ball of noise, whose coordinate has the density 3/4 (1 - c^2).

    The integrand is a cubic polynomial in c where the rectifier is active, so four nodes are exact.
    """
    x, y, width = data(name)
    reach = v @ x.T
    least = np.clip(-reach / width, -1, 1)
    half = (1 - least) / 2
    c = least[..., None] + half[..., None] * (NODES + 1)
    values = (reach[..., None] + width * c) * 0.75 * (1 - c**2)
    return ((values @ WEIGHTS) * half) @ y / (2 * len(y))


def slope(v: Array, name: str, step: float = 1e-6) -> Array:
    """The gradient of G on the sphere by central differences."""
    parts = [(G(v + step * e, name) - G(v - step * e, name)) / (2 * step) for e in np.eye(3)]
    flat = np.stack(parts, axis=-1)
    return flat - (flat * v).sum(axis=-1, keepdims=True) * v


def directions(count: int, seed: int) -> Array:
    rows = np.random.default_rng(seed).standard_normal((count, 3))
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def climbed(name: str, sign: int, count: int = 160) -> Array:
    """Where random directions go when they follow the gradient of G or of -G for a long time."""
    v = directions(count, 3)
    for _ in range(250):
        v = v + 2.0 * sign * slope(v, name)
        v /= np.linalg.norm(v, axis=1, keepdims=True)
    return v


# The routes ----------------------------------------------------------------------------------------------------------


def accuracy(a: str, b: str, c: int) -> Mapping[str, Any]:
    with mpmath.workdps(30):
        x, z = (mpmath.mpf(Fraction(part).numerator) / Fraction(part).denominator for part in (a, b))
        q = mpmath.mpf(8) / 3
        level = mpmath.exp(-4 * q**2 * x)

        def h(end: mpmath.mpf) -> mpmath.mpf:
            return mpmath.quad(lambda w: (1 + level * mpmath.exp(w)) / w, [1, end])

        low, high = ((1 - 2 * x) * mpmath.exp(-7 * q**2 * x) - 4 * x) / 2, (1 + x) / 2
        bound = low / high * h((1 - 2 * x) * q**2)
        bound += (high - low) / high * (1 + level * mpmath.e) * mpmath.log((1 - 2 * x) * z**2)
        bound -= (1 + level * mpmath.exp((1 - 2 * x) / 4)) * mpmath.log(c**2)
        reached = (1 - 2 * x) * mpmath.mpf(9) ** 2 / 4**2
        return {"low": bound, "high": h(reached), "margin": reached - 4 * x * q**2}


def alignment(data: list[str]) -> Mapping[str, Any]:
    """On the sphere the second derivative of G at e_1 is the curvature minus the height."""
    exponents = []
    for name in data:
        top, step = np.array([1.0, 0.0, 0.0]), 1e-4

        def at(p: float, q: float, name: str = name) -> float:
            v = np.array([1.0, p, q])
            return float(G(v / np.linalg.norm(v), name))

        height = float(G(top, name))
        bends = np.array([[at(step, 0) + at(-step, 0), 0], [0, at(0, step) + at(0, -step)]]) - 2 * height * np.eye(2)
        mixed = (at(step, step) - at(step, -step) - at(-step, step) + at(-step, -step)) / 4
        bends += mixed * np.array([[0, 1], [1, 0]])
        exponents.append(-np.linalg.eigvalsh(bends / step**2).max() / height)
    return {"exponent": min(exponents)}


def assumptions(data: str, least: str = "9/200") -> Mapping[str, Any]:
    points, labels, width = globals()["data"](data)
    known = {(*np.round(100 * x), y) for x, y in zip(points, labels, strict=True)}
    far = sum(min(np.linalg.norm(x[:2] - s * np.eye(2)[int(y < 0)]) for s in (1, -1)) >= np.sqrt(0.5)
              for x, y in zip(points, labels, strict=True))  # fmt: skip
    moves = [
        lambda x: (-x[0], x[1], x[2], x[3]),
        lambda x: (x[0], -x[1], x[2], x[3]),
        lambda x: (x[1], x[0], x[2], -x[3]),
    ]
    missing = sum(move(x) not in known for x in known for move in moves)
    irregular = sum(np.abs(points[:, k]).min() < width + 2 * float(Fraction(least)) - 1e-12 for k in (0, 1))
    return {"violations": far + missing + irregular + int((np.linalg.norm(points, axis=1) > 1).sum())}


def basin(data: list[str]) -> Mapping[str, Any]:
    """The share of random starts that come to e_1, with either sign, to the nearest quarter."""
    shares = []
    for name in data:
        if np.ptp(G(directions(50, 1), name)) < 1e-12:
            shares.append(0.0)
            continue
        ends = [climbed(name, sign) for sign in (1, -1)]
        shares.append(np.mean([np.mean(v[:, 0] > 0.99) for v in ends]))
    return {"portion": round(4 * min(shares)) / 4}


def critical_set(data: str) -> Mapping[str, Any]:
    """Ends of ascents and descents; saddles by Euler's formula 2 = maxima - saddles + minima on the sphere."""
    tops, bottoms = (np.unique(np.round(climbed(data, sign)), axis=0) for sign in (1, -1))
    still = np.linalg.norm(slope(directions(4000, 5), data), axis=1) < 1e-11
    axes = {tuple(s * np.eye(3)[k]) for k in (0, 1) for s in (1, -1)}
    away = [v for v in (*tops, *bottoms) if tuple(v) not in axes]
    counted = {"flat": int(still.any()), "elsewhere": len(away)}
    if counted["flat"]:
        return counted
    many = {"maximum": len(tops), "minimum": len(bottoms), "saddle": len(tops) + len(bottoms) - 2}
    return counted | many | {"open": 0}


def flat_direction(case: str, step: str) -> Mapping[str, Any]:
    """The margin depends on cluster 1 through u_1^2 + u_2^2 only, which a rotation keeps."""
    x, y, _ = data("orbit of sixteen")
    angle = 2 * np.arctan(float(Fraction(step)))
    pair = np.array([0.6, 0.8]) if case == "split" else np.array([1.0, 0.0])
    turned = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]) @ pair
    drops = []
    for u in (pair, turned):
        reach = [np.maximum(part, 0) for part in (x[:, 0], x[:, 1], -x[:, 0], -x[:, 1])]
        out = (u**2).sum() * reach[0] - reach[1] + reach[2] - reach[3]
        drops.append((y * out).min() / (2 * (u**2).sum() + 6))
    return {"drop": drops[0] - drops[1]}


def flat_space(clusters: list[int]) -> Mapping[str, Any]:
    """Weights of a cluster lie on a sphere, one dimension less than it has neurons; the others lose margin."""
    own = [sum(abs(k) == place for k in clusters) for place in (1, 2, 3, 4)]
    x, y, _ = data("orbit of sixteen")
    best = 0.85 / 8
    pull = np.abs((np.where(x[:, :1] > 0, y[:, None] * x, 0)).sum(axis=0))
    form = -len(x) * best * np.eye(4)
    form[0, 1:] = form[1:, 0] = pull / 2
    return {"flat": sum(own) - 4, "semidefinite": int(np.linalg.eigvalsh(form).max() < 1e-12)}


def printed(k: int) -> tuple[complex, int]:
    """Direction (as a complex number) and label of S_k with the printed indices."""
    a, b = k % 2, 2 * ((k - 1) // 2) - 1
    return b * 1j**a, (-1) ** a


def used(k: int) -> tuple[complex, int]:
    """A quarter turn from one cluster to the next, with the label changing its sign."""
    return 1j ** (k - 1), (-1) ** (k - 1)


def indices(reading: str) -> Mapping[str, Any]:
    found = [printed(k) if reading == "printed" else used(k) for k in (1, 2, 3, 4)]
    labels = sum((abs(z.real) > 0.5) != (y == 1) for z, y in found)
    return {"disagreements": sum(found[k - 1] != used(k) for k in (1, 2, 3, 4)), "labels": labels}


def signed_angles(reading: str) -> Mapping[str, Any]:
    """The swap is z -> i conj z, the reflection of the first coordinate z -> -conj z."""
    sines, wrong = [], 0
    for k in (1, 2, 3, 4):
        a = (k - 1) % 2 if reading == "corrected" else k % 2
        z = printed(k)[0] if reading == "printed" else used(k)[0]
        for _ in range(a):
            z = 1j * z.conjugate()
        for _ in range((k - 1) // 2):
            z = -z.conjugate()
        turn = z.conjugate() * (1 if reading == "corrected" else 1j**a)
        sines.append(abs(turn.imag))
        wrong += abs(turn - 1) > 1e-9
    return {"largest": max(sines), "wrong": wrong}


def orbit_group(d: int) -> Mapping[str, Any]:
    """Swap or not, three signs: what each does to a point in general position."""
    point = (3, 5, *range(7, 7 + d - 2))
    images = {(r * (point[s]), t * point[1 - s], *(w * part for part in point[2:]))
              for s in (0, 1) for r, t, w in product((1, -1), repeat=3)}  # fmt: skip
    return {"order": len(images), "minus": int(tuple(-part for part in point) in images)}


def occupancy(m: int) -> Mapping[str, Any]:
    chain = np.array([1.0, 0, 0, 0, 0])
    for _ in range(m):
        chain = chain * np.arange(5) / 4 + np.concatenate([[0], (chain * np.arange(4, -1, -1) / 4)[:-1]])
    return {"filled": chain[4], "printed": (1 - 0.75**m) ** 4, "union": 1 - 4 * 0.75**m}


def _tails(runs: int, kind: str, sides: int) -> list[float]:
    factor = {"deviation": runs, "population": runs - 1, "error": 1}[kind]
    return [sides * student.sf(m / s * factor**0.5, runs - 1) for m, s in ((8.13, 0.80), (6.43, 2.43))]


def one_test(runs: int, mean: str, spread: str, sides: int) -> Mapping[str, Any]:
    tail = sides * student.sf(float(mean) / float(spread) * runs**0.5, runs - 1)
    return {"least": tail, "most": tail}


def reported_tests(most: int, percent: int = 1) -> Mapping[str, Any]:
    readings = product(range(2, most + 1), ("deviation", "population", "error"), (1, 2))
    pairs = [_tails(*reading) for reading in readings]
    right = sum(5e-7 < first < 2e-6 and abs(second / 0.00062 - 1) < percent / 100 for first, second in pairs)
    return {"agreeing": right, "certain": right}


def orbit_average(data: str) -> Mapping[str, Any]:
    x, y, _ = globals()["data"](data)
    margins = y * (np.abs(x[:, 0]) - np.abs(x[:, 1]))
    return {"smallest": margins.min(), "mean": margins.mean(), "sixteenth": margins.sum() / 16}


def skewed_extrema(between: str) -> Mapping[str, Any]:
    """The largest |G| on a fine circle, against the directions in print."""
    turn = float(Fraction(between)) * np.pi
    angles = 2 * np.pi * np.arange(72000) / 72000
    values = np.abs(sum(y * np.maximum(np.cos(angles - place), 0)
                        for place, y in ((0, 1), (np.pi, 1), (turn, -1), (turn + np.pi, -1))))  # fmt: skip
    best = np.exp(1j * angles[values > values.max() - 1e-9])
    wanted = np.exp(1j * np.array([turn - np.pi / 2, turn + np.pi / 2, np.pi / 2, -np.pi / 2]))
    gaps = np.abs(best[:, None] - wanted[None])
    return {"lacking": int((gaps.min(axis=0) > 1e-3).sum()), "more": int((gaps.min(axis=1) > 1e-3).sum())}


def start_directions(reading: str) -> Mapping[str, Any]:
    signs = [(-1) ** (k - 1) for k in (1, 2, 3, 4)]
    starts = [
        u * 1j ** (k % 2) if reading == "printed" else used(k)[0] for k, u in zip((1, 2, 3, 4), signs, strict=True)
    ]
    good = [(abs(z.real) > 0.5) == (u == 1) and starts.count(z) == 1 for z, u in zip(starts, signs, strict=True)]
    return {"matches": sum(good)}


ROUTES: dict[str, Route] = {
    route.__name__: route
    for route in (
        accuracy, alignment, assumptions, basin, critical_set, flat_direction, flat_space, indices, signed_angles,
        orbit_group, occupancy, one_test, reported_tests, orbit_average, skewed_extrema, start_directions,
    )
}  # fmt: skip
CLOSE = {"exponent": 1e-4}
"""Where differences quotients take part."""

ASKED: dict[str, list[tuple[dict[str, Any], tuple[str, ...]]]] = {}
for entry in stated("simplicity_bias/*"):
    computed = entry.statement().computed
    if computed is not None and computed.exact:
        given = dict(computed.arguments)
        many = {key: values for key, values in given.items() if isinstance(values, list) and key in ("m", "d")}
        for chosen in product(*many.values()):
            question = {**given, **dict(zip(many, chosen, strict=True))}
            ASKED.setdefault(computed.name.partition(".")[2], []).append((question, computed.yields))


@pytest.mark.parametrize("name", ASKED)
def test_every_number_of_the_library_has_a_second_route(name: str) -> None:
    known: list[dict[str, Any]] = []
    for arguments, yields in ASKED[name]:
        if {**arguments, "yields": yields} in known:
            continue
        known.append({**arguments, "yields": yields})
        first = enumerate_exactly(f"simplicity_bias.{name}", arguments)
        again = ROUTES[name](**arguments)
        for key in yields:
            assert float(first[key]) == pytest.approx(float(again[key]), abs=CLOSE.get(key, 1e-9)), (arguments, key)
