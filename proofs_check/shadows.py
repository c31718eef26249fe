"""One clear message when a file called theory.py or numerics.py stands in the way of the package of that name."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

_NAMES = ("theory", "numerics")


def refuse_shadows() -> None:
    """Raise ImportError when Python finds another module under the name of one of our packages."""
    home = Path(__file__).resolve().parents[1]
    for name in _NAMES:
        spec = find_spec(name)
        found = Path(spec.origin).resolve() if spec is not None and spec.origin else None
        if found != home / name / "__init__.py":
            where = found or "nothing"
            raise ImportError(
                f"Lemmascope needs its own package {name}, but Python finds {where} under that name:"
                f" rename that file or folder, or start from another one"
            )
