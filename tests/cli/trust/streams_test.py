# tests/cli/trust/streams_test.py: standard streams that are closed or full, limits on threads, signals.
import os
import signal
import subprocess
import time

import pytest

from program import (FAST, PROGRAM, TIMEOUT, catches_interrupts, names_in, read_csv, read_json, start, succeed,
                     wait_for)


def shell(script, cwd):
    return subprocess.run(["bash", "-c", script], cwd=cwd, capture_output=True, timeout=TIMEOUT,
                          env={**os.environ, "QS": str(PROGRAM)})


@pytest.mark.parametrize("words", ["info DATA", "select DATA --epochs 2", "methods", "--help",
                                   "--version", "select --help"])
@pytest.mark.parametrize("to", ["> /dev/full", ">&-"])
def test_output_that_is_lost_is_an_error(madelon, tmp_path, words, to):
    done = shell(f"$QS {words.replace('DATA', str(madelon))} {to}", tmp_path)
    assert done.returncode == 1, done
    assert b"error: cannot write to the standard output" in done.stderr


@pytest.mark.parametrize("streams", ["<&-", "2>&-", "2> /dev/full", "<&- 2>&-", "<&- >&- 2>&-",
                                     "<&- > /dev/full 2> /dev/full"])
def test_files_are_whole_whatever_the_streams_are(madelon, tmp_path, streams):
    lost = ">&-" in streams.replace("2>&-", "") or "> /dev/full 2>" in streams
    done = shell(f"$QS select {madelon} --method variance --ranking r.csv --json r.json {streams}",
                 tmp_path)
    assert done.returncode == (1 if lost else 0), done
    assert len(read_csv(tmp_path / "r.csv")) == 41
    assert read_json(tmp_path / "r.json")["method"] == "variance"
    done = shell(f"$QS convert {madelon} data.h5ad --quiet {streams} && "
                 f"$QS convert data.h5ad back.npz --quiet {streams}", tmp_path)
    assert done.returncode == 0, done  # HDF5 has a process of its own


def test_an_error_with_nowhere_to_say_it_is_still_an_exit_code(tmp_path):
    for streams in ["2>&-", "2> /dev/full", "<&- >&- 2>&-"]:
        assert shell(f"$QS info nothing.csv {streams}", tmp_path).returncode == 1
        assert shell(f"$QS select --nonsense {streams}", tmp_path).returncode == 2


@pytest.mark.parametrize("streams", ["<&-", "<&- 2>&-", "<&- >&- 2>&-"])
def test_compare_runs_its_processes_without_streams(madelon, tmp_path, streams):
    shell(f"$QS compare {madelon} --methods variance,random --runs 2 -k 5 --quiet --out results "
          f"{streams}", tmp_path)
    rows = (tmp_path / "results" / "results.jsonl").read_text().splitlines()
    assert len(rows) == 4
    assert not any('"error"' in row or "crash" in row for row in rows), rows


def test_a_polite_kill_ends_with_143(madelon, tmp_path):
    process = start("select", madelon, "--epochs", 100000, "--checkpoint", "state", cwd=tmp_path,
                    stderr=subprocess.PIPE)
    assert wait_for((tmp_path / "state").exists, process)
    process.send_signal(signal.SIGTERM)
    _, err = process.communicate(timeout=TIMEOUT)
    assert process.returncode == 143, err


@pytest.mark.parametrize("limit", [["prlimit", "--as=400000000"],
                                   ["setpriv", "--reuid=65534", "--clear-groups",
                                    "prlimit", "--nproc=2"]])
def test_fewer_threads_than_asked_for_give_the_same_result(madelon, tmp_path, limit):
    if limit[0] == "setpriv" and os.geteuid() != 0:
        pytest.skip("only root can become somebody else")
    tmp_path.chmod(0o777)
    data = tmp_path / "data.csv"
    data.write_bytes(madelon.read_bytes())
    succeed("select", data, *FAST, "--threads", 1, "--ranking", "one.csv", cwd=tmp_path)
    done = subprocess.run([*limit, PROGRAM, "select", "data.csv", *FAST, "--threads", "64",
                           "--ranking", "many.csv", "--json", "many.json"],
                          cwd=tmp_path, capture_output=True, timeout=TIMEOUT)
    if limit[0] == "prlimit" and done.returncode == 1:  # the stacks left too little for the work
        assert b"out of memory" in done.stderr
        return
    assert done.returncode == 0, done
    assert read_json(tmp_path / "many.json")["threads"] < 64
    assert (tmp_path / "many.csv").read_bytes() == (tmp_path / "one.csv").read_bytes()


