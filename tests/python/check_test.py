# tests/python/check_test.py: explained_, check and n_features_to_select='auto'.
import json
import pickle
import subprocess

import numpy as np
import pytest
from sklearn.base import clone

from quickselection import Cover, Explained, LaplacianScore, QuickSelection, VarianceRanking

pytestmark = pytest.mark.filterwarnings("ignore:.*the network did not learn")
FAST = {"epochs": 3, "hidden": 20}


@pytest.fixture
def noisy():
    """20 of 300 features share three factors."""
    random = np.random.default_rng(0)
    values = random.standard_normal((80, 300))
    values[:, :20] += 3 * random.standard_normal((80, 3)) @ random.standard_normal((3, 20))
    return values


@pytest.fixture
def loud():
    """60 of 300 features share two factors, and the noise varies more."""
    random = np.random.default_rng(0)
    values = random.standard_normal((80, 300))
    angle = random.uniform(0, 7, 60)
    shared = random.standard_normal((80, 2)) @ np.array([np.cos(angle), np.sin(angle)])
    values[:, :60] = 0.6 * shared + 0.1 * values[:, :60]
    return values


def test_every_selector_says_what_its_features_explain(X):
    for selector in (QuickSelection(5, **FAST), Cover(5), LaplacianScore(5), VarianceRanking(5, n_runs=1)):
        found = selector.fit(X).explained_
        assert isinstance(found, Explained) and found.k == 5 and found.rows == 120
        assert 0 < found.chosen <= 1 and 0 < found.random < found.cover
        assert str(found).startswith("The 5 chosen features explain ")
        assert list(found.curve.k) == [1, 2, 5, 10, 20, 25]
        assert found.curve.chosen[2] == found.chosen and len(found.curve.spread) == 6


def test_it_is_what_the_program_says(program, X, tmp_path):
    np.save(tmp_path / "x.npy", X)
    subprocess.run([program, "select", "x.npy", "-k", "5", "--method", "variance", "--json", "r.json", "--quiet"],
                   cwd=tmp_path, check=True)
    told = json.loads((tmp_path / "r.json").read_text())["explained"]
    found = VarianceRanking(5).fit(X).explained_
    assert told["chosen"] == found.chosen and told["curve"]["random"] == list(found.curve.random)
    assert told["text"] == found.text


def test_chance_is_warned_of_in_words_of_python(loud):
    with pytest.warns(RuntimeWarning, match=r"nearer to chance, the .* of as many random ones, than to the \d+ % of Cover"):
        assert VarianceRanking(10).fit(loud).explained_.near_chance
    assert not Cover(10).fit(loud).explained_.near_chance


def test_without_a_check(loud):
    selector = VarianceRanking(10, check=False).fit(loud)
    assert selector.explained_ is None
    with pytest.warns(RuntimeWarning):
        np.testing.assert_array_equal(VarianceRanking(10).fit(loud).selected_, selector.selected_)


def test_auto_selects_as_few_as_explain_nearly_all(noisy):
    for selector in (VarianceRanking("auto"), Cover("auto"), Cover("auto", check=False)):
        k = len(clone(selector).fit(noisy).selected_)
        assert 1 < k < 20
    found = VarianceRanking("auto").fit(noisy)
    assert found.explained_.k == len(found.selected_) == found.support_.sum() == found.transform(noisy).shape[1]
    assert found.explained_.chosen >= 0.95 * found.explained_.together


def test_auto_is_refused_for_chunks_and_other_words_everywhere(X):
    with pytest.raises(ValueError, match="partial_fit"):
        QuickSelection("auto", **FAST).partial_fit(X)
    with pytest.raises(ValueError, match="'auto' or None"):
        VarianceRanking("all").fit(X)


def test_it_survives_pickling_and_is_forgotten_by_another_fit(X):
    selector = QuickSelection(5, **FAST).fit(X)
    again = pickle.loads(pickle.dumps(selector))
    assert again.explained_.text == selector.explained_.text
    np.testing.assert_array_equal(again.explained_.curve.chosen, selector.explained_.curve.chosen)
    assert not hasattr(selector.partial_fit(X), "explained_")
