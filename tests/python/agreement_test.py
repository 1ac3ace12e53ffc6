# tests/python/agreement_test.py: one ranking from Python, the command line and C++.
import csv
import os
import subprocess

import numpy as np
import pytest

import quickselection
from quickselection import QuickSelection

pytestmark = pytest.mark.filterwarnings("ignore:the network did not learn",
                                        "ignore:the selector did not converge", "ignore:with alpha")
METHODS = {
    "QuickSelection": ("quickselection", {"epochs": 4, "hidden": 20, "zeta": 0.3}),
    "LaplacianScore": ("laplacian_score", {"neighbors": 4, "weights": "binary"}),
    "MCFS": ("mcfs", {"neighbors": 4}),
    "UDFS": ("udfs", {"gamma": 0.2}),
    "ConcreteAutoencoder": ("concrete_autoencoder", {"epochs": 4, "start_temperature": 5.0}),
    "AEFS": ("aefs", {"epochs": 4, "alpha": 0.01}),
    "FCAE": ("fcae", {"epochs": 4, "hidden": 20}),
    "LotteryTicket": ("lottery_ticket", {"epochs": 4, "hidden": 20, "epsilon": 3.0}),
    "WAST": ("wast", {"epochs": 4, "hidden": 20, "lam": 0.7}),
    "Cover": ("cover", {}),
    "VarianceRanking": ("variance", {}),
}


def test_no_method_is_left_out():
    assert sorted(METHODS) == sorted(quickselection.SELECTORS)


def command_line(program, data, method, k, seed, options, folder):
    texts = [text for name, value in options for text in (f"--{name}", value)]
    subprocess.run([program, "select", data, "--method", method, "-k", str(k), "--seed", str(seed),
                    "--threads", "1", "--ranking", folder / "ranking.csv", "--quiet", *texts],
                   check=True)
    with open(folder / "ranking.csv") as file:
        return [int(row["feature"]) for row in csv.DictReader(file)]


@pytest.mark.parametrize("name", METHODS)
def test_the_same_ranking_everywhere(name, X, program, example, tmp_path):
    method, parameters = METHODS[name]
    X[:, 7] = 3  # a constant feature is last in all of them
    data = tmp_path / "x.npy"
    np.save(data, X)
    selector = getattr(quickselection, name)(6, random_state=11, n_jobs=2, **parameters).fit(X)
    order = list(np.argsort(selector.ranking_))
    assert order[:6] == list(selector.selected_) and order[-1] == 7
    options = [("lambda" if option == "lam" else option.replace("_", "-"), str(value))
               for option, value in parameters.items()]
    assert command_line(program, data, method, 6, 11, options, tmp_path) == order
    shown = subprocess.run([example("rank"), data, method, "6", "11",
                            *(f"{option}={value}" for option, value in options)],
                           check=True, capture_output=True, text=True).stdout
    assert [int(line) for line in shown.split()] == order


def test_the_same_ranking_of_mnist(data_folder, program, tmp_path):
    """With default options, shortened: real data, 8-bit values, all rows."""
    images = next(data_folder.rglob("t10k-images*"))
    selector = QuickSelection(50, epochs=1, random_state=3, n_jobs=2).fit(
        quickselection.datasets.load("mnist_test").X)
    order = command_line(program, images, "quickselection", 50, 3, [("epochs", "1")], tmp_path)
    assert list(np.argsort(selector.ranking_)) == order


def test_the_example_says_what_is_wrong(example, tmp_path):
    failed = subprocess.run([example("rank"), tmp_path / "none.npy", "fcae", "3", "0"],
                            capture_output=True, text=True, env=os.environ)
    assert failed.returncode == 1 and failed.stderr.startswith("error: ")
