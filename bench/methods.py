#!/usr/bin/python3
"""bench/methods.py: the paper's Tables 2 and 3 for any method: classification (extra trees, 50
trees, test rows) and clustering (k-means, training rows) with the K chosen columns, with time and
memory.

    QUICKSELECTION_DATA=… bench/methods.py --methods fcae,wast --data madelon,COIL20 [--seeds 5]
    QUICKSELECTION_DATA=… bench/methods.py --methods random,cover,all --data TOX-171,Yale --splits 8

With --splits every run has other training rows, the same for all methods, and its own seed. Then ±
is the standard error of the mean, the gain over `random` is that on the same splits, and what two
runs share is the overlap between training rows. "all" is the judge with all features.

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


def write_rows(folder, data, split):
    """The training rows, and one file with both parts so that `evaluate` can take the test rows
    from it: their paths, the path of the labels, how many rows are for training, how many are
    there, how many features."""
    name = os.path.join(folder, f"{data}-{split}")
    paths = name + "-train.npy", name + "-all.npy", name + "-labels.csv"
    if not os.path.exists(paths[0]):
        for old in os.listdir(folder):
            os.remove(os.path.join(folder, old))
        rows, test_rows, row_labels, test_labels = load(data, split)
        np.save(paths[0], np.ascontiguousarray(rows))
        np.save(paths[1], np.ascontiguousarray(np.concatenate([rows, test_rows])))
        np.savetxt(paths[2], np.concatenate([row_labels, test_labels]), fmt="%d")
    rows, features = np.load(paths[0], mmap_mode="r").shape
    return *paths, rows, len(np.load(paths[1], mmap_mode="r")), features


def one(args, folder, method, data, seed, extra):
    split = seed if args.splits else None
    train, both, labels, rows, end, features = write_rows(folder, data, split)
    k = K.get(data, 50)
    ranking, result = os.path.join(folder, "ranking.csv"), os.path.join(folder, "result.json")
    options = options_of(method, data, extra)
    common = ["--seed", str(seed), "--json", result, "--quiet", "--threads", args.threads]
    if method == "all":
        k = features
        with open(ranking, "w") as file:
            file.write("rank,feature,name,score\n")
            file.writelines(f"{f + 1},{f},{f},{k - f}\n" for f in range(k))
        seconds, found = 0, {"peak_rss_bytes": 0, "parameters": 0, "measures": {},
                             "selected": [], "warnings": []}
    else:
        seconds = run([args.program, "select", train, "--method", method, "-k", str(k),
                       "--ranking", ranking, *common, *options])
        with open(result) as file:
            found = json.load(file)
    run([args.program, "evaluate", both, "--label", labels, "--test-rows", f"{rows}:{end}",
         "--scale", judge_scale(method, data), "--ranking", ranking, "-k", str(k), "--runs",
         str(args.judges), "--clustering", args.clustering, "--no-baselines", "--reconstruction",
         "no", *common])
    with open(result) as file:
        judged = json.load(file)["entries"][0]
    return {"method": method, "data": data, "seed": seed, "split": split, "k": k,
            "options": options, "classification": 100 * judged["classification"]["mean"],
            "clustering": 100 * judged["clustering"]["accuracy"] if args.clustering == "yes"
            else None, "seconds": seconds, "peak_mb": found["peak_rss_bytes"] / 1e6,
            "parameters": found["parameters"], "measures": found["measures"],
            "selected": found["selected"], "warnings": found["warnings"]}


def shared(runs):
    """How many of the chosen features two runs have in common, on average."""
    sets = [set(r["selected"]) for r in runs]
    pairs = [len(a & b) / len(a) for a, b in itertools.combinations(sets, 2) if a]
    return f"{100 * np.mean(pairs):.0f} %" if pairs else "–"


def over_runs(values, standard_error):
    if None in values or not len(values):
        return "–"
    if not standard_error:
        return f"{np.mean(values):.1f} ± {np.std(values):.1f}"
    if len(values) == 1:
        return f"{values[0]:.1f}"
    return f"{np.mean(values):.1f} ± {np.std(values, ddof=1) / len(values) ** 0.5:.1f}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--methods", default="fcae,lottery_ticket,aefs,concrete_autoencoder,wast")
    parser.add_argument("--data", default="madelon,COIL20,Isolet,PCMAC,mnist")
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--mnist-seeds", type=int, default=1)
    parser.add_argument("--splits", type=int, default=0, help="other rows in every run, so many")
    parser.add_argument("--judges", type=int, default=1, help="forests for each choice")
    parser.add_argument("--clustering", default="yes", choices=["yes", "no"])
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
    methods = args.methods.split(",")

    def runs_of(method, data, folder):
        options = options_of(method, data, extra)
        seeds = args.splits or (args.mnist_seeds if data == "mnist" else args.seeds)
        for seed in range(seeds):
            key = {"method": method, "data": data, "seed": seed, "options": options,
                   "split": seed if args.splits else None}
            found = [r for r in done if all(r.get(name) == key[name] for name in key)]
            if not found:
                found = [one(args, folder, method, data, seed, extra)]
                done.append(found[0])
                with open(args.results, "a") as file:
                    file.write(json.dumps(found[0]) + "\n")
            yield found[0]

    with tempfile.TemporaryDirectory() as folder:
        print("| data | method | K | classified % | gain over random | clustered % | CPU seconds |"
              " peak MB | parameters | runs | two runs share |\n|" + "---|" * 11)
        for data in args.data.split(","):
            by_chance = {}
            for method in methods:
                runs = list(runs_of(method, data, folder))
                if not runs:
                    continue
                if method == "random" and args.splits:
                    by_chance = {r["seed"]: r["classification"] for r in runs}
                gain = [r["classification"] - by_chance[r["seed"]] for r in runs
                        if r["seed"] in by_chance and method != "random"]
                print(f"| {data} | {' '.join([method, *runs[0]['options']])} | {runs[0]['k']} | "
                      + " | ".join([over_runs([r["classification"] for r in runs], args.splits),
                                    over_runs(gain, True),
                                    over_runs([r["clustering"] for r in runs], args.splits),
                                    f"{np.mean([r['seconds'] for r in runs]):.1f}",
                                    f"{np.mean([r['peak_mb'] for r in runs]):.0f}",
                                    str(runs[0]["parameters"]), str(len(runs)), shared(runs)])
                      + " |", flush=True)


if __name__ == "__main__":
    main()
