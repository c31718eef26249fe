"""Agents get honest verdicts over the Model Context Protocol, through the SDK's own client; their text never runs."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any

import pytest

mcp = pytest.importorskip("mcp", reason="comes with the extra `mcp`")
import anyio  # noqa: E402

from proofs_check.run.desk import Desk  # noqa: E402
from proofs_check.run.mcp_server import server  # noqa: E402

ROOT = Path(__file__).parents[2]
TOOLS = {"check_statement", "find_counterexample", "sharpen", "derive", "plot", "list_library", "explain_verdict"}
SQUARES = {"variables": {"x": "[0, 1]"}, "then": "x**2 <= x"}
DESCENT = {
    "variables": {"eta": "(0, 3)", "x0": "[1, 2]"},
    "dynamics": {"gradient_descent": {"loss": "x**2/2", "state": ["x"], "rate": "eta"}},
    "start": {"x": "x0"},
    "then": {"always": "x**2 <= x0**2"},
}


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LEMMASCOPE_HOME", str(tmp_path_factory.mktemp("home")))
        with Desk() as made:
            yield made


def run(conversation: Callable[[], Coroutine[Any, Any, None]]) -> None:
    anyio.run(conversation)


def content(result: Any) -> dict[str, Any]:
    assert not result.is_error, result
    return json.loads(result.content[0].text)


def test_an_agent_checks_refutes_sharpens_and_reads(desk: Desk) -> None:
    async def conversation() -> None:
        async with mcp.Client(server(desk)) as client:
            tools = (await client.list_tools()).tools
            assert {tool.name for tool in tools} == TOOLS
            described = {tool.name: tool.description for tool in tools}
            assert "never as true" in described["check_statement"]
            proved = content(await client.call_tool("check_statement", {"statement": SQUARES}))
            assert proved["outcome"] == "proved"
            assert len(proved["certificate_reference"]["about"]) == 64
            sentence = r"For all $x \in [0, 2]$, we have $x^2 \le x$."
            false = content(await client.call_tool("find_counterexample", {"latex": sentence, "effort": "quick"}))
            assert false["outcome"] == "refuted"
            assert set(false["counterexample"]) == {"x"}
            moving = content(await client.call_tool("check_statement", {"statement": DESCENT, "effort": "quick"}))
            assert moving["outcome"] == "refuted"
            bound = {"statement": {"variables": {"x": "[0, 1]"}, "then": "x*(1 - x) <= 1"}, "effort": "quick"}
            assert content(await client.call_tool("sharpen", bound))["sharp"]["bound"]["best"] == "1/4"
            said = content(await client.call_tool("explain_verdict", {"statement": SQUARES, "effort": "quick"}))
            assert said["sentences"][0].startswith("Holds on the whole hypothesis set")

    run(conversation)


def test_an_agent_derives_draws_and_lists(desk: Desk) -> None:
    async def conversation() -> None:
        async with mcp.Client(server(desk)) as client:
            steps = content(await client.call_tool("derive", {"statement": DESCENT}))
            assert "the derivative of the loss in x" in steps["markdown"]
            picture = await client.call_tool("plot", {"statement": SQUARES})
            assert picture.content[0].mime_type == "image/png"
            listed = content(await client.call_tool("list_library", {"pattern": "edge_of_stability"}))
            assert listed["count"] > 20
            assert any(row["id"] == "edge_of_stability/theorem-3.3" for row in listed["statements"])
            page = await client.read_resource("lemmascope://page/edge_of_stability/theorem-3.3")
            assert "Theorem 3.3" in page.contents[0].text
            about = await client.read_resource("lemmascope://docs/statement")
            assert "gradient_descent" in about.contents[0].text

    run(conversation)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ({"statement": {"variables": {"x": "reals"}, "then": "__import__('os').system('touch hacked') == 0"}}, "only"),
        ({"statement": {"variables": {"x": "reals"}, "then": "x.__class__ == 1"}}, "only numbers"),
        ({"statement": {"variables": {"x": "reals"}, "then": "eval('1') < 2"}}, "only numbers are constants"),
        ({"statement": {"variables": {"__x": "reals"}, "then": "1 < 2"}}, "no name of a variable"),
        ({"statement": {"then": "9**9**9 > 1"}}, "more than 20000 bits"),
        ({"statement": {"variables": {"x": "reals"}, "then": "x**2 >= 0", "computed": {"name": "walks"}}}, "no field"),
        ({"latex": r"For all $x \in \mathbb{R}$, we have $\input{/etc/passwd} > 0$."}, "cannot read the LaTeX"),
        ({"latex": "The map is a contraction."}, "not read"),
        ({"statement": SQUARES, "latex": "x"}, "give one of"),
        ({"latex": "x" * 300_000}, "are the most"),
        ({"id": "swing_by/no-such"}, "no statement is called"),
        ({}, "give one of"),
    ],
    ids=range(12),
)
def test_foreign_text_is_refused_with_a_sentence(
    desk: Desk, question: dict[str, Any], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    async def conversation() -> None:
        async with mcp.Client(server(desk)) as client:
            result = await client.call_tool("check_statement", question)
            assert result.is_error
            assert said in result.content[0].text

    run(conversation)
    assert list(tmp_path.iterdir()) == []


def test_the_command_speaks_the_protocol_over_stdio(tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "LEMMASCOPE_HOME": str(tmp_path)}
    command = mcp.StdioServerParameters(command=sys.executable, args=["-m", "proofs_check", "mcp"], env=environment)

    async def conversation() -> None:
        async with mcp.Client(command) as client:
            answer = content(await client.call_tool("check_statement", {"statement": SQUARES, "effort": "quick"}))
            assert answer["outcome"] == "proved"

    run(conversation)
