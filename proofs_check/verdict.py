"""What engines find, and what the referee answers: an outcome, how strongly it is known, and the evidence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from html import escape
from typing import Any

from proofs_check.kernel.trust import Strength
from theory.scope import Scope

__all__ = ["Evidence", "Outcome", "Strength", "Verdict", "how_good", "kind_of"]


class Outcome(StrEnum):
    """What is known about a statement."""

    PROVED = "proved"
    REFUTED = "refuted"
    VACUOUS = "vacuous"
    SUSPECT = "suspect"
    SAMPLED = "sampled"
    OPEN = "open"

    @property
    def decided(self) -> bool:
        """Whether the question is settled.

        >>> Outcome.PROVED.decided, Outcome.SAMPLED.decided
        (True, False)
        """
        return self in (Outcome.PROVED, Outcome.REFUTED, Outcome.VACUOUS)

    @property
    def objects(self) -> bool:
        """Whether somebody who asserted the statement has to look at it again.

        >>> Outcome.SUSPECT.objects, Outcome.SAMPLED.objects
        (True, False)
        """
        return self in (Outcome.REFUTED, Outcome.VACUOUS, Outcome.SUSPECT)


@dataclass(frozen=True)
class Evidence:
    """What an engine found: the outcome it seeks, the certificate that the kernel is to accept, and words about it.

    It decides nothing, and nothing says how strong it is: both come from the theorem that the kernel makes of it.

    >>> Evidence(Outcome.SAMPLED, "falsify", cases=100).note("no violation").notes
    ('no violation',)
    """

    outcome: Outcome
    engine: str
    certificate: Mapping[str, Any] | None = None
    counterexample: Mapping[str, str] | None = None
    witness: Mapping[str, str] | None = None
    coverage: str | None = None
    cases: int | None = None
    notes: tuple[str, ...] = ()

    @property
    def decided(self) -> bool:
        """Whether it seeks to settle the statement."""
        return self.outcome.decided

    def but(self, **changes: Any) -> Evidence:
        """The same evidence with some of its fields changed."""
        return replace(self, **changes)

    def note(self, *more: str) -> Evidence:
        """The same evidence with further notes."""
        return replace(self, notes=tuple(dict.fromkeys((*self.notes, *more))))

    @property
    def told(self) -> dict[str, Any]:
        """What a verdict repeats of it."""
        return {
            "engine": self.engine, "certificate": self.certificate, "counterexample": self.counterexample,
            "witness": self.witness, "coverage": self.coverage, "cases": self.cases, "notes": self.notes,
        }  # fmt: skip


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
    statement: str | None = None
    scope: Scope | None = None
    trust: tuple[str, ...] = ()

    @property
    def is_finding(self) -> bool:
        """Whether it tells something about what was claimed; what we asked on our own is held against nobody.

        >>> Verdict(Outcome.REFUTED).is_finding, Verdict(Outcome.REFUTED, scope=Scope("own", "a question")).is_finding
        (True, False)
        """
        found = self.outcome.objects or bool(self.sharper)
        return found and not self._is_own

    @property
    def is_false(self) -> bool:
        """Whether something that was claimed, and not only asked, is refuted."""
        return self.outcome is Outcome.REFUTED and not self._is_own

    @property
    def _is_own(self) -> bool:
        return self.scope is not None and self.scope.kind == "own"

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

    def __str__(self) -> str:
        known = ", ".join(str(part) for part in (self.strength, self.engine) if part)
        parts = [f"{self.outcome}{f' ({known})' if known else ''}"]
        parts += [f"counterexample {_pairs(self.counterexample)}"] if self.counterexample else []
        return "; ".join([*parts, *self.notes])

    def _repr_html_(self) -> str:
        known = ", ".join(str(part) for part in (self.strength, self.engine) if part)
        rows = [("counterexample", _pairs(self.counterexample)), ("nearest true statement", self.correction or "")]
        rows += [("witness", _pairs(self.witness)), ("coverage", self.coverage or "")]
        rows += [("note", text) for text in self.notes]
        body = "".join(f"<tr><th>{name}</th><td>{escape(text)}</td></tr>" for name, text in rows if text)
        covers = f" ({escape(str(self.scope))})" if self.scope else ""
        return f"<p><b>{self.outcome}</b>{covers} {escape(self.id)} <i>{escape(known)}</i></p><table>{body}</table>"

    def to_json(self) -> dict[str, Any]:
        """The verdict as the public JSON object; absent values are None."""
        return {
            "id": self.id,
            "kind": self.kind,
            "title": self.title,
            "statement": self.statement,
            "scope": None if self.scope is None else self.scope.to_json(),
            "source": dict(self.source) or {"paper": None, "label": None, "equations": []},
            "outcome": str(self.outcome),
            "strength": None if self.strength is None else str(self.strength),
            "trust": list(self.trust),
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
        values |= {key: tuple(map(str, data[key])) for key in ("notes", "trust")}
        values |= {"statement": data.get("statement"), "scope": Scope.from_json(data.get("scope"))}
        strength = None if data["strength"] is None else Strength(data["strength"])
        return cls(outcome=Outcome(data["outcome"]), strength=strength, **values)


def kind_of(id_: str) -> str:
    """theorem, lemma, ..., step; `statement` for an id that names no kind.

    >>> kind_of("mine/lemma-1"), kind_of("a/theorem-1#b.2"), kind_of("mine")
    ('lemma', 'step', 'statement')
    """
    if "#" in id_:
        return "step"
    kind, dash, _ = id_.rsplit("/", maxsplit=1)[-1].partition("-")
    return kind if dash else "statement"


def how_good(item: Mapping[str, Any]) -> str:
    """What is known of the value that sharpening found: the note says that a gap is left beyond it."""
    if item.get("note"):
        return "proved also for"
    return "best" if item.get("exact", True) else "best to eight digits"


def _pairs(values: Mapping[str, str] | None) -> str:
    return ", ".join(f"{name} = {value}" for name, value in (values or {}).items())


def _plain(mapping: Mapping[str, Any] | None) -> dict[str, Any] | None:
    return None if mapping is None else dict(mapping)
