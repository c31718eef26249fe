"""Check a proof, step by step, and mark the first false one.

Each step is checked from its stated premises (the hypotheses and the earlier steps it uses), and again from the
hypotheses alone, so that a step which only holds because an earlier one is false cannot hide.
"""

from __future__ import annotations

import argparse

from proofs_check.commands.options import add_verification


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """ID and the options of a verification."""
    parser.add_argument("id", metavar="ID", help="a statement, for example edge_of_stability/theorem-3.3")
    add_verification(parser)


def run(options: argparse.Namespace) -> int:
    """Verify the steps of one proof and print them in order."""
    from proofs_check.proof_steps import check_proof
    from proofs_check.terminal import console, details, headline, show, summary
    from proofs_check.verdict import Outcome

    verdicts = check_proof(options.id, options)
    if options.json:
        show(verdicts, as_json=True)
        return 0
    first_false = next((verdict for verdict in verdicts if verdict.outcome is Outcome.REFUTED), None)
    for verdict in verdicts:
        lines = details(verdict) if not verdict.decided or verdict.outcome is Outcome.REFUTED else [headline(verdict)]
        if verdict is first_false:
            lines[0].append("  <- first false step", style="bold")
        for line in lines:
            console().print(line)
    console().print(summary(verdicts))
    return 0
