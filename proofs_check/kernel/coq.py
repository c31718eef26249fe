"""Re-checks a kernel proof: the stored theorem is read back, compared with the statement, and given to coqc again.

The file may hold one theorem and the sentences that are known here, nothing else; it may use the prelude, which is
compiled from its source and whose lemmas are proved. What it rests on is asked in a second
file, written here, that requires the compiled first: the theorem must have the type that was read and rest on the
axioms of the real numbers alone. Coq's division, root, logarithm and tangent have a value everywhere, so the theorem
must conclude that the conclusion has one.
"""

from __future__ import annotations

import hashlib
import os
import re
import resource
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from sympy import Abs, Dummy, Le, true

from proofs_check.kernel.claims import Claim, claim_of
from proofs_check.kernel.coq_motion import states_motion
from proofs_check.kernel.coq_terms import NUMBER, Reader, conditions, joined, tree_of, variable
from proofs_check.kernel.coq_vectors import states_vectors
from proofs_check.kernel.trust import COQ, rests_on
from theory.language.definedness import demands
from theory.statements import Statement
from theory.temporal import Scaling, is_plain

_SECONDS = 120
"""What one coqc may compute; on a busy machine that may take ten times as long on the wall."""

PRELUDE = Path(__file__).parents[1] / "coq" / "prelude" / "Prelude.v"
USES_PRELUDE = "From Lemmascope Require Import Prelude.\n"
_HEAD = "Require Import Reals Lra Psatz.\n"
_FILE = re.compile(
    re.escape(_HEAD) + r"(?P<more>(From Interval Require Import Tactic\.\n|Require Import Nsatz\.\n)?"
    rf"({re.escape(USES_PRELUDE)})?)"
    r"Open Scope R_scope\.\nTheorem goal : (?P<goal>[^.\n]*)\.\nProof\.\n(?P<body>.*)\nQed\.\n?",
    re.DOTALL,
)

_LAW = re.compile(
    r"(forall \((?P<names>[\w ]+) : R\), )?(?P<given>(?:(?!exists|forall).)*)exists size reach : R, 0 < reach /\\ "
    r"\(forall small : R, 0 < small -> small < reach -> (?P<body>(?:(?!exists|forall).)*)\)",
    re.ASCII,
)
_TERM, _NAME = r"[\w ()+*/^-]+", r"[A-Za-z]\w*"
_EASY = r"\(lra \|\| nra\)"
_KINKS = r"unfold Rabs, Rmax, Rmin in \*; repeat destruct Rcase_abs; repeat destruct Rle_dec"
_BISECTED = rf" \| interval with \(i_bisect {_NAME}(, i_bisect {_NAME})*, i_depth 25\)"
_TAYLOR = rf" \| interval with \(i_bisect {_NAME}, i_taylor {_NAME}, i_degree 8, i_depth 20\)"
_PROPOSITION = r"[\w ()+*/^<>=~:%\\-]+"
_FORALL = r"(forall( \([\w ]+ : (R|nat|nat -> R)\))+, |forall now : (nat|R), )?"
_STEP = rf"(try )?(?P<tactic>ls_[a-z_]+){_PROPOSITION.removesuffix('+')}*"
_OWN = re.compile(_STEP, re.ASCII)
_OWN_SOLVES = re.compile(
    rf"(assert \({_NAME} : {_FORALL}{_PROPOSITION}\) by |repeat split; )"
    r"(?P<steps>ls_[a-z_]+( \w+| \([\w ]+\))?|\(first \[(ls_condition|ls_value) \| [^|\[\]]+\]\))",
    re.ASCII,
)
_SENTENCES = [
    re.compile(sentence, re.ASCII)
    for sentence in (
        rf"destruct {_NAME} as [\w \[\]|]+",
        r"intros?( \w+)*",
        r"split",
        rf"assert \([DIL]\d* : {_FORALL}{_PROPOSITION}\)",
        r"intros; repeat split; (ring|lra|nra|first \[nsatz \| lra \| nra\]|\(psatz R 2 \|\| psatz R 4\))",
        rf"intros; repeat split; first \[lra \| \(field; repeat split; {_EASY}\) \| nra\]",
        rf"intros; {_KINKS}; repeat split; {_EASY}",
        rf"intros; repeat split; first \[interval({_BISECTED})?({_TAYLOR})? \| lra \| nra\]",
        r"intros; unfold Rdiv in \*",
        rf"pose proof \((sqrt_pos|exp_pos|pow2_ge_0) {_TERM}\)",
        rf"try pose proof \((sqrt_sqrt|sqrt_lt_R0|Rinv_r|Rinv_0_lt_compat) {_TERM} ltac:{_EASY}\)",
        r"repeat split; first \[lra \| nra \| psatz R 3\]",
        r"apply (Rnot_lt_le|Rnot_le_lt|Rnot_lt_ge|Rnot_le_gt); intro",
        rf"assert \(C\d+ : 0 (<|<=|=) {_TERM}\) by {_EASY}",
        rf"assert \(Q\d+ : 0 <= {_TERM}\) by \(apply Rmult_le_pos; \[lra \| apply pow2_ge_0\]\)",
        rf"assert \(Q\d+ : 0 < {_TERM}\) by \(lra\)",
        r"apply \(fun H => Rmult_lt_0_compat _ _ H C\d+\) in Q\d+",
        r"apply \(fun H => Rmult_le_pos _ _ H (C\d+|\(Rlt_le _ _ C\d+\))\) in Q\d+",
        rf"assert \(E\d+ : {_TERM} = 0\) by \(rewrite <- C\d+; ring\)",
        r"lra",
    )
]
"""All sentences that a proof may consist of. Coq has more, and some of them are commands."""

