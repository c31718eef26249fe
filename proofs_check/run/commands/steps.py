"""Check a proof, step by step, and mark the first false one.

Each step is checked from its stated premises (the hypotheses and the earlier steps it uses), and again from the
hypotheses alone, so that a step which only holds because an earlier one is false cannot hide. For a false step the
nearest true line is suggested where one is found, and whether the statement itself survives is said.
ID is a statement of the library, or a file of yours with proofs (a Proof, or the steps of a Paper): then the exit code
is 1 when a step is false.

  lemmascope steps edge_of_stability/theorem-3.3
  lemmascope steps lemmas_mine.py::lemma
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from proofs_check.run.commands.options import add_subject, add_verification

if TYPE_CHECKING:
    from proofs_check.referee.proof_steps import Checked


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """ID and the options of a verification."""
    add_subject(parser)
    add_verification(parser)


def run(options: argparse.Namespace) -> int:
    """Verify the steps of one proof, or of those of a file, and print them in order."""
    from proofs_check.referee.proof_steps import check_file, check_proof
    from proofs_check.report.terminal import show
    from proofs_check.run.own_work import is_file
    from proofs_check.run.runs import exit_code, fails

    own = is_file(options.id)
    checked = check_file(options.id, options) if own else [check_proof(options.id, options)]
    verdicts = [verdict for proof in checked for verdict in proof.steps]
    if options.json:
        show(verdicts, as_json=True)
    else:
        for proof in checked:
            _show(proof)
    return exit_code(verdicts, options.fail_on) if own else int(fails(verdicts, options.fail_on))


def _show(proof: Checked) -> None:
    from proofs_check.report.coverage import covered
    from proofs_check.report.terminal import console, details, headline, summary

    for verdict in proof.steps:
        lines = details(verdict)
        if verdict is proof.first_false:
            lines[0].append("  <- first false step", style="bold")
        for line in lines:
            console().print(line)
    for text in (summary(proof.steps), *covered(proof.steps)):
        console().print(text, markup=False, highlight=False)
    if proof.whole is not None:
        console().print(headline(proof.whole))
