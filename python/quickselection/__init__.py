"""QuickSelection: which features matter, without labels.

>>> from quickselection import QuickSelection
>>> X_small = QuickSelection(n_features_to_select=50).fit_transform(X)
"""
from importlib.metadata import PackageNotFoundError, version

from ._autoencoder import SparseAutoencoder
from ._selectors import METHODS, Stability, make_selector
from .errors import Error
from .io import read
from .anndata import select_genes
from . import datasets, plot

try:
    __version__ = version("quickselection")
except PackageNotFoundError:  # used from the build tree
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
for _name, _method in _CLASSES.items():
    if _method in METHODS:
        globals()[_name] = make_selector(_name, _method)

SELECTORS = [name for name, method in _CLASSES.items() if method in METHODS]
__all__ = [*SELECTORS, "SparseAutoencoder", "Stability", "Error", "datasets", "plot", "read", "select_genes"]
