# tests/python/selectors_test.py: what scikit-learn's suite does not look at.
import os
import pickle
import subprocess
import sys
import threading
import time

import numpy as np
import pandas
import pytest
import scipy.sparse as sp

import quickselection
from quickselection import (WAST, ConcreteAutoencoder, QuickSelection, VarianceRanking,
                            datasets)

# Too short to learn anything, which is said.
pytestmark = pytest.mark.filterwarnings("ignore:the network did not learn")
FAST = {"epochs": 3, "hidden": 20}


def test_ranking_selected_and_support_agree(X):
    selector = QuickSelection(7, **FAST).fit(X)
    assert sorted(selector.ranking_) == list(range(1, 26))
    assert list(selector.ranking_[selector.selected_]) == list(range(1, 8))
    assert selector.support_.sum() == 7 and selector.support_[selector.selected_].all()
    assert (np.diff(selector.scores_[np.argsort(selector.ranking_)]) <= 0).all()
    assert selector.transform(X).shape == (120, 7)
    np.testing.assert_array_equal(selector.transform(X), X[:, selector.support_])


def test_a_fraction_of_the_features(X):
    assert QuickSelection(0.2, **FAST).fit(X).support_.sum() == 5
    assert QuickSelection(1.0, **FAST).fit(X).support_.all()


def test_more_than_there_are_selects_all_with_a_warning(X):
    with pytest.warns(UserWarning, match="there are 25 features"):
        selector = VarianceRanking(100).fit(X)
    assert selector.support_.all()


@pytest.mark.parametrize("k", [0, -3, 1.5, 0.0, "many", True])
def test_impossible_counts_are_refused(X, k):
    with pytest.raises(ValueError, match="n_features_to_select"):
        VarianceRanking(k).fit(X)


def test_shards_have_orders_of_their_own_and_no_threads(X):
    def scores(shards, threads=1):
        return QuickSelection(7, shards=shards, n_jobs=threads, **FAST).fit(X).scores_

    np.testing.assert_array_equal(scores(1), QuickSelection(7, **FAST).fit(X).scores_)
    np.testing.assert_array_equal(scores(3), scores(3, threads=2))
    assert (scores(1) != scores(3)).any()
    with pytest.raises(ValueError, match="shards is 121, but there are only 120 rows"):
        scores(121)


@pytest.mark.filterwarnings("ignore:the selector did not converge")
@pytest.mark.parametrize("method, options", [
    (WAST, {"zeta": 0, "hidden": 20}), (ConcreteAutoencoder, {"hidden": 9})])
def test_a_batch_of_all_rows_is_the_same_in_shards(X, method, options):
    """Whatever a step takes from the rows is added up: only the last digits differ."""
    def scores(shards, threads=1, batch_size=len(X)):
        return method(7, epochs=4, shards=shards, n_jobs=threads, batch_size=batch_size,
                      **options).fit(X).scores_

    np.testing.assert_allclose(scores(3), scores(1), rtol=1e-3)
    np.testing.assert_array_equal(scores(3), scores(3, threads=2))
    assert (scores(3, batch_size=30) != scores(1, batch_size=30)).any()


def test_options_out_of_range_are_refused_by_name(X):
    with pytest.raises(quickselection.Error, match="^zeta is '2.0'"):
        QuickSelection(zeta=2.0).fit(X)


def test_a_training_stops_when_its_ranking_has_settled(X):
    settled = QuickSelection(5, epochs="auto", hidden=30, batch_size=2).fit(X)
    assert settled.n_iter_ < 100 and settled.training_.startswith("the ranking settled")
    counted = QuickSelection(5, epochs=settled.n_iter_, hidden=30, batch_size=2).fit(X)
    np.testing.assert_array_equal(counted.scores_, settled.scores_)
    assert "settle" not in counted.training_
    chunk = QuickSelection(5, epochs="auto", hidden=30).partial_fit(X)
    assert chunk.n_iter_ == 1 and "settle" not in chunk.training_


def test_networks_tell_about_their_training(X):
    selector = QuickSelection(5, epochs=4, hidden=30).fit(X)
    assert selector.n_iter_ == 4 and len(selector.loss_curve_) == 4
    assert selector.strength_history_.shape == (4, 25)
    np.testing.assert_allclose(selector.strength_history_[-1], selector.scores_, rtol=1e-6)
    first, second = selector.weights_
    assert first.shape == (25, 30) and second.shape == (30, 25)
    assert sp.isspmatrix_csr(first) and first.has_sorted_indices
    assert len(selector.biases_[0]) == 30


def test_dense_layers_are_arrays_that_share_the_memory_of_the_core(X):
    first, second = quickselection.FCAE(5, epochs=1, hidden=20).fit(X).weights_
    assert first.shape == (25, 20) and second.shape == (20, 25)
    assert isinstance(first, np.ndarray) and first.dtype == np.float32
    assert not first.flags.owndata and np.count_nonzero(first) == first.size


def test_callback_is_called_after_every_epoch(X):
    seen = []
    QuickSelection(5, callback=lambda epoch, loss, scores: seen.append((epoch, loss, len(scores))),
                   **FAST).fit(X)
    assert [epoch for epoch, _, _ in seen] == [1, 2, 3]
    assert all(loss > 0 and count == 25 for _, loss, count in seen)


def test_an_error_in_the_callback_comes_back(X):
    def broken(epoch, loss, scores):
        raise RuntimeError("from the callback")
    with pytest.raises(RuntimeError, match="from the callback"):
        QuickSelection(5, callback=broken, n_jobs=2, **FAST).fit(X)


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.uint8, np.int8, np.uint16, np.int16,
                                   np.uint32, np.int32, np.uint64, np.int64, ">f8", ">i4", np.float16,
                                   bool])
