"""In a browser the workbench typesets what is typed, follows its sliders, and shows the verdict, without an error."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette", reason="comes with the extra `serve`")
StaleElementReferenceException = pytest.importorskip(
    "selenium.common.exceptions", reason="selenium comes with the extra `test`"
).StaleElementReferenceException
ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning")


def until(true: Callable[[], Any]) -> Any:
    """What is found once there is something; the page may replace an element while it is read."""
    end = time.monotonic() + 1000
    while True:
        with suppress(StaleElementReferenceException):
            if found := true():
                return found
        assert time.monotonic() < end, "nothing came"
        time.sleep(0.1)


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    environment = os.environ | {"PYTHONPATH": str(ROOT), "LEMMASCOPE_HOME": str(tmp_path_factory.mktemp("home"))}
    server = subprocess.Popen([sys.executable, "-m", "proofs_check", "serve", "--port", str(port)], env=environment)

    def answers() -> bool:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=5) as page:
                return page.status == 200
        except OSError:
            return False

    try:
        until(answers)
        yield f"http://127.0.0.1:{port}/"
    finally:
        server.terminate()
        server.wait(1000)


def type_into(browser: Any, name: str, text: str) -> None:
    box = browser.find_element("id", name)
    box.clear()
    box.send_keys(text)


def test_a_claim_is_typeset_followed_decided_and_kept(browser: Any, address: str) -> None:
    browser.get(address)
    until(lambda: browser.find_elements("css selector", "#typeset math"))
    until(lambda: browser.find_elements("css selector", "#equilibria math"))
    until(lambda: browser.find_elements("css selector", "#picture polyline"))
    curve = until(lambda: browser.find_element("css selector", "#picture polyline").get_attribute("points"))
    slide = "const s = document.querySelector('.slider input'); s.value = s.max; s.dispatchEvent(new Event('input'))"
    browser.execute_script(slide)
    until(lambda: browser.find_element("css selector", "#picture polyline").get_attribute("points") != curve)
    browser.find_element("id", "check").click()
    until(lambda: browser.find_elements("css selector", "#verdict .badge"))
    assert until(lambda: browser.find_element("css selector", "#verdict .badge").text) == "proved"
    assert len(browser.find_elements("css selector", "#history li")) == 1

    type_into(browser, "given", "eta*L < 3")
    browser.find_element("id", "check").click()
    until(lambda: len(browser.find_elements("css selector", "#history li")) == 2)
    assert browser.find_element("css selector", "#verdict .badge").text == "refuted"
    assert "counterexample" in browser.find_element("id", "verdict").text
    browser.find_elements("css selector", "#history button")[1].click()
    assert browser.find_element("id", "given").get_attribute("value") == "eta*L < 2"
    assert browser.get_log("browser") == []


def test_what_cannot_be_read_is_said_and_nothing_runs(browser: Any, address: str) -> None:
    browser.get(address)
    until(lambda: browser.find_elements("css selector", "#typeset math"))
    type_into(browser, "loss", "<img src=x onerror=window.hacked=1>")
    said = until(lambda: browser.find_element("id", "problem").text)
    assert "cannot read" in said
    assert browser.execute_script("return typeof window.hacked") == "undefined"
    size = {"width": 390, "height": 900, "deviceScaleFactor": 1, "mobile": True}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    assert browser.execute_script("return document.documentElement.scrollWidth <= innerWidth")
