# tests/python/chunks_test.py: partial_fit.
import pickle

import numpy as np
import pandas
import pytest
import scipy.sparse as sp
from sklearn.base import clone

import quickselection
from quickselection import QuickSelection

pytestmark = pytest.mark.filterwarnings("ignore:the network did not learn",
                                        "ignore:the selector did not converge")
CHUNKED = ["QuickSelection", "FCAE", "WAST", "AEFS", "ConcreteAutoencoder", "LotteryTicket"]


def make(name, **parameters):
    return getattr(quickselection, name)(5, **{"epochs": 3, "hidden": 20, "random_state": 4,
                                               **parameters})


def assert_same(a, b):
    np.testing.assert_array_equal(a.scores_, b.scores_)
    np.testing.assert_array_equal(a.ranking_, b.ranking_)
    np.testing.assert_array_equal(a.loss_curve_, b.loss_curve_)
    np.testing.assert_array_equal(a.strength_history_, b.strength_history_)
    for first, second in zip(a.weights_, b.weights_):
        assert (first != second).sum() == 0


def test_all_networks_have_it():
    having = [name for name in quickselection.SELECTORS
              if hasattr(getattr(quickselection, name), "partial_fit")]
    assert sorted(having) == sorted(CHUNKED)


@pytest.mark.parametrize("name", CHUNKED)
def test_the_same_chunk_again_and_again_is_fit(name, X):
    selector, whole = make(name), make(name).fit(X)
    for _ in range(whole.n_iter_):
        assert selector.partial_fit(X) is selector
    assert_same(selector, whole)


@pytest.mark.parametrize("name", CHUNKED)
def test_goes_on_after_pickling(name, X):
    straight, broken = make(name), make(name)
    for chunk in (X[:50], X[50:60], X[60:]):
        straight.partial_fit(chunk)
        broken = pickle.loads(pickle.dumps(broken.partial_fit(chunk)))
    assert straight.n_iter_ == 3 and straight.strength_history_.shape == (3, 25)
    assert_same(straight, broken)


@pytest.mark.parametrize("name", CHUNKED)
def test_fit_begins_anew(name, X):
    selector = make(name).partial_fit(X[:60]).fit(X)
    assert_same(selector, make(name).fit(X))
    assert_same(selector.partial_fit(X[60:]), make(name).partial_fit(X[60:]))
    assert "_training" not in vars(clone(selector))


def test_the_first_chunk_gives_the_scaling(X):
    # A later chunk far away from the first one does not change what was learnt to be a unit.
    one = QuickSelection(5, epochs=3, hidden=20).partial_fit(X)
    other = QuickSelection(5, epochs=3, hidden=20).partial_fit(X)
    one.partial_fit(X)
    other.partial_fit(X * 1000)
    assert other.loss_curve_[1] > 1000 * one.loss_curve_[1]


def test_columns_are_checked(X):
    selector = make("QuickSelection").partial_fit(X)
    with pytest.raises(ValueError, match="24 features"):
        selector.partial_fit(X[:, :-1])
    table = pandas.DataFrame(X, columns=[f"c{i}" for i in range(25)])
    selector = make("QuickSelection").partial_fit(table)
    with pytest.raises(ValueError, match="feature names"):
        selector.partial_fit(table[table.columns[::-1]])
    assert selector.partial_fit(table).n_iter_ == 2


def test_chunks_may_be_sparse_small_and_of_other_types():
    dense = np.random.default_rng(2).poisson(0.3, (90, 30)).astype(np.float32)
    a, b = make("QuickSelection", scale="minmax"), make("QuickSelection", scale="minmax")
    for rows in (slice(0, 40), slice(40, 41), slice(41, 90)):
        a.partial_fit(dense[rows].astype(np.int64))
        b.partial_fit(sp.csr_matrix(dense[rows]))
    assert_same(a, b)


def test_several_runs_cannot_be_continued(X):
    with pytest.raises(ValueError, match="n_runs is 3"):
        make("QuickSelection", n_runs=3).partial_fit(X)


def test_the_callback_counts_the_calls(X):
    seen = []
    selector = make("WAST", callback=lambda epoch, loss, scores: seen.append(epoch))
    selector.partial_fit(X).partial_fit(X)
    assert seen == [1, 2]
