# tests/report/reading_test.py: what every kind of report owes its reader.
import re

import numpy as np
import pytest

from program import FAST, succeed

JUDGES = ("--runs", 2, "--trees", 5, "--repetitions", 2, "--restarts", 2)
PAGES = ["plain", "runs", "pixels", "noise", "evaluation", "comparison", "tuning", "tunings", "extraction"]


@pytest.fixture(scope="module")
def pages(madelon, tmp_path_factory):
    """One page of every kind, of files that are named by absolute paths."""
    folder = tmp_path_factory.mktemp("pages")

    def run(*words):
        succeed(*words, cwd=folder)
    random = np.random.default_rng(0)
    np.save(folder / "pixels.npy", random.normal(size=(80, 3, 4)) * np.arange(1, 13).reshape(3, 4))
    np.save(folder / "noise.npy", random.normal(size=(60, 30)))
    run("select", madelon, *FAST, "-k", 7, "--report", "plain.html", "--ranking", "r.csv")
    run("select", madelon, *FAST, "-k", 7, "--runs", 3, "--report", "runs.html")
    run("select", folder / "pixels.npy", *FAST, "-k", 3, "--report", "pixels.html")
    run("select", folder / "noise.npy", "--method", "random", "-k", 3, "--runs", 4, "--report", "noise.html")
    run("evaluate", madelon, "--ranking", folder / "r.csv", "-k", "5,20", "--removal", 3, *JUDGES,
        "--report", "evaluation.html")
    run("compare", madelon, "--methods", "mine=quickselection,variance,random,mcfs,laplacian_score", "-k", "5,10,20,30",
        *FAST, *JUDGES, "--out", "c", "--report", "comparison.html")
    run("tune", madelon, "-k", 5, *FAST, "--epsilon", "2,5,9", *JUDGES, "--report", "tuning.html")
    run("tune", madelon, "-k", "5,10", *FAST[2:], "--epochs", "1,2", "--epsilon", "2,5", *JUDGES, "--report", "tunings.html")
    run("extract", madelon, "--layers", "20,3,20", "--epochs", 3, "--out", "codes.npy", "--report", "extraction.html")
    return folder


def text_of(browser):
    """All that can be read, with the numbers behind charts, but for the values of settings."""
    browser.js("document.querySelectorAll('details').forEach(d => d.open = true)")
    browser.wait(lambda: browser.js("return [...document.querySelectorAll('details .scroll')].every(d => d.childElementCount)"))
    return browser.js("document.querySelectorAll('.settings').forEach(e => e.remove()); return document.body.innerText")


@pytest.mark.parametrize("page", PAGES)
def test_no_figure_has_more_than_three_digits(browser, pages, page):
    browser.open(pages / f"{page}.html")
    assert browser.complaints() == []
    text = text_of(browser)
    figures = re.findall(r"\d[\d,]*\.\d+", text)
    assert figures or page == "tuning"
    long = [figure for figure in figures if len(re.sub(r"\D", "", figure).lstrip("0")) > 3]
    assert long == []


@pytest.mark.parametrize("page", PAGES)
def test_files_are_named_without_their_folders(browser, pages, madelon, page):
    browser.open(pages / f"{page}.html")
    everything = browser.js("return document.documentElement.textContent")
    for folder in (pages, madelon.parent):
        assert str(folder) not in everything
    if page not in ("pixels", "noise", "tuning", "tunings", "comparison"):
        assert "madelon.csv" in browser.js("return document.body.innerText") and "madelon.csv" in browser.driver.title


def test_doubt_comes_before_everything_else(browser, pages):
    for page, says in [("noise", "No more stable than random"), ("evaluation", "drawn at random"),
                       ("comparison", "No better than random: ")]:
        browser.open(pages / f"{page}.html")
        first = browser.js("return document.querySelector('header').firstElementChild")
        assert "warning" in first.get_attribute("class"), page
        assert any(says in text for text in browser.texts("header .warning")), page
        above = browser.js("return document.querySelector('.warning').compareDocumentPosition("
                           "document.querySelector('h1')) & Node.DOCUMENT_POSITION_FOLLOWING")
        assert above


