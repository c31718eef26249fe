"""Build the documentation site offline: `python docs/site.py -o DIR` (needs the extra `docs`).

The pages are those of this folder, the notebooks and derivations of `examples/`, and the interface from docstrings;
formulas become MathML, so that nothing is loaded from elsewhere.
"""

from __future__ import annotations

import argparse
import base64
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Any

from proofs_check.report.typeset import formula

HERE = Path(__file__).parent
ROOT = HERE.parent
sys.path.insert(0, str(HERE))

import api  # noqa: E402 - a neighbour of this script

_FENCED = re.compile(r"(```.*?```|`[^`\n]*`)", re.DOTALL)
_MATH = re.compile(r"\$\$(.+?)\$\$|\$([^$\n]+?)\$", re.DOTALL)
_FOREIGN_SCRIPT = "https://unpkg.com/iframe-worker/shim"


def stage(folder: Path) -> None:
    """Write all pages, as mkdocs reads them, into a folder."""
    for page in HERE.glob("*.md"):
        (folder / page.name).write_text(_linked(page.read_text(encoding="utf-8")), encoding="utf-8")
    shutil.copy(ROOT / "CHANGELOG.md", folder / "changelog.md")
    (folder / "tutorials").mkdir()
    for notebook in sorted((ROOT / "examples").glob("*.ipynb")):
        text = "\n\n".join(
            _cells(json.loads(notebook.read_text(encoding="utf-8")), folder / "tutorials", notebook.stem)
        )
        (folder / "tutorials" / f"{notebook.stem}.md").write_text(text, encoding="utf-8")
    (folder / "derivations").mkdir()
    for derivation in sorted((ROOT / "examples" / "derivations").glob("*.md")):
        text = with_mathml(derivation.read_text(encoding="utf-8"))
        (folder / "derivations" / derivation.name).write_text(text, encoding="utf-8")
    (folder / "api").mkdir()
    for name, text in api.pages().items():
        (folder / "api" / f"{name}.md").write_text(text, encoding="utf-8")


def _linked(text: str) -> str:
    """Links to notebooks and derivations as links to their pages."""
    text = re.sub(r"\]\(\.\./examples/derivations/([^)]+)\.md\)", r"](derivations/\1.md)", text)
    text = re.sub(r"\]\(\.\./examples/([^)/]+)\.ipynb\)", r"](tutorials/\1.md)", text)
    return re.sub(r"\]\(\.\./CHANGELOG\.md\)", "](changelog.md)", text)


def with_mathml(text: str) -> str:
    """Markdown whose formulas, outside of code, are MathML; one that cannot be typeset stays as it is written."""

    def typeset(found: re.Match[str]) -> str:
        display, inline = found.groups()
        markup = formula((display or inline).strip()).mathml
        if not markup:
            return f"<code>{escape(display or inline)}</code>"
        return f'<span class="formula">{markup}</span>' if display else markup

    parts = _FENCED.split(text)
    return "".join(part if part.startswith("`") else _MATH.sub(typeset, part) for part in parts)


def _cells(notebook: dict[str, Any], folder: Path, stem: str) -> Iterator[str]:
    pictures = 0
    for cell in notebook["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            yield with_mathml(source)
            continue
        yield f"```python\n{source}\n```"
        for output in cell["outputs"]:
            data = output.get("data", {})
            if "image/png" in data:
                pictures += 1
                name = f"{stem}-{pictures}.png"
                (folder / name).write_bytes(base64.b64decode("".join(data["image/png"])))
                yield f"![picture]({name})"
            elif "text/latex" in data:
                yield with_mathml(f"$${''.join(data['text/latex']).strip().strip('$')}$$")
            elif "text/markdown" in data:
                yield with_mathml("".join(data["text/markdown"]))
            else:
                yield f"```text\n{''.join(output.get('text', data.get('text/plain', ''))).rstrip()}\n```"


def search_from_disk(folder: Path) -> None:
    """Put the own script in the place of one that the theme loads from elsewhere so that search works on disk."""
    for page in folder.rglob("*.html"):
        own = "/".join([*[".."] * (len(page.relative_to(folder).parts) - 1), "theme", "search-from-disk.js"])
        text = page.read_text(encoding="utf-8")
        page.write_text(text.replace(_FOREIGN_SCRIPT, own), encoding="utf-8")


def leaves_the_site(folder: Path) -> list[str]:
    """The pages of a built site that load something from elsewhere."""
    loads = re.compile(r'<(?:script|link|img)[^>]+(?:src|href)="(https?:)?//[^"]+"')
    kept = re.compile(r'rel="(?:canonical|next|prev)"')
    found = []
    for page in folder.rglob("*.html"):
        tags = [match.group(0) for match in loads.finditer(page.read_text(encoding="utf-8"))]
        if any(not kept.search(tag) for tag in tags):
            found.append(page.name)
    return found


def main() -> int:
    """Stage the pages and let mkdocs build them; a warning, such as a dead link, fails the build."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("-o", "--output", type=Path, default=ROOT / "build" / "docs")
    output = options.parse_args().output.resolve()
    with tempfile.TemporaryDirectory() as work:
        pages = Path(work) / "docs"
        pages.mkdir()
        stage(pages)
        shutil.copy(HERE / "mkdocs.yml", Path(work) / "mkdocs.yml")
        shutil.copytree(HERE / "theme", pages / "theme")
        command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--strict", "--site-dir", str(output)]
        quietly = os.environ | {"NO_MKDOCS_2_WARNING": "1"}
        done = subprocess.run(command, cwd=work, env=quietly, check=False)
    if done.returncode:
        return done.returncode
    search_from_disk(output)
    outside = leaves_the_site(output)
    print(f"wrote {output / 'index.html'}" if not outside else f"these pages load from elsewhere: {', '.join(outside)}")
    return bool(outside)


if __name__ == "__main__":
    sys.exit(main())
