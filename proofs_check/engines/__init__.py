"""Ways of knowing, one file each: `decide(statement, budget)` returns a Verdict or None when it has nothing to say."""

from __future__ import annotations

import importlib
from typing import Protocol

from proofs_check.budget import Budget
from proofs_check.verdict import Verdict
from theory.statements import Statement

ENGINES = ("identity", "real", "ball", "series", "induction", "enclosure", "enumerate", "falsify")
"""Cheapest and strongest first."""


class Engine(Protocol):
    """What every module of this package offers."""

    NAME: str
    VERSION: int

    def decide(self, statement: Statement, budget: Budget) -> Verdict | None:
        """Prove or refute the statement within the budget, or say nothing."""


def engine(name: str) -> Engine:
    """The engine with this name."""
    return importlib.import_module(f"proofs_check.engines.{name}")  # type: ignore[return-value]
