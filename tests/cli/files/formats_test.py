# tests/cli/files/formats_test.py: convert, missing values, and the same data in every format.
import os
from pathlib import Path

import anndata
import numpy as np
import pytest
import scipy.io
import scipy.sparse
import sklearn.datasets

from program import FAST, fail, names_in, read_csv, read_json, succeed, write_csv

ENDINGS = ["csv", "npy", "npz", "mat", "h5ad", "svm"]
KEEPS_ALL = ["csv", "npz", "mat", "h5ad", "svm"]


@pytest.fixture(scope="module")
def counts(tmp_path_factory):
    """40 x 12, mostly zeros, an empty row, an empty column, names with other letters, labels."""
    folder = tmp_path_factory.mktemp("counts")
    rng = np.random.default_rng(3)
    values = rng.poisson(3, (40, 12)) * (rng.random((40, 12)) < 0.3)
    values[5], values[:, 7] = 0, 0
    names = [f"gän {i}" for i in range(12)]
    labels = rng.integers(0, 3, 40)
    write_csv(folder / "counts.csv", [[*row, label] for row, label in zip(values.tolist(), labels)],
              [*names, "label"])
    matrix = scipy.sparse.csr_matrix(values)
    scipy.sparse.save_npz(folder / "counts.npz", matrix)
    return folder, values, names, labels


def read_back(path):
    """What an independent program finds in a file: values, names, labels."""
    if path.suffix == ".npy":
        return np.load(path), None, None
    if path.suffix == ".npz":
        with np.load(path) as arrays:
            names = list(arrays["names"]) if "names" in arrays else None
            labels = arrays["y"] if "y" in arrays else None
            if "X" in arrays:
                return arrays["X"], names, labels
        return scipy.sparse.load_npz(path).toarray(), names, labels
    if path.suffix == ".mat":
        arrays = scipy.io.loadmat(path)
        values = arrays["X"].toarray() if scipy.sparse.issparse(arrays["X"]) else arrays["X"]
        names = [str(cell[0]) for cell in arrays["names"].ravel()] if "names" in arrays else None
        return values, names, arrays["Y"].ravel() if "Y" in arrays else None
    if path.suffix == ".h5ad":
        data = anndata.read_h5ad(path)
        values = data.X.toarray() if scipy.sparse.issparse(data.X) else data.X
        labels = data.obs["label"].astype(str).to_numpy() if "label" in data.obs else None
        return values, list(data.var_names), labels
    if path.suffix == ".svm":
        values, labels = sklearn.datasets.load_svmlight_file(str(path), n_features=12)
        return values.toarray(), None, labels
    rows = read_csv(path)
    return np.array([row[:12] for row in rows[1:]], dtype=float), rows[0][:12], [row[-1] for row in rows[1:]]


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("source", ["counts.csv", "counts.npz"])
def test_other_programs_read_what_was_written(counts, ending, source, tmp_path):
    folder, values, names, labels = counts
    succeed("convert", folder / source, f"out.{ending}", cwd=tmp_path)
    found, found_names, found_labels = read_back(tmp_path / f"out.{ending}")
    assert np.array_equal(found, values)
    if source == "counts.csv" and ending != "npy":
        assert np.array_equal(np.asarray(found_labels, dtype=float), labels)
        if ending != "svm":
            assert found_names == names


def test_the_same_values_in_every_format_give_the_same_ranking(counts, tmp_path):
    folder = counts[0]
    rankings = set()
    for ending in ENDINGS:
        for source in ["counts.csv", "counts.npz"]:
            succeed("convert", folder / source, f"data.{ending}", "--label", "none" if source == "counts.npz" else "label",
                    cwd=tmp_path)
            succeed("select", f"data.{ending}", *FAST, "--scale", "minmax", "--ranking", "ranking.csv", cwd=tmp_path)
            rows = read_csv(tmp_path / "ranking.csv")
            rankings.add(tuple((row[1], row[3]) for row in rows[1:]))
    assert len(rankings) == 1


@pytest.mark.parametrize("ending", KEEPS_ALL)
def test_selected_keeps_names_and_labels(counts, ending, tmp_path):
    folder, values, names, labels = counts
    succeed("select", folder / "counts.csv", "-k", 4, *FAST, "--json", "result.json", "--selected", f"out.{ending}",
            cwd=tmp_path)
    succeed("info", f"out.{ending}", "--json", "info.json", cwd=tmp_path)
    info = read_json(tmp_path / "info.json")
    assert (info["rows"], info["features"], info["named"]) == (40, 4, True)
    assert info["classes"] == {str(c): int((labels == c).sum()) for c in range(3)}


def test_convert_says_what_is_lost(counts, tmp_path):
    out = succeed("convert", counts[0] / "counts.csv", "out.npy", cwd=tmp_path).out
    assert "no place for the features' names" in out
    assert "no place for the labels" in out
    assert succeed("convert", counts[0] / "counts.csv", "out.npy", "--quiet", cwd=tmp_path).out == ""


def test_convert_refuses_what_it_cannot_write(counts, tmp_path):
    fail("convert", counts[0] / "counts.csv", "out.xyz", cwd=tmp_path, code=2, says=["out.xyz"], hint=[".h5ad"])
    fail("convert", counts[0] / "counts.csv", "no/out.npz", cwd=tmp_path, code=1, says=["no"])
    fail("convert", "absent.csv", "out.npz", cwd=tmp_path, code=1, says=["absent.csv"])
    assert names_in(tmp_path) == []


