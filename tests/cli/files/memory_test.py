# tests/cli/files/memory_test.py: --memory bounds what is resident, and changes nothing it need not.
import numpy as np
import pytest

from program import fail, read_json, succeed, write_csv

MIB = 2 ** 20
TRAIN = ("--epochs", 1, "--hidden", 20, "--epsilon", 2, "--quiet")


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    """160 MB, sorted by class, as files often are."""
    path = tmp_path_factory.mktemp("large") / "large.npy"
    out = np.lib.format.open_memmap(path, "w+", np.uint8, (160_000, 1000))
    random = np.random.default_rng(0)
    block = random.integers(0, 200, (10_000, 1000), np.uint8)
    for begin in range(0, len(out), len(block)):
        out[begin:begin + len(block)] = block + begin // len(block)
    out.flush()
    return path


def test_peak_memory_stays_below_the_bound(large, tmp_path):
    succeed("select", large, *TRAIN, "--memory", "80M", "--json", "bound.json", cwd=tmp_path)
    assert read_json(tmp_path / "bound.json")["peak_rss_bytes"] < 80 * MIB
    succeed("select", large, *TRAIN, "--json", "free.json", cwd=tmp_path)
    assert read_json(tmp_path / "free.json")["peak_rss_bytes"] > 100 * MIB


def test_the_result_repeats_for_any_number_of_threads(large, tmp_path):
    for threads in (1, 2):
        succeed("select", large, *TRAIN, "--memory", "80M", "--threads", threads,
                "--ranking", f"{threads}.csv", cwd=tmp_path)
    assert (tmp_path / "1.csv").read_bytes() == (tmp_path / "2.csv").read_bytes()


def test_data_that_fits_is_trained_as_without_a_bound(madelon, tmp_path):
    succeed("select", madelon, *TRAIN, "--ranking", "free.csv", cwd=tmp_path)
    succeed("select", madelon, *TRAIN, "--memory", "4G", "--ranking", "bound.csv", cwd=tmp_path)
    assert (tmp_path / "free.csv").read_bytes() == (tmp_path / "bound.csv").read_bytes()


def test_a_network_that_does_not_fit_is_refused(large, madelon, tmp_path):
    for data in (large, madelon):
        fail("select", data, *TRAIN, "--memory", "4M", cwd=tmp_path, code=1, says=["--memory is 4 MB"],
             hint=["--hidden"])


def test_text_cannot_be_read_in_parts(tmp_path):
    write_csv(tmp_path / "data.csv", np.arange(20000.0).reshape(1000, 20) % 7)
    fail("select", "data.csv", "--memory", "10K", cwd=tmp_path, code=1,
         says=["data.csv", "--memory"], hint=["convert"])


@pytest.mark.parametrize("text", ["0", "-1M", "many", "5X", "M", "1e30G"])
def test_amounts_that_are_none_are_refused(madelon, tmp_path, text):
    fail("select", madelon, f"--memory={text}", cwd=tmp_path, code=2, says=[f"'{text}'", "--memory"],
         hint=["512M"])
