# tests/python/evaluation_test.py: evaluate, read_ranking and info give what the command line gives.
import json
import subprocess

import numpy as np
import pytest

import quickselection

QUICK = {"trees": 10, "runs": 2, "repetitions": 2, "restarts": 3, "draws": 4}


@pytest.fixture
def files(X, program, tmp_path):
    """The data with labels, its ranking by variance, and a way to run the program on them."""
    y = (X[:, 0] > 0).astype(int) + (X[:, 1] > 0)
    np.save(tmp_path / "x.npy", X)
    (tmp_path / "y.txt").write_text("\n".join(map(str, y)) + "\n")

    def run(*words):
        subprocess.run([program, *map(str, words)], check=True, cwd=tmp_path, capture_output=True)
    run("select", "x.npy", "--method", "variance", "-k", 5, "--ranking", "r.csv")
    return tmp_path, y, run


def without_none(value):
    if isinstance(value, dict):
        return {key: without_none(one) for key, one in value.items() if one is not None}
    return [without_none(one) for one in value] if isinstance(value, list) else value


@pytest.mark.parametrize("words, options", [
    ((), {}), (("--folds", 3), {"folds": 3}), (("--test-rows", "90:120"), {"test_rows": (90, 120)}),
    (("--split", 0.4, "--split-seed", 7, "--clustering", "no"),
     {"split": 0.4, "split_seed": 7, "clustering": False})])
def test_evaluate_gives_the_figures_of_the_command_line(X, files, words, options):
    folder, y, run = files
    quick = [word for name, value in QUICK.items() for word in (f"--{name}", value)]
    run("evaluate", "x.npy", "--label", "y.txt", "--ranking", "r.csv", "-k", "3,8", "--seed", 5,
        "--json", "e.json", *quick, *words)
    ranking = quickselection.read_ranking(folder / "r.csv", X)
    found = quickselection.evaluate(X, y, ranking, k=[3, 8], random_state=5, **QUICK, **options)
    expected = json.loads((folder / "e.json").read_text())
    assert without_none(found["entries"]) == expected["entries"] and found["notes"] == expected["notes"]
    assert found["seconds"] > 0 and found["removal"] is None


def test_a_selector_is_a_ranking_and_test_rows_may_be_given(X, files):
    _, y, _ = files
    selector = quickselection.VarianceRanking(5).fit(X)
    ranking = list(np.argsort(selector.ranking_))
    one, two = (quickselection.evaluate(X[:90], y[:90], order, k=5, test=(X[90:], y[90:]), **QUICK)
                for order in (selector, ranking))
    assert one["entries"] == two["entries"]
    assert one["entries"][0]["classification"]["classifier"] == "extra-trees"


def test_missing_values_get_the_means_of_the_training_rows(X, files):
    _, y, _ = files
    X[3, 4] = np.nan
    order = np.arange(X.shape[1])
    with pytest.raises(quickselection.Error):
        quickselection.evaluate(X, y, order, k=5, **QUICK)
    found = quickselection.evaluate(X, y, order, k=5, missing="mean", **QUICK)
    assert np.isfinite(found["entries"][0]["reconstruction"]["r2"])


def test_bad_arguments_are_refused(X):
    order = np.arange(X.shape[1])
    with pytest.raises(TypeError, match="no option 'folda'"):
        quickselection.evaluate(X, None, order, folda=3)
    with pytest.raises(quickselection.Error, match="trees"):
        quickselection.evaluate(X, None, order, k=5, trees=0)
    with pytest.raises(ValueError, match="rows"):
        quickselection.evaluate(X, [1, 2], order)


def test_a_ranking_of_other_data_is_refused(X, files):
    folder, _, _ = files
    ranking = quickselection.read_ranking(folder / "r.csv", X)
    assert sorted(ranking) == list(range(X.shape[1]))
    with pytest.raises(quickselection.Error, match="beyond the 5 features"):
        quickselection.read_ranking(folder / "r.csv", X[:, :5])


def test_info_is_that_of_the_command_line(X, files):
    folder, y, run = files
    run("info", "x.npy", "--label", "y.txt", "--json", "i.json")
    expected = json.loads((folder / "i.json").read_text())
    found = quickselection.info(X, y)
    assert found.pop("path") == "" and expected.pop("path") and expected.pop("version") == 1
    assert found.pop("problem") == found.pop("hint") == ""
    assert found == expected


def test_files_are_read_with_the_options_of_the_command_line(tmp_path):
    (tmp_path / "t.csv").write_text("id,a,b,label\n7,1,,x\n8,3,4,y\n9,5,6,x\n")
    table = quickselection.read(tmp_path / "t.csv", index_column="id", rows=(0, 2), missing="mean")
    assert table.names == ["a", "b"] and list(table.y) == ["x", "y"]
    np.testing.assert_array_equal(table.X, [[1, 4], [3, 4]])


def test_labels_may_be_measured_numbers(X):
    y = X[:, 0] * 2 + X[:, 1]
    ranking = np.arange(X.shape[1])
    judged = quickselection.evaluate(X, y, ranking, k=5, **QUICK)["entries"][0]
    assert judged["classification"] is None and judged["regression"]["r2"] > 0.5
    whole = np.arange(len(X)) % 3
    as_classes, as_numbers = (quickselection.evaluate(X, whole, ranking, k=5, task=task, **QUICK)["entries"][0]
                              for task in ("classification", "regression"))
    assert as_classes["regression"] is None and as_numbers["classification"] is None
    compared = quickselection.compare(X, y, "variance", k=5, runs=2, trees=5)
    assert "regression" in compared.cells[0]
    with pytest.raises(quickselection.Error, match="task is 'guess'"):
        quickselection.evaluate(X, whole, ranking, k=5, task="guess")
