# tests/data/make_fixtures.py: writes the files that the data tests read, with NumPy, pandas, SciPy, h5py,
# scikit-learn and anndata.
# usage: make_fixtures.py FOLDER
#
# Every matrix of make_matrix() holds the value (7 * row + 3 * column) % 50 - offset at (row, column),
# so that a test knows what must come back without reading a second file.
import gzip
import pathlib
import struct
import sys

import anndata
import h5py
import numpy as np
import pandas as pd
import scipy.io
import scipy.sparse
import sklearn.datasets


def make_matrix(rows, columns, offset=0):
    r, c = np.indices((rows, columns))
    return (7 * r + 3 * c) % 50 - offset


def save(path, array, version=None):
    with open(path, "wb") as file:
        np.lib.format.write_array(file, array, version=version)


def write_npy(folder):
    for order in "CF":
        for endian in "<>":
            for kind in ["b1", "u1", "i1", "u2", "i2", "u4", "i4", "u8", "i8", "f2", "f4", "f8"]:
                signed = kind[0] in "if"
                matrix = make_matrix(70, 67, 25 if signed else 0)
                if kind == "b1":
                    matrix = matrix % 2
                if kind[0] == "f":
                    matrix = matrix / 4
                array = np.asarray(matrix.astype(endian + kind), order=order)
                name = "big" if endian == ">" else "little"
                save(folder / f"{kind}_{name}_{order}.npy", array)
    matrix = make_matrix(5, 4).astype("<f4")
    for version in [(1, 0), (2, 0), (3, 0)]:
        save(folder / f"version{version[0]}.npy", matrix, version)
    save(folder / "one_d.npy", np.arange(6, dtype="<i2"))
    save(folder / "zero_d.npy", np.array(3.0))
    save(folder / "no_rows.npy", np.zeros((0, 4)))
    save(folder / "complex.npy", np.zeros((2, 2), dtype="c16"))
    save(folder / "records.npy", np.zeros(3, dtype=[("a", "f4"), ("b", "i4")]))
    images = np.arange(4 * 3 * 5, dtype="<i4").reshape(4, 3, 5)
    save(folder / "images_C.npy", images)
    save(folder / "images_F.npy", np.asfortranarray(images))
    special = np.array([0.0, -0.0, 1, -2, 65504, 6e-8, 6.1e-5, np.inf, -np.inf, np.nan], dtype="<f2")
    save(folder / "halves.npy", special)
    save(folder / "labels.npy", np.array([2, 10, 2, 1, 10], dtype="<i8"))


def write_csv(folder):
    frame = pd.DataFrame(make_matrix(20, 4) / 8, columns=["a", "b,c", 'd"e', "f\ng"])
    frame["Class"] = ["x", "y"] * 10
    frame.to_csv(folder / "pandas_index.csv")
    frame.to_csv(folder / "pandas.csv", index=False)
    frame.to_csv(folder / "pandas.tsv", index=False, sep="\t")
    frame.to_csv(folder / "pandas_crlf.csv", index=False, lineterminator="\r\n")
    frame.to_csv(folder / "pandas_bom.csv", index=False, encoding="utf-8-sig")
    frame.to_csv(folder / "pandas_semicolon.csv", index=False, sep=";")
    pd.DataFrame(make_matrix(9, 5)).to_csv(folder / "pandas_unnamed.csv", index=False)
    rng = np.random.default_rng(5)
    exact = rng.standard_normal((200, 20)) * 10.0 ** rng.integers(-30, 30, (200, 20))
    pd.DataFrame(exact).to_csv(folder / "doubles.csv", header=False, index=False)
    save(folder / "doubles.npy", exact)
    np.savetxt(folder / "savetxt.csv", make_matrix(12, 3) / 16, delimiter=",")


def write_gzip(folder):
    frame = pd.DataFrame(make_matrix(20, 4) / 8, columns=list("abcd"))
    frame["Class"] = ["x", "y"] * 10
    frame.to_csv(folder / "pandas.csv.gz", index=False)
    frame.to_csv(folder / "pandas.tsv.gz", index=False, sep="\t")
    text = frame.to_csv(index=False).encode()
    members = gzip.compress(text[:50]) + gzip.compress(b"") + gzip.compress(text[50:]) + b"\0" * 9
    (folder / "members.csv.gz").write_bytes(members)
    (folder / "nothing.csv.gz").write_bytes(gzip.compress(b""))
    wide = np.load(folder / "doubles.npy")
    wide[-1] *= 1e100
    for name in ["wide.csv", "wide.csv.gz"]:
        pd.DataFrame(wide).to_csv(folder / name, header=False, index=False)
    (folder / "labels.txt.gz").write_bytes(gzip.compress(b"b\na\n" * 3))


