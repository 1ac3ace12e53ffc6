#!/usr/bin/python3
"""bench/numpy_reference.py: the same training step in plain NumPy and SciPy, beside ours, in one run.

CSR products for the layers, the gradient on existing connections only, SGD with momentum, weight
decay, dropout, fixed noise, SET after each epoch: what a careful author would write in Python. Both
run on one core. The reference is timed in NumPy's own double precision, as the paper's authors wrote
it, and in single precision, as ours is.

    bench/numpy_reference.py [--rows N] [--program build/release/bin/quickselection]
"""
import argparse
import json
import os
import subprocess
import tempfile
import time

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ[name] = "1"
import numpy as np  # noqa: E402  (the number of threads must be set before)
from scipy import sparse  # noqa: E402

EPSILON, ZETA, NOISE, BATCH, RATE, MOMENTUM, DECAY, DROPOUT = 13, 0.2, 0.2, 100, 0.01, 0.9, 1e-5, 0.2


class Layer:
    def __init__(self, inputs, outputs, random, kind):
        self.kind = kind
        count = int(EPSILON * (inputs + outputs))
        places = random.choice(inputs * outputs, count, replace=False)
        self.shape = (inputs, outputs)
        self.random = random
        self.set(np.sort(places), random.normal(0, 0.1, count).astype(kind),
                 np.zeros(count, kind))
        self.bias = np.zeros(outputs, kind)
        self.bias_speed = np.zeros(outputs, kind)

    def set(self, places, weights, speed):
        self.places, self.speed = places, speed
        self.rows, columns = np.divmod(places, self.shape[1])
        offsets = np.searchsorted(self.rows, np.arange(self.shape[0] + 1))
        self.matrix = sparse.csr_matrix((weights, columns, offsets), shape=self.shape)
        self.columns = columns

    def update(self, below, delta):
        # One connection's gradient is the mean over the batch of input times delta.
        gradient = np.einsum("ij,ij->j", below[:, self.rows], delta[:, self.columns]) / len(delta)
        self.speed *= MOMENTUM
        self.speed -= RATE * gradient
        self.matrix.data += self.speed - DECAY * self.matrix.data
        self.bias_speed = MOMENTUM * self.bias_speed - RATE * delta.mean(0)
        self.bias += self.bias_speed - DECAY * self.bias

    def evolve(self):
        weights = self.matrix.data
        keep = np.ones(len(weights), bool)
        for side in (weights > 0, weights < 0):
            index = np.flatnonzero(side)
            count = int(ZETA * len(index))
            if count:
                keep[index[np.argpartition(np.abs(weights[index]), count)[:count]]] = False
        places, missing = self.places[keep], int((~keep).sum())
        fresh = np.empty(0, np.int64)
        while len(fresh) < missing:
            drawn = self.random.integers(0, self.shape[0] * self.shape[1], missing - len(fresh))
            fresh = np.unique(np.concatenate([fresh, drawn[~np.isin(drawn, places)]]))
        new_weights = self.random.normal(0, 0.1, missing).astype(self.kind)
        places = np.concatenate([places, fresh])
        weights = np.concatenate([weights[keep], new_weights])
        speed = np.concatenate([self.speed[keep], np.zeros(missing, self.kind)])
        order = np.argsort(places)
        self.set(places[order], weights[order], speed[order])


def train(data, hidden, epochs, kind):
    random = np.random.default_rng(0)
    spread = data.std(0)
    x = ((data - data.mean(0)) / np.where(spread > 0, spread, 1)).astype(kind)
    noisy = x + NOISE * random.standard_normal(x.shape, kind)
    first, second = Layer(x.shape[1], hidden, random, kind), Layer(hidden, x.shape[1], random, kind)
    seconds = []
    for epoch in range(epochs):
        start = time.perf_counter()
        order = random.permutation(len(x))
        for batch in np.split(order, range(BATCH, len(x), BATCH)):
            inputs, clean = noisy[batch], x[batch]
            active = 1 / (1 + np.exp(-(inputs @ first.matrix + first.bias)))
            dropped = active * (random.random(active.shape, kind) >= DROPOUT)
            delta = dropped @ second.matrix + second.bias - clean
            below = (delta @ second.matrix.T) * active * (1 - active)
            second.update(dropped, delta)
            first.update(inputs, below)
        first.evolve()
        second.evolve()
        seconds.append(time.perf_counter() - start)
    return min(seconds)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, default=6000)
    parser.add_argument("--features", type=int, default=784)
    parser.add_argument("--hidden", type=int, default=1000)
    parser.add_argument("--program", default="build/release/bin/quickselection")
    args = parser.parse_args()
    random = np.random.default_rng(1)
    data = random.integers(0, 256, (args.rows, args.features), dtype=np.uint8)
    data[random.random(data.shape) < 0.75] = 0
    epochs = 21
    with tempfile.TemporaryDirectory() as folder:
        path, result = os.path.join(folder, "data.npy"), os.path.join(folder, "result.json")
        np.save(path, data)
        seconds = {}
        for count in (1, epochs):
            runs = []
            for _ in range(3):  # other users of the machine only ever add time
                subprocess.run([args.program, "select", path, "--epochs", str(count), "--threads",
                                "1", "--hidden", str(args.hidden), "--json", result, "--quiet"],
                               check=True, stderr=subprocess.DEVNULL)
                with open(result) as file:
                    runs.append(json.load(file)["seconds"]["train"])
            seconds[count] = min(runs)
    ours = (seconds[epochs] - seconds[1]) / (epochs - 1)
    print(f"{args.rows} rows x {args.features} features, {args.hidden} hidden, one core")
    print(f"ours: {ours:.4f} s an epoch")
    for kind in (np.float64, np.float32):
        reference = train(data, args.hidden, 3, kind)
        print(f"NumPy/SciPy, {kind.__name__}: {reference:.3f} s an epoch, {reference / ours:.1f} x ours")


if __name__ == "__main__":
    main()
