# tests/python/stability_test.py: n_runs and stability_.
import csv
import subprocess

import numpy as np
import pytest

import quickselection
from quickselection import LaplacianScore, QuickSelection, Stability, VarianceRanking

pytestmark = pytest.mark.filterwarnings("ignore:.*the network did not learn")
FAST = {"epochs": 3, "hidden": 20}


def test_scores_are_the_mean_of_single_runs(X):
    selector = QuickSelection(5, n_runs=3, random_state=7, n_jobs=2, **FAST).fit(X)
    single = [QuickSelection(5, random_state=7 + run, **FAST).fit(X) for run in range(3)]
    np.testing.assert_allclose(selector.scores_, np.mean([s.scores_ for s in single], axis=0))
    np.testing.assert_allclose(selector.loss_curve_, np.mean([s.loss_curve_ for s in single], axis=0))
    frequency = np.mean([s.support_ for s in single], axis=0)
    np.testing.assert_allclose(selector.stability_.frequency, frequency)
    overlaps = [len(set(a.selected_) & set(b.selected_)) / 5
                for i, a in enumerate(single) for b in single[:i]]
    assert selector.stability_.overlap == pytest.approx(np.mean(overlaps))


def test_stability_says_what_it_is(X):
    found = QuickSelection(5, n_runs=4, **FAST).fit(X).stability_
    assert isinstance(found, Stability) and found.runs == 4 and found.k == 5
    assert found.lower <= found.index <= found.upper and found.overlap_by_chance == 0.2
    assert str(found).startswith("4 runs with different seeds share")


def test_only_with_several_runs(X):
    selector = QuickSelection(5, n_runs=2, **FAST).fit(X)
    assert selector.weights_ is None and selector.strength_history_ is None
    selector.set_params(n_runs=1).fit(X)
    assert not hasattr(selector, "stability_") and len(selector.weights_) == 2


def test_all_features_have_no_stability(X):
    assert QuickSelection(25, n_runs=2, **FAST).fit(X).stability_ is None


def test_methods_without_chance_need_samples_of_the_rows(X):
    with pytest.raises(quickselection.Error, match="bootstrap"):
        VarianceRanking(5, n_runs=3).fit(X)
    selector = LaplacianScore(5, n_runs=3, bootstrap=True).fit(X)
    assert selector.stability_.runs == 3


@pytest.mark.parametrize("n_runs", [0, -1, 1.5, "3", True, None])
def test_impossible_numbers_are_refused(X, n_runs):
    with pytest.raises(ValueError, match="n_runs"):
        QuickSelection(5, n_runs=n_runs, **FAST).fit(X)


@pytest.mark.parametrize("bootstrap", [False, True])
def test_the_command_line_gives_the_same(X, program, tmp_path, bootstrap):
    np.save(tmp_path / "x.npy", X)
    subprocess.run([program, "select", tmp_path / "x.npy", "-k", "5", "--epochs", "3", "--hidden",
                    "20", "--seed", "5", "--runs", "3", "--ranking", tmp_path / "ranking.csv",
                    "--quiet", *(["--bootstrap"] if bootstrap else [])], check=True)
    with open(tmp_path / "ranking.csv") as file:
        order = [int(row["feature"]) for row in csv.DictReader(file)]
    selector = QuickSelection(5, n_runs=3, bootstrap=bootstrap, random_state=5, **FAST).fit(X)
    assert list(np.argsort(selector.ranking_)) == order
