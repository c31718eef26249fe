"""A user's statement file: plain Python, run like a test; what it states becomes a chapter beside the built-in ones."""

from __future__ import annotations

import ast
import runpy
import traceback
from collections.abc import Iterator
from pathlib import Path

from theory.errors import LemmascopeError
from theory.library import PAPERS, Entry, Paper
from theory.proofs import Proof, with_premises
from theory.statements import Source, Statement
from theory.trees import content_hash

_ADVICE = {
    "cannot determine truth value of Relational": "write And(a < b, b < c) instead of a < b < c, `and` or `or`",
    "unexpected keyword argument": "its fields are variables=, given=, then=, dynamics=, start=, constants=, title=",
    "No module named 'lemmascope'": "the words of statements come from theory: from theory import Statement",
    "loop of ufunc does not support": "use the functions of SymPy (from sympy import tanh) in the place of NumPy's",
}


def chapters(path: Path) -> list[Paper]:
    """What a file states at its top level: one chapter named after the file, and every Paper that it makes.

    A statement without an id is called after the file and its variable: `lemmas_mine/convex`; one without a source
    has its line in the file as its label. A proof gives its statement and its steps.
    """
    if not path.is_file():
        raise LemmascopeError(
            f"there is no file {path}: give the path of a Python file with statements;"
            " ids of the library are verified by `lemmascope verify`"
        )
    namespace = _namespace(path)
    own = [value for value in namespace.values() if isinstance(value, Paper) and value.key not in PAPERS]
    found = _statements(path, namespace)
    _refuse_twins(found, path)
    title = next(iter(str(namespace.get("__doc__") or path.name).splitlines()))
    mine = Paper(path.stem, title=title, bibtex="")
    for statement in {item.id: item for item in found}.values():
        mine.entries.append(_entry(statement))
    return [*([mine] if mine.entries else []), *dict.fromkeys(own)]


def load(path: Path) -> list[Statement]:
    """The statements of a file, in order, each with an id; a step of a proof assumes what the steps it uses say."""
    statements: list[Statement] = []
    for chapter in chapters(path):
        bare = {entry.id: entry.statement() for entry in chapter.entries if entry.is_stated}
        for id_, statement in bare.items():
            parent = id_.partition("#")[0]
            statements.append(with_premises(statement, [bare[f"{parent}#{tag}"] for tag in statement.uses]))
    if not statements:
        raise LemmascopeError(f"{path} defines no Statement: assign one to a name, for example lemma = Statement(...)")
    return statements


def _entry(statement: Statement) -> Entry:
    return Entry(statement.id, statement.title, statement.source, lambda: statement, statement.scope)


def _statements(path: Path, namespace: dict[str, object]) -> list[Statement]:
    """Statements by name, members of lists, and proofs: the statement of a proof has the id of its own name."""
    lines = _lines(path)
    found: list[Statement] = []
    names: dict[str, str] = {}
    for name, value in namespace.items():
        place = f"{path.name}:{lines[name]}" if name in lines else ""
        if isinstance(value, Statement):
            found.append(_named(value, f"{path.stem}/{name}", place))
            names.setdefault(content_hash(value), found[-1].id)
        elif isinstance(value, (list, tuple)) and value and all(isinstance(item, Statement) for item in value):
            numbered = enumerate(value, start=1)
            found += [_named(item, f"{path.stem}/{name}-{number}", place) for number, item in numbered]
    for name, value in namespace.items():
        if isinstance(value, Proof):
            place = f"{path.name}:{lines[name]}" if name in lines else ""
            id_ = value.of.id or names.get(content_hash(value.of), f"{path.stem}/{name}")
            found += [] if any(item.id == id_ for item in found) else [_named(value.of, id_, place)]
            found += _steps(value, id_, place)
    return found


def _steps(proof: Proof, id_: str, place: str) -> Iterator[Statement]:
    for step in proof:
        yield _named(step.statement.but(id=f"{id_}#{step.tag}"), "", place)


def _named(statement: Statement, id_: str, place: str) -> Statement:
    source = statement.source if statement.source.label else Source(statement.source.paper, place)
    return statement.but(id=statement.id or id_, source=source)


def _lines(path: Path) -> dict[str, int]:
    """Where each name of the top level is assigned last."""
    targets = {
        target: node.lineno
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        for target in getattr(node, "targets", [getattr(node, "target", None)])
        if isinstance(target, ast.Name)
    }
    return {target.id: line for target, line in targets.items()}


def _refuse_twins(statements: list[Statement], path: Path) -> None:
    seen: dict[str, Statement] = {}
    for statement in statements:
        twin = seen.setdefault(statement.id, statement)
        if twin is not statement and content_hash(twin) != content_hash(statement):
            raise LemmascopeError(f"{path} has two statements called {statement.id}: give one of them another id")


def _namespace(path: Path) -> dict[str, object]:
    try:
        return runpy.run_path(str(path), run_name=path.stem)
    except SyntaxError as error:
        raise LemmascopeError(f"{path}:{error.lineno or 1}: the file does not parse: {error.msg}") from error
    except LemmascopeError as error:
        raise LemmascopeError(f"{path}:{_line(error, path)}: {error}") from error
    except (KeyboardInterrupt, GeneratorExit):
        raise
    except BaseException as error:
        advice = next((f"; {text}" for known, text in _ADVICE.items() if known in str(error)), "")
        detail = f"{type(error).__name__}: {error}".rstrip(": ") + advice
        raise LemmascopeError(f"{path}:{_line(error, path)}: running the file failed with {detail}") from error


def _line(error: BaseException, path: Path) -> int:
    frames = traceback.extract_tb(error.__traceback__)
    return next((frame.lineno or 0 for frame in reversed(frames) if Path(frame.filename) == path), 0)
