"""What the referee answers: an outcome, how strongly it is known, and the evidence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from html import escape
from typing import Any


class Outcome(StrEnum):
    """What is known about a statement."""

    PROVED = "proved"
    REFUTED = "refuted"
    VACUOUS = "vacuous"
    SAMPLED = "sampled"
    OPEN = "open"

    @property
    def decided(self) -> bool:
        """Whether the question is settled.

        >>> Outcome.PROVED.decided, Outcome.SAMPLED.decided
        (True, False)
        """
        return self in (Outcome.PROVED, Outcome.REFUTED, Outcome.VACUOUS)


class Strength(StrEnum):
    """Why a proof can be believed, strongest first."""

    COQ = "coq"
    EXACT = "exact"
    ENCLOSED = "enclosed"
    ORACLE = "oracle"

    @classmethod
    def of(cls, certificate: Any) -> Strength:
        """What a certificate rests on: the weakest of its own kind and of all certificates inside it.

        >>> Strength.of({"kind": "induction", "obligations": [{"certificate": {"kind": "oracle"}}]})
        <Strength.ORACLE: 'oracle'>
        """
        found = cls.EXACT
        if isinstance(certificate, Mapping):
            kind = certificate.get("kind")
            found = _KINDS.get(kind, found) if isinstance(kind, str) else found
            return cls.weakest(found, *map(cls.of, certificate.values()))
        if isinstance(certificate, (list, tuple)):
            return cls.weakest(found, *map(cls.of, certificate))
        return found

    @classmethod
    def weakest(cls, *strengths: Strength) -> Strength:
        """The last of some strengths in the order of the list."""
        return max(strengths, key=list(cls).index)


_KINDS = {
    "coq": Strength.COQ,
    "cover": Strength.ENCLOSED,
    "enclosure": Strength.ENCLOSED,
    "zero": Strength.ENCLOSED,
    "oracle": Strength.ORACLE,
}
"""What certificates of a kind rest on by themselves; those of all others are exact."""


@dataclass(frozen=True)
class Verdict:
    """The answer about one statement. Values are JSON data: exact numbers and expressions are strings.

    >>> Verdict(Outcome.PROVED, Strength.EXACT, "identity").decided
    True
    """

    outcome: Outcome
    strength: Strength | None = None
    engine: str | None = None
    coverage: str | None = None
    cases: int | None = None
    witness: Mapping[str, str] | None = None
    counterexample: Mapping[str, str] | None = None
    correction: str | None = None
    sharp: Mapping[str, Any] | None = None
    certificate: Mapping[str, Any] | None = None
    seconds: float = 0.0
    notes: tuple[str, ...] = ()
    id: str = ""
    kind: str = ""
    title: str = ""
    source: Mapping[str, Any] = field(default_factory=dict)

    @property
    def decided(self) -> bool:
        """Whether the statement is proved, refuted or vacuous."""
        return self.outcome.decided

    @property
    def sharper(self) -> dict[str, str]:
        """The constants for which more than the stated value is proved, in words.

        >>> Verdict(Outcome.PROVED, sharp={"c": {"stated": "1", "best": "sqrt(2)"}}).sharper
        {'c': 'stated 1, best sqrt(2)'}
        >>> Verdict(Outcome.PROVED, sharp={"c": {"stated": "1", "best": "2", "note": "undecided beyond"}}).sharper
        {'c': 'stated 1, proved also for 2'}
        >>> Verdict(Outcome.PROVED, sharp={"c": {"stated": "1", "best": "3/2", "exact": False}}).sharper
        {'c': 'stated 1, best to eight digits 3/2'}
        """
        better = {name: item for name, item in (self.sharp or {}).items() if item["best"] not in (None, item["stated"])}
        return {name: f"stated {item['stated']}, {how_good(item)} {item['best']}" for name, item in better.items()}

    def but(self, **changes: Any) -> Verdict:
        """The same verdict with some of its fields changed.

        >>> Verdict(Outcome.OPEN).but(seconds=1.5).seconds
        1.5
        """
        return replace(self, **changes)

    def note(self, *more: str) -> Verdict:
        """The same verdict with further notes.

        >>> Verdict(Outcome.OPEN).note("tried balls").notes
        ('tried balls',)
        """
        return replace(self, notes=tuple(dict.fromkeys((*self.notes, *more))))

    def _repr_html_(self) -> str:
        known = ", ".join(str(part) for part in (self.strength, self.engine) if part)
        rows = [("counterexample", _pairs(self.counterexample)), ("nearest true statement", self.correction or "")]
        rows += [("witness", _pairs(self.witness)), ("coverage", self.coverage or "")]
        rows += [("note", text) for text in self.notes]
        body = "".join(f"<tr><th>{name}</th><td>{escape(text)}</td></tr>" for name, text in rows if text)
        return f"<p><b>{self.outcome}</b> {escape(self.id)} <i>{escape(known)}</i></p><table>{body}</table>"

    def to_json(self) -> dict[str, Any]:
        """The verdict as the public JSON object; absent values are None."""
        return {
            "id": self.id,
            "kind": self.kind,
            "title": self.title,
            "source": dict(self.source) or {"paper": None, "label": None, "equations": []},
            "outcome": str(self.outcome),
            "strength": None if self.strength is None else str(self.strength),
            "engine": self.engine,
            "coverage": self.coverage,
            "cases": self.cases,
            "witness": _plain(self.witness),
            "counterexample": _plain(self.counterexample),
            "correction": self.correction,
            "sharp": _plain(self.sharp),
            "certificate": _plain(self.certificate),
            "seconds": round(self.seconds, 4),
            "notes": list(self.notes),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Verdict:
        """Read a verdict back; raises ValueError, KeyError or TypeError when the data are damaged.

        >>> Verdict.from_json(Verdict(Outcome.OPEN, seconds=2).to_json()).outcome
        <Outcome.OPEN: 'open'>
        """
        values = {
            key: data[key] for key in ("engine", "coverage", "cases", "correction", "seconds", "id", "kind", "title")
        }
        values |= {key: data[key] for key in ("witness", "counterexample", "sharp", "certificate", "source")}
        strength = None if data["strength"] is None else Strength(data["strength"])
        return cls(outcome=Outcome(data["outcome"]), strength=strength, notes=tuple(map(str, data["notes"])), **values)


def how_good(item: Mapping[str, Any]) -> str:
    """What is known of the value that sharpening found: the note says that a gap is left beyond it."""
    if item.get("note"):
        return "proved also for"
    return "best" if item.get("exact", True) else "best to eight digits"


def _pairs(values: Mapping[str, str] | None) -> str:
    return ", ".join(f"{name} = {value}" for name, value in (values or {}).items())


def _plain(mapping: Mapping[str, Any] | None) -> dict[str, Any] | None:
    return None if mapping is None else dict(mapping)