def write_idx(folder):
    codes = {"u1": 8, "i1": 9, "i2": 11, "i4": 12, "f4": 13, "f8": 14}
    for kind, code in codes.items():
        offset = 0 if kind == "u1" else 25
        values = make_matrix(6, 20, offset).astype(">" + kind)
        head = struct.pack(">BBBBIII", 0, 0, code, 3, 6, 4, 5)
        (folder / f"{kind}.idx").write_bytes(head + values.tobytes())
        (folder / f"{kind}-idx3-ubyte.gz").write_bytes(gzip.compress(head + values.tobytes()))
    labels = struct.pack(">BBBBI", 0, 0, 8, 1, 6) + bytes([3, 1, 4, 1, 5, 9])
    (folder / "labels-idx1-ubyte").write_bytes(labels)
    (folder / "labels-idx1-ubyte.gz").write_bytes(gzip.compress(labels))


def write_npz(folder):
    matrix = make_matrix(9, 7).astype("<i2")
    labels = np.array([2, 10, 2, 1, 10, 1, 1, 2, 2], dtype="<i8")
    np.savez(folder / "stored.npz", fea=matrix, other=make_matrix(3, 4), y=labels)
    np.savez_compressed(folder / "deflated.npz", y=labels, values=np.asfortranarray(matrix))
    np.savez(folder / "one.npz", matrix)
    np.savez(folder / "two.npz", first=matrix, second=matrix.astype(">f8") * 2)
    np.savez(folder / "objects.npz", X=matrix, names=np.array(["a", None], dtype=object))
    large = np.zeros((3000, 600), dtype="f8")
    large[-1, -1] = 5
    np.savez_compressed(folder / "large.npz", large)
    np.savez(folder / "none.npz")


def write_mat73(path, arrays):
    # MATLAB's own files: HDF5 behind 512 bytes, arrays stored as their transpose.
    with h5py.File(path, "w", userblock_size=512) as file:
        for name, (array, kind) in arrays.items():
            file.create_dataset(name, data=array.T, compression="gzip" if array.size > 20 else None)
            file[name].attrs["MATLAB_class"] = np.bytes_(kind)
    with open(path, "r+b") as file:
        file.write(b"MATLAB 7.3 MAT-file".ljust(124) + b"\x00\x02IM")


def write_mat(folder):
    labels = np.array([2, 10, 2, 1, 10, 1, 1, 2, 2])[:, None]
    for kind in ["u1", "i1", "u2", "i2", "u4", "i4", "u8", "i8", "f4", "f8"]:
        matrix = make_matrix(9, 7, 25 if kind[0] in "if" else 0).astype(kind)
        for packed in [False, True]:
            contents = {"Y": labels.astype("i2"), "X": matrix} if packed else {"fea": matrix, "gnd": labels.T}
            contents["title"] = "text"
            scipy.io.savemat(folder / f"{kind}_{'packed' if packed else 'plain'}.mat", contents, do_compression=packed)
    matrix = make_matrix(9, 7).astype("u2")
    scipy.io.savemat(folder / "halves.mat", {"X": matrix / 2})
    scipy.io.savemat(folder / "only.mat", {"X": matrix})
    scipy.io.savemat(folder / "only_packed.mat", {"X": matrix.astype("f8")}, do_compression=True)
    scipy.io.savemat(folder / "any_name.mat", {"values": matrix, "k": 3, "y": labels, "s": {"a": 1}})
    scipy.io.savemat(folder / "two.mat", {"first": matrix, "second": matrix * 2})
    scipy.io.savemat(folder / "bools.mat", {"X": matrix % 2 == 1})
    scipy.io.savemat(folder / "complex.mat", {"X": matrix + 1j})
    scipy.io.savemat(folder / "sparse.mat", {"X": scipy.sparse.csc_matrix(matrix.astype("f8"))})
    scipy.io.savemat(folder / "images.mat", {"X": np.arange(60, dtype="i4").reshape(4, 3, 5)})
    write_mat73(folder / "seven.mat", {"X": (matrix, "uint16"), "Y": (labels.astype("f8"), "double"),
                                       "title": (np.array([[104, 105]], dtype="u2"), "char")})


