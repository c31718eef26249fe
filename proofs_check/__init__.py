"""Verdicts on statements: engines, evidence, reports and the command line."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from proofs_check.shadows import refuse_shadows

if TYPE_CHECKING:
    from proofs_check.referee.judge import verify
    from proofs_check.repair.sharpen import sharpen
    from proofs_check.report.derivation import derive
    from proofs_check.report.plots.show import plot
    from proofs_check.run.property_tests import as_property_test
    from proofs_check.verdict import Outcome, Strength, Verdict

sys.set_int_max_str_digits(0)  # exact numbers may be long, and a limit would be a crash in the middle of a proof

__version__ = "0.2.0"

__all__ = ["Outcome", "Strength", "Verdict", "as_property_test", "derive", "plot", "sharpen", "verify"]

_HOMES = {
    "as_property_test": "run.property_tests",
    "derive": "report.derivation",
    "plot": "report.plots.show",
    "sharpen": "repair.sharpen",
    "verify": "referee.judge",
    "Outcome": "verdict",
    "Strength": "verdict",
    "Verdict": "verdict",
}


def __getattr__(name: str) -> Any:
    # lazy, so that `lemmascope --help` does not wait for SymPy
    import importlib

    if name not in _HOMES:
        raise AttributeError(f"module 'proofs_check' has no attribute {name!r}")
    refuse_shadows()
    return getattr(importlib.import_module(f"proofs_check.{_HOMES[name]}"), name)