def test_an_error_names_a_stream_whose_name_begins_like_that_of_its_copy(tmp_path):
    for number in (30, 40, 50):
        done = shell(f"$QS select /proc/self/fd/{number} {number}< <(printf 'a,b\\n1\\n')", tmp_path)
        assert done.returncode == 1 and f"/proc/self/fd/{number}, line 2".encode() in done.stderr, done


def test_a_stream_of_hdf5_leaves_no_name_behind_at_any_moment(madelon, tmp_path):
    succeed("convert", madelon, "data.h5ad", cwd=tmp_path)
    folder = tmp_path / "temporary"
    folder.mkdir()
    before = folder.stat().st_mtime_ns
    for source in ("-", "/dev/fd/5"):
        done = shell(f"cat data.h5ad | TMPDIR={folder} $QS convert {source} out.csv 5< <(cat data.h5ad)", tmp_path)
        assert done.returncode == 0, done
        assert len(read_csv(tmp_path / "out.csv")) == 301
    assert folder.stat().st_mtime_ns == before


def test_a_pipe_is_no_model_and_nobody_waits_for_it(madelon, tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for words in (["extract", madelon, "--model", "pipe", "--out", "x.npy"],
                  ["select", madelon, *FAST, "--resume", "pipe"]):
        done = subprocess.run([PROGRAM, *map(str, words)], cwd=tmp_path, capture_output=True, timeout=TIMEOUT)
        assert done.returncode == 1 and b"pipe" in done.stderr, done


@pytest.mark.parametrize("limit", ["--as=150000000", "--as=300000000", "--as=420000000", "--data=350000000"])
def test_a_limit_on_memory_never_makes_the_program_wait_for_ever(madelon, tmp_path, limit):
    """OpenBLAS asks for 128 MB for each thread again and again."""
    for words in (["info", madelon], ["select", madelon, "--method", "variance", "--threads", 8],
                  ["extract", madelon, "--network", "pca", "--layers", "5", "--threads", 8, "--out", "x.npy"]):
        done = subprocess.run(["prlimit", limit, PROGRAM, *map(str, words)], cwd=tmp_path, capture_output=True,
                              timeout=TIMEOUT)
        assert done.returncode == 0 or (done.returncode == 1 and b"memory" in done.stderr), done
        if limit in ("--as=420000000", "--data=350000000"):
            assert done.returncode == 0, done


@pytest.mark.parametrize("asked", [signal.SIGTERM, signal.SIGINT])
@pytest.mark.parametrize("words", [["info", "pipe"], ["select", "pipe"], ["convert", "pipe", "out.csv"], ["info", "-"],
                                   ["evaluate", "DATA", "--ranking", "pipe"],
                                   ["compare", "pipe", "--methods", "variance", "--out", "results"],
                                   ["convert", "DATA", "into.csv"],
                                   ["select", "DATA", *FAST, "--ranking", "into.csv"]])
def test_who_waits_for_a_pipe_ends_when_asked_to(madelon, tmp_path, words, asked):
    for pipe in ("pipe", "into.csv"):
        os.mkfifo(tmp_path / pipe)
    before = names_in(tmp_path)
    process = start(*(madelon if word == "DATA" else word for word in words), cwd=tmp_path, stdin=subprocess.PIPE,
                    stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    assert wait_for(lambda: catches_interrupts(process), process), process.stderr.read()
    time.sleep(0.2)  # mostly it is waiting by now; before, it must end as well
    process.send_signal(asked)
    assert process.wait(timeout=TIMEOUT) == 128 + asked, process.stderr.read()
    process.stdin.close()
    process.stderr.close()
    assert names_in(tmp_path) == before
