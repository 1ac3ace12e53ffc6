# tests/python/genes_test.py: genes are marked in AnnData objects as scanpy marks them.
import numpy as np
import pytest
import scipy.sparse as sp

import quickselection

pytestmark = pytest.mark.filterwarnings("ignore:the network did not learn", "ignore:the 5 features explain",
                                        "ignore:the 6 features explain")
FAST = {"epochs": 3, "hidden": 20}


@pytest.fixture
def cells():
    anndata = pytest.importorskip("anndata")
    counts = np.random.default_rng(0).poisson(0.5, (60, 20)).astype(np.float32)
    counts[:, 3] = counts[:, 7] * 2 + 1
    adata = anndata.AnnData(sp.csr_matrix(counts))
    adata.obs["donor"] = ["a", "b", "c"] * 20
    adata.layers["twice"] = adata.X * 2
    return adata


def test_genes_are_marked_as_scanpy_does(cells):
    assert quickselection.select_genes(cells, n_top_genes=5, **FAST) is None
    assert cells.var["highly_variable"].dtype == bool and cells.var["highly_variable"].sum() == 5
    assert sorted(cells.var["quickselection_rank"]) == list(range(1, 21))
    assert sorted(cells.var["highly_variable_rank"].dropna()) == list(range(5))
    assert cells.uns["hvg"]["flavor"] == "quickselection quickselection"
    table = quickselection.select_genes(cells, n_top_genes=5, layer="twice", inplace=False, **FAST)
    assert list(table.index) == list(cells.var_names)


def test_genes_are_cut_to_the_chosen_ones(cells):
    whole = quickselection.select_genes(cells, n_top_genes=4, method="variance", inplace=False)
    assert len(quickselection.select_genes(cells, n_top_genes=4, method="variance", inplace=False,
                                           subset=True)) == 4
    quickselection.select_genes(cells, n_top_genes=4, method="variance", subset=True)
    assert cells.n_vars == 4
    assert set(cells.var_names) == set(whole.index[whole["highly_variable"]])


def test_genes_are_ranked_batch_by_batch(cells):
    table = quickselection.select_genes(cells, n_top_genes=5, method="variance", batch_key="donor",
                                        inplace=False)
    single = [quickselection.select_genes(cells[cells.obs["donor"] == donor], n_top_genes=5,
                                          method="variance", inplace=False) for donor in "abc"]
    chosen = sum(one["highly_variable"].to_numpy().astype(int) for one in single)
    assert list(table["highly_variable_nbatches"]) == list(chosen)
    assert (table["highly_variable_intersection"] == (chosen == 3)).all()
    by_rank = table.sort_values("quickselection_rank")
    assert (np.diff(by_rank["highly_variable_nbatches"]) <= 0).all()
    assert table["highly_variable"].sum() == 5
    with pytest.raises(ValueError, match="no such column"):
        quickselection.select_genes(cells, 5, batch_key="batch")
    with pytest.raises(ValueError, match="must be one of"):
        quickselection.select_genes(cells, 5, method="varience")


def test_what_was_done_can_be_stored_in_a_file(cells, tmp_path):
    import anndata
    quickselection.select_genes(cells, 5, layer="twice", batch_key="donor", epochs=3, hidden=(20, 10),
                                callback=lambda *_: None, clip=0.0)
    cells.write_h5ad(tmp_path / "cells.h5ad")
    record = anndata.read_h5ad(tmp_path / "cells.h5ad").uns["hvg"]
    assert record["flavor"] == "quickselection quickselection" and record["layer"] == "twice"
    assert record["batch_key"] == "donor" and record["n_top_genes"] == 5 and list(record["hidden"]) == [20, 10]


@pytest.mark.parametrize("dense", [False, True])
def test_genes_of_a_file_that_is_open(cells, tmp_path, dense):
    import anndata
    expected = quickselection.select_genes(cells, 5, inplace=False, **FAST)
    if dense:
        cells.X = cells.X.toarray()
    cells.write_h5ad(tmp_path / "cells.h5ad")
    opened = anndata.read_h5ad(tmp_path / "cells.h5ad", backed="r")
    found = quickselection.select_genes(opened, 5, inplace=False, **FAST)
    assert (found["highly_variable"] == expected["highly_variable"]).all()


def test_a_view_is_cut_like_a_whole_object(cells):
    view = cells[:, :12]
    quickselection.select_genes(view, 5, subset=True, **FAST)
    assert view.n_vars == 5 and cells.n_vars == 20 and "highly_variable" not in cells.var


def test_nothing_changes_with_inplace_false(cells):
    quickselection.select_genes(cells, 5, batch_key="donor", subset=True, inplace=False, **FAST)
    assert list(cells.var) == [] and cells.n_vars == 20 and "hvg" not in cells.uns


@pytest.mark.parametrize("asked, says", [
    ({"n_top_genes": 0}, "n_top_genes is 0"), ({"n_top_genes": 2.5}, "n_top_genes is 2.5"),
    ({"layer": "raw"}, r"layer is 'raw', but adata.layers has \['twice'\]")])
def test_wrong_words_are_named(cells, asked, says):
    with pytest.raises(ValueError, match=says):
        quickselection.select_genes(cells, **{"n_top_genes": 5, **asked})


def test_a_batch_of_one_cell_is_refused_by_name(cells):
    cells.obs["donor"] = ["lonely"] + ["a", "b"] * 29 + ["a"]
    with pytest.raises(ValueError, match="the batch 'lonely' of adata.obs.'donor'. has one cell"):
        quickselection.select_genes(cells, 5, batch_key="donor", **FAST)


def test_more_genes_than_there_are_marks_all(cells):
    with pytest.warns(UserWarning, match="n_top_genes is 99, but there are 20 genes"):
        quickselection.select_genes(cells, 99, method="variance")
    assert cells.var["highly_variable"].all()
