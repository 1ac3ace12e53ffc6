# tests/cli/trust/outputs_test.py: where outputs go: never over an input, through links, into streams, all
# together.
import json
import os
import shutil
import stat
import subprocess

import numpy as np
import pytest

from program import FAST, PROGRAM, TIMEOUT, fail, names_in, read_csv, succeed


@pytest.fixture
def data(madelon, tmp_path):
    return shutil.copy(madelon, tmp_path / "data.csv")


def shell(script, cwd):
    return subprocess.run(["bash", "-c", script], cwd=cwd, capture_output=True, timeout=TIMEOUT,
                          env={**os.environ, "QS": str(PROGRAM)})


@pytest.mark.parametrize("name", ["data.csv", "./data.csv", "link.csv", "hard.csv"])
@pytest.mark.parametrize("command", [
    ["select", "data.csv", *FAST, "--ranking"], ["select", "data.csv", *FAST, "--json"],
    ["select", "data.csv", *FAST, "--checkpoint"], ["select", "data.csv", *FAST, "--selected"],
    ["convert", "data.csv"], ["info", "data.csv", "--json"], ["extract", "data.csv", "--out"],
    ["extract", "data.csv", "--save-model"],
    ["compare", "data.csv", "--methods", "variance", "--out", "results", "--json"]])
def test_an_input_is_never_an_output(data, tmp_path, command, name):
    os.symlink("data.csv", tmp_path / "link.csv")
    os.link(data, tmp_path / "hard.csv")
    fail(*command, name, cwd=tmp_path, code=2, says=["data.csv"], hint=["file of its own"])


def test_labels_rankings_models_and_files_of_folders_are_inputs_too(data, tmp_path):
    labels = tmp_path / "labels.txt"
    labels.write_text("".join(f"{row[-1]}\n" for row in read_csv(data)[1:]))
    fail("select", "data.csv", "--label", "labels.txt", *FAST, "--ranking", "labels.txt",
         cwd=tmp_path, code=2, says=["labels.txt"])
    succeed("select", "data.csv", *FAST, "--ranking", "ranking.csv", cwd=tmp_path)
    fail("evaluate", "data.csv", "--ranking", "ranking.csv", "--json", "ranking.csv",
         cwd=tmp_path, code=2, says=["ranking.csv"])
    succeed("extract", "data.csv", "--epochs", 2, "--layers", "20,5,20", "--save-model", "model",
            cwd=tmp_path)
    fail("extract", "data.csv", "--model", "model", "--out", "codes.npy", "--json", "model",
         cwd=tmp_path, code=2, says=["model"])
    folder = tmp_path / "tenx"
    folder.mkdir()
    (folder / "matrix.mtx").write_text("%%MatrixMarket matrix coordinate integer general\n"
                                       "2 3 3\n1 1 5\n2 2 1\n1 3 2\n")
    fail("info", "tenx", "--json", "tenx/matrix.mtx", cwd=tmp_path, code=2, says=["matrix.mtx"])
    succeed("info", "tenx", "--json", "tenx/info.json", cwd=tmp_path)
    succeed("info", "tenx", "--json", "tenx/info.json", cwd=tmp_path)


def test_a_checkpoint_may_be_the_one_that_is_resumed(data, tmp_path):
    succeed("select", "data.csv", *FAST, "--checkpoint", "state", cwd=tmp_path)
    succeed("select", "data.csv", "--epochs", 7, "--hidden", 50, "--checkpoint", "state",
            "--resume", "state", cwd=tmp_path)


def test_two_outputs_are_never_one_file(data, tmp_path):
    (tmp_path / "out.csv").write_text("old")
    os.symlink("out.csv", tmp_path / "link")
    for one, other in [("out.csv", "out.csv"), ("out.csv", "./out.csv"), ("out.csv", "link")]:
        fail("select", "data.csv", *FAST, "--ranking", one, "--json", other, cwd=tmp_path, code=2,
             hint=["file of its own"])


