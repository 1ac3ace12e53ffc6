# tests/python/damaged_states_test.py: matrices, files and states that somebody damaged.
import pickle

import numpy as np
import pytest
import scipy.sparse as sp

import quickselection
from quickselection import QuickSelection, VarianceRanking


def csr():
    return sp.random(20, 8, 0.4, format="csr", random_state=1)


def descending(X):
    X.indptr[3], X.indptr[4] = X.indptr[4] + 1, X.indptr[3]


def beyond(X):
    X.indptr[5] = 10 ** 6


def negative(X):
    X.indptr[2] = -10 ** 6


def column(X):
    X.indices[4] = 10 ** 6


@pytest.mark.parametrize("spoil", [descending, beyond, negative, column])
@pytest.mark.parametrize("kind", ["csr", "csc"])
def test_sparse_matrices_are_checked_before_scipy_touches_them(spoil, kind):
    X = csr().asformat(kind)
    X.has_canonical_format = X.has_sorted_indices = False
    spoil(X)
    with pytest.raises(quickselection.Error, match="sparse matrix is damaged"):
        VarianceRanking(2).fit(X)


def test_names_in_latin1_come_as_text(tmp_path):
    (tmp_path / "old.csv").write_bytes("gr\u00f6\u00dfe,label\n1,\u00e4\n3,b\n".encode("latin-1"))
    table = quickselection.read(tmp_path / "old.csv")
    assert table.names == ["gr\u00f6\u00dfe"] and list(table.y) == ["\u00e4", "b"]
    (tmp_path / "bad.csv").write_bytes("a,b\n1,2\n3,gr\u00f6\u00dfe\n".encode("latin-1"))
    with pytest.raises(quickselection.Error, match=r"gr\\xf6\\xdfe"):
        quickselection.read(tmp_path / "bad.csv")


@pytest.mark.filterwarnings("ignore:the network did not learn")
def test_damaged_pickles_are_refused():
    X = np.random.default_rng(1).normal(size=(30, 6))
    whole = pickle.dumps(QuickSelection(3, epochs=3, hidden=10).partial_fit(X))
    begin = whole.index(b"QuickSelection training")
    for place in (30, 60, 300, 700):
        damaged = bytearray(whole)
        damaged[begin + place] ^= 1
        with pytest.raises(quickselection.Error):
            pickle.loads(bytes(damaged)).partial_fit(X)
