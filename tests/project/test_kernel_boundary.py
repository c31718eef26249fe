"""Theorems are made in one place, decisions come from theorems, and the kernel imports nothing that searches."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from proofs_check.kernel.trust import Strength
from proofs_check.referee.composition import settled
from proofs_check.verdict import Outcome, Verdict

ROOT = Path(__file__).parents[2]
KERNEL = ROOT / "proofs_check" / "kernel"
ABOVE = "points engines repair referee evidence run report".split()
SEARCHING = ("numerics", *(f"proofs_check.{name}" for name in ABOVE))


def calls(path: Path, name: str) -> bool:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    named = (node.func for node in ast.walk(tree) if isinstance(node, ast.Call))
    return any(isinstance(func, ast.Name) and func.id == name for func in named)


def imports(path: Path) -> set[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    found = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module}
    return found | {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}


def test_only_one_module_makes_theorems() -> None:
    files = [path for path in (ROOT / "proofs_check").rglob("*.py") if calls(path, "Theorem")]
    assert [path.relative_to(ROOT).as_posix() for path in files] == ["proofs_check/kernel/theorem.py"]


def test_the_kernel_imports_nothing_that_searches() -> None:
    wrong = {
        (path.name, module)
        for path in KERNEL.rglob("*.py")
        for module in imports(path)
        if any(module == package or module.startswith(f"{package}.") for package in SEARCHING)
    }
    assert wrong == set()


def test_every_decision_goes_through_the_kernel_before_it_is_stored() -> None:
    """In the referee, what an engine decided is replaced by what the kernel made of it, before the ledger."""
    source = (ROOT / "proofs_check" / "evidence" / "case.py").read_text(encoding="utf-8")
    asking = source[source.index("    def ask(") : source.index("    def decision(")]
    assert asking.index("decision(") < asking.index("self.ledger.store(")


UNDECIDED = {"OPEN", "SAMPLED", "SUSPECT"}
DECIDED_IN = "proofs_check/evidence/case.py"
LOWERED_IN = "proofs_check/referee/composition.py"
"""Where a proof gets the trust of what it rests on."""
FROM_A_THEOREM = {"outcome", "strength", "trust"}


def decisions(path: Path) -> list[int]:
    """Lines that build a Verdict with an outcome that may be a decision, or change what only a theorem says."""
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        keywords = {keyword.arg: keyword.value for keyword in node.keywords}
        if name == "Verdict":
            outcome = node.args[0] if node.args else keywords.get("outcome")
            undecided = isinstance(outcome, ast.Attribute) and outcome.attr in UNDECIDED
            found += [] if undecided else [node.lineno]
        elif name in ("but", "replace") and keywords.keys() & FROM_A_THEOREM:
            found.append(node.lineno)
    return found


def test_decisions_are_made_from_theorems_in_one_place() -> None:
    files = {path.relative_to(ROOT).as_posix(): path for path in (ROOT / "proofs_check").rglob("*.py")}
    found = {name: lines for name, path in files.items() if (lines := decisions(path))}
    assert set(found) == {DECIDED_IN, LOWERED_IN}, found
    assert not calls(files[LOWERED_IN], "Verdict")
    source = files[DECIDED_IN].read_text(encoding="utf-8")
    method = next(
        node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef) and node.name == "decision"
    )
    assert all(method.lineno < line <= (method.end_lineno or 0) for line in found[DECIDED_IN])


def test_engines_speak_of_evidence_and_never_of_verdicts_or_strengths() -> None:
    for path in (ROOT / "proofs_check" / "engines").rglob("*.py"):
        names = {
            node.id for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, ast.Name)
        }
        assert not names & {"Verdict", "Strength"}, path


def test_the_check_sees_a_decision_made_elsewhere(tmp_path: Path) -> None:
    module = tmp_path / "module.py"
    for line in ("Verdict(Outcome.PROVED)", "Verdict(outcome)", "known.but(strength=1)", "replace(known, outcome=1)"):
        module.write_text(f"found = {line}\n")
        assert decisions(module) == [1], line
    for line in ("Verdict(Outcome.OPEN, notes=())", "Evidence(Outcome.PROVED, 'me')", "known.but(notes=())"):
        module.write_text(f"found = {line}\n")
        assert decisions(module) == [], line


def test_the_check_sees_a_theorem_made_elsewhere(tmp_path: Path) -> None:
    module = tmp_path / "module.py"
    module.write_text("from proofs_check.kernel.theorem import Theorem\nfound = Theorem(1, 2, 3, 4, 5)\n")
    assert calls(module, "Theorem")
    assert "proofs_check.kernel.theorem" in imports(module)


@pytest.mark.parametrize("strength", [Strength.EXACT, Strength.ORACLE])
@pytest.mark.parametrize("outcome", list(Outcome))
def test_what_a_proof_rests_on_never_makes_more_of_it(outcome: Outcome, strength: Strength) -> None:
    """With any premise, the verdict is the same or open, its strength no greater, and its trust no shorter."""
    paper = "edge_of_stability/theorem-3.1"
    premise = Verdict(outcome, strength, id=f"{paper}#t1", trust=("flint",))
    for id_ in (f"{paper}#b.6", paper):
        proved = Verdict(Outcome.PROVED, Strength.ENCLOSED, id=id_, trust=("step t1",))
        found = settled(proved, {premise.id: premise})
        assert found.outcome in (Outcome.PROVED, Outcome.OPEN)
        if outcome is not Outcome.PROVED:
            assert found.outcome is Outcome.OPEN or any("rests on t1" in note for note in found.notes)
        if found.strength is not None:
            order = list(Strength)
            assert order.index(found.strength) >= order.index(Strength.ENCLOSED)
            assert set(found.trust) >= set(proved.trust)
