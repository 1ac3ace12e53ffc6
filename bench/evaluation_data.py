# bench/evaluation_data.py: data and files that the comparisons with scikit-learn share.
import gzip
import os
import pathlib
import subprocess

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
PROGRAM = HERE.parent / "build" / "release" / "bin" / "bench_evaluation"


def folder():
    path = os.environ.get("QUICKSELECTION_DATA")
    if not path:
        raise SystemExit("skipped: QUICKSELECTION_DATA does not name the folder with the data")
    return pathlib.Path(path)


def read_idx(name):
    raw = gzip.open(folder() / "mnist" / name).read()
    shape = [int.from_bytes(raw[4 + 4 * i : 8 + 4 * i], "big") for i in range(raw[3])]
    values = np.frombuffer(raw, np.uint8, offset=4 + 4 * raw[3])
    return values.reshape(shape[0], -1) if len(shape) > 1 else values


def load(name):
    """Training values, test values, training classes, test classes: split as in the paper."""
    if name == "MNIST":
        return (read_idx("train-images-idx3-ubyte.gz"), read_idx("t10k-images-idx3-ubyte.gz"),
                read_idx("train-labels-idx1-ubyte.gz"), read_idx("t10k-labels-idx1-ubyte.gz"))
    from scipy.io import loadmat
    from sklearn.model_selection import train_test_split

    file = loadmat(folder() / f"{name}.mat")
    x, y = file["X"], np.unique(file["Y"].ravel(), return_inverse=True)[1]
    if name == "madelon":
        return x[:2000], x[2000:2600], y[:2000], y[2000:2600]
    return train_test_split(x, y, test_size=0.2, random_state=42, stratify=y)


def write(path, train, test, train_classes, test_classes):
    """What bench_evaluation reads."""
    np.ascontiguousarray(train, np.float32).tofile(path / "train.f32")
    np.ascontiguousarray(test, np.float32).tofile(path / "test.f32")
    np.ascontiguousarray(train_classes, np.int32).tofile(path / "train.i32")
    np.ascontiguousarray(test_classes, np.int32).tofile(path / "test.i32")


def run(what, path, threads, count):
    """One row per seed: seconds, CPU seconds, figures."""
    lines = subprocess.run([PROGRAM, what, path, str(threads), str(count)], check=True,
                           capture_output=True, text=True).stdout.split("\n")
    return np.array([[float(x) for x in line.split()] for line in lines if line])


def machine():
    for line in open("/proc/cpuinfo"):
        if line.startswith("model name"):
            return f"{line.split(':')[1].strip()}, {os.cpu_count()} cores"
    return f"{os.cpu_count()} cores"
