# tests/data/make_fixtures.py: writes the files that the data tests read, with NumPy and pandas.
# usage: make_fixtures.py FOLDER
#
# Every matrix of make_matrix() holds the value (7 * row + 3 * column) % 50 - offset at (row, column),
# so that a test knows what must come back without reading a second file.
import gzip
import pathlib
import struct
import sys

import numpy as np
import pandas as pd


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


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    write_npy(folder)
    write_csv(folder)
    write_gzip(folder)
    write_idx(folder)
    write_npz(folder)


main()
