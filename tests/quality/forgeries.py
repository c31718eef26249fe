"""Changed certificates: numbers that are a little off, parts that are left out."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from random import Random
from typing import Any

from sympy import Rational

from proofs_check import verify
from proofs_check.kernel.theorem import Rejection, Sense, Theorem, accept
from theory.statements import Statement

_SHIFTS = (Rational(1, 7), Rational(-1, 7), Rational(1), -Rational(1, 10**6))


def places(data: Any, path: tuple[Any, ...] = (), *, also_whole: bool = True) -> Iterator[tuple[Any, ...]]:
    """Where numbers are stored in a certificate: written out, and the whole ones that count places."""
    if isinstance(data, dict):
        for key, value in data.items():
            if key != "kind":
                yield from places(value, (*path, key), also_whole=also_whole)
    elif isinstance(data, list):
        for place, value in enumerate(data):
            yield from places(value, (*path, place), also_whole=also_whole)
    elif isinstance(data, bool):
        return
    elif isinstance(data, int):
        if also_whole:
            yield path
    elif isinstance(data, str) and data.lstrip("-").replace("/", "").isdigit():
        yield path


def value_at(data: Any, path: tuple[Any, ...]) -> Any:
    """What is stored at a place."""
    for key in path:
        data = data[key]
    return data


def changed(certificate: dict[str, Any], path: tuple[Any, ...], how: Random) -> dict[str, Any]:
    """The certificate with another number at a place."""
    forged = copy.deepcopy(certificate)
    inside, old = value_at(forged, path[:-1]), value_at(forged, path)
    inside[path[-1]] = (
        old + how.choice((1, -1, 2)) if isinstance(old, int) else str(Rational(old) + how.choice(_SHIFTS))
    )
    return forged


def without_squares(certificate: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The certificate without one of its squares, wherever they are stored."""

    def lists(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
        for key, value in data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ():
            if key == "squares":
                yield (*path, key)
            yield from lists(value, (*path, key))

    for path in lists(certificate):
        for place in range(len(value_at(certificate, path))):
            forged = copy.deepcopy(certificate)
            del value_at(forged, path)[place]
            yield forged


def damaged(certificate: Any, how: Random) -> Any:
    """The certificate with one of its parts replaced by something that has no place there."""
    forged = copy.deepcopy(certificate)
    inside, key = how.choice(list(_parts(forged)))
    old = inside[key]
    inside[key] = how.choice([None, "", "7/0", "x", [], {}, -1, str(old) + "1", [old]])
    return forged


def _parts(data: Any) -> Iterator[tuple[Any, Any]]:
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in items:
        yield (data, key)
        yield from _parts(value)


def require_rejections(statement: Statement, twin: Statement, name: str, tries: int = 100) -> int:
    """How many damaged certificates of a true statement were tried; neither they nor it may prove the false twin."""
    certificate = json.loads(json.dumps(verify(statement).certificate))
    require_none_accepted(certificate, statement, twin, Sense.HOLDS)
    how = Random(name)  # noqa: S311 - reproducible damage
    for _ in range(tries):
        assert isinstance(accept(twin, Sense.HOLDS, damaged(certificate, how)), Rejection)
    return tries


def require_none_accepted(
    certificate: dict[str, Any], statement: Statement, twin: Statement, sense: Sense, tries: int = 0
) -> int:
    """How many certificates with other numbers and with damage were tried besides: none may show the twin.

    The certificate itself shows the statement, in the one sense alone.
    """
    opposite = Sense.FAILS if sense is Sense.HOLDS else Sense.HOLDS
    assert isinstance(accept(statement, sense, certificate), Theorem)
    assert isinstance(accept(twin, sense, certificate), Rejection)
    assert isinstance(accept(statement, opposite, certificate), Rejection)
    how, where = Random(str(statement)), list(places(certificate))  # noqa: S311 - reproducible damage
    for place in range(tries):
        other = changed(certificate, how.choice(where), how) if where and place % 2 else damaged(certificate, how)
        assert isinstance(accept(twin, sense, other), Rejection)
        assert isinstance(accept(statement, opposite, other), Rejection)
    return 2 * tries
