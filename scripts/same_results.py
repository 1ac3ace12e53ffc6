#!/usr/bin/env python3
# scripts/same_results.py: do two builds give the same results, bit for bit?
#
#   same_results.py BEFORE AFTER [--data FOLDER] [--only WORD]
#
# BEFORE and AFTER are build folders (with bin/quickselection and python/). Every command below runs
# once with each; all files that it writes are compared byte for byte, and its JSON after times,
# memory, energy and paths were taken out. FOLDER holds real data (QUICKSELECTION_DATA); commands
# that need it are left out without it. For changes that must not change any figure.
import argparse
import hashlib
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

SMALL = "--epochs 4 --hidden 60 --threads 2"
# Each line: a name, then commands separated by ";". {m} is data that was generated before.
COMMANDS = """
generate        generate gaussian -o g.csv --rows 200 --features 60 --seed 3; generate madelon -o m.npy --rows 200 --labels l.txt; generate classification -o c.csv --rows 90
select-csv      select {csv} -k 7 """ + SMALL + """ --ranking r.csv --json j.json --selected s.npy
select-npy      select {npy} -k 7 """ + SMALL + """ --seed 5 --noise-mode fresh --optimizer adam --ranking r.csv
select-deep     select {npy} """ + SMALL.replace("60", "40,10,40") + """ --optimizer adagrad --batch-size 300 --ranking r.csv --json j.json
select-tanh     select {npy} """ + SMALL + """ --activation tanh --loss matching --output-activation tanh --scale minmax --clip 3 --ranking r.csv
select-degree   select {npy} """ + SMALL + """ --importance output_degree --ranking r.csv
select-wide     select {wide} """ + SMALL + """ --batch-size 250 --ranking r.csv --json j.json
sparse          select {svm} """ + SMALL + """ --ranking r.csv --json j.json --selected s.svm
sparse-log      select {svm} """ + SMALL + """ --scale log --ranking r.csv
windows         select {tall} --epochs 2 --hidden 40 --memory 36M --threads 1 --ranking r.csv --json j.json
resume          select {npy} --epochs 2 --hidden 60 --checkpoint c.ck --ranking a.csv; select {npy} --epochs 4 --hidden 60 --resume c.ck --ranking r.csv
runs            select {npy} """ + SMALL + """ --runs 3 -k 5 --ranking r.csv --run-rankings rr.csv --json j.json
bootstrap       select {npy} """ + SMALL + """ --bootstrap --runs 3 -k 5 --ranking r.csv --json j.json
bootstrap-var   select {svm} --method variance --bootstrap --runs 4 -k 5 --ranking r.csv
wast            select {npy} --method wast --epochs 3 --hidden 20 --ranking r.csv --json j.json
wast-batches    select {npy} --method wast --epochs 3 --hidden 20 --batch-size 200 --threads 2 --ranking r.csv
concrete        select {npy} --method concrete_autoencoder --epochs 4 -k 5 --ranking r.csv --json j.json
aefs            select {npy} --method aefs --epochs 3 -k 5 --alpha 0.01 --ranking r.csv --json j.json
aefs-auto       select {npy} --method aefs --epochs 2 -k 5 --ranking r.csv --json j.json
fcae            select {npy} --method fcae --epochs 3 --hidden 20 --ranking r.csv --json j.json
fcae-tiles      select {npy} --method fcae --epochs 3 --hidden 20 --batch-size 200 --optimizer adam --ranking r.csv
lottery         select {npy} --method lottery_ticket --epochs 3 --hidden 20 --ranking r.csv --json j.json
laplacian       select {npy} --method laplacian_score --ranking r.csv --json j.json
mcfs            select {npy} --method mcfs -k 6 --ranking r.csv
udfs            select {npy} --method udfs --ranking r.csv
laplacian-svm   select {svm} --method laplacian_score --ranking r.csv
variance        select {csv} --method variance --ranking r.csv
random          select {csv} --method random --ranking r.csv
missing         select {holes} --missing mean --method variance --ranking r.csv; convert {holes} h.npy --missing drop-rows
evaluate        select {csv} --method variance --ranking r.csv; evaluate {csv} --ranking r.csv -k 5,10 --json j.json
evaluate-folds  select {svm} --method variance --ranking r.csv; evaluate {svm} --ranking r.csv -k 5 --folds 3 --json j.json
evaluate-stable select {npy} --method random --runs 3 -k 5 --run-rankings rr.csv; select {npy} --method variance --ranking r.csv; evaluate {npy} --ranking r.csv --stability rr.csv -k 5 --json j.json
extract         extract {csv} --layers 12,4,12 --epochs 3 --out e.npy --save-model m.qs --json j.json; extract {csv} --model m.qs --out f.csv
extract-dense   extract {npy} --network dense --layers 12,4,12 --epochs 3 --out e.npy
extract-pca     extract {csv} --network pca --layers 3 --out e.npy --json j.json
compare         compare {csv} --methods variance,quickselection:epochs=2:hidden=30,laplacian_score -k 5,8 --runs 2 --out o
tune            tune {csv} --method quickselection --epochs 1,2 --zeta 0.1,0.3 --hidden 30 -k 5 --runs 1 --out o
convert         convert {csv} a.npy; convert {csv} b.npz; convert {csv} c.mat; convert {csv} d.svm; convert {csv} e.tsv; convert {svm} f.npz; convert {svm} g.mat
info            info {csv} --json j.json; info {svm}; info {npy}
isolet          select {data}/Isolet.mat --epochs 3 -k 50 --ranking r.csv --json j.json
coil-mcfs       select {data}/COIL20.mat --method mcfs -k 50 --ranking r.csv
pcmac           select {data}/PCMAC.mat --epochs 2 --ranking r.csv --json j.json
mnist           select {data}/mnist/train-images-idx3-ubyte.gz --label {data}/mnist/train-labels-idx1-ubyte.gz --epochs 1 --ranking r.csv --json j.json
madelon-judge   select {data}/madelon.mat --method variance --ranking r.csv; evaluate {data}/madelon.mat --ranking r.csv -k 20 --json j.json
isolet-judge    select {data}/Isolet.mat --method variance --ranking r.csv; evaluate {data}/Isolet.mat --ranking r.csv -k 50 --json j.json
"""

