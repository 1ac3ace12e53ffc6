# tests/python/strange_arguments_test.py: arguments that nobody means: an error in words, and Python goes on.
import os

import numpy as np
import pytest

import quickselection
from quickselection import Error, QuickSelection


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("a,b\n1,2\n3,4\n5,7\n")
    return path


@pytest.mark.parametrize("n_jobs", [4097, 10 ** 9, 2 ** 31, 2 ** 70])
def test_threads_beyond_all_machines_are_refused(n_jobs):
    X = np.random.default_rng(0).normal(size=(20, 4))
    with pytest.raises(Error, match="n_jobs .*4096"):
        QuickSelection(2, epochs=1, n_jobs=n_jobs).fit(X)
    with pytest.raises(Error, match="n_jobs .*4096"):
        quickselection.evaluate(X, [0, 1] * 10, [0, 1, 2, 3], k=2, n_jobs=n_jobs)
    with pytest.raises(Error, match="n_jobs .*4096"):
        quickselection.compare(X, [0, 1] * 10, "variance", k=2, n_jobs=n_jobs)


def test_no_file_at_all_is_an_error():
    with pytest.raises(Error, match="no file"):
        quickselection.read([])


def test_names_of_files_need_not_be_utf8(table):
    odd = os.fsencode(table.parent) + b"/\xff\xfe.csv"
    os.rename(table, odd)
    for path in (odd, os.fsdecode(odd), [odd]):
        assert quickselection.read(path).X.shape == (3, 2)
    with pytest.raises(Error, match=r"no.xff: No such file"):
        quickselection.read(os.fsdecode(b"no\xff"))


def test_a_null_byte_does_not_end_a_name(table):
    for path in (f"{table}\0.csv", os.fsencode(table) + b"\0.csv"):
        with pytest.raises(Error, match="null byte"):
            quickselection.read(path)
        with pytest.raises(Error, match="null byte"):
            quickselection.read_ranking(path, [[1., 2.]])
