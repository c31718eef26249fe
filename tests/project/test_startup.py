"""Importing theory and asking for help stay quick, because nothing heavy is imported before it is needed."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = ("numba", "scipy", "z3", "cvc5", "hypothesis", "cvxpy", "matplotlib", "heyoka", "jinja2", "llvmlite")


def loaded_by(code: str) -> set[str]:
    program = f"import sys\n{code}\nprint(*sorted({{name.split('.')[0] for name in sys.modules}}))"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return set(run.stdout.splitlines()[-1].split())


@pytest.mark.parametrize(
    ("code", "never"),
    [
        ("import theory", (*HEAVY, "numpy")),
        ("import numerics", ("numba", "scipy", "z3")),
        ("from proofs_check.run.cli import parser\nparser()", (*HEAVY, "sympy", "rich")),
        ("from theory.library import find\nfind()", HEAVY),
    ],
)
def test_nothing_heavy_is_imported_early(code: str, never: tuple[str, ...]) -> None:
    assert loaded_by(code) & set(never) == set()
