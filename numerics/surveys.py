"""Surveys: one quantity over a grid or a random design, on the local cores or on a Dask cluster, resumable.

Finished points are appended to a plain file, one JSON object a line, keyed by the content of the point; a survey that
is started again computes only what is missing.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import multiprocessing
import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import sympy as sp

from numerics.random_numbers import uniform
from theory.errors import LemmascopeError

Point = dict[str, Any]
Quantity = Callable[..., Any]


@dataclass(frozen=True)
class Progress:
    """How far a survey is."""

    done: int
    total: int
    seconds: float
    seconds_left: float


@dataclass(frozen=True)
class Survey:
    """Points in the order of the design, and the value at each."""

    points: tuple[Point, ...]
    values: tuple[Any, ...]
    computed: int

    def where(self, predicate: Callable[[Any], bool]) -> list[Point]:
        """The points whose value satisfies a predicate."""
        return [p for p, v in zip(self.points, self.values, strict=True) if predicate(v)]


def _design(over: Mapping[Any, Any], samples: int | None, seed: int) -> list[Point]:
    names = [str(name) for name in over]
    if not names:
        raise LemmascopeError("over={} is empty: name at least one quantity to vary.")
    if samples is None:
        axes = [list(values) if not isinstance(values, str) else [values] for values in over.values()]
        if any(not axis for axis in axes):
            raise LemmascopeError(f"{names[[bool(a) for a in axes].index(False)]} has no values to survey.")
        return [dict(zip(names, combination, strict=True)) for combination in itertools.product(*axes)]
    for name, bounds in zip(names, over.values(), strict=True):
        if len(bounds) != 2 or not all(abs(float(b)) < float("inf") for b in bounds):
            raise LemmascopeError(f"A random design needs finite bounds (lower, upper) for {name}, not {bounds}.")
    return [
        {
            name: float(low) + (float(high) - float(low)) * uniform(seed, index, 0, slot)
            for slot, (name, (low, high)) in enumerate(zip(names, over.values(), strict=True))
        }
        for index in range(samples)
    ]


def _plain(value: Any) -> Any:
    """A value as JSON; exact numbers become exact strings."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, sp.Basic):
        return int(value) if value.is_Integer else str(value)
    if isinstance(value, Mapping):
        return {str(k): _plain(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(v) for v in value]
    if value is None or isinstance(value, bool | int | float | str):
        return value
    raise LemmascopeError(f"A survey cannot store {type(value).__name__}: return numbers, strings, lists or dicts.")


def point_key(point: Point) -> str:
    """The content key of a point.

    >>> point_key({"a": 1}) == point_key({"a": 1})
    True
    """
    return hashlib.sha256(json.dumps(_plain(point), sort_keys=True).encode()).hexdigest()[:24]


def _stored(store: Path | None) -> dict[str, Any]:
    found: dict[str, Any] = {}
    if store is None or not store.exists():
        return found
    for line in store.read_text().splitlines():
        try:
            record = json.loads(line)
        except json.JSONDecodeError:
            continue  # the line an interruption cut short
        found[record["key"]] = record["value"]
    return found


def survey(
    quantity: Quantity,
    over: Mapping[Any, Any],
    *,
    samples: int | None = None,
    seed: int = 0,
    store: str | Path | None = None,
    on: str | None = None,
    workers: int | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Survey:
    """Evaluate `quantity(**point)` at every point of a grid, or at random points.

    over: names with their values (grid), or with (lower, upper) when `samples` random points are wanted.
    store: a file that remembers finished points, so that an interrupted survey goes on where it stopped.
    on: the address of a Dask scheduler; without it the local cores work.

    >>> survey(lambda a, b: a * b, {"a": [1, 2], "b": [3, 4]}, workers=1).values
    (3, 4, 6, 8)
    """
    points = _design(over, samples, seed)
    path = Path(store) if store is not None else None
    known = _stored(path)
    keys = [point_key(p) for p in points]
    missing = {key: point for key, point in zip(keys, points, strict=True) if key not in known}
    begin, computed = time.monotonic(), 0
    stream = path.open("a") if path is not None else None
    try:
        if stream is not None and path is not None and path.stat().st_size and not path.read_bytes().endswith(b"\n"):
            stream.write("\n")
        for key, value in _results(quantity, missing, on, workers):
            if key in known:
                continue
            known[key] = _plain(value)
            computed += 1
            if stream is not None:
                stream.write(json.dumps({"key": key, "point": _plain(missing[key]), "value": known[key]}) + "\n")
                stream.flush()
            if progress is not None:
                seconds = time.monotonic() - begin
                left = seconds / computed * (len(missing) - computed)
                progress(Progress(len(points) - len(missing) + computed, len(points), seconds, left))
    finally:
        if stream is not None:
            stream.close()
    return Survey(tuple(points), tuple(known[key] for key in keys), computed)


def _results(
    quantity: Quantity, missing: Mapping[str, Point], on: str | None, workers: int | None
) -> Iterator[tuple[str, Any]]:
    if on is not None:
        return _on_cluster(quantity, missing, on)
    count = workers if workers is not None else len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1
    if count < 1:
        raise LemmascopeError(f"workers={count} cannot work: use at least one.")
    if count == 1 or len(missing) <= 1:
        return ((key, quantity(**point)) for key, point in missing.items())
    return _on_cores(quantity, missing, count)


_inherited: list[Quantity] = []


def _evaluate_inherited(points: Sequence[tuple[str, Point]]) -> list[tuple[str, Any]]:
    return [(key, _inherited[-1](**point)) for key, point in points]


def _on_cores(quantity: Quantity, missing: Mapping[str, Point], count: int) -> Iterator[tuple[str, Any]]:
    """Worker processes; the quantity is inherited by forking where the platform can, so it may be a closure."""
    method = "fork" if "fork" in multiprocessing.get_all_start_methods() else "spawn"
    items = list(missing.items())
    size = max(1, min(64, len(items) // (8 * count)))
    pieces = [items[i : i + size] for i in range(0, len(items), size)]
    _inherited.append(quantity)
    try:
        with ProcessPoolExecutor(count, mp_context=multiprocessing.get_context(method)) as pool:
            for future in as_completed([pool.submit(_evaluate_inherited, piece) for piece in pieces]):
                yield from future.result()
    finally:
        _inherited.pop()


def _call(quantity: Quantity, point: Point) -> Any:
    return quantity(**point)


def _on_cluster(quantity: Quantity, missing: Mapping[str, Point], on: str) -> Iterator[tuple[str, Any]]:
    """A Dask cluster; what a lost worker had not delivered is computed again elsewhere, under the same key."""
    try:
        from distributed import Client
        from distributed import as_completed as completed
    except ImportError as error:
        raise LemmascopeError('A cluster needs the extra "cluster": pip install "lemmascope[cluster]".') from error
    try:
        client = Client(on, timeout=20)
    except (OSError, TimeoutError, ValueError) as error:
        raise LemmascopeError(f"No Dask scheduler answers at {on}: start one, or leave out on=.") from error
    with client:
        futures = {
            client.submit(_call, quantity, point, key=f"survey-{key}", retries=5, pure=False): key
            for key, point in missing.items()
        }
        for future in _finished(completed, futures):
            yield futures[future], future.result()


def _finished(completed: Callable[..., Iterable[Any]], futures: Mapping[Any, str]) -> Iterator[Any]:
    yield from completed(list(futures))
