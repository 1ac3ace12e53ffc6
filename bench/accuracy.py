#!/usr/bin/python3
"""bench/accuracy.py: how good are the chosen features? The paper's judgement: extra trees with 50
trees, trained on the K chosen columns of the training rows; accuracy on the test rows.

    QUICKSELECTION_DATA=… bench/accuracy.py [--seeds 5] [--program build/release/bin/quickselection]

Labels are used only here, never by the selection. scikit-learn is the judge.
"""
import argparse
import gzip
import itertools
import json
import os
import subprocess
import tempfile

import numpy as np
import scipy.io
from sklearn.ensemble import ExtraTreesClassifier
from sklearn.model_selection import train_test_split

FOLDER = os.environ.get("QUICKSELECTION_DATA", "")


def read_idx(name):
    with gzip.open(os.path.join(FOLDER, "mnist", name)) as file:
        content = file.read()
    shape = np.frombuffer(content, ">u4", content[3], 4)
    return np.frombuffer(content, np.uint8, offset=4 + 4 * content[3]).reshape(shape)


def load(name, split=None):
    """Training and test rows as in the paper, or those of a numbered split: 80 % of the rows, of
    every class; where the test rows are given, 80 % of the others."""
    def cut(values, labels):
        return train_test_split(values, labels, test_size=0.2, random_state=split, stratify=labels)

    if name == "mnist":
        images = [read_idx(f"{part}-images-idx3-ubyte.gz") for part in ("train", "t10k")]
        labels = [read_idx(f"{part}-labels-idx1-ubyte.gz") for part in ("train", "t10k")]
        given = [image.reshape(len(image), -1) for image in images] + labels
    else:
        content = scipy.io.loadmat(os.path.join(FOLDER, name + ".mat"))
        values, labels = content["X"], content["Y"].ravel()
        if name != "madelon":
            return (train_test_split(values, labels, test_size=0.2, random_state=42)
                    if split is None else cut(values, labels))
        given = [values[:2000], values[2000:], labels[:2000], labels[2000:]]
    if split is not None:
        given[0], _, given[2], _ = cut(given[0], given[2])
    return given


CASES = [("madelon", 20, 10, ["--output-activation", "tanh", "--loss", "matching"]),
         ("madelon", 20, 100, ["--output-activation", "tanh", "--loss", "matching"]),
         ("madelon", 20, 100, ["--dropout", "0"]),
         ("COIL20", 50, 10, []), ("COIL20", 50, 100, []),
         ("Isolet", 50, 10, []), ("Isolet", 50, 100, []),
         ("mnist", 50, 10, [])]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--program", default="build/release/bin/quickselection")
    args = parser.parse_args()
    if not FOLDER:
        raise SystemExit("set QUICKSELECTION_DATA to the folder with the data sets")
    print("| data | K | epochs | options | accuracy % | shared by two seeds % | seconds |\n"
          "|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        path, result = os.path.join(folder, "train.npy"), os.path.join(folder, "result.json")
        for name, k, epochs, options in CASES:
            train, test, train_labels, test_labels = load(name)
            np.save(path, np.ascontiguousarray(train))
            accuracy, chosen, seconds = [], [], []
            for seed in range(args.seeds):
                subprocess.run([args.program, "select", path, "-k", str(k), "--seed", str(seed),
                                "--epochs", str(epochs), "--json", result, "--quiet", *options],
                               check=True, stderr=subprocess.DEVNULL)
                with open(result) as file:
                    found = json.load(file)
                columns = found["selected"]
                forest = ExtraTreesClassifier(50, random_state=seed, n_jobs=-1)
                forest.fit(train[:, columns], train_labels)
                accuracy.append(100 * forest.score(test[:, columns], test_labels))
                chosen.append(set(columns))
                seconds.append(found["seconds"]["train"])
            shared = [100 * len(a & b) / k for a, b in itertools.combinations(chosen, 2)]
            print(f"| {name} | {k} | {epochs} | {' '.join(options)} | {np.mean(accuracy):.1f} ± "
                  f"{np.std(accuracy):.1f} | {np.mean(shared):.0f} | {np.mean(seconds):.1f} |",
                  flush=True)


if __name__ == "__main__":
    main()
