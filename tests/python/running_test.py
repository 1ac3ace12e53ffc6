# tests/python/running_test.py: Ctrl-C, threads and forks, for every estimator.
import contextlib
import os
import signal
import threading
import time

import joblib
import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline

import quickselection
from quickselection import _core
from quickselection._base import CoreEstimator
from quickselection._data import to_dataset
from small_estimators import ESTIMATORS, small

pytestmark = pytest.mark.filterwarnings("ignore")

# Each would run for minutes.
ENDLESS = {
    "QuickSelection": {"epochs": 100000},
    "FCAE": {"epochs": 100000, "hidden": 200},
    "LotteryTicket": {"epochs": 100000, "hidden": 200},
    "WAST": {"epochs": 100000},
    "AEFS": {"epochs": 100000},
    "ConcreteAutoencoder": {"epochs": 100000},
    "SparseAutoencoder": {"epochs": 100000, "layers": (50, 5, 50)},
}


def interrupt_after(event):
    """Sends SIGINT to this process when the event is set; returns a list that gets the moment after."""
    moments = []

    def send():
        event.wait()
        os.kill(os.getpid(), signal.SIGINT)
        moments.append(time.monotonic())
    threading.Thread(target=send, daemon=True).start()
    return moments


@pytest.fixture
def interrupt_at_work(monkeypatch):
    """A function after which the first report of any estimator's progress leads to a SIGINT."""
    def arm():
        under_way = threading.Event()

        @contextlib.contextmanager
        def progress(estimator):
            yield lambda *news: under_way.set()
        monkeypatch.setattr(CoreEstimator, "_progress", progress)
        interrupt_after(under_way)
    return arm


@pytest.mark.parametrize("name", ENDLESS)
def test_control_c_stops_a_training(name, interrupt_at_work):
    X = np.random.default_rng(0).standard_normal((2000, 100)).astype(np.float32)
    model = getattr(quickselection, name)(**ENDLESS[name], n_jobs=2)
    interrupt_at_work()
    with pytest.raises(KeyboardInterrupt):
        model.fit(X)


@pytest.mark.parametrize("name", ["LaplacianScore", "MCFS", "UDFS"])
def test_control_c_stops_the_search_for_neighbours(name, interrupt_at_work):
    X = np.random.default_rng(0).standard_normal((20000, 300)).astype(np.float32)
    interrupt_at_work()
    with pytest.raises(KeyboardInterrupt):
        getattr(quickselection, name)().fit(X)


@pytest.mark.parametrize("name", ["QuickSelection", "WAST"])
def test_control_c_stops_several_runs_and_chunks(name, interrupt_at_work):
    X = np.random.default_rng(0).standard_normal((2000, 100)).astype(np.float32)
    interrupt_at_work()
    with pytest.raises(KeyboardInterrupt):
        getattr(quickselection, name)(n_runs=4, n_jobs=2, **ENDLESS[name]).fit(X)
    selector = getattr(quickselection, name)(n_jobs=2)
    interrupt_at_work()
    with pytest.raises(KeyboardInterrupt):
        while True:
            selector.partial_fit(X)
    assert selector.partial_fit(X).n_iter_ > 0  # the training goes on


def test_control_c_stops_within_a_batch():
    """The library looks at signals before it reports, at the end of a batch, ten times a second: so
    nothing is reported after the signal, but for what was under way."""
    X = np.random.default_rng(0).standard_normal((3000, 300)).astype(np.float32)
    reports = []
    under_way = threading.Event()
    moments = interrupt_after(under_way)

    def note(*news):
        reports.append(time.monotonic())
        if len(reports) == 3:
            under_way.set()
    asked = ({"method": "quickselection", "k": "5"}, {"epochs": "100000", "batch-size": "3000"})
    with pytest.raises(KeyboardInterrupt):
        _core.select(to_dataset(X), asked, threads=2, progress=note)
    assert len(reports) > 2
    while not moments:
        time.sleep(0.001)
    assert sum(report > moments[0] for report in reports) <= 1


@pytest.mark.parametrize("name", ESTIMATORS)
def test_a_forked_process_can_fit(name, X):
    model = small(name).set_params(n_jobs=2).fit(X)
    child = os.fork()
    if child == 0:
        signal.alarm(60)  # a child that hangs is killed
        again = small(name).set_params(n_jobs=2).fit(X)
        os._exit(0 if np.array_equal(again.transform(X), model.transform(X)) else 1)
    assert os.waitpid(child, 0)[1] == 0


@pytest.mark.parametrize("backend", ["loky", "threading", "multiprocessing"])
def test_joblib_in_every_way(backend, X):
    expected = small("QuickSelection").fit(X).scores_
    found = joblib.Parallel(n_jobs=2, backend=backend)(
        joblib.delayed(small("QuickSelection").set_params(n_jobs=2).fit)(X) for _ in range(3))
    for selector in found:
        np.testing.assert_array_equal(selector.scores_, expected)


@pytest.mark.parametrize("name", ESTIMATORS)
def test_grid_search_over_a_pipeline(name, X):
    y = np.arange(len(X)) % 2 == 0
    X = X + 2 * y[:, np.newaxis]  # every feature tells the classes apart, and so does a network
    model = small(name)
    first = next(iter(model.get_params(deep=False).keys() & {"n_features_to_select", "layers"}))
    choices = [3, 10] if first == "n_features_to_select" else [(20, 3, 20), (20, 8, 20)]
    pipeline = make_pipeline(model, LogisticRegression(max_iter=1000))
    search = GridSearchCV(pipeline, {f"{name.lower()}__{first}": choices}, cv=2, n_jobs=2).fit(X, y)
    assert search.best_score_ > 0.8  # chance is 0.5
    assert search.best_estimator_[:-1].transform(X).shape[1] in (3, 8, 10)
