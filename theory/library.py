"""The built-in papers: every statement and proof step by id, listed at once and built only when asked for."""

from __future__ import annotations

import difflib
import fnmatch
import importlib
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cache, lru_cache

from sympy import false

from theory.errors import LemmascopeError
from theory.proofs import with_premises
from theory.scope import Scope, own, unstated
from theory.statements import Source, Statement

PAPERS = (
    "edge_of_stability",
    "swing_by",
    "saddle_to_saddle",
    "simplicity_bias",
    "associative_memory",
    "graph_expressiveness",
    "classics",
)
"""Each is a package of theory whose `paper` attribute is a Paper."""

Builder = Callable[[], Statement]

_NUMBER = re.compile(r"[a-z]+-(?:[a-z]\.)?\d+(?:\.\d+)*")


@dataclass(frozen=True)
class Entry:
    """One line of the library: what can be told of a statement without building it."""

    id: str
    title: str
    source: Source
    build: Builder | None = field(repr=False)
    scope: Scope | None = None
    claims: str = ""
    """What the paper claims, in words, where that is not what the entry states."""
    origin: str = ""
    """Author, year and place of a result that the paper collects from elsewhere."""
    section: str = ""
    """The title of the part of the paper that it stands in, where the paper has such parts."""

    @property
    def kind(self) -> str:
        """theorem, lemma, corollary, ..., or step.

        >>> Entry("a/theorem-3.3#b.18", "", Source(), lambda: None).kind
        'step'
        """
        return "step" if "#" in self.id else self.id.split("/")[-1].split("-")[0]

    @property
    def printed(self) -> str:
        """The id of the printed item that the entry belongs to.

        >>> Entry("a/theorem-3.1.degree-6#t5", "", Source(), None).printed
        'a/theorem-3.1'
        """
        return printed(self.id)

    @property
    def is_stated(self) -> bool:
        """Whether there is a statement; a printed item that the language cannot say yet has none."""
        return self.build is not None

    def statement(self) -> Statement:
        """The statement, derived now, under its id, title, source and scope."""
        if self.build is None:
            raise LemmascopeError(f"{self.id} is {self.scope}")
        built = self.build()
        if false in built.given:
            raise LemmascopeError(
                f"hypothesis {built.given.index(false) + 1} of {self.id} became the constant False while it was"
                " written, before an engine could check it, and everything follows from it: in an equation both sides"
                " need the same shape, so that a vector beside matrices has their size, matrix('e', d, 1)"
            )
        return built.but(id=self.id, title=self.title, source=self.source, scope=self.scope)


def printed(id_: str) -> str:
    """The id of the printed item that an id belongs to: its paper and its number.

    >>> printed("a/lemma-b.2.corrected#v1"), printed("a/proposition-7.n3"), printed("a/claim-3.4.softplus")
    ('a/lemma-b.2', 'a/proposition-7', 'a/claim-3.4')
    """
    paper, slash, number = id_.partition("#")[0].rpartition("/")
    found = _NUMBER.match(number)
    return f"{paper}{slash}{found.group() if found else number}"


