#!/usr/bin/python3
# bench/evaluation_vs_sklearn.py: our forests and k-means against scikit-learn's, on 50 features of
# MNIST, with the same number of threads. Build the release preset first. Each side runs in turn,
# several times; the shortest time counts, because other work on the machine only ever adds. CPU
# seconds are those of all threads: what is left of the comparison on a machine with other work.
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


def timed(body):
    """Seconds, CPU seconds and what the body returns."""
    start, cpu = time.perf_counter(), time.process_time()
    figure = body()
    return time.perf_counter() - start, time.process_time() - cpu, figure


def forest(kind, threads, seed):
    model = kind(n_estimators=50, n_jobs=threads, random_state=seed).fit(train, train_classes)
    return (model.predict(test) == test_classes).mean()


print(f"{data.machine()}; scikit-learn {sklearn.__version__}; MNIST 60000 + 10000 rows, "
      f"{len(columns)} features, float32; best of {options.rounds}; load {os.getloadavg()[0]:.1f}")
print(f"{'':13} {'threads':>7} {'theirs s':>9} {'ours s':>7} {'ratio':>6} "
      f"{'CPU theirs':>11} {'ours':>6} {'ratio':>6}  figure: theirs, ours")
with tempfile.TemporaryDirectory() as name:
    path = pathlib.Path(name)
    data.write(path, train, test, train_classes, test_classes)
    for threads in map(int, options.threads.split(",")):
        for what, model, figure in (
            ("extra-trees", lambda seed: forest(ExtraTreesClassifier, threads, seed), 2),
            ("random-forest", lambda seed: forest(RandomForestClassifier, threads, seed), 2),
            ("kmeans", lambda seed: KMeans(10, n_init=10, random_state=seed).fit(train).inertia_, 5),
        ):
            theirs, ours = [], []
            for seed in range(options.rounds):
                with threadpool_limits(threads):
                    theirs.append(timed(lambda: model(seed)))
                ours.append(data.run(what, path, threads, 1)[0])
            their_best, our_best = np.min(theirs, 0), np.min(ours, 0)
            ratio = their_best[:2] / our_best[:2]
            if what == "kmeans":
                said = f"inertia {their_best[2]:.6g}, {our_best[figure]:.6g}"
            else:
                said = (f"accuracy {np.mean(theirs, 0)[2]:.4f}, "
                        f"{np.mean(ours, 0)[figure]:.4f}")
            print(f"{what:13} {threads:7} {their_best[0]:9.2f} {our_best[0]:7.2f} {ratio[0]:6.2f} "
                  f"{their_best[1]:11.2f} {our_best[1]:6.2f} {ratio[1]:6.2f}  {said}", flush=True)
