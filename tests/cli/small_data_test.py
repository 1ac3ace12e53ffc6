# tests/cli/small_data_test.py: data and networks of unusual size, and every choice of an option once.
import math

import numpy as np
import pytest

from program import FAST, read_csv, read_json, succeed, write_csv


def select(folder, values, *options):
    """Ranks `values` and checks what holds for every ranking; the JSON and the warnings."""
    values = np.asarray(values, dtype=np.float64)
    features = values.shape[1]
    write_csv(folder / "data.csv", values, [f"f{c}" for c in range(features)])
    succeed("select", "data.csv", *options, "--ranking", "ranking.csv", "--json", "r.json",
            "--report", "r.html", cwd=folder)
    rows = read_csv(folder / "ranking.csv")[1:]
    assert sorted(int(row[1]) for row in rows) == list(range(features))
    scores = [float(row[3]) for row in rows]
    assert scores == sorted(scores, reverse=True)
    assert all(math.isfinite(score) for score in scores)
    return read_json(folder / "r.json")


def normal(rows, features):
    return np.random.default_rng(rows + features).normal(size=(rows, features))


def test_one_feature(tmp_path):
    result = select(tmp_path, normal(20, 1), *FAST)
    assert result["selected"] == [0] and result["scores"][0] > 0


def test_one_row(tmp_path):
    result = select(tmp_path, normal(1, 5), *FAST)
    assert result["scores"] == [0] * 5  # a single row leaves every feature constant
    assert any("5 of 5 features are constant" in warning for warning in result["warnings"])


def test_one_value(tmp_path):
    assert select(tmp_path, [[3]], *FAST)["selected"] == [0]


def test_two_rows(tmp_path):
    assert min(select(tmp_path, normal(2, 8), *FAST)["scores"]) > 0


@pytest.mark.parametrize("rows", [99, 101])
def test_partial_batches_are_trained(tmp_path, rows):
    result = select(tmp_path, normal(rows, 6), *FAST, "--batch-size", 100)
    assert result["data"]["rows"] == rows
    assert len(set(result["loss"])) == 5  # something changes in every epoch


def test_batch_of_one_row(tmp_path):
    assert len(select(tmp_path, normal(30, 6), *FAST, "--batch-size", 1)["loss"]) == 5


def test_dense_layers(tmp_path):
    result = select(tmp_path, normal(50, 8), *FAST, "--epsilon", 1000)
    assert result["parameters"] == 2 * 8 * 50 + 50 + 8
    assert min(result["scores"]) > 0


def test_hardly_any_connections(tmp_path):
    result = select(tmp_path, normal(50, 30), *FAST, "--epsilon", 0.1)
    assert result["parameters"] == 2 * 8 + 50 + 30
    assert 0 < sum(score > 0 for score in result["scores"]) <= 8


def test_all_features_constant(tmp_path):
    result = select(tmp_path, np.ones((40, 3)), *FAST)
    assert result["scores"] == [0, 0, 0] and result["selected"] == [0, 1, 2]
    assert any("3 of 3 features are constant" in warning for warning in result["warnings"])


def test_duplicated_features_and_ties(tmp_path):
    result = select(tmp_path, np.repeat(normal(40, 1), 6, axis=1), "--method", "variance")
    assert result["selected"] == [0, 1, 2, 3, 4, 5]  # equal scores: in the order of the columns


def test_more_features_than_rows(tmp_path):
    assert len(select(tmp_path, normal(5, 300), *FAST, "-k", 10)["selected"]) == 10


@pytest.mark.parametrize("hidden", ["20,10", "1", "3,1,3"])
def test_depths_and_widths(tmp_path, hidden):
    sizes = [12, *map(int, hidden.split(",")), 12]
    result = select(tmp_path, normal(60, 12), "--epochs", 4, "--hidden", hidden, "--epsilon", 2)
    layers = zip(sizes, sizes[1:])
    connections = sum(min(2 * (inputs + outputs), inputs * outputs) for inputs, outputs in layers)
    assert result["parameters"] == connections + sum(sizes[1:])
    assert len(result["loss"]) == 4


CHOICES = {
    "--activation": ["sigmoid", "tanh", "relu", "leaky_relu", "linear"],
    "--output-activation": ["sigmoid", "tanh", "relu", "leaky_relu", "linear"],
    "--optimizer": ["sgd", "adagrad", "adam"],
    "--importance": ["strength", "output_strength", "input_degree", "output_degree",
                     "strength_top_hidden"],
    "--noise-mode": ["fixed", "fresh"],
    "--scale": ["standard", "minmax", "center", "log", "none"],
}


@pytest.mark.parametrize("option", CHOICES)
def test_every_choice_works_and_makes_a_difference(tmp_path, option):
    values = abs(normal(80, 10)) * np.arange(1, 11)
    seen = set()
    for choice in CHOICES[option]:
        result = select(tmp_path, values, *FAST, "--epsilon", 2, option, choice)
        assert result["options"][option[2:]] == choice
        seen.add(tuple(result["scores"]))
    assert len(seen) == len(CHOICES[option])


@pytest.mark.parametrize("option, values", [("--zeta", [0, 0.5]), ("--noise", [0, 1]),
                                            ("--dropout", [0, 0.5]), ("--momentum", [0, 0.5]),
                                            ("--weight-decay", [0, 0.1]), ("--clip", [0, 0.5])])
def test_every_number_makes_a_difference(tmp_path, option, values):
    results = [select(tmp_path, normal(80, 10), *FAST, "--epsilon", 2, option, value)["scores"]
               for value in values]
    assert results[0] != results[1]
