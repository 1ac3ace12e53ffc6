"""Pictures of a fitted selector, with matplotlib. Each function returns the Axes it drew on."""
from __future__ import annotations

from typing import Any, Sequence

import numpy as np


def _axes(ax: Any) -> Any:
    if ax is not None:
        return ax
    import matplotlib.pyplot as plt
    return plt.subplots()[1]


def _needs(selector: Any, attribute: str) -> Any:
    value = getattr(selector, attribute, None)
    if value is None:
        raise ValueError(f"{type(selector).__name__} has no {attribute}: fit it first, or choose a "
                         "method that trains a network")
    return value


def scores(selector: Any, ax: Any = None) -> Any:
    """The scores of all features, best first, with the cut at the number selected.

    Parameters
    ----------
    selector : a fitted selector
    ax : matplotlib's Axes to draw on; None makes new ones

    Examples
    --------
    >>> from quickselection import QuickSelection, datasets, plot
    >>> made = datasets.make_madelon(rows=100, features=24)
    >>> ax = plot.scores(QuickSelection(5).fit(made.X))
    >>> ax.get_xlabel()
    'rank'
    """
    ax = _axes(ax)
    values = np.sort(_needs(selector, "scores_"))[::-1]
    ax.plot(np.arange(1, len(values) + 1), values)
    ax.axvline(len(selector.selected_), linestyle="--", color="gray")
    ax.set(xlabel="rank", ylabel="score", title=f"{len(selector.selected_)} of {len(values)} selected")
    return ax


def strength_history(selector: Any, ax: Any = None, rejected: int = 20) -> Any:
    """The strength over the epochs of the selected features and of some others.

    Parameters
    ----------
    selector : a fitted selector that trains a network
    rejected : how many others
    ax : matplotlib's Axes to draw on; None makes new ones

    Examples
    --------
    >>> from quickselection import QuickSelection, datasets, plot
    >>> made = datasets.make_madelon(rows=100, features=24)
    >>> ax = plot.strength_history(QuickSelection(5).fit(made.X))
    >>> ax.get_xlabel()
    'epoch'
    """
    ax = _axes(ax)
    history = _needs(selector, "strength_history_")
    epochs = np.arange(1, len(history) + 1)
    others = np.argsort(selector.ranking_)[len(selector.selected_):][:rejected]
    for columns, color, label in ((others, "lightgray", "others"),
                                  (selector.selected_, "tab:blue", "selected")):
        lines = ax.plot(epochs, history[:, columns], color=color, linewidth=0.8)
        if lines:
            lines[0].set_label(label)
    ax.set(xlabel="epoch", ylabel="strength")
    ax.legend()
    return ax


def loss(selector: Any, ax: Any = None) -> Any:
    """The loss of every epoch.

    Parameters
    ----------
    selector : a fitted selector that trains a network
    ax : matplotlib's Axes to draw on; None makes new ones

    Examples
    --------
    >>> from quickselection import QuickSelection, datasets, plot
    >>> made = datasets.make_madelon(rows=100, features=24)
    >>> ax = plot.loss(QuickSelection(5).fit(made.X))
    >>> ax.get_xlabel()
    'epoch'
    """
    ax = _axes(ax)
    curve = _needs(selector, "loss_curve_")
    ax.plot(np.arange(1, len(curve) + 1), curve)
    ax.set(xlabel="epoch", ylabel="mean squared error")
    return ax


def accuracy(ks: Sequence[int], means: Sequence[float], deviations: Sequence[float] | None = None, ax: Any = None,
             label: str | None = None) -> Any:
    """Accuracy over the number of features, with its spread.

    Parameters
    ----------
    ks : numbers of features
    means, deviations : the accuracy for each of them
    label : for the legend
    ax : matplotlib's Axes to draw on; None makes new ones

    Examples
    --------
    >>> from quickselection import QuickSelection, datasets, plot
    >>> made = datasets.make_madelon(rows=100, features=24)
    >>> ax = plot.accuracy([5, 10, 20], [0.6, 0.7, 0.72], [0.01, 0.02, 0.01])
    >>> ax.get_xlabel()
    'features'
    """
    ax = _axes(ax)
    ax.errorbar(ks, means, yerr=deviations, marker="o", capsize=3, label=label)
    ax.set(xlabel="features", ylabel="accuracy")
    if label:
        ax.legend()
    return ax


def feature_map(selector: Any, shape: tuple[int, int], ax: Any = None) -> Any:
    """The scores as an image, for features that are pixels; selected ones are marked.

    Parameters
    ----------
    selector : a fitted selector
    shape : (height, width) of the image
    ax : matplotlib's Axes to draw on; None makes new ones

    Examples
    --------
    >>> from quickselection import QuickSelection, datasets, plot
    >>> made = datasets.make_madelon(rows=100, features=24)
    >>> ax = plot.feature_map(QuickSelection(5).fit(made.X), (4, 6))
    >>> ax.get_xlabel()
    'column'
    """
    ax = _axes(ax)
    values = np.asarray(_needs(selector, "scores_"))
    if int(np.prod(shape)) != len(values):
        raise ValueError(f"an image of {shape[0]} x {shape[1]} has {int(np.prod(shape))} pixels, but "
                         f"there are {len(values)} features")
    ax.imshow(values.reshape(shape))
    rows, columns = np.unravel_index(selector.selected_, shape)
    ax.plot(columns, rows, "r.", markersize=3)
    ax.set(xlabel="column", ylabel="row")
    return ax
