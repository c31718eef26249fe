"""Execute the notebooks of this folder and store what their cells show; `--check` only says whether they still run.

Nothing but the project is needed: a cell is run as Python and its last value shows itself as it would in Jupyter.
"""

from __future__ import annotations

import argparse
import ast
import base64
import contextlib
import io
import json
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
_TEXTS = {"text/html": "_repr_html_", "text/markdown": "_repr_markdown_", "text/latex": "_repr_latex_"}


def executed(notebook: dict[str, Any]) -> dict[str, Any]:
    """The notebook with the outputs of its cells; a cell that raises stops it."""
    names: dict[str, Any] = {"__name__": "__main__"}
    cells: list[dict[str, Any]] = []
    for cell in notebook["cells"]:
        run = {}
        if cell["cell_type"] == "code":
            number = 1 + sum(done["cell_type"] == "code" for done in cells)
            run = {"outputs": _outputs("".join(cell["source"]), names, number), "execution_count": number}
        cells.append(cell | run)
    return notebook | {"cells": cells}


def _outputs(source: str, names: dict[str, Any], number: int) -> list[dict[str, Any]]:
    body = ast.parse(source)
    last = body.body.pop() if body.body and isinstance(body.body[-1], ast.Expr) else None
    printed, value = io.StringIO(), None
    with contextlib.redirect_stdout(printed):
        exec(compile(body, f"cell {number}", "exec"), names)  # noqa: S102 - the cells are this project's own
        if last is not None:
            value = eval(compile(ast.Expression(last.value), f"cell {number}", "eval"), names)  # noqa: S307
    outputs: list[dict[str, Any]] = []
    if printed.getvalue():
        outputs.append({"output_type": "stream", "name": "stdout", "text": _lines(printed.getvalue())})
    if value is not None:
        result = {"output_type": "execute_result", "metadata": {}, "execution_count": number}
        outputs.append(result | {"data": _shown(value)})
    return outputs


def _shown(value: Any) -> dict[str, Any]:
    data: dict[str, Any] = {"text/plain": _lines(repr(value))}
    for kind, method in _TEXTS.items():
        if hasattr(value, method) and (text := getattr(value, method)()):
            data[kind] = _lines(text)
    if hasattr(value, "_repr_png_") and "text/latex" not in data:
        data["image/png"] = base64.b64encode(value._repr_png_()).decode()
        data["text/plain"] = [f"<{type(value).__name__}>"]
    return data


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def formulas(notebook: dict[str, Any]) -> list[Any]:
    """What must not change from run to run: the formulas that cells show."""
    return [
        output["data"].get("text/latex")
        for cell in notebook["cells"]
        for output in cell.get("outputs", ())
        if "data" in output
    ]


def main() -> int:
    """Execute all notebooks or the named ones."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("name", nargs="*", help="a notebook (default: all)")
    options.add_argument("--check", action="store_true", help="do not store anything")
    given = options.parse_args()
    stale = []
    for path in [HERE / name for name in given.name] or sorted(HERE.glob("*.ipynb")):
        stored = json.loads(path.read_text(encoding="utf-8"))
        now = executed(stored)
        if not given.check:
            path.write_text(json.dumps(now, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        elif formulas(now) != formulas(stored):
            stale.append(path.name)
    if stale:
        print(f"not current: {', '.join(stale)}; run python examples/notebooks.py")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
