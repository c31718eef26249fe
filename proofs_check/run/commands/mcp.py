"""Serve agents over standard input and output with the Model Context Protocol (extra: mcp).

Tools: check_statement, find_counterexample, sharpen, derive, plot, list_library, explain_verdict. A statement is an
object or a sentence in LaTeX; it is parsed, never executed. One process keeps the engines warm, with limits on time and
memory. In the configuration of a client:

  {"mcpServers": {"lemmascope": {"command": "lemmascope", "args": ["mcp"]}}}
"""

from __future__ import annotations

import argparse

from proofs_check.run.commands.options import add_limits


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Limits."""
    add_limits(parser)


def run(options: argparse.Namespace) -> int:
    """Serve until the client leaves."""
    from theory.errors import LemmascopeError

    try:
        from proofs_check.run.mcp_server import server
    except ImportError as error:
        raise LemmascopeError("`lemmascope mcp` needs the extra `mcp`: pip install 'lemmascope[mcp]'") from error
    from proofs_check.run.desk import MEGABYTES, SECONDS, Desk

    with Desk(seconds=options.timeout or SECONDS, memory=options.memory or MEGABYTES) as desk:
        desk.start()
        server(desk).run("stdio")
    return 0
