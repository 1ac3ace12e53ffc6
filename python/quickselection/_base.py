"""What all selectors share: parameters made from the core's registry, fit, and scikit-learn's rules."""
import sys
import warnings

import joblib
import numpy as np
import scipy.sparse as sp
import sklearn
from sklearn.base import BaseEstimator
from sklearn.feature_selection import SelectorMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from . import _core
from ._data import DTYPES, as_table, to_dataset
from .errors import in_python_words, python_name

METHODS = {method["name"]: method for method in _core.methods()}
HISTORY_LIMIT = 20_000_000  # values of strength_history_; larger ones are not kept
_DEFAULT_K = 50

try:  # scikit-learn 1.6 and newer
    from sklearn.utils.validation import validate_data as _validate_data
except ImportError:
    def _validate_data(estimator, X, **options):
        return estimator._validate_data(X, **options)


def validated(estimator, X, reset):
    """X as the core reads it: any real type, dense rows or CSR, finite, columns as in fit."""
    finite = "ensure_all_finite" if sklearn.__version__ >= "1.6" else "force_all_finite"
    return _validate_data(estimator, as_table(X), accept_sparse="csr", dtype=DTYPES, reset=reset,
                          ensure_min_samples=2 if reset else 1, **{finite: True})


def seed_of(random_state):
    if isinstance(random_state, (int, np.integer)):
        return int(random_state)
    return int(check_random_state(random_state).randint(2 ** 31 - 1))


def progress_printer(verbose, name):
    """A callback for the core that shows a bar, and the bar; both None when not verbose."""
    if not verbose:
        return None, None
    from tqdm.auto import tqdm
    bar = tqdm(desc=name, unit="step", file=sys.stderr)

    def report(task, done, total, seconds_left, loss):
        bar.total = total
        bar.n = done
        bar.set_postfix_str(f"{task}, loss {loss:.4g}" if loss else task)
    return report, bar


def layer_to_csr(layer):
    """One layer of the core as a CSR matrix of shape (inputs, outputs), and its biases."""
    offsets, columns, weights, bias, inputs = layer
    by_output = sp.csr_matrix((weights, columns, offsets), shape=(len(bias), inputs))
    return by_output.T.tocsr(), bias


