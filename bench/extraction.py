#!/usr/bin/python3
"""bench/extraction.py: the paper's appendix D: MNIST in 50 numbers by the sparse network, the dense
one and PCA; accuracy of extra trees (50) on the test rows.

    QUICKSELECTION_DATA=… bench/extraction.py [--networks sparse,dense,pca] [--seeds 1]
                                              [--option epochs=100 …]

The networks never see a label or a test row. Seconds are CPU seconds of fitting.
"""
import argparse
import json
import os
import tempfile

import numpy as np

from accuracy import FOLDER, load
from methods import run

# A density of 3.3 % is 54 thousand of 1.67 million connections.
SHAPE = {"sparse": ["--epsilon", "9.6"], "pca": ["--layers", "50"]}


def one(program, folder, network, seed, options):
    path = {name: os.path.join(folder, name) for name in (
        "train.npy", "test.npy", "model", "codes.npy", "test-codes.npy", "result.json", "ranking.csv",
        "labels.csv", "test-labels.csv")}
    if not os.path.exists(path["train.npy"]):
        train, test, labels, test_labels = load("mnist")
        np.save(path["train.npy"], train)
        np.save(path["test.npy"], test)
        np.savetxt(path["labels.csv"], labels, fmt="%d")
        np.savetxt(path["test-labels.csv"], test_labels, fmt="%d")
        with open(path["ranking.csv"], "w") as file:
            file.write("rank,feature,name,score\n")
            file.writelines(f"{i + 1},{i},{i},{50 - i}\n" for i in range(50))
    seconds = run([program, "extract", path["train.npy"], "--network", network, "--seed", str(seed), "-q",
                   "--save-model", path["model"], "--out", path["codes.npy"],
                   "--json", path["result.json"], *SHAPE.get(network, []), *options])
    with open(path["result.json"]) as file:
        found = json.load(file)
    run([program, "extract", path["test.npy"], "--model", path["model"], "--out", path["test-codes.npy"],
         "-q"])
    run([program, "evaluate", path["codes.npy"], "--label", path["labels.csv"],
         "--test", path["test-codes.npy"], "--test-label", path["test-labels.csv"],
         "--ranking", path["ranking.csv"], "-k", "50", "--clustering", "no", "--reconstruction", "no",
         "--no-baselines", "--runs", "1", "--json", path["result.json"], "-q"])
    with open(path["result.json"]) as file:
        accuracy = 100 * json.load(file)["entries"][0]["classification"]["mean"]
    return accuracy, seconds, found["peak_rss_bytes"] / 1e6, found["parameters"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--networks", default="sparse,dense,pca")
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--program", default="build/release/bin/quickselection")
    parser.add_argument("--option", action="append", default=[], help="of extract, as name=value")
    args = parser.parse_args()
    if not FOLDER:
        raise SystemExit("set QUICKSELECTION_DATA to the folder with the data sets")
    options = [word for text in args.option for word in ("--" + text.split("=")[0],
                                                         text.split("=", 1)[1])]
    print("| network | accuracy % | CPU seconds | peak MB | parameters |\n|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for network in args.networks.split(","):
            runs = [one(args.program, folder, network, seed, options) for seed in range(args.seeds)]
            accuracy, seconds, peak, parameters = np.mean(runs, 0)
            spread = np.std([r[0] for r in runs])
            print(f"| {network} {' '.join(options)} | {accuracy:.1f} ± {spread:.1f} | {seconds:.0f} | {peak:.0f} |"
                  f" {parameters:.0f} |", flush=True)


if __name__ == "__main__":
    main()
