# tests/python/reports_test.py: pages and pictures of fitted estimators.
import json
import pickle
import re
import subprocess
import xml.dom.minidom

import numpy as np
import pandas
import pytest
import sklearn
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import quickselection
from quickselection import LaplacianScore, QuickSelection, SparseAutoencoder

pytestmark = pytest.mark.filterwarnings("ignore")
FAST = {"epochs": 4, "hidden": 20}


def data_of(page):
    found = re.search(r'<script type="application/json" id="report-data">(.*?)</script>', page, re.DOTALL)
    return json.loads(found[1])


def picture_of(html):
    return re.search(r'<div class="quickselection".*</div>', html, re.DOTALL)[0]


def test_a_page_is_that_of_the_command_line(X, program, tmp_path):
    np.save(tmp_path / "x.npy", X)
    subprocess.run([program, "select", "x.npy", "-k", "5", "--epochs", "4", "--hidden", "20", "--report", "p.html"],
                   cwd=tmp_path, check=True, capture_output=True)
    expected = data_of((tmp_path / "p.html").read_text())
    page = QuickSelection(5, **FAST).fit(X).to_html(X, name="x.npy")
    found = data_of(page)
    for one in (expected, found):
        for changing in ("costs",):
            one.pop(changing)
        one["settings"] = [setting for setting in one["settings"] if setting[0] != "threads"]
    expected["warnings"] = found["warnings"] = []  # options have other names here
    assert found == expected


def test_a_page_is_written_where_it_is_asked_for(X, tmp_path):
    table = pandas.DataFrame(X, columns=[f"gene {i}" for i in range(25)])
    labels = np.arange(120) % 3
    for selector in (QuickSelection(5, **FAST), LaplacianScore(5),
                     QuickSelection(5, n_runs=3, **FAST), QuickSelection(5, **FAST, check=False)):
        selector = pickle.loads(pickle.dumps(selector.fit(table)))
        page = selector.to_html(table, labels, path=tmp_path / "p.html", name="cells", image=(5, 5))
        assert (tmp_path / "p.html").read_text() == page
        data = data_of(page)
        assert data["names"][0] == table.columns[selector.selected_[0]] and data["k"] == 5
        assert data["data"]["source"] == "cells" and data["classes"]["counts"] == [40, 40, 40]
        assert ("stability" in data) == (selector.n_runs > 1) and ("explained" in data) == selector.check
        assert ("strengths" in data) == (getattr(selector, "strength_history_", None) is not None)


def test_warnings_of_a_page_name_parameters(X):
    page = QuickSelection(5, epochs=1, hidden=20).fit(X).to_html(X)
    assert any("learning_rate" in text for text in data_of(page)["warnings"])


def test_pages_of_chunks_and_extractions(X):
    assert data_of(QuickSelection(5, hidden=20).partial_fit(X).to_html(X))["kind"] == "selection"
    data = data_of(SparseAutoencoder((20, 3, 20), epochs=3).fit(X).to_html(X, np.arange(120) % 2))
    assert data["kind"] == "extraction" and len(data["sample"]["rows"][0]) == 3
    assert data["class_names"] == ["0", "1"]


def test_a_page_needs_a_fitted_selector_and_its_features(X):
    with pytest.raises(sklearn.exceptions.NotFittedError):
        QuickSelection(5).to_html(X)
    with pytest.raises(ValueError, match="X has 3 features, but QuickSelection is expecting 25"):
        QuickSelection(5, **FAST).fit(X).to_html(X[:, :3])
    with pytest.raises(quickselection.Error, match="does not fit the 25 features"):
        QuickSelection(5, **FAST).fit(X).to_html(X, image=(5, 6))


@pytest.mark.parametrize("estimator", [QuickSelection(5, **FAST), LaplacianScore(5),
                                       SparseAutoencoder((20, 3, 20), epochs=3)])
def test_notebooks_show_a_curve_below_the_diagram_of_scikit_learn(X, estimator):
    before = estimator._repr_html_()
    assert "sk-" in before and "<svg" not in picture_or_nothing(before)
    after = estimator.fit(X)._repr_html_()
    assert "sk-" in after
    picture = picture_of(after)
    xml.dom.minidom.parseString(picture)  # whole elements only
    assert picture.count("<polyline") == 1
    assert not re.search(r"https?:|<script|url\(|src=", picture), "it needs nothing else"
    assert picture_of(estimator._repr_mimebundle_()["text/html"]) == picture
    assert type(estimator).__name__ in estimator._repr_mimebundle_()["text/plain"]


def picture_or_nothing(html):
    found = re.search(r'<div class="quickselection".*', html, re.DOTALL)
    return found[0] if found else ""


def test_the_curve_holds_all_scores_and_the_names_that_were_chosen(X):
    ugly = ["<script>alert(1)</script>", "a & b", "\"'", "שלום", "n" * 500] + [f"c{i}" for i in range(20)]
    selector = QuickSelection(25, **FAST).fit(pandas.DataFrame(X, columns=ugly))
    picture = picture_of(selector._repr_html_())
    assert "<script>" not in picture and "n" * 41 not in picture
    document = xml.dom.minidom.parseString(picture)
    shown = [node.firstChild.data for node in document.getElementsByTagName("bdi")]
    assert shown == [name if len(name) <= 40 else name[:39] + "…"
                     for name in selector.feature_names_in_[selector.selected_]]
    points = document.getElementsByTagName("polyline")[0].getAttribute("points").split()
    assert len(points) == 25
    heights = [float(point.split(",")[1]) for point in points]
    assert heights == sorted(heights), "best first"


def test_the_curve_of_many_features_stays_small():
    X = np.random.default_rng(0).standard_normal((20, 5000)).astype(np.float32)
    picture = picture_of(quickselection.VarianceRanking(1234, check=False).fit(X)._repr_html_())
    assert len(picture) < 20_000 and "and 1204 more" in picture


def test_text_displays_and_pipelines_stay_those_of_scikit_learn(X):
    pipeline = make_pipeline(StandardScaler(), QuickSelection(5, **FAST)).fit(X)
    assert "QuickSelection" in pipeline._repr_html_()
    with sklearn.config_context(display="text"):
        selector = QuickSelection(5, **FAST).fit(X)
        assert not hasattr(selector, "_repr_html_")
        assert list(selector._repr_mimebundle_()) == ["text/plain"]


def test_a_curve_of_equal_or_single_values():
    for X in (np.random.default_rng(0).standard_normal((20, 1)), np.zeros((20, 3))):
        selector = quickselection.VarianceRanking(1, check=False).fit(X)
        picture = picture_of(selector._repr_html_())
        assert "nan" not in picture and "inf" not in picture.lower().replace("info", "")


def test_evaluations_have_pages(X, tmp_path):
    y = (X[:, 0] > 0).astype(int)
    selector = LaplacianScore(5).fit(X)
    found = quickselection.evaluate(X, y, selector, k=[3, 5], trees=5, runs=2, repetitions=2, draws=3,
                                    report=tmp_path / "e.html")
    assert "page" not in found
    data = data_of((tmp_path / "e.html").read_text())
    assert data["kind"] == "evaluation" and data["ranking"] == "of LaplacianScore"
    assert [entry["k"] for entry in data["entries"]] == [3, 5]
    assert data["warnings"] == found["notes"], "what a reader should know is on top"