class SelectorBase(SelectorMixin, BaseEstimator):
    """Ranks features without labels. See make_selector for the parameters of a method."""

    _method = ""

    def fit(self, X, y=None):
        """Rank the features of X. y is accepted for pipelines and never looked at."""
        X = validated(self, X, reset=True)
        self._run(X, to_dataset(X))
        return self

    def _given(self):
        options = {}
        for name, default, _, _ in METHODS[self._method]["options"]:
            value = getattr(self, python_name(name))
            if isinstance(value, (list, tuple, np.ndarray)):
                value = ",".join(str(item) for item in value)
            if isinstance(value, (bool, np.bool_)):
                value = "yes" if value else "no"
            options[name] = str(value)
        return options

    def _run(self, X, data):
        n_features = X.shape[1]
        k = self._count(n_features)
        epochs = getattr(self, "epochs", 0)
        history, callback = [], getattr(self, "callback", None)
        keep = 0 < n_features * int(epochs) <= HISTORY_LIMIT

        def after_epoch(epoch, loss, scores):
            if keep:
                history.append(scores.astype(np.float32))
            if callback is not None:
                callback(epoch, loss, scores)

        trains = "epochs" in (option[0] for option in METHODS[self._method]["options"])
        report, bar = progress_printer(self.verbose, type(self).__name__)
        try:
            result = _core.select(data, self._method, self._given(), self.scale or "", self.clip, k,
                                  seed_of(self.random_state), joblib.effective_n_jobs(self.n_jobs),
                                  trains, report, after_epoch if trains else None)
        finally:
            if bar is not None:
                bar.close()
        for text in result["warnings"]:
            if "constant" not in text:  # scikit-learn's own selectors say nothing about these
                warnings.warn(in_python_words(text), RuntimeWarning, stacklevel=3)
        self.scores_ = result["scores"]
        self.feature_importances_ = self.scores_
        order = result["ranking"].astype(np.intp)
        self.selected_ = order[:k]
        self.ranking_ = np.empty(n_features, dtype=np.intp)
        self.ranking_[order] = np.arange(1, n_features + 1)
        self.support_ = self.ranking_ <= k
        if trains:
            self.loss_curve_ = result["loss"]
            self.n_iter_ = len(self.loss_curve_)
            self.strength_history_ = np.array(history) if history else None
            layers = [layer_to_csr(layer) for layer in result["network"]]
            self.weights_ = [weights for weights, _ in layers]
            self.biases_ = [bias for _, bias in layers]

    def _count(self, n_features):
        k = self.n_features_to_select
        if k is None:
            return min(_DEFAULT_K, n_features)
        if isinstance(k, (bool, str)) or not np.isreal(k):
            raise ValueError(f"n_features_to_select is {k!r}, but must be a count, a fraction or None")
        if isinstance(k, (float, np.floating)):
            if not 0 < k <= 1:
                raise ValueError(f"n_features_to_select is {k}, but a fraction must be in (0, 1]")
            return max(1, int(round(k * n_features)))
        if k < 1:
            raise ValueError(f"n_features_to_select is {k}, but must be at least 1")
        if k > n_features:
            warnings.warn(f"n_features_to_select is {k}, but there are {n_features} features: "
                          "all are selected", UserWarning, stacklevel=4)
        return min(int(k), n_features)

    def _get_support_mask(self):
        check_is_fitted(self, "support_")
        return self.support_

    def transform(self, X):
        """Only the selected columns of X, in their original order."""
        return super().transform(as_table(X))

    def _more_tags(self):  # scikit-learn before 1.6
        return {"X_types": ["2darray", "sparse"], "allow_nan": False}

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = False
        tags.target_tags.required = False
        return tags


_COMMON = [
    ("scale", None, "how features are scaled: 'standard', 'minmax', 'center', 'log', 'deviation', "
                    "'none'; None is what the method wants"),
    ("clip", 0.0, "bound of scaled values; 0 is none"),
    ("random_state", 0, "seed; an int gives the same result everywhere"),
    ("n_jobs", None, "threads, as in scikit-learn: None is 1, -1 is all"),
    ("verbose", 0, "1 shows progress"),
]


def _python_default(value):
    if isinstance(value, str) and value in ("yes", "no"):
        return value == "yes"
    if isinstance(value, str) and value.isdigit():
        return int(value)
    return value


def make_selector(name, method, summary=None):
    """The estimator class `name` for a method of the registry: one line for each in __init__.py.

    The constructor is written out from the registry, so that scikit-learn sees ordinary parameters.
    """
    info = METHODS[method]
    own = [(python_name(option), _python_default(default), in_python_words(f"{text} ({allowed})"))
           for option, default, allowed, text in info["options"]]
    trains = any(option == "epochs" for option, _, _ in own)
    callback = [("callback", None, "called with (epoch, loss, scores) after every epoch")]
    parameters = own + _COMMON + (callback if trains else [])
    arguments = ", ".join(f"{option}={default!r}" for option, default, _ in parameters)
    body = "".join(f"    self.{option} = {option}\n" for option, _, _ in parameters)
    scope = {}
    exec(f"def __init__(self, n_features_to_select=None, *, {arguments}):\n"  # noqa: S102
         f"    self.n_features_to_select = n_features_to_select\n{body}", scope)
    lines = [summary or info["summary"], "", "Parameters", "----------",
             "n_features_to_select : a count, or a fraction of the features as a float;",
             "    None is 50, or all if there are fewer"]
    lines += [f"{option} : {text}; default {default!r}" for option, default, text in parameters]
    return type(name, (SelectorBase,), {"__init__": scope["__init__"], "_method": method,
                                        "__doc__": "\n".join(lines),
                                        "__module__": "quickselection", "__qualname__": name})
