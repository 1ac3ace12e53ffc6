#!/usr/bin/python3
"""bench/explained.py: does the share that chosen features explain without labels agree with the
accuracy that they reach with them?

    QUICKSELECTION_DATA=… bench/explained.py [--data Yale,madelon] [--splits 3] [--results FILE]

For every data set, split, method and K: the share of `select --json` on the training rows, and the
accuracy of extra trees on the test rows (`evaluate`). Printed is the rank correlation within a data
set, over all methods and K, and over the methods at each K. Every selection is a line of JSON in
--results; those that are there already are not repeated.
"""
import argparse
import json
import os
import subprocess
import tempfile

import numpy as np
import scipy.io
import scipy.sparse
from scipy.stats import spearmanr
from sklearn.model_selection import train_test_split

FOLDER = os.environ.get("QUICKSELECTION_DATA", "")
DATA = "madelon,COIL20,Isolet,PCMAC,RELATHE,TOX-171,Yale,GLIOMA,colon,lung_small"
METHODS = {"random": ["--method", "random"], "variance": ["--method", "variance"],
           "laplacian_score": ["--method", "laplacian_score"], "mcfs": ["--method", "mcfs"],
           "strength 10": ["--epochs", "10"], "strength 100": ["--epochs", "100"],
           "wast": ["--method", "wast"], "cover": ["--method", "cover"]}
KS = [10, 20, 50, 100]


def save_split(data, split, folder):
    """Training rows first, then test rows; how many there are of each."""
    content = scipy.io.loadmat(os.path.join(FOLDER, data + ".mat"))
    values, labels = content["X"], content["Y"].ravel()
    if scipy.sparse.issparse(values):
        values = values.toarray()
    if data == "madelon":
        parts = values[:2000], values[2000:], labels[:2000], labels[2000:]
    else:
        parts = train_test_split(values, labels, test_size=0.2, random_state=split, stratify=labels)
    np.save(os.path.join(folder, "all.npy"), np.concatenate([np.asarray(part) for part in parts[:2]]))
    np.savetxt(os.path.join(folder, "labels.csv"), np.concatenate(parts[2:]), fmt="%s")
    return parts[0].shape[0], parts[1].shape[0]


def one(program, folder, train, test, options, split):
    def call(*words):
        subprocess.run([program, *words, "--quiet", "--threads", "1"], cwd=folder, check=True,
                       stderr=subprocess.DEVNULL)
    call("select", "all.npy", "--rows", f"0:{train}", "-k", str(KS[-1]), "--seed", str(split),
         "--ranking", "ranking.csv", "--json", "result.json", *options)
    call("evaluate", "all.npy", "--label", "labels.csv", "--rows", f"0:{train}", "--test-rows", f"{train}:{train + test}",
         "--ranking", "ranking.csv", "-k", ",".join(map(str, KS)), "--runs", "3", "--no-baselines",
         "--clustering", "no", "--reconstruction", "no", "--json", "judged.json")
    with open(os.path.join(folder, "result.json")) as file:
        curve = json.load(file)["explained"]["curve"]
    with open(os.path.join(folder, "judged.json")) as file:
        judged = json.load(file)["entries"]
    return {str(k): {name: curve[name][curve["k"].index(k)] for name in ("chosen", "random", "spread", "cover")}
            | {"accuracy": next(entry["classification"]["mean"] for entry in judged if entry["k"] == k)}
            for k in KS}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", default=DATA)
    parser.add_argument("--splits", type=int, default=3)
    parser.add_argument("--program", default="build/release/bin/quickselection")
    parser.add_argument("--results", default="explained.jsonl")
    args = parser.parse_args()
    if not FOLDER:
        raise SystemExit("set QUICKSELECTION_DATA to the folder with the data sets")
    program = os.path.abspath(args.program)
    done = {}
    if os.path.exists(args.results):
        with open(args.results) as file:
            for line in file:
                found = json.loads(line)
                done[found["data"], found["split"], found["method"]] = found["at"]
    print("| data | splits | all methods and K | methods at each K |\n|---|---|---|---|")
    for data in args.data.split(","):
        splits = 1 if data == "madelon" else args.splits
        for split in range(splits):
            missing = [method for method in METHODS if (data, split, method) not in done]
            if not missing:
                continue
            with tempfile.TemporaryDirectory() as folder:
                train, test = save_split(data, split, folder)
                for method in missing:
                    found = one(program, folder, train, test, METHODS[method], split)
                    done[data, split, method] = found
                    with open(args.results, "a") as file:
                        file.write(json.dumps({"data": data, "split": split, "method": method, "at": found}) + "\n")
        # The mean over the splits: (methods, K).
        share, accuracy = (np.array([[np.mean([done[data, split, method][str(k)][name] for split in range(splits)])
                                      for k in KS] for method in METHODS]) for name in ("chosen", "accuracy"))
        at_each = [spearmanr(share[:, i], accuracy[:, i])[0] for i in range(len(KS))]
        print(f"| {data} | {splits} | {spearmanr(share.ravel(), accuracy.ravel())[0]:.2f} | {np.mean(at_each):.2f} |")


if __name__ == "__main__":
    main()
