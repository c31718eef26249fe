"""The Model Context Protocol: what an agent can ask, as tools, and what it can read, as resources.

Statements come as data and are parsed by grammars; nothing of them is executed. All work is done by a `Desk`.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Mapping
from functools import partial
from importlib.resources import files
from typing import Any, Literal

from anyio import to_thread
from mcp.server import MCPServer
from mcp.server.mcpserver import Image
from mcp.server.mcpserver.exceptions import ToolError

from proofs_check import __version__
from proofs_check.report.explain import OUTCOMES
from proofs_check.run.desk import Desk
from theory.errors import LemmascopeError
from theory.library import entry, find, paper_of
from theory.written import DOMAINS, FIELDS

Effort = Literal["quick", "standard", "deep"]
Written = dict[str, Any] | None

_HONESTY = (
    "Outcomes are never more than their evidence: proved and refuted were accepted by a kernel (refuted comes with an"
    " exact counterexample), vacuous means that no point satisfies the hypotheses. suspect means that violations were"
    " seen in floating point only. sampled and open decide nothing: report them as undecided, never as true."
)
_SUBJECT = (
    "Give exactly one of: statement (an object, see the resource lemmascope://docs/statement), latex (a sentence such"
    r" as 'For all $x \in [0, 1]$, we have $x^2 \le x$.'), id (of the library, see list_library). Text is parsed,"
    " never run; what can be read in two ways is refused with the reason."
)
_ABOUT = {
    "check_statement": f"Decide a statement. {_SUBJECT} {_HONESTY} The answer has outcome, strength, trust (what a"
    " decision rests on), counterexample, witness, correction, notes, and certificate_reference, which names the"
    " certificate that the kernel accepted.",
    "find_counterexample": f"Look for a certified counterexample to a statement. {_SUBJECT} When none is found nothing"
    " is proved by that unless the answer says that the statement is proved.",
    "sharpen": f"Find the best value of a constant of a statement, proved on one side and refuted beyond. {_SUBJECT}"
    " A comparison with a number needs no mark; then the constant is called bound.",
    "derive": "Derive a statement from its loss or update rule; every line was proved by an engine, the others are"
    f" left out and counted. {_SUBJECT}",
    "plot": f"Draw the picture that belongs to a statement. {_SUBJECT} A picture is no evidence.",
    "list_library": "List what the built-in library of papers states. pattern is an id, a paper, or a shell pattern"
    " such as swing_by/lemma-*; steps=true lists proof steps too. At most 200 are listed; count says how many there"
    " are. scope says how much of the printed item an entry covers: only whole is the printed theorem.",
    "explain_verdict": "Say in words why the verdict on a statement can be believed and what it does not say."
    f" {_SUBJECT} {_HONESTY}",
}


def server(desk: Desk) -> MCPServer[Any]:
    """The server over a desk."""
    made: MCPServer[Any] = MCPServer(
        "lemmascope",
        title="Lemmascope",
        version=__version__,
        instructions=f"A referee for theorems about learning dynamics and real inequalities. {_HONESTY}",
        log_level="WARNING",
    )
    for tool in _tools(desk):
        made.add_tool(tool, description=_ABOUT[tool.__name__])
    _add_resources(made)
    return made


def _tools(desk: Desk) -> list[Callable[..., Any]]:
    async def ask(action: str, **question: Any) -> Any:
        try:
            return await to_thread.run_sync(partial(desk.ask, action, question))
        except LemmascopeError as error:
            raise ToolError(str(error)) from error

    async def check_statement(
        statement: Written = None,
        latex: str = "",
        id: str = "",  # noqa: A002 - the word of the interface
        effort: Effort = "standard",
    ) -> dict[str, Any]:
        return dict(await ask("check", statement=statement, latex=latex, id=id, effort=effort))

    async def find_counterexample(
        statement: Written = None,
        latex: str = "",
        id: str = "",  # noqa: A002
        effort: Effort = "standard",
    ) -> dict[str, Any]:
        return dict(await ask("find_counterexample", statement=statement, latex=latex, id=id, effort=effort))

    async def sharpen(
        statement: Written = None,
        latex: str = "",
        id: str = "",  # noqa: A002
        constant: str | None = None,
        effort: Effort = "standard",
    ) -> dict[str, Any]:
        return dict(await ask("sharpen", statement=statement, latex=latex, id=id, constant=constant, effort=effort))

    async def derive(statement: Written = None, latex: str = "", id: str = "") -> dict[str, Any]:  # noqa: A002
        return dict(await ask("derive", statement=statement, latex=latex, id=id, effort="quick"))

    async def plot(statement: Written = None, latex: str = "", id: str = "") -> Image:  # noqa: A002
        found = await ask("plot", statement=statement, latex=latex, id=id)
        return Image(data=base64.b64decode(found["base64"]), format="png")

    async def list_library(pattern: str = "", steps: bool = False) -> dict[str, Any]:
        return dict(await ask("list", pattern=pattern, steps=steps))

    async def explain_verdict(
        statement: Written = None,
        latex: str = "",
        id: str = "",  # noqa: A002
        effort: Effort = "standard",
    ) -> dict[str, Any]:
        return dict(await ask("explain", statement=statement, latex=latex, id=id, effort=effort))

    return [check_statement, find_counterexample, sharpen, derive, plot, list_library, explain_verdict]


def _add_resources(made: MCPServer[Any]) -> None:
    for uri, mime, about, read in (
        ("lemmascope://docs/statement", "text/markdown", "How to write a statement", written_statements),
        ("lemmascope://docs/verdict", "text/markdown", "What the outcomes mean", _outcomes),
        ("lemmascope://docs/schema", "application/json", "The schema of --json", _schema),
        ("lemmascope://papers", "application/json", "The papers of the library", _papers),
        ("lemmascope://page/{paper}/{number}", "text/markdown", "A page of the library", page),
    ):
        made.resource(uri, name=about, mime_type=mime, description=about)(read)


def _outcomes() -> str:
    return _HONESTY + "\n\n" + "\n".join(f"- **{outcome}**: {text}" for outcome, text in OUTCOMES.items())


def _schema() -> str:
    return (files("proofs_check.run") / "schema.json").read_text(encoding="utf-8")


def written_statements() -> str:
    """How a statement is written as data."""
    example: Mapping[str, Any] = {
        "variables": {"L": "positive", "eta": "positive", "x0": "reals"},
        "given": ["eta*L < 2"],
        "dynamics": {"gradient_descent": {"loss": "L*x**2/2", "state": ["x"], "rate": "eta"}},
        "start": {"x": "x0"},
        "then": {"converges_to": ["x", "0"]},
    }
    fields = "\n".join(f"- `{name}`: {text}" for name, text in FIELDS.items())
    shown = json.dumps(example, indent=1)
    named = ", ".join(DOMAINS)
    return (
        f"# A statement as data\n\nFor all variables in their domains that satisfy `given`: `then`.\n\n{fields}\n\n"
        f"Domains: {named}, vectors, intervals such as [0, 1), sets such as {{1, 2}}. Numbers are exact.\n\n"
        f"```json\n{shown}\n```\n"
    )


def _papers() -> str:
    keys = dict.fromkeys(one.id.partition("/")[0] for one in find())
    return json.dumps({key: paper_of(find(key)[0].id).title for key in keys}, indent=1)


def page(paper: str, number: str) -> str:
    """What the library says of one entry."""
    found = entry(f"{paper}/{number}")
    stated = f"$$ {found.statement().latex()} $$" if found.is_stated else str(found.scope)
    claims = f"\n\nThe paper claims: {found.claims}" if found.claims else ""
    return (
        f"# {found.source.label}\n\n{found.title}\n\nScope: {found.scope}{claims}\n\n{stated}\n\n"
        f"```bibtex\n{paper_of(found.id).bibtex}\n```\n"
    )
