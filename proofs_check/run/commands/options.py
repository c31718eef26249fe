"""Options that several commands share."""

from __future__ import annotations

import argparse

from proofs_check.budget import EFFORTS
from proofs_check.verdict import Outcome


def add_subject(parser: argparse.ArgumentParser, what: str = "a statement") -> None:
    """ID, which may be one's own file."""
    parser.add_argument(
        "id", metavar="ID", help=f"{what}: edge_of_stability/theorem-3.3, lemmas_mine.py or lemmas_mine.py::convex"
    )


def add_pattern(parser: argparse.ArgumentParser) -> None:
    """PATTERN, which may be one's own file."""
    parser.add_argument(
        "pattern", nargs="*", metavar="PATTERN", help="ids, papers, shell patterns, FILE.py or FILE.py::name"
    )


def add_limits(parser: argparse.ArgumentParser) -> None:
    """--timeout and --memory."""
    parser.add_argument(
        "--timeout", type=_seconds, metavar="SECONDS", help="stop a file or a statement after so long; it stays open"
    )
    parser.add_argument("--memory", type=_positive, metavar="MB", help="how much each process may use (default: 10240)")


def add_json(parser: argparse.ArgumentParser) -> None:
    """--json."""
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of a table")


def add_hypotheses(parser: argparse.ArgumentParser) -> None:
    """--hypotheses."""
    parser.add_argument(
        "--hypotheses",
        action="store_true",
        help="also say which hypotheses follow from the others, and how large they let each variable be",
    )


def add_verification(parser: argparse.ArgumentParser) -> None:
    """--effort, --fresh, what is shown and what counts as a failure, --on, --workers, limits and --json."""
    parser.add_argument(
        "--effort",
        choices=EFFORTS,
        default="standard",
        help="how hard the engines try: up to 1, 2 or 60 seconds of computing for each (default: standard)",
    )
    parser.add_argument("--fresh", action="store_true", help="ignore what the ledger remembers and verify again")
    parser.add_argument(
        "--only", type=_outcomes, metavar="OUTCOMES", help="show only these, for example refuted,suspect"
    )
    parser.add_argument(
        "--changed", action="store_true", help="only what the ledger has no verdict of yet: what is new or was changed"
    )
    parser.add_argument(
        "--fail-on", type=_outcomes, metavar="OUTCOMES", help="let these too give exit code 1, for example open,sampled"
    )
    parser.add_argument("--on", metavar="SCHEDULER", help="a Dask scheduler such as tcp://host:8786 (extra: cluster)")
    parser.add_argument("--workers", type=_positive, metavar="N", help="how many processes (default: the cores)")
    add_limits(parser)
    add_json(parser)


def _positive(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text} is no positive number")
    return int(text)


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < float("inf"):
        raise argparse.ArgumentTypeError(f"{text} is no positive number of seconds")
    return seconds


def _outcomes(text: str) -> tuple[str, ...]:
    found = tuple(word.strip() for word in text.split(",") if word.strip())
    wrong = [word for word in found if word not in list(Outcome)]
    if wrong or not found:
        raise argparse.ArgumentTypeError(f"{wrong[0] if wrong else text!r} is none of {', '.join(Outcome)}")
    return found
