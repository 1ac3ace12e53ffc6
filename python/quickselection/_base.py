"""What all estimators share: checked input, seeds, threads, progress."""
import contextlib
import sys
import warnings

import numpy as np
import scipy.sparse as sp
import sklearn
from sklearn.base import BaseEstimator
from sklearn.utils import check_random_state

from ._data import DTYPES, as_table, threads_of
from .errors import in_python_words

SKLEARN = tuple(int(part) for part in sklearn.__version__.split(".")[:2])

try:  # scikit-learn 1.6 and newer
    from sklearn.utils.validation import validate_data as _validate_data
except ImportError:
    def _validate_data(estimator, X, **options):
        return estimator._validate_data(X, **options)


def validated(estimator, X, reset):
    """X as the core reads it: any real type, dense rows or CSR, finite, columns as in fit."""
    finite = "ensure_all_finite" if SKLEARN >= (1, 6) else "force_all_finite"
    return _validate_data(estimator, as_table(X), accept_sparse="csr", dtype=DTYPES, reset=reset,
                          ensure_min_samples=2 if reset else 1, **{finite: True})


def layer_weights(layer):
    """The weights of a layer, (inputs, outputs), and its biases: a CSR matrix, or of a dense layer an
    array that shares the core's memory."""
    if len(layer) == 2:
        return layer[0].T, layer[1]
    offsets, columns, weights, bias, inputs = layer
    by_output = sp.csr_matrix((weights, columns, offsets), shape=(len(bias), inputs))
    return by_output.T.tocsr(), bias


class CoreEstimator(BaseEstimator):
    """The words that all estimators use for seed, threads and progress."""

    def _seed(self):
        if isinstance(self.random_state, (int, np.integer)):
            return int(self.random_state)
        return int(check_random_state(self.random_state).randint(2 ** 31 - 1))

    def _threads(self):
        return threads_of(self.n_jobs)

    @contextlib.contextmanager
    def _progress(self):
        """A callback for the core that shows a bar; None when not verbose."""
        if not self.verbose:
            yield None
            return
        from tqdm.auto import tqdm
        with tqdm(desc=type(self).__name__, unit="step", file=sys.stderr) as bar:
            def report(task, done, total, seconds_left, loss):
                bar.total = total
                bar.n = done
                bar.set_postfix_str(f"{task}, loss {loss:.4g}" if loss else task)
            yield report

    def _fitted_html(self):
        """What a notebook shows below scikit-learn's diagram; "" before fit."""
        return ""

    def _repr_html_inner(self):
        return super()._repr_html_inner() + self._fitted_html()

    def _repr_mimebundle_(self, **options):
        bundle = super()._repr_mimebundle_(**options)
        if "text/html" in bundle:
            bundle["text/html"] += self._fitted_html()
        return bundle

    def _warn(self, found):
        frame, level = sys._getframe(), 1
        while frame.f_back and frame.f_globals.get("__package__") == __package__:
            frame, level = frame.f_back, level + 1  # to the line of the user
        for kind, text in found:
            if kind != "constant_features":  # scikit-learn's own estimators say nothing about these
                warnings.warn(in_python_words(text), RuntimeWarning, stacklevel=level)

    def _more_tags(self):  # scikit-learn before 1.6
        return {"X_types": ["2darray", "sparse"], "allow_nan": False}

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = False
        tags.target_tags.required = False
        return tags
