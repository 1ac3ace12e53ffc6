# tests/cli/trust/strangers_test.py: files that somebody made to do harm: other files stay unread, memory is
# bounded, nothing moves the cursor.
import gzip
import json
import os
import subprocess

import h5py
import numpy as np
import pytest

from program import (FAST, PROGRAM, TIMEOUT, fail, names_in, read_csv, run, start, succeed, wait_for,
                     write_csv)

SECRET = b"0123456789abcdef" * 4


def add_external(file, name, shape, secret):
    """Values that another file holds."""
    kept = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    kept.set_external(os.fsencode(secret), 0, h5py.h5f.UNLIMITED)
    kept.set_layout(h5py.h5d.CONTIGUOUS)
    h5py.h5d.create(file.id, name.encode(), h5py.h5t.NATIVE_UINT8, h5py.h5s.create_simple(shape), kept)


def add_virtual(file, name, shape, secret):
    layout = h5py.VirtualLayout(shape, "u1")
    layout[:] = h5py.VirtualSource(str(secret), "X", shape)
    file.create_virtual_dataset(name, layout)


def add_link(file, name, shape, secret):
    file[name] = h5py.ExternalLink(str(secret), "/X")


@pytest.fixture
def secret(tmp_path):
    """Outside of the folder that is looked at; HDF5 and raw bytes at once."""
    folder = tmp_path / "private"
    folder.mkdir()
    with h5py.File(folder / "secret.h5", "w") as file:
        file["X"] = np.frombuffer(SECRET, "u1").reshape(8, 8)
    return folder / "secret.h5"


@pytest.mark.parametrize("ending", ["h5", "h5ad", "mat"])
@pytest.mark.parametrize("add", [add_external, add_virtual, add_link])
def test_values_in_other_files_are_not_read(tmp_path, secret, ending, add):
    folder = tmp_path / "here"
    folder.mkdir()
    path = folder / f"crafted.{ending}"
    with h5py.File(path, "w", userblock_size=512 if ending == "mat" else 0) as file:
        add(file, "X", (8, 8), secret)
        if ending == "h5ad":
            file.attrs["encoding-type"] = "anndata"
            for table in ("obs", "var"):
                file.create_group(table).attrs["_index"] = "_index"
                file[table]["_index"] = np.array([f"n{i}" for i in range(8)], dtype=h5py.string_dtype())
        if ending == "mat" and add is not add_link:
            file["X"].attrs["MATLAB_class"] = np.bytes_("uint8")
    if ending == "mat":
        with open(path, "r+b") as file:
            file.write(b"MATLAB 7.3 MAT-file".ljust(124) + b"\x00\x02IM")
    result = run("convert", path, folder / "out.csv", "--array", "X", cwd=folder)
    assert result.code == 1 and result.err.startswith("error: "), result
    assert "crafted" in result.err
    assert not (folder / "out.csv").exists()
    if ending != "h5ad" and add is not add_link:  # a link is not listed as an array
        assert "in another file" in result.err, result


