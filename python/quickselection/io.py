"""Reading the files that the command line reads."""
from __future__ import annotations

import os
from typing import Any, NamedTuple, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core
from ._data import file_name, from_dataset, named_dataset, texts_of


class Table(NamedTuple):
    """What a file holds: X shares the file's memory where that is possible and is read-only."""
    X: Any  # an array, or a SciPy CSR matrix
    names: list[str]
    y: NDArray[Any] | None


def read(path: str | os.PathLike[str] | Sequence[str | os.PathLike[str]], *,
         format: str | None = None, label: str | None = None, header: str | None = None,
         index_column: str | None = None,
         columns: str | Sequence[str | int] | None = None, drop: str | Sequence[str | int] | None = None,
         text: str | None = None, array: str | None = None, features: int | None = None,
         transpose: bool | None = None, rows: str | tuple[int, int] | None = None,
         missing: str | None = None) -> Table:
    """Any file that QuickSelection reads.

    Parameters
    ----------
    path : the file; a list of files, or a folder of them, is one data set, row after row
    format : its format; None is told from the ending or the content
    label : column or file of the labels
    header, index_column, columns, drop, text, array, features, transpose, rows, missing :
        as on the command line; `rows` may be a pair, `columns` and `drop` lists

    Returns
    -------
    Table
        (X, names, y): values, names of the columns, labels or None. Sparse files give a CSR matrix.

    Examples
    --------
    >>> import pathlib, tempfile, quickselection
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "t.csv")
    ...     _ = file.write_text("height,weight,label\\n1.5,60,a\\n1.8,75,b\\n")
    ...     table = quickselection.read(file)
    >>> table.names, table.X.shape, list(map(str, table.y))
    (['height', 'weight'], (2, 2), ['a', 'b'])
    """
    listed = {name: given if given is None or isinstance(given, str) else ",".join(map(str, given))
              for name, given in (("columns", columns), ("drop", drop))}
    paths = [path] if isinstance(path, (str, bytes, os.PathLike)) else path
    data = _core.read([file_name(part) for part in paths], texts_of(
        {"format": format, "label": label, "header": header, "index-column": index_column, **listed,
         "text": text, "array": array, "features": features, "transpose": transpose, "rows": rows,
         "missing": missing}, join=":"))
    y = None
    if data.labels is not None:
        codes, classes = data.labels
        y = np.array(classes)[codes]
    return Table(from_dataset(data), list(data.names), y)


def read_ranking(path: str | os.PathLike[str], X: ArrayLike) -> NDArray[np.intp]:
    """The columns of X that a file of `select --ranking` ranks, best first.

    Parameters
    ----------
    path : the file
    X : the data that was ranked; the ranking of other data is refused

    Examples
    --------
    >>> import pathlib, tempfile, quickselection
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "ranking.csv")
    ...     _ = file.write_text("rank,feature,name,score\\n1,1,1,9\\n2,0,0,4\\n")
    ...     print(quickselection.read_ranking(file, [[1., 2.], [3., 9.]]))
    [1 0]
    """
    return np.array(_core.read_ranking(file_name(path), named_dataset(X)), dtype=np.intp)
