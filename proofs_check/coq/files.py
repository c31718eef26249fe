"""Coq files for people: the proof that the kernel accepted, with what it says in words before it."""

from __future__ import annotations

import re
import textwrap

from proofs_check.coq.language import Names
from proofs_check.goals import goal_of
from proofs_check.kernel.coq import PRELUDE, USES_PRELUDE
from theory.statements import Statement

_WIDTH = 100
_PART = re.compile(r"^(?=Lemma |Ltac |Definition )|^\(\* .*? \*\)$", re.MULTILINE | re.DOTALL)
"""Where a part of the prelude begins; what its chapters are called is left out."""
_NAME = re.compile(r"\bls_\w+")
_DEFINED = re.compile(r"^(?:Lemma|Ltac|with|Definition) (ls_\w+)", re.MULTILINE)
_MEANING = (
    "The theorem has the domains of the variables and what is given as hypotheses. Division, square root and "
    "logarithm have a value everywhere in Coq, so it concludes first that everything in the conclusion is defined."
)
_VECTORS = "A vector of size n + 1 is a sequence of numbers whose members from 0 to n are its coordinates."
_MOTION = (
    "What moves is a sequence, or a function of the time, for each symbol of the state; every one that begins at the "
    "start and moves by the rule is meant, until an end where there is one, and the rule has a value at each moment."
)


def commented(statement: Statement, script: str) -> str:
    """A script with a comment that names the statement, its variables and what the theorem contains.

    >>> from sympy import S, Symbol
    >>> lemma = Statement(id="mine/square", variables={Symbol("x"): S.Reals}, then=Symbol("x") ** 2 >= 0)
    >>> print(commented(lemma, "Theorem goal : True. Proof. exact I. Qed.").splitlines()[0])
    (* mine/square
    """
    goal = goal_of(statement)
    names = "" if goal is None else ", ".join(f"{Names(goal)[symbol]} is {symbol}" for symbol in goal.variables)
    paragraphs = [
        ": ".join(filter(None, (statement.id, statement.title))),
        f"In the notation of LaTeX: {statement.latex()}",
        f"Variables: {names}." if names else "",
        _MEANING,
        _VECTORS if statement.speaks_of_spaces else "",
        _MOTION if statement.dynamics is not None else "",
        "Compile with coqc of Coq 8.16 or newer; `Print Assumptions goal.` lists the axioms of the real numbers alone.",
    ]
    told = "\n\n".join(textwrap.fill(_harmless(part), _WIDTH) for part in paragraphs if part)
    return f"(* {textwrap.indent(told, '   ').lstrip()} *)\n\n{standalone(script)}\n"


def standalone(script: str) -> str:
    """A script with what it uses of the prelude written out in it, so that it compiles alone.

    >>> standalone("Open Scope R_scope.")
    'Open Scope R_scope.'
    """
    prelude = PRELUDE.read_text(encoding="utf-8")
    parts = _PART.split(prelude)
    defined = [set(_DEFINED.findall(part)) for part in parts]
    used = set(_NAME.findall(script))
    while (
        more := {
            name
            for part, names in zip(parts, defined, strict=True)
            if names & used
            for name in (*names, *_NAME.findall(part))
        }
        - used
    ):
        used |= more
    needed = [part.strip() for part, names in zip(parts, defined, strict=True) if names & used]
    head = "\n".join(line for line in prelude.splitlines() if line.startswith(("Require ", "Open ")))
    return script.replace(USES_PRELUDE, "\n\n".join([head, *needed]) + "\n\n", 1)


def _harmless(text: str) -> str:
    """A text that neither opens nor closes a comment, nor a string within one."""
    return re.sub(r"\(\*|\*\)", "( *", text).replace('"', "'")
