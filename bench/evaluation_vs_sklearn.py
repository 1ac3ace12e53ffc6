#!/usr/bin/python3
# bench/evaluation_vs_sklearn.py: our forests and k-means against scikit-learn's, on 50 features of
# MNIST, with the same number of threads. Build the release preset first. Each side runs in turn,
# several times; the shortest time counts, because other work on the machine only ever adds.
#
#   QUICKSELECTION_DATA=... bench/evaluation_vs_sklearn.py [--threads 1,2] [--rounds 3]
import argparse
import json
import os
import pathlib
import tempfile
import time

import numpy as np

import evaluation_data as data

parser = argparse.ArgumentParser()
parser.add_argument("--threads", default="1,2")
parser.add_argument("--rounds", type=int, default=3)
options = parser.parse_args()

import sklearn
from sklearn.cluster import KMeans
from sklearn.ensemble import ExtraTreesClassifier, RandomForestClassifier
from threadpoolctl import threadpool_limits

train, test, train_classes, test_classes = data.load("MNIST")
columns = json.load(open(data.HERE / "rankings.json"))["MNIST"]["random"]
train = np.ascontiguousarray(train[:, columns], np.float32)
test = np.ascontiguousarray(test[:, columns], np.float32)


def forest(kind, threads, seed):
    start = time.perf_counter()
    model = kind(n_estimators=50, n_jobs=threads, random_state=seed).fit(train, train_classes)
    right = model.predict(test) == test_classes
    return time.perf_counter() - start, right.mean()


def kmeans(threads, seed):
    start = time.perf_counter()
    model = KMeans(10, n_init=10, random_state=seed).fit(train)
    return time.perf_counter() - start, model.inertia_


print(f"{data.machine()}; scikit-learn {sklearn.__version__}; MNIST 60000 + 10000 rows, "
      f"{len(columns)} features, float32; best of {options.rounds}")
print(f"{'':14} {'threads':>7} {'theirs s':>9} {'ours s':>8} {'ratio':>6}   figure: theirs, ours")
with tempfile.TemporaryDirectory() as name:
    path = pathlib.Path(name)
    data.write(path, train, test, train_classes, test_classes)
    for threads in map(int, options.threads.split(",")):
        for what, theirs in (
            ("extra-trees", lambda seed: forest(ExtraTreesClassifier, threads, seed)),
            ("random-forest", lambda seed: forest(RandomForestClassifier, threads, seed)),
            ("kmeans", lambda seed: kmeans(threads, seed)),
        ):
            ours_rows, their_rows = [], []
            for seed in range(options.rounds):
                with threadpool_limits(threads):
                    their_rows.append(theirs(seed))
                ours_rows.append(data.run(what, path, threads, 1)[0])
            a = min(row[0] for row in their_rows)
            b = min(row[0] for row in ours_rows)
            if what == "kmeans":
                figure = (f"inertia {min(r[1] for r in their_rows):.6g}, "
                          f"{min(r[4] for r in ours_rows):.6g}")
            else:
                figure = (f"accuracy {np.mean([r[1] for r in their_rows]):.4f}, "
                          f"{np.mean([r[1] for r in ours_rows]):.4f}")
            print(f"{what:14} {threads:7} {a:9.2f} {b:8.2f} {a / b:6.2f}   {figure}", flush=True)
