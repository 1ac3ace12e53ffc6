# tests/report/selection_page_test.py: the report of `select` and `demo`, as a person meets it.
import csv
import gzip
import re

import numpy as np
import pytest
from selenium.webdriver.common.keys import Keys

from program import FAST, read_csv, succeed, write_csv


@pytest.fixture(scope="module")
def plain(madelon, tmp_path_factory):
    folder = tmp_path_factory.mktemp("plain")
    succeed("select", madelon, *FAST, "-k", 7, "--report", "r.html", "--ranking", "ranking.csv", cwd=folder)
    return folder


@pytest.fixture(scope="module")
def images(tmp_path_factory):
    """IDX images of 6 x 9 pixels in three classes, and their report."""
    folder = tmp_path_factory.mktemp("images")
    random = np.random.default_rng(0)
    labels = np.arange(150) % 3
    values = random.integers(0, 60, size=(150, 6, 9))
    for c in range(3):
        values[labels == c, 2 * c, :] += 180
    def idx(name, array):
        head = bytes([0, 0, 8, array.ndim]) + b"".join(int(n).to_bytes(4, "big") for n in array.shape)
        with gzip.open(folder / name, "wb") as file:
            file.write(head + array.astype(np.uint8).tobytes())
    idx("images-idx3-ubyte.gz", values)
    idx("labels-idx1-ubyte.gz", labels)
    succeed("select", "images-idx3-ubyte.gz", "--label", "labels-idx1-ubyte.gz", "--epochs", 12,
            "--hidden", 40, "-k", 10, "--report", "r.html", cwd=folder)
    return folder


def rows_of(browser):
    return browser.js("return [...document.querySelectorAll('table.features tbody tr')]"
                      ".map(r => [...r.cells].map(c => c.textContent))")


def set_value(browser, element, value):
    browser.js("arguments[0].value = arguments[1]; arguments[0].dispatchEvent(new Event('input'));"
               "arguments[0].dispatchEvent(new Event('change'))", element, str(value))


def titles(browser):
    return browser.texts("h2")


def test_nothing_complains_and_nothing_leaves_the_file(browser, plain):
    browser.open(plain / "r.html")
    assert browser.complaints() == []
    asked = browser.requests()
    assert (plain / "r.html").resolve().as_uri() in asked
    assert all(url.startswith(("file://", "data:")) for url in asked)


def test_the_policy_allows_its_own_script_alone(browser, plain):
    text = (plain / "r.html").read_text()
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text)[1]
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    assert "unsafe" not in policy and "http" not in policy
    browser.open(plain / "r.html")
    assert browser.js("const s = document.createElement('script'); s.textContent = 'window.intruder = 1';"
                      "document.body.append(s); return window.intruder === undefined")
    assert browser.js("return fetch('data:,x').then(() => false, () => true)")
    assert len(browser.complaints()) >= 2  # and both are refused aloud


def test_the_page_names_no_address(plain):
    text = (plain / "r.html").read_text()
    links = set(re.findall(r"https?://[\w./-]+", text))
    assert links <= {"http://www.w3.org/2000/svg"}  # a name, not an address


def test_every_part_is_there_with_marks(browser, plain):
    browser.open(plain / "r.html")
    assert titles(browser) == ["The strength of all features, sorted", "Features",
                               "What the chosen features explain", "The loss of each epoch", "The strength over the epochs", "Correlations among the chosen features",
                               "Settings"]
    for chart in browser.all("svg.chart"):
        marks = browser.js("return [...arguments[0].querySelectorAll('.series .line')].map(p => "
                           "[p.getAttribute('d'), p.getTotalLength()])", chart)
        assert marks and all(length > 10 and "NaN" not in d for d, length in marks)
    for canvas in browser.all("canvas"):
        colours = browser.js("const c = arguments[0]; const d = c.getContext('2d').getImageData(0, 0, c.width,"
                             "c.height).data; const s = new Set(); for (let i = 0; i < d.length; i += 4)"
                             "s.add(d[i] << 16 | d[i + 1] << 8 | d[i + 2]); return s.size", canvas)
        assert colours > 2