@pytest.mark.parametrize("name", ["results.jsonl", "settings.json", "summary.csv"])
def test_a_folder_of_results_keeps_its_files(data, tmp_path, name):
    words = ["compare", "data.csv", "--methods", "variance", "-k", 3, "--runs", 1, "--out", "results"]
    fail(*words, "--json", f"results/../results/{name}", cwd=tmp_path, code=1, says=["results"])
    (tmp_path / "results").mkdir()
    fail(*words, "--json", f"results/../results/{name}", cwd=tmp_path, code=2, hint=["file of its own"])
    assert names_in(tmp_path / "results") == []


@pytest.mark.parametrize("name", ["results.jsonl", "summary.md"])
def test_links_in_a_folder_of_results_are_not_followed(data, tmp_path, name):
    """The folder may come from somebody else. A file without an end of line would look like a torn row."""
    succeed("compare", "data.csv", "--methods", "variance", "-k", 3, "--runs", 1, "--out", "results",
            cwd=tmp_path)
    (tmp_path / "precious").write_text("mine")
    (tmp_path / "results" / name).unlink()
    os.symlink("../precious", tmp_path / "results" / name)
    fail("compare", "--continue", "--out", "results", cwd=tmp_path, code=1, says=[name, "link"])
    assert (tmp_path / "precious").read_text() == "mine"


def test_a_file_that_comes_through_a_stream_is_an_input_too(data, tmp_path):
    done = shell("$QS select - --method variance --ranking data.csv < data.csv", tmp_path)
    assert done.returncode == 2 and b"data.csv is to be written, but it is the same file as -" in done.stderr, done
    assert len(read_csv(data)) == 301
    done = shell("$QS select - --method variance --ranking r.csv < data.csv > out.txt && cat data.csv | "
                 "$QS select - --method variance --ranking data.csv", tmp_path)
    assert done.returncode == 0, done


def test_two_generated_data_sets_are_never_one_file(tmp_path):
    made = {"generate": "gaussian", "generator-options": {"rows": 20, "features": 5}}
    (tmp_path / "plan.json").write_text(json.dumps({
        "methods": ["variance"], "k": [2], "data": [{"name": "a b", **made}, {"name": "a/b", **made, "seed": 1}]}))
    fail("experiment", "plan.json", "--out", "out", cwd=tmp_path, code=2, says=["a b", "a/b"], hint=["names"])


def test_a_link_stays_and_what_it_leads_to_is_replaced(data, tmp_path):
    (tmp_path / "real.csv").write_text("old")
    os.symlink("real.csv", tmp_path / "ranking.csv")
    succeed("select", "data.csv", *FAST, "--ranking", "ranking.csv", cwd=tmp_path)
    assert (tmp_path / "ranking.csv").is_symlink()
    assert read_csv(tmp_path / "real.csv")[0][0] == "rank"


def test_streams_are_written_and_never_replaced(data, tmp_path):
    before = {name: os.lstat(name) for name in ["/dev/stdout", "/dev/null", "/dev/full"]}
    done = shell("$QS info data.csv --json /dev/stdout | tee all | grep -c '\"rows\": 300'; "
                 "$QS info data.csv --json /dev/stdout > file; "
                 "$QS select data.csv --epochs 2 --quiet --ranking >(cat > sub.csv) "
                 "--json /dev/null; "
                 "$QS select data.csv --epochs 2 --quiet --ranking /dev/fd/7 7> seven.csv; sleep 0.2",
                 tmp_path)
    assert done.stdout.strip() == b"1", done
    # What the program says went to the standard error output.
    assert json.loads((tmp_path / "file").read_text())["rows"] == 300 and b"data  " in done.stderr
    assert len(read_csv(tmp_path / "sub.csv")) == 41
    assert len(read_csv(tmp_path / "seven.csv")) == 41
    fail("info", "data.csv", "--json", "/dev/full", cwd=tmp_path, code=1,
         says=["/dev/full", "No space left"])
    for name, info in before.items():
        assert stat.S_IFMT(os.lstat(name).st_mode) == stat.S_IFMT(info.st_mode)
        assert os.lstat(name).st_ino == info.st_ino


def test_a_pipe_gets_a_table_but_not_what_is_written_out_of_order(data, tmp_path):
    for ending in ["csv", "npz", "h5ad"]:
        os.mkfifo(tmp_path / f"pipe.{ending}")
    done = shell("cat pipe.csv > copy.csv & $QS convert data.csv pipe.csv && wait", tmp_path)
    assert done.returncode == 0, done
    assert (tmp_path / "copy.csv").read_bytes() == (tmp_path / "data.csv").read_bytes()
    for ending in ["npz", "h5ad"]:
        fail("convert", "data.csv", f"pipe.{ending}", cwd=tmp_path, code=1, says=["in order"])


