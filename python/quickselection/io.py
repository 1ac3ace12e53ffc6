"""Reading the files that the command line reads."""
from typing import NamedTuple

import numpy as np

from . import _core
from ._data import from_dataset, named_dataset, texts_of


class Table(NamedTuple):
    """What a file holds: X shares the file's memory where that is possible and is read-only."""
    X: object
    names: list
    y: object


def read(path, *, format=None, label=None, header=None, index_column=None, columns=None, drop=None,
         text=None, array=None, features=None, transpose=None, rows=None, missing=None):
    """Any file that QuickSelection reads, as (X, names, y). Sparse files give a CSR matrix. The
    options are those of the command line; `rows` may be a pair, `columns` and `drop` lists."""
    listed = {name: given if given is None or isinstance(given, str) else ",".join(map(str, given))
              for name, given in (("columns", columns), ("drop", drop))}
    data = _core.read(str(path), texts_of(
        {"format": format, "label": label, "header": header, "index-column": index_column, **listed,
         "text": text, "array": array, "features": features, "transpose": transpose, "rows": rows,
         "missing": missing}, join=":"))
    y = None
    if data.labels is not None:
        codes, classes = data.labels
        y = np.array(classes)[codes]
    return Table(from_dataset(data), list(data.names), y)


def read_ranking(path, X):
    """The columns of X that a file of `select --ranking` ranks, best first. Refuses the ranking of
    other data."""
    return np.array(_core.read_ranking(str(path), named_dataset(X)), dtype=np.intp)
