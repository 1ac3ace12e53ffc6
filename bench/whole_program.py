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

    def select(self, path, k=50, epochs=5, threads=THREADS, *more):
        result = os.path.join(self.folder, "result.json")
        subprocess.run([self.program, "select", path, "-k", str(k), "--epochs", str(epochs),
                        "--threads", str(threads), "--json", result, "--quiet", *more], check=True,
                       stderr=subprocess.DEVNULL)
        with open(result) as file:
            found = json.load(file)
        return found["seconds"]["total"], found["peak_rss_bytes"] / 1e6


def table(title, head, rows):
    print(f"\n### {title}\n\n| {' | '.join(head)} |\n|{'---|' * len(head)}")
    for row in rows:
        print("| " + " | ".join(str(cell) for cell in row) + " |")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", default="build/release/bin/quickselection")
    parser.add_argument("--quick", action="store_true")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        run = Runner(args.program, folder)

        def line(label, path, base=None, **options):
            seconds, megabytes = run.select(path, **options)
            stored = os.path.getsize(path) / 1e6
            ratio = "1.00" if base is None else f"{seconds / base:.2f}"
            return (label, f"{seconds:.2f}", ratio, f"{megabytes:.0f}", f"{stored:.0f}"), seconds

        head = ["", "seconds", "ratio", "peak MB", "data MB"]
        cases = [("K does not matter (20000 x 784, 5 epochs)",
                  [(f"K {k}", (20000, 784), dict(k=k)) for k in (5, 50, 500)]),
                 ("Rows (x 784, 5 epochs)",
                  [(f"{n} rows", (n, 784), {}) for n in (15000, 30000, 60000)]),
                 ("Features (2000 rows, 5 epochs)",
                  [(f"{d} features", (2000, d), {}) for d in (2000, 4000, 8000)]),
                 ("Epochs (20000 x 784)",
                  [(f"{e} epochs", (20000, 784), dict(epochs=e)) for e in (5, 10, 20)])]
        for title, runs in cases:
            rows, base = [], None
            for label, shape, options in runs:
                row, seconds = line(label, run.data(*shape, "uint8"), base, **options)
                base = base or seconds
                rows.append(row)
            table(title, head, rows)

        features = 100_000 if args.quick else 1_000_000
        row, _ = line(f"{features} x 200, f32", run.data(200, features, "float32"))
        table("Very wide data, 5 epochs", head, [row])


if __name__ == "__main__":
    main()
