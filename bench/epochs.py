#!/usr/bin/python3
"""bench/epochs.py: `epochs="auto"` beside 100 epochs: epochs, accuracy (extra trees, 50 trees, 5
forests), and their differences on the same splits and seeds.

    PYTHONPATH=build/release/python QUICKSELECTION_DATA=… bench/epochs.py [--data Isolet,COIL20] [--splits 8]

Splits are 80/20, Madelon and MNIST have their own test rows. Labels are used by the judge alone.
"""
import argparse
import os
import statistics

import numpy as np
import scipy.io
from accuracy import FOLDER, load
from quickselection import QuickSelection
from sklearn.ensemble import ExtraTreesClassifier
from sklearn.model_selection import train_test_split

DATA = "madelon,Isolet,COIL20,PCMAC,TOX-171,RELATHE,Yale,GLIOMA,mnist,colon,lung_small"
SMALL_CLASSES = {"GLIOMA", "lung_small"}  # their splits are not stratified


def split(name, seed):
    if name in ("madelon", "mnist"):
        return load(name)
    content = scipy.io.loadmat(os.path.join(FOLDER, name + ".mat"))
    labels = content["Y"].ravel()
    return train_test_split(content["X"], labels, test_size=0.2, random_state=seed,
                            stratify=None if name in SMALL_CLASSES else labels)


def accuracy(columns, parts, seed):
    train, test, train_labels, test_labels = parts
    forests = [ExtraTreesClassifier(50, random_state=1000 * seed + i) for i in range(5)]
    return 100 * np.mean([forest.fit(train[:, columns], train_labels).score(test[:, columns], test_labels)
                          for forest in forests])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", default=DATA)
    parser.add_argument("--splits", type=int, default=8)
    args = parser.parse_args()
    print("| data | splits | epochs, median | auto % | 100 epochs % | difference |\n|---|---|---|---|---|---|")
    for name in args.data.split(","):
        epochs, found = [], []
        for seed in range(args.splits):
            parts = split(name, seed)
            k = 20 if name == "madelon" else 50
            both = [QuickSelection(k, epochs=count, random_state=seed, n_jobs=1).fit(parts[0])
                    for count in ("auto", 100)]
            epochs.append(both[0].n_iter_)
            found.append([accuracy(one.selected_, parts, seed) for one in both])
        auto, whole = np.mean(found, axis=0)
        difference = np.subtract(*np.transpose(found))
        error = difference.std(ddof=1) / np.sqrt(len(found)) if len(found) > 1 else np.nan
        print(f"| {name} | {len(found)} | {statistics.median(epochs):g} | {auto:.1f} | {whole:.1f} | "
              f"{difference.mean():+.1f} ± {error:.1f} |", flush=True)


if __name__ == "__main__":
    main()
