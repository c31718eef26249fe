"""The public names of the packages with signatures, docstrings and methods, as Markdown."""

from __future__ import annotations

import importlib
import inspect
import textwrap
from collections.abc import Iterator
from typing import Any

PACKAGES = ("theory", "proofs_check")


def signature(value: Any) -> str:
    """The arguments of a function or class; empty where there are none to show.

    >>> signature(lambda a, b=1: a)
    '(a, b=1)'
    """
    try:
        return str(inspect.signature(value)).replace("'", "")
    except (TypeError, ValueError):
        return ""


def first_line(value: Any) -> str:
    """What a name is, in one line."""
    text = (inspect.getdoc(value) or "") if callable(value) else f"the constant {value!r}"
    return text.splitlines()[0] if text else ""


def pages() -> dict[str, str]:
    """One page for each package, by its name."""
    return {name: "\n\n".join([f"# `{name}`", *_package(name)]) + "\n" for name in PACKAGES}


def _package(name: str) -> Iterator[str]:
    package = importlib.import_module(name)
    yield inspect.getdoc(package) or ""
    for public in package.__all__:
        value = getattr(package, public)
        yield f"## {public}"
        if callable(value):
            yield f"```python\n{public}{signature(value)}\n```"
            yield _text(value)
            yield from _methods(value) if inspect.isclass(value) else ()
        else:
            yield first_line(value)


def _methods(kind: type) -> Iterator[str]:
    """The documented methods and properties that a class, or a class of this project above it, defines."""
    own = [base for base in kind.__mro__ if base.__module__.partition(".")[0] in PACKAGES]
    found = {name: value for base in reversed(own) for name, value in vars(base).items() if not name.startswith("_")}
    for name, value in found.items():
        inside = value.fget if isinstance(value, property) else getattr(value, "__func__", value)
        if inspect.isfunction(inside) and inside.__doc__:
            shown = name if isinstance(value, property) else f"{name}{signature(inside)}"
            yield f"### {kind.__name__}.{name}"
            yield f"```python\n{shown}\n```"
            yield _text(inside)


def _text(value: Any) -> str:
    """A docstring in which examples are blocks of code."""
    parts, code = [], False
    for block in (inspect.getdoc(value) or "").split("\n\n"):
        code = block.lstrip().startswith(">>>")
        parts.append(f"```pycon\n{textwrap.dedent(block)}\n```" if code else block)
    return "\n\n".join(parts)