def write_hdf5(folder):
    matrix = make_matrix(9, 7).astype("i2")
    with h5py.File(folder / "plain.h5", "w") as file:
        file["X"] = matrix
        file["group/packed"] = (matrix * 2).astype(">f8")
        file["y"] = np.array([b"b", b"a", b"c"] * 3)
        file["bools"] = matrix % 2 == 1
        file["one"] = 3.5
    with h5py.File(folder / "chunks.h5", "w") as file:
        file.create_dataset("deep/chunks", data=matrix, compression="gzip", chunks=(4, 3))
        file["deep/label"] = np.array(["\u00e4", "b", "c"] * 3, dtype=h5py.string_dtype())
    with h5py.File(folder / "single.h5", "w") as file:
        file["X"] = matrix


def write_h5ad(folder):
    obs = pd.DataFrame({"kind": pd.Categorical(["b", "a", "c"] * 3), "batch": np.arange(9) % 2,
                        "text": [f"t{i % 2}" for i in range(9)]}, index=[f"cell{i}" for i in range(9)])
    obs["holes"] = obs["kind"].cat.remove_categories("c")
    var = pd.DataFrame(index=[f"g\u00e4n{i}" for i in range(7)])
    matrix = make_matrix(9, 7).astype("f4")
    dense = anndata.AnnData(matrix, obs=obs, var=var, dtype="f4")
    dense.layers["counts"] = matrix * 2
    dense.write_h5ad(folder / "dense.h5ad")
    for name, kind in [("csr", scipy.sparse.csr_matrix), ("csc", scipy.sparse.csc_matrix)]:
        anndata.AnnData(kind(matrix), obs=obs, var=var, dtype="f4").write_h5ad(folder / f"{name}.h5ad")


def make_sparse():
    # 12 x 9; row 4 and column 3 are empty.
    r, c = np.indices((12, 9))
    return np.where(((5 * r + 3 * c) % 7 < 2) & (r != 4) & (c != 3), (7 * r + 3 * c) % 50 + 1, 0)


def write_big_endian_mat(path, matrix):
    def element(kind, payload):
        return struct.pack(">II", kind, len(payload)) + payload + b"\0" * (-len(payload) % 8)

    body = element(6, struct.pack(">II", 6, 0)) + element(5, struct.pack(">ii", *matrix.shape))
    body += struct.pack(">HH4s", 1, 1, b"X") + element(9, matrix.T.astype(">f8").tobytes())
    head = b"MATLAB 5.0 MAT-file, big-endian".ljust(124) + b"\x01\x00MI"
    path.write_bytes(head + struct.pack(">II", 14, len(body)) + body)


