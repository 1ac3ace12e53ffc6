"""Pictures of a fitted selector, with matplotlib. Each function returns the Axes it drew on."""
import numpy as np


def _axes(ax):
    if ax is not None:
        return ax
    import matplotlib.pyplot as plt
    return plt.subplots()[1]


def _needs(selector, attribute):
    value = getattr(selector, attribute, None)
    if value is None:
        raise ValueError(f"{type(selector).__name__} has no {attribute}: fit it first, or choose a "
                         "method that trains a network")
    return value


def scores(selector, ax=None):
    """The scores of all features, best first, with the cut at the number selected."""
    ax = _axes(ax)
    values = np.sort(_needs(selector, "scores_"))[::-1]
    ax.plot(np.arange(1, len(values) + 1), values)
    ax.axvline(len(selector.selected_), linestyle="--", color="gray")
    ax.set(xlabel="rank", ylabel="score", title=f"{len(selector.selected_)} of {len(values)} selected")
    return ax


def strength_history(selector, ax=None, rejected=20):
    """The strength over the epochs of the selected features and of some others."""
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


def loss(selector, ax=None):
    """The loss of every epoch."""
    ax = _axes(ax)
    curve = _needs(selector, "loss_curve_")
    ax.plot(np.arange(1, len(curve) + 1), curve)
    ax.set(xlabel="epoch", ylabel="mean squared error")
    return ax


def accuracy(ks, means, deviations=None, ax=None, label=None):
    """Accuracy over the number of features, with its spread."""
    ax = _axes(ax)
    ax.errorbar(ks, means, yerr=deviations, marker="o", capsize=3, label=label)
    ax.set(xlabel="features", ylabel="accuracy")
    if label:
        ax.legend()
    return ax


def feature_map(selector, shape, ax=None):
    """The scores as an image, for features that are pixels; selected ones are marked."""
    ax = _axes(ax)
    values = np.asarray(_needs(selector, "scores_"))
    if int(np.prod(shape)) != len(values):
        raise ValueError(f"an image of {shape[0]} x {shape[1]} has {int(np.prod(shape))} pixels, but "
                         f"there are {len(values)} features")
    ax.imshow(values.reshape(shape))
    rows, columns = np.unravel_index(selector.selected_, shape)
    ax.plot(columns, rows, "r.", markersize=3)
    return ax
