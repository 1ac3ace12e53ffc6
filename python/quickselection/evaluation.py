"""How good a selection is, and what can be said about data before one is made."""
import joblib
import numpy as np

from . import _core
from ._data import named_dataset, texts_of

_HOLDOUT = {option[0].replace("-", "_") for option in _core.holdout_options()} - {"test", "test_label"}
_JUDGES = {option[0].replace("-", "_") for option in _core.evaluation_options()} - {"seed"}


def evaluate(X, y, ranking, *, k=50, test=None, missing="keep", random_state=0, n_jobs=None, **options):
    """How good the first k features of a ranking are, as `quickselection evaluate` judges them.

    `ranking` holds columns, best first, or is a fitted selector; `k` is a number or several. y may be
    None: then only the reconstruction is judged. Rows are tested on as `test=(X, y)`, `test_rows=(a, b)`,
    `split=0.2` with `split_seed`, or `folds` say. missing="mean" puts the means of the training rows in
    the place of missing values. The other options are those of the command line: classifier, trees,
    runs, repetitions, restarts, scale, classification, clustering, reconstruction, baselines, draws,
    removal.

    Returns a dict: `entries`, one for each k, with the keys of `evaluate --json`; what could not be
    judged is None; `removal`, `notes`, `seconds`.
    """
    unknown = sorted(set(options) - _HOLDOUT - _JUDGES)
    if unknown:
        raise TypeError(f"evaluate has no option {unknown[0]!r}; it has {sorted(_HOLDOUT | _JUDGES)}")
    if missing not in ("keep", "mean"):
        raise ValueError(f"missing is {missing!r}, but must be 'keep' or 'mean'")
    order = np.argsort(ranking.ranking_) if hasattr(ranking, "ranking_") else np.asarray(ranking)

    def given(names, join):
        return texts_of({name.replace("_", "-"): value for name, value in options.items()
                         if name in names}, join)
    judges = {**given(_JUDGES, ","), **texts_of({"k": np.atleast_1d(k), "seed": random_state})}
    return _core.evaluate(named_dataset(X, y), None if test is None else named_dataset(*test),
                          order.astype(np.uint32), given(_HOLDOUT, ":"), judges, missing == "mean",
                          joblib.effective_n_jobs(n_jobs), None)


def info(X, y=None):
    """What `quickselection info` says about data, as a dict with its keys."""
    return _core.info(named_dataset(X, y))
