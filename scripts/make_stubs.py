#!/usr/bin/python3
"""scripts/make_stubs.py: writes __init__.pyi into a built package, from the registry of methods.

    scripts/make_stubs.py build/release/python/quickselection

The build runs it. It needs nothing but the standard library: a wheel is built without NumPy.
"""
import sys
import types
from pathlib import Path

HEAD = '''# Written by scripts/make_stubs.py.
import os
from typing import Any, Callable, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.feature_selection import SelectorMixin
from typing_extensions import Self

from . import datasets as datasets, plot as plot
from ._selectors import Explained as Explained, Stability as Stability
from .anndata import select_genes as select_genes
from .errors import Error as Error
from .evaluation import Comparison as Comparison, compare as compare, evaluate as evaluate, info as info
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
    explained_: Explained | None
    def fit(self, X: Any, y: Any = ...) -> Self: ...
    def transform(self, X: Any) -> Any: ...
    def fit_transform(self, X: Any, y: Any = ...) -> Any: ...
    def inverse_transform(self, X: Any) -> Any: ...
    def get_support(self, indices: bool = ...) -> Any: ...
    def get_feature_names_out(self, input_features: Any = ...) -> NDArray[np.object_]: ...
    def get_params(self, deep: bool = ...) -> dict[str, Any]: ...
    def set_params(self, **params: Any) -> Self: ...
    def set_output(self, *, transform: str | None = ...) -> Self: ...
    def to_html(
        self,
        X: Any,
        y: ArrayLike | None = ...,
        *,
        path: str | os.PathLike[str] | None = ...,
        name: str = ...,
        image: tuple[int, int] | None = ...,
    ) -> str: ...

class _Network(_Selector):
    loss_curve_: NDArray[np.float64]
    strength_history_: NDArray[np.float32] | None
    weights_: list[Any] | None
    biases_: list[NDArray[np.float32]] | None
    n_iter_: int
    training_: str
    def partial_fit(self, X: Any, y: Any = ...) -> Self: ...

class _Autoencoder(TransformerMixin, BaseEstimator):
    loss_curve_: NDArray[np.float64]
    n_iter_: int
    n_components_: int
    n_parameters_: int
    n_features_in_: int
    feature_names_in_: NDArray[np.object_]
    def fit(self, X: Any, y: Any = ...) -> Self: ...
    def transform(self, X: Any) -> Any: ...
    def fit_transform(self, X: Any, y: Any = ...) -> Any: ...
    def get_params(self, deep: bool = ...) -> dict[str, Any]: ...
    def set_params(self, **params: Any) -> Self: ...
    def set_output(self, *, transform: str | None = ...) -> Self: ...
    def to_html(
        self, X: Any, y: ArrayLike | None = ..., *, path: str | os.PathLike[str] | None = ..., name: str = ...
    ) -> str: ...
    def inverse_transform(self, X: Any) -> NDArray[np.float32]: ...
    def reconstruct(self, X: Any) -> NDArray[np.float32]: ...
    def get_feature_names_out(self, input_features: Any = ...) -> NDArray[np.object_]: ...
'''
TYPES = {"n_features_to_select": "int | float | str | None", "scale": "str | None",
         "random_state": "int | np.random.RandomState | None", "n_jobs": "int | None",
         "hidden": "int | str | Sequence[int]", "layers": "int | Sequence[int]",
         "batch_size": "int | str", "alpha": "float | str",
         "callback": "Callable[[int, float, NDArray[np.float64]], Any] | None"}


def constructor(name, base, first, others):
    def argument(parameter):
        kind = TYPES.get(parameter[0], type(parameter[1]).__name__)
        return f"        {parameter[0]}: {kind} = ...,\n"
    return (f"\nclass {name}({base}):\n    def __init__(\n        self,\n" + argument(first) +
            "        *,\n" + "".join(map(argument, others)) + "    ) -> None: ...\n")


def main():
    folder = Path(sys.argv[1])
    # The package without its __init__, which imports scikit-learn.
    package = sys.modules["quickselection"] = types.ModuleType("quickselection")
    package.__path__ = [str(folder)]
    from quickselection import _core, _parameters
    text = HEAD
    for method in _core.methods():
        if method["class_name"]:
            text += constructor(method["class_name"], "_Network" if method["trains"] else "_Selector",
                                *_parameters.selector_parameters(method))
    text += constructor("SparseAutoencoder", "_Autoencoder", *_parameters.extractor_parameters(
        _core.extraction_layers, _core.extraction_options("sparse")))
    target = folder / "__init__.pyi"
    target.unlink(missing_ok=True)  # in an older build it is a link to a source file
    target.write_text(text)


if __name__ == "__main__":
    main()
