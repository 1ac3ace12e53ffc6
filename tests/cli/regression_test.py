# tests/cli/regression_test.py: labels that are measured numbers: info, evaluate and compare, beside scikit-learn.
import numpy as np
import pandas
import pytest
from program import FAST, fail, read_json, succeed, write_csv
from sklearn.datasets import load_diabetes, make_friedman1
from sklearn.ensemble import ExtraTreesRegressor, RandomForestRegressor

TEST_ROWS = 150


@pytest.fixture(scope="module")
def friedman(tmp_path_factory):
    """Features 0 to 4 make the target, the other five are noise."""
    folder = tmp_path_factory.mktemp("friedman")
    values, target = make_friedman1(500, 10, noise=1.0, random_state=3)
    values = values.astype(np.float32)
    table = pandas.DataFrame(values, columns=[f"f{i}" for i in range(10)])
    table["y"] = target
    table.to_csv(folder / "data.csv", index=False)
    write_csv(folder / "ranking.csv", [[i + 1, i, f"f{i}", 10 - i] for i in range(10)],
              ["rank", "feature", "name", "score"])
    return folder, values, target


def judged(folder, *args):
    succeed("evaluate", "data.csv", "--ranking", "ranking.csv", "--json", "e.json", *args, cwd=folder)
    return read_json(folder / "e.json")["entries"]


@pytest.mark.parametrize("name, regressor", [("extra-trees", ExtraTreesRegressor),
                                             ("random-forest", RandomForestRegressor)])
def test_r2_is_that_of_scikit_learn(friedman, name, regressor):
    folder, values, target = friedman
    entries = judged(folder, "-k", "3,5,10", "--classifier", name, "--runs", 10, "--test-rows",
                     f"0:{TEST_ROWS}", "--no-baselines")
    for entry in entries:
        k = entry["k"]
        theirs = [regressor(50, random_state=seed).fit(values[TEST_ROWS:, :k], target[TEST_ROWS:])
                  .score(values[:TEST_ROWS, :k], target[:TEST_ROWS]) for seed in range(10)]
        ours = entry["regression"]
        assert ours["forest"] == name and ours["runs"] == 10
        spread = np.hypot(ours["std"], np.std(theirs, ddof=1)) / np.sqrt(10)
        assert abs(ours["r2"] - np.mean(theirs)) < 4 * spread + 0.002, (k, ours, np.mean(theirs))
        assert "classification" not in entry and "clustering" not in entry


def test_the_best_are_told_from_random_ones_and_people_see_it(friedman):
    folder, *_ = friedman
    out = succeed("evaluate", "data.csv", "--ranking", "ranking.csv", "-k", 5, "--folds", 4, "--runs", 2,
                  "--removal", 2, "--report", "page.html", cwd=folder).out
    assert "predicted %" in out and "classified" not in out
    assert "labels are taken as measured numbers" in out and "--task classification" in out
    entry = judged(folder, "-k", 5, "--runs", 2)[0]
    assert entry["regression"]["r2"] > entry["random"]["regression"]["r2"] + 0.1
    assert "labels predicted" in (folder / "page.html").read_text()


def test_same_bits_for_any_number_of_threads(friedman):
    folder, *_ = friedman
    args = ("-k", "4", "--runs", 2, "--draws", 2)
    assert judged(folder, *args, "--threads", 1) == judged(folder, *args, "--threads", 3)


def test_either_can_be_forced(friedman, tmp_path):
    folder, values, target = friedman
    table = pandas.DataFrame(values[:60])
    table["label"] = np.arange(60) % 3
    table.to_csv(tmp_path / "data.csv", index=False)
    write_csv(tmp_path / "ranking.csv", [[i + 1, i] for i in range(10)], ["rank", "feature"])
    assert "3 classes" in succeed("info", "data.csv", cwd=tmp_path).out
    assert "classification" in judged(tmp_path, "-k", 2, "--runs", 1)[0]
    assert "regression" in judged(tmp_path, "-k", 2, "--runs", 1, "--task", "regression")[0]
    assert "500 classes" in succeed("info", "data.csv", "--task", "classification", cwd=folder).out
    table["label"] = np.where(np.arange(60) % 2, "a", "b")
    table.to_csv(tmp_path / "data.csv", index=False)
    fail("select", "data.csv", "--task", "regression", cwd=tmp_path, code=1,
         says=["the label 'a' is not a number"], hint=["--task classification"])


@pytest.mark.parametrize("labels, measured", [
    ([f"{i / 7:.4f}" for i in range(60)], True), ([str(25 + 5 * i) for i in range(60)], True),
    ([str(i % 10) for i in range(60)], False), ([str(i % 2 + 0.5) for i in range(60)], False),
    ([str(i) for i in range(30)] * 2, True), ([str(i % 12) for i in range(60)], False),
    ([f"{i / 7:.4f}" if i % 9 else "NA" for i in range(60)], True),
    ([f"{i / 7:.4f}" if i else "many" for i in range(60)], False)])
def test_what_is_a_measured_number(labels, measured, tmp_path):
    pandas.DataFrame({"a": np.arange(60) % 7, "target": labels}).to_csv(tmp_path / "d.csv", index=False)
    succeed("info", "d.csv", "--json", "i.json", cwd=tmp_path)
    assert read_json(tmp_path / "i.json")["measured_labels"] is measured


def test_rows_without_a_target_are_left_out(friedman, tmp_path):
    folder, values, target = friedman
    table = pandas.DataFrame(values, columns=[f"f{i}" for i in range(10)])
    table["y"] = target
    table.loc[::10, "y"] = np.nan
    table.to_csv(tmp_path / "data.csv", index=False)
    (tmp_path / "ranking.csv").write_bytes((folder / "ranking.csv").read_bytes())
    out = succeed("evaluate", "data.csv", "--ranking", "ranking.csv", "-k", 5, "--runs", 1,
                  "--no-baselines", cwd=tmp_path).out
    assert "50 rows without a label are left out of the regression" in out


def test_targets_that_do_not_differ_in_the_test_rows(tmp_path):
    rng = np.random.default_rng(0)
    table = pandas.DataFrame(rng.normal(size=(80, 3)), columns=list("abc"))
    table["target"] = np.where(np.arange(80) < 10, 0.5, rng.normal(size=80))
    table.to_csv(tmp_path / "data.csv", index=False)
    write_csv(tmp_path / "ranking.csv", [[i + 1, i] for i in range(3)], ["rank", "feature"])
    entry = judged(tmp_path, "-k", 2, "--test-rows", "0:10", "--no-baselines")[0]
    assert "regression" not in entry and "reconstruction" in entry


def test_compare_and_tune_judge_by_regression(tmp_path):
    data = load_diabetes(as_frame=True)
    data.frame.to_csv(tmp_path / "data.csv", index=False)
    succeed("compare", "data.csv", "-k", 3, "--methods", "variance,random", "--runs", 2, "--json", "c.json",
            "--out", "out", cwd=tmp_path)
    rows = read_json(tmp_path / "c.json")["cells"]
    assert all(-1 < row["regression"]["mean"] < 1 for row in rows), rows
    out = succeed("tune", "data.csv", "-k", 3, *FAST, "--epsilon", "2,5", "--runs", 1, cwd=tmp_path).out
    assert "regression" in out
