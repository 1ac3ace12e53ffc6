# tests/report/experiment_page_test.py: the reports of `compare` and `tune`.
import pytest

from program import FAST, read_json, succeed

JUDGES = ("--runs", 2, "--trees", 5, "--repetitions", 2, "--restarts", 2)
METHODS = ["mine", "variance", "<script>alert(1)</script>"]


@pytest.fixture(scope="module")
def folder(madelon, tmp_path_factory):
    folder = tmp_path_factory.mktemp("experiments")
    succeed("compare", madelon, "--methods", f"mine=quickselection,variance,{METHODS[2]}=random",
            "-k", "5,10", *FAST, *JUDGES, "--out", "compared", "--report", "compare.html", cwd=folder)
    succeed("tune", madelon, "-k", 5, *FAST[2:], "--epochs", "1,2", "--epsilon", "2,5,9", "--zeta", "0.1,0.3", *JUDGES,
            "--out", "tuned", "--report", "tune.html", cwd=folder)
    succeed("tune", madelon, "-k", 5, *FAST, "--epsilon", "2,5,9", *JUDGES, "--report", "line.html", cwd=folder)
    return folder


def open_quietly(browser, page):
    browser.open(page)
    assert browser.complaints() == []
    assert all(url.startswith(("file://", "data:")) for url in browser.requests())


def test_a_comparison_shows_costs_scores_and_tables(browser, folder):
    open_quietly(browser, folder / "compare.html")
    titles = browser.texts("h2")
    for wanted in ["What accuracy costs", "Score 1: first and second places", "Score 2: how far from the best",
                   "Classification accuracy, extra trees (%)", "Clustering accuracy (%)", "Settings"]:
        assert wanted in titles
    assert len(browser.all(".mark .dot")) == 3, "a point for each method"
    assert len(browser.all(".bar")) == 6 and len(browser.all(".part")) >= 6
    assert browser.js("return [...document.querySelectorAll('svg')].every(c => !c.outerHTML.includes('NaN'))")


def test_the_tables_of_a_comparison_hold_the_figures_of_the_summary(browser, folder):
    open_quietly(browser, folder / "compare.html")
    rows = browser.js("return [...[...document.querySelectorAll('section')].find(s => s.querySelector('h2').textContent"
                      " === 'Classification accuracy, extra trees (%)').querySelectorAll('tbody tr')]"
                      ".map(row => [...row.children].map(cell => cell.textContent))")
    assert [row[0] for row in rows] == METHODS, "a name is text, whatever it holds"
    shown = {row[0]: [float(cell.split(" ")[0]) for cell in row[1:]] for row in rows}
    for cell in read_json(folder / "compared" / "summary.json")["cells"]:
        place = [5, 10].index(cell["k"])
        assert shown[cell["method"]][place] == pytest.approx(100 * cell["classification"]["mean"], abs=0.051)
    assert len(browser.all("b[title='best']")) > 0


def test_another_cost_moves_the_points(browser, folder):
    open_quietly(browser, folder / "compare.html")
    before = browser.texts(".tick.middle")
    browser.js("const list = [...document.querySelectorAll('select')].find(s => s.innerText.includes('memory'));"
               "list.value = 1; list.dispatchEvent(new Event('change'))")
    assert browser.texts(".tick.middle") != before
    assert any("memory" in text for text in browser.texts(".label"))


def test_a_tuning_is_a_map_for_each_number_of_epochs(browser, folder):
    open_quietly(browser, folder / "tune.html")
    assert len(browser.all(".heatmap")) == 4, "two measures, two numbers of epochs"
    assert len(browser.all(".heat")) == 4 * 6
    levels = browser.js("return [...document.querySelectorAll('.heat')].map(c => getComputedStyle(c).backgroundColor)")
    assert len(set(levels)) > 1
    assert "best on" in browser.texts("h1")[0]


def test_a_grid_of_one_option_is_a_line(browser, folder):
    open_quietly(browser, folder / "line.html")
    assert len(browser.all(".series .dot")) == 6


@pytest.mark.parametrize("page", ["compare", "tune"])
@pytest.mark.parametrize("width", [360, 1600])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_fits_the_width(browser, folder, page, width, scheme):
    browser.open(folder / f"{page}.html", width=width, scheme=scheme)
    assert browser.js("return document.documentElement.scrollWidth") <= width