def test_any_real_type(dtype):
    values = np.random.default_rng(1).integers(0, 2 if dtype is bool else 100, (60, 9))
    expected = QuickSelection(3, **FAST).fit(values.astype(np.float64)).ranking_
    np.testing.assert_array_equal(QuickSelection(3, **FAST).fit(values.astype(dtype)).ranking_,
                                  expected)


def test_any_order_in_memory(X):
    expected = QuickSelection(5, **FAST).fit(X).scores_
    wide = np.zeros((240, 50))
    wide[::2, :25] = X
    for view in (np.asfortranarray(X), wide[::2, :25], X[::-1][::-1], X.copy()[:, ::-1][:, ::-1]):
        np.testing.assert_array_equal(QuickSelection(5, **FAST).fit(view).scores_, expected)


def test_mapped_and_read_only_arrays(X, tmp_path):
    np.save(tmp_path / "x.npy", X)
    mapped = np.load(tmp_path / "x.npy", mmap_mode="r")
    np.testing.assert_array_equal(QuickSelection(5, **FAST).fit(mapped).scores_,
                                  QuickSelection(5, **FAST).fit(X).scores_)


def test_sparse_and_dense_agree_bit_for_bit():
    dense = np.random.default_rng(2).poisson(0.2, (80, 30)).astype(np.float32)
    for scale in ("minmax", "deviation", "standard"):
        expected = QuickSelection(5, scale=scale, **FAST).fit(dense).scores_
        for make in (sp.csr_matrix, sp.csc_matrix, sp.coo_matrix):
            np.testing.assert_array_equal(
                QuickSelection(5, scale=scale, **FAST).fit(make(dense)).scores_, expected)


def test_unsorted_and_repeated_entries_of_sparse_input():
    messy = sp.csr_matrix((np.array([1.0, 2, 3, 4, 5]), np.array([2, 0, 2, 1, 1]),
                           np.array([0, 3, 4, 5])), shape=(3, 3))
    before = messy.indices.copy()
    np.testing.assert_array_equal(VarianceRanking(1).fit(messy).scores_,
                                  VarianceRanking(1).fit(messy.toarray()).scores_)
    np.testing.assert_array_equal(messy.indices, before)


def test_names_of_pandas_columns(X):
    table = pandas.DataFrame(X, columns=[f"gene {i}" for i in range(25)])
    selector = QuickSelection(4, **FAST).set_output(transform="pandas").fit(table)
    small = selector.transform(table)
    assert list(small.columns) == list(table.columns[selector.support_])
    assert list(selector.get_feature_names_out()) == list(small.columns)


def test_polars_and_arrow_tables(X):
    polars = pytest.importorskip("polars")
    table = polars.DataFrame(X, schema=[f"c{i}" for i in range(25)])
    selector = QuickSelection(4, **FAST).fit(table)
    assert list(selector.feature_names_in_) == table.columns
    np.testing.assert_array_equal(selector.scores_, QuickSelection(4, **FAST).fit(X).scores_)
    pytest.importorskip("pyarrow")
    np.testing.assert_array_equal(QuickSelection(4, **FAST).fit(table.to_arrow()).scores_,
                                  selector.scores_)


def test_pickles_fitted(X):
    selector = QuickSelection(3, **FAST).fit(X)
    again = pickle.loads(pickle.dumps(selector))
    np.testing.assert_array_equal(again.transform(X), selector.transform(X))


def test_the_lock_is_released_while_training():
    X = np.random.default_rng(0).standard_normal((2000, 100)).astype(np.float32)
    ticks, done = [], threading.Event()

    def count():
        while not done.is_set():
            ticks.append(1)
            time.sleep(0.001)
    thread = threading.Thread(target=count)
    thread.start()
    try:
        QuickSelection(3, epochs=20).fit(X)
    finally:
        done.set()
        thread.join()
    assert len(ticks) > 20


def test_the_module_is_the_command_line():
    shown = subprocess.run([sys.executable, "-m", "quickselection", "--help"], env=os.environ,
                           capture_output=True, text=True, check=True).stdout
    assert "select" in shown and "evaluate" in shown


def test_generators_and_their_relevant_features():
    made = datasets.make_madelon(rows=200, features=30, random_state=3)
    assert made.X.shape == (200, 30) and len(made.y) == 200 and len(made.relevant) == 20
    assert datasets.make_gaussian(rows=10, features=4).y is None
    with pytest.raises(TypeError, match="make_gaussian has no option 'colour'"):
        datasets.make_gaussian(colour=3)


def test_loads_the_files_of_the_paper(data_folder):
    madelon = datasets.load("madelon")
    assert madelon.X.shape == (2600, 500) and set(madelon.y) == {"-1", "1"}
    with pytest.raises(quickselection.Error, match="no file called nothing"):
        datasets.load("nothing")


def test_progress_is_shown_when_asked_for(X, capfd):
    pytest.importorskip("tqdm")
    QuickSelection(3, verbose=1, **FAST).fit(X)
    assert "QuickSelection" in capfd.readouterr().err


def test_files_of_one_data_set_are_read_together(X, tmp_path):
    for name, part in (("a.npy", X[:50]), ("b.npy", X[50:])):
        np.save(tmp_path / name, part)
    for path in ([tmp_path / "a.npy", str(tmp_path / "b.npy")], tmp_path):
        table = quickselection.read(path)
        np.testing.assert_array_equal(table.X, X)
    np.testing.assert_array_equal(quickselection.read(tmp_path, rows=(40, 60)).X, X[40:60])