def headers(browser):
    return [text for text in browser.texts("table.features th")]


def test_there_is_a_column_of_names_only_where_there_are_names(browser, pages):
    browser.open(pages / "plain.html")
    assert headers(browser) == ["rank", "feature", "name", "strength"]
    browser.open(pages / "noise.html")
    assert headers(browser) == ["rank", "feature", "score", "chosen in runs"]


def test_pixels_are_rows_and_columns(browser, pages):
    browser.open(pages / "pixels.html")
    assert headers(browser) == ["rank", "feature", "row", "column", "strength"]
    for _, feature, row, column, _ in browser.js(
            "return [...document.querySelectorAll('table.features tbody tr')].map(r => [...r.cells].map(c => c.textContent))"):
        assert int(feature) == 4 * int(row) + int(column)
    assert "row 2, column 3" in text_of(browser)


def test_sorting_by_score_begins_with_the_best_whatever_the_columns(browser, pages):
    browser.open(pages / "pixels.html")
    browser.js("[...document.querySelectorAll('button.sort')].find(b => b.textContent === 'strength').click()")
    assert browser.texts("table.features tbody tr td:first-child") == ["1", "2", "3"]


def test_a_cut_table_fades_where_there_is_more(browser, pages):
    browser.open(pages / "comparison.html", width=360)
    table = "document.querySelector('.scroll:has(.heatmap)')"
    state = f"return [...{table}.classList].filter(c => c.startsWith('more-'))"
    browser.wait(lambda: browser.js(state) == ["more-right"])
    assert "gradient" in browser.js(f"return getComputedStyle({table}).maskImage")
    browser.js(f"{table}.scrollLeft = 30")
    browser.wait(lambda: sorted(browser.js(state)) == ["more-left", "more-right"])
    browser.js(f"{table}.scrollLeft = 10000")
    browser.wait(lambda: browser.js(state) == ["more-left"])


def test_a_whole_table_does_not_fade(browser, pages):
    browser.open(pages / "plain.html", width=1600)
    assert browser.js("const box = document.querySelector('.tall'); return box.scrollWidth > box.clientWidth + 1") is False
    assert browser.js("return getComputedStyle(document.querySelector('.tall')).maskImage") == "none"


def test_a_long_table_fades_below(browser, pages):
    browser.open(pages / "plain.html", width=1600)
    browser.js("const list = document.querySelector('select'); list.value = 'all'; list.dispatchEvent(new Event('change'))")
    browser.wait(lambda: browser.js("return document.querySelector('.tall').classList.contains('more-below')"))


def test_the_headline_of_a_comparison_separates_accuracy_from_cost(browser, pages):
    browser.open(pages / "comparison.html")
    count, accuracy, cost = browser.one("h1").text.split("; ")
    assert count == "5 methods on 1 data set"
    assert re.match(r"(mine|variance|random|mcfs|laplacian_score) classifies best with [\d.]+\s%", accuracy)
    assert re.search(r"is the quickest with [\d.]+\sm?s", cost) and "least memory" in cost
    assert not cost.startswith("random"), "which does no work"


def test_a_tuning_names_one_best_for_each_k_and_how_sure_it_is(browser, pages):
    browser.open(pages / "tuning.html")
    assert browser.one("h1").text.count("best on madelon, K 5") == 1
    assert re.search("spread of the runs", browser.one("h1").text)
    browser.open(pages / "tunings.html")
    best = browser.texts("ul.best li")
    assert [re.match(r"best on madelon, K (\d+): epochs=\d epsilon=\d with", line)[1] for line in best] == ["5", "10"]
    assert all("spread of the runs" in line for line in best)
