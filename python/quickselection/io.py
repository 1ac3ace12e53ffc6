"""Reading the files that the command line reads."""
from typing import NamedTuple

import numpy as np

from . import _core
from ._data import from_dataset


class Table(NamedTuple):
    """What a file holds: X shares the file's memory where that is possible and is read-only."""
    X: object
    names: list
    y: object


def read(path, *, format="", label="", array=""):
    """Any file that QuickSelection reads, as (X, names, y). Sparse files give a CSR matrix."""
    data = _core.read(str(path), format, label, array)
    y = None
    if data.labels is not None:
        codes, classes = data.labels
        y = np.array(classes)[codes]
    return Table(from_dataset(data), list(data.names), y)
