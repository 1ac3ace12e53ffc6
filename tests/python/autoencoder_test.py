# tests/python/autoencoder_test.py: SparseAutoencoder.
import copy
import pickle
import subprocess

import numpy as np
import pandas
import pytest
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

import quickselection
from quickselection import SparseAutoencoder

pytestmark = pytest.mark.filterwarnings("ignore:the network did not learn")
FAST = {"epochs": 3, "layers": (20, 4, 20)}
# Enough to learn three factors.
LEARN = {"epochs": 200, "layers": (40, 6, 40), "dropout": 0.0, "noise": 0.0, "activation": "tanh",
         "epsilon": 40.0}


def test_codes_have_the_width_of_the_narrowest_layer(X):
    model = SparseAutoencoder(**FAST)
    codes = model.fit_transform(X)
    assert codes.shape == (120, 4) and codes.dtype == np.float32 and codes.flags.writeable
    assert model.n_components_ == 4 and model.n_iter_ == len(model.loss_curve_) == 3
    assert list(model.get_feature_names_out()) == [f"sparseautoencoder{i}" for i in range(4)]
    np.testing.assert_array_equal(codes, model.transform(X))


def test_rows_come_back_in_their_own_units(X):
    X = X * np.linspace(1, 50, 25) + np.linspace(-300, 300, 25)
    model = SparseAutoencoder(**LEARN).fit(X)
    rows = model.reconstruct(X)
    error = ((rows - X) ** 2).mean(axis=0) / X.var(axis=0)
    assert error.mean() < 0.3
    np.testing.assert_array_equal(rows, model.inverse_transform(model.transform(X)))


def test_codes_can_be_changed_and_decoded(X):
    model = SparseAutoencoder(**FAST).fit(X)
    codes = model.transform(X)[:3].astype(np.float64)
    assert model.inverse_transform(codes).shape == (3, 25)
    with pytest.raises(ValueError, match="5 columns"):
        model.inverse_transform(np.zeros((2, 5)))
    with pytest.raises(ValueError, match="NaN"):
        model.inverse_transform(np.full((2, 4), np.nan))


def test_pickles_copies_and_clones(X):
    model = SparseAutoencoder(**FAST).fit(X)
    for other in (pickle.loads(pickle.dumps(model)), copy.deepcopy(model)):
        np.testing.assert_array_equal(other.transform(X), model.transform(X))
        np.testing.assert_array_equal(other.reconstruct(X), model.reconstruct(X))
    with pytest.raises(ValueError, match="not fitted"):
        clone(model).transform(X)


def test_does_not_depend_on_threads(X):
    one, two = (SparseAutoencoder(n_jobs=jobs, **FAST).fit(X) for jobs in (1, 2))
    np.testing.assert_array_equal(one.transform(X), two.transform(X))
    np.testing.assert_array_equal(one.reconstruct(X), two.reconstruct(X))


def test_sparse_input_and_tables():
    dense = np.random.default_rng(2).poisson(0.3, (80, 30)).astype(np.float32)
    model = SparseAutoencoder(scale="deviation", **FAST)
    np.testing.assert_array_equal(model.fit_transform(sp.csr_matrix(dense)),
                                  model.fit_transform(dense))
    table = pandas.DataFrame(dense, columns=[f"c{i}" for i in range(30)])
    codes = model.set_output(transform="pandas").fit_transform(table)
    assert list(codes.columns) == list(model.get_feature_names_out())


def test_in_a_pipeline(X):
    y = X[:, 0] > 0
    model = make_pipeline(SparseAutoencoder(**LEARN), LogisticRegression()).fit(X, y)
    assert model.score(X, y) > 0.8


@pytest.mark.parametrize("parameters", [{"layers": ()}, {"layers": (3, 0)}, {"epochs": 0},
                                        {"zeta": 1.5}, {"scale": "loud"}, {"clip": -1}])
def test_impossible_parameters_are_refused(X, parameters):
    with pytest.raises(ValueError, match=next(iter(parameters))):
        SparseAutoencoder(**{**FAST, **parameters}).fit(X)


def test_the_command_line_gives_the_same_codes(X, program, tmp_path):
    np.save(tmp_path / "x.npy", X)
    subprocess.run([program, "extract", tmp_path / "x.npy", "--layers", "20,4,20", "--epochs", "3",
                    "--seed", "5", "--out", tmp_path / "codes.npy", "--quiet"], check=True)
    codes = SparseAutoencoder(random_state=5, **FAST).fit_transform(X)
    np.testing.assert_array_equal(codes, quickselection.read(tmp_path / "codes.npy").X)
