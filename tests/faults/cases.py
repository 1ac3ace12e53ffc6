# tests/faults/cases.py: small runs of the commands, what they write, and what may be found after one
# was disturbed.
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = (ROOT / os.environ.get("QUICKSELECTION_BIN", "build/release/bin/quickselection")).resolve()
SOURCE = Path(__file__).with_name("faults.c")
TIMEOUT = 180  # only to end a hanging program
SMALL = ["--epochs", "2", "--hidden", "8", "--threads", "2"]

FIT = """
import ctypes, sys
import numpy as np
import quickselection
x = np.load("data.npy")
arm = getattr(ctypes.CDLL(None), "fault_arm", None)
model = getattr(quickselection, sys.argv[1])()
small = {"n_features_to_select": 3, "epochs": 2, "hidden": 8, "layers": (8, 3, 8), "n_jobs": 2}
model.set_params(**{key: value for key, value in small.items() if key in model.get_params()})
try:
    if arm: arm(1)
    model.fit(x)
    if arm: arm(0)
except (Exception, KeyboardInterrupt) as error:
    if arm: arm(0)
    print("error: %s: %s" % (type(error).__name__, error), file=sys.stderr)
    sys.exit(1)
np.savetxt("fit.txt", model.ranking_ if hasattr(model, "ranking_") else model.transform(x))
"""


class Case(NamedTuple):
    name: str
    words: list
    outputs: list  # files; a folder's end in /
    only: str = ""  # part of the name of the library whose memory is asked for

    def is_fit(self):
        return self.name.startswith("fit")

    def command(self):
        return [sys.executable, "-c", FIT, *self.words] if self.is_fit() else [PROGRAM, *self.words]


CASES = [
    Case("select", ["select", "data.csv", *SMALL, "--ranking", "ranking.csv", "--selected", "chosen.npz",
                    "--report", "page.html", "--json", "result.json", "--checkpoint", "state"],
         ["ranking.csv", "chosen.npz", "page.html", "result.json", "state"]),
    Case("convert", ["convert", "data.csv", "out.npz"], ["out.npz"]),
    Case("convert to HDF5", ["convert", "data.npz", "out.h5ad"], ["out.h5ad"]),
    Case("convert from HDF5", ["convert", "data.h5ad", "out.csv"], ["out.csv"]),
    Case("extract", ["extract", "data.csv", "--layers", "8,3,8", "--epochs", "2", "--threads", "2", "--out",
                     "codes.npy", "--save-model", "model", "--json", "extract.json"],
         ["codes.npy", "model", "extract.json"]),
    Case("compare", ["compare", "data.csv", "--methods", "variance,quickselection", *SMALL, "-k", "3",
                     "--runs", "1", "--trees", "3", "--out", "results", "--json", "compare.json"],
         ["results/", "compare.json"]),
    Case("fit", ["QuickSelection"], ["fit.txt"], only="_core"),
]
# The work that threads share: every method and network, with one tile, with several, and with shards.
TALL = ["select", "tall.npy", "-k", "3", "--no-check", "--ranking", "ranking.csv", "--threads", "3"]
TRAINED = [*TALL, "--epochs", "2", "--hidden", "4", "--method"]
THREADS = [
    *(Case(f"threads: {method}", [*TALL, "--method", method], ["ranking.csv"])
      for method in ["variance", "random", "cover", "laplacian_score", "mcfs", "udfs"]),
    *(Case(f"threads: {' '.join([method, *more])}", [*TRAINED, method, *more], ["ranking.csv"])
      for method in ["quickselection", "fcae", "wast", "aefs", "concrete_autoencoder", "lottery_ticket"]
      for more in [["--batch-size", "300"], ["--batch-size", "300", "--shards", "3"], ["--batch-size", "60"]]),
    *(Case(f"threads: extract {network}", ["extract", "tall.npy", "--network", network, "--layers", layers, *more, "--threads",
                                           "3", "--out", "codes.npy"], ["codes.npy"])
      for network, layers, more in [("sparse", "4,2,4", ["--epochs", "2"]), ("dense", "4,2,4", ["--epochs", "2"]),
                                    ("pca", "3", [])]),
]
# Python's fit of every estimator.
FITS = [Case(f"fit {name}", [name], ["fit.txt"], only="_core")
        for name in ["QuickSelection", "Cover", "WAST", "ConcreteAutoencoder", "AEFS", "FCAE", "LotteryTicket",
                     "LaplacianScore", "MCFS", "UDFS", "VarianceRanking", "SparseAutoencoder"]]
