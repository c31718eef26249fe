"""The built-in papers: every statement and proof step by id, listed at once and built only when asked for."""

from __future__ import annotations

import difflib
import fnmatch
import importlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cache, lru_cache

from theory.errors import LemmascopeError
from theory.proofs import with_premises
from theory.statements import Source, Statement

PAPERS = (
    "edge_of_stability",
    "swing_by",
    "saddle_to_saddle",
    "simplicity_bias",
    "associative_memory",
    "graph_expressiveness",
)
"""Each is a package of theory whose `paper` attribute is a Paper."""

Builder = Callable[[], Statement]


@dataclass(frozen=True)
class Entry:
    """One line of the library: what can be told of a statement without building it."""

    id: str
    title: str
    source: Source
    build: Builder = field(repr=False)

    @property
    def kind(self) -> str:
        """theorem, lemma, corollary, ..., or step.

        >>> Entry("a/theorem-3.3#b.18", "", Source(), lambda: None).kind
        'step'
        """
        return "step" if "#" in self.id else self.id.split("/")[-1].split("-")[0]

    def statement(self) -> Statement:
        """The statement, derived now, under its id, title and source."""
        return self.build().but(id=self.id, title=self.title, source=self.source)


class Paper:
    """A paper of the library: its bibliography entry and its statements in the paper's order.

    >>> from sympy import S, Symbol
    >>> paper = Paper("demo", title="A demonstration", bibtex="@misc{demo}")
    >>> @paper.statement("lemma-1", "Squares of reals are not negative")
    ... def lemma_1() -> Statement:
    ...     x = Symbol("x")
    ...     return Statement(variables={x: S.Reals}, then=x**2 >= 0)
    >>> paper.entries[0].source.label
    'Lemma 1'
    """

    def __init__(self, key: str, *, title: str, bibtex: str) -> None:
        self.key, self.title, self.bibtex = key, title, bibtex
        self.entries: list[Entry] = []
        self.nearest: dict[str, str] = {}
        """For a statement that may be false, the id of the nearest true one, where that is not called ID.corrected."""

    def statement(
        self, number: str, title: str, *, label: str = "", equations: Iterable[str] = ()
    ) -> Callable[[Builder], Builder]:
        """Register a builder under `paper/number`; the label defaults to the number in the paper's spelling."""
        return self._register(f"{self.key}/{number}", title, label or _label(number), equations)

    def step(
        self, of: str, tag: str, title: str, *, label: str = "", equations: Iterable[str] = ()
    ) -> Callable[[Builder], Builder]:
        """Register a builder as the step `tag` of the proof of statement `of`."""
        name = label or f"{_label(of)}, step {tag.upper()}"
        return self._register(f"{self.key}/{of}#{tag}", title, name, equations)

    def _register(self, id_: str, title: str, label: str, equations: Iterable[str]) -> Callable[[Builder], Builder]:
        def register(build: Builder) -> Builder:
            if any(entry.id == id_ for entry in self.entries):
                raise LemmascopeError(f"two statements are called {id_}: give one of them another id")
            self.entries.append(Entry(id_, title, Source(self.key, label, tuple(equations)), build))
            return build

        return register


def _label(number: str) -> str:
    kind, _, rest = number.partition("-")
    return f"{kind.capitalize()} {rest.upper() if rest[:2].rstrip('.').isalpha() and '.' in rest else rest}".strip()


@cache
def papers() -> dict[str, Paper]:
    """The papers by key, in the order of the library."""
    return {key: importlib.import_module(f"theory.{key}").paper for key in PAPERS}


@cache
def _entries() -> dict[str, Entry]:
    return {entry.id: entry for paper in papers().values() for entry in paper.entries}


def find(*patterns: str) -> list[Entry]:
    """The entries whose id matches one of the patterns, in the order of the papers; all of them without a pattern.

    A pattern is an id, a paper's key, or a shell pattern such as `swing_by/lemma-*`.
    """
    chosen: dict[str, Entry] = {}
    for pattern in patterns or ("*",):
        matching = {id_: entry for id_, entry in _entries().items() if matches(id_, pattern)}
        if not matching:
            raise LemmascopeError(f"no statement is called {pattern}{_nearest(pattern)}")
        chosen |= matching
    return [entry for id_, entry in _entries().items() if id_ in chosen]


def has(id_: str) -> bool:
    """Whether the library states something under this id."""
    return id_ in _entries()


def nearest(id_: str) -> str | None:
    """The id of the true statement nearest to this one: ID.corrected, or the one that the paper's package names.

    >>> nearest("swing_by/theorem-4.1"), nearest("swing_by/theorem-4.1.corrected")
    ('swing_by/theorem-4.1.corrected', None)
    """
    if has(f"{id_}.corrected"):
        return f"{id_}.corrected"
    key, _, number = id_.partition("/")
    other = papers()[key].nearest.get(number) if key in PAPERS else None
    return f"{key}/{other}" if other else None


def matches(id_: str, pattern: str) -> bool:
    """Whether an id is meant by a pattern.

    >>> matches("swing_by/lemma-d.1", "swing_by"), matches("swing_by/lemma-d.1", "*/lemma-*")
    (True, True)
    """
    return id_ == pattern or id_.startswith(f"{pattern}/") or fnmatch.fnmatchcase(id_, pattern)


def _nearest(pattern: str) -> str:
    near = difflib.get_close_matches(pattern, list(_entries()), n=3, cutoff=0.5)
    return f"; the nearest are {', '.join(near)}" if near else "; `lemmascope list` shows what there is"


def proof(id_: str) -> list[Entry]:
    """The steps of the proof of a statement, in order."""
    return [entry for known, entry in _entries().items() if known.startswith(f"{id_}#")]


@lru_cache(maxsize=8)
def premised(id_: str) -> Statement:
    """The statement of an id; a proof step also assumes the conclusions of the earlier steps it uses."""
    entry = _entries().get(id_)
    if entry is None:
        raise LemmascopeError(f"no statement is called {id_}{_nearest(id_)}")
    statement = entry.statement()
    parent = id_.partition("#")[0]
    earlier = [_entries()[f"{parent}#{tag}"].statement() for tag in statement.uses]
    return with_premises(statement, earlier)
