"""For AnnData: mark the genes that matter, in the manner of scanpy's highly variable genes."""
from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any, Literal, overload

import numpy as np

from ._selectors import METHODS

if TYPE_CHECKING:
    import pandas


def _values(adata: Any, layer: str | None) -> Any:
    """As an array or a sparse matrix, also of a file that is open."""
    if layer is not None and layer not in adata.layers:
        raise ValueError(f"layer is {layer!r}, but adata.layers has {sorted(adata.layers)}")
    X = adata.X if layer is None else adata.layers[layer]
    if hasattr(X, "to_memory"):  # sparse, in an open file
        return X.to_memory()
    return X[()] if type(X).__module__.split(".")[0] == "h5py" else X


def _storable(value: Any) -> bool:
    """Whether .h5ad files can keep it."""
    if isinstance(value, (list, tuple)):
        return all(map(_storable, value))
    return isinstance(value, (str, bool, int, float, np.number, np.bool_))


def _fitted(X: Any, n_top_genes: int, method: str, parameters: dict[str, Any]) -> Any:
    import quickselection
    selector = getattr(quickselection, METHODS[method]["class_name"])
    return selector(min(n_top_genes, X.shape[1]), **parameters).fit(X)


@overload
def select_genes(adata: Any, n_top_genes: int = 2000, *, method: str = "quickselection",
                 layer: str | None = None, batch_key: str | None = None, subset: bool = False,
                 inplace: Literal[True] = True, **parameters: Any) -> None: ...


@overload
def select_genes(adata: Any, n_top_genes: int = 2000, *, method: str = "quickselection",
                 layer: str | None = None, batch_key: str | None = None, subset: bool = False,
                 inplace: Literal[False], **parameters: Any) -> pandas.DataFrame: ...


def select_genes(adata: Any, n_top_genes: int = 2000, *, method: str = "quickselection",
                 layer: str | None = None, batch_key: str | None = None, subset: bool = False,
                 inplace: bool = True, **parameters: Any) -> pandas.DataFrame | None:
    """Rank the genes of `adata` without labels and mark the best, as scanpy marks its own.

    `adata.var` gets `highly_variable` (chosen or not), `highly_variable_rank` (0 is best; NaN for
    genes that are not chosen), `quickselection_score` and `quickselection_rank` (1 is best, all
    genes); `adata.uns["hvg"]` says how. With `batch_key` each batch is ranked by itself: genes that
    are chosen in more batches come first, then those with the better median rank;
    `highly_variable_nbatches` and `highly_variable_intersection` say in how many.

    Parameters
    ----------
    adata : an AnnData object
    n_top_genes : how many genes are marked
    method : any method of the command line
    layer : of `adata.layers`; None is `adata.X`
    batch_key : a column of `adata.obs`
    subset : keep the chosen genes only
    inplace : False changes nothing and returns the table
    **parameters : those of the method's class, such as epochs or random_state

    Returns
    -------
    None, or the table of genes with inplace=False

    Examples
    --------
    >>> import anndata, numpy as np, quickselection
    >>> counts = np.random.default_rng(0).poisson(1.0, (80, 30)).astype("float32")
    >>> adata = anndata.AnnData(counts)
    >>> quickselection.select_genes(adata, n_top_genes=6, epochs=5)
    >>> int(adata.var["highly_variable"].sum()), adata.uns["hvg"]["flavor"]
    (6, 'quickselection quickselection')
    """
    import pandas

    known = sorted(name for name, info in METHODS.items() if info["class_name"])
    if method not in known:
        raise ValueError(f"method is {method!r}, but must be one of {known}")
    if isinstance(n_top_genes, bool) or not isinstance(n_top_genes, (int, np.integer)) or n_top_genes < 1:
        raise ValueError(f"n_top_genes is {n_top_genes!r}, but must be a whole number, at least 1")
    X = _values(adata, layer)
    if n_top_genes > adata.n_vars:
        warnings.warn(f"n_top_genes is {n_top_genes}, but there are {adata.n_vars} genes: all are marked",
                      UserWarning, stacklevel=2)
    table = pandas.DataFrame(index=adata.var_names)
    if batch_key is None:
        selector = _fitted(X, n_top_genes, method, parameters)
        score, rank = selector.scores_, selector.ranking_.astype(np.int64)
    else:
        if batch_key not in adata.obs:
            raise ValueError(f"batch_key is {batch_key!r}, but adata.obs has no such column")
        if adata.obs[batch_key].isna().any():
            raise ValueError(f"adata.obs[{batch_key!r}] has missing values: every cell needs a batch")
        batches = adata.obs[batch_key].to_numpy()
        for batch, cells in zip(*np.unique(batches.astype(str), return_counts=True)):
            if cells < 2:
                raise ValueError(f"the batch {str(batch)!r} of adata.obs[{batch_key!r}] has one cell, and "
                                 "nothing varies in it: leave it out, or give another batch_key")
        fits = [_fitted(X[np.flatnonzero(batches == batch)], n_top_genes, method, parameters)
                for batch in pandas.unique(batches)]
        chosen = np.sum([fit.support_ for fit in fits], axis=0)
        score = np.mean([fit.scores_ for fit in fits], axis=0)
        order = np.lexsort((np.median([fit.ranking_ for fit in fits], axis=0), -chosen))
        rank = np.empty(len(order), dtype=np.int64)
        rank[order] = np.arange(1, len(order) + 1)
        table["highly_variable_nbatches"] = chosen
        table["highly_variable_intersection"] = chosen == len(fits)
    table["highly_variable"] = rank <= n_top_genes
    table["highly_variable_rank"] = np.where(table["highly_variable"], rank - 1.0, np.nan)
    table["quickselection_score"] = score
    table["quickselection_rank"] = rank
    if not inplace:
        return table[table["highly_variable"]] if subset else table
    for column in table:
        adata.var[column] = table[column]
    record = {"n_top_genes": int(n_top_genes), "layer": layer, "batch_key": batch_key, **parameters}
    adata.uns["hvg"] = {"flavor": f"quickselection {method}",
                        **{name: list(value) if isinstance(value, tuple) else value
                           for name, value in record.items() if _storable(value)}}
    if subset:
        adata._inplace_subset_var(table["highly_variable"].to_numpy())
    return None
