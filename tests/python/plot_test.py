# tests/python/plot_test.py
import numpy as np
import pytest

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")

from quickselection import QuickSelection, VarianceRanking, plot  # noqa: E402


@pytest.fixture
def selector(X):
    return QuickSelection(6, epochs=4, hidden=20).fit(X)


def test_every_plot_returns_axes_with_marks(selector):
    for ax in (plot.scores(selector), plot.strength_history(selector), plot.loss(selector),
               plot.accuracy([5, 10], [0.8, 0.9], [0.1, 0.05], label="extra trees")):
        assert ax.lines and len(ax.lines[0].get_xdata()) > 0
    assert plot.feature_map(selector, (5, 5)).images


def test_draws_on_the_axes_it_is_given(selector):
    ax = matplotlib.pyplot.subplots()[1]
    assert plot.loss(selector, ax=ax) is ax


def test_says_what_is_missing(selector, X):
    with pytest.raises(ValueError, match="loss_curve_"):
        plot.loss(VarianceRanking(3).fit(X))
    with pytest.raises(ValueError, match="28 x 28 has 784 pixels, but there are 25"):
        plot.feature_map(selector, (28, 28))
