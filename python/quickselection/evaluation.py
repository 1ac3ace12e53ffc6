"""How good a selection is, which method is the best, and what can be said about data before."""
from __future__ import annotations

import json
import os
from typing import Any, Mapping, NamedTuple, Sequence

import numpy as np
from numpy.typing import ArrayLike

from . import _core
from ._data import named_dataset, option_texts, texts_of, threads_of, write_page
from ._selectors import METHODS, SelectorBase
from .errors import Error

_HOLDOUT = {option[0].replace("-", "_") for option in _core.holdout_options()} - {"test", "test_label"}
_JUDGES = {option[0].replace("-", "_") for option in _core.evaluation_options()} - {"seed"}


def evaluate(X: Any, y: ArrayLike | None, ranking: Any, *, k: int | Sequence[int] = 50,
             test: tuple[Any, ArrayLike] | None = None, task: str = "auto", missing: str = "keep",
             random_state: int = 0, n_jobs: int | None = None, report: str | os.PathLike[str] | None = None,
             **options: Any) -> dict[str, Any]:
    """How good the first k features of a ranking are, as `quickselection evaluate` judges them.

    Parameters
    ----------
    X : the data
    y : its labels; None judges by reconstruction alone
    ranking : columns, best first, or a fitted selector
    k : how many of them, one number or several
    test : (X, y) to test on; otherwise `test_rows=(a, b)`, `split=0.2` with `split_seed`, or `folds`
        say which rows are held out
    task : what y is: 'classification', 'regression' (measured numbers), or 'auto'
    missing : 'mean' puts the means of the training rows in the place of missing values
    random_state : seed of everything random
    n_jobs : threads, as in scikit-learn
    report : an HTML file to write, as `--report` does
    **options : those of the command line: classifier, trees, runs, repetitions, restarts, scale,
        classification, clustering, reconstruction, baselines, draws, removal

    Returns
    -------
    dict
        `entries`, one for each k, with the keys of `evaluate --json`; what could not be judged is
        None; `removal`, `notes`, `seconds`.

    Examples
    --------
    >>> from quickselection import VarianceRanking, datasets, evaluate
    >>> X, y, relevant = datasets.make_madelon(rows=200, features=30, random_state=1)
    >>> selector = VarianceRanking(5).fit(X)
    >>> found = evaluate(X, y, selector, k=[5, 10], trees=10, runs=2)
    >>> [(entry["k"], sorted(entry["classification"])) for entry in found["entries"]]
    [(5, ['classifier', 'mean', 'runs', 'std']), (10, ['classifier', 'mean', 'runs', 'std'])]
    """
    unknown = sorted(set(options) - _HOLDOUT - _JUDGES)
    if unknown:
        raise TypeError(f"evaluate has no option {unknown[0]!r}; it has {sorted(_HOLDOUT | _JUDGES)}")
    _check_missing(missing)
    order = np.argsort(ranking.ranking_) if hasattr(ranking, "ranking_") else np.asarray(ranking)

    def given(names: set[str], join: str) -> dict[str, str]:
        return texts_of({name.replace("_", "-"): value for name, value in options.items()
                         if name in names}, join)
    judges = {**given(_JUDGES, ","), **texts_of({"k": np.atleast_1d(k), "seed": random_state})}
    data = named_dataset(X, y, source="X" if report is not None else "", task=task)
    found: dict[str, Any] = _core.evaluate(
        data, None if test is None else named_dataset(*test, task=task), order.astype(np.uint32),
        given(_HOLDOUT, ":"), judges, missing == "mean", threads_of(n_jobs), None,
        None if report is None else _name_of(ranking))
    if report is not None:
        write_page(report, found.pop("page"))
    return found


def _check_missing(missing: str) -> None:
    if missing not in ("keep", "mean"):
        raise ValueError(f"missing is {missing!r}, but must be 'keep' or 'mean'")


def _name_of(ranking: Any) -> str:
    return f"of {type(ranking).__name__}" if hasattr(ranking, "ranking_") else "that was given"


class Comparison(NamedTuple):
    """Methods side by side; `print` shows the tables.

    Attributes
    ----------
    cells : list of dict
        For each method and k: `mean`, `std` and `runs` of what was measured.
    scores : list of dict
        Score 1 and Score 2 of each method.
    rows : list of dict
        Every single run, with the features it selected.
    """
    cells: list[dict[str, Any]]
    scores: list[dict[str, Any]]
    rows: list[dict[str, Any]]
    text: str
    page: str

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        methods = list(dict.fromkeys(cell["method"] for cell in self.cells))
        return f"<Comparison of {', '.join(methods)}>"

    def to_html(self, path: str | os.PathLike[str] | None = None) -> str:
        """The report of `quickselection compare`: one page that needs no other file. Written to
        `path` when that is given."""
        if not self.page:
            raise Error("this package was built without reports\nhint: install esbuild, then build again")
        return write_page(path, self.page)


