"""Every exported Coq proof compiles alone, names its statement, and assumes nothing of its own."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from proofs_check.coq import process
from proofs_check.coq.files import standalone
from proofs_check.kernel import coq
from theory.library import has

FILES = sorted((Path(__file__).parents[2] / "examples" / "coq").glob("*.v"))
needs_coq = pytest.mark.skipif(process.missing() is not None, reason="coq is not installed")


def test_there_are_twelve() -> None:
    assert len(FILES) == 12


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_file_names_a_statement_of_the_library_and_has_what_it_uses_of_the_prelude_of_today(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert has(re.split(r"[:\s]", text.removeprefix("(* "))[0])
    proof = text[text.index("Theorem goal") :]
    written = standalone(coq.USES_PRELUDE + proof)
    assert text.endswith(
        written[written.index("Lemma ") : written.index("Theorem goal")] + "Open Scope R_scope.\n" + proof
    )


@needs_coq
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
@pytest.mark.sampled(4)
def test_a_file_compiles_alone(path: Path) -> None:
    assert process.accepts(path.read_text(encoding="utf-8"), 120)


@needs_coq
def test_the_proof_is_of_its_theorem_and_of_no_other() -> None:
    text = FILES[0].read_text(encoding="utf-8")
    assert not process.accepts(text.replace("Theorem goal : ", "Theorem goal : False /\\ ", 1), 120)
