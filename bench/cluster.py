#!/usr/bin/python3
"""bench/cluster.py: what several processes cost and gain on this machine, and what that predicts.

    bench/cluster.py [--program build/release/bin/quickselection] [--quick]

Measures one process under mpirun against none, two processes of one thread against one process of
two and of one, on data of MNIST's shape (60000 x 784 bytes), for batches of 100, 400 and 1600; then
what a sum costs as a function of its bytes. Cases take turns and the least time of each counts, so
that other work on the machine disturbs them alike. The predictions are a model, not measurements.
"""
import argparse
import json
import os
import resource
import subprocess
import tempfile

import numpy as np

MPIRUN = ["mpirun", "--oversubscribe", "--allow-run-as-root", "--bind-to", "none"]
ROWS, FEATURES, HIDDEN, EPSILON = 60000, 784, 1000, 13


def train_seconds(program, data, folder, processes, threads, batch, shards, epochs):
    """Seconds of the selection itself: not of starting, reading or checking."""
    result = os.path.join(folder, "result.json")
    launcher = MPIRUN + ["-n", str(processes)] if processes else []
    subprocess.run([*launcher, program, "select", data, "--epochs", str(epochs), "--batch-size",
                    str(batch), "--shards", str(shards), "--threads", str(threads), "--no-check",
                    "--quiet", "--json", result], check=True, stderr=subprocess.DEVNULL)
    with open(result) as file:
        found = json.load(file)
    return found["seconds"]["train"], found


def best_of(cases, tries):
    """The least seconds of every case, taking turns."""
    least = [float("inf")] * len(cases)
    found = [None] * len(cases)
    for _ in range(tries):
        for i, case in enumerate(cases):
            seconds, said = case()
            if seconds < least[i]:
                least[i], found[i] = seconds, said
    return least, found


def connections(features, hidden):
    return 2 * EPSILON * (features + hidden)


def predict(step_seconds):
    """Speed-up of P processes with one core each. A step of one core is cut into P parts. Every
    process updates all weights, at about 1e9 of them in a second. A sum sends and receives nearly
    twice the gradients and losses, in 2 (P - 1) messages."""
    cases = [("60,000 x 784 (MNIST)", 784, 1000, 400), ("10 million x 1000", 1000, 1000, 1600),
             ("100,000 x 100,000", 100000, 1000, 400)]
    nets = [("10 Gb/s, 15 µs", 1.25e9, 15e-6), ("100 Gb/s, 2 µs", 12.5e9, 2e-6)]
    print("\n### Prediction (a model, not a measurement)\n")
    print("| data | batch | bytes for a step | net | 16 | 64 | 256 processes |\n"
          "|---|---|---|---|---|---|---|")
    for name, features, hidden, batch in cases:
        count = connections(features, hidden)
        work = step_seconds * (batch * count) / (400 * connections(FEATURES, HIDDEN))
        update = count / 1e9
        size = 2 * (4 * (count + features + hidden) + 8 * features)
        for label, bytes_per_second, latency in nets:
            gains = []
            for processes in (16, 64, 256):
                send = size * (processes - 1) / processes / bytes_per_second
                time = work / processes + update + send + 2 * (processes - 1) * latency
                gains.append(f"{(work + update) / time:.1f}")
            print(f"| {name} | {batch} | {size / 1e6:.2f} MB | {label} | {' | '.join(gains)} |")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", default="build/release/bin/quickselection")
    parser.add_argument("--quick", action="store_true", help="fewer rows and tries")
    options = parser.parse_args()
    rows, tries, epochs = (12000, 3, 2) if options.quick else (ROWS, 5, 3)
    with tempfile.TemporaryDirectory() as folder:
        data = os.path.join(folder, "bytes.npy")
        random = np.random.default_rng(0)
        np.save(data, random.integers(0, 256, (rows, FEATURES), np.uint8))

        def case(processes, threads, batch, shards):
            return lambda: train_seconds(options.program, data, folder, processes, threads, batch,
                                         shards, epochs)

        (without, under), _ = best_of([case(0, 1, 100, 1), case(1, 1, 100, 1)], tries)
        print(f"one process, one thread, batch 100: {without:.3f} s; under mpirun {under:.3f} s: "
              f"{100 * (under / without - 1):+.1f} %", flush=True)
        print("\n| batch | 1 process x 1 thread, s | the same, 2 shards | 1 x 2 threads, 2 shards |"
              " 2 processes x 1 thread | gain over 1 x 1 | bytes for a step |\n"
              "|---|---|---|---|---|---|---|")
        for batch in (100, 400, 1600):
            (one, cut, threads, two), found = best_of(
                [case(0, 1, batch, 1), case(0, 1, batch, 2), case(0, 2, batch, 2),
                 case(2, 1, batch, 2)], tries)
            print(f"| {batch} | {one:.3f} | {cut:.3f} | {threads:.3f} | {two:.3f} |"
                  f" {one / two:.2f} | {found[3]['bytes_for_a_step']} |", flush=True)
        # Of the processor, not of the clock: other work does not change it.
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        case(0, 1, 400, 1)()
        spent = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
        step = spent / epochs / -(-rows // 400)
        print(f"\nA step of 400 rows: {1e3 * step:.2f} ms of one core")
        predict(step)


if __name__ == "__main__":
    main()
