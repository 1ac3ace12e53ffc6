#!/usr/bin/python3
"""bench/methods.py: the paper's Tables 2 and 3 for any method: classification (extra trees, 50
trees, test rows) and clustering (k-means, training rows) with the K chosen columns, with time and
memory.

    QUICKSELECTION_DATA=… bench/methods.py --methods fcae,wast --data madelon,COIL20 [--seeds 5]

Every run is a line of JSON in --results; runs that are there already are not repeated. Seconds are
CPU seconds, so that other work on the machine counts little. Labels are used by the judge alone.
"""
import argparse
import itertools
import json
import os
import subprocess
import tempfile

import numpy as np

from accuracy import FOLDER, load

K = {"madelon": 20}
# What the paper sets by data set; everything else is the method's default.
MINMAX = {"PCMAC"}  # QuickSelection and FCAE: min-max for PCMAC and SMK, standardised otherwise
STANDARD_METHODS = {"quickselection", "fcae", "lottery_ticket"}
# These see standardised data by default; the judge of clustering sees what the method saw.
SEE_STANDARD = STANDARD_METHODS | {"wast", "random", "variance"}
TANH_METHODS = {"quickselection", "fcae", "lottery_ticket"}  # tanh output for Madelon


def options_of(method, data, extra):
    """The protocol's options, then `extra`, which replaces what it names."""
    pairs = []
    if method in STANDARD_METHODS and data in MINMAX:
        pairs.append(("--scale", "minmax"))
    if method in TANH_METHODS and data == "madelon":
        pairs.append(("--output-activation", "tanh"))
        if method == "quickselection":
            pairs.append(("--loss", "matching"))  # docs/method.md: saturated outputs
    return [word for pair in pairs if pair[0] not in extra for word in pair] + extra


def judge_scale(method, data):
    return "minmax" if data in MINMAX or method not in SEE_STANDARD else "standard"


def run(command):
    """Runs it; CPU seconds of the process."""
    process = subprocess.Popen(command, stderr=subprocess.PIPE)
    error = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        raise SystemExit(f"{' '.join(command)} failed:\n{error.decode()}")
    return usage.ru_utime + usage.ru_stime


def one(program, folder, method, data, seed, extra, threads):
    train, test = (os.path.join(folder, f"{data}-{part}.npy") for part in ("train", "test"))
    labels = [os.path.join(folder, f"{data}-{part}-labels.csv") for part in ("train", "test")]
    if not os.path.exists(train):
        rows, test_rows, row_labels, test_labels = load(data)
        for path, values in ((train, rows), (test, test_rows)):
            np.save(path, np.ascontiguousarray(values))
        # One file with both, so that `evaluate` can take the test rows from it.
        both = np.ascontiguousarray(np.concatenate([rows, test_rows]))
        np.save(os.path.join(folder, f"{data}-all.npy"), both)
        np.savetxt(labels[0], np.concatenate([row_labels, test_labels]), fmt="%d")
    k = K.get(data, 50)
    ranking, result = os.path.join(folder, "ranking.csv"), os.path.join(folder, "result.json")
    options = options_of(method, data, extra)
    seconds = run([program, "select", train, "--method", method, "-k", str(k), "--seed", str(seed),
                   "--ranking", ranking, "--json", result, "--quiet", "--threads", threads]
                  + options)
    with open(result) as file:
        found = json.load(file)
    rows = len(np.load(train, mmap_mode="r"))
    rest = len(np.load(test, mmap_mode="r"))
    run([program, "evaluate", os.path.join(folder, f"{data}-all.npy"), "--label", labels[0],
         "--test-rows", f"{rows}:{rows + rest}", "--scale", judge_scale(method, data),
         "--ranking", ranking, "-k", str(k), "--runs", "1", "--no-baselines", "--reconstruction",
         "no", "--seed", str(seed), "--json", result, "--quiet", "--threads", threads])
    with open(result) as file:
        judged = json.load(file)[0]
    return {"method": method, "data": data, "seed": seed, "k": k, "options": options,
            "classification": 100 * judged["classification"]["mean"],
            "clustering": 100 * judged["clustering"]["accuracy"], "seconds": seconds,
            "peak_mb": found["peak_rss_bytes"] / 1e6, "parameters": found["parameters"],
            "measures": found["measures"], "selected": found["selected"],
            "warnings": found["warnings"]}


def shared(runs):
    """How many of the chosen features two runs have in common, on average."""
    sets = [set(r["selected"]) for r in runs]
    pairs = [len(a & b) / len(a) for a, b in itertools.combinations(sets, 2)]
    return f"{100 * np.mean(pairs):.0f} %" if pairs else "–"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--methods", default="fcae,lottery_ticket,aefs,concrete_autoencoder,wast")
    parser.add_argument("--data", default="madelon,COIL20,Isolet,PCMAC,mnist")
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--mnist-seeds", type=int, default=1)
    parser.add_argument("--program", default="build/release/bin/quickselection")
    parser.add_argument("--results", default="methods.jsonl")
    parser.add_argument("--threads", default="1")
    parser.add_argument("--option", action="append", default=[], help="more options, as name=value")
    args = parser.parse_args()
    if not FOLDER:
        raise SystemExit("set QUICKSELECTION_DATA to the folder with the data sets")
    extra = [word for text in args.option for word in ("--" + text.split("=")[0],
                                                       text.split("=", 1)[1])]
    done = []
    if os.path.exists(args.results):
        with open(args.results) as file:
            done = [json.loads(line) for line in file]
    with tempfile.TemporaryDirectory() as folder:
        print("| data | method | K | classified % | clustered % | CPU seconds | peak MB |"
              " parameters | seeds | two seeds share |\n|---|---|---|---|---|---|---|---|---|---|")
        for data in args.data.split(","):
            for method in args.methods.split(","):
                options = options_of(method, data, extra)
                runs = []
                for seed in range(args.mnist_seeds if data == "mnist" else args.seeds):
                    key = {"method": method, "data": data, "seed": seed, "options": options}
                    found = [r for r in done if all(r[name] == key[name] for name in key)]
                    if not found:
                        found = [one(args.program, folder, method, data, seed, extra,
                                     args.threads)]
                        with open(args.results, "a") as file:
                            file.write(json.dumps(found[0]) + "\n")
                    runs.append(found[0])
                if not runs:
                    continue
                mean = {name: np.mean([r[name] for r in runs])
                        for name in ("classification", "clustering", "seconds", "peak_mb")}
                spread = {name: np.std([r[name] for r in runs])
                          for name in ("classification", "clustering")}
                print(f"| {data} | {method} {' '.join(options)} | {runs[0]['k']} |"
                      f" {mean['classification']:.1f} ± {spread['classification']:.1f} |"
                      f" {mean['clustering']:.1f} ± {spread['clustering']:.1f} |"
                      f" {mean['seconds']:.1f} | {mean['peak_mb']:.0f} | {runs[0]['parameters']} |"
                      f" {len(runs)} | {shared(runs)} |", flush=True)


if __name__ == "__main__":
    main()
