# tests/cli/extract_test.py: feature extraction: networks, saved models, what is refused.
import numpy as np
import pytest

from program import fail, names_in, read_csv, read_json, succeed

NETWORKS = ["sparse", "dense", "pca"]
LAYERS = ["--layers", "20,3,20"]


def options(network):
    return ["--network", network, *LAYERS, *([] if network == "pca" else ["--epochs", 3])]


@pytest.fixture
def data(tmp_path):
    random = np.random.default_rng(1)
    values = random.normal(size=(80, 2)) @ random.normal(size=(2, 12)) + random.normal(size=(80, 12))
    np.save(tmp_path / "train.npy", values[:60])
    np.save(tmp_path / "test.npy", values[60:])
    return tmp_path


@pytest.mark.parametrize("network", NETWORKS)
def test_a_saved_model_transforms_new_rows(network, data):
    out = succeed("extract", "train.npy", "--out", "codes.npy", "--save-model", "model",
                  "--json", "result.json", *options(network), cwd=data).out
    assert "60 rows x 12 features to 3 dimensions" in out
    codes = np.load(data / "codes.npy")
    assert codes.shape == (60, 3) and codes.dtype == np.float32
    succeed("extract", "train.npy", "--model", "model", "--out", "again.npy", cwd=data)
    assert np.array_equal(np.load(data / "again.npy"), codes)
    succeed("extract", "test.npy", "--model", "model", "--out", "test.csv", cwd=data)
    header, *rows = read_csv(data / "test.csv")
    assert len(header) == 3 and len(rows) == 20
    result = read_json(data / "result.json")
    assert result["network"] == network and result["dimensions"] == 3
    assert result["options"]["scale"] == "standard"
    assert len(result["loss"]) == (0 if network == "pca" else 3)


@pytest.mark.parametrize("network", NETWORKS)
def test_threads_do_not_change_the_result(network, data):
    for threads in [1, 2]:
        succeed("extract", "train.npy", "--out", f"{threads}.npy", "--threads", threads,
                *options(network), cwd=data)
    assert (data / "1.npy").read_bytes() == (data / "2.npy").read_bytes()


def test_pca_gives_centred_uncorrelated_columns(data):
    succeed("extract", "train.npy", "--out", "codes.npy", *options("pca"), cwd=data)
    codes = np.load(data / "codes.npy").astype(float)
    assert np.allclose(codes.mean(axis=0), 0, atol=1e-4)
    covariance = codes.T @ codes / 60
    assert np.allclose(covariance, np.diag(np.diag(covariance)), atol=1e-3)
    values = np.load(data / "train.npy")
    values = (values - values.mean(axis=0)) / values.std(axis=0)
    largest = np.linalg.svd(values, compute_uv=False)[:3] ** 2 / 60
    assert np.allclose(np.diag(covariance), largest, rtol=1e-3)


def test_only_a_model_can_be_written(data):
    succeed("extract", "train.npy", "--save-model", "model", *options("sparse"), cwd=data)
    assert names_in(data) == ["model", "test.npy", "train.npy"]


def test_what_makes_no_sense_is_refused(data):
    fail("extract", "train.npy", cwd=data, code=2, says=["nothing to write"], hint=["--out"])
    fail("extract", "train.npy", "--out", "a.npy", "--network", "deep", cwd=data, code=2,
         says=["deep"])
    fail("extract", "train.npy", "--out", "a.npy", "--layers", "10,0", cwd=data, code=2,
         says=["--layers"])
    fail("extract", "train.npy", "--out", "a.npy", "--network", "dense", "--epsilon", 3, cwd=data,
         code=2, says=["--epsilon"])
    fail("extract", "train.npy", "--out", "a.npy", "--network", "pca", "--layers", 13, cwd=data,
         code=2, says=["13"], hint=["12"])
    fail("extract", "train.npy", "--out", "a.unknown", cwd=data, code=2, says=["a.unknown"])
    fail("extract", "train.npy", "--out", "a.npy", "--model", "none", cwd=data, code=1,
         says=["none"])
    fail("extract", "train.npy", "--out", "a.npy", "--hiden", 3, cwd=data, code=2, says=["--hiden"])


def test_a_model_keeps_what_it_was_fitted_with(data):
    succeed("extract", "train.npy", "--save-model", "model", *options("sparse"), cwd=data)
    for option in [["--layers", 5], ["--network", "pca"], ["--scale", "minmax"], ["--seed", 1],
                   ["--epochs", 3], ["--save-model", "other"]]:
        fail("extract", "train.npy", "--out", "a.npy", "--model", "model", *option, cwd=data,
             code=2, says=[option[0], "--model"])


def test_damaged_and_foreign_models_are_refused(data):
    succeed("extract", "train.npy", "--save-model", "model", *options("dense"), cwd=data)
    content = (data / "model").read_bytes()
    (data / "cut").write_bytes(content[:-7])
    (data / "bad").write_bytes(content[:-7] + b"x" + content[-6:])
    for name in ["cut", "bad", "train.npy"]:
        fail("extract", "train.npy", "--out", "a.npy", "--model", name, cwd=data, code=1,
             says=[f"{name} is not a usable extractor"])
    np.save(data / "wide.npy", np.zeros((5, 13)))
    fail("extract", "wide.npy", "--out", "a.npy", "--model", "model", cwd=data, code=1,
         says=["13", "12"])
