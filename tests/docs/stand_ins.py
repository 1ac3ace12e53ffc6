# tests/docs/stand_ins.py: small files under the names that the documents use, so that every command can be run.
import gzip

import h5py
import numpy as np
import pandas
import scipy.io
import scipy.sparse as sp

ROWS = 120


def table(features, seed=0):
    """Rows that share three factors, and three classes."""
    random = np.random.default_rng(seed)
    factors = random.standard_normal((ROWS, 3))
    values = factors @ random.standard_normal((3, features)) + 0.5 * random.standard_normal((ROWS, features))
    return values.round(3), np.arange(ROWS) % 3


def idx(path, array):
    head = bytes([0, 0, 8, array.ndim]) + b"".join(int(n).to_bytes(4, "big") for n in array.shape)
    with gzip.open(path, "wb") as file:
        file.write(head + array.astype(np.uint8).tobytes())


def write(path, text):
    (gzip.open if path.suffix == ".gz" else open)(path, "wb").write(text.encode())


def matrix_market(path, matrix, packed=True):
    raw = path.with_suffix("") if packed else path
    scipy.io.mmwrite(str(raw), sp.coo_matrix(matrix))
    if packed:
        text = raw.read_text()
        raw.unlink()
        write(path, text)


def write_all(folder):
    values, classes = table(60)
    names = [f"c{i}" for i in range(60)]
    labelled = pandas.DataFrame(values, columns=names).assign(label=[f"k{c}" for c in classes])
    labelled.to_csv(folder / "data.csv", index=False)
    labelled.rename(columns={"label": "tissue"}).to_csv(folder / "genes.csv.gz", index=False)
    for name in ("data.npy", "X.npy", "huge.npy"):
        np.save(folder / name, values)
    np.save(folder / "y.npy", classes)
    (folder / "parts").mkdir()
    for i, part in enumerate(np.split(values, 3)):
        np.save(folder / f"part-{i}.npy", part)
        np.save(folder / "parts" / f"{i}.npy", part)
    np.savez(folder / "data.npz", X=values, features=values)
    # The columns and rows of Madelon, less deep: ranges of rows are those of the documents.
    random = np.random.default_rng(1)
    long = random.standard_normal((2600, 40))
    scipy.io.savemat(folder / "madelon.mat", {"X": long, "Y": (long[:, :1] > 0).astype(int)})
    for name in ("data.mat", "COIL20.mat", "coil20.mat"):
        scipy.io.savemat(folder / name, {"fea" if name == "data.mat" else "X": values, "gnd" if name == "data.mat" else "Y": classes[:, None]})
    pixels = np.random.default_rng(2).integers(0, 255, (ROWS, 8, 8))
    for start in ("", "train-"):
        idx(folder / f"{start}images-idx3-ubyte.gz", pixels)
        idx(folder / f"{start}labels-idx1-ubyte.gz", classes)
    lines = [f"{c} " + " ".join(f"{i + 1}:{value}" for i, value in enumerate(row)) for c, row in zip(classes, values)]
    for name in ("data.svm", "a9a.svm"):
        write(folder / name, "\n".join(lines) + "\n")
    counts = np.random.default_rng(3).poisson(0.7, (ROWS, 60))
    for name, kinds in (("data.mtx.gz", "labels.txt"), ("counts.mtx.gz", "kinds.txt")):
        matrix_market(folder / name, counts)
        write(folder / kinds, "\n".join(map(str, classes)) + "\n")
    tenx = folder / "filtered_feature_bc_matrix"
    tenx.mkdir()
    matrix_market(tenx / "matrix.mtx.gz", counts.T)
    write(tenx / "barcodes.tsv.gz", "".join(f"AAAC{i}-1\n" for i in range(ROWS)))
    write(tenx / "features.tsv.gz", "".join(f"ENSG{i}\tGENE{i}\tGene Expression\n" for i in range(60)))
    import anndata
    anndata.AnnData(sp.csr_matrix(counts.astype(np.float32)),
                    obs=pandas.DataFrame({"cell_type": pandas.Categorical([f"t{c}" for c in classes])},
                                         index=[f"cell{i}" for i in range(ROWS)])).write_h5ad(folder / "cells.h5ad")
    with h5py.File(folder / "data.h5", "w") as file:
        file["group/X"] = values
    har = folder / "UCI HAR Dataset"
    (har / "train").mkdir(parents=True)
    (har / "test").mkdir()
    for part in ("train", "test"):
        np.savetxt(har / part / f"X_{part}.txt", values, fmt="%.6f")
        np.savetxt(har / part / f"y_{part}.txt", classes + 1, fmt="%d")
    write(har / "features.txt", "".join(f"{i + 1} f{i}\n" for i in range(60)))
    write(har / "activity_labels.txt", "1 WALKING\n2 SITTING\n3 LAYING\n")
