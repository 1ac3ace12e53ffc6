# tests/cli/checkpoint_test.py: interrupted trainings continue to the identical result.
import re
import signal
import subprocess

import numpy as np
import pytest

from program import (FAST, catches_interrupts, fail, names_in, read_csv, read_json, start,
                     succeed, wait_for, write_csv)

TRIES = 20  # to hit the middle of a training that takes about a second
LONG_EPOCHS = 50


@pytest.fixture(scope="module")
def long_run(tmp_path_factory):
    """A training long enough to be interrupted: its command and its ranking. One thread, because
    two on a busy machine take many times longer."""
    folder = tmp_path_factory.mktemp("long")
    succeed("generate", "gaussian", "-o", "data.npy", "--rows", 5000, "--features", 100, cwd=folder)
    command = ("select", folder / "data.npy", "--epochs", LONG_EPOCHS, "--batch-size", 50, "--quiet",
               "--threads", 1, "--ranking", "ranking.csv")
    succeed(*command, cwd=folder)
    return command, (folder / "ranking.csv").read_bytes()


@pytest.fixture(scope="module")
def finished(madelon, tmp_path_factory):
    """A folder with the checkpoint of a training of five epochs, its command and its ranking."""
    folder = tmp_path_factory.mktemp("finished")
    command = ("select", madelon, *FAST, "--quiet", "--ranking", "ranking.csv")
    succeed(*command, "--checkpoint", "state", cwd=folder)
    return folder / "state", command, (folder / "ranking.csv").read_bytes()


def epoch_and_batch(checkpoint):
    head = checkpoint.read_bytes()[:4096]
    return tuple(int(re.search(rb'"%s":(\d+)' % name, head)[1]) for name in [b"epoch", b"batch"])


def wait_for_epoch(process, checkpoint, epoch):
    return wait_for(lambda: checkpoint.exists() and epoch_and_batch(checkpoint)[0] >= epoch, process)


def test_checkpoints_do_not_change_the_result(long_run, tmp_path):
    command, expected = long_run
    succeed(*command, "--checkpoint", "state", "--checkpoint-every", 20, cwd=tmp_path)
    assert (tmp_path / "ranking.csv").read_bytes() == expected
    assert epoch_and_batch(tmp_path / "state") == (LONG_EPOCHS, 0)
    assert names_in(tmp_path) == ["ranking.csv", "state"]


