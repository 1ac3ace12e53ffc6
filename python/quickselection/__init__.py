"""QuickSelection: which features matter, without labels.

>>> from quickselection import QuickSelection
>>> X_small = QuickSelection(n_features_to_select=50).fit_transform(X)
"""
from importlib import metadata as _metadata

from ._autoencoder import SparseAutoencoder
from ._selectors import METHODS as _METHODS, Stability, make_selector as _make_selector
from .errors import Error
from .evaluation import evaluate, info
from .io import read, read_ranking
from .anndata import select_genes
from . import datasets, plot

try:
    __version__ = _metadata.version("quickselection")
except _metadata.PackageNotFoundError:  # used from the build tree
    __version__ = "0.1.0"

_CLASSES = {
    "QuickSelection": "quickselection",
    "LaplacianScore": "laplacian_score",
    "MCFS": "mcfs",
    "UDFS": "udfs",
    "ConcreteAutoencoder": "concrete_autoencoder",
    "AEFS": "aefs",
    "FCAE": "fcae",
    "LotteryTicket": "lottery_ticket",
    "WAST": "wast",
    "VarianceRanking": "variance",
}
SELECTORS = [name for name, method in _CLASSES.items() if method in _METHODS]
for _name in SELECTORS:
    globals()[_name] = _make_selector(_name, _CLASSES[_name])

__all__ = [*SELECTORS, "SELECTORS", "SparseAutoencoder", "Stability", "Error", "datasets", "evaluate", "info",
           "plot", "read", "read_ranking", "select_genes"]


def __dir__():
    return [*__all__, "__doc__", "__file__", "__name__", "__path__", "__version__"]
