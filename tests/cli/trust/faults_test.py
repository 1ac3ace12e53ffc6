# tests/cli/trust/faults_test.py: a short, seeded part of tests/faults: calls that fail, processes that are
# killed.
import os
import subprocess
import sys
from pathlib import Path

import pytest

from program import PROGRAM

FAULTS = Path(__file__).resolve().parents[2] / "faults"


def play(script, *words):
    done = subprocess.run([sys.executable, FAULTS / script, *map(str, words)], capture_output=True,
                          text=True, timeout=600, env={**os.environ, "QUICKSELECTION_BIN": str(PROGRAM)})
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize("case", ["select", "convert", "convert to HDF5", "convert from HDF5", "extract",
                                  "compare"])
def test_a_call_that_fails_is_an_error_or_makes_no_difference(case):
    table = play("faults.py", "--cases", case, "--most", 3, "--memory", 3, "--seed", 1)
    assert int(table.splitlines()[-1].split("|")[2]) > 20


def test_a_lack_of_memory_leaves_no_name_of_an_unfinished_file():
    play("faults.py", "--cases", "convert to HDF5", "--kinds", "memory", "--last", 30)


def test_a_lack_of_memory_in_any_thread_of_any_method_leaves_nobody_waiting():
    table = play("faults.py", "--set", "threads", "--kinds", "thread_memory", "--memory", 3, "--seed", 1)
    assert int(table.splitlines()[-1].split("|")[2]) > 20


@pytest.mark.parametrize("case, kind", [("convert to HDF5", "write"), ("convert from HDF5", "read")])
def test_no_failure_of_the_disk_is_lost_within_hdf5(case, kind):
    play("faults.py", "--cases", case, "--kinds", kind)


@pytest.mark.parametrize("files", [[], ["--named"]])
def test_a_kill_loses_nothing_and_leaves_nothing_after_the_next_run(files):
    play("kills.py", "--kills", 20, "--seed", 1, *files)
