"""The workbench answers this machine only, in time, with verdicts that arrive, and never runs what it is sent."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest

testclient = pytest.importorskip("starlette.testclient", reason="comes with the extras `serve` and `test`")

from proofs_check.run import web  # noqa: E402
from proofs_check.run.desk import Desk  # noqa: E402
from proofs_check.run.web import Workbench, application  # noqa: E402

HOST = "http://127.0.0.1:8717"
SQUARES = {"statement": {"variables": {"x": "[0, 1]"}, "then": "x**2 <= x"}}
DESCENT = {
    "statement": {
        "variables": {"eta": "(0, 3)", "x0": "[1, 2]"},
        "dynamics": {"gradient_descent": {"loss": "x**2/2", "state": ["x"], "rate": "eta"}},
        "start": {"x": "x0"},
        "then": {"always": "x**2 <= x0**2"},
    }
}


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LEMMASCOPE_HOME", str(tmp_path_factory.mktemp("home")))
        with Desk() as deciding, Desk() as showing:
            made = application(Workbench(deciding, showing), 8717)
            with testclient.TestClient(made, base_url=HOST) as found:
                yield found


def verdict(client: Any, question: dict[str, Any]) -> dict[str, Any]:
    answer = client.post("/check", json={"effort": "quick", **question}).json()
    end = time.monotonic() + 1000
    while answer["state"] == "working":
        assert time.monotonic() < end
        time.sleep(0.05)
        answer = client.get(f"/verdict/{answer['id']}").json()
    return answer


def test_verdicts_arrive_engine_by_engine(client: Any) -> None:
    found = verdict(client, DESCENT)
    assert found["verdict"]["outcome"] == "refuted"
    assert found["engines"][0]["engine"] == "witness"
    proved = verdict(client, {"latex": r"For all $x \in [0, 1]$, we have $x^2 \le x$."})
    assert proved["verdict"]["outcome"] == "proved"
    assert proved["verdict"]["certificate_reference"]["about"]


def test_a_remembered_check_is_answered_at_once(client: Any) -> None:
    verdict(client, SQUARES)
    answer = client.post("/check", json={"effort": "quick", **SQUARES})
    assert answer.status_code in (200, 202)  # a busy machine may be late, but the same question needs no engine
    assert verdict(client, SQUARES)["engines"] == []


def test_the_statement_its_dynamics_and_a_trajectory_are_shown(client: Any) -> None:
    shown = client.post("/look", json=DESCENT).json()
    assert shown["mathml"].startswith("<math")
    assert shown["equilibria"][0]["latex"] == "0"
    assert shown["equilibria"][0]["multiplier"]["latex"] == r"1 - \eta"
    assert "Always(Le(x**2, x0**2, evaluate=False))" in shown["file"]
    assert [one["name"] for one in shown["sliders"]] == ["eta", "x0"]
    run = client.post("/trajectory", json={**DESCENT, "values": {"eta": 0.5, "x0": 1}}).json()
    assert run["states"]["x"][:3] == [1.0, 0.5, 0.25]


@pytest.mark.parametrize(
    ("headers", "code"),
    [
        ({"host": "evil.example"}, 403),
        ({"host": "127.0.0.1:9999"}, 403),
        ({"host": "127.0.0.1.evil.example:8717"}, 403),
        ({"origin": "http://evil.example"}, 403),
        ({"origin": "null"}, 403),
        ({"origin": "https://127.0.0.1:8717"}, 403),
        ({"sec-fetch-site": "cross-site"}, 403),
        ({"content-type": "text/plain"}, 415),
        ({"origin": HOST}, 200),
        ({"host": "localhost:8717"}, 200),
    ],
)
def test_other_hosts_and_origins_are_refused(client: Any, headers: dict[str, str], code: int) -> None:
    answer = client.post(
        "/look", content=b'{"latex": "$1 < 2$"}', headers={"content-type": "application/json", **headers}
    )
    assert answer.status_code == code, answer.text
    if code != 415:
        assert client.get("/", headers=headers).status_code == code


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"no json", 400),
        (b"[1]", 400),
        (b"[" * 100_000, 400),
        (b'{"latex": "' + b"x" * 300_000 + b'"}', 413),
        (b'{"statement": {"then": "__import__(\'os\').getcwd() == 1"}}', 400),
        (b'{"id": "../../etc/passwd"}', 400),
        (b"{}", 400),
    ],
)
def test_bad_bodies_get_a_sentence(client: Any, body: bytes, code: int) -> None:
    answer = client.post("/look", content=body, headers={"content-type": "application/json"})
    assert answer.status_code == code
    assert answer.json()["error"]


def test_a_refused_check_and_a_forgotten_one_say_so(client: Any) -> None:
    refused = verdict(client, {"statement": {"variables": {"x": "reals"}, "then": "open('x') == 1"}})
    assert refused["state"] == "refused"
    assert "only numbers are constants" in refused["error"]
    assert client.get("/verdict/999999").status_code == 404
    assert client.get("/check").status_code == 405


def test_pages_forbid_foreign_content(client: Any) -> None:
    page = client.get("/")
    assert "default-src 'none'" in page.headers["content-security-policy"]
    for path in ("/workbench.js", "/workbench.css", "/site.css", "/schema.json"):
        assert client.get(path).status_code == 200


def test_an_answer_that_takes_too_long_is_stopped_and_the_next_is_answered() -> None:
    with Desk(seconds=1000) as desk:
        desk.ask("list", {"pattern": "edge_of_stability/theorem-3.3"})
        desk.seconds = 0.01
        with pytest.raises(web.LemmascopeError, match=r"longer than 0\.01 seconds"):
            desk.ask("check", {**DESCENT, "effort": "deep"})
        desk.seconds = 1000
        assert desk.ask("list", {"pattern": "edge_of_stability/theorem-3.3"})["count"] == 1
