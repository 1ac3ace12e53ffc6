# tests/cli/cluster/ends_test.py: several processes end together, whatever ends one of them: signals,
# errors, kills. Nothing hangs and nothing is lost.
import os
import random
import shutil
import signal
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from processes import (ENVIRONMENT, MPIRUN, end_after_kill, gone, line, needs_mpi, run_processes,
                       start_processes, workers_of)
from program import PROGRAM, TIMEOUT, run, succeed, wait_for

pytestmark = needs_mpi

KILLS, JOBS = 51, 3


@pytest.fixture(scope="module")
def training(tmp_path_factory):
    """A training of a few seconds in four shards: its command and its ranking."""
    folder = tmp_path_factory.mktemp("training")
    values = np.random.default_rng(3).normal(size=(2000, 100)).astype("f4")
    np.save(folder / "data.npy", values)
    command = ("select", folder / "data.npy", "--epochs", 60, "--hidden", 200, "--shards", 4,
               "--quiet", "--no-check", "--threads", 1, "--ranking", "ranking.csv")
    succeed(*command, cwd=folder)
    return command, (folder / "ranking.csv").read_bytes()


def ours(text):
    """What the program said; the launcher adds words of its own."""
    return [words for words in text.splitlines() if words.startswith(("error:", "hint:", "stopped"))]


