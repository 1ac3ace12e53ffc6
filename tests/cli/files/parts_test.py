# tests/cli/files/parts_test.py: a data set in several files gives what one file with all rows gives.
import gzip
import shutil

import numpy as np
import pytest
from scipy import io, sparse

from program import fail, read_csv, read_json, succeed, write_csv

ROWS, FEATURES = 240, 12
CUTS = (0, 100, 101, 102, 190, ROWS)  # no multiple of a page
SMALL = ("--epochs", 3, "--hidden", 20, "--quiet")


def hidden_factors(rows=ROWS, features=FEATURES, seed=5):
    random = np.random.default_rng(seed)
    values = random.normal(size=(rows, 3)) @ random.normal(size=(3, features))
    return (values + 0.3 * random.normal(size=values.shape)).astype("f4")


def save_parts(folder, values, cuts=CUTS):
    folder.mkdir()
    for i, (begin, end) in enumerate(zip(cuts, cuts[1:])):
        np.save(folder / f"part-{i}.npy", values[begin:end])
    return sorted(folder.glob("*.npy"))


@pytest.fixture
def parts(tmp_path):
    values = hidden_factors()
    np.save(tmp_path / "whole.npy", values)
    return save_parts(tmp_path / "parts", values)


def ranking(folder, *args):
    succeed("select", *args, "--ranking", "ranking.csv", cwd=folder)
    return (folder / "ranking.csv").read_bytes()


@pytest.mark.parametrize("options", [
    (), ("--shards", 5), ("--scale", "minmax", "--clip", 1.5), ("--rows", "50:200"),
    ("--missing", "mean"), ("--method", "laplacian_score"), ("--method", "cover"),
    ("--columns", "0-8"), ("--runs", 2, "--bootstrap"), ("--method", "wast", "--shards", 3)])
def test_the_ranking_is_that_of_one_file(parts, tmp_path, options):
    trained = "laplacian_score" not in options and "cover" not in options
    options = (*(SMALL if trained else ("--quiet",)), *options)
    whole = ranking(tmp_path, "whole.npy", *options)
    assert ranking(tmp_path, *parts, *options) == whole
    assert ranking(tmp_path, "parts/", *options) == whole
    assert ranking(tmp_path, *parts, *options, "--threads", 1) == whole


def test_bytes_and_idx_files_stay_mapped(tmp_path):
    images = np.random.default_rng(2).integers(0, 255, size=(60, 4, 5), dtype="u1")

    def idx(name, values):
        head = bytes([0, 0, 8, 3]) + b"".join(n.to_bytes(4, "big") for n in values.shape)
        (tmp_path / name).write_bytes(head + values.tobytes())
        return name

    whole = ranking(tmp_path, idx("whole.idx", images), *SMALL)
    assert ranking(tmp_path, idx("a.idx", images[:7]), idx("b.idx", images[7:]), *SMALL) == whole
    succeed("info", "a.idx", "b.idx", "--json", "info.json", cwd=tmp_path)
    assert read_json(tmp_path / "info.json")["rows"] == 60


def test_windows_of_files_that_are_larger_than_the_memory(tmp_path):
    values = np.random.default_rng(8).normal(size=(12000, 1000)).astype("f4")  # 48 MB
    np.save(tmp_path / "whole.npy", values)
    parts = save_parts(tmp_path / "parts", values, (0, 1, 5000, 5003, 12000))
    options = ("--epochs", 1, "--hidden", 20, "--memory", "90M", "--no-check", "--quiet")
    windowed = ranking(tmp_path, "whole.npy", *options, "--shards", 2)
    assert ranking(tmp_path, *parts, *options, "--shards", 2) == windowed
    assert ranking(tmp_path, *parts, *options[:4], *options[6:], "--shards", 2) != windowed
    succeed("select", *parts, *options, "--json", "r.json", cwd=tmp_path)
    assert read_json(tmp_path / "r.json")["peak_rss_bytes"] < 90 << 20


