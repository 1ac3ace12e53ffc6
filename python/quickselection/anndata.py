"""For AnnData: mark the genes that matter, in the manner of scanpy's highly variable genes."""
import numpy as np


def select_genes(adata, n_top_genes=2000, *, layer=None, inplace=True, **parameters):
    """Rank the genes of `adata` and write `quickselection` (chosen or not), `quickselection_score`
    and `quickselection_rank` (1 is best) to `adata.var`; with inplace=False return such a table.

    `parameters` are those of QuickSelection, such as epochs or random_state.
    """
    import pandas

    from . import QuickSelection
    X = adata.X if layer is None else adata.layers[layer]
    selector = QuickSelection(min(n_top_genes, adata.n_vars), **parameters).fit(X)
    table = pandas.DataFrame({"quickselection": selector.support_,
                              "quickselection_score": selector.scores_,
                              "quickselection_rank": selector.ranking_.astype(np.int64)},
                             index=adata.var_names)
    if not inplace:
        return table
    for column in table:
        adata.var[column] = table[column]
    return None