_AXIOMS = re.compile(
    r"^(ClassicalDedekindReals\.|FunctionalExtensionality\.|Classical_Prop\.classic|Eqdep\.Eq_rect_eq"
    r"|PrimInt63\.|Uint63\.|PrimFloat\.|FloatAxioms\.|FloatOps\.|Uint63Axioms\.)[\w.']*( :.*)?$"
)
_BEGIN, _END = "assumptions of the replayed theorem", "end of the assumptions"


def check(statement: Statement, certificate: Mapping[str, Any]) -> bool:
    """Whether the stored file states the statement and coqc accepts it without further assumptions."""
    script = str(certificate.get("script", ""))
    found = _FILE.fullmatch(script) if script.isascii() else None
    if found is None or not _is_said(found["goal"], statement) or not _only_known_sentences(found["body"]):
        return False
    rests_on(COQ)
    return _accepted(script, _HEAD + (found["more"] or ""), found["goal"])


def _is_said(text: str, statement: Statement) -> bool:
    """Whether a Coq proposition says what a statement does, in the manner of its kind."""
    if statement.noise:
        return False
    if statement.speaks_of_spaces:
        return states_vectors(text, statement)
    if statement.dynamics is not None and statement.speaks_of_state:
        return states_motion(text, statement)
    claim = claim_of(statement)
    return states_law(text, statement) if claim is None else states(text, claim)


def states(text: str, claim: Claim) -> bool:
    """Whether a Coq proposition says what a claim says, and that its conclusion has a value.

    Of whole numbers it is said for all real numbers with the same bounds, which is more.

    >>> from sympy import S, Symbol
    >>> x = Symbol("x")
    >>> states("forall (x_0 : R), (x_0 > 1) -> ((x_0 ^ 2) > 1)", Claim({x: S.Reals}, (x > 1,), x**2 > 1))
    True
    >>> states("forall (x_0 : R), (x_0 > 1) -> ((x_0 ^ 2) > 0)", Claim({x: S.Reals}, (x > 1,), x**2 > 1))
    False
    >>> states("forall (x_0 : R), (x_0 > 1) -> (/ x_0 < 1)", Claim({x: S.Reals}, (x > 1,), 1 / x < 1))
    False
    """
    places = {symbol: variable(place) for place, symbol in enumerate(claim.variables)}
    try:
        kinds, (*hypotheses, conclusion) = Reader(text).theorem()
        wanted = [tree_of(part, places) for part in claim.hypotheses if part != true]
        concluded = [tree_of(part, places) for part in (*conditions(claim.conclusion), claim.conclusion)]
        is_same = conclusion == (joined(concluded) if len(concluded) > 1 else concluded[0])
        return kinds == (NUMBER,) * len(places) and set(hypotheses) <= set(wanted) and is_same
    except (ValueError, IndexError, KeyError):
        return False


def law_of(statement: Statement) -> Scaling | None:
    """The law O(e^k) with a whole k that a statement consists of, if it does."""
    law = statement.conclusion
    plain = statement.computed is None and not statement.speaks_of_state
    if not plain or not isinstance(law, Scaling) or law.sense != "at most":
        return None
    return law if law.exponent.is_Integer and law.exponent >= 0 else None


def states_law(text: str, statement: Statement) -> bool:
    """Whether a Coq proposition says that a quantity is O(e^k) as a statement does, for fixed values of the others.

    What is said of the others may be assumed; what is said of the small symbol is not needed, so less is assumed.

    >>> from sympy import S, Symbol
    >>> e = Symbol("e")
    >>> lemma = Statement(variables={e: S.Reals}, then=Scaling(e**2, e, 1, "at most"))
    >>> law = "exists size reach : R, 0 < reach /\\\\ (forall small : R, 0 < small -> small < reach -> {})"
    >>> states_law(law.format("True /\\\\ (Rabs (small ^ 2) <= size * small)"), lemma)
    True
    >>> states_law(law.format("True /\\\\ (Rabs (small ^ 3) <= size * small)"), lemma)
    False
    """
    found, law = _LAW.fullmatch(text), law_of(statement)
    if found is None or law is None:
        return False
    size, reach = Dummy(), Dummy()
    others = [symbol for symbol in statement.variables if symbol != law.small]
    places = {symbol: variable(place) for place, symbol in enumerate((*others, law.small, size, reach))}
    known = [part for part in statement.hypotheses if is_plain(part) and not part.has(law.small) and part != true]
    bound = Le(Abs(law.quantity, evaluate=False), size * law.small**law.exponent, evaluate=False)
    try:
        names = f"{found['names'] or ''} small size reach"
        kinds, (*hypotheses, conclusion) = Reader(f"forall ({names} : R), {found['given']}{found['body']}").theorem()
        needed = [tree_of(part, places) for part in demands((law.quantity,))] or [("True",)]
        wanted = {tree_of(part, places) for part in known}
        concluded = joined([joined(needed) if len(needed) > 1 else needed[0], tree_of(bound, places)])
        return kinds == (NUMBER,) * len(places) and set(hypotheses) <= wanted and conclusion == concluded
    except (ValueError, IndexError, KeyError):
        return False


