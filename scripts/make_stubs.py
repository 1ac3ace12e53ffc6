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
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.feature_selection import SelectorMixin

from . import datasets as datasets, plot as plot
from ._selectors import Stability as Stability
from .anndata import select_genes as select_genes
from .errors import Error as Error
from .evaluation import evaluate as evaluate, info as info
from .io import read as read, read_ranking as read_ranking

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
    stability_: Stability | None
    def fit(self, X: Any, y: Any = ...) -> Any: ...
    def transform(self, X: Any) -> Any: ...

class _Network(_Selector):
    loss_curve_: NDArray[np.float64]
    strength_history_: NDArray[np.float32] | None
    weights_: list[Any] | None
    biases_: list[NDArray[np.float32]] | None
    n_iter_: int

class _ChunkNetwork(_Network):
    def partial_fit(self, X: Any, y: Any = ...) -> Any: ...

class _Autoencoder(TransformerMixin, BaseEstimator):
    loss_curve_: NDArray[np.float64]
    n_iter_: int
    n_components_: int
    n_parameters_: int
    n_features_in_: int
    feature_names_in_: NDArray[np.object_]
    def fit(self, X: Any, y: Any = ...) -> Any: ...
    def transform(self, X: Any) -> Any: ...
    def inverse_transform(self, X: Any) -> NDArray[np.float32]: ...
    def reconstruct(self, X: Any) -> NDArray[np.float32]: ...
    def get_feature_names_out(self, input_features: Any = ...) -> NDArray[np.object_]: ...
'''
BASES = {"SelectorBase": "_Selector", "NetworkSelector": "_Network",
         "ChunkSelector": "_ChunkNetwork", "AutoencoderBase": "_Autoencoder"}
TYPES = {"n_features_to_select": "int | float | None", "scale": "str | None",
         "random_state": "int | np.random.RandomState | None", "n_jobs": "int | None",
         "hidden": "int | str | Sequence[int]", "layers": "int | Sequence[int]",
         "batch_size": "int | str", "alpha": "float | str",
         "callback": "Callable[[int, float, NDArray[np.float64]], Any] | None"}


def stubs():
    text = HEAD
    for name in [*quickselection.SELECTORS, "SparseAutoencoder"]:
        estimator = getattr(quickselection, name)
        parameters = list(inspect.signature(estimator).parameters.values())
        base = BASES[estimator.__mro__[1].__name__]
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