def stop_in_the_middle(command, folder, stop, after_epoch, mid_epoch=False, last=LONG_EPOCHS):
    """Stops a training that saves to and perhaps continues from `state`, once it has finished
    `after_epoch`; again when the signal came too late. Returns its exit code and its last words."""
    checkpoint, ranking = folder / "state", folder / "ranking.csv"
    before = checkpoint.read_bytes() if checkpoint.exists() else None
    for _ in range(TRIES):
        resume = ["--resume", "state"] if before is not None else []
        process = start(*command, "--checkpoint", "state", *resume, cwd=folder,
                        stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        if after_epoch == 0:
            wait_for(lambda: catches_interrupts(process), process)
        else:
            wait_for_epoch(process, checkpoint, after_epoch)
        process.send_signal(stop)
        out, err = process.communicate()
        assert out == b""
        epoch, batch = epoch_and_batch(checkpoint)
        if epoch < last and (batch > 0 or not mid_epoch) and not ranking.exists():
            assert epoch >= after_epoch
            return process.returncode, err.decode()
        ranking.unlink(missing_ok=True)
        checkpoint.unlink()
        if before is not None:
            checkpoint.write_bytes(before)
    pytest.fail("every signal came too late")


def test_killed_training_resumes_to_the_identical_ranking(long_run, tmp_path):
    command, expected = long_run
    code, err = stop_in_the_middle(command, tmp_path, signal.SIGKILL, after_epoch=3)
    assert (code, err) == (-signal.SIGKILL, "")
    assert epoch_and_batch(tmp_path / "state")[1] == 0
    succeed(*command, "--resume", "state", cwd=tmp_path)
    assert (tmp_path / "ranking.csv").read_bytes() == expected


# Each long enough to be killed on its way; those of several stages are killed in the first and, when
# they go on, in a later one.
@pytest.mark.parametrize("method, options", [
    ("wast", ("--epochs", 10, "--hidden", 50)),
    ("fcae", ("--epochs", 40, "--hidden", 200)),
    ("lottery_ticket", ("--epochs", 25, "--hidden", 200)),
    ("concrete_autoencoder", ("--epochs", 30, "-k", 10)),
    ("aefs", ("--epochs", 30, "-k", 20, "--alpha", 0.01)),
    ("aefs", ("--epochs", 5, "-k", 20))])
def test_every_trained_method_resumes_after_kills_to_the_identical_ranking(long_run, tmp_path, method,
                                                                          options):
    command = (*long_run[0][:2], "--method", method, *options, "--quiet", "--threads", 1, "--ranking",
               "ranking.csv")
    succeed(*command, cwd=tmp_path)
    expected = (tmp_path / "ranking.csv").read_bytes()
    (tmp_path / "ranking.csv").unlink()
    last = options[1]
    code, _ = stop_in_the_middle(command, tmp_path, signal.SIGKILL, after_epoch=1, last=last)
    assert code == -signal.SIGKILL
    for _ in range(3):  # and again wherever it happens to be
        process = start(*command, "--checkpoint", "state", "--resume", "state", cwd=tmp_path)
        before = (tmp_path / "state").read_bytes()
        wait_for(lambda: (tmp_path / "state").read_bytes() != before, process)
        process.kill()
        process.wait()
    succeed(*command, "--resume", "state", cwd=tmp_path)
    assert (tmp_path / "ranking.csv").read_bytes() == expected


def test_a_killed_training_settles_at_the_same_epoch(long_run, tmp_path):
    command = (*long_run[0][:2], "--epochs", "auto", *long_run[0][4:])
    succeed(*command, "--json", "whole.json", cwd=tmp_path)
    expected = (tmp_path / "ranking.csv").read_bytes()
    (tmp_path / "ranking.csv").unlink()
    whole = read_json(tmp_path / "whole.json")
    assert whole["settled"] and whole["options"]["epochs"] == "auto"
    assert 10 <= whole["epochs"] < 100 and whole["training"].startswith("the ranking settled")
    code, _ = stop_in_the_middle(command, tmp_path, signal.SIGKILL, after_epoch=6,
                                 last=whole["epochs"])
    assert code == -signal.SIGKILL
    succeed(*command, "--resume", "state", "--json", "resumed.json", cwd=tmp_path)
    assert (tmp_path / "ranking.csv").read_bytes() == expected
    assert read_json(tmp_path / "resumed.json")["loss"] == whole["loss"]
    succeed(*command[:2], "--epochs", whole["epochs"], *command[4:], cwd=tmp_path)
    assert (tmp_path / "ranking.csv").read_bytes() == expected


@pytest.mark.parametrize("after_epoch", [0, 2])
def test_interrupted_training_resumes_in_mid_epoch(long_run, tmp_path, after_epoch):
    command, expected = long_run
    code, err = stop_in_the_middle(command, tmp_path, signal.SIGINT, after_epoch,
                                   mid_epoch=after_epoch > 0)
    assert (code, err) == (130, "stopped; continue with --resume state\n")
    assert names_in(tmp_path) == ["state"]
    succeed(*command, "--resume", "state", cwd=tmp_path)
    assert (tmp_path / "ranking.csv").read_bytes() == expected
    assert names_in(tmp_path) == ["ranking.csv", "state"]


def test_interrupted_twice_resumes_to_the_identical_ranking(long_run, tmp_path):
    command, expected = long_run
    for epoch in [2, 10]:
        code, _ = stop_in_the_middle(command, tmp_path, signal.SIGINT, epoch, mid_epoch=True)
        assert code == 130
    succeed(*command, "--resume", "state", cwd=tmp_path)
    assert (tmp_path / "ranking.csv").read_bytes() == expected


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM])
def test_interrupted_without_checkpoint_leaves_nothing(long_run, tmp_path, stop):
    command, _ = long_run
    process = start(*command, "--json", "r.json", "--report", "r.html", "--selected", "s.npy",
                    cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert wait_for(lambda: catches_interrupts(process), process)
    process.send_signal(stop)
    assert process.communicate() == (b"", b"stopped\n")
    assert process.returncode == 128 + stop
    assert names_in(tmp_path) == []


def test_finished_training_can_go_on_for_more_epochs(finished, tmp_path):
    checkpoint, command, _ = finished  # the number of threads may change on the way
    longer = tuple(9 if word == "5" else word for word in command)
    succeed(*longer, "--threads", 1, "--json", "straight.json", cwd=tmp_path)
    expected = (tmp_path / "ranking.csv").read_bytes()
    succeed(*longer, "--threads", 3, "--json", "resumed.json", "--resume", checkpoint,
            cwd=tmp_path)
    assert (tmp_path / "ranking.csv").read_bytes() == expected
    straight, resumed = (read_json(tmp_path / f"{name}.json") for name in ["straight", "resumed"])
    assert straight["loss"] == resumed["loss"] and len(resumed["loss"]) == 9
    assert straight["scores"] == resumed["scores"]
    assert straight["parameters"] == resumed["parameters"]


def test_finished_training_resumes_to_its_own_result(finished, tmp_path):
    checkpoint, command, expected = finished
    succeed(*command, "--resume", checkpoint, cwd=tmp_path)
    assert (tmp_path / "ranking.csv").read_bytes() == expected


def test_resuming_beyond_the_end_is_refused(finished, tmp_path):
    checkpoint, command, _ = finished
    fail(*command[:2], "--epochs", 4, *command[4:], "--resume", checkpoint, cwd=tmp_path, code=2,
         says=[checkpoint, "epoch 5", "--epochs 4"])


@pytest.mark.parametrize("option, was, now", [
    ("zeta", "0.2", "0.3"), ("seed", "0", "1"), ("scale", "standard", "minmax"), ("clip", "0", "3"),
    ("hidden", "50", "51"), ("optimizer", "sgd", "adam"), ("noise-mode", "fixed", "fresh"),
    ("learning-rate", "0.01", "0.02"), ("batch-size", "100", "99")])
def test_other_options_are_refused_by_name(finished, tmp_path, option, was, now):
    checkpoint, command, _ = finished
    command = [word for i, word in enumerate(command)
               if option != "hidden" or "--hidden" not in (word, command[i - 1])]
    fail(*command, f"--{option}", now, "--resume", checkpoint, cwd=tmp_path, code=1,
         says=[checkpoint, f"--{option} was {was}, now it is {now}"], hint=["--resume"])


def test_other_data_is_refused(finished, madelon, tmp_path):
    checkpoint, command, _ = finished
    header, *rows = read_csv(madelon)
    refused = dict(cwd=tmp_path, code=1, hint=["same data"])

    write_csv(tmp_path / "fewer.csv", rows[:-1], header)
    fail("select", "fewer.csv", *command[2:], "--resume", checkpoint,
         says=["rows was 300, now it is 299"], **refused)

    write_csv(tmp_path / "narrower.csv", [row[1:] for row in rows], header[1:])
    fail("select", "narrower.csv", *command[2:], "--resume", checkpoint,
         says=["features was 40, now it is 39"], **refused)

    rows[17][3] = str(float(rows[17][3]) + 1)
    write_csv(tmp_path / "changed.csv", rows, header)
    fail("select", "changed.csv", *command[2:], "--resume", checkpoint,
         says=["hash of the data"], **refused)


def test_labels_and_names_may_change_on_resume(finished, madelon, tmp_path):
    checkpoint, command, expected = finished
    header, *rows = read_csv(madelon)
    write_csv(tmp_path / "bare.csv", [row[:-1] for row in rows], header[:-1])
    succeed("select", "bare.csv", *command[2:], "--resume", checkpoint, cwd=tmp_path)
    assert (tmp_path / "ranking.csv").read_bytes() == expected


@pytest.mark.parametrize("share", [0, 0.0001, 0.001, 0.01, 0.5, 0.99999])
def test_truncated_checkpoint_is_refused(finished, tmp_path, share):
    checkpoint, command, _ = finished
    whole = checkpoint.read_bytes()
    (tmp_path / "cut").write_bytes(whole[:int(share * len(whole))])
    fail(*command, "--resume", "cut", cwd=tmp_path, code=1, says=["cut is not a usable checkpoint"],
         hint=["--resume"])


def test_damaged_checkpoint_is_refused(finished, tmp_path):
    checkpoint, command, _ = finished
    whole = checkpoint.read_bytes()
    # In the magic, in the length, all over the header and all over the arrays.
    for at in [0, 20, 29, *range(40, 900, 90), *range(2000, len(whole), len(whole) // 8),
               len(whole) - 1]:
        damaged = bytearray(whole)
        damaged[at] ^= 1
        (tmp_path / "bad").write_bytes(damaged)
        fail(*command, "--resume", "bad", cwd=tmp_path, code=1,
             says=["bad is not a usable checkpoint"], hint=["--resume"])


def test_changed_epoch_in_a_checkpoint_is_refused(finished, tmp_path):
    checkpoint, command, _ = finished
    whole = checkpoint.read_bytes()
    assert whole.count(b'"epoch":5') == 1
    (tmp_path / "bad").write_bytes(whole.replace(b'"epoch":5', b'"epoch":3'))
    fail(*command, "--resume", "bad", cwd=tmp_path, code=1, says=["bad is not a usable checkpoint"])


def test_longer_checkpoint_is_refused(finished, tmp_path):
    checkpoint, command, _ = finished
    (tmp_path / "long").write_bytes(checkpoint.read_bytes() + b"x")
    fail(*command, "--resume", "long", cwd=tmp_path, code=1, says=["long is not a usable checkpoint"])


def test_file_that_is_no_checkpoint_is_refused(finished, madelon, tmp_path):
    _, command, _ = finished
    fail(*command, "--resume", madelon, cwd=tmp_path, code=1,
         says=[madelon, "is not a usable checkpoint"], hint=["--resume"])
    np.save(tmp_path / "zeros.npy", np.zeros(10000))
    fail(*command, "--resume", "zeros.npy", cwd=tmp_path, code=1,
         says=["zeros.npy is not a usable checkpoint"])


def test_missing_checkpoint_is_refused(finished, tmp_path):
    _, command, _ = finished
    fail(*command, "--resume", "nowhere", cwd=tmp_path, code=1, says=["nowhere"], hint=["--resume"])
    (tmp_path / "folder").mkdir()
    fail(*command, "--resume", "folder", cwd=tmp_path, code=1, says=["folder"], hint=["--resume"])


def test_methods_without_training_keep_no_checkpoints(madelon, tmp_path):
    for option in ["--checkpoint", "--resume"]:
        fail("select", madelon, "--method", "variance", option, "state", cwd=tmp_path, code=2,
             says=["variance keeps no checkpoints"], hint=["--checkpoint", "--resume"])


def test_checkpoint_every_must_be_at_least_one(madelon, tmp_path):
    fail("select", madelon, "--checkpoint", "state", "--checkpoint-every", 0, cwd=tmp_path, code=2,
         says=["--checkpoint-every", "0", "at least 1"])