PYTHON = """
import hashlib, pickle, sys
import numpy as np, scipy.sparse as sp
import quickselection as qs
X = np.load(sys.argv[1])
def show(name, *arrays):
    print(name, *(hashlib.sha256(np.ascontiguousarray(a).tobytes()).hexdigest()[:16] for a in arrays))
small = dict(epochs=3, hidden=30)
for name, extra in [("QuickSelection", small), ("WAST", dict(epochs=2, hidden=20)), ("FCAE", dict(epochs=2, hidden=20)),
                    ("AEFS", dict(epochs=2, alpha=0.01)), ("ConcreteAutoencoder", dict(epochs=3)),
                    ("LotteryTicket", dict(epochs=2, hidden=20)), ("MCFS", {}), ("UDFS", {}), ("LaplacianScore", {}),
                    ("VarianceRanking", {})]:
    m = getattr(qs, name)(n_features_to_select=5, random_state=1, **extra).fit(X)
    show(name + ".fit", m.scores_, m.selected_)
    if name in ("QuickSelection", "WAST", "FCAE", "AEFS", "ConcreteAutoencoder"):
        p = getattr(qs, name)(n_features_to_select=5, random_state=1, **extra)
        p.partial_fit(X[:100]); p = pickle.loads(pickle.dumps(p)); p.partial_fit(X[100:])
        show(name + ".partial_fit", p.scores_, p.loss_curve_)
m = qs.QuickSelection(n_features_to_select=5, random_state=2, n_runs=3, **small).fit(sp.csr_matrix(X))
show("runs", m.scores_, m.stability_.frequency)
a = qs.SparseAutoencoder(layers=(20, 4, 20), epochs=2, random_state=3).fit(X)
show("extract", a.transform(X), a.reconstruct(X))
"""

# What may differ between two runs of the same program.
CHANGING = {"seconds", "peak_rss_bytes", "energy", "joules", "run_seconds", "energy_source", "threads",
            "path", "read", "total", "train", "memory", "peak_memory", "runs_at_once"}


def without_changing(value):
    if isinstance(value, dict):
        return {k: without_changing(v) for k, v in value.items() if k not in CHANGING}
    if isinstance(value, list):
        return [without_changing(v) for v in value]
    return value


