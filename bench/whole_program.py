#!/usr/bin/python3
"""bench/whole_program.py: time and memory of whole selections, by size, as tables in Markdown.

    bench/whole_program.py [--program build/release/bin/quickselection] [--quick]

Generates its data in a temporary folder (about 1 GB; 100 MB with --quick).
"""
import argparse
import json
import os
import subprocess
import tempfile

import numpy as np

THREADS = 2


class Runner:
    def __init__(self, program, folder):
        self.program, self.folder = program, folder

    def data(self, rows, features, kind):
        path = os.path.join(self.folder, f"{kind}_{rows}x{features}.npy")
        if not os.path.exists(path):
            random = np.random.default_rng(0)
            out = np.lib.format.open_memmap(path, "w+", kind, (rows, features))
            block = max(1, 10_000_000 // features)
            for begin in range(0, rows, block):  # written in pieces: the file may be large
                count = min(block, rows - begin)
                if kind == "uint8":
                    out[begin:begin + count] = random.integers(0, 256, (count, features), np.uint8)
                else:
                    out[begin:begin + count] = random.standard_normal((count, features), np.float32)
            out.flush()
        return path

    def select(self, path, k=50, threads=THREADS, more=("--epochs", "5")):
        result = os.path.join(self.folder, "result.json")
        subprocess.run([self.program, "select", path, "-k", str(k), "--threads", str(threads),
                        "--json", result, "--quiet", *more], check=True, stderr=subprocess.DEVNULL)
        with open(result) as file:
            found = json.load(file)
        return found["seconds"]["total"], found["peak_rss_bytes"] / 1e6


    def table(self, title, cases):
        """A line for each (label, path, options of select), with the ratio to the first."""
        print(f"\n### {title}\n\n| | seconds | ratio | peak MB | data MB |\n|---|---|---|---|---|")
        base = None
        for label, path, options in cases:
            seconds, megabytes = self.select(path, **options)
            base = base or seconds
            print(f"| {label} | {seconds:.2f} | {seconds / base:.2f} | {megabytes:.0f} |"
                  f" {os.path.getsize(path) / 1e6:.0f} |", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", default="build/release/bin/quickselection")
    parser.add_argument("--quick", action="store_true")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        run = Runner(args.program, folder)

        cases = [("K does not matter (20000 x 784, 5 epochs)",
                  [(f"K {k}", (20000, 784), dict(k=k)) for k in (5, 50, 500)]),
                 ("Rows (x 784, 5 epochs)",
                  [(f"{n} rows", (n, 784), {}) for n in (15000, 30000, 60000)]),
                 ("Features (2000 rows, 5 epochs)",
                  [(f"{d} features", (2000, d), {}) for d in (2000, 4000, 8000)]),
                 ("Epochs (20000 x 784)",
                  [(f"{e} epochs", (20000, 784), dict(more=("--epochs", str(e))))
                   for e in (5, 10, 20)])]
        for title, runs in cases:
            run.table(title, ((label, run.data(*shape, "uint8"), options)
                              for label, shape, options in runs))
        features = 100_000 if args.quick else 1_000_000
        run.table("Very wide data, 5 epochs", [
            (f"{features} x 200, f32", run.data(200, features, "float32"), {})])


if __name__ == "__main__":
    main()