def test_a_pipe_as_external_storage_does_not_hang(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with h5py.File(tmp_path / "crafted.h5", "w") as file:
        add_external(file, "X", (8, 8), tmp_path / "pipe")
    result = run("info", "crafted.h5", cwd=tmp_path)
    assert result.code == 1 and "in another file" in result.err, result


def test_a_gzipped_line_stays_within_the_bound(tmp_path):
    with gzip.open(tmp_path / "line.csv.gz", "wb") as file:
        file.write(b"1," * 20_000_000 + b"1\n")  # 40 MB of text and a gigabyte of fields
    assert (tmp_path / "line.csv.gz").stat().st_size < 100_000
    fail("select", "line.csv.gz", "--memory", "300M", cwd=tmp_path, code=1,
         says=["line.csv.gz", "314.6 MB", "--memory"])


def test_the_machine_bounds_reading(tmp_path):
    with gzip.open(tmp_path / "line.csv.gz", "wb") as file:
        file.write(b"1," * 20_000_000 + b"1\n")
    limited = f"ulimit -d 300000; exec {PROGRAM} info line.csv.gz"
    done = subprocess.run(["bash", "-c", limited], cwd=tmp_path, capture_output=True, timeout=TIMEOUT)
    assert done.returncode == 1
    assert b"error: line.csv.gz cannot be read" in done.stderr


def test_a_small_svmlight_file_stays_within_the_bound(tmp_path):
    (tmp_path / "wide.svm").write_text("".join(f"1 {8_000_000 + i}:1\n" for i in range(3000)))
    process = subprocess.Popen([PROGRAM, "select", "wide.svm", *FAST, "--memory", "200M"], cwd=tmp_path,
                               stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    words = process.stderr.read()
    _, status, used = os.wait4(process.pid, 0)
    assert os.waitstatus_to_exitcode(status) == 1 and b"--memory" in words
    assert used.ru_maxrss < 1_000_000, "kilobytes: the network was made before it was refused"


CONTROL = "\x1b[31mred\x07\r\x9b2Jx\u202e"


def assert_visible(text):
    assert not any(c in text for c in "\x1b\x07\r\x9b\u202e"), repr(text)


def test_control_characters_are_shown_escaped(tmp_path):
    lines = [f'"a{CONTROL}\nb",c,label'] + [f'{i % 7},{i * i % 11},"class{CONTROL}{i % 2}"' for i in range(30)]
    (tmp_path / "data.csv").write_text("\n".join(lines), encoding="utf-8", newline="")
    for words in (["info"], ["select", "--method", "variance"], ["evaluate", "--ranking", "r.csv"],
                  ["compare", "--methods", "variance", "-k", "1", "--runs", "1", "--out", "out"]):
        if words[0] == "evaluate":
            succeed("select", "data.csv", "--method", "variance", "--ranking", "r.csv", cwd=tmp_path)
        done = subprocess.run([PROGRAM, words[0], "data.csv", *words[1:]], cwd=tmp_path,
                              capture_output=True, timeout=TIMEOUT)
        assert done.returncode == 0, done
        assert_visible(done.stdout.decode() + done.stderr.decode())
    assert "\\x1b[31mred" in succeed("select", "data.csv", "--method", "variance", cwd=tmp_path).out


def test_errors_show_cells_escaped(tmp_path):
    (tmp_path / "bad.csv").write_text(f'a,b\n1,2\n3,"x{CONTROL}"\n', encoding="utf-8", newline="")
    assert_visible(run("info", "bad.csv", cwd=tmp_path).out)
    result = run("select", "bad.csv", cwd=tmp_path)
    assert result.code == 1
    assert_visible(result.err)
    result = run("info", "no" + CONTROL, cwd=tmp_path)
    assert_visible(result.err)


def test_names_in_latin1_become_utf8(tmp_path):
    (tmp_path / "old.csv").write_bytes("gr\u00f6\u00dfe,b\n1,2\n3,5\n".encode("latin-1"))
    result = succeed("convert", "old.csv", "new.csv", cwd=tmp_path)
    assert "Latin-1" in result.out
    assert read_csv(tmp_path / "new.csv")[0] == ["gr\u00f6\u00dfe", "b"]


def test_svmlight_keeps_names_with_tabs(tmp_path):
    names = ["a\tb", "c\\t", "d", "e\nf"]
    write_csv(tmp_path / "data.csv", [[1, 2, 3, 4], [5, 6, 7, 9]], header=names)
    succeed("convert", "data.csv", "data.svm", cwd=tmp_path)
    succeed("convert", "data.svm", "again.csv", cwd=tmp_path)
    assert read_csv(tmp_path / "again.csv")[0] == names


def test_rankings_hold_no_formulas(tmp_path):
    names = ["=1+1", "+a", "-b", "@c", "-5", "'d", "e"]
    rng = np.random.default_rng(1)
    write_csv(tmp_path / "data.csv", rng.normal(size=(20, 7)).tolist(), header=names)
    succeed("select", "data.csv", "--method", "variance", "--ranking", "r.csv", cwd=tmp_path)
    written = {row[2] for row in read_csv(tmp_path / "r.csv")[1:]}
    assert written == {"'=1+1", "'+a", "'-b", "'@c", "-5", "'d", "e"}
    # They still name the same features.
    succeed("evaluate", "data.csv", "--ranking", "r.csv", "-k", 2, cwd=tmp_path)


def test_markdown_holds_no_html(tmp_path):
    write_csv(tmp_path / "x<img src=x onerror=alert(1)>&.csv",
              np.random.default_rng(1).normal(size=(20, 4)).tolist())
    succeed("compare", "x<img src=x onerror=alert(1)>&.csv", "--methods", "variance", "-k", 1, "--runs", 1,
            "--out", "out", cwd=tmp_path)
    text = (tmp_path / "out" / "summary.md").read_text()
    assert "&lt;img" in text and "<" not in text


@pytest.mark.parametrize("score", ["nan", "inf", "x", ""])
def test_scores_that_are_no_numbers_are_refused(madelon, tmp_path, score):
    succeed("select", madelon, "--method", "variance", "--ranking", "r.csv", cwd=tmp_path)
    rows = read_csv(tmp_path / "r.csv")
    rows[5][3] = score
    write_csv(tmp_path / "r.csv", rows)
    fail("evaluate", madelon, "--ranking", "r.csv", cwd=tmp_path, code=1, says=["r.csv, line 6", f"'{score}'"])


@pytest.mark.parametrize("key,value", [("classification", 99), ("clustering", -0.5), ("seconds", -1),
                                       ("features", -5), ("peak_rss_bytes", 1e300), ("k", 2 ** 64),
                                       ("run", 0), ("selected", [4_000_000_000]), ("ari", 2)])
def test_results_that_nothing_measures_are_refused(madelon, tmp_path, key, value):
    words = ["compare", madelon, "--methods", "variance", "-k", 3, "--runs", 1, "--out", "out"]
    succeed(*words, cwd=tmp_path)
    path = tmp_path / "out" / "results.jsonl"
    row = json.loads(path.read_text().splitlines()[0])
    row[key] = value
    path.write_text(json.dumps(row) + "\n")
    result = run("compare", "--continue", "--out", "out", cwd=tmp_path)
    assert result.code == 1 and "results.jsonl, line 1, is damaged" in result.err, result


def test_deeply_nested_json_is_refused(tmp_path):
    (tmp_path / "deep.json").write_text('{"title": ' + "[" * 1_000_000 + "]" * 1_000_000 + "}")
    fail("experiment", "deep.json", "--out", "out", cwd=tmp_path, code=1, says=["deep.json", "nested"])


@pytest.mark.parametrize("kind", ["data", "--test", "--label", "method"])
def test_names_that_are_no_utf8_are_refused_where_json_must_keep_them(madelon, tmp_path, kind):
    odd = os.fsdecode(b"\xff\xfe")
    copy = tmp_path / (odd + ".csv")
    copy.write_bytes(madelon.read_bytes())
    words = {"data": [copy, "--methods", "variance"], "method": [madelon, "--methods", odd + "=variance"],
             "--label": [madelon, "--methods", "variance", "--label", copy]}
    words = words.get(kind, [madelon, "--methods", "variance", kind, copy])
    fail("compare", *words, "-k", 3, "--runs", 1, "--out", "out", cwd=tmp_path, code=2, says=["\\xff\\xfe"],
         hint=["rename"])
    succeed("select", copy, "--method", "variance", "--json", "r.json", cwd=tmp_path)


def test_a_file_that_is_cut_short_while_it_is_read_is_an_error(tmp_path):
    """Its pages are mapped: reading what is no longer there ends a program with SIGBUS."""
    succeed("generate", "madelon", "-o", "data.npy", "--rows", 4000, "--features", 500, cwd=tmp_path)
    (tmp_path / "ranking.csv").write_text("old")
    process = start("select", "data.npy", "--epochs", 100000, "--hidden", 50, "--checkpoint", "state",
                    "--ranking", "ranking.csv", "--quiet", cwd=tmp_path, stderr=subprocess.PIPE)
    assert wait_for((tmp_path / "state").exists, process), process.stderr.read()
    os.truncate(tmp_path / "data.npy", 8192)
    _, err = process.communicate(timeout=TIMEOUT)
    assert process.returncode == 1, (process.returncode, err)
    assert err == b"error: cannot read data.npy: it was cut short meanwhile, or its disk fails\n"
    assert (tmp_path / "ranking.csv").read_text() == "old"
    assert names_in(tmp_path) == ["data.npy", "ranking.csv", "state"]


def test_a_limit_on_files_does_not_make_hdf5_damaged(madelon, tmp_path):
    succeed("convert", madelon, "data.h5ad", cwd=tmp_path)
    done = subprocess.run(["prlimit", "--fsize=4096", PROGRAM, "info", "data.h5ad"], cwd=tmp_path,
                          capture_output=True, timeout=TIMEOUT)
    assert done.returncode == 1 and b"File too large" in done.stderr and b"ulimit -f" in done.stderr, done


def test_a_cpu_limit_is_not_called_a_lack_of_memory(tmp_path):
    succeed("generate", "madelon", "-o", "large.npy", "--rows", 3000, "--features", 500, cwd=tmp_path)
    limited = (f"ulimit -t 2; exec {PROGRAM} compare large.npy --methods quickselection:epochs=1000 -k 5 "
               "--runs 1 --out out")
    subprocess.run(["bash", "-c", limited], cwd=tmp_path, capture_output=True, timeout=TIMEOUT)
    row = json.loads((tmp_path / "out" / "results.jsonl").read_text().splitlines()[0])
    assert row["status"] == "crashed" and "CPU time" in row["message"], row


def at_level(level, *args, cwd):
    done = subprocess.run([PROGRAM, *map(str, args)], cwd=cwd, capture_output=True, timeout=TIMEOUT,
                          env=os.environ | {"QUICKSELECTION_SIMD": level})
    return done.returncode, done.stderr.decode()


def test_all_simd_levels_select_alike(madelon, tmp_path):
    """Equal bits: what does no arithmetic in vectors, and the same level twice. Networks: the order of
    additions differs, so scores agree to rounding only, and the best features are the same."""
    code, said = at_level("none", "info", madelon, cwd=tmp_path)
    assert code == 2 and "hint: " in said, said
    levels = said.split("hint: ")[1].strip().split(": ")[1].split(", ")
    assert levels
    found = {}
    for level in levels:
        for method, options in (("variance", ()), ("mcfs", ()), ("quickselection", FAST)):
            name = f"{level}-{method}.csv"
            assert at_level(level, "select", madelon, "--method", method, *options, "--ranking", name,
                            "-k", 20, cwd=tmp_path)[0] == 0
            rows = read_csv(tmp_path / name)[1:]
            found[level, method] = {int(row[1]): float(row[3]) for row in rows}
    best = levels[0]
    for level in levels:
        assert found[level, "variance"] == found[best, "variance"]
        for method in ("mcfs", "quickselection"):
            a, b = found[level, method], found[best, method]
            largest = max(map(abs, b.values()))
            assert all(abs(a[f] - b[f]) < 1e-3 * largest for f in b), (level, method)
            top = [set(sorted(x, key=x.get)[-20:]) for x in (a, b)]
            assert len(top[0] & top[1]) >= 18, (level, method)
    again = f"{best}-again.csv"
    at_level(best, "select", madelon, *FAST, "-k", 20, "--ranking", again, cwd=tmp_path)
    assert (tmp_path / again).read_bytes() == (tmp_path / f"{best}-quickselection.csv").read_bytes()
