#!/usr/bin/python3
# bench/agreement_with_sklearn.py: do our judges say the same as scikit-learn's? For the rankings in
# rankings.json: the mean accuracy over 10 seeds of both classifiers and of clustering, ours beside
# scikit-learn's, on the same rows and columns. They may differ by less than 1 point (2 points on
# data with under 200 test rows). As in `evaluate`, a seed stands for the mean of 5 runs (1 on MNIST,
# whose large test set needs no more): single runs on 300 test rows spread by 1 to 2 points.
# Reconstruction is compared at the same penalty. Build the release preset first; the output is a
# Markdown table.
#
#   QUICKSELECTION_DATA=... bench/agreement_with_sklearn.py [DATA[:RANKING]...] [--seeds N]
#   QUICKSELECTION_DATA=... bench/agreement_with_sklearn.py --make-rankings   (writes the file)
import argparse
import json
import pathlib
import sys
import tempfile

import numpy as np

import evaluation_data as data
from scipy.optimize import linear_sum_assignment
from sklearn.cluster import KMeans
from sklearn.ensemble import ExtraTreesClassifier, RandomForestClassifier
from sklearn.linear_model import Ridge
from sklearn.metrics import confusion_matrix
from sklearn.preprocessing import StandardScaler
from threadpoolctl import threadpool_limits

SETS = {"madelon": 20, "COIL20": 50, "PCMAC": 50, "Isolet": 50, "MNIST": 50}
SEEDS = 10
RUNS = {"MNIST": 1}
FILE = data.HERE / "rankings.json"


def make_rankings():
    rankings = {}
    for name, k in SETS.items():
        train, _, classes, _ = data.load(name)
        train = train.astype(np.float32)
        varying = np.flatnonzero(train.var(0) > 0)
        model = ExtraTreesClassifier(50, random_state=0, n_jobs=2).fit(train[::5], classes[::5])
        rankings[name] = {
            "informative": np.argsort(-model.feature_importances_)[:k].tolist(),
            "variance": np.argsort(-train.var(0), kind="stable")[:k].tolist(),
            "random": np.random.RandomState(0).permutation(varying)[:k].tolist(),
        }
    lines = []
    for name, kinds in rankings.items():
        inner = ",\n".join(f'  "{kind}": {json.dumps(columns)}' for kind, columns in kinds.items())
        lines.append(f'"{name}": {{\n{inner}\n}}')
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n")


def clustering_accuracy(clusters, classes):
    table = confusion_matrix(classes, clusters)
    rows, columns = linear_sum_assignment(-table)
    return table[rows, columns].sum() / len(classes)


def by_seed(figures):
    """In percent, the mean of each seed's runs."""
    return 100 * np.asarray(figures).reshape(SEEDS, -1).mean(1)


def compare(name, columns, path):
    train, test, train_classes, test_classes = data.load(name)
    scaler = StandardScaler().fit(train.astype(np.float64))
    scaled = [scaler.transform(x.astype(np.float64)).astype(np.float32) for x in (train, test)]
    small, small_test = (np.ascontiguousarray(x[:, columns], np.float32) for x in (train, test))
    limit = 2.0 if len(test_classes) < 200 else 1.0
    count = SEEDS * RUNS.get(name, 5)
    data.write(path, small, small_test, train_classes, test_classes)
    for what, model in (("extra-trees", ExtraTreesClassifier),
                        ("random-forest", RandomForestClassifier)):
        theirs = [(model(50, random_state=seed, n_jobs=2).fit(small, train_classes)
                   .predict(small_test) == test_classes).mean() for seed in range(count)]
        yield what, by_seed(theirs), by_seed(data.run(what, path, 2, count)[:, 2]), limit

    small = np.ascontiguousarray(scaled[0][:, columns])
    data.write(path, small, scaled[1][:, columns], train_classes, test_classes)
    with threadpool_limits(1):  # small data gains nothing from more
        theirs = [clustering_accuracy(
            KMeans(len(set(train_classes)), n_init=10, random_state=seed).fit(small).labels_,
            train_classes) for seed in range(count)]
    yield "clustering", by_seed(theirs), by_seed(data.run("kmeans", path, 2, count)[:, 2]), limit

    order = list(columns) + [c for c in range(train.shape[1]) if c not in set(columns)]
    whole = [x[:, order] for x in scaled]  # the driver takes the first k
    data.write(path, *whole, train_classes, test_classes)
    k = len(columns)
    _, _, ours, penalty = data.run("ridge", path, 2, k)[0]
    model = Ridge(alpha=penalty).fit(whole[0][:, :k].astype(np.float64), whole[0])
    # Not r2_score: it leaves out the errors on features that are constant in the test rows.
    error = whole[1] - model.predict(whole[1][:, :k].astype(np.float64))
    theirs = 1 - (error**2).sum() / (len(error) * whole[1].var(0, dtype=np.float64)).sum()
    yield "reconstruction R²", np.array([100 * theirs]), np.array([100 * ours]), 0.1


if "--make-rankings" in sys.argv:
    make_rankings()
    sys.exit()

rankings = json.loads(FILE.read_text())
parser = argparse.ArgumentParser()
parser.add_argument("data", nargs="*", default=list(SETS))
parser.add_argument("--seeds", type=int, default=SEEDS)
arguments = parser.parse_args()
SEEDS = arguments.seeds
print("| data | ranking | judge | scikit-learn % | ours % | difference | allowed |")
print("|---|---|---|---|---|---|---|")
failed = 0
with tempfile.TemporaryDirectory() as folder:
    for name, _, only in (text.partition(":") for text in arguments.data):
        for kind, columns in rankings[name].items():
            if only and kind != only:
                continue
            for what, theirs, ours, limit in compare(name, columns, pathlib.Path(folder)):
                difference = ours.mean() - theirs.mean()
                failed += abs(difference) >= limit
                print(f"| {name} | {kind} | {what} | {theirs.mean():.2f} ± {theirs.std():.2f} "
                      f"| {ours.mean():.2f} ± {ours.std():.2f} | {difference:+.2f} | {limit:g} |",
                      flush=True)
print(f"\n{failed} comparisons differ by more than is allowed.")
sys.exit(bool(failed))
