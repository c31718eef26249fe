r"""The theorems of a LaTeX draft: theorem-like environments with their places, read as statements where they are clear.

Files that are included are followed, ``\newtheorem`` names are known, macros without arguments are put in, and
sentences that begin with *Throughout*, as well as environments for notation and assumptions, count for what comes
after them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from theory.errors import LemmascopeError
from theory.latex_prose import Premises, premises_from_latex, statement_from_latex
from theory.statements import Source, Statement

KINDS = ("theorem", "lemma", "proposition", "corollary", "claim", "conjecture", "fact", "observation")
"""Environments that claim something, in every draft."""
_ASSUMING = ("assumption", "assumptions", "notation", "setting", "hypothesis", "setup")
_COMMENT = re.compile(r"(?<!\\)((?:\\\\)*)%.*")
_SILENT = re.compile(r"\\begin\{(verbatim\*?|comment|lstlisting)\}.*?\\end\{\1\}", re.DOTALL)
_INCLUDE = re.compile(r"\\(?:input|include|subfile)\s*\{([^{}]+)\}")
_NEW_THEOREM = re.compile(r"\\newtheorem\*?\s*\{([A-Za-z*]+)\}\s*(?:\[[^\]]*\])?\s*\{([^{}]*)\}")
_DECLARED = re.compile(r"\\declaretheorem\s*(?:\[([^\]]*)\])?\s*\{([A-Za-z*,\s]+)\}")
_MACRO = re.compile(r"\\(?:re)?newcommand\*?\s*\{?\\([A-Za-z]+)\}?\s*(\[\d\])?\s*\{")
_OPERATOR = re.compile(r"\\DeclareMathOperator\*?\s*\{?\\([A-Za-z]+)\}?\s*\{([^{}]*)\}")
_LABEL = re.compile(r"\\label\s*\{([^{}]*)\}")
_THROUGHOUT = re.compile(r"\b(Throughout\b[^.]*?(?:\$[^$]*\$[^.$]*)+\.)", re.DOTALL)
_MOST_BYTES = 20_000_000
_DEEPEST = 12


@dataclass(frozen=True)
class Part:
    """One file of a draft; `text` has no comments, but every line in its place."""

    path: Path
    text: str

    def line(self, place: int) -> int:
        """The number of the line of a character."""
        return self.text.count("\n", 0, place) + 1


@dataclass(frozen=True)
class Item:
    """A theorem of a draft: where it stands, what it says, and the statement, or why it is not read."""

    kind: str
    label: str
    title: str
    path: Path
    first: int
    last: int
    text: str
    opens: int
    """The character of the file after the opening of the environment and its title."""
    statement: Statement | None = None
    reason: str = ""
    unread: tuple[str, ...] = ()
    """Shared assumptions before it that could not be read, and that it may need."""

    @property
    def place(self) -> str:
        """`draft.tex:12`."""
        return f"{self.path.name}:{self.first}"


@dataclass
class _Draft:
    parts: list[Part] = field(default_factory=list)
    environments: dict[str, str] = field(default_factory=lambda: {kind: kind for kind in KINDS})
    macros: dict[str, str] = field(default_factory=dict)
    seen: set[Path] = field(default_factory=set)
    size: int = 0


def read_draft(path: Path) -> tuple[list[Part], list[Item]]:
    r"""The files of a draft in the order of reading, and its theorems.

    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> _ = (folder / "a.tex").write_text(
    ...     "\\newtheorem{lem}{Lemma}\n\\begin{lem}\\label{l}\nFor all $x \\in [0, 1]$, $x^2 \\le x$.\n\\end{lem}")
    >>> (item,) = read_draft(folder / "a.tex")[1]
    >>> item.kind, item.label, item.place, item.statement.then
    ('lemma', 'l', 'a.tex:2', x**2 <= x)
    """
    draft = _Draft()
    pieces = list(_follow(path, path.parent, draft, 0))
    for part in draft.parts:
        _declare(part.text, draft)
    known, unread, items = Premises(), list[str](), list[Item]()
    for part, begin, end in pieces:
        for place, kind, title, inside, opens in _passages(part, begin, end, draft):
            body = _expanded(inside, draft)
            if kind == "assumption":
                try:
                    known = known.joined(premises_from_latex(_LABEL.sub("", body)))
                except LemmascopeError as error:
                    unread.append(f"{part.path.name}:{part.line(place)}: {error}")
                continue
            items.append(_item(part, place, kind, title, inside, opens, body, known, tuple(unread)))
    return draft.parts, items


def _item(
    part: Part, place: int, kind: str, title: str, inside: str, opens: int, body: str, known: Premises,
    unread: tuple[str, ...],
) -> Item:  # fmt: skip
    label = _LABEL.search(inside)
    first = part.line(place)
    made = Item(
        kind, label[1] if label else "", title, part.path, first, first + inside.count("\n"), inside.strip("\n"), opens,
        unread=unread,
    )  # fmt: skip
    try:
        read = statement_from_latex(body, known)
    except LemmascopeError as error:
        return Item(**{**vars(made), "reason": str(error)})
    titled = " ".join((title or f"{kind.capitalize()} of the draft").split())
    statement = read.but(title=titled if titled.isprintable() else "", source=Source("", made.place))
    return Item(**{**vars(made), "statement": statement})


def _follow(path: Path, home: Path, draft: _Draft, depth: int) -> Iterator[tuple[Part, int, int]]:
    """The stretches of text in the order in which a reader meets them."""
    real = path.resolve()
    if depth > _DEEPEST or real in draft.seen:
        return
    draft.seen.add(real)
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise LemmascopeError(f"{path} is no UTF-8 text: save it in that encoding") from None
    except OSError as error:
        if depth == 0:
            raise LemmascopeError(f"{path} cannot be read: {error.strerror}") from error
        return
    draft.size += len(text)
    if draft.size > _MOST_BYTES:
        raise LemmascopeError("the draft has more than 20 MB of text: give one chapter at a time")
    part = Part(path, _SILENT.sub(_blank, _COMMENT.sub(lambda found: found[1], text)))
    draft.parts.append(part)
    at = 0
    for found in _INCLUDE.finditer(part.text):
        yield part, at, found.start()
        name = found[1].strip()
        target = home / (name if name.endswith(".tex") else f"{name}.tex")
        if target.is_file():
            yield from _follow(target, home, draft, depth + 1)
        at = found.end()
    yield part, at, len(part.text)


def _blank(found: re.Match[str]) -> str:
    return "\n" * found[0].count("\n")


def _declare(text: str, draft: _Draft) -> None:
    for found in _NEW_THEOREM.finditer(text):
        draft.environments[found[1]] = _kind(found[2])
    for found in _DECLARED.finditer(text):
        name = re.search(r"(?:^|,)\s*name\s*=\s*\{?([^,{}]*)", found[1] or "")
        for one in found[2].split(","):
            draft.environments[one.strip()] = _kind(name[1] if name else one)
    for found in _OPERATOR.finditer(text):
        draft.macros[found[1]] = rf"\operatorname{{{found[2]}}}"
    for found in _MACRO.finditer(text):
        body = _braced(text, found.end() - 1)
        if found[2] is None and body is not None:
            draft.macros[found[1]] = body


def _kind(title: str) -> str:
    return " ".join(re.sub(r"[^A-Za-z ]", " ", title).split()).lower() or "theorem"


def _braced(text: str, opening: int) -> str | None:
    depth = 0
    for place in range(opening, min(len(text), opening + 2000)):
        depth += (text[place] == "{") - (text[place] == "}")
        if depth == 0:
            return text[opening + 1 : place]
    return None


def _expanded(text: str, draft: _Draft) -> str:
    """The text with the macros of the draft put in; one that uses itself is left as it is."""
    for _ in range(5):
        changed = re.sub(
            r"\\([A-Za-z]+)", lambda found: draft.macros.get(found[1], found[0]), text[: 10 * len(text) + 10_000]
        )
        if changed == text or len(changed) > 100_000:
            break
        text = changed
    return text


def _passages(part: Part, begin: int, end: int, draft: _Draft) -> Iterator[tuple[int, str, str, str, int]]:
    """What claims or assumes something: its place, kind, title, text, and where the text begins."""
    names = {**draft.environments, **dict.fromkeys(_ASSUMING, "assumption")}
    names |= {name: "assumption" for name, kind in draft.environments.items() if kind in _ASSUMING}
    opening = re.compile(r"\\begin\{(" + "|".join(sorted(map(re.escape, names), key=len, reverse=True)) + r")(\*?)\}")
    found: list[tuple[int, str, str, str, int]] = []
    covered = begin
    for start in opening.finditer(part.text, begin, end):
        if start.start() < covered:
            continue
        closing = part.text.find(rf"\end{{{start[1]}{start[2]}}}", start.end(), end)
        if closing < 0:
            continue
        title, opens = _titled(part.text, start.end())
        found.append((start.start(), names[start[1]], title, part.text[opens:closing], opens))
        covered = closing
    spans = [(place, opens + len(inside)) for place, _, _, inside, opens in found]
    found += [
        (sentence.start(), "assumption", "", sentence[1], sentence.start())
        for sentence in _THROUGHOUT.finditer(part.text, begin, end)
        if not any(low <= sentence.start() < high for low, high in spans)
    ]
    yield from sorted(found)


def _titled(text: str, place: int) -> tuple[str, int]:
    """The title in brackets after an opening, and where the text begins."""
    found = re.compile(r"\s*\[((?:[^\[\]{}]|\{[^{}]*\})*)\]").match(text, place)
    return (found[1], found.end()) if found else ("", place)
