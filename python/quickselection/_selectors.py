"""The selectors: one class for each method of the core's registry."""
from __future__ import annotations

import warnings
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.feature_selection import SelectorMixin
from sklearn.utils.validation import check_is_fitted

from . import _core
from ._base import CoreEstimator, layer_weights, validated
from ._data import as_table, named_dataset, option_texts, texts_of, to_dataset, write_page
from ._parameters import DEFAULT_K, make_class, selector_notes, selector_parameters
from ._picture import curve_html
from .errors import in_python_words

METHODS = {method["name"]: method for method in _core.methods()}
HISTORY_LIMIT = 20_000_000  # values of strength_history_; larger ones are not kept


class Stability(NamedTuple):
    """How much the selections of several runs have in common."""
    k: int
    runs: int
    overlap: float  # mean share of the selected features that two runs have in common
    overlap_by_chance: float
    index: float  # of Nogueira et al. (2018): 0 is chance, 1 is always the same
    lower: float  # 95 % confidence interval of the index
    upper: float
    near_chance: bool
    frequency: NDArray[np.float64]  # of each feature: the share of runs that selected it
    text: str

    def __str__(self) -> str:
        return self.text


class ExplainedCurve(NamedTuple):
    """Shares of what can be predicted, for each of several numbers of features."""
    k: NDArray[np.uint64]
    chosen: NDArray[np.float64]
    random: NDArray[np.float64]
    spread: NDArray[np.float64]
    cover: NDArray[np.float64]


class Explained(NamedTuple):
    """How much the selected features tell of all the others, on rows left out; no labels are used."""
    k: int
    rows: int  # that were used
    predictable: float  # share of the variance that other features predict
    together: float  # share of that which all other features together predict
    chosen: float  # share of it that the k selected features have or predict
    random: float  # the same for k random features, mean over draws
    spread: float  # their standard deviation
    cover: float  # the same for the first k features of Cover
    near_chance: bool
    text: str
    curve: ExplainedCurve

    def __str__(self) -> str:
        return self.text


class SelectorBase(SelectorMixin, CoreEstimator):
    """Ranks features without labels. See make_selector for the parameters of a method."""

    _method = ""

    def fit(self, X, y=None):
        """Rank the features of X. y is accepted for pipelines and never looked at."""
        X = validated(self, X, reset=True)
        n_runs = self.n_runs
        if isinstance(n_runs, bool) or not isinstance(n_runs, (int, np.integer)) or n_runs < 1:
            raise ValueError(f"n_runs is {n_runs!r}, but must be a whole number, at least 1")
        self._forget()
        k = self._count(X.shape[1])
        watcher = self._watcher(X.shape[1], n_runs)
        with self._progress() as report:
            result = _core.select(to_dataset(X), self._asked(k), n_runs, bool(self.bootstrap),
                                  self._threads(), report, watcher, k is None, bool(self.check))
        self._keep(result, result["k"])
        found = result["explained"]
        self.explained_ = None if found is None else Explained(
            **{**found, "curve": ExplainedCurve(**found["curve"])})
        if n_runs > 1:
            found = result["stability"]
            self.stability_ = None if found is None else Stability(**found)
        if watcher is not None:
            watcher.raise_again()
        return self

    def to_html(self, X, y=None, *, path=None, name="X", image=None):
        """The report of `quickselection select`: one page that needs no other file.

        Parameters
        ----------
        X : the data it was fitted on, or other rows of it: the page shows its correlations
        y : labels, for the pictures of classes; they are only shown
        path : a file to write the page to as well
        name : what the page calls the data
        image : (height, width) when the features are pixels

        Returns
        -------
        str
            The page.
        """
        check_is_fitted(self, "support_")
        data = named_dataset(X, y, source=name)
        if data.shape[1] != self.n_features_in_:
            raise ValueError(f"X has {data.shape[1]} features, but {type(self).__name__} is expecting "
                             f"{self.n_features_in_} features as input")
        found = {"stability": None, "explained": None, **self._found,
                 "warnings": [(kind, in_python_words(text)) for kind, text in self._found["warnings"]],
                 "notes": [in_python_words(text) for text in self._found["notes"]]}
        for kind in ("stability", "explained"):
            tuple_ = getattr(self, kind + "_", None)
            if tuple_ is not None:
                found[kind] = tuple_._asdict()
                if "curve" in found[kind]:
                    found[kind]["curve"] = tuple_.curve._asdict()
        page = _core.selection_page(data, found, getattr(self, "_history", None) or [],
                                    "" if image is None else "x".join(map(str, image)), len(self.selected_))
        return write_page(path, page)

    def _fitted_html(self):
        if "support_" not in vars(self):
            return ""
        names = getattr(self, "feature_names_in_", None)
        chosen = [str(column) if names is None else str(names[column]) for column in self.selected_]
        doubts = [in_python_words(text) for kind, text in self._found["warnings"]
                  if kind != "constant_features"]
        best_first = np.sort(self.scores_)[::-1]
        title = f"{len(chosen)} of {len(best_first)} features; score of all, best first"
        return curve_html("score", best_first, title, cut=len(chosen), names=chosen, warnings=doubts)

    def _asked(self, k):
        return (texts_of({"method": self._method, "scale": self.scale or None, "clip": self.clip,
                          "k": k, "seed": self._seed()}),
                option_texts(self, METHODS[self._method]["options"]))

    def _forget(self):
        """Nothing of an earlier fit may be mistaken for a part of this one."""
        for name in ("stability_", "explained_"):
            vars(self).pop(name, None)

    def _watcher(self, n_features, n_runs):
        return None

    def _keep(self, result, k):
        self._warn(result["warnings"])
        self._found = {name: value for name, value in result.items()
                       if name not in ("network", "stability", "explained")}
        self.scores_ = result["scores"]
        self.feature_importances_ = self.scores_
        order = result["ranking"].astype(np.intp)
        self.selected_ = order[:k]
        self.ranking_ = np.empty(len(order), dtype=np.intp)
        self.ranking_[order] = np.arange(1, len(order) + 1)
        self.support_ = self.ranking_ <= k

    def _count(self, n_features):
        """How many features are wanted; None when the data shall say it."""
        k = self.n_features_to_select
        if k is None:
            return min(DEFAULT_K, n_features)
        if isinstance(k, str) and k == "auto":
            return None
        if isinstance(k, (bool, str)) or not np.isreal(k):
            raise ValueError(f"n_features_to_select is {k!r}, but must be a count, a fraction, "
                             "'auto' or None")
        if isinstance(k, (float, np.floating)):
            if not 0 < k <= 1:
                raise ValueError(f"n_features_to_select is {k}, but a fraction must be in (0, 1]")
            return max(1, int(round(k * n_features)))
        if k < 1:
            raise ValueError(f"n_features_to_select is {k}, but must be at least 1")
        if k > n_features:
            warnings.warn(f"n_features_to_select is {k}, but there are {n_features} features: "
                          "all are selected", UserWarning, stacklevel=3)
        return min(int(k), n_features)

    def _get_support_mask(self):
        check_is_fitted(self, "support_")
        return self.support_

    def transform(self, X):
        """Only the selected columns of X, in their original order."""
        return super().transform(as_table(X))


