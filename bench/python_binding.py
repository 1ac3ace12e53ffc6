#!/usr/bin/python3
"""bench/python_binding.py: what the way through Python costs, in memory and in time.

    PYTHONPATH=build/release/python bench/python_binding.py [--pairs 8] [--epochs 10]

Memory: the peak of a whole process that fits on a float32 array of 1 GB. Time: CPU seconds of `fit`
against those of the command line, in turns, on data of MNIST's shape; and the share of `fit` that is
spent in Python, before, after and between the epochs.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile

MEMORY = """
import resource, sys, warnings
import numpy as np, quickselection
warnings.simplefilter("ignore")
rows, features, name, epochs = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], int(sys.argv[4])
X = np.empty((rows, features), np.float32)
random = np.random.default_rng(0)
for begin in range(0, rows, 1000):
    X[begin:begin + 1000] = random.standard_normal((min(1000, rows - begin), features), np.float32)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
options = {"epochs": epochs} if epochs else {}
getattr(quickselection, name)(50, n_jobs=2, **options).fit(X)
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(X.nbytes / 2**20, before / 2**10, peak / 2**10)
"""

TIME = """
import json, resource, sys, time, warnings
import numpy as np
from quickselection import QuickSelection, _core
warnings.simplefilter("ignore")
X = np.load(sys.argv[1], mmap_mode="r")
core = 0
def measured(*given, select=_core.select):
    global core
    *others, after_epoch = given
    called = 0
    def timed(*news):
        nonlocal called
        begin = time.perf_counter()
        after_epoch(*news)
        called += time.perf_counter() - begin
    found = select(*others, timed)
    core = found["seconds"] - called
    return found
_core.select = measured
def cpu():
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime
start, watch = cpu(), time.perf_counter()
QuickSelection(50, epochs=int(sys.argv[2])).fit(X)
print(json.dumps([cpu() - start, time.perf_counter() - watch, core]))
"""


def run(script, *arguments):
    return subprocess.run([sys.executable, "-c", script, *map(str, arguments)], check=True,
                          capture_output=True, text=True).stdout


def memory():
    print("### Peak memory of a process that fits on a float32 array of 1 GB\n")
    print("| method | rows x features | array MiB | before fit | peak | above the array |")
    print("|---|---|---|---|---|---|")
    for name, rows, features, epochs in (("QuickSelection", 268_435, 1000, 1),
                                         ("QuickSelection", 20_000, 13_421, 1),
                                         ("FCAE", 268_435, 1000, 1),
                                         ("VarianceRanking", 268_435, 1000, 0)):
        array, before, peak = map(float, run(MEMORY, rows, features, name, epochs).split())
        print(f"| {name} | {rows} x {features} | {array:.0f} | {before:.0f} | {peak:.0f} | "
              f"{peak - array:.0f} |", flush=True)


def command_line_cpu(program, path, epochs):
    before = os.times()
    subprocess.run([program, "select", path, "-k", "50", "--epochs", str(epochs), "--threads", "1",
                    "--quiet"], check=True, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    after = os.times()
    return (after.children_user - before.children_user
            + after.children_system - before.children_system)


def overhead(program, pairs, epochs):
    import numpy as np
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "x.npy")
        np.save(path, np.random.default_rng(0).integers(0, 256, (60000, 784), np.uint8))
        ours, theirs, in_python = [], [], []
        for pair in range(pairs):
            if pair % 2 == 0:  # in turns, so that a slow minute hits both
                theirs.append(command_line_cpu(program, path, epochs))
            cpu, wall, core = json.loads(run(TIME, path, epochs))
            ours.append(cpu)
            if pair % 2 == 1:
                theirs.append(command_line_cpu(program, path, epochs))
            in_python.append((wall - core) / wall)
    print(f"\n### Python against the command line: 60000 x 784 bytes, {epochs} epochs, 1 thread\n")
    ratios = [a / b for a, b in zip(ours, theirs)]
    print("| | |\n|---|---|")
    print(f"| CPU time of fit / of the command line, the least of each | {min(ours) / min(theirs):.4f} |")
    print(f"| the same, median of the pairs | {statistics.median(ratios):.4f} |")
    print(f"| all pairs | {', '.join(f'{ratio:.3f}' for ratio in ratios)} |")
    print(f"| share of fit spent in Python, median | {statistics.median(in_python):.5f} |", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", default="build/release/bin/quickselection")
    parser.add_argument("--pairs", type=int, default=8)
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--time-only", action="store_true")
    args = parser.parse_args()
    if not args.time_only:
        memory()
    overhead(args.program, args.pairs, args.epochs)


if __name__ == "__main__":
    main()
