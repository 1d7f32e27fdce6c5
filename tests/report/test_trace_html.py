"""The trace as a page: what is in it, and what a browser makes of it."""

from __future__ import annotations

import io
import re
import shutil
import time
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from devlint.report import trace_html
from devlint.trace import Trace
from tests.tracing import PROGRAM, traced


def page(trace: Trace) -> str:
    """The page."""
    stream = io.StringIO()
    trace_html.render(trace, stream)
    return stream.getvalue()


class Parser(HTMLParser):
    """Notes what is open, and what the page would fetch."""

    VOID = ("br", "col", "meta")

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.fetched: list[str] = []
        self.ids: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in self.VOID:
            self.open.append(tag)
        for name, value in attrs:
            if name == "src" or (name == "href" and not (value or "").startswith("#")):
                self.fetched.append(f"{tag} {value}")
            if name == "id":
                self.ids.append(value or "")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_it_is_well_formed_and_fetches_nothing() -> None:
    parser = Parser()
    parser.feed(page(traced()))
    assert parser.open == []
    assert parser.fetched == []
    assert len(parser.ids) == len(set(parser.ids))
    assert not re.search(r"@import|url\((?!#)", page(traced()))


def test_source_is_escaped() -> None:
    text = page(traced('import torch\nx = torch.ones(2)  # <script>alert("&")</script>\n'))
    assert "# &lt;script&gt;alert(&quot;&amp;&quot;)&lt;/script&gt;" in text
    assert text.count("<script>") == 1


def test_only_the_function_that_was_asked_for() -> None:
    text = page(traced(function="Net.forward"))
    assert 'id="L12"' in text
    assert 'id="L17"' not in text


def test_nothing_to_say() -> None:
    assert "Nothing here has to do with devices." in page(traced("x = 1\n"))


MANY = """\
import torch
from torch import nn
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer_with_a_name_of_no_small_length = nn.Linear(3, 3)
    def forward(self, x, a, thing):
        m = self.layer_with_a_name_of_no_small_length(x)
        p = torch.ones(3) if a else m
        q = torch.ones(3, device="cuda") if a else m
        r = torch.ones(3, device="cuda") if a else torch.ones(3)
        s = torch.ones(3) if a else thing.make()
"""


def lanes(text: str) -> list[str]:
    return re.findall(r'<th class="lane[^>]*>([^<]*)<', text)


