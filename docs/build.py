"""Write docs/reference.md and docs/engines.md from the running program; `--check` says whether they are current."""

from __future__ import annotations

import argparse
import importlib
import inspect
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

import api  # noqa: E402 - a neighbour of this script


def reference() -> str:
    """The commands, with their help, and the public names of each package."""
    from proofs_check.run.cli import COMMANDS, parser

    top = parser()
    (subparsers,) = [action for action in top._actions if isinstance(action, argparse._SubParsersAction)]
    parts = ["# Reference", "Written by `python docs/build.py`.", "## Commands"]
    for name in COMMANDS:
        one = subparsers.choices[name]
        one.formatter_class = lambda prog: argparse.RawDescriptionHelpFormatter(prog, width=100)
        parts += [f"### lemmascope {name}", f"```\n{one.format_help().rstrip()}\n```"]
    for package in ("theory", "proofs_check"):
        parts += [f"## {package}", _names(importlib.import_module(package))]
    return "\n\n".join(parts) + "\n"


def _names(package: ModuleType) -> str:
    values = {name: getattr(package, name) for name in package.__all__}
    lines = [f"- `{name}{_arguments(value)}`: {api.first_line(value)}" for name, value in values.items()]
    return "\n".join(lines)


def _arguments(value: Any) -> str:
    """The names of the arguments, without their types: the page of the interface has these."""
    try:
        parameters = inspect.signature(value).parameters.values()
    except (TypeError, ValueError):
        return ""
    marks = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}
    return f"({', '.join(marks.get(one.kind, '') + one.name for one in parameters)})"


def engines() -> str:
    """What each engine can decide and why it can be believed, from its own docstring."""
    from proofs_check.engines import ENGINES, engine

    parts = ["# How the engines work", "Written by `python docs/build.py` from the engines themselves."]
    for name in ENGINES:
        parts += [f"## {name}", inspect.getdoc(engine(name)) or ""]
    return "\n\n".join(parts) + "\n"


def main() -> int:
    """Write the pages, or compare them."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--check", action="store_true")
    check = options.parse_args().check
    stale = []
    for name, text in {"reference.md": reference(), "engines.md": engines()}.items():
        path = HERE / name
        if check and (not path.exists() or path.read_text(encoding="utf-8") != text):
            stale.append(name)
        elif not check:
            path.write_text(text, encoding="utf-8")
    if stale:
        print(f"not current: {', '.join(stale)}; run python docs/build.py")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