def test_a_checkpoint_belongs_to_the_rows_and_not_to_the_files(parts, tmp_path):
    base = ("--hidden", 20, "--quiet")
    all_epochs = ranking(tmp_path, "whole.npy", *base, "--epochs", 5)
    succeed("select", *parts, *base, "--epochs", 2, "--checkpoint", "state", cwd=tmp_path)
    assert ranking(tmp_path, "whole.npy", *base, "--epochs", 5, "--resume", "state") == all_epochs
    assert ranking(tmp_path, "parts", *base, "--epochs", 5, "--resume", "state") == all_epochs
    fail("select", *reversed(parts), *base, "--epochs", 5, "--resume", "state", cwd=tmp_path, code=1,
         says=["hash of the data"])


def test_other_commands_read_parts_too(parts, tmp_path):
    succeed("convert", *parts, "joined.npy", cwd=tmp_path)
    assert (np.load(tmp_path / "joined.npy") == np.load(tmp_path / "whole.npy")).all()
    succeed("convert", "--quiet", "parts", "joined.csv", "--json", "c.json", cwd=tmp_path)
    assert read_json(tmp_path / "c.json")["rows"] == ROWS
    info = [succeed("info", *data, cwd=tmp_path).out.splitlines()
            for data in (["whole.npy"], parts)]
    assert [line for line in info[0] if "whole" not in line] == [
        line for line in info[1] if "part-" not in line and "files are" not in line]
    ranking(tmp_path, "whole.npy", *SMALL)
    judged = [succeed("evaluate", *data, "--ranking", "ranking.csv", "-k", 3, "--json", "e.json",
                      cwd=tmp_path) and read_json(tmp_path / "e.json")["entries"]
              for data in (["whole.npy"], parts)]
    assert judged[0] == judged[1]
    for name, data in (("a.npy", ["whole.npy"]), ("b.npy", parts)):
        succeed("extract", *data, "--layers", "4", "--epochs", 2, "--out", name, "--quiet",
                cwd=tmp_path)
    assert (np.load(tmp_path / "a.npy") == np.load(tmp_path / "b.npy")).all()
    for name in ("whole.npy", "parts"):
        succeed("compare", name, "--methods", "variance,quickselection", "--epochs", 2, "--hidden",
                10, "-k", 3, "--runs", 1, "--out", f"of-{name}", "--quiet", cwd=tmp_path)
    rows = [[row[1:] for row in read_csv(tmp_path / f"of-{name}" / "summary.csv")
             if not {"seconds", "peak_rss_bytes", "joules"} & set(row)]
            for name in ("whole.npy", "parts")]
    assert rows[0] == rows[1] and len(rows[0]) > 3


def test_convert_needs_a_file_to_write(parts, tmp_path):
    refused = fail("convert", "whole.npy", cwd=tmp_path, code=2)
    assert "OUT" in refused.err


def test_tables_with_names_and_labels(tmp_path):
    values = np.random.default_rng(4).integers(0, 9, size=(60, 5))
    labels = np.array(list("zxy"))[values[:, 0] % 3]
    rows = [[*row, label] for row, label in zip(values.tolist(), labels)]
    header = [*"abcde", "label"]
    write_csv(tmp_path / "whole.csv", rows, header)
    write_csv(tmp_path / "1.csv", rows[:20], header)
    write_csv(tmp_path / "2.csv", rows[20:], header)
    with gzip.open(tmp_path / "2.csv.gz", "wb") as file:
        file.write((tmp_path / "2.csv").read_bytes())
    (tmp_path / "2.csv").unlink()
    succeed("convert", "1.csv", "2.csv.gz", "joined.csv", cwd=tmp_path)
    assert read_csv(tmp_path / "joined.csv") == read_csv(tmp_path / "whole.csv")
    said = succeed("select", "1.csv", "2.csv.gz", *SMALL[:-1], "--ranking", "r.csv", cwd=tmp_path)
    assert "note: 2 files are one data set of 60 rows, type u8, held in memory" in said.out
    assert (tmp_path / "r.csv").read_bytes() == ranking(tmp_path, "whole.csv", *SMALL)