MORE = [  # disturbed by kills only
    Case("generate", ["generate", "classification", "-o", "made.npy", "--labels", "made.txt", "--rows", "60",
                      "--features", "10"], ["made.npy", "made.txt"]),
    Case("info", ["info", "data.csv", "--json", "info.json"], ["info.json"]),
    Case("evaluate", ["evaluate", "data.csv", "--ranking", "order.csv", "-k", "3", "--trees", "3", "--threads",
                      "2", "--json", "evaluation.json"], ["evaluation.json"]),
    Case("tune", ["tune", "data.csv", "-k", "3", "--noise", "0.1,0.2", *SMALL, "--trees", "3", "--out", "grid",
                  "--json", "tune.json"], ["grid/", "tune.json"]),
]


def build(folder):
    """The library that makes calls fail."""
    library = Path(folder) / "faults.so"
    subprocess.run([os.environ.get("CC", "cc"), "-O1", "-shared", "-fPIC", "-o", library, SOURCE, "-ldl"],
                   check=True)
    return library


def make_data(folder):
    """The inputs of all cases."""
    def program(*words):
        subprocess.run([PROGRAM, *words, "--quiet"], cwd=folder, check=True, stderr=subprocess.DEVNULL)

    program("generate", "classification", "-o", "data.csv", "--rows", "60", "--features", "10")
    for ending in ["npy", "npz", "h5ad"]:
        program("convert", "data.csv", f"data.{ending}")
    program("select", "data.csv", *SMALL, "--ranking", "order.csv")
    program("generate", "classification", "-o", "tall.npy", "--rows", "300", "--features", "20")


def rows_of(path):
    return sorted([row.get(key) for key in ("method", "k", "run", "status", "classification", "selected")]
                  for row in map(json.loads, path.read_text().splitlines()))


def steady(path):
    """What is the same in every run: without times, memory and energy."""
    if path.name == "results.jsonl":
        return rows_of(path)
    if path.suffix == ".json":
        return sorted(json.loads(path.read_text()))
    if path.suffix == ".html":
        return path.read_text().rstrip().endswith("</html>")
    if path.name.startswith("summary."):
        return len(path.read_text().splitlines())
    return path.read_bytes()


def found(folder):
    return {str(path.relative_to(folder)): path for path in sorted(folder.rglob("*")) if path.is_file()}


class Stage:
    """A folder with the inputs and old outputs, and what one undisturbed run makes of it."""

    def __init__(self, case, data, folder):
        self.case, self.folder, self.inputs = case, folder, data
        self.reset()
        done = self.run({})
        assert done.returncode == 0, (case.name, done)
        self.new = {name: steady(path) for name, path in found(folder).items()}

    def reset(self):
        shutil.rmtree(self.folder, ignore_errors=True)
        shutil.copytree(self.inputs, self.folder)
        self.old = {}
        for name in self.case.outputs:
            if not name.endswith("/"):
                (self.folder / name).write_text("old")
                self.old[name] = b"old"

    def run(self, environment, words=()):
        with subprocess.Popen([*self.case.command(), *words], cwd=self.folder, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, env={**os.environ, **environment}) as process:
            for _ in range(10 * TIMEOUT):  # time in which all of the machine is stopped does not count
                try:
                    out, err = process.communicate(timeout=0.1)
                    return subprocess.CompletedProcess(process.args, process.returncode, out, err)
                except subprocess.TimeoutExpired:
                    pass
            process.kill()
            raise subprocess.TimeoutExpired(process.args, TIMEOUT)

    def next_words(self):
        """How a person goes on after the command was stopped."""
        if self.case.name in ("compare", "tune"):
            settings = self.folder / self.case.outputs[0] / "settings.json"
            return ["--continue"] if settings.exists() else []
        if self.case.name == "select" and (self.folder / "state").read_bytes() != b"old":
            return ["--resume", "state"]
        return []

    def go_on(self):
        """What is wrong after the next run; "" when it ends as if nothing had happened."""
        done = self.run({}, self.next_words())
        if done.returncode != 0:
            return f"next run failed: {done.stderr.decode(errors='replace')}"
        return self.damage(True) or "".join(f"left over: {name} " for name in self.leftovers())

    def leftovers(self):
        return [name for name in found(self.folder) if name not in self.new]

    def damage(self, finished, rows_may_differ=False):
        """What is neither old nor new; "" when all is well."""
        for name, path in found(self.folder).items():
            if name not in self.new or (name == "state" and not finished):
                continue  # a checkpoint of an earlier epoch is whole when it can be resumed
            if name in self.old and not finished and path.read_bytes() == self.old[name]:
                continue
            try:
                content = steady(path)
            except ValueError:
                content = None
            if rows_may_differ and content is not None and Path(name).parent != Path("."):
                continue  # fewer rows, or one that tells an error
            if content != self.new[name]:
                return f"damaged: {name}"
        missing = [name for name in self.new if finished and not (self.folder / name).exists()]
        return f"missing: {missing[0]}" if missing else ""
