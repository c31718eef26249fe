"""The theorems of a draft become statements with their lines, the unclear ones are marked, and nothing of it is run."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from sympy import Symbol

from proofs_check import verify
from proofs_check.run.cli import main
from proofs_check.run.files import load
from proofs_check.run.read_drafts import annotated, statement_file, style
from proofs_check.run.statement_source import source
from proofs_check.verdict import Outcome, Verdict
from theory import ConvexLipschitz, Smooth, SmoothConvex, function
from theory.drafts import read_draft
from theory.errors import LemmascopeError
from theory.latex_prose import statement_from_latex
from theory.library import find
from theory.trees import content_hash

PAPER = r"""\documentclass{article}
\usepackage{amsthm}
\newtheorem{thm}{Theorem}[section]
\newtheorem{lem}[thm]{Lemma}
\newtheorem{proposition}[thm]{Proposition}
\newcommand{\R}{\mathbb{R}}
\begin{document}
Throughout, let $L > 0$ and $\eta \in (0, 2)$.
% \begin{lem} For all $x\in\R$, $x<0$. \end{lem}
\begin{lem}[Squares]\label{lem:sq}
For all $x \in [0, 1]$, % said twice
we have $x^2 \le x$.
\end{lem}
\begin{thm}\label{thm:bad}
Let $x \in \R$. Then \[ x^3 \ge x. \]
\end{thm}
\input{sections/more}
\begin{verbatim}
\begin{lem} $1 < 0$. \end{lem}
\end{verbatim}
\end{document}
"""
MORE = r"""A lemma on rates.
\begin{lem}
We have $\eta L > 0$.
\end{lem}
\begin{proposition}\label{evil
import os; os.system("touch hacked")}
Gradient descent converges.
\end{proposition}
\newtheorem{assumption}{Assumption}
\begin{assumption} The function $f$ is smooth. \end{assumption}
\begin{lem}\label{lem:after} For all $y \in [0, 1]$, $y \le 1$. \end{lem}
"""


@pytest.fixture
def draft(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "sections").mkdir()
    (tmp_path / "paper.tex").write_text(PAPER)
    (tmp_path / "sections" / "more.tex").write_text(MORE)
    monkeypatch.chdir(tmp_path)
    return tmp_path / "paper.tex"


def test_every_theorem_is_found_with_its_lines_and_read_or_marked(draft: Path) -> None:
    _, items = read_draft(draft)
    found = [(item.kind, item.label.split()[0] if item.label else "", item.place) for item in items]
    assert found == [
        ("lemma", "lem:sq", "paper.tex:10"),
        ("theorem", "thm:bad", "paper.tex:14"),
        ("lemma", "", "more.tex:2"),
        ("proposition", "evil", "more.tex:5"),
        ("lemma", "lem:after", "more.tex:11"),
    ]
    assert [item.statement is not None for item in items] == [True, True, True, False, True]
    assert "gradient descent converges" in items[3].reason
    assert set(map(str, items[2].statement.variables)) == {"L", "eta"}
    assert [len(item.unread) for item in items] == [0, 0, 0, 0, 1]


def test_the_file_says_the_same_and_runs_nothing_of_the_draft(draft: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["read", "paper.tex"]) == 0
    assert "4 of 5 read; now run: lemmascope check lemmas_paper.py" in capsys.readouterr().out
    _, items = read_draft(draft)
    expected = [content_hash(item.statement) for item in items if item.statement is not None]
    loaded = load(Path("lemmas_paper.py"))
    assert [content_hash(statement) for statement in loaded] == expected
    assert loaded[0].source.label == "paper.tex:10"
    text = Path("lemmas_paper.py").read_text()
    assert "# CAREFUL: the draft also assumes, and this was not read: more.tex:10" in text
    assert "# NOT READ: the words" in text
    assert not Path("hacked").exists()
    assert main(["read", "paper.tex"]) == 2
    assert "exists already" in capsys.readouterr().err


def test_verdicts_are_written_beside_the_draft(draft: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = draft.read_text()
    assert main(["annotate", "paper.tex", "--effort", "quick", "--json"]) == 1
    rows = json.loads(capsys.readouterr().out)["verdicts"]
    assert [row["outcome"] for row in rows] == ["proved", "refuted", "proved", "proved"]
    copy = Path("paper.annotated.tex").read_text()
    assert r"\begin{lem}[Squares]\lemmascopebadge{proved}{1}\label{lem:sq}" in copy
    assert r"\begin{thm}\lemmascopebadge{refuted}{2}" in copy
    assert r"\input{sections/more.annotated}" in copy
    assert copy.index(r"\usepackage{lemmascope}") < copy.index(r"\begin{document}")
    assert r"\lemmascopebadge{unread}{4}" in Path("sections/more.annotated.tex").read_text()
    appendix = Path("lemmascope-appendix.tex").read_text()
    assert "It fails at x = " in appendix
    assert "Not read, so that nothing was decided" in appendix
    assert "Certificate: " in appendix
    assert appendix.count("{") - appendix.count(r"\{") == appendix.count("}") - appendix.count(r"\}")
    assert draft.read_text() == before
    if shutil.which("pdflatex"):
        run = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "paper.annotated.tex"]
        assert subprocess.run(run, capture_output=True, check=False, timeout=1000).returncode == 0


def test_badges_stand_in_the_right_theorems(draft: Path) -> None:
    parts, items = read_draft(draft)
    verdicts = {number: Verdict(Outcome.OPEN) for number in (1, 2, 3, 5)}
    text = annotated(parts[0], items, verdicts, {})
    assert text.count("lemmascopebadge{open}") == 2
    assert style().count("definecolor") == 7


@pytest.mark.parametrize("text", ["", "no theorem here", r"\begin{lemma} never closed"])
def test_a_draft_without_theorems_is_said(tmp_path: Path, text: str, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.tex").write_text(text)
    assert main(["read", str(tmp_path / "a.tex")]) == 2
    assert "has no theorem" in capsys.readouterr().err


def test_files_that_include_each_other_end(tmp_path: Path) -> None:
    (tmp_path / "a.tex").write_text(r"\input{b}\begin{lemma} For all $x \in [0,1]$, $x \le 1$.\end{lemma}")
    (tmp_path / "b.tex").write_text(r"\input{a}\newcommand{\x}{\x\x}")
    assert len(read_draft(tmp_path / "a.tex")[1]) == 1


def test_statements_of_the_library_survive_the_way_through_a_file(tmp_path: Path) -> None:
    said = 0
    for entry in (entry for entry in find("edge_of_stability") if entry.is_stated and "#" not in entry.id):
        statement = entry.statement()
        try:
            text = source([("statement", statement, "")])
        except LemmascopeError:
            continue
        path = tmp_path / f"lemmas_{said}.py"
        path.write_text(text)
        assert content_hash(load(path)[0]) == content_hash(statement), (entry.id, text)
        said += 1
    assert said


@pytest.mark.parametrize(
    "text",
    [
        r"Let $x, y \in \mathbb{R}^d$ with $\langle x, y\rangle = 0$. Then $\|x + y\|^2 = \|x\|^2 + \|y\|^2$.",
        r"Let $A \in \mathbb{R}^{m \times n}$, $x \in \mathbb{R}^n$, $c > 0$. Then $\|c A x\| \le c \|A\|_F \|x\|$.",
        r"Let $A \in \mathbb{R}^{d \times d}$. Then $\operatorname{tr}(A)^2 \le d \|A\|_F^2$.",
        r"Let $A, B \in \mathbb{R}^{d \times d}$ be symmetric. Then $\operatorname{tr}(A B A B) \le \|A B\|_F^2$.",
        r"Let $A \in \mathbb{R}^{d \times d}$ be symmetric with $\mu I \preceq A \preceq L I$. Then $\|A\|_F \ge 0$.",
        r"Let $f$ be convex, $L$-smooth, and let $x, y \in \mathbb{R}^d$. Then $\nabla f(x)^\top (y - x) \le f(y)$.",
        r"Let $f \colon \mathbb{R}^d \to \mathbb{R}$ be convex. Let $x \in \mathbb{R}^d$. Then $f(x) \ge f(x^\star)$.",
    ],
)
def test_vectors_and_matrices_survive_the_way_through_a_file(tmp_path: Path, text: str) -> None:
    statement = statement_from_latex(text)
    (tmp_path / "lemmas_read.py").write_text(source([("lemma", statement, text)]))
    assert content_hash(load(tmp_path / "lemmas_read.py")[0]) == content_hash(statement)


CALLED = {
    r"Let $f$ be $L$-smooth and let $x \in \mathbb{R}^d$. Then $\|\nabla f(x)\|^2 \le 2 L (f(x) - f^\star)$.":
        Smooth(Symbol("L")),
    r"Let $f$ be a convex, $L$-smooth function. For all $x \in \mathbb{R}^d$, $f(x) \ge f^*$.":
        SmoothConvex(Symbol("L")),
    r"Let $f$ be convex and $M$-Lipschitz. For all $x, y \in \mathbb{R}^d$, $|f(x) - f(y)| \le M \|x - y\|$.":
        ConvexLipschitz(Symbol("M")),
}  # fmt: skip


@pytest.mark.parametrize("text", CALLED)
def test_a_function_is_of_the_class_that_the_draft_says(text: str) -> None:
    statement = statement_from_latex(text)
    assert statement.variables[function("f")] == CALLED[text]
    assert verify(statement, effort="quick").outcome == "proved"


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("be smooth", r"Let $f$ be smooth and $x \in \mathbb{R}^d$. Then $f(x) \ge 0$."),
        ("square matrix", r"Let $A \in \mathbb{R}^{m \times n}$ be symmetric. Then $\|A\| \ge 0$."),
        (
            "not of A",
            r"Let $A \in \mathbb{R}^{d \times d}$ be symmetric with $\mu I \preceq B \preceq L I$.",
        ),
        ("two classes", r"Let $f$ be convex. Suppose that $f$ is $L$-smooth. Then $f^\star = f^\star$."),
    ],
)
def test_what_a_draft_leaves_open_about_functions_and_matrices_is_refused(said: str, text: str) -> None:
    with pytest.raises(LemmascopeError, match=said):
        statement_from_latex(text)


def test_a_draft_of_nothing_clear_is_all_comment(tmp_path: Path) -> None:
    (tmp_path / "a.tex").write_text(r"\begin{lemma} All is well. \end{lemma}")
    _, items = read_draft(tmp_path / "a.tex")
    text = statement_file(items, 'a """ title', "a.py")
    compile(text, "a.py", "exec")
    assert "#  All is well." in text