def test_folders_of_known_contents_are_still_one_data_set(tmp_path):
    values = np.random.default_rng(6).integers(0, 5, size=(7, 30))
    for name, part in (("all", values), ("a", values[:, :10]), ("b", values[:, 10:])):
        folder = tmp_path / name
        folder.mkdir()
        io.mmwrite(folder / "matrix.mtx", sparse.coo_matrix(part))
        (folder / "features.tsv").write_text("".join(f"g{i}\tgene{i}\n" for i in range(7)))
        (folder / "barcodes.tsv").write_text("".join(f"c{i}\n" for i in range(part.shape[1])))
    assert ranking(tmp_path, "a", "b", *SMALL) == ranking(tmp_path, "all", *SMALL)
    har = tmp_path / "har"
    har.mkdir()
    (har / "X_train.txt").write_text("1 2\n3 4\n5 7\n")
    (har / "y_train.txt").write_text("1\n2\n1\n")
    assert "y_train.txt is taken as the labels" in succeed("info", "har", cwd=tmp_path).out
    fail("select", "a", "--format", "har", cwd=tmp_path, code=1, says=["X_train.txt"])


def test_an_output_that_is_a_part_is_refused(parts, tmp_path):
    for data in (parts, ["parts"]):
        fail("select", *data, *SMALL, "--selected", "parts/part-4.npy", cwd=tmp_path, code=2,
             says=["part-4.npy"], hint=["a file of its own"])
        fail("convert", *data, "parts/part-0.npy", cwd=tmp_path, code=2, says=["part-0.npy"])
    (tmp_path / "link.npy").symlink_to("parts/part-1.npy")
    fail("select", "parts", *SMALL, "--selected", "link.npy", cwd=tmp_path, code=2,
         says=["same file"])


def test_what_does_not_fit_names_both_files(parts, tmp_path):
    np.save(tmp_path / "narrow.npy", np.ones((3, 5), "f4"))
    np.save(tmp_path / "bytes.npy", np.ones((3, FEATURES), "u1"))
    fail("select", *parts, "narrow.npy", *SMALL, cwd=tmp_path, code=1,
         says=["part-0.npy has 12 features, but narrow.npy has 5"])
    fail("select", *parts, "bytes.npy", *SMALL, cwd=tmp_path, code=1,
         says=["part-0.npy holds values of type f32, but bytes.npy of type u8"])
    fail("select", *parts, "gone.npy", *SMALL, cwd=tmp_path, code=1, says=["gone.npy: No such file"])
    fail("select", *parts, parts[1], *SMALL, cwd=tmp_path, code=1, says=["is named twice"])
    fail("select", "parts", parts[1], *SMALL, cwd=tmp_path, code=1, says=["part-1.npy"])
    np.save(tmp_path / "none.npy", np.ones((0, FEATURES), "f4"))
    fail("select", *parts, "none.npy", *SMALL, cwd=tmp_path, code=1, says=["none.npy holds no values"])
    (tmp_path / "cut.npy").write_bytes((tmp_path / "parts" / "part-0.npy").read_bytes()[:-1])
    fail("select", *parts, "cut.npy", *SMALL, cwd=tmp_path, code=1, says=["cut.npy"])
    (tmp_path / "parts" / "labels.csv").write_text("label\n1\n")
    fail("select", "parts", *SMALL, cwd=tmp_path, code=1,
         says=["labels.csv is csv and", "part-0.npy is npy"], hint=["name the files"])
    shutil.rmtree(tmp_path / "parts")
    (tmp_path / "parts").mkdir()
    fail("select", "parts", *SMALL, cwd=tmp_path, code=1, says=["it is a folder"])


def test_a_bad_value_is_found_in_any_part(parts, tmp_path):
    values = np.load(parts[3])
    values[5, 3] = np.nan
    np.save(parts[3], values)
    fail("select", *parts, *SMALL, cwd=tmp_path, code=1, says=["row 107 (counted from 0; row 5 of", "part-3.npy), feature 3"])
    fail("select", *parts, *SMALL, "--rows", "105:120", "--missing", "error", cwd=tmp_path, code=1,
         says=["row 2 (counted from 0; row 5 of", "part-3.npy), feature 3"])


def test_more_parts_than_rows_in_each(tmp_path):
    values = hidden_factors(rows=80)
    np.save(tmp_path / "whole.npy", values)
    save_parts(tmp_path / "parts", values, range(81))
    names = sorted((tmp_path / "parts").glob("*"), key=lambda path: int(path.stem[5:]))
    assert ranking(tmp_path, *names, *SMALL) == ranking(tmp_path, "whole.npy", *SMALL)
    # By name: 10 stands before 2.
    assert ranking(tmp_path, "parts", *SMALL) == ranking(tmp_path, *sorted(names), *SMALL)