class Paper:
    """A paper of the library: its bibliography entry and its statements in the paper's order.

    >>> from sympy import S, Symbol
    >>> from theory.scope import whole
    >>> paper = Paper("demo", title="A demonstration", bibtex="@misc{demo}")
    >>> @paper.statement("lemma-1", "Squares of reals are not negative", scope=whole())
    ... def lemma_1() -> Statement:
    ...     x = Symbol("x")
    ...     return Statement(variables={x: S.Reals}, then=x**2 >= 0)
    >>> paper.entries[0].source.label
    'Lemma 1'
    """

    def __init__(self, key: str, *, title: str, bibtex: str) -> None:
        self.key, self.title, self.bibtex = key, title, bibtex
        self.entries: list[Entry] = []
        self.sections: list[Section] = []
        """The parts that have a title, in order."""
        self.nearest: dict[str, str] = {}
        """For a statement that may be false, the id of the nearest true one, where that is not called ID.corrected."""

    def statement(
        self,
        number: str,
        title: str,
        *,
        scope: Scope | None = None,
        claims: str = "",
        label: str = "",
        equations: Iterable[str] = (),
        origin: str = "",
        section: str = "",
    ) -> Callable[[Builder], Builder]:
        """Register a builder under `paper/number`; the label defaults to the number in the paper's spelling.

        `scope` says what it covers of the printed item, `claims` in words what is printed where that is more; `origin`
        says whose result it is where the paper is a collection.
        """
        return self._register(number, title, scope, claims, label, equations, origin, section)

    def step(
        self,
        of: str,
        tag: str,
        title: str,
        *,
        scope: Scope | None = None,
        claims: str = "",
        label: str = "",
        equations: Iterable[str] = (),
    ) -> Callable[[Builder], Builder]:
        """Register a builder as the step `tag` of the proof of statement `of`."""
        return self._register(f"{of}#{tag}", title, scope, claims, label, equations)

    def unstated(
        self, number: str, title: str, *, missing: str, label: str = "", equations: Iterable[str] = ()
    ) -> None:
        """Register a printed item, or a step of a proof, that the language cannot say yet: `missing` names the word.

        The title says what the paper claims.

        >>> paper = Paper("demo", title="A demonstration", bibtex="@misc{demo}")
        >>> paper.unstated("theorem-4", "Descent converges in every dimension", missing="vectors of every size")
        >>> str(paper.entries[0].scope)
        'not stated: missing vectors of every size'
        """
        self._add(number, title, None, unstated(missing), "", label, equations)

    def section(self, *, steps: Scope, title: str = "", text: str = "") -> Section:
        """A part of the paper whose proof steps have this scope where they name no other.

        One with a title is a chapter with a page of its own, which opens with the text: paragraphs are set apart by an
        empty line, and formulas stand between dollar signs.
        """
        part = Section(self, steps, title, text)
        self.sections += [part] if title else []
        return part

    def _register(
        self,
        number: str,
        title: str,
        scope: Scope | None,
        claims: str,
        label: str,
        equations: Iterable[str],
        *where: str,
    ) -> Callable[[Builder], Builder]:
        known = scope or correction_of(number)
        if known is None:
            raise LemmascopeError(
                f"{self.key}/{number} does not say what it covers of the print: give scope=whole(), case('d = 2'),"
                " part('the second inequality'), measured('...') or own('...') of theory.scope"
            )

        def register(build: Builder) -> Builder:
            self._add(number, title, build, known, claims, label, equations, *where)
            return build

        return register

    def _add(
        self,
        number: str,
        title: str,
        build: Builder | None,
        scope: Scope | None,
        claims: str,
        label: str,
        equations: Iterable[str],
        *where: str,
    ) -> None:
        id_ = f"{self.key}/{number}"
        if any(entry.id == id_ for entry in self.entries):
            raise LemmascopeError(f"two statements are called {id_}: give one of them another id")
        of, _, tag = number.partition("#")
        name = label or (f"{_label(of)}, step {tag.upper()}" if tag else _label(of))
        self.entries.append(Entry(id_, title, Source(self.key, name, tuple(equations)), build, scope, claims, *where))


@dataclass(frozen=True)
class Section:
    """Part of a paper whose proof steps share a scope; a step may name another, and a correction is always our own.

    >>> from theory.scope import whole
    >>> section = Paper("demo", title="A demonstration", bibtex="@misc{demo}").section(steps=whole())
    >>> for tag in ("1", "1.corrected"):
    ...     _ = section.step("lemma-1", tag, "A line of the proof")(lambda: None)
    >>> [str(entry.scope) for entry in section.paper.entries]
    ['whole', 'own: the nearest true form of lemma-1#1']
    """

    paper: Paper
    steps: Scope
    title: str = ""
    text: str = ""

    def statement(
        self, number: str, title: str, origin: str = "", *, scope: Scope | None = None, claims: str = ""
    ) -> Callable[[Builder], Builder]:
        """Register a builder under `paper/number` as a statement of this part."""
        return self.paper.statement(number, title, scope=scope, claims=claims, origin=origin, section=self.title)

    def step(
        self,
        of: str,
        tag: str,
        title: str,
        *,
        scope: Scope | None = None,
        claims: str = "",
        label: str = "",
        equations: Iterable[str] = (),
    ) -> Callable[[Builder], Builder]:
        """Register a builder as the step `tag` of the proof of statement `of`, with the scope of the section."""
        known = scope or correction_of(f"{of}#{tag}") or self.steps
        return self.paper.step(of, tag, title, scope=known, claims=claims, label=label, equations=equations)


def correction_of(number: str) -> Scope | None:
    """The scope that `ID.corrected` has by its name: nothing that the paper claims.

    >>> str(correction_of("theorem-3.3.corrected")), correction_of("theorem-3.3")
    ('own: the nearest true form of theorem-3.3', None)
    """
    is_corrected = number.endswith(".corrected")
    return own(f"the nearest true form of {number.removesuffix('.corrected')}") if is_corrected else None


