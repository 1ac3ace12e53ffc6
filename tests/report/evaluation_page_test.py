# tests/report/evaluation_page_test.py: the report of `evaluate`.
import numpy as np
import pytest

from program import FAST, succeed, write_csv


@pytest.fixture(scope="module")
def evaluated(madelon, tmp_path_factory):
    folder = tmp_path_factory.mktemp("evaluated")
    succeed("select", madelon, *FAST, "--ranking", "ranking.csv", cwd=folder)
    succeed("evaluate", madelon, "--ranking", "ranking.csv", "-k", "10,5,20", "--trees", 5, "--runs", 2,
            "--repetitions", 2, "--restarts", 2, "--draws", 2, "--removal", 4, "--report", "r.html", cwd=folder)
    return folder


def test_every_measure_is_drawn_with_its_baselines(browser, evaluated):
    browser.open(evaluated / "r.html")
    assert browser.complaints() == []
    assert all(url.startswith(("file://", "data:")) for url in browser.requests())
    assert browser.texts("h2") == [
        "Classification by extra trees", "Clustering by k-means", "Clustering: mutual information",
        "Clustering: adjusted Rand index", "Reconstruction of all features",
        "What is lost without the features?", "All figures", "Settings"]
    lines = browser.js("return [...document.querySelectorAll('svg.chart')].map(c => "
                       "[...c.querySelectorAll('.series')].map(s => s.querySelectorAll('.dot').length))")
    assert lines[:5] == [[3, 3, 3]] * 5
    assert len(lines[5]) == 2 and all(n >= 2 for n in lines[5])
    assert all("NaN" not in d for d in browser.js(
        "return [...document.querySelectorAll('.series path')].map(p => p.getAttribute('d'))"))


def test_the_table_holds_all_figures(browser, evaluated):
    browser.open(evaluated / "r.html")
    rows = browser.js("return [...document.querySelectorAll('section table')].at(-2).innerText").splitlines()
    assert [line.split("\t")[:2] for line in rows[-7:]] == [
        ["5", "best"], ["5", "random"], ["10", "best"], ["10", "random"], ["20", "best"], ["20", "random"],
        ["40", "all"]]


@pytest.mark.parametrize("width", [360, 1600])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_fits_the_width(browser, evaluated, width, scheme):
    browser.open(evaluated / "r.html", width=width, scheme=scheme)
    assert browser.js("return document.documentElement.scrollWidth") <= width


def test_without_labels_only_the_reconstruction_is_shown(browser, madelon, tmp_path):
    succeed("generate", "gaussian", "-o", "d.npy", "--rows", 80, "--features", 12, cwd=tmp_path)
    succeed("select", "d.npy", *FAST, "--ranking", "ranking.csv", cwd=tmp_path)
    succeed("evaluate", "d.npy", "--ranking", "ranking.csv", "-k", "3", "--report", "r.html", cwd=tmp_path)
    browser.open(tmp_path / "r.html")
    assert browser.complaints() == []
    assert browser.texts("h2") == ["Reconstruction of all features", "All figures", "Settings"]
    assert len(browser.all(".series .dot")) == 3


def test_measured_labels_are_predicted(browser, tmp_path):
    random = np.random.default_rng(0)
    values = random.normal(size=(120, 8))
    price = values[:, 0] * 3 + values[:, 1] + 100
    write_csv(tmp_path / "d.csv", np.column_stack([values, price]).round(4), header=[*"abcdefgh", "price"])
    succeed("select", "d.csv", "--label", "price", "--method", "variance", "--ranking", "ranking.csv", cwd=tmp_path)
    succeed("evaluate", "d.csv", "--label", "price", "--ranking", "ranking.csv", "-k", "2,4", "--removal", 2,
            "--trees", 5, "--runs", 2, "--report", "r.html", cwd=tmp_path)
    browser.open(tmp_path / "r.html")
    assert browser.complaints() == []
    assert browser.texts("h2") == ["Prediction by extra trees", "Reconstruction of all features",
                                   "What is lost without the features?", "All figures", "Settings"]
    assert "labels predicted" in browser.texts("h1")[0]
    succeed("compare", "d.csv", "--label", "price", "--methods", "variance,random", "-k", 2, "--runs", 2, "--trees", 5,
            "--out", "c", "--report", "c.html", cwd=tmp_path)
    browser.open(tmp_path / "c.html")
    assert "predicts best with" in browser.texts("h1")[0]
