# tests/cli/tune_test.py: `tune`: grids, one training for several epochs, continuing.
import random
import shutil
import subprocess
import time

import numpy as np
import pytest

from compare_test import FAST, rows_in, timeless
from program import fail, names_in, read_json, start, succeed

GRID = ("--hidden", 30, "--epsilon", "2,5", "--zeta", "0.1,0.3", "--epochs", "1,3")


def tune(folder, *args):
    return succeed("tune", *args, *FAST, cwd=folder)


def test_tables_as_in_the_paper(madelon, tmp_path):
    result = tune(tmp_path, madelon, *GRID, "-k", 5, "--runs", 2, "--out", "out")
    rows = rows_in(tmp_path / "out")
    assert len(rows) == 2 * 2 * 2 * 2
    assert "zeta / epsilon" in result.out
    assert "madelon, K 5, epochs=1\n" in result.out and "madelon, K 5, epochs=3\n" in result.out
    assert "clustering, classification in %" in result.out
    cells = read_json(tmp_path / "out/summary.json")["cells"]
    best = max((cell for cell in cells if "epochs=3" in cell["method"]),
               key=lambda cell: cell["classification"]["mean"])
    assert f"best on madelon, K 5: {best['method']} with" in result.out
    assert names_in(tmp_path / "out") == ["results.jsonl", "settings.json", "summary.csv",
                                          "summary.json", "summary.md", "summary.tex"]


def test_several_epochs_of_one_training_are_single_trainings(madelon, tmp_path):
    """Bit for bit: the features after 1 epoch of 3 are those of a training of 1 epoch."""
    split = ["--rows", "0:240", "--test-rows", "240:300"]
    tune(tmp_path, madelon, *GRID, *split, "-k", 5, "--runs", 2, "--out", "out")
    for row in rows_in(tmp_path / "out"):
        options = [word for pair in row["method"].split() for word in
                   ("--" + pair.split("=")[0], pair.split("=")[1])]
        succeed("select", madelon, "--rows", "0:240", "--hidden", 30, *options, "-k", 5, "--seed",
                row["seed"], "--threads", 1, "--json", "r.json", "--quiet", cwd=tmp_path)
        assert read_json(tmp_path / "r.json")["selected"] == row["selected"], row["method"]


def test_without_labels_reconstruction_decides(tmp_path):
    np.save(tmp_path / "data.npy", np.random.default_rng(0).normal(size=(80, 12)))
    result = tune(tmp_path, "data.npy", "--noise", "0,0.4,0.8", "--hidden", 20, "--epochs", "1,2",
                  "-k", 4, "--runs", 1, "--json", "t.json")
    assert "by reconstruction" in result.out and "epochs / noise" in result.out
    assert names_in(tmp_path) == ["data.npy", "t.json"]
    cells = read_json(tmp_path / "t.json")["cells"]
    assert len(cells) == 6 and all("reconstruction" in cell for cell in cells)


def test_any_option_of_any_method_is_an_axis(madelon, tmp_path):
    result = tune(tmp_path, madelon, "--method", "mcfs", "--clusters", "2,3", "-k", "4,8", "--runs", 1,
                  "--scale", "minmax,standard", "--criterion", "clustering")
    assert "by clustering" in result.out and "scale / clusters" in result.out
    assert "madelon, K 4" in result.out and "madelon, K 8" in result.out


def test_killed_and_continued(madelon, tmp_path):
    args = ["tune", madelon, *GRID, "-k", 5, "--runs", 3, *FAST, "--quiet"]
    begin = time.monotonic()
    succeed(*args, "--out", "whole", cwd=tmp_path)
    duration = time.monotonic() - begin
    parts, kills = tmp_path / "parts", 0
    randomness = random.Random(7)
    for attempt in range(4):
        begun = (parts / "settings.json").exists()
        process = start(*args, "--out", "parts", *(["--continue"] if begun else []), cwd=tmp_path)
        try:
            process.wait(timeout=randomness.uniform(0, duration / 4))
            assert process.returncode == 0
            if kills >= 1:
                break
            shutil.rmtree(parts)  # the machine was busy before: it is faster than it seemed
            duration /= 4
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            kills += 1
    assert kills >= 1
    if (parts / "settings.json").exists():
        succeed("tune", "--continue", "--out", "parts", "--quiet", cwd=tmp_path)
    else:
        succeed(*args, "--out", "parts", cwd=tmp_path)
    assert timeless(parts) == timeless(tmp_path / "whole")


@pytest.mark.parametrize("args, says", [
    (["--epsilon", "2,x"], ["x"]),
    (["--epsilon", "2,2"], ["2 twice"]),
    (["--method", "variance", "--epochs", "1,2"], ["--epochs"]),
    (["--criterion", "beauty"], ["beauty"]),
    (["--zetta", "0.1"], ["--zetta"]),
])
def test_what_is_refused(madelon, tmp_path, args, says):
    fail("tune", madelon, *args, "-k", 5, cwd=tmp_path, code=2, says=says)


def test_a_folder_of_compare_is_not_continued(madelon, tmp_path):
    succeed("compare", madelon, "--methods", "variance", "-k", 5, "--runs", 1, *FAST, "--out", "out",
            "--quiet", cwd=tmp_path)
    fail("tune", "--continue", "--out", "out", cwd=tmp_path, code=2, says=["`compare`"],
         hint=["compare --continue"])
