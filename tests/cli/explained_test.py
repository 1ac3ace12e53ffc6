# tests/cli/explained_test.py: what a selection says about itself without labels, and -k auto.
import os
from pathlib import Path

import numpy as np
import pytest

from program import FAST, fail, read_json, succeed

CHANCE = "nearer to chance"


def select(folder, *args):
    result = succeed("select", *args, "--json", "r.json", cwd=folder)
    return result, read_json(folder / "r.json")


def wide(path, seed):
    """50 rows, 20000 columns, of which 200 tell of two groups and of each other."""
    random = np.random.default_rng(seed)
    values = random.normal(size=(50, 20000))
    group = np.arange(50) % 2 * 2 - 1
    values[:, random.choice(20000, 200, False)] += 1.5 * np.outer(group, random.choice([-1, 1], 200))
    np.save(path, values.astype(np.float32))


def cells(path, seed):
    """300 cells of four types, counts of 2000 genes, of which 40 are markers."""
    random = np.random.default_rng(seed)
    kind = random.integers(0, 4, 300)
    mean = np.tile(random.lognormal(-1, 1.5, 2000), (300, 1))
    for i, gene in enumerate(random.choice(2000, 40, False)):
        mean[kind == i % 4, gene] += 2.5
    np.save(path, random.poisson(mean * random.lognormal(0, 0.1, (300, 1))).astype(np.int16))


@pytest.mark.parametrize("make, k, seed", [(wide, 200, 0), (wide, 200, 1), (cells, 40, 0), (cells, 40, 2)])
def test_a_choice_like_chance_is_warned_of_and_cover_does_better(make, k, seed, tmp_path):
    make(tmp_path / "data.npy", seed)
    result, json = select(tmp_path, "data.npy", "-k", k, "--epochs", 100)
    assert CHANCE in result.err and "% of --method cover" in result.err
    found = json["explained"]
    assert found["near_chance"] is True and any(CHANCE in str(w) for w in json["warnings"])
    # Rounding changes what a training chooses; the warning must not hang on it.
    assert (1 - found["chosen"]) ** 2 > 1.2 * (1 - found["random"]) * (1 - found["cover"])
    result, json = select(tmp_path, "data.npy", "-k", k, "--method", "cover")
    assert result.err.count(CHANCE) == 0 and json["explained"]["near_chance"] is False


@pytest.mark.parametrize("options", [
    ("--epochs", 100), ("--epochs", 100, "--output-activation", "tanh", "--loss", "matching"), ("--method", "cover")])
def test_madelon_is_no_reason_to_doubt(options, tmp_path):
    folder = os.environ.get("QUICKSELECTION_DATA")
    if folder is None:
        pytest.skip("QUICKSELECTION_DATA is not set")
    result, json = select(tmp_path, Path(folder) / "madelon.mat", "--rows", "0:2000", "-k", 20, *options)
    assert CHANCE not in result.err and json["explained"]["chosen"] > 0.9


def test_the_text_says_it_in_one_sentence_and_json_in_numbers(madelon, tmp_path):
    result, json = select(tmp_path, madelon, *FAST, "-k", 7)
    found = json["explained"]
    assert list(found) == ["k", "rows", "predictable", "together", "chosen", "random", "spread", "cover",
                           "near_chance", "text", "curve"]
    assert (found["k"], found["rows"]) == (7, 300)
    assert found["text"] in result.out.splitlines()
    assert f"The 7 chosen features explain {100 * found['chosen']:.0f} %" in found["text"]
    curve = found["curve"]
    assert curve["k"] == [1, 2, 5, 7, 10, 20, 40]
    assert found["chosen"] == curve["chosen"][3] and found["cover"] == curve["cover"][3]
    assert all(curve[name][-1] == pytest.approx(1, abs=1e-4) for name in ["chosen", "random", "cover"])


def test_one_feature_is_spoken_of_as_one(tmp_path):
    values = np.random.default_rng(0).normal(size=(60, 6))
    values[:, 1:4] = values[:, :1] + 0.1 * values[:, 1:4]
    np.save(tmp_path / "data.npy", values)
    result, json = select(tmp_path, "data.npy", "-k", "auto", "--method", "cover")
    assert len(json["selected"]) == 1
    assert "-k auto: 1 feature is enough for 95 % of what" in result.out
    assert "The 1 chosen feature explains " in result.out and "; 1 random one " in result.out


def test_what_a_method_says_of_itself_has_few_digits(madelon, tmp_path):
    result, json = select(tmp_path, madelon, "-k", 5, "--method", "cover")
    assert f"noise: {json['measures']['noise']:.5g}" in result.out.splitlines()


def test_no_check_leaves_it_out_and_changes_nothing_else(madelon, tmp_path):
    with_it, json = select(tmp_path, madelon, "-k", 7, "--method", "random")
    without, other = select(tmp_path, madelon, "-k", 7, "--method", "random", "--no-check")
    assert "explain" in with_it.out and "explain" not in without.out + without.err
    assert "explained" not in other and other["selected"] == json["selected"]


def test_auto_chooses_how_many(madelon, tmp_path):
    for method in ["variance", "cover", "quickselection"]:
        result, json = select(tmp_path, madelon, "-k", "auto", "--method", method, "--report", "r.html")
        found = json["explained"]
        k = len(json["selected"])
        assert 1 < k < 40 and found["k"] == k and f"{k} of 40 features by {method}" in result.out
        assert f"-k auto: {k} features are enough for 95 % of what all features together predict" in result.out
        shown = found["cover"] if method == "cover" else found["chosen"]
        assert shown >= 0.95 * found["together"]
    _, same = select(tmp_path, madelon, "-k", k, "--method", "quickselection")
    assert same["selected"] == json["selected"] and same["explained"] == found


def test_auto_is_the_only_word(madelon, tmp_path):
    fail("select", madelon, "-k", "all", cwd=tmp_path, code=2, says=["all", "auto"])
    fail("select", madelon, "-k", 41, cwd=tmp_path, code=2, says=["41", "40"])


def test_runs_have_the_stability_of_the_automatic_number(madelon, tmp_path):
    _, json = select(tmp_path, madelon, *FAST, "-k", "auto", "--runs", 3)
    assert json["stability"]["k"] == len(json["selected"]) == json["explained"]["k"]
