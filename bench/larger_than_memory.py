#!/usr/bin/python3
"""bench/larger_than_memory.py: training on a file larger than the memory it may use.

    bench/larger_than_memory.py [--program build/release/bin/quickselection] [--gigabytes 4]
                                [--memory 512M] [--folder FOLDER]

Generates a .npy file of float32 in FOLDER and trains on it without a bound, with --memory, and with
--memory inside a control group of the same size, which counts the system's file cache as well (this
needs root and the memory controller, and is left out elsewhere). Prints a table in Markdown.
"""
import argparse
import json
import os
import subprocess
import tempfile

import numpy as np

FEATURES, EPOCHS, THREADS = 1000, 2, 2
GROUP = "/sys/fs/cgroup/memory/quickselection_bench"


def generate(path, gigabytes):
    rows = int(gigabytes * 1e9 / 4 / FEATURES)
    out = np.lib.format.open_memmap(path, "w+", np.float32, (rows, FEATURES))
    random = np.random.default_rng(0)
    block = random.standard_normal((10_000, FEATURES), np.float32)
    for begin in range(0, rows, len(block)):
        count = min(len(block), rows - begin)
        out[begin:begin + count] = block[:count] * (1 + begin / rows)
    out.flush()
    return rows


def bytes_of(text):
    return int(float(text[:-1]) * 1024 ** ("KMG".index(text[-1]) + 1))


def select(args, path, more, group=None):
    result = path + ".json"
    command = [args.program, "select", path, "--epochs", str(EPOCHS), "--threads", str(THREADS),
               "--json", result, "--quiet", *more]

    def enter():
        with open(os.path.join(group, "cgroup.procs"), "w") as file:
            file.write(str(os.getpid()))

    subprocess.run(command, check=True, preexec_fn=enter if group else None)
    with open(result) as file:
        found = json.load(file)
    return found["seconds"]["total"], found["peak_rss_bytes"] / 2**20


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", default="build/release/bin/quickselection")
    parser.add_argument("--gigabytes", type=float, default=4)
    parser.add_argument("--memory", default="512M")
    parser.add_argument("--folder")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=args.folder) as folder:
        path = os.path.join(folder, "large.npy")
        rows = generate(path, args.gigabytes)
        print(f"{rows} x {FEATURES} float32, {os.path.getsize(path) / 1e9:.1f} GB, {EPOCHS} epochs, "
              f"{THREADS} threads\n")
        print("| run | seconds | speed | peak MiB |\n|---|---|---|---|")
        base, peak = select(args, path, [])
        print(f"| in memory (file cache) | {base:.1f} | 1.00 | {peak:.0f} |", flush=True)
        bound = ["--memory", args.memory]
        seconds, peak = select(args, path, bound)
        print(f"| --memory {args.memory} | {seconds:.1f} | {base / seconds:.2f} | {peak:.0f} |",
              flush=True)
        try:
            os.mkdir(GROUP)
        except OSError as error:
            print(f"(no control group here: {error})")
            return
        try:
            with open(os.path.join(GROUP, "memory.limit_in_bytes"), "w") as file:
                file.write(str(bytes_of(args.memory)))
            os.posix_fadvise(os.open(path, os.O_RDONLY), 0, 0, os.POSIX_FADV_DONTNEED)
            seconds, peak = select(args, path, bound, GROUP)
            print(f"| --memory {args.memory}, control group of {args.memory}, cold cache | "
                  f"{seconds:.1f} | {base / seconds:.2f} | {peak:.0f} |", flush=True)
        finally:
            os.rmdir(GROUP)


if __name__ == "__main__":
    main()
