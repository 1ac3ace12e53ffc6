# tests/python/arrow_stream_test.py: tables that speak the Arrow C stream go straight to fit, without pyarrow in between.
import numpy as np
import pytest

from quickselection import QuickSelection

FAST = dict(epochs=3, hidden=30)


@pytest.fixture
def X():
    return np.random.default_rng(0).normal(size=(80, 6))


class Stranger:
    """Only the protocol: nothing else of the table is seen."""

    def __init__(self, table):
        self.table = table

    def __arrow_c_stream__(self, requested_schema=None):
        return self.table.__arrow_c_stream__(requested_schema)


def tables(X):
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame({f"c{i}": X[:, i] for i in range(X.shape[1])})
    yield frame
    yield Stranger(frame)
    pyarrow = pytest.importorskip("pyarrow")
    yield pyarrow.table({f"c{i}": X[:, i] for i in range(X.shape[1])})


def test_the_same_as_the_array(X):
    expected = QuickSelection(3, **FAST).fit(X)
    for table in tables(X):
        fitted = QuickSelection(3, **FAST).fit(table)
        np.testing.assert_array_equal(fitted.scores_, expected.scores_)
        assert list(fitted.feature_names_in_) == [f"c{i}" for i in range(6)]


def test_text_and_dates_are_left_out_with_a_warning(X):
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame({"key": [f"k{i}" for i in range(80)], "city": ["a", "b"] * 40,
                              **{f"c{i}": X[:, i] for i in range(6)}})
    with pytest.warns(UserWarning, match="left out") as seen:
        fitted = QuickSelection(3, **FAST).fit(frame)
    assert list(fitted.feature_names_in_) == [f"c{i}" for i in range(6)]
    assert any("city" in str(warning.message) for warning in seen)
    np.testing.assert_array_equal(fitted.scores_, QuickSelection(3, **FAST).fit(X).scores_)


def test_what_can_be_read_only_once_is_refused_where_two_passes_are_needed(X):
    pyarrow = pytest.importorskip("pyarrow")
    table = pyarrow.table({"a": X[:, 0], "b": X[:, 1], "city": ["a", "b"] * 40})
    with pytest.raises(ValueError, match="80 rows when it was read first, and 0"):
        QuickSelection(1, **FAST).fit(table.to_reader())
