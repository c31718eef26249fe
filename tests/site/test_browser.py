"""In a browser every page opens from disk without an error, can be searched and printed, and runs no foreign code."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlparse

import pytest

from proofs_check.report import keeping
from proofs_check.report import site as site_module
from proofs_check.report.exhibits import Exhibit, Line, exhibits
from proofs_check.report.typeset import formula
from proofs_check.verdict import Outcome, Strength, Verdict
from theory.library import Entry, find
from theory.statements import Source

pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning")
HOSTILE = '<script>window.hacked=1</script><img src=x onerror="window.hacked=1">"\'><svg onload=window.hacked=1>'
IDS = ["edge_of_stability/corollary-2", "edge_of_stability/proposition-2", "edge_of_stability/proposition-2#c1"]
IDS += ["edge_of_stability/theorem-3.3", "swing_by/equation-2.1", "graph_expressiveness/lemma-a.4"]


def _entries() -> list[Entry]:
    found = [find(id_)[0] for id_ in IDS]
    hostile = found[0]
    return [Entry(hostile.id, HOSTILE, Source(hostile.source.paper, HOSTILE), hostile.build), *found[1:]]


def _verdicts() -> list[Verdict]:
    outcomes = [Outcome.VACUOUS, Outcome.REFUTED, Outcome.REFUTED, Outcome.PROVED, Outcome.SAMPLED, Outcome.OPEN]
    return [
        Verdict(
            outcome,
            Strength.EXACT if outcome is Outcome.PROVED else None,
            "polynomial",
            id=id_,
            counterexample={HOSTILE: HOSTILE} if outcome is Outcome.REFUTED else None,
            correction=HOSTILE if outcome is Outcome.REFUTED else None,
            witness={"x": HOSTILE},
            sharp={HOSTILE: {"stated": "1", "best": HOSTILE}} if outcome is Outcome.PROVED else None,
            coverage=HOSTILE,
            notes=(HOSTILE,),
        )
        for id_, outcome in zip(IDS, outcomes, strict=True)
    ]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LEMMASCOPE_HOME", str(tmp_path_factory.mktemp("home")))

        def with_foreign_formulas(verdicts: Any, *rest: Any) -> dict[str, Exhibit]:
            shown = exhibits(verdicts, *rest)
            lines = (Line(HOSTILE, HOSTILE, formula(rf"\text{{{HOSTILE}}}")), Line("", "", formula("x < y")))
            return {**shown, IDS[0]: Exhibit(formula(HOSTILE), HOSTILE, lines, undrawn=HOSTILE)}

        patch.setattr(site_module, "exhibits", with_foreign_formulas)
        patch.setattr(keeping, "_PATIENCE", 120.0)
        folder = tmp_path_factory.mktemp("site")
        site_module.write_site(folder, _entries(), _verdicts())
        yield folder


def pages(site: Path) -> list[Path]:
    found = sorted(site.rglob("*.html"))
    assert len(found) == len(IDS) + 4  # a page for each statement, one for each of three papers, the front page
    return found


def resize(browser: Any, width: int) -> None:
    size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 600}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)


def emulate(browser: Any, **media: Any) -> None:
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "", "features": [], **media})


def brightness(browser: Any) -> float:
    colour = browser.execute_script("return getComputedStyle(document.body).backgroundColor")
    return sum(int(part) for part in colour[colour.index("(") + 1 : -1].split(",")[:3]) / (3 * 255)


@pytest.mark.parametrize("width", [1200, 390], ids=["desktop", "phone"])
def test_every_page_opens_without_errors_and_fits(browser: Any, site: Path, width: int) -> None:
    resize(browser, width)
    for page in pages(site):
        browser.get(page.as_uri())
        assert browser.get_log("browser") == [], page
        assert browser.execute_script("return document.documentElement.scrollWidth <= innerWidth"), page
        assert browser.execute_script("return document.querySelector('main').innerText.length") > 40
        assert browser.execute_script("return getComputedStyle(document.querySelector('.brand')).fontWeight") == "700"


def test_foreign_markup_and_scripts_stay_inert(browser: Any, site: Path) -> None:
    for page in pages(site):
        browser.get(page.as_uri())
        assert browser.execute_script("return typeof window.hacked") == "undefined", page
        assert browser.find_elements("css selector", "img[src=x], main svg, main script:not([src])") == []
    browser.get((site / "edge_of_stability" / "corollary-2.html").as_uri())
    assert "<script>" in browser.find_element("css selector", "main").text


def test_foreign_text_in_the_search_results_stays_inert(browser: Any, site: Path) -> None:
    browser.get((site / "index.html").as_uri())
    browser.find_element("id", "find").send_keys("hacked")
    assert len(browser.find_elements("css selector", "#found li")) == 1
    assert browser.execute_script("return typeof window.hacked") == "undefined"


def test_mathematics_is_drawn(browser: Any, site: Path) -> None:
    resize(browser, 1200)
    for name in ("edge_of_stability/theorem-3.3.html", "swing_by/equation-2.1.html"):
        browser.get((site / name).as_uri())
        sizes = browser.execute_script(
            "return [...document.querySelectorAll('.formula math')].map(m => { const r = m.getBoundingClientRect();"
            " return [r.width, r.height, m.querySelectorAll('mi').length]; })"
        )
        assert sizes
        assert all(width > 80 and height > 15 and letters > 3 for width, height, letters in sizes)
        written = browser.execute_script("return document.getElementById('latex').textContent")
        assert "\\in" in written


def test_a_derivation_and_a_picture_are_shown(browser: Any, site: Path) -> None:
    browser.get((site / "edge_of_stability" / "theorem-3.3.html").as_uri())
    assert len(browser.find_elements("css selector", ".derivation li math")) >= 3
    browser.execute_script("document.querySelector('figure.picture img').loading = 'eager'")
    width = "const i = document.querySelector('figure.picture img'); return i.decode().then(() => i.naturalWidth)"
    assert browser.execute_script(width) > 100


def test_the_front_page_finds_statements(browser: Any, site: Path) -> None:
    browser.get((site / "index.html").as_uri())
    box = browser.find_element("id", "find")
    box.send_keys("theorem 3.3")
    (hit,) = browser.find_elements("css selector", "#found li a")
    assert hit.text == "edge_of_stability/theorem-3.3"
    box.clear()
    box.send_keys("no such thing")
    assert browser.find_elements("css selector", "#found li") == []
    box.clear()
    box.send_keys("edge_of_stability/theorem-3.3")
    browser.find_element("css selector", "#found li a").click()
    assert "Theorem 3.3" in browser.find_element("css selector", "h1").text


def test_a_paper_is_filtered_by_outcome_and_words(browser: Any, site: Path) -> None:
    browser.get((site / "edge_of_stability" / "index.html").as_uri())

    def shown() -> int:
        return len([row for row in browser.find_elements("css selector", "#statements tbody tr") if row.is_displayed()])

    everything = shown()
    assert everything == 4
    browser.find_element("css selector", "input[value=proved]").click()
    assert shown() == 3
    browser.find_element("id", "query").send_keys("composition")
    assert 1 <= shown() < 3
    browser.find_element("id", "query").send_keys(" nothing has this word")
    assert shown() == 0
    assert browser.find_element("id", "none").is_displayed()


def test_every_link_leads_to_a_file(browser: Any, site: Path) -> None:
    gather = "return [...document.querySelectorAll('[href], [src]')].map(e => e.href || e.src)"
    for page in pages(site):
        browser.get(page.as_uri())
        targets = browser.execute_script(gather)
        assert targets
        for target in targets:
            parts = urlparse(target)
            assert parts.scheme == "file", target
            assert Path(unquote(parts.path)).is_file(), target


def test_light_and_dark_follow_the_system_and_the_button(browser: Any, site: Path) -> None:
    page = (site / "index.html").as_uri()
    for scheme, dark in (("light", False), ("dark", True)):
        emulate(browser, features=[{"name": "prefers-color-scheme", "value": scheme}])
        browser.get(page)
        assert (brightness(browser) < 0.3) is dark
        browser.find_element("id", "theme").click()
        assert (brightness(browser) < 0.3) is not dark
        browser.execute_script("localStorage.clear()")
    emulate(browser)


def test_the_printed_page_has_no_controls(browser: Any, site: Path) -> None:
    browser.get((site / "edge_of_stability" / "index.html").as_uri())
    emulate(browser, media="print")
    hidden = (
        "return [...document.querySelectorAll('.bar, .filters, button')].every(e => e.getClientRects().length === 0)"
    )
    assert browser.execute_script(hidden)
    assert brightness(browser) == 1.0
    assert browser.find_element("id", "statements").is_displayed()
    emulate(browser)


def test_a_formula_is_copied_as_latex(browser: Any, site: Path) -> None:
    browser.get((site / "edge_of_stability" / "theorem-3.3.html").as_uri())
    allowed = ["clipboardReadWrite", "clipboardSanitizedWrite"]
    browser.execute_cdp_cmd("Browser.grantPermissions", {"permissions": allowed})
    browser.find_element("css selector", "[data-copy=latex]").click()
    read = "return navigator.clipboard.readText()"
    written = browser.execute_script("return document.getElementById('latex').textContent")
    assert browser.execute_script(read) == written


@pytest.mark.parametrize(
    ("asked", "first"),
    [
        ("thm 3.3", "edge_of_stability/theorem-3.3"),
        ("Eq. 2.1", "swing_by/equation-2.1"),
        ("swing-by", "swing_by/equation-2.1"),
        ("Prop. 2", "edge_of_stability/proposition-2"),
        ("theorm 3.3", "edge_of_stability/theorem-3.3"),
        ("proved theorem", "edge_of_stability/theorem-3.3"),
    ],
)
def test_the_search_knows_short_names_and_forgives_a_letter(browser: Any, site: Path, asked: str, first: str) -> None:
    browser.get((site / "index.html").as_uri())
    browser.find_element("id", "find").send_keys(asked)
    assert browser.find_element("css selector", "#found li a").text == first
    assert "match" in browser.find_element("id", "more").text


def test_a_severity_opens_and_a_paper_hides_its_steps(browser: Any, site: Path) -> None:
    browser.get((site / "index.html").as_uri())
    closed = "return [...document.querySelectorAll('details.severity')].filter(part => !part.open).length"
    assert browser.execute_script(closed) >= 1
    for link in browser.find_elements("css selector", ".severities a"):
        link.click()
    assert browser.execute_script(closed) == 0
    browser.get((site / "edge_of_stability" / "index.html").as_uri())
    rows = "return [...document.querySelectorAll('#statements tbody tr')].filter(row => !row.hidden).length"
    everything = browser.execute_script(rows)
    browser.find_element("id", "steps").click()
    assert browser.execute_script(rows) == everything - 1
