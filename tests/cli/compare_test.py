# tests/cli/compare_test.py: `compare`: rows, summaries, limits, Ctrl-C, and continuing after a kill.
import json
import os
import random
import shutil
import signal
import subprocess
import time
from pathlib import Path

import numpy as np
import pytest

from program import (TIMEOUT, catches_interrupts, fail, names_in, read_csv, read_json, run, start,
                     succeed, wait_for)

# Fast, and one of each kind: several K from one training, one training for each K, no training.
METHODS = "QS2=quickselection:epochs=2:hidden=30,mcfs,variance,random"
FAST = ("--trees", 3, "--repetitions", 1, "--restarts", 1, "--threads", 1)
MEASURED = {"seconds", "peak_rss_bytes", "joules", "run_seconds"}


def rows_in(folder):
    return [json.loads(line) for line in (folder / "results.jsonl").read_text().splitlines()]


def timeless(folder):
    """All that must not depend on when and how often it was interrupted."""
    rows = [{key: value for key, value in row.items() if key not in MEASURED}
            for row in rows_in(folder)]
    return sorted(rows, key=lambda row: (row["data"], row["method"], row["k"], row["run"]))


def children_of(process):
    try:
        tasks = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text()
    except OSError:
        return []
    return [int(child) for child in tasks.split()]


def is_alive(pid):
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except OSError:
        return False
    return state != "Z"


def compare(folder, *args):
    return succeed("compare", *args, *FAST, "--out", "out", cwd=folder)


def test_rows_and_summaries(madelon, tmp_path):
    result = compare(tmp_path, madelon, "--methods", METHODS, "-k", "5,10", "--runs", 2,
                     "--random-forest", "--all-features", "--json", "summary.json")
    rows = rows_in(tmp_path / "out")
    assert len(rows) == 4 * 2 * 2 + 2
    assert {row["status"] for row in rows} == {"ok"}
    for row in rows:
        for key in ["classification", "random_forest", "clustering"]:
            assert 0 <= row[key] <= 1
        if row["method"] == "all features":
            assert row["k"] == 0 and row["selected"] == []
            continue
        assert len(set(row["selected"])) == row["k"]
        assert row["seconds"] > 0 and row["peak_rss_bytes"] > 1e6 and row["joules"] >= 0
        assert row["energy_source"] and row["rows"] == 240 and row["features"] == 40
        assert (row["parameters"] > 0) == (row["method"] == "QS2")
    # One training for both K: the same figures, and the smaller selection begins the larger.
    for run_number in [1, 2]:
        small, large = [row for row in rows if row["method"] == "QS2" and row["run"] == run_number]
        assert small["seconds"] == large["seconds"]
        assert large["selected"][:5] == small["selected"]
    assert names_in(tmp_path / "out") == ["results.jsonl", "settings.json", "summary.csv",
                                          "summary.json", "summary.md", "summary.tex"]
    assert "Score 1" in result.out and "Score 2" in result.out and " *" in result.out
    summary = read_json(tmp_path / "summary.json")
    assert summary == read_json(tmp_path / "out/summary.json")
    cell = next(cell for cell in summary["cells"]
                if cell["method"] == "variance" and cell["k"] == 5)
    values = [row["classification"] for row in rows if row["method"] == "variance" and row["k"] == 5]
    assert cell["classification"]["mean"] == pytest.approx(np.mean(values))
    assert cell["classification"]["std"] == pytest.approx(np.std(values, ddof=1))
    header, *table = read_csv(tmp_path / "out/summary.csv")
    assert header == ["data", "method", "k", "measure", "mean", "std", "runs", "failed"]
    assert ["madelon", "QS2", "10"] in [row[:3] for row in table]
    assert "\\textbf{" in (tmp_path / "out/summary.tex").read_text()
    assert "**" in (tmp_path / "out/summary.md").read_text()