class _Watcher:
    """Called after every epoch; a true answer ends the training. What the user's callback raises ends
    it as well, and is raised again when the estimator is fitted with the best epoch."""

    def __init__(self, selector, n_features):
        self._selector = selector
        self._n_features = n_features
        self._raised = None

    def __call__(self, epoch, loss, scores):
        selector = self._selector
        if selector._history is not None:
            selector._history.append(scores.astype(np.float32))
            if len(selector._history) * self._n_features > HISTORY_LIMIT:
                selector._history = None
        if selector.callback is None:
            return False
        try:
            return bool(selector.callback(epoch, loss, scores))
        except BaseException as raised:  # Ctrl-C too
            self._raised = raised
            return True

    @property
    def may_raise(self):
        return self._selector.callback is not None

    @property
    def raised(self):
        return self._raised is not None

    def raise_again(self):
        if self.raised:
            raise self._raised


class NetworkSelector(SelectorBase):
    """A selector that trains a network, at once or chunk by chunk, and tells about it."""

    @property
    def strength_history_(self):
        """The scores after each epoch, (epochs, features); None when they were not kept."""
        if "_history" not in vars(self):
            raise AttributeError(f"this {type(self).__name__} is not fitted yet")
        return np.array(self._history) if self._history else None

    def _forget(self):
        super()._forget()
        vars(self).pop("_training", None)
        self._history = []

    def _watcher(self, n_features, n_runs):
        if n_runs > 1:  # several trainings have no common history
            return None

        return _Watcher(self, n_features)

    def _keep(self, result, k):
        super()._keep(result, k)
        self.loss_curve_ = result["loss"]
        self.n_iter_ = len(self.loss_curve_)
        self.training_ = result["training"]
        layers = [layer_weights(layer) for layer in result["network"]]
        self.weights_ = [weights for weights, _ in layers] or None
        self.biases_ = [bias for _, bias in layers] or None

    def partial_fit(self, X, y=None):
        """Train for one epoch on the rows of X, and rank the features by what is known now.

        The first call begins a training, later ones continue it; the connections of sparse networks
        evolve once a call. Values are scaled by the statistics of the first chunk, which should look
        like the others. Parameters are those of the first call; `epochs` does not matter, except
        that ConcreteAutoencoder reaches its end_temperature with that many calls, and that
        LotteryTicket prunes its network after so many. `fit` begins anew.
        """
        begins = "_training" not in vars(self)
        X = validated(self, X, reset=begins)
        if self.n_runs != 1:
            raise ValueError(f"n_runs is {self.n_runs}, but partial_fit continues one training: "
                             "it must be 1")
        k = self._count(X.shape[1])
        if k is None:
            raise ValueError("n_features_to_select is 'auto', but a chunk does not show how many "
                             "features are enough: give a number to partial_fit")
        if begins:
            training = _core.Training(self._asked(k))
            self._forget()
            self._training = training
        watcher = self._watcher(X.shape[1], 1)
        with self._progress() as report:
            result = self._training.learn(to_dataset(X), self._threads(), report, watcher)
        self._keep(result, k)
        watcher.raise_again()
        return self


def make_selector(name, method):
    """The estimator class `name` for a method of the registry: one line for each in __init__.py."""
    info = METHODS[method]
    base = NetworkSelector if info["trains"] else SelectorBase
    return make_class(name, base, info["summary"], *selector_parameters(info), {"_method": method},
                      selector_notes(name, info))