def _label(number: str) -> str:
    kind, _, rest = number.partition("-")
    return f"{kind.capitalize()} {rest.upper() if rest[:2].rstrip('.').isalpha() and '.' in rest else rest}".strip()


_ADDED: dict[str, Paper] = {}


@cache
def _built_in() -> dict[str, Paper]:
    return {key: importlib.import_module(f"theory.{key}").paper for key in PAPERS}


def papers() -> dict[str, Paper]:
    """The papers by key, in the order of the library; those that were added come last."""
    return {**_built_in(), **_ADDED}


def add(paper: Paper) -> None:
    """Make a paper of one's own part of the library of this process; one of the same key takes the place of an earlier.

    >>> from sympy import S, Symbol
    >>> from theory.scope import whole
    >>> mine = Paper("mine", title="My paper", bibtex="")
    >>> _ = mine.statement("lemma-1", "A square", scope=whole())(
    ...     lambda: Statement(variables={Symbol("x"): S.Reals}, then=Symbol("x") ** 2 >= 0))
    >>> add(mine)
    >>> premised("mine/lemma-1").then, is_own("mine/lemma-1")
    (x**2 >= 0, True)
    >>> remove("mine")
    """
    if paper.key in PAPERS:
        raise LemmascopeError(f"{paper.key} is a paper of the built-in library: give yours another key")
    taken = {entry.id for other in papers().values() if other.key != paper.key for entry in other.entries}
    twice = next((entry.id for entry in paper.entries if entry.id in taken), None)
    if twice is not None:
        raise LemmascopeError(f"two statements are called {twice}: give one of them another id")
    _ADDED[paper.key] = paper
    _forget()


def remove(key: str) -> None:
    """Take back a paper that was added."""
    _ADDED.pop(key, None)
    _forget()


def _forget() -> None:
    _homes.cache_clear()
    premised.cache_clear()


@cache
def _homes() -> dict[str, tuple[Entry, Paper]]:
    return {entry.id: (entry, paper) for paper in papers().values() for entry in paper.entries}


def _entries() -> dict[str, Entry]:
    return {id_: entry for id_, (entry, _) in _homes().items()}


def paper_of(id_: str) -> Paper:
    """The paper that has an entry of this id."""
    entry(id_)
    return _homes()[id_][1]


def is_own(id_: str) -> bool:
    """Whether the entry of this id was added to the built-in library."""
    return paper_of(id_).key in _ADDED


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


def stated(*patterns: str) -> list[Entry]:
    """The entries that `find` finds and that have a statement."""
    return [entry for entry in find(*patterns) if entry.is_stated]


def entry(id_: str) -> Entry:
    """The entry of this id."""
    if id_ not in _homes():
        raise LemmascopeError(f"no statement is called {id_}{_nearest(id_)}")
    return _homes()[id_][0]


def has(id_: str) -> bool:
    """Whether the library states something under this id."""
    return id_ in _homes()


def nearest(id_: str) -> str | None:
    """The id of the true statement nearest to this one: ID.corrected, or the one that the paper's package names.

    >>> nearest("swing_by/theorem-4.1"), nearest("swing_by/theorem-4.1.corrected")
    ('swing_by/theorem-4.1.corrected', None)
    """
    if has(f"{id_}.corrected"):
        return f"{id_}.corrected"
    key, _, number = id_.partition("/")
    other = papers()[key].nearest.get(number) if key in papers() else None
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


def premise(id_: str, tag: str) -> str:
    """The id of what an entry uses under a tag: a step of the same proof, or a statement of the same paper.

    >>> premise("edge_of_stability/theorem-3.1#b.6", "t1")
    'edge_of_stability/theorem-3.1#t1'
    """
    parent = id_.partition("#")[0]
    places = (f"{parent}#{tag}", f"{parent.rpartition('/')[0]}/{tag}")
    found = next((place for place in places if has(place)), None)
    if found is None:
        raise LemmascopeError(f"{id_} uses {tag}, which is no step of its proof and no statement of its paper")
    return found


@lru_cache(maxsize=8)
def premised(id_: str) -> Statement:
    """The statement of an id under the further hypotheses that what it uses gives: earlier steps, other results."""
    statement = entry(id_).statement()
    return with_premises(statement, [entry(premise(id_, tag)).statement() for tag in statement.uses])
