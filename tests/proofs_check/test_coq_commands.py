"""What is proved is put to coqc on request, an exported file compiles alone, and without Coq one sentence says so."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from sympy import Lt

from proofs_check.coq import process
from proofs_check.coq.files import commented
from proofs_check.evidence.coq_replay import shares
from proofs_check.run.cli import main
from theory import Statement

needs_coq = pytest.mark.skipif(process.missing() is not None, reason="coq is not installed")
FILE = """
from sympy import Interval, S, Symbol, erf, oo
from theory import Statement
x = Symbol("x")
good = Statement(variables={x: Interval(0, 1)}, then=x**2 <= x)
bad = Statement(variables={x: Interval(0, 2)}, then=x**2 <= x)
wordless = Statement(variables={x: Interval.open(0, oo)}, then=erf(x) < 2)
"""


@pytest.fixture
def mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> str:
    monkeypatch.setenv("LEMMASCOPE_HOME", str(tmp_path / "home"))
    path = tmp_path / "mine.py"
    path.write_text(FILE)
    main(["check", str(path), "--effort", "quick"])
    capsys.readouterr()
    return str(path)


@needs_coq
def test_what_is_proved_is_put_to_coq_and_what_is_refuted_is_not(mine: str, capsys: pytest.CaptureFixture[str]) -> None:
    for _ in ("proved anew", "the stored proof again"):
        assert main(["replay", "--coq", mine, "--effort", "quick", "--json"]) == 0
        rows = {row["id"]: row for row in json.loads(capsys.readouterr().out)["replayed"]}
        assert {id_: row["result"] for id_, row in rows.items()} == {
            "mine/good": "accepted",
            "mine/wordless": "not exported",
        }
        assert "no counterpart" in rows["mine/wordless"]["detail"]
    assert main(["replay", "--coq", mine, "--effort", "quick"]) == 0
    assert "1 of 2 proofs accepted by Coq's kernel" in capsys.readouterr().out


@needs_coq
def test_an_exported_file_compiles_alone(mine: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "good.v"
    assert main(["export", f"{mine}::good", "-o", str(target)]) == 0
    assert process.accepts(target.read_text(), 60)
    assert not process.accepts(target.read_text().replace("<= x_0", "< x_0"), 60)
    capsys.readouterr()
    for name, reason in (("bad", "not proved"), ("wordless", "no counterpart")):
        assert main(["export", f"{mine}::{name}", "-o", str(tmp_path / "none.v")]) == 2
        assert reason in capsys.readouterr().err
        assert not (tmp_path / "none.v").exists()


def test_without_coq_a_sentence_says_what_to_install(
    mine: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("proofs_check.coq.confirm.missing", lambda: "install coq")
    for command in (["replay", "--coq", mine], ["export", f"{mine}::good"]):
        assert main(command) == 2
        assert "install coq" in capsys.readouterr().err


def test_a_title_cannot_end_the_comment() -> None:
    text = commented(
        Statement(id="mine/a", title='*) Axiom bad : False. (* "', then=Lt(0, 1, evaluate=False)), "Theorem"
    )
    assert text.count("*)") == text.count("(*") == 1
    assert '"' not in text


def test_shares_are_counted_by_engine() -> None:
    rows = [
        {"engine": engine, "result": result} for engine, result in (("a", "late"), ("b", "accepted"), ("b", "late"))
    ]
    assert list(shares(rows)) == ["b", "a"]
    assert shares(rows)["b"]["accepted"] == 1