def test_every_chart_has_its_numbers_behind_it(browser, plain):
    browser.open(plain / "r.html")
    assert len(browser.all("figure")) == 5
    for figure in browser.all("figure"):
        browser.js("arguments[0].querySelector('details').open = true", figure)
    browser.wait(lambda: len(browser.all("figure details table")) == 5)
    rows = browser.js("return [...document.querySelectorAll('figure details table')]"
                      ".map(t => t.tBodies[0].rows.length)")
    lines = 7 + 20
    ks = 7  # numbers of features in the curve of what they explain: chosen, random, cover
    assert rows == [40, 3 * ks, 5, 5 * lines, 7 * 6 // 2]


def test_the_head_says_it_in_words(browser, plain):
    browser.open(plain / "r.html")
    head = browser.one("h1").text
    assert head.startswith("7 of 40 features; ")
    assert "converged" in head or "loss" in head or "learn" in head
    assert [t.split("\n")[0] for t in [e.text for e in browser.all(".tile")]] == [
        "Data", "Time", "Peak memory", "Energy", "Parameters"]
    assert "300 rows × 40 features" in browser.one("header").text


def test_the_slider_moves_the_cut_the_table_and_the_map(browser, plain):
    browser.open(plain / "r.html")
    ranking = read_csv(plain / "ranking.csv")[1:]
    assert [row[:3] for row in rows_of(browser)] == [row[:3] for row in ranking[:7]]
    slider = browser.one("input[type=range].k")
    slider.send_keys(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
    assert [row[:3] for row in rows_of(browser)] == [row[:3] for row in ranking[:9]]
    assert "K = 9" in browser.texts(".cut text")
    assert browser.js("return document.querySelector('canvas.map').width") == 9
    slider.send_keys(Keys.HOME)
    assert len(rows_of(browser)) == 1
    set_value(browser, browser.one("input[type=number].k"), 40)
    assert len(rows_of(browser)) == 40
    assert slider.get_attribute("value") == "40"
    set_value(browser, browser.one("input[type=number].k"), -3)
    assert 1 <= int(slider.get_attribute("value")) <= 40
    assert browser.complaints() == []


def test_search_filters_and_headers_sort(browser, plain):
    browser.open(plain / "r.html")
    ranking = read_csv(plain / "ranking.csv")[1:]
    set_value(browser, browser.one(".controls select[id^=which]"), "all")
    assert len(rows_of(browser)) == 40
    search = browser.one("input[type=search]")
    name = ranking[17][2]
    search.send_keys(name)
    assert [row[2] for row in rows_of(browser)] == [r[2] for r in ranking if name in r[2]]
    search.clear()
    search.send_keys("no such name")
    assert rows_of(browser) == []
    search.clear()
    search.send_keys(" ", Keys.BACKSPACE)
    feature = next(b for b in browser.all("button.sort") if b.text == "feature")
    feature.click()
    assert [int(row[1]) for row in rows_of(browser)] == list(range(40))
    feature.click()
    assert [int(row[1]) for row in rows_of(browser)] == list(range(40))[::-1]
    assert browser.one("th[aria-sort]").get_attribute("aria-sort") == "descending"


def test_the_download_is_the_ranking(browser, plain):
    browser.open(plain / "r.html")
    file = browser.downloaded(browser.one("button.download"))
    assert file.name == "ranking.csv"
    assert file.read_bytes() == (plain / "ranking.csv").read_bytes()
    assert len(list(csv.DictReader(file.open()))) == 40


def test_keys_read_the_charts(browser, plain):
    browser.open(plain / "r.html")
    chart = browser.all("svg.chart")[0]
    chart.send_keys(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
    said = browser.texts(".readout")[0]
    assert re.match(r"rank 3: strength [\d.]+$", said)
    browser.one("canvas.map").send_keys(Keys.ARROW_RIGHT)
    assert any(re.search(r" and .*: -?[01]\.\d\d$", text) for text in browser.texts(".readout"))


def test_images_are_shown_with_epochs_and_class_averages(browser, images):
    browser.open(images / "r.html")
    assert browser.complaints() == []
    assert "The strength as an image" in titles(browser)
    assert "Class averages on the chosen features" in titles(browser)
    sizes = browser.js("return [...document.querySelectorAll('.pictures canvas')].map(c => [c.width, c.height])")
    assert sizes == [[9, 6]] * 5
    picture = "return document.querySelector('.pictures canvas').toDataURL()"
    last = browser.js(picture)
    slider = browser.one("input.epoch")
    assert slider.get_attribute("max") == "11"
    slider.send_keys(Keys.HOME)
    assert browser.texts("output.where") == ["epoch 1"]
    assert browser.js(picture) != last
    averages = "return [...document.querySelectorAll('.pictures canvas')].slice(2).map(c => c.toDataURL())"
    before = browser.js(averages)
    assert len(set(before)) == 3
    browser.one("input[type=range].k").send_keys(Keys.END)
    assert browser.js(averages) != before


def test_the_image_may_be_named_and_must_fit(browser, tmp_path):
    np.save(tmp_path / "d.npy", np.random.default_rng(0).normal(size=(60, 12)))
    succeed("select", "d.npy", *FAST, "-k", 3, "--image", "3x4", "--report", "r.html", cwd=tmp_path)
    browser.open(tmp_path / "r.html")
    assert browser.js("const c = document.querySelector('.pictures canvas'); return [c.width, c.height]") == [4, 3]


UGLY = ["<script>window.hit=1</script>", "</script><img src=x onerror=window.hit=1>", "<!--", "it's \"so\"",
        "a,b\nc", "שלום עולם", "🦊🧬", "long " + "x" * 9995, "&amp;&lt;", "${window.hit=1}", "   spaced  ",
        "\u202egnol\u202c", "constructor", "__proto__"]


def test_ugly_names_are_text(browser, tmp_path):
    values = np.random.default_rng(3).normal(size=(50, len(UGLY)))
    write_csv(tmp_path / "d.csv", values, header=UGLY)
    succeed("select", "d.csv", "--header", "yes", "--label", "none", *FAST, "-k", len(UGLY), "--report", "r.html",
            "--ranking", "ranking.csv", cwd=tmp_path)
    browser.open(tmp_path / "r.html", width=360)
    assert browser.complaints() == []
    names = [row[2] for row in read_csv(tmp_path / "ranking.csv")[1:]]
    assert browser.texts("table.features td .name") == names
    assert browser.js("return window.hit === undefined")
    assert browser.js("return document.documentElement.scrollWidth") <= 360
    assert browser.downloaded(browser.one("button.download")).read_bytes() == (
        tmp_path / "ranking.csv").read_bytes()


@pytest.mark.parametrize("width", [360, 1600])
def test_fits_the_width(browser, plain, images, width):
    for folder in [plain, images]:
        browser.open(folder / "r.html", width=width)
        assert browser.js("return document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out_from_its_ground(browser, plain, scheme):
    """The contrast that WCAG asks of text: 4.5 to 1."""
    browser.open(plain / "r.html", scheme=scheme)
    colours = browser.js("""
      const ground = e => { for (; e; e = e.parentElement) {
        const c = getComputedStyle(e).backgroundColor; if (c !== 'rgba(0, 0, 0, 0)') return c; } return 'rgb(255,255,255)'; };
      return [...document.querySelectorAll('h1,h2,p,dt,dd,th button,td,summary,label,svg text')].map(e =>
        [e.tagName, getComputedStyle(e)[e.namespaceURI.endsWith('svg') ? 'fill' : 'color'], ground(e)])""")
    def luminance(text):
        parts = [int(v) / 255 for v in re.findall(r"\d+", text)[:3]]
        r, g, b = [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in parts]
        return 0.2126 * r + 0.7152 * g + 0.0722 * b
    assert len(colours) > 50
    for tag, ink, paper in colours:
        light, dark = sorted([luminance(ink), luminance(paper)], reverse=True)
        assert (light + 0.05) / (dark + 0.05) >= 4.5, (tag, ink, paper)


def test_everything_has_a_name_for_screen_readers(browser, images):
    browser.open(images / "r.html")
    nameless = browser.js("""
      return [...document.querySelectorAll('input,select,button,svg.chart,canvas')].filter(e =>
        !e.getAttribute('aria-label') && !e.textContent.trim() &&
        !(e.id && document.querySelector(`label[for="${e.id}"]`))).map(e => e.outerHTML)""")
    assert nameless == []
    assert browser.js("return document.documentElement.lang") == "en"
    assert len(browser.all("h1")) == 1


def test_other_methods_and_tiny_data(browser, tmp_path):
    write_csv(tmp_path / "d.csv", [[1, 2], [2, 1], [3, 5]], header=["a", "b"])
    for method in ["variance", "random"]:
        succeed("select", "d.csv", "--method", method, "-k", 1, "--report", "r.html", cwd=tmp_path)
        browser.open(tmp_path / "r.html")
        assert browser.complaints() == []
        assert titles(browser) == ["The score of all features, sorted", "Features",
                                   "What the chosen features explain", "Correlations among the chosen features", "Settings"]
    # Its scores are places: they say nothing about how clear a cut is.
    succeed("select", "d.csv", "--method", "cover", "-k", 1, "--report", "r.html", cwd=tmp_path)
    browser.open(tmp_path / "r.html")
    assert any("only say in which order" in text for text in browser.texts(".verdict"))
    assert not any("the cut is clear" in text for text in browser.texts(".verdict"))
    write_csv(tmp_path / "one.csv", [[1], [2], [3]], header=["a"])
    succeed("select", "one.csv", "--epochs", 1, "--report", "r.html", cwd=tmp_path)
    browser.open(tmp_path / "r.html")
    assert browser.complaints() == []
    assert [row[2] for row in rows_of(browser)] == ["a"]


def test_warnings_stand_at_the_top(browser, tmp_path):
    values = np.random.default_rng(0).normal(size=(40, 4))
    values[:, 2] = 1
    write_csv(tmp_path / "d.csv", values, header=list("abcd"))
    succeed("select", "d.csv", *FAST, "--report", "r.html", cwd=tmp_path)
    browser.open(tmp_path / "r.html")
    assert any("1 of 4 features are constant" in text for text in browser.texts("header .warning"))


def test_ten_thousand_features_stay_small_and_quick_to_use(browser, tmp_path):
    np.save(tmp_path / "d.npy", np.random.default_rng(0).normal(size=(60, 100, 100)).astype(np.float32))
    succeed("select", "d.npy", "--epochs", 100, "--hidden", 30, "-k", 200, "--report", "r.html",
            "--ranking", "ranking.csv", cwd=tmp_path)
    assert (tmp_path / "r.html").stat().st_size < 3e6
    browser.open(tmp_path / "r.html")
    assert browser.complaints() == []
    assert len(rows_of(browser)) == 50  # a page of the table
    set_value(browser, browser.one(".controls select[id^=which]"), "all")
    assert "page 1 of 200" in browser.texts(".pager .where")
    assert browser.downloaded(browser.one("button.download")).read_bytes() == (
        tmp_path / "ranking.csv").read_bytes()


def test_the_demo_writes_one_and_says_where(browser, tmp_path):
    out = succeed("demo", cwd=tmp_path).out
    assert "Report: quickselection-demo.html" in out
    browser.open(tmp_path / "quickselection-demo.html")
    assert browser.complaints() == []
    assert browser.one("h1").text.startswith("20 of 500 features; ")
    assert "of the 20 relevant ones were found" in browser.one("h1").text
    assert {row[3] for row in rows_of(browser)} <= {"yes", "no"}


def test_print_shows_light_colours_without_controls(browser, plain):
    browser.open(plain / "r.html", scheme="dark")
    browser.show_as(scheme="dark", media="print")
    assert browser.js("return getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert not any(e.is_displayed() for e in browser.all(".controls"))


def test_several_runs_show_how_stable_they_are(browser, madelon, tmp_path):
    succeed("select", madelon, *FAST, "-k", 8, "--runs", 4, "--report", "r.html", "--ranking", "ranking.csv",
            cwd=tmp_path)
    browser.open(tmp_path / "r.html")
    assert browser.complaints() == []
    assert re.search(r"; two runs agree on \d of 8", browser.one("h1").text)
    assert "Stability" in titles(browser)
    header, *ranking = read_csv(tmp_path / "ranking.csv")
    assert header[4] == "frequency"
    assert [row[4].replace("\u00a0", " ") for row in rows_of(browser)] == [
        f"{100 * float(row[4]):.0f} %" for row in ranking[:8]]
    assert browser.downloaded(browser.one("button.download")).read_bytes() == (
        tmp_path / "ranking.csv").read_bytes()
