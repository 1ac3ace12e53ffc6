# tests/data/make_fixtures.py: writes the files that the data tests read, with NumPy and pandas.
# usage: make_fixtures.py FOLDER
#
# Every matrix of make_matrix() holds the value (7 * row + 3 * column) % 50 - offset at (row, column),
# so that a test knows what must come back without reading a second file.
import pathlib
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


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    write_npy(folder)
    write_csv(folder)


main()
