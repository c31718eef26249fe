"""A user's statement file: plain Python, run like a test, from which every Statement is collected."""

from __future__ import annotations

import ast
import runpy
import traceback
from pathlib import Path

from theory.errors import LemmascopeError
from theory.proofs import Proof
from theory.statements import Source, Statement
from theory.trees import content_hash

_ADVICE = {
    "cannot determine truth value of Relational": "write And(a < b, b < c) instead of a < b < c, `and` or `or`",
    "unexpected keyword argument": "its fields are variables=, given=, then=, dynamics=, start=, constants=, title=",
}


def load(path: Path) -> list[Statement]:
    """The statements and the steps of proofs that a file defines at its top level, in order; each has an id.

    A statement without an id is called after the file and its variable: `lemmas_mine/convex`; one without a source
    has its line in the file as its label.
    """
    if not path.is_file():
        raise LemmascopeError(
            f"there is no file {path}: give the path of a Python file with statements;"
            " ids of the library are verified by `lemmascope verify`"
        )
    statements: list[Statement] = []
    namespace, lines = _namespace(path), _lines(path)
    for name, value in namespace.items():
        place = f"{path.name}:{lines[name]}" if name in lines else ""
        if isinstance(value, Statement):
            statements.append(_named(value, f"{path.stem}/{name}", place))
        elif isinstance(value, Proof):
            statements += [_named(item, item.id, place) for item in value.statements()]
        elif isinstance(value, (list, tuple)) and value and all(isinstance(item, Statement) for item in value):
            numbered = enumerate(value, start=1)
            statements += [_named(item, f"{path.stem}/{name}-{number}", place) for number, item in numbered]
    if not statements:
        raise LemmascopeError(f"{path} defines no Statement: assign one to a name, for example lemma = Statement(...)")
    _refuse_twins(statements, path)
    return statements


def proofs(path: Path) -> list[Proof]:
    """The proofs that a file defines at its top level, in order; one whose statement has no id is called after it."""
    if not path.is_file():
        raise LemmascopeError(f"there is no file {path}: give the path of a Python file with a Proof")
    found = {name: value for name, value in _namespace(path).items() if isinstance(value, Proof)}
    if not found:
        raise LemmascopeError(f"{path} defines no Proof: assign one to a name, for example proof = Proof(lemma, steps)")
    named = [Proof(own.of.but(id=own.of.id or f"{path.stem}/{name}"), own.steps) for name, own in found.items()]
    _refuse_twins([step for own in named for step in own.statements()], path)
    return named


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
