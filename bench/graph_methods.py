#!/usr/bin/python3
"""bench/graph_methods.py: laplacian_score, mcfs and udfs against the same formulas written plainly in
NumPy and SciPy, as scikit-feature has them: dense n x n matrices, all pairs, full eigenproblems.

    QUICKSELECTION_DATA=… bench/graph_methods.py [--rounds 3] [--threads 2] [--data COIL20,madelon]
                                                 [--methods laplacian_score,mcfs,udfs] [--ours]

Each side runs in a process of its own on the same file, already scaled to [0, 1], in turn, several
times; the shortest time counts, because other work on the machine only ever adds. Time does not
include reading, starting Python or importing. --ours leaves the plain version out: it needs 8 n^2
bytes several times over, which is 29 GB for one matrix of MNIST.
"""
import argparse
import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

import numpy as np

CLASSES = {"madelon": 2, "COIL20": 20, "Isolet": 26, "PCMAC": 2, "mnist": 10}
WANTED = {"madelon": 20}


# ---- the plain version

def neighbours(x, k):
    """All squared distances, and the k nearest rows of each row."""
    norms = (x * x).sum(1)
    distances = np.maximum(norms[:, None] + norms[None, :] - 2 * (x @ x.T), 0)
    order = np.argsort(distances, axis=1)
    return distances, order[:, 1:k + 1]


def graph(x, k=5):
    distances, near = neighbours(x, k)
    rows = np.arange(len(x))[:, None]
    width = distances[rows, near].mean()
    weights = np.zeros_like(distances)
    weights[rows, near] = np.exp(-distances[rows, near] / width)
    return np.maximum(weights, weights.T)


def laplacian_score(x, clusters, wanted):
    s = graph(x)
    d = s.sum(1)
    laplacian = np.diag(d) - s
    centred = x - (d @ x) / d.sum()
    spread = (centred * (d[:, None] * centred)).sum(0)
    change = (centred * (laplacian @ centred)).sum(0)
    return -change / np.maximum(spread, 1e-12)


def mcfs(x, clusters, wanted):
    import scipy.linalg
    from sklearn.linear_model import Lars
    s = graph(x)
    root = 1 / np.sqrt(s.sum(1))
    vectors = scipy.linalg.eigh(root[:, None] * s * root[None, :])[1]
    y = root[:, None] * vectors[:, -clusters - 1:-1]
    coefficients = [Lars(n_nonzero_coefs=wanted, fit_intercept=False, normalize=False)
                    .fit(x, column).coef_ for column in y.T]
    return np.abs(coefficients).max(0)


def udfs(x, clusters, wanted, k=5, gamma=0.1, ridge=0.1, iterations=100):
    import scipy.linalg
    n, d = x.shape
    near = neighbours(x, k)[1]
    h = np.eye(k + 1) - 1 / (k + 1)
    inner = np.zeros((n, n))
    for i in range(n):
        members = np.append(i, near[i])
        local = x[members].T @ h
        inner[np.ix_(members, members)] += h @ np.linalg.inv(local.T @ local
                                                             + ridge * np.eye(k + 1)) @ h
    m = x.T @ inner @ x
    weights, before = np.ones(d), np.inf
    for _ in range(iterations):
        w = scipy.linalg.eigh(m + gamma * np.diag(weights))[1][:, :clusters]
        norms = np.sqrt((w * w).sum(1) + 1e-12)
        weights = 0.5 / norms
        objective = (w * (m @ w)).sum() + gamma * norms.sum()
        if before - objective < 1e-7 * objective:
            break
        before = objective
    return norms


def run_plain(method, path, clusters, wanted):
    """In a process of its own: seconds and peak memory as JSON."""
    x = np.load(path).astype(np.float64)
    if method == "mcfs":
        import scipy.linalg, sklearn.linear_model  # noqa: not to be timed
    start = time.perf_counter()
    scores = globals()[method](x, clusters, wanted)
    seconds = time.perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    order = np.argsort(-scores, kind="stable")[:wanted]
    print(json.dumps({"seconds": seconds, "peak": peak, "chosen": order.tolist()}))


# ---- the comparison

def load(name):
    import accuracy
    train = accuracy.load(name)[0].astype(np.float32)
    least, most = train.min(0), train.max(0)
    return (train - least) / np.where(most > least, most - least, 1)


def plain(method, path, clusters, wanted, threads):
    environment = dict(os.environ, OMP_NUM_THREADS=str(threads), OPENBLAS_NUM_THREADS=str(threads),
                       PYTHONWARNINGS="ignore")
    output = subprocess.run([sys.executable, __file__, "--plain", method, path, str(clusters),
                             str(wanted)], check=True, capture_output=True, env=environment).stdout
    return json.loads(output)


def ours(program, method, path, clusters, wanted, threads):
    result = pathlib.Path(path).with_name("result.json")
    options = [] if method == "laplacian_score" else ["--clusters", str(clusters)]
    subprocess.run([program, "select", path, "--method", method, "-k", str(wanted), "--scale", "none",
                    "--threads", str(threads), "--json", str(result), "--quiet", *options],
                   check=True, stderr=subprocess.DEVNULL)
    found = json.loads(result.read_text())
    return {"seconds": found["seconds"]["select"] if "select" in found["seconds"]
            else found["seconds"]["train"], "peak": found["peak_rss_bytes"],
            "chosen": found["selected"]}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--data", default="COIL20,Isolet,madelon,PCMAC")
    parser.add_argument("--methods", default="laplacian_score,mcfs,udfs")
    parser.add_argument("--ours", action="store_true")
    parser.add_argument("--program", default="build/release/bin/quickselection")
    parser.add_argument("--plain", nargs=4, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.plain:
        method, path, clusters, wanted = args.plain
        return run_plain(method, path, int(clusters), int(wanted))
    print(f"{args.threads} threads, best of {args.rounds}, load {os.getloadavg()[0]:.1f}\n\n"
          "| method | data | plain s | ours s | ratio | plain MB | ours MB | same features % |\n"
          "|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "train.npy")
        for name in args.data.split(","):
            np.save(path, load(name))
            clusters, wanted = CLASSES[name], WANTED.get(name, 50)
            for method in args.methods.split(","):
                mine, theirs = [], []
                for _ in range(args.rounds):
                    mine.append(ours(args.program, method, path, clusters, wanted, args.threads))
                    if not args.ours:
                        theirs.append(plain(method, path, clusters, wanted, args.threads))
                fast, peak = (min(run["seconds"] for run in mine), mine[0]["peak"] / 1e6)
                cells = ["–"] * 4
                if theirs:
                    slow = min(run["seconds"] for run in theirs)
                    shared = len(set(mine[0]["chosen"]) & set(theirs[0]["chosen"]))
                    cells = [f"{slow:.2f}", f"{slow / fast:.1f}", f"{theirs[0]['peak'] / 1e6:.0f}",
                             f"{100 * shared / wanted:.0f}"]
                print(f"| {method} | {name} | {cells[0]} | {fast:.2f} | {cells[1]} | {cells[2]} | "
                      f"{peak:.0f} | {cells[3]} |", flush=True)


if __name__ == "__main__":
    main()
