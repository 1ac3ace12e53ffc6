#!/usr/bin/python3
"""scripts/make_stubs.py: writes python/quickselection/__init__.pyi from the registry of methods.

    PYTHONPATH=build/release/python scripts/make_stubs.py [--check]
"""
import inspect
import sys
from pathlib import Path

import quickselection

TARGET = Path(__file__).resolve().parents[1] / "python" / "quickselection" / "__init__.pyi"
HEAD = '''# Written by scripts/make_stubs.py: do not edit.
from typing import Any, Callable, Sequence

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.feature_selection import SelectorMixin

from . import datasets as datasets, plot as plot
from .anndata import select_genes as select_genes
from .errors import Error as Error
from .io import read as read

SELECTORS: list[str]
__version__: str

class _Selector(SelectorMixin, BaseEstimator):
    scores_: NDArray[np.float64]
    feature_importances_: NDArray[np.float64]
    ranking_: NDArray[np.intp]
    selected_: NDArray[np.intp]
    support_: NDArray[np.bool_]
    n_features_in_: int
    feature_names_in_: NDArray[np.object_]
    def fit(self, X: Any, y: Any = ...) -> Any: ...
    def transform(self, X: Any) -> Any: ...

class _Network(_Selector):
    loss_curve_: NDArray[np.float64]
    strength_history_: NDArray[np.float32] | None
    weights_: list[Any]
    biases_: list[NDArray[np.float32]]
    n_iter_: int
'''
TYPES = {"n_features_to_select": "int | float | None", "scale": "str | None",
         "random_state": "int | np.random.RandomState | None", "n_jobs": "int | None",
         "hidden": "int | Sequence[int]",
         "callback": "Callable[[int, float, NDArray[np.float64]], Any] | None"}


def stubs():
    text = HEAD
    for name in quickselection.SELECTORS:
        parameters = list(inspect.signature(getattr(quickselection, name)).parameters.values())
        base = "_Network" if any(p.name == "epochs" for p in parameters) else "_Selector"
        text += f"\nclass {name}({base}):\n    def __init__(\n        self,\n"
        for index, parameter in enumerate(parameters):
            kind = TYPES.get(parameter.name, type(parameter.default).__name__)
            text += f"        {parameter.name}: {kind} = ...,\n"
            if index == 0:
                text += "        *,\n"
        text += "    ) -> None: ...\n"
    return text


def main():
    if "--check" in sys.argv:
        if TARGET.read_text() != stubs():
            raise SystemExit(f"{TARGET.name} does not fit the registry: run scripts/make_stubs.py")
        return
    TARGET.write_text(stubs())


if __name__ == "__main__":
    main()
