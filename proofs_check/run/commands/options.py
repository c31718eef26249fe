"""Options that several commands share."""

from __future__ import annotations

import argparse

from proofs_check.budget import EFFORTS


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
    """--effort, --fresh, --json, --on and --workers."""
    parser.add_argument(
        "--effort",
        choices=EFFORTS,
        default="standard",
        help="how hard the engines try: up to 1, 4 or 60 seconds for each (default: standard)",
    )
    parser.add_argument("--fresh", action="store_true", help="ignore what the ledger remembers and verify again")
    parser.add_argument("--on", metavar="SCHEDULER", help="a Dask scheduler such as tcp://host:8786 (extra: cluster)")
    parser.add_argument("--workers", type=_positive, metavar="N", help="how many processes (default: the cores)")
    add_json(parser)


def _positive(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text} is no positive number")
    return int(text)
