"""QuickSelection: which features matter, without labels.

>>> from quickselection import QuickSelection, datasets
>>> X = datasets.make_madelon(rows=100, features=60).X
>>> QuickSelection(n_features_to_select=20).fit_transform(X).shape
(100, 20)
"""
from ._core import version as __version__
from ._autoencoder import SparseAutoencoder
from ._selectors import METHODS as _METHODS, Explained, Stability, make_selector as _make_selector
from .errors import Error
from .evaluation import Comparison, compare, evaluate, info
from .io import read, read_ranking
from .anndata import select_genes
from . import datasets, plot

SELECTORS = [_method["class_name"] for _method in _METHODS.values() if _method["class_name"]]
for _method in _METHODS.values():
    if _method["class_name"]:
        globals()[_method["class_name"]] = _make_selector(_method["class_name"], _method["name"])

__all__ = [*SELECTORS, "SELECTORS", "SparseAutoencoder", "Explained", "Stability", "Error", "Comparison", "compare",
           "datasets", "evaluate", "info", "plot", "read", "read_ranking", "select_genes"]


def __dir__():
    return [*__all__, "__doc__", "__file__", "__name__", "__path__", "__version__"]
