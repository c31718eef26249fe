"""What a proof that rests on other steps is worth once these are decided: proved by its proof, or a named gap."""

from __future__ import annotations

from collections.abc import Mapping

from proofs_check.kernel.trust import Strength, assumed
from proofs_check.verdict import Outcome, Verdict
from theory.library import has, premise

_WORDS = {Outcome.REFUTED: "false", Outcome.VACUOUS: "about nothing"}


def premises_of(verdict: Verdict) -> list[str]:
    """The ids of what a proof assumes: earlier steps, or other statements of the paper.

    >>> premises_of(Verdict(Outcome.PROVED, id="edge_of_stability/theorem-3.1#b.6", trust=("step t1", "flint")))
    ['edge_of_stability/theorem-3.1#t1']
    """
    if verdict.outcome is not Outcome.PROVED or not has(verdict.id):
        return []
    return [premise(verdict.id, tag) for tag in assumed(verdict.trust)]


def settled(verdict: Verdict, known: Mapping[str, Verdict], above: tuple[str, ...] = ()) -> Verdict:
    """The verdict with the trust of all that it rests on, or with the first premise that is not proved.

    A statement whose proof has a gap is open; a step stays proved from its premises, and says which of them fails.
    Nothing is proved by way of itself.

    >>> part = Verdict(Outcome.PROVED, Strength.ENCLOSED, id="edge_of_stability/theorem-3.1#t1", trust=("flint",))
    >>> later = Verdict(Outcome.PROVED, Strength.EXACT, id="edge_of_stability/theorem-3.1#b.6", trust=("step t1",))
    >>> settled(later, {part.id: part}).trust
    ('step t1', 'flint')
    >>> settled(later, {part.id: part.but(outcome=Outcome.REFUTED)}).notes
    ('rests on t1, which is false',)
    """
    ids = premises_of(verdict)
    if not ids:
        return verdict
    path = (*above, verdict.id)
    parts = [None if id_ in path or id_ not in known else settled(known[id_], known, path) for id_ in ids]
    gaps = [(id_, part) for id_, part in zip(ids, parts, strict=True) if part is None or not _holds(part)]
    if gaps:
        return _with_gap(verdict, *gaps[0])
    proved = [part for part in parts if part is not None]
    trust = tuple(dict.fromkeys((*verdict.trust, *(name for part in proved for name in part.trust))))
    order = list(Strength)
    weakest = max((one.strength for one in (verdict, *proved) if one.strength is not None), key=order.index)
    return verdict.but(trust=trust, strength=weakest).note("proved by its proof: all that it rests on is proved")


def _holds(part: Verdict) -> bool:
    """Whether a premise is proved, with all that it rests on itself."""
    return part.outcome is Outcome.PROVED and not any(note.startswith(_RESTS) for note in part.notes)


_RESTS = "rests on "


def _with_gap(verdict: Verdict, id_: str, part: Verdict | None) -> Verdict:
    name = id_.partition("#")[2] or id_
    if part is None:
        why = "its own consequence"
    elif part.outcome is Outcome.PROVED:
        why = "proved only from what is not"
    else:
        why = _WORDS.get(part.outcome, "not proved")
    told = verdict.note(f"{_RESTS}{name}, which is {why}")
    if "#" in verdict.id:
        return told
    return told.but(outcome=Outcome.OPEN, strength=None, trust=(), certificate=None)
