"""A user's statement file: plain Python, run like a test, from which every Statement is collected."""

from __future__ import annotations

import runpy
import traceback
from pathlib import Path

from theory.errors import LemmascopeError
from theory.proofs import Proof
from theory.statements import Statement


def load(path: Path) -> list[Statement]:
    """The statements and the steps of proofs that a file defines at its top level, in order; each has an id.

    A statement without an id is called after the file and its variable: `lemmas_mine/convex`.
    """
    if not path.is_file():
        raise LemmascopeError(f"there is no file {path}: give the path of a Python file with statements")
    statements: list[Statement] = []
    for name, value in _namespace(path).items():
        if isinstance(value, Statement):
            statements.append(value if value.id else value.but(id=f"{path.stem}/{name}"))
        elif isinstance(value, Proof):
            statements += value.statements()
        elif isinstance(value, (list, tuple)) and value and all(isinstance(item, Statement) for item in value):
            numbered = enumerate(value, start=1)
            statements += [item if item.id else item.but(id=f"{path.stem}/{name}-{place}") for place, item in numbered]
    if not statements:
        raise LemmascopeError(f"{path} defines no Statement: assign one to a name, for example lemma = Statement(...)")
    _refuse_twins(statements, path)
    return statements


def _refuse_twins(statements: list[Statement], path: Path) -> None:
    seen: dict[str, Statement] = {}
    for statement in statements:
        if statement.id in seen and seen[statement.id] is not statement:
            raise LemmascopeError(f"{path} has two statements called {statement.id}: give one of them another id")
        seen[statement.id] = statement


def _namespace(path: Path) -> dict[str, object]:
    try:
        return runpy.run_path(str(path), run_name=path.stem)
    except SyntaxError as error:
        raise LemmascopeError(f"{path}:{error.lineno}: the file does not parse: {error.msg}") from error
    except LemmascopeError as error:
        raise LemmascopeError(f"{path}:{_line(error, path)}: {error}") from error
    except (KeyboardInterrupt, GeneratorExit):
        raise
    except BaseException as error:
        detail = f"{type(error).__name__}: {error}".rstrip(": ")
        raise LemmascopeError(f"{path}:{_line(error, path)}: running the file failed with {detail}") from error


def _line(error: BaseException, path: Path) -> int:
    frames = traceback.extract_tb(error.__traceback__)
    return next((frame.lineno or 0 for frame in reversed(frames) if Path(frame.filename) == path), 0)
