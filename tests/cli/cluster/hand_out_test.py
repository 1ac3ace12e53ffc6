# tests/cli/cluster/hand_out_test.py: whole trainings for processes as they become free give the
# tables of one process.
import json
import os
import signal
import subprocess

import numpy as np
import pytest

from processes import (end_after_kill, needs_mpi, run_processes, start_processes, succeed_processes,
                       workers_of)
from program import TIMEOUT, read_csv, read_json, succeed, wait_for

pytestmark = needs_mpi


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    folder = tmp_path_factory.mktemp("data")
    random = np.random.default_rng(5)
    values = random.normal(size=(120, 4)) @ random.normal(size=(4, 15))
    values += 0.2 * random.normal(size=values.shape)
    labels = (values[:, 0] > 0).astype(int)
    lines = [",".join([*(f"f{i}" for i in range(15)), "label"])]
    lines += [",".join([*(f"{x:.6f}" for x in row), str(label)])
              for row, label in zip(values, labels)]
    (folder / "data.csv").write_text("\n".join(lines) + "\n")
    return folder / "data.csv"


def rows_in(folder):
    """The results without times and memory, in any order."""
    rows = []
    for line in (folder / "results.jsonl").read_text().splitlines():
        row = json.loads(line)
        rows.append({name: value for name, value in row.items()
                     if "seconds" not in name and name not in ("peak_rss_bytes", "joules",
                                                               "energy_source")})
    return sorted(rows, key=lambda row: (row["method"], row["k"], row["run"]))


COMPARE = ("--methods", "quickselection,variance,mcfs,fcae", "--epochs", 3, "--hidden", 20, "-k",
           "3,6", "--runs", 3, "--quiet", "--threads", 1)


def test_compare_gives_the_rows_of_one_process(data, tmp_path):
    succeed("compare", data, *COMPARE, "--out", "one", cwd=tmp_path)
    succeed_processes(3, "compare", data, *COMPARE, "--out", "many", cwd=tmp_path)
    assert rows_in(tmp_path / "many") == rows_in(tmp_path / "one")
    tables = [[row for row in read_csv(tmp_path / name / "summary.csv")
               if row[3] not in ("seconds", "peak_rss_bytes", "joules")]
              for name in ("one", "many")]
    assert tables[0] == tables[1] and len(tables[0]) > 8


def test_tune_gives_the_rows_of_one_process(data, tmp_path):
    grid = (data, "-k", 5, "--epochs", "2,3", "--noise", "0,0.2", "--hidden", 10, "--quiet",
            "--threads", 1)
    succeed("tune", *grid, "--out", "one", cwd=tmp_path)
    succeed_processes(2, "tune", *grid, "--out", "many", cwd=tmp_path)
    assert rows_in(tmp_path / "many") == rows_in(tmp_path / "one")


def test_runs_of_select(data, tmp_path):
    for name, more in [("seeds", ()), ("rows", ("--bootstrap",))]:
        command = ("select", data, "--epochs", 3, "--hidden", 20, "-k", 4, "--runs", 5, *more,
                   "--threads", 1)
        succeed(*command, "--ranking", "one.csv", "--run-rankings", "one_runs.csv", "--json",
                "one.json", cwd=tmp_path)
        said = succeed_processes(3, *command, "--ranking", "many.csv", "--run-rankings",
                                 "many_runs.csv", "--json", "many.json", cwd=tmp_path)
        for file in ("{}.csv", "{}_runs.csv"):
            assert ((tmp_path / file.format("many")).read_bytes() ==
                    (tmp_path / file.format("one")).read_bytes()), name
        one, many = read_json(tmp_path / "one.json"), read_json(tmp_path / "many.json")
        for key in ("loss", "stability", "warnings", "explained"):
            assert many.get(key) == one.get(key), key
        assert many["runs_at_once"] == 3
        assert said.out.count("features") > 0


LONG = ("--methods", "quickselection", "--epochs", 400, "--hidden", 100, "-k", 3, "--runs", 6,
        "--quiet", "--threads", 1)


@pytest.mark.parametrize("rank, sent, code", [(0, signal.SIGINT, 130), (2, signal.SIGTERM, 143)])
def test_a_signal_stops_all_and_continue_goes_on(data, tmp_path, rank, sent, code):
    succeed("compare", data, *LONG, "--out", "one", cwd=tmp_path)
    job = start_processes(3, "compare", data, *LONG, "--out", "many", cwd=tmp_path,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    results = tmp_path / "many" / "results.jsonl"
    assert wait_for(lambda: results.exists() and results.read_text().count("\n") >= 1, job)
    workers = workers_of(job)
    assert sorted(workers) == [0, 1, 2]
    os.kill(workers[rank], sent)
    _, err = job.communicate(timeout=TIMEOUT)
    words = [line for line in err.decode().splitlines() if line.startswith("stopped")]
    assert job.returncode == code, err
    assert len(words) == 1 and words[0].endswith("of 6 runs; go on with --continue --out many")
    succeed_processes(2, "compare", data, *LONG, "--out", "many", "--continue", cwd=tmp_path)
    assert rows_in(tmp_path / "many") == rows_in(tmp_path / "one")


def test_a_killed_process_ends_the_job_and_continue_goes_on(data, tmp_path):
    succeed("compare", data, *LONG, "--out", "one", cwd=tmp_path)
    job = start_processes(3, "compare", data, *LONG, "--out", "many", cwd=tmp_path,
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    results = tmp_path / "many" / "results.jsonl"
    assert wait_for(lambda: results.exists() and results.read_text().count("\n") >= 2, job)
    workers = workers_of(job)
    os.kill(workers[1], signal.SIGKILL)
    assert end_after_kill(job, workers) != 0
    succeed_processes(3, "compare", data, *LONG, "--out", "many", "--continue", cwd=tmp_path)
    assert rows_in(tmp_path / "many") == rows_in(tmp_path / "one")


def test_an_error_of_process_0_is_said_once(data, tmp_path):
    succeed("compare", data, *COMPARE, "--out", "there", cwd=tmp_path)
    refused = run_processes(3, "compare", data, *COMPARE, "--out", "there", cwd=tmp_path)
    assert refused.code == 1
    assert len([line for line in refused.err.splitlines() if line.startswith("error:")]) == 1