def test_places_that_differ_share_a_lane_if_there_are_many() -> None:
    assert lanes(page(traced(MANY)))[-1] == "several"
    assert "s</code> (tensor) is in one of several places: " in page(traced(MANY))
    few = "\n".join(MANY.split("\n")[:-4])
    assert lanes(page(traced(few)))[-1] == "cpu or with its module"


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Chromium, without a window."""
    webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    driver = shutil.which("chromedriver")
    if chromium is None or driver is None:
        pytest.skip("there is no Chromium with its driver here (Debian: chromium, chromium-driver)")
    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1500,1200"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    running = webdriver.Chrome(options=options, service=webdriver.ChromeService(executable_path=driver))
    yield running
    running.quit()


@pytest.fixture
def shown(browser: Any, tmp_path: Path) -> Any:
    """The page of the program, in the browser."""
    file = tmp_path / "trace.html"
    file.write_text(page(traced()), encoding="utf-8")
    browser.get(file.as_uri())
    return browser


def one(shown: Any, selector: str) -> Any:
    return shown.find_element("css selector", selector)


def point_at(shown: Any, selector: str) -> Any:
    from selenium.webdriver.common.action_chains import ActionChains

    found = one(shown, selector)
    shown.execute_script("arguments[0].scrollIntoView({block: 'center'})", found)
    ActionChains(shown).move_to_element(found).perform()
    time.sleep(0.1)
    return found


def test_no_complaints_and_no_requests(shown: Any) -> None:
    assert shown.get_log("browser") == []
    assert shown.execute_script("return performance.getEntriesByType('resource').length") == 0


def test_a_lane_for_each_device_with_its_values(shown: Any) -> None:
    heads = [head.text.split("\n")[0] for head in shown.find_elements("css selector", "th.lane")]
    assert heads == ["cpu", "cuda", "with its module", "with the input"]
    lane = one(shown, "th.lane.accelerator").rect
    value = one(shown, "#L23 .v[data-name=moved]").rect
    assert lane["x"] <= value["x"] < lane["x"] + lane["width"]
    assert abs(value["y"] - one(shown, "#L23 td.source").rect["y"]) < 12


def test_a_move_is_an_arrow_from_lane_to_lane(shown: Any) -> None:
    starts = shown.find_elements("css selector", "#L23 .cpu .from")
    assert len(starts) == 1
    arrows = shown.find_elements("css selector", "#ways path.move")
    moves = [arrow.rect for arrow in arrows]
    start, end = starts[0].rect, one(shown, "#L23 .v[data-name=moved]").rect
    assert any(
        abs(move["x"] - start["x"] - start["width"]) < 8 and abs(move["x"] + move["width"] - end["x"]) < 12
        for move in moves
    )


def test_pointing_at_a_value_tells_its_trail(shown: Any) -> None:
    tip = one(shown, "#L23 .v[data-name=moved] .tip")
    assert not tip.is_displayed()
    point_at(shown, "#L23 .v[data-name=moved]")
    assert tip.is_displayed()
    assert "moved (tensor) moves cpu → cuda | cpu without an accelerator." in tip.text
    assert "comes from this loader, on the CPU (line 20)" in tip.text
    lit = [row.get_attribute("id") for row in shown.find_elements("css selector", "tr.lit")]
    assert lit == ["L20", "L22"]


def test_the_keyboard_does_it_too(shown: Any) -> None:
    value = one(shown, "#L10 .v")
    shown.execute_script("arguments[0].focus()", value)
    assert one(shown, "#L10 .tip").is_displayed()
    assert "it does not move with the module" in one(shown, "#L10 .tip").text


def test_where_devices_meet_both_trails_stand_side_by_side(shown: Any) -> None:
    point_at(shown, "#M25-0-a")
    left, right = shown.find_elements("css selector", "#M25-0-a .tip .side")
    assert left.text.split("\n")[0] == "cuda"
    assert right.text.split("\n")[0] == "cpu"
    assert left.rect["y"] == right.rect["y"]
    assert left.rect["x"] + left.rect["width"] <= right.rect["x"]
    assert len(shown.find_elements("css selector", "#ways path.clash")) == 2


def test_the_list_at_the_top_leads_to_the_lines(shown: Any) -> None:
    details = one(shown, "details.clash")
    assert not details.find_element("css selector", ".sides").is_displayed()
    details.find_element("css selector", "summary").click()
    assert details.find_element("css selector", ".sides").is_displayed()
    assert details.find_element("css selector", "a").get_attribute("href").endswith("#L14")


def test_light_and_dark(shown: Any) -> None:
    colors = []
    for scheme in ("light", "dark"):
        feature = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
        shown.execute_cdp_cmd("Emulation.setEmulatedMedia", feature)
        colors.append(one(shown, "body").value_of_css_property("background-color"))
    assert colors[0] == "rgba(255, 255, 255, 1)"
    assert colors[0] != colors[1]


@pytest.mark.parametrize("width", [1400, 700])
@pytest.mark.parametrize("program", [MANY, PROGRAM], ids=["many", "program"])
def test_no_value_leaves_its_lane_and_no_trail_the_page(
    browser: Any, tmp_path: Path, program: str, width: int
) -> None:
    file = tmp_path / "trace.html"
    file.write_text(page(traced(program)), encoding="utf-8")
    size = browser.get_window_size()
    browser.set_window_size(width, 1000)
    browser.get(file.as_uri())
    wrong = browser.execute_script("""
        const wide = document.documentElement.scrollWidth, wrong = [];
        for (const value of document.querySelectorAll('.v')) {
            if (value.getBoundingClientRect().right > value.closest('td').getBoundingClientRect().right)
                wrong.push('value ' + value.firstChild.textContent);
            const tip = value.querySelector('.tip');
            tip.style.display = 'block';
            const box = tip.getBoundingClientRect();
            if (box.left + scrollX < 0 || box.right + scrollX > wide) wrong.push('tip ' + tip.textContent);
            tip.style.display = '';
        }
        return wrong;
    """)
    browser.set_window_size(size["width"], size["height"])
    assert wrong == []