def test_help_lists_every_format(tmp_path):
    out = succeed("convert", "--help", cwd=tmp_path).out
    for name in ["csv", "npy", "npz", "mat", "idx", "h5", "h5ad", "mtx", "10x", "har", "svmlight"]:
        assert f"\n  {name} " in out


@pytest.fixture
def holes(tmp_path):
    rows = [[i, (i * 7) % 11, (i * 5) % 13, i % 4] for i in range(30)]
    rows[3][1] = "NA"
    rows[4][1] = ""
    rows[4][2] = "NaN"
    return write_csv(tmp_path / "holes.csv", rows, list("abcd"))


def test_missing_values_are_an_error_that_says_where(holes, tmp_path):
    fail("select", "holes.csv", cwd=tmp_path, code=1, says=["3 ", "row 3"], hint=["--missing"])
    fail("select", "holes.csv", "--missing", "error", cwd=tmp_path, code=1,
         says=["3 missing values in 2 features and 2 rows", "row 3 (counted from 0), feature b"], hint=["--missing"])
    fail("select", "holes.csv", "--missing", "guess", cwd=tmp_path, code=2, says=["guess"])


@pytest.mark.parametrize("what, note, shape", [
    ("mean", "mean of each feature", (30, 4)), ("zero", "zero takes", (30, 4)),
    ("drop-rows", "2 rows are left out, 28 stay", (28, 4)),
    ("drop-features", "2 features are left out, 2 stay", (30, 2))])
def test_missing_values_are_treated_as_asked(holes, tmp_path, what, note, shape):
    out = succeed("select", "holes.csv", "--missing", what, *FAST, "--ranking", "ranking.csv", cwd=tmp_path).out
    assert "3 missing values in 2 features and 2 rows" in out
    assert note in out
    assert len(read_csv(tmp_path / "ranking.csv")) == 1 + shape[1]
    succeed("convert", "holes.csv", "whole.npy", "--missing", what, cwd=tmp_path)
    values = np.load(tmp_path / "whole.npy")
    assert values.shape == shape and np.isfinite(values).all()
    if what == "mean":
        column = np.array([(i * 7) % 11 for i in range(30) if i not in (3, 4)])
        assert values[3, 1] == pytest.approx(column.mean())


def test_info_and_convert_keep_missing_values(holes, tmp_path):
    assert "2 (3 values" in succeed("info", "holes.csv", cwd=tmp_path).out
    succeed("convert", "holes.csv", "out.npy", cwd=tmp_path)
    assert np.isnan(np.load(tmp_path / "out.npy")).sum() == 3


@pytest.mark.parametrize("kind, reason", [
    ("counts", "logarithms"), ("images", "logarithms"), ("ranges", "no logarithms"), ("nothing", "no feature")])
def test_info_advises_the_scaling_that_select_takes(kind, reason, tmp_path):
    rng = np.random.default_rng(0)
    values = {"counts": rng.poisson(0.2, (50, 8)) * 1.0, "images": rng.integers(0, 256, (50, 8)),
              "ranges": rng.standard_normal((50, 8)) * 10.0 ** np.arange(8), "nothing": np.ones((50, 8))}[kind]
    np.save(tmp_path / "data.npy", values)
    out = succeed("info", "data.npy", "--json", "info.json", cwd=tmp_path).out
    advice = read_json(tmp_path / "info.json")["advised_scaling"]
    assert f"--scale {advice['scale']}: {advice['reason']}" in out and advice["reason"].startswith(reason)
    if kind != "nothing":
        out = succeed("select", "data.npy", "--scale", advice["scale"], "--method", "variance", cwd=tmp_path).out
        assert f"--scale auto: {advice['reason']}" in out


DATA = {"COIL20.mat": (1440, 1024, 20), "madelon.mat": (2600, 500, 2), "PCMAC.mat": (1943, 3289, 2),
        "Isolet.mat": (1560, 617, 26), "colon.mat": (62, 2000, 2), "lung_small.mat": (73, 325, 7),
        "mnist/train-images-idx3-ubyte.gz": (60000, 784, 10), "mnist/t10k-images-idx3-ubyte.gz": (10000, 784, 10)}


@pytest.mark.parametrize("name", DATA)
def test_public_data_loads_and_can_be_selected_from(name, tmp_path):
    folder = os.environ.get("QUICKSELECTION_DATA")
    if folder is None:
        pytest.skip("QUICKSELECTION_DATA is not set")
    path = Path(folder) / name
    words = ["--label", str(path).replace("images-idx3", "labels-idx1")] if "mnist" in name else []
    succeed("info", path, *words, "--json", "info.json", cwd=tmp_path)
    info = read_json(tmp_path / "info.json")
    assert (info["rows"], info["features"], len(info["classes"])) == DATA[name]
    rows = ["--rows", "0:2000"] if info["rows"] > 3000 else []
    succeed("select", path, *words, *rows, "-k", 10, "--epochs", 1, "--hidden", 50, "--ranking", "ranking.csv",
            cwd=tmp_path)
    assert len(read_csv(tmp_path / "ranking.csv")) == 1 + info["features"]
