"""The command line: one small module of `proofs_check.run.commands` for each command, imported when it is needed."""

from __future__ import annotations

import argparse
import difflib
import importlib
import os
import re
import sys
from collections.abc import Sequence
from typing import NoReturn

from proofs_check import __version__
from proofs_check.shadows import refuse_shadows

COMMANDS = {
    "list": "what there is, by paper and number",
    "verify": "verdicts on the built-in library",
    "check": "verdicts on your own statement files",
    "steps": "a proof, step by step, with the first false one marked",
    "sharpen": "the best value of a constant, certified",
    "derive": "the derivation of a statement, every line of it checked",
    "plot": "the picture that belongs to a statement or figure",
    "report": "the whole site, to open in a browser",
    "replay": "re-check stored certificates by an independent path",
    "export": "the Coq proof of a statement as a file that compiles alone",
    "read": "theorems of a LaTeX draft as a statement file",
    "annotate": "badges and an appendix of evidence for a LaTeX draft",
    "serve": "a workbench in the browser and a JSON interface, on this machine only",
    "mcp": "the same for agents, Model Context Protocol over stdio",
    "new": "a commented statement file that already runs",
    "cite": "BibTeX of a statement's source and of the engines",
    "doctor": "engines present, versions, what is missing and how to get it",
}

_EPILOG = """\
examples:
  lemmascope list edge_of_stability          everything the chapter states
  lemmascope verify "*/theorem-*"            all theorems of all papers
  lemmascope sharpen edge_of_stability/theorem-3.3.almost-every
  lemmascope new mine && lemmascope check lemmas_mine.py

Verdicts are kept in .lemmascope (or $LEMMASCOPE_HOME), so a second run only does what changed.
exit code: 0 decided as expected or sampled, 1 what you asserted is refuted, vacuous or suspect, 2 bad input or failure
"""


class _Parser(argparse.ArgumentParser):
    """A parser that knows what a mistyped command was meant to be."""

    def error(self, message: str) -> NoReturn:
        found = re.match(r"argument COMMAND: invalid choice: '([^']*)'", message)
        near = difflib.get_close_matches(found[1], COMMANDS, 1) if found else []
        super().error(f"there is no command {found[1]}: did you mean {near[0]}?" if found and near else message)


def parser() -> argparse.ArgumentParser:
    """The parser of all commands."""
    top = _Parser(
        prog="lemmascope",
        description="A referee for theorems about learning dynamics: proved, refuted, vacuous, sharpened or open.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    top.add_argument("--version", action="version", version=f"lemmascope {__version__}")
    commands = top.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, summary in COMMANDS.items():
        module = importlib.import_module(f"proofs_check.run.commands.{name}")
        one = commands.add_parser(
            name,
            help=summary,
            description=module.__doc__,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        module.add_arguments(one)
    return top


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    try:
        refuse_shadows()
    except ImportError as error:
        print(f"lemmascope: {error}", file=sys.stderr)
        return 2
    options = parser().parse_args(arguments)
    from theory.errors import LemmascopeError

    try:
        code: int = importlib.import_module(f"proofs_check.run.commands.{options.command}").run(options)
    except LemmascopeError as error:
        return _refused(str(error), options)
    except KeyboardInterrupt:
        print("lemmascope: interrupted; everything that was finished is in the ledger", file=sys.stderr)
        return 2
    except BrokenPipeError:
        # the reader of a pipe (head, less) has left; nothing more can be said to it
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        return _refused(f"{error.filename or 'a file'}: {error.strerror or error}", options)
    return code


def _refused(sentence: str, options: argparse.Namespace) -> int:
    """Say what is wrong: to a person on standard error, and to a program as JSON too."""
    print(f"lemmascope: {sentence}", file=sys.stderr)
    if getattr(options, "json", False):
        from proofs_check.report.terminal import as_text

        print(as_text({"error": sentence}))
    return 2


if __name__ == "__main__":
    sys.exit(main())