def _method(label: str | None, given: Any) -> dict[str, Any]:
    """A method of a plan: from a name with options as on the command line, or an estimator."""
    if isinstance(given, SelectorBase):
        name = given._method
        options = option_texts(given, METHODS[name]["options"])
        # An option at its default is left out: the same words as those of the command line.
        default = option_texts(type(given)(), METHODS[name]["options"])
        own = {option: text for option, text in options.items() if text != default.get(option)}
        own.update(texts_of({"scale": given.scale or None, "clip": given.clip or None}))
        return {"label": label or name, "method": name, "options": own}
    if not isinstance(given, str):
        raise TypeError(f"{given!r} is no method: give a name, such as 'mcfs', or a selector")
    name, *parts = given.split(":")
    pairs = [part.partition("=") for part in parts]
    return {"label": label or given, "method": name, "options": {key: text for key, _, text in pairs}}


def compare(X: Any, y: ArrayLike | None, methods: Sequence[Any] | Mapping[str, Any], *,
            k: int | Sequence[int] = 50, runs: int = 5, test: tuple[Any, ArrayLike] | None = None,
            split: float = 0.2, split_seed: int | None = None, task: str = "auto", missing: str = "keep",
            random_state: int = 0, n_jobs: int | None = None, name: str = "X",
            time_limit: str | None = None, memory_limit: str | None = None,
            random_forest: bool = False, reconstruction: bool | None = None,
            all_features: bool = False, forests: int | None = None, trees: int | None = None,
            repetitions: int | None = None, restarts: int | None = None,
            report: str | os.PathLike[str] | None = None) -> Comparison:
    """Measure methods side by side, as `quickselection compare` does: accuracy, time, memory, energy.

    Every run is a process of its own. A method that fails is a row that says so.

    Parameters
    ----------
    X : the data
    y : its labels; None judges by reconstruction. No selection sees them.
    methods : names as on the command line ('mcfs', 'quickselection:epochs=10') and selectors
        (`QuickSelection(epochs=10)`); a dict gives each a label
    k : how many of the best features, one number or several
    runs : of every method, each with its own seed
    test : (X, y) to test on
    split, split_seed : otherwise this share of the rows, drawn from each class by this seed
    task : what y is: 'classification', 'regression' (measured numbers), or 'auto'
    missing : 'mean' puts the means of the training rows in the place of missing values
    random_state : seed of the first run
    n_jobs : threads, as in scikit-learn
    name : of the data, in tables
    time_limit, memory_limit : '10m', '4G': a selection that needs more is given up
    random_forest, reconstruction, all_features : what is judged beside extra trees and clustering
    forests, trees, repetitions, restarts : how thoroughly; None is as on the command line
    report : an HTML file to write, as `--report` does

    Returns
    -------
    Comparison

    Examples
    --------
    >>> from quickselection import QuickSelection, compare, datasets
    >>> X, y, relevant = datasets.make_madelon(rows=150, features=30, random_state=1)
    >>> found = compare(X, y, {"short": QuickSelection(epochs=5), "by variance": "variance"},
    ...                 k=[5, 10], runs=2, trees=5, repetitions=2)
    >>> [(cell["method"], cell["k"]) for cell in found.cells]
    [('short', 5), ('short', 10), ('by variance', 5), ('by variance', 10)]
    >>> "classification" in found.cells[0]
    True
    """
    _check_missing(missing)
    if isinstance(methods, Mapping):
        chosen = [_method(label, given) for label, given in methods.items()]
    elif isinstance(methods, str) or not hasattr(methods, "__iter__"):
        chosen = [_method(None, methods)]
    else:
        chosen = [_method(None, given) for given in methods]
    data = texts_of({"name": name, "split": split, "split-seed": split_seed, "missing": missing})
    plan = {"DATA": [data], "methods": chosen,
            **texts_of({"k": np.atleast_1d(k), "runs": runs, "seed": random_state,
                        "threads": threads_of(n_jobs), "random-forest": random_forest,
                        "reconstruction": reconstruction, "all-features": all_features,
                        "time-limit": time_limit, "memory-limit": memory_limit, "forests": forests}),
            "judges": texts_of({"trees": trees, "repetitions": repetitions, "restarts": restarts})}
    found = _core.compare(named_dataset(X, y, source=name, task=task),
                          None if test is None else named_dataset(*test, task=task),
                          json.dumps(plan), _core.reports_available or report is not None)
    summary = json.loads(found["summary"])
    result = Comparison(summary["cells"], summary["scores"], json.loads(found["rows"]), found["text"],
                        found["page"])
    if report is not None:
        result.to_html(report)
    return result


def info(X: Any, y: ArrayLike | None = None) -> dict[str, Any]:
    """What `quickselection info` says about data, as a dict with its keys.

    Parameters
    ----------
    X : the data; it may have missing values
    y : its labels, if there are any

    Examples
    --------
    >>> import quickselection
    >>> found = quickselection.info([[1., 5.], [2., 5.], [4., 5.]])
    >>> found["rows"], found["constant_features"]
    (3, 1)
    """
    found: dict[str, Any] = _core.info(named_dataset(X, y))
    return found
