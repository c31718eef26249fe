"""Say which engines and tools are present, in which version, what is missing and how to get it."""

from __future__ import annotations

import argparse
import shutil
import sys
from importlib import metadata

from proofs_check.run.commands.options import add_json

_PACKAGES = {
    "sympy": "core", "mpmath": "core", "numpy": "core", "scipy": "core", "numba": "core", "hypothesis": "core",
    "python-flint": "core", "z3-solver": "core", "cvc5": "core", "rich": "core",
    "symengine": "fast", "heyoka": "fast", "clarabel": "sos",
    "matplotlib": "report", "jinja2": "report", "latex2mathml": "report",
    "scikit-learn": "data", "distributed": "cluster", "pytest": "test",
}  # fmt: skip
_PROGRAMS = {
    "coqc": "kernel-checked proofs: install coq, libcoq-interval and libcoq-coquelicot with your system's packages",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """--json."""
    add_json(parser)


def run(options: argparse.Namespace) -> int:
    """Look at packages, engines, programs and the ledger; exit code 2 when a core part is missing."""
    from proofs_check.report.terminal import as_text

    rows = [*_package_rows(), *_engine_rows(), *_program_rows(), _ledger_row()]
    if options.json:
        print(as_text({"parts": rows}))
    else:
        print(f"Python {sys.version.split()[0]}")
        for row in rows:
            mark = "ok     " if row["present"] else "MISSING" if row["needed"] else "absent "
            print(f"{mark} {row['part']:<26} {row['detail']}")
    return 2 if any(row["needed"] and not row["present"] for row in rows) else 0


def _row(part: str, detail: str, *, present: bool, needed: bool) -> dict[str, object]:
    return {"part": part, "present": present, "needed": needed, "detail": detail}


def _package_rows() -> list[dict[str, object]]:
    rows = []
    for name, extra in _PACKAGES.items():
        needed = extra == "core"
        how = "pip install lemmascope" if needed else f"pip install 'lemmascope[{extra}]'"
        try:
            rows.append(_row(name, metadata.version(name), present=True, needed=needed))
        except metadata.PackageNotFoundError:
            rows.append(_row(name, f"get it with {how}", present=False, needed=needed))
    return rows


def _engine_rows() -> list[dict[str, object]]:
    from proofs_check.engines import ENGINES, engine, missing

    rows = []
    for name in ENGINES:
        sentence = missing(name)
        detail = f"version {engine(name).VERSION}" if sentence is None else sentence
        rows.append(_row(f"engine {name}", detail, present=sentence is None, needed=True))
    return rows


def _program_rows() -> list[dict[str, object]]:
    found = {name: shutil.which(name) for name in _PROGRAMS}
    return [
        _row(name, found[name] or f"optional, for {use}", present=found[name] is not None, needed=False)
        for name, use in _PROGRAMS.items()
    ]


def _ledger_row() -> dict[str, object]:
    from proofs_check.evidence.ledger import Ledger

    with Ledger() as ledger:
        detail = "; ".join(ledger.warnings) or f"{ledger.path}, {len(ledger.verdicts())} answers"
        return _row("ledger", detail, present=True, needed=True)
