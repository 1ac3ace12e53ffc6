"""What the core reads: data sets, made of arrays, sparse matrices and tables without a copy where
possible, and options as texts."""
import os
import warnings

import joblib
import numpy as np
import scipy.sparse as sp

from . import _core
from .errors import Error, python_name

# Everything the core reads in place. The first one is what other types become.
DTYPES = [np.float64, np.float32, np.uint8, np.int8, np.uint16, np.int16, np.uint32, np.int32,
          np.uint64, np.int64]


def _check_indices(X):
    """SciPy trusts the places in a sparse matrix: with wrong ones its own functions read and write
    anywhere."""
    try:
        if X.format in ("csr", "csc", "bsr"):
            X.check_format(full_check=True)
        elif X.format == "coo":
            sp.coo_matrix((X.data, (X.row, X.col)), shape=X.shape)
    except ValueError as wrong:
        raise Error(f"the sparse matrix is damaged: {wrong}") from wrong


def as_table(X):
    """Tables that scikit-learn may not know (polars, Arrow) become pandas tables of their numbers; the rest
    is left. Columns of text, dates and identifiers are left out, with a warning that names them."""
    if sp.issparse(X):
        _check_indices(X)
    if isinstance(X, np.ndarray) or sp.issparse(X) or hasattr(X, "iloc"):
        return X
    if hasattr(X, "__arrow_c_stream__"):
        import pandas
        data = _core.read_arrow(X, {"label": "none"})
        for decision in data.decisions:
            warnings.warn(decision.translate(str.maketrans("", "", "‹›")), stacklevel=3)
        return pandas.DataFrame(from_dataset(data), columns=data.names)
    return X


def _in_place(array):
    if array.dtype.byteorder == ">" or array.dtype.byteorder == "<" and not np.little_endian:
        return False
    neighbours = array.shape[1] <= 1 or array.strides[1] == array.itemsize
    return neighbours and (array.shape[0] <= 1
                           or array.strides[0] >= array.shape[1] * array.itemsize)


def to_dataset(X):
    """A checked 2-D array or CSR matrix as the core's data set."""
    if sp.issparse(X):
        X = X.tocsr()
        if not X.has_canonical_format:
            X = X.copy()
            X.sum_duplicates()
        return _core.Dataset.csr(X.indptr.astype(np.uint64), X.indices.astype(np.uint32, copy=False)
                                 if X.indices.dtype != np.int32 else X.indices.view(np.uint32),
                                 np.ascontiguousarray(X.data), X.shape[1])
    if not _in_place(X):
        X = np.ascontiguousarray(X, dtype=X.dtype.newbyteorder("="))
    return _core.Dataset.dense(X)


def from_dataset(data):
    """A data set's values as an array or a CSR matrix, sharing its memory."""
    values = data.values
    if not isinstance(values, tuple):
        return values
    stored, columns, offsets = values
    signed = np.int32 if len(stored) < 2 ** 31 else np.int64
    return sp.csr_matrix((stored, columns.view(np.int32), offsets.astype(signed)), shape=data.shape)


def named_dataset(X, y=None, source="", task="auto"):
    """A table that may have missing values, with its names and with labels, which are classes or measured
    numbers. `source` is what reports call it."""
    X = as_table(X)
    names = [str(name) for name in getattr(X, "columns", [])]
    X = X if sp.issparse(X) else np.asarray(X)
    if X.ndim != 2:
        raise ValueError(f"X has {X.ndim} dimensions, but must have 2")
    if X.dtype not in DTYPES:
        X = X.astype(DTYPES[0])
    data = to_dataset(X)
    data.names = names
    data.source = source
    if y is not None:
        y = np.asarray(y)
        if y.shape != (X.shape[0],):
            raise ValueError(f"y has the shape {y.shape}, but X has {X.shape[0]} rows")
        data.set_labels([str(label) for label in y], task)
    return data


def file_name(path):
    """A path as the system knows it: file names need not be UTF-8."""
    name = os.fsencode(path)
    if b"\0" in name:
        raise Error(f"no file can be called {os.fsdecode(name)!r}: it holds a null byte")
    return name


def threads_of(n_jobs):
    """As scikit-learn counts them; the core refuses too many."""
    return min(joblib.effective_n_jobs(n_jobs), 2 ** 31 - 1)


def write_page(path, page):
    """The page, which is written to `path` as well when that is not None."""
    if path is not None:
        _core.write_page(file_name(path), page)
    return page


def texts_of(values, join=","):
    """Values by option, as the core reads them; what is None is left out."""
    def text(value):
        if isinstance(value, (bool, np.bool_)):
            return "yes" if value else "no"
        if isinstance(value, (list, tuple, np.ndarray)):
            return join.join(str(item) for item in value)
        return str(value)
    return {option: text(value) for option, value in values.items() if value is not None}


def option_texts(estimator, options):
    """The estimator's values of these options, as the core reads them."""
    return texts_of({option: getattr(estimator, python_name(option)) for option, _, _, _ in options})