def _only_known_sentences(body: str) -> bool:
    """Whether a proof is made of known sentences: no bullets, braces, comments, texts or commands."""
    text = "\n".join(line for line in body.split("\n") if line not in ("{", "}"))
    if "(*" in text or "*)" in text or not text.endswith("."):
        return False
    sentences = re.split(r"\.[ \n]", text[:-1])
    return all(_is_own(one) or any(known.fullmatch(one) for known in _SENTENCES) for one in sentences)


def _is_own(sentence: str) -> bool:
    """Whether a sentence calls tactics of the prelude alone, or states something that they show.

    >>> _is_own("assert (C0 : 0 < x_0) by ls_condition"), _is_own("ls_unknown"), _is_own("try Axiom x")
    (True, False, False)
    """
    found = _OWN_SOLVES.fullmatch(sentence)
    steps = sentence if found is None else found["steps"].removeprefix("(first [").removesuffix("])")
    calls = [_OWN.fullmatch(step) for step in re.split("; | \\| ", steps)]
    return all(call is not None and call["tactic"] in _own_tactics() for call in calls)


@cache
def _own_tactics() -> frozenset[str]:
    return frozenset(re.findall(r"^(?:Ltac|with) (ls_\w+)", PRELUDE.read_text(encoding="utf-8"), re.MULTILINE))


@cache
def prelude() -> Path | None:
    """The folder with the compiled prelude, made once for each of its versions and kept; None where coqc refuses."""
    coqc, source = shutil.which("coqc"), PRELUDE.read_text(encoding="utf-8")
    if coqc is None:
        return None
    version = subprocess.run([coqc, "--version"], capture_output=True, text=True, check=False).stdout
    base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "lemmascope"
    place = base / f"coq-{hashlib.sha256((version + source).encode()).hexdigest()[:16]}"
    if (place / "Prelude.vo").exists():
        return place
    try:
        base.mkdir(parents=True, exist_ok=True)
        making = Path(tempfile.mkdtemp(dir=base, prefix="coq-making-"))
    except OSError:
        making = place = Path(tempfile.mkdtemp(prefix="lemmascope-prelude-"))
    (making / "Prelude.v").write_text(source, encoding="utf-8")
    command = [coqc, "-q", "-Q", ".", "Lemmascope", "Prelude.v"]
    if subprocess.run(command, cwd=making, capture_output=True, check=False).returncode != 0:
        return None
    if making != place:
        with suppress(OSError):  # another process was quicker
            making.rename(place)
    return place if (place / "Prelude.vo").exists() else making


def _accepted(script: str, head: str, goal: str) -> bool:
    """Whether coqc accepts the file, and a second file finds there the theorem that was read and known axioms only."""
    asking = (
        f"{head}Open Scope R_scope.\nFrom Replayed Require replayed.\n"
        f"Definition stated : {goal} := Replayed.replayed.goal.\n"
        f'Goal True. idtac "{_BEGIN}". Abort.\nPrint Assumptions stated.\nGoal True. idtac "{_END}". Abort.\n'
    )
    coqc, library = shutil.which("coqc"), prelude()
    if coqc is None or library is None:
        return False
    with tempfile.TemporaryDirectory(prefix="lemmascope-replay-") as folder:
        said = ""
        for name, text in (("replayed", f"{script}\n"), ("asking", asking)):
            (Path(folder) / f"{name}.v").write_text(text, encoding="utf-8")
            command = [coqc, "-q", "-Q", str(library), "Lemmascope", "-Q", ".", "Replayed", f"{name}.v"]
            try:
                done = subprocess.run(
                    command, cwd=folder, capture_output=True, text=True, timeout=10 * _SECONDS, check=False,
                    preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (_SECONDS, _SECONDS)),
                )  # fmt: skip
            except (subprocess.TimeoutExpired, OSError):
                return False
            if done.returncode != 0 or not (Path(folder) / f"{name}.vo").exists():
                return False
            said = done.stdout
    return _only_axioms_of_reals(said)


def _only_axioms_of_reals(said: str) -> bool:
    """Whether the list of assumptions that the second file printed is empty or has known names only."""
    found = re.fullmatch(rf"{_BEGIN}\n(?P<listed>.*)\n{_END}\s*", said, re.DOTALL)
    if found is None:
        return False
    first, *lines = found["listed"].split("\n")
    if first == "Closed under the global context":
        return not lines
    names = [line for line in lines if line and not line[0].isspace()]
    return first == "Axioms:" and bool(names) and all(_AXIOMS.match(line) for line in names)