def write_sparse(folder):
    dense = make_sparse()
    labels = np.arange(12) % 3 - 1
    csr = scipy.sparse.csr_matrix(dense.astype("i2"))
    scipy.sparse.save_npz(folder / "csr.npz", csr)
    scipy.sparse.save_npz(folder / "csc.npz", csr.tocsc().astype("f8"), compressed=False)
    scipy.sparse.save_npz(folder / "coo.npz", csr.tocoo())
    scipy.sparse.save_npz(folder / "bsr.npz", scipy.sparse.bsr_matrix(dense))
    scipy.sparse.save_npz(folder / "zeros.npz", scipy.sparse.csr_matrix((5, 3)))
    unsorted = csr.copy()
    for row in range(12):  # columns descend within each row
        part = slice(unsorted.indptr[row], unsorted.indptr[row + 1])
        unsorted.indices[part] = unsorted.indices[part][::-1].copy()
        unsorted.data[part] = unsorted.data[part][::-1].copy()
    unsorted.has_sorted_indices = False
    scipy.sparse.save_npz(folder / "unsorted.npz", unsorted)
    rows, columns = np.nonzero(dense)
    half = np.concatenate([dense[rows, columns] - 1, np.ones(len(rows), dtype=int)])
    twice = scipy.sparse.coo_matrix((half, (np.tile(rows, 2), np.tile(columns, 2))), shape=dense.shape)
    scipy.sparse.save_npz(folder / "twice.npz", twice)
    scipy.io.savemat(folder / "sparse_plain.mat", {"X": csr.astype("f8"), "Y": labels[:, None]})
    scipy.io.savemat(folder / "sparse_packed.mat", {"gnd": labels[:, None], "fea": csr.astype("f8")}, do_compression=True)
    csc = csr.tocsc().astype("f8")
    for name, rows in [("sparse73.mat", 12), ("too_many_rows73.mat", 1 << 40)]:
        with h5py.File(folder / name, "w", userblock_size=512) as file:
            group = file.create_group("X")
            group["data"], group["ir"], group["jc"] = csc.data, csc.indices.astype("u8"), csc.indptr.astype("u8")
            group.attrs["MATLAB_class"] = np.bytes_("double")
            group.attrs["MATLAB_sparse"] = np.uint64(rows)
            file["Y"] = labels[None, :].astype("f8")
        with open(folder / name, "r+b") as file:
            file.write(b"MATLAB 7.3 MAT-file".ljust(124) + b"\x00\x02IM")
    for zero_based in [True, False]:
        name = "zero_based.svm" if zero_based else "one_based.svmlight"
        sklearn.datasets.dump_svmlight_file(csr, labels, str(folder / name), zero_based=zero_based,
                                            comment="made by scikit-learn", query_id=np.arange(12) // 4)
    (folder / "packed.libsvm.gz").write_bytes(gzip.compress((folder / "zero_based.svm").read_bytes()))
    scipy.io.mmwrite(folder / "integer.mtx", csr, comment="two\nlines")
    scipy.io.mmwrite(folder / "real.mtx", csr.astype("f8") / 4)
    scipy.io.mmwrite(folder / "pattern.mtx", csr, field="pattern")
    scipy.io.mmwrite(folder / "array.mtx", dense)
    square = np.arange(16).reshape(4, 4)
    scipy.io.mmwrite(folder / "symmetric.mtx", scipy.sparse.coo_matrix(square + square.T), symmetry="symmetric")
    scipy.io.mmwrite(folder / "skew.mtx", scipy.sparse.coo_matrix(square - square.T), symmetry="skew-symmetric")
    scipy.io.mmwrite(folder / "symmetric_array.mtx", square + square.T, symmetry="symmetric")
    (folder / "integer.mtx.gz").write_bytes(gzip.compress((folder / "integer.mtx").read_bytes()))
    names = ["ID%d\tg\u00e4n%d\tGene Expression\n" % (i, min(i, 7)) for i in range(9)]
    for name, packed in [("tenx", True), ("tenx_old", False)]:
        place = folder / name
        place.mkdir(exist_ok=True)
        scipy.io.mmwrite(place / "matrix.mtx", scipy.sparse.coo_matrix(dense.T))
        (place / ("features.tsv" if packed else "genes.tsv")).write_text("".join(names))
        (place / "barcodes.tsv").write_text("".join("AAA%d-1\n" % i for i in range(12)))
        if packed:
            for file in list(place.glob("*.mtx")) + list(place.glob("*.tsv")):
                file.with_name(file.name + ".gz").write_bytes(gzip.compress(file.read_bytes()))
                file.unlink()
    obs = pd.DataFrame({"label": labels.astype(str)}, index=[f"cell{i}" for i in range(12)])
    var = pd.DataFrame(index=[f"g\u00e4n{i}" for i in range(9)])
    for kind in ["csr", "csc"]:
        anndata.AnnData(csr.asformat(kind).astype("f4"), obs=obs, var=var, dtype="f4").write_h5ad(
            folder / f"sparse_{kind}.h5ad", compression="gzip")
    np.save(folder / "sparse_values.npy", dense.astype("u1"))
    pd.DataFrame(dense).to_csv(folder / "sparse_values.csv", index=False, header=False)
    np.savez(folder / "named.npz", X=dense, names=np.array([f"g\u00e4n{i}" for i in range(9)]),
             y=np.array(["a", "\u00df", "c"] * 4))
    cells = np.empty((12, 1), dtype=object)
    cells[:, 0] = ["a", "\u00df", "c"] * 4
    titles = np.empty((1, 9), dtype=object)
    titles[0, :] = [f"g\u00e4n{i}" for i in range(9)]
    for packed in [False, True]:
        scipy.io.savemat(folder / f"cells_{'packed' if packed else 'plain'}.mat",
                         {"X": dense, "Y": cells, "names": titles}, do_compression=packed)
    write_big_endian_mat(folder / "big_endian.mat", dense)


def write_har(folder):
    train = folder / "har" / "train"
    train.mkdir(parents=True, exist_ok=True)
    np.savetxt(train / "X_train.txt", make_matrix(9, 7, 25) / 64, fmt=" % .7e")
    np.savetxt(train / "y_train.txt", np.arange(9) % 3 + 1, fmt="%d")
    names = [f"{i + 1} tBody({i})-X,{i}\n" for i in range(7)]
    (folder / "har" / "features.txt").write_text("".join(names))


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    write_npy(folder)
    write_csv(folder)
    write_gzip(folder)
    write_idx(folder)
    write_npz(folder)
    write_mat(folder)
    write_hdf5(folder)
    write_h5ad(folder)
    write_sparse(folder)
    write_har(folder)


main()
