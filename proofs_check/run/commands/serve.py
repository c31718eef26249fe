"""Open a workbench in the browser, and the same as a JSON interface, on this machine only (extra: serve).

Type a loss or an update rule and a claim, in LaTeX or Python: the statement is typeset, the dynamics are derived, and
the verdict arrives engine by engine, beside the trajectory for the values of its sliders. Text is parsed, never run.

  lemmascope serve                    then open http://127.0.0.1:8717/
  curl -H 'content-type: application/json' -d '{"latex": "For all $x \\\\in [0, 1]$, we have $x^2 \\\\le x$."}' \\
       http://127.0.0.1:8717/check
"""

from __future__ import annotations

import argparse

from proofs_check.run.commands.options import add_limits


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """--port and limits."""
    parser.add_argument("--port", type=int, default=8717, metavar="N", help="where to listen (default: 8717)")
    add_limits(parser)


def run(options: argparse.Namespace) -> int:
    """Serve until interrupted."""
    from theory.errors import LemmascopeError

    try:
        import uvicorn

        from proofs_check.run.web import Workbench, application
    except ImportError as error:
        raise LemmascopeError("`lemmascope serve` needs the extra `serve`: pip install 'lemmascope[serve]'") from error
    from proofs_check.run.desk import MEGABYTES, SECONDS, Desk

    seconds, memory = options.timeout or SECONDS, options.memory or MEGABYTES
    with Desk(seconds=seconds, memory=memory) as deciding, Desk(seconds=seconds, memory=memory) as showing:
        deciding.start()
        showing.start()
        print(f"the workbench is at http://127.0.0.1:{options.port}/ (Ctrl-C ends it)", flush=True)
        made = application(Workbench(deciding, showing), options.port)
        uvicorn.run(made, host="127.0.0.1", port=options.port, log_level="warning", server_header=False)
    return 0