@pytest.mark.parametrize("ending", ["csv", "npy", "npz", "h5ad", "mat", "svm"])
def test_permissions_stay_and_read_only_files_too(data, tmp_path, ending):
    out = tmp_path / f"out.{ending}"
    out.write_text("old")
    out.chmod(0o600)
    succeed("convert", "data.csv", out.name, cwd=tmp_path)
    assert stat.S_IMODE(out.stat().st_mode) == 0o600
    assert names_in(tmp_path) == sorted(["data.csv", out.name])
    out.chmod(0o444)
    fail("convert", "data.csv", out.name, cwd=tmp_path, code=1, says=["read-only"])


def test_what_only_others_may_replace_is_refused_before_the_work(data, tmp_path):
    if os.geteuid() != 0 or shutil.which("setpriv") is None:
        pytest.skip("only root can become somebody else")
    tmp_path.chmod(0o1777)
    (tmp_path / "out.csv").write_text("old")
    (tmp_path / "out.csv").chmod(0o666)
    os.mkfifo(tmp_path / "pipe")  # nobody writes into it: the data are not even asked for
    done = shell("setpriv --reuid=65534 --regid=65534 --clear-groups $QS select pipe --ranking out.csv", tmp_path)
    assert done.returncode == 1 and b"cannot replace out.csv: Operation not permitted" in done.stderr, done


def test_all_outputs_are_put_in_place_after_the_last_is_prepared(data, tmp_path):
    """The report does not fit: nothing else was touched."""
    for name in ["ranking.csv", "page.html", "result.json"]:
        (tmp_path / name).write_text("old")
    done = subprocess.run(
        ["prlimit", "--fsize=20000", PROGRAM, "select", "data.csv", *FAST, "--ranking", "ranking.csv",
         "--report", "page.html", "--json", "result.json"],
        cwd=tmp_path, capture_output=True, timeout=TIMEOUT)
    assert done.returncode == 1, done
    assert b"page.html" in done.stderr and b"File too large" in done.stderr
    for name in ["ranking.csv", "page.html", "result.json"]:
        assert (tmp_path / name).read_text() == "old"
    assert names_in(tmp_path) == ["data.csv", "page.html", "ranking.csv", "result.json"]


@pytest.mark.parametrize("ending", ["npy", "npz", "h5ad", "mat", "csv"])
def test_a_file_that_grows_too_large_is_an_error_in_words(tmp_path, ending):
    np.save(tmp_path / "data.npy", np.random.default_rng(0).normal(size=(300, 100)))
    done = subprocess.run(["prlimit", "--fsize=50000", PROGRAM, "convert", "data.npy", f"out.{ending}"],
                          cwd=tmp_path, capture_output=True, timeout=TIMEOUT)
    assert done.returncode == 1, done
    assert done.stderr.startswith(b"error: cannot write out."), done
    assert b"Success" not in done.stderr
    assert names_in(tmp_path) == ["data.npy"]


def test_outputs_and_their_folder_reach_the_disk(data, tmp_path):
    if shutil.which("strace") is None:
        pytest.skip("strace is not installed")
    for ending in ["csv", "npz"]:
        trace = tmp_path / "trace"
        done = subprocess.run(
            ["strace", "-f", "-y", "-o", trace, "-e", "trace=fsync,rename,renameat,renameat2,umask",
             PROGRAM, "convert", "data.csv", f"out.{ending}"],
            cwd=tmp_path, capture_output=True, timeout=TIMEOUT)
        assert done.returncode == 0, done
        calls = [line.split(maxsplit=1)[1] for line in trace.read_text().splitlines()
                 if "+++" not in line]
        kinds = [call.split("(")[0] for call in calls]
        assert kinds[0] == "fsync" and kinds[-1] == "fsync" and "umask" not in kinds, calls
        assert any("rename" in kind for kind in kinds)
        assert calls[-1].split("<")[1].startswith(str(tmp_path) + ">"), calls