def make_data(folder):
    """Small data of every kind, the same for both programs."""
    import numpy as np
    random = np.random.default_rng(7)
    rows, features = 230, 40
    hidden = random.normal(size=(rows, 5))
    x = (hidden @ random.normal(size=(5, features)) + random.normal(size=(rows, features))).round(4)
    x[:, 11] = 3
    y = (hidden[:, 0] > 0).astype(int) + (hidden[:, 1] > 0)
    names = ",".join(f"f{i}" for i in range(features)) + ",class\n"
    lines = [",".join(map(str, row)) + f",{label}\n" for row, label in zip(x, y)]
    (folder / "t.csv").write_text(names + "".join(lines))
    np.save(folder / "t.npy", x.astype(np.float32))
    np.save(folder / "wide.npy", random.normal(size=(300, 700)).astype(np.float32))
    np.save(folder / "tall.npy", random.integers(0, 200, size=(60000, 400)).astype(np.uint8))
    holes = x.astype(object)
    holes[5, 3] = holes[9, 1] = ""
    (folder / "holes.csv").write_text(names + "".join(",".join(map(str, r)) + f",{c}\n" for r, c in zip(holes, y)))
    sparse = np.where(random.random((rows, features)) < 0.2, random.integers(1, 9, (rows, features)), 0)
    (folder / "t.svm").write_text("".join(
        f"{label} " + " ".join(f"{j + 1}:{v}" for j, v in enumerate(row) if v) + "\n" for row, label in zip(sparse, y)))
    return {"csv": folder / "t.csv", "npy": folder / "t.npy", "wide": folder / "wide.npy", "tall": folder / "tall.npy",
            "holes": folder / "holes.csv", "svm": folder / "t.svm"}


def outputs(build, commands, places, folder):
    """What the commands of one line write and how they end."""
    program = build / "bin" / "quickselection"
    found = {}
    for number, command in enumerate(commands):
        words = [word.format(**places) for word in command.split()]
        done = subprocess.run([program, *words], cwd=folder, capture_output=True, text=True, check=False)
        found[f"exit {number}"] = done.returncode, done.stderr if done.returncode else ""
    for file in sorted(folder.rglob("*")):
        if not file.is_file() or file.suffix in (".ck", ".qs"):
            continue
        name = file.relative_to(folder).as_posix()
        if file.suffix == ".json":
            found[name] = without_changing(json.loads(file.read_text()))
        elif file.suffix == ".jsonl":
            found[name] = [without_changing(json.loads(line)) for line in file.read_text().splitlines()]
        elif name.startswith("o/"):
            continue  # tables hold times
        else:
            found[name] = hashlib.sha256(file.read_bytes()).hexdigest()
    return found


def python_lines(build, script, places):
    done = subprocess.run(["/usr/bin/python3", script, places["npy"]], capture_output=True, text=True,
                          env={**os.environ, "PYTHONPATH": str(build / "python")}, check=False)
    return done.stdout.splitlines() or [done.stderr]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("before", type=Path)
    parser.add_argument("after", type=Path)
    parser.add_argument("--data", default=os.environ.get("QUICKSELECTION_DATA"))
    parser.add_argument("--only", default="")
    arguments = parser.parse_args()
    builds = [arguments.before.resolve(), arguments.after.resolve()]
    same, different = 0, []
    with tempfile.TemporaryDirectory() as temporary:
        top = Path(temporary)
        places = {name: str(path) for name, path in make_data(top).items()}
        places["data"] = arguments.data or ""
        for line in filter(None, COMMANDS.splitlines()):
            name, _, rest = line.partition(" ")
            if arguments.only not in name or ("{data}" in rest and not arguments.data):
                continue
            results = []
            for which, build in zip(("before", "after"), builds):
                folder = top / name / which
                folder.mkdir(parents=True)
                results.append(outputs(build, rest.split(";"), places, folder))
            faults = [key for key in sorted(set(results[0]) | set(results[1]))
                      if results[0].get(key) != results[1].get(key)]
            failed = [key for key in results[1] if key.startswith("exit") and results[1][key][0]]
            print(f"{name:16}", "DIFFERS: " + ", ".join(faults) if faults else "same",
                  f"(both fail: {results[1][failed[0]]})" if failed and not faults else "", flush=True)
            same += not faults
            different += [name] if faults else []
            if faults and arguments.only:
                for key in faults:
                    print(f"--- {key}\n{str(results[0].get(key))[:1500]}\n+++\n{str(results[1].get(key))[:1500]}")
        if all((build / "python").exists() for build in builds) and arguments.only in "python":
            script = top / "script.py"
            script.write_text(PYTHON)
            before, after = (python_lines(build, script, places) for build in builds)
            for a, b in zip(before, after):
                print(f"{'python ' + a.split()[0]:40}", "same" if a == b else f"DIFFERS: {a} | {b}")
                same += a == b
                different += [] if a == b else ["python " + a.split()[0]]
            if len(before) != len(after):
                different.append("python: lines missing")
                print(before[-1], after[-1])
    print(f"{same} the same, {len(different)} different", *different)
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
