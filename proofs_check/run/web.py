"""The workbench in the browser and the same as JSON: a local server for one person, over two desks.

Only this machine is served: another host or origin is refused, bodies are limited, and what is sent is data that a
grammar parses in a process with limits on time and memory.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from importlib.resources import files
from itertools import count
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.middleware.base import BaseHTTPMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from proofs_check import __version__
from proofs_check.run.desk import MOST_BYTES, Desk
from theory.errors import LemmascopeError

_AT_ONCE = 0.25
"""Seconds for which a question waits for its verdict before it is told where to look for it."""
_MOST_WAITING = 16
_MOST_KEPT = 200
_HOSTS = ("127.0.0.1", "localhost", "[::1]")
_FILES = {
    "/": ("workbench/page.html", "text/html"),
    "/workbench.js": ("workbench/workbench.js", "text/javascript"),
    "/workbench.css": ("workbench/workbench.css", "text/css"),
    "/schema.json": ("schema.json", "application/json"),
}
_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';"
    " img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
    "Cross-Origin-Resource-Policy": "same-origin",
}


@dataclass
class Question:
    """One question on its way: which engines were asked so far, and the verdict when it is there."""

    id: int
    engines: list[dict[str, Any]] = field(default_factory=list)
    verdict: dict[str, Any] | None = None
    error: str | None = None
    done: asyncio.Event = field(default_factory=asyncio.Event)

    def to_json(self) -> dict[str, Any]:
        """What the page and `GET /verdict/ID` see."""
        state = "refused" if self.error is not None else "done" if self.verdict is not None else "working"
        found = {"schema": 2, "version": __version__, "id": self.id, "state": state, "engines": list(self.engines)}
        return found | {"verdict": self.verdict, "error": self.error}


class Workbench:
    """The questions of one server; one desk decides, the other shows, so that typing never waits for a proof."""

    def __init__(self, deciding: Desk, showing: Desk) -> None:
        self.deciding, self.showing = deciding, showing
        self.questions: dict[int, Question] = {}
        self._numbers = count(1)
        self._tasks: set[asyncio.Task[None]] = set()

    async def check(self, request: Request) -> Response:
        """`POST /check`: the verdict when it is there at once, else where to look for it."""
        asked = await _body(request)
        waiting = sum(not question.done.is_set() for question in self.questions.values())
        if waiting >= _MOST_WAITING:
            return _error("too many questions are waiting: ask again when some are answered", 429)
        question = Question(next(self._numbers))
        self.questions[question.id] = question
        for old in list(self.questions)[:-_MOST_KEPT]:
            del self.questions[old]
        task = asyncio.create_task(self._decide(question, asked))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        try:
            await asyncio.wait_for(question.done.wait(), _AT_ONCE)
        except TimeoutError:
            return JSONResponse(question.to_json(), 202)
        return JSONResponse(question.to_json(), 400 if question.error is not None else 200)

    async def _decide(self, question: Question, asked: dict[str, Any]) -> None:
        loop = asyncio.get_running_loop()

        def hear(engine: str, seconds: float) -> None:
            loop.call_soon_threadsafe(question.engines.append, {"engine": engine, "seconds": round(seconds, 2)})

        try:
            question.verdict = await run_in_threadpool(self.deciding.ask, "check", asked, hear)
        except LemmascopeError as error:
            question.error = str(error)
        finally:
            question.done.set()

    async def verdict(self, request: Request) -> Response:
        """`GET /verdict/ID`: which engines were asked so far, and the verdict."""
        question = self.questions.get(int(request.path_params["id"]))
        if question is None:
            return _error("no such question: it was never asked, or is forgotten", 404)
        return JSONResponse(question.to_json())

    async def look(self, request: Request) -> Response:
        """`POST /look`: the statement typeset, its dynamics, equilibria and sliders."""
        return await self._shown("look", request)

    async def trajectory(self, request: Request) -> Response:
        """`POST /trajectory`: one trajectory from the values of the sliders."""
        return await self._shown("trajectory", request)

    async def _shown(self, action: str, request: Request) -> Response:
        asked = await _body(request)
        try:
            return JSONResponse(await run_in_threadpool(self.showing.ask, action, asked))
        except LemmascopeError as error:
            return _error(str(error), 400)


def application(workbench: Workbench, port: int) -> Starlette:
    """The web application, for requests that name this machine and this port."""
    routes = [Route(path, _sent) for path in _FILES]
    routes += [Route("/site.css", _sent)]
    routes += [
        Route("/check", workbench.check, methods=["POST"]),
        Route("/look", workbench.look, methods=["POST"]),
        Route("/trajectory", workbench.trajectory, methods=["POST"]),
        Route("/verdict/{id:int}", workbench.verdict),
    ]
    guard = Middleware(BaseHTTPMiddleware, dispatch=_guard(port))
    return Starlette(routes=routes, middleware=[guard], exception_handlers={_RefusedError: _refused})


class _RefusedError(Exception):
    """A body that is not read."""

    def __init__(self, sentence: str, code: int) -> None:
        super().__init__(sentence)
        self.code = code


def _refused(_request: Request, error: Exception) -> Response:
    return _error(str(error), error.code if isinstance(error, _RefusedError) else 400)


Next = Callable[[Request], Awaitable[Response]]


def _guard(port: int) -> Callable[[Request, Next], Awaitable[Response]]:
    hosts = {f"{name}:{port}" for name in _HOSTS} | (set(_HOSTS) if port == 80 else set())

    async def guard(request: Request, answer: Next) -> Response:
        origin = request.headers.get("origin")
        if request.headers.get("host") not in hosts:
            return _error("this server answers only to the machine it runs on", 403)
        if origin is not None and origin not in {f"http://{host}" for host in hosts}:
            return _error("this server answers only to its own pages", 403)
        if request.headers.get("sec-fetch-site", "none") not in ("none", "same-origin"):
            return _error("this server answers only to its own pages", 403)
        response = await answer(request)
        response.headers.update(_HEADERS)
        return response

    return guard


async def _body(request: Request) -> dict[str, Any]:
    """The JSON object of a request, of limited size."""
    if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        raise _RefusedError("send a JSON object with content-type application/json", 415)
    received = b""
    async for part in request.stream():
        received += part
        if len(received) > MOST_BYTES:
            raise _RefusedError(f"the question is longer than {MOST_BYTES} bytes", 413)
    try:
        asked = json.loads(received)
    except (ValueError, RecursionError):
        raise _RefusedError("the body is no JSON", 400) from None
    if not isinstance(asked, dict):
        raise _RefusedError("the body is no JSON object", 400)
    return asked


def _error(sentence: str, code: int) -> Response:
    return JSONResponse({"schema": 2, "version": __version__, "error": sentence}, code)


async def _sent(request: Request) -> Response:
    if request.url.path == "/site.css":
        text = (files("proofs_check.report") / "static" / "site.css").read_text(encoding="utf-8")
        return Response(text, media_type="text/css")
    name, kind = _FILES[request.url.path]
    return Response((files("proofs_check.run") / name).read_text(encoding="utf-8"), media_type=kind)
