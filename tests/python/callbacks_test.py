# tests/python/callbacks_test.py: a callback may end a training; what was learnt is kept.
import threading

import numpy as np
import pytest

import quickselection
from quickselection import QuickSelection
from small_estimators import small

pytestmark = pytest.mark.filterwarnings("ignore")
NETWORKS = [name for name in quickselection.SELECTORS
            if hasattr(getattr(quickselection, name), "partial_fit")]


class Enough(Exception):
    pass


@pytest.mark.parametrize("name", NETWORKS)
@pytest.mark.parametrize("raises", [False, True])
def test_a_training_ends_where_the_callback_says(X, name, raises):
    seen = []

    def callback(epoch, loss, scores):
        seen.append((loss, scores))
        if epoch == 2 and raises:
            raise Enough("here")
        return epoch == 2
    selector = small(name)
    selector.set_params(callback=callback)
    if raises:
        with pytest.raises(Enough, match="here"):
            selector.fit(X)
    else:
        selector.fit(X)
    assert len(seen) == 2
    kept = min(seen, key=lambda epoch: epoch[0]) if raises else seen[-1]
    assert selector.n_iter_ == len(selector.loss_curve_) == seen.index(kept) + 1
    np.testing.assert_array_equal(selector.scores_, kept[1])
    assert selector.transform(X).shape[1] == len(selector.selected_)


@pytest.mark.parametrize("raised", [Enough, KeyboardInterrupt])
def test_an_exception_leaves_the_epoch_with_the_least_loss(X, raised):
    seen = []

    def callback(epoch, loss, scores):
        seen.append((loss, scores))
        if epoch == 12:
            raise raised
    selector = QuickSelection(5, epochs=20, hidden=20, learning_rate=1.0, callback=callback)
    with pytest.raises(raised):
        selector.fit(X)
    best = int(np.argmin([loss for loss, _ in seen]))
    assert best < 11, "the loss must rise again for this test"
    assert selector.n_iter_ == best + 1 and selector.loss_curve_[-1] == seen[best][0]
    np.testing.assert_array_equal(selector.scores_, seen[best][1])
    counted = QuickSelection(5, epochs=best + 1, hidden=20, learning_rate=1.0).fit(X)
    np.testing.assert_array_equal(selector.weights_[0].toarray(), counted.weights_[0].toarray())
    assert selector.explained_ is not None


def test_the_result_is_that_of_a_training_of_so_many_epochs(X):
    stopped = QuickSelection(5, epochs=50, hidden=20, callback=lambda epoch, *_: epoch == 4).fit(X)
    counted = QuickSelection(5, epochs=4, hidden=20).fit(X)
    np.testing.assert_array_equal(stopped.scores_, counted.scores_)
    assert stopped.n_iter_ == 4


@pytest.mark.parametrize("answer", [None, False, 0, "", np.False_])
def test_other_answers_go_on(X, answer):
    assert QuickSelection(5, epochs=3, hidden=20, callback=lambda *_: answer).fit(X).n_iter_ == 3


def test_an_answer_of_numpy_counts(X):
    assert QuickSelection(5, epochs=3, hidden=20, callback=lambda *_: np.True_).fit(X).n_iter_ == 1


def test_control_c_in_a_callback_leaves_a_fitted_selector(X):
    def callback(epoch, loss, scores):
        if epoch == 3:
            raise KeyboardInterrupt
    selector = QuickSelection(5, epochs=1000, hidden=20, callback=callback, n_jobs=2)
    with pytest.raises(KeyboardInterrupt):
        selector.fit(X)
    assert selector.n_iter_ == 3 and selector.explained_ is not None


def test_a_chunk_counts_although_its_callback_raised(X):
    def callback(epoch, loss, scores):
        if epoch == 2:
            raise Enough
    selector = QuickSelection(5, hidden=20, callback=callback).partial_fit(X)
    with pytest.raises(Enough):
        selector.partial_fit(X)
    assert selector.partial_fit(X).n_iter_ == 3
    np.testing.assert_array_equal(selector.scores_, QuickSelection(5, epochs=3, hidden=20).fit(X).scores_)


def test_other_threads_may_decide(X):
    stop = threading.Event()
    timer = threading.Timer(0.2, stop.set)
    timer.start()
    selector = QuickSelection(5, epochs=1_000_000, hidden=20, callback=lambda *_: stop.is_set()).fit(X)
    assert 0 < selector.n_iter_ < 1_000_000
    timer.join()


def test_a_warning_points_at_the_line_of_the_user(X):
    with pytest.warns(RuntimeWarning, match="did not learn") as found:
        QuickSelection(5, epochs=1, hidden=20, check=False).fit(X)
    assert found[0].filename == __file__