def test_a_finished_comparison_is_summed_up_again(madelon, tmp_path):
    compare(tmp_path, madelon, "--methods", "variance,random,mcfs", "-k", 5, "--runs", 1)
    before = (tmp_path / "out/results.jsonl").read_bytes()
    succeed("compare", "--continue", "--out", "out", "--unscored", "mcfs", cwd=tmp_path)
    assert (tmp_path / "out/results.jsonl").read_bytes() == before
    summary = read_json(tmp_path / "out/summary.json")
    assert [score["method"] for score in summary["scores"]] == ["variance", "random"]
    assert summary["data"] == [{"name": "madelon", "rows": 240, "features": 40}]


def test_selections_are_those_of_select_on_the_training_rows(madelon, tmp_path):
    compare(tmp_path, madelon, "--methods", "quickselection", "--epochs", 2, "--hidden", 30, "-k", 7,
            "--runs", 2, "--seed", 5, "--rows", "0:200", "--test-rows", "200:300")
    for row in rows_in(tmp_path / "out"):
        succeed("select", madelon, "--rows", "0:200", "--epochs", 2, "--hidden", 30, "-k", 7,
                "--seed", row["seed"], "--json", "r.json", "--quiet", cwd=tmp_path)
        assert read_json(tmp_path / "r.json")["selected"] == row["selected"]
    assert [row["seed"] for row in rows_in(tmp_path / "out")] == [5, 6]


def test_two_lengths_of_a_method_are_two_rows(madelon, tmp_path):
    compare(tmp_path, madelon, "--runs", 1, "-k", 5, "--hidden", 30, "--methods",
            "quickselection:epochs=1,quickselection:epochs=3")
    assert [row["method"] for row in rows_in(tmp_path / "out")] == [
        "quickselection:epochs=1", "quickselection:epochs=3"]


def test_killed_at_any_moment_and_continued(madelon, tmp_path):
    """kill -9, several times, anywhere; afterwards everything is as if nothing had happened."""
    args = ["compare", madelon, "--methods", METHODS, "-k", "5,10", "--runs", 3, *FAST, "--quiet"]
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    begin = time.monotonic()
    succeed(*args, "--out", whole, cwd=tmp_path)
    duration = time.monotonic() - begin
    randomness = random.Random(4)
    kills, workers = 0, []
    for attempt in range(100):
        begun = (parts / "settings.json").exists()
        process = start(*args, "--out", parts, *(["--continue"] if begun else []), cwd=tmp_path)
        try:
            # Longer and longer: a machine that has become busy comes to its end, too.
            process.wait(timeout=randomness.uniform(0, duration / 4 * (1 + attempt / 10)))
        except subprocess.TimeoutExpired:
            workers += children_of(process)
            process.kill()
            process.wait()
            kills += 1
            continue
        assert process.returncode == 0
        if kills >= 3:
            break
        shutil.rmtree(parts)  # the machine was busy before: it is faster than it seemed
        duration /= 2
    else:
        succeed(*args, "--out", parts, "--continue", cwd=tmp_path)
    assert kills >= 3
    assert timeless(parts) == timeless(whole)
    assert len(rows_in(parts)) == len(rows_in(whole)), "no row twice"
    wait_for(lambda: not any(is_alive(pid) for pid in workers))
    # The summary is that of the rows.
    strip = lambda cell: {key: cell[key] for key in ("data", "method", "k", "classification")}
    assert ([strip(cell) for cell in read_json(parts / "summary.json")["cells"]]
            == [strip(cell) for cell in read_json(whole / "summary.json")["cells"]])