def started(count, command, folder):
    """A job that has saved its first epoch, and its processes by their number."""
    state = folder / "state"
    before = state.stat().st_mtime_ns if state.exists() else None
    resume = ("--resume", "state") if before is not None else ()
    job = start_processes(count, *command, "--checkpoint", "state", *resume, cwd=folder,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    wait_for(lambda: state.exists() and state.stat().st_mtime_ns != before, job)
    return job, workers_of(job)


def ended(job):
    out, err = job.communicate(timeout=TIMEOUT)
    return job.returncode, ours(err.decode())


def expect_resumes(command, folder, expected):
    succeed(*command, "--resume", "state", cwd=folder)
    assert (folder / "ranking.csv").read_bytes() == expected


@pytest.mark.parametrize("rank, sent, code", [(0, signal.SIGINT, 130), (2, signal.SIGTERM, 143)])
def test_a_signal_at_one_process_stops_all_after_saving(training, tmp_path, rank, sent, code):
    command, expected = training
    job, workers = started(3, command, tmp_path)
    assert sorted(workers) == [0, 1, 2]
    os.kill(workers[rank], sent)
    assert ended(job) == (code, ["stopped; continue with --resume state"])
    assert not (tmp_path / "ranking.csv").exists()
    expect_resumes(command, tmp_path, expected)


def test_a_signal_at_a_process_without_a_shard(training, tmp_path):
    command, _ = training
    one = tuple(1 if word == 4 else word for word in command)
    job, workers = started(2, one, tmp_path)
    os.kill(workers[1], signal.SIGTERM)
    assert ended(job) == (143, ["stopped; continue with --resume state"])


def test_ctrl_c_at_the_launcher(training, tmp_path):
    command, expected = training
    job, workers = started(2, command, tmp_path)
    job.send_signal(signal.SIGINT)
    assert ended(job)[0] != 0
    assert wait_for(lambda: all(map(gone, workers.values())))
    expect_resumes(command, tmp_path, expected)


def kill_at_random(folder, seed, kills, command, expected):
    """Each time another number of processes goes on from what the last job left."""
    folder.mkdir()
    chance = random.Random(seed)
    state, ranking = folder / "state", folder / "ranking.csv"
    while kills > 0:
        if ranking.exists():  # the end was reached: once more from the start
            assert ranking.read_bytes() == expected
            ranking.unlink()
            state.unlink()
        resume = ("--resume", "state") if state.exists() else ()
        count = chance.choice([2, 3, 4])
        with open(folder / "said", "wb") as said:
            job = start_processes(count, *command, "--checkpoint", "state", *resume, cwd=folder,
                                  stdout=said, stderr=said)
        # What little was left may be done before all of them are seen.
        wait_for(lambda: len(workers_of(job)) == count, job)
        workers = workers_of(job)
        time.sleep(chance.random() * 0.6)
        killed = False
        try:
            os.kill(workers[chance.randrange(count)], signal.SIGKILL)
            killed = True
        except (KeyError, ProcessLookupError):
            pass  # it had just ended
        code = end_after_kill(job, workers)
        words = (folder / "said").read_text(errors="replace")  # the launcher may fail by itself
        assert killed or code == 0 or not ours(words), words
        if not killed and code != 0:
            continue
        kills -= code != 0
        assert wait_for(lambda: all(map(gone, workers.values())))
    if state.exists():
        expect_resumes(command, folder, expected)


def test_kills_at_random_moments_lose_nothing(training, tmp_path):
    """Several jobs at once: the launcher sleeps for two seconds after each kill."""
    command, expected = training
    with ThreadPoolExecutor(JOBS) as pool:
        jobs = [pool.submit(kill_at_random, tmp_path / str(seed), seed, KILLS // JOBS, command,
                            expected) for seed in range(JOBS)]
    for job in jobs:
        job.result()


def same_words(count, *args, cwd, code):
    """Refused as one process refuses it: one message, no file."""
    alone = run(*args, cwd=cwd)
    many = run_processes(count, *args, cwd=cwd)
    assert (alone.code, many.code) == (code, code), (alone, many)
    assert ours(many.err) == ours(alone.err) != []


def test_errors_are_said_once_and_in_the_words_of_one_process(training, tmp_path):
    (select, data, *_), _ = training
    values = np.load(data)
    values[1500, 7] = np.nan  # the row of one process
    values[1700, 3] = np.inf
    np.save(tmp_path / "bad.npy", values)
    few = ("--epochs", 2, "--hidden", 20, "--quiet", "--no-check")
    same_words(3, select, "bad.npy", "--shards", 3, *few, cwd=tmp_path, code=1)
    same_words(2, select, "missing.npy", "--shards", 2, *few, cwd=tmp_path, code=1)
    same_words(2, select, data, "--shards", 2001, *few, cwd=tmp_path, code=2)
    same_words(2, select, data, "--shards", 200, *few, cwd=tmp_path, code=2)
    same_words(2, select, data, "--shards", "x", *few, cwd=tmp_path, code=2)
    same_words(2, select, data, "--ranking", "no/where.csv", *few, cwd=tmp_path, code=1)
    same_words(3, select, data, "--shards", 3, "--learning-rate", 1e9, *few, cwd=tmp_path, code=1)


def test_a_method_that_does_not_share_is_refused(training, tmp_path):
    (select, data, *_), _ = training
    refused = run_processes(2, select, data, "--method", "variance", cwd=tmp_path)
    assert refused.code == 2
    assert ours(refused.err)[0] == ("error: variance does not share its rows between processes, "
                                    "but there are 2")


def test_an_error_at_one_process_ends_those_that_wait_for_it(training, tmp_path):
    """The folder of the checkpoint goes away: process 0 fails in the middle of the training."""
    command, _ = training
    folder = tmp_path / "goes"
    folder.mkdir()
    job = start_processes(3, *command, "--checkpoint", folder / "state", cwd=tmp_path,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert wait_for((folder / "state").exists, job)
    shutil.rmtree(folder, ignore_errors=True)
    code, words = ended(job)
    assert code == 1
    assert len([text for text in words if text.startswith("error:")]) == 1, words
    assert "state" in words[0]


def in_two_folders(tmp_path, *args):
    """Two processes with folders of their own."""
    parts = []
    for name in ("a", "b"):
        (tmp_path / name).mkdir(exist_ok=True)
        parts += [":"] if parts else []
        parts += ["-n", "1", "--wdir", str(tmp_path / name), str(PROGRAM), *map(str, args)]
    done = subprocess.run([MPIRUN, "--oversubscribe", *parts], cwd=tmp_path, env=ENVIRONMENT,
                          capture_output=True, timeout=TIMEOUT)
    return done.returncode, ours(done.stderr.decode())


def test_different_files_under_one_name(tmp_path):
    args = ("select", "data.npy", "--shards", 2, "--epochs", 1, "--hidden", 5, "--no-check")
    for name, values in [("a", np.ones((20, 3), "f4")), ("b", np.ones((21, 3), "f4"))]:
        (tmp_path / name).mkdir()
        np.save(tmp_path / name / "data.npy", values)
    code, words = in_two_folders(tmp_path, *args)
    assert code == 1 and "20 rows x 3 features of type f32 for process 0, but 21 rows" in words[0]
    np.save(tmp_path / "b" / "data.npy", np.zeros((20, 3), "f4"))
    code, words = in_two_folders(tmp_path, *args)
    assert code == 1 and "but other values for process 1" in words[0]


def test_different_words_for_different_processes(tmp_path):
    done = subprocess.run([*line(1, "info", "a.npy"), ":", "-n", "1", PROGRAM, "info", "b.npy"],
                          cwd=tmp_path, env=ENVIRONMENT, capture_output=True, timeout=TIMEOUT)
    assert done.returncode == 2
    assert ours(done.stderr.decode())[0] == (
        "error: process 0 was started with 'info a.npy', but process 1 with 'info b.npy'")


def test_a_program_without_mpi_says_so(training, tmp_path):
    (select, data, *_), _ = training
    program = tmp_path / "bin" / "quickselection"
    program.parent.mkdir()
    shutil.copy(PROGRAM, program)
    args = [select, str(data), "--epochs", "1", "--hidden", "5", "--no-check"]
    for count, code in [(1, 0), (3, 1)]:
        done = subprocess.run([MPIRUN, "--oversubscribe", "-n", str(count), program, *args],
                              cwd=tmp_path, env=ENVIRONMENT, capture_output=True, timeout=TIMEOUT)
        assert done.returncode == code, done
        words = ours(done.stderr.decode())
        assert len(words) == (0 if code == 0 else 2), words
    assert words[0].startswith("error: this is one of 3 processes, but the program was built")
