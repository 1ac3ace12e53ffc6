#!/usr/bin/python3
"""bench/cover.py: time and memory of the method cover on one core, and how they grow with rows,
features and K, as tables in Markdown.

    [QUICKSELECTION_DATA=…] bench/cover.py [--part large|growth] [--folder FOLDER]
                                           [--program build/release/bin/quickselection]

The data is generated: 30 factors and noise, 1 GB for the large part, kept when there is a --folder.
MNIST is measured when QUICKSELECTION_DATA names its folder. Seconds are CPU seconds of one thread, so
that other work on the machine counts little. How good the chosen features are is
measured by `bench/methods.py --methods random,cover --splits 8`.
"""
import argparse
import json
import os
import tempfile

import numpy as np

from accuracy import FOLDER
from methods import run as cpu_seconds
from whole_program import Runner


class CoverRunner(Runner):
    def factors(self, rows, features):
        path = os.path.join(self.folder, f"{rows}x{features}.npy")
        if not os.path.exists(path):
            random = np.random.default_rng(0)
            scores = random.standard_normal((rows, 30), np.float32)
            out = np.lib.format.open_memmap(path, "w+", "float32", (rows, features))
            for begin in range(0, features, 20_000):
                columns = out[:, begin:begin + 20_000]
                loadings = random.standard_normal((30, columns.shape[1]), np.float32)
                columns[:] = scores @ loadings
                columns += 5 * random.standard_normal(columns.shape, np.float32)
            out.flush()
        return path

    def select(self, path, k=50):
        result = os.path.join(self.folder, "result.json")
        seconds = cpu_seconds([self.program, "select", path, "--method", "cover", "-k", str(k),
                               "--threads", "1", "--json", result, "--quiet"])
        with open(result) as file:
            return seconds, json.load(file)["peak_rss_bytes"] / 1e6

    def sizes(self, title, shapes, ks=(50,)):
        self.table(title, ((f"{rows} x {features}, K {k}", self.factors(rows, features), {"k": k})
                           for rows, features in shapes for k in ks))


def measure(run, part):
    if part != "growth":
        mnist = os.path.join(FOLDER, "mnist", "train-images-idx3-ubyte.gz")
        if FOLDER and os.path.exists(mnist):
            run.table("MNIST, read from its packed file", [("60000 x 784, K 50", mnist, {})])
        run.sizes("Many rows and features", [(2000, 20_000)])
        run.sizes("Very wide data", [(200, 1_000_000)])
    if part != "large":
        run.sizes("Rows (at most 1500 are used)",
                  [(rows, 4000) for rows in (250, 500, 1000, 2000, 4000)])
        run.sizes("Rows, fewer than 2000 features (at most 8000 are used)",
                  [(rows, 500) for rows in (2000, 4000, 8000, 16_000)])
        run.sizes("Features", [(200, features) for features in (10_000, 20_000, 40_000, 80_000)])
        run.sizes("K", [(500, 4000)], (10, 50, 100, 200, 400))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", default="build/release/bin/quickselection")
    parser.add_argument("--part", choices=["all", "large", "growth"], default="all")
    parser.add_argument("--folder", help="where generated data is kept")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as passing:
        measure(CoverRunner(args.program, args.folder or passing), args.part)


if __name__ == "__main__":
    main()