def test_a_torn_line_is_dropped(madelon, tmp_path):
    args = [madelon, "--methods", METHODS, "-k", 5, "--runs", 2]
    compare(tmp_path, *args)
    before = timeless(tmp_path / "out")
    results = tmp_path / "out/results.jsonl"
    text = results.read_bytes()
    results.write_bytes(text[:len(text) // 2])
    compare(tmp_path, *args, "--continue")
    assert timeless(tmp_path / "out") == before


def test_continue_alone_goes_on_as_it_was_begun(madelon, tmp_path):
    compare(tmp_path, madelon, "--methods", METHODS, "-k", 5, "--runs", 2)
    before = timeless(tmp_path / "out")
    results = tmp_path / "out/results.jsonl"
    results.write_text("".join(results.read_text().splitlines(True)[:3]))
    (tmp_path / "elsewhere").mkdir()
    succeed("compare", "--continue", "--out", "../out", cwd=tmp_path / "elsewhere")
    assert timeless(tmp_path / "out") == before


def test_ctrl_c_keeps_what_was_finished(madelon, tmp_path):
    args = ["compare", madelon, "--methods", "variance,slow=quickselection:epochs=1000000", "-k", 5,
            "--runs", 1, *FAST, "--out", "out"]
    process = start(*args, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                    start_new_session=True)
    out = tmp_path / "out"
    wait_for(lambda: catches_interrupts(process) and (out / "results.jsonl").exists()
             and len(rows_in(out)) == 1 and children_of(process), process)
    workers = children_of(process)
    os.killpg(process.pid, signal.SIGINT)  # as the terminal does: to all of them
    _, err = process.communicate(timeout=TIMEOUT)
    assert process.returncode == 130
    assert b"stopped after 1 of 2 runs; go on with --continue --out out" in err
    assert not any(is_alive(pid) for pid in workers)
    assert [row["method"] for row in rows_in(out)] == ["variance"]
    assert names_in(out) == ["results.jsonl", "settings.json"]


def test_failures_and_limits_are_rows(madelon, tmp_path):
    result = compare(tmp_path, madelon, "--runs", 1, "-k", 5, "--time-limit", "1s", "--methods",
                     "bad=quickselection:learning-rate=1e30:epochs=2,"
                     "slow=quickselection:epochs=1000000,variance")
    rows = {(row["method"], row["k"]): row for row in rows_in(tmp_path / "out")}
    assert rows["bad", 5]["status"] == "failed" and "diverged" in rows["bad", 5]["message"]
    assert rows["slow", 5]["status"] == "time-limit" and "1 s" in rows["slow", 5]["message"]
    assert rows["variance", 5]["status"] == "ok"
    assert "slow on madelon, K 5: 1 of 1 runs failed" in result.out
    scores = {score["method"]: score for score in read_json(tmp_path / "out/summary.json")["scores"]}
    assert scores["bad"]["score1"]["total"] == scores["bad"]["score2"]["total"] == 0
    assert scores["variance"]["score1"]["total"] == 4


def test_memory_limit(tmp_path):
    np.save(tmp_path / "wide.npy", np.random.default_rng(0).normal(size=(100, 30000)))
    result = succeed("compare", "wide.npy", "--methods", "variance,fcae:epochs=1:hidden=1000", "-k",
                     5, "--runs", 1, "--memory-limit", "150M", "--reconstruction", "no", "--threads",
                     1, "--out", "out", cwd=tmp_path)
    status = {row["method"]: row["status"] for row in rows_in(tmp_path / "out")}
    assert status == {"variance": "ok", "fcae:epochs=1:hidden=1000": "memory-limit"}
    assert "needed more than" in result.out


def test_labels_never_influence_a_selection(madelon, tmp_path):
    header, *rows = read_csv(madelon)
    column = header.index("label") if "label" in header else len(header) - 1
    for name, relabel in [("a", lambda r, i: r[column]), ("b", lambda r, i: str(i % 3))]:
        (tmp_path / name).mkdir()
        lines = [",".join(header)] + [
            ",".join(r[:column] + [relabel(r, i)] + r[column + 1:]) for i, r in enumerate(rows)]
        (tmp_path / name / "data.csv").write_text("\n".join(lines) + "\n")
        compare(tmp_path / name, "data.csv", "--methods", METHODS, "-k", 5, "--runs", 2,
                "--test-rows", "240:300")
    a, b = [{(row["method"], row["run"]): row for row in rows_in(tmp_path / name / "out")}
            for name in "ab"]
    assert {key: row["selected"] for key, row in a.items()} == {
        key: row["selected"] for key, row in b.items()}
    assert any(a[key]["classification"] != b[key]["classification"] for key in a)


def test_several_data_sets_and_their_names(madelon, tmp_path):
    for folder in ["x", "y"]:
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "same.csv").write_bytes(Path(madelon).read_bytes())
    result = compare(tmp_path, madelon, "x/same.csv", "y/same.csv", "--methods", "variance,random",
                     "-k", 5, "--runs", 1)
    assert [row["data"] for row in rows_in(tmp_path / "out")][::2] == [
        "madelon", "x/same.csv", "y/same.csv"]
    assert "Score 1, normalised by group" in result.out


def test_two_programs_cannot_write_the_same_folder(madelon, tmp_path):
    args = ["compare", madelon, "--methods", "quickselection:epochs=1000000", "-k", 5, *FAST,
            "--out", "out"]
    process = start(*args, cwd=tmp_path, stderr=subprocess.DEVNULL)
    try:
        wait_for(lambda: children_of(process), process)
        result = run("compare", "--continue", "--out", "out", cwd=tmp_path)
        assert result.code == 1 and "another program is writing" in result.err
    finally:
        process.kill()
        process.wait()


@pytest.mark.parametrize("args, code, says", [
    (["--methods", "variance", "--out", "out"], 2, ["no data"]),
    (["DATA", "--out", "out"], 2, ["--methods is missing"]),
    (["DATA", "--methods", "variance"], 2, ["--out is missing"]),
    (["DATA", "--methods", "varianse", "--out", "out"], 2, ["varianse"]),
    (["DATA", "--methods", "variance:epochs=3", "--out", "out"], 2, ["--epochs"]),
    (["DATA", "--methods", "variance", "--epochs", 3, "--out", "out"], 2, ["none of the methods"]),
    (["DATA", "--methods", "variance,variance", "--out", "out"], 2, ["two methods", "variance"]),
    (["DATA", "--methods", "variance", "--out", "out", "-k", "0"], 2, ["k"]),
    (["DATA", "--methods", "variance", "--out", "out", "-k", "5,5"], 2, ["twice"]),
    (["DATA", "--methods", "variance", "--out", "out", "--runs", 0], 2, ["--runs is '0'"]),
    (["DATA", "--methods", "variance", "--out", "out", "--time-limit", "soon"], 2, ["soon"]),
    (["DATA", "--methods", "variance", "--out", "out", "--memory-limit", "lots"], 2, ["lots"]),
    (["DATA", "--methods", "variance", "--out", "out", "--continue"], 1, ["nothing to continue"]),
    (["--continue"], 2, ["--out is missing"]),
    (["--continue", "--out", "out"], 1, ["nothing to continue"]),
    (["--continue", "--out", "out", "--runs", 3], 2, ["--runs is given, but DATA is not"]),
    (["none.csv", "--methods", "variance", "--out", "out"], 1, ["none.csv"]),
    (["DATA", "--methods", "variance", "--out", "out", "--split", "0.2", "--test-rows", "0:5"], 2,
     ["only one of"]),
    (["DATA", "DATA", "--test", "DATA", "--methods", "variance", "--out", "out"], 2, ["--test"]),
])
def test_what_is_refused_before_work_begins(madelon, tmp_path, args, code, says):
    fail("compare", *[madelon if arg == "DATA" else arg for arg in args], cwd=tmp_path, code=code,
         says=says)


def test_existing_results_are_not_overwritten(madelon, tmp_path):
    args = [madelon, "--methods", "variance", "-k", 5, "--runs", 1]
    compare(tmp_path, *args)
    fail("compare", *args, *FAST, "--out", "out", cwd=tmp_path, code=1, says=["already holds"],
         hint=["--continue"])
    other = run("compare", *args[:-1], 2, *FAST, "--out", "out", "--continue", cwd=tmp_path)
    assert other.code == 2 and "--runs is 2, but was 1" in other.err and "hint: " in other.err


def test_progress_has_the_time_left(madelon, tmp_path):
    """A line comes every five seconds when nobody looks at a terminal."""
    result = compare(tmp_path, madelon, "--methods", "slow=quickselection:epochs=1000000,variance",
                     "-k", 5, "--runs", 1, "--time-limit", "7s")
    line = next(line for line in result.err.splitlines() if "madelon · slow · run 1 of 1" in line)
    assert "epoch " in line and " left" in line
