# tests/cli/experiment_test.py: `experiment`: files that describe experiments.
import json
import os
import subprocess

import pytest

from compare_test import rows_in, timeless
from program import PROGRAM, ROOT, TIMEOUT, fail, names_in, read_csv, run, succeed

FILES = sorted(path for path in (ROOT / "experiments").glob("*.json") if path.name != "data.json")


def write(folder, **changes):
    description = {
        "title": "A small one", "paper": "Table 0", "kind": "compare",
        "data": [{"name": "made", "generate": "madelon", "seed": 3,
                  "generator-options": {"rows": 100, "features": 30},
                  "rows": [0, 80], "test-rows": [80, 100],
                  "options": {"quickselection": {"output-activation": "tanh"}}}],
        "methods": ["QS=quickselection:epochs=2:hidden=20", "variance"],
        "k": [4], "runs": 2, "threads": 1,
        "judges": {"trees": 3, "repetitions": 1, "restarts": 1}, **changes}
    path = folder / "experiment.json"
    path.write_text(json.dumps({key: value for key, value in description.items()
                                if value is not None}))
    return path


def test_a_file_that_is_not_there(tmp_path):
    fail("experiment", "nothing.json", "--out", "out", cwd=tmp_path, code=1, says=["cannot read nothing.json"],
         hint=["check the name"])


def test_generated_data(tmp_path):
    path = write(tmp_path)
    result = succeed("experiment", path, "--out", "out", cwd=tmp_path)
    assert result.out.startswith("A small one (Table 0)\n")
    assert names_in(tmp_path / "out/data") == ["made.labels.txt", "made.npy"]
    rows = rows_in(tmp_path / "out")
    assert len(rows) == 4 and all(row["status"] == "ok" for row in rows)
    assert all(row["rows"] == 80 and "classification" in row for row in rows)
    fail("experiment", path, "--out", "out", cwd=tmp_path, code=1, says=["already holds"])
    before = timeless(tmp_path / "out")
    (tmp_path / "out/results.jsonl").write_text("")
    succeed("experiment", path, "--out", "out", "--continue", cwd=tmp_path)
    assert timeless(tmp_path / "out") == before


def test_a_changed_file_is_not_continued(tmp_path):
    succeed("experiment", write(tmp_path), "--out", "out", cwd=tmp_path)
    result = run("experiment", write(tmp_path, runs=3), "--out", "out", "--continue", cwd=tmp_path)
    assert result.code == 2 and "--runs is 3, but was 2" in result.err


def test_missing_data_is_skipped_by_name(tmp_path):
    data = [{"name": "Far away", "file": "far.mat", "get": "https://example.org/far"},
            {"name": "made", "generate": "madelon",
             "generator-options": {"rows": 60, "features": 30}}]
    result = succeed("experiment", write(tmp_path, data=data), "--out", "out", cwd=tmp_path)
    assert "Far away is skipped: far.mat" in result.err and "https://example.org/far" in result.err
    assert {row["data"] for row in rows_in(tmp_path / "out")} == {"made"}
    result = run("experiment", write(tmp_path, data=data[:1]), "--out", "other", cwd=tmp_path)
    assert result.code == 1 and "none of the data" in result.err


def test_data_of_the_folder(madelon, tmp_path):
    data = [{"name": "Mine", "file": ["no.csv", madelon.name]}]
    done = subprocess.run([PROGRAM, "experiment", write(tmp_path, data=data), "--out", "out"],
                          cwd=tmp_path, timeout=TIMEOUT, capture_output=True,
                          env={**os.environ, "QUICKSELECTION_DATA": str(madelon.parent)})
    assert done.returncode == 0, done.stderr
    assert {row["data"] for row in rows_in(tmp_path / "out")} == {"Mine"}


def test_data_is_read_as_on_the_command_line(tmp_path):
    lines = [f"{i},{i % 7},{'' if i == 3 else i % 5},{i % 3},{'ab'[i % 2]}" for i in range(40)]
    (tmp_path / "holes.csv").write_text("id,a,b,c,label\n" + "\n".join(lines) + "\n")
    data = [{"name": "holes", "file": "holes.csv", "missing": "mean", "index-column": "id", "k": [2]}]
    succeed("experiment", write(tmp_path, data=data), "--out", "out", cwd=tmp_path)
    assert {(row["status"], row["features"]) for row in rows_in(tmp_path / "out")} == {("ok", 3)}
    data[0]["missing"] = "guess"
    result = run("experiment", write(tmp_path, data=data), "--out", "bad", cwd=tmp_path)
    assert result.code == 2 and "--missing is 'guess'" in result.err


def test_grid(tmp_path):
    path = write(tmp_path, kind="tune", methods=None, options={"hidden": 20},
                 grid={"epochs": [1, 2], "epsilon": [2, 5], "zeta": [0.1, 0.2]})
    result = succeed("experiment", path, "--out", "out", cwd=tmp_path)
    assert "zeta / epsilon" in result.out and "made, K 4, epochs=2" in result.out
    assert len(rows_in(tmp_path / "out")) == 16


def test_history(tmp_path):
    path = write(tmp_path, kind="history", methods=["quickselection:epochs=5:hidden=20"],
                 epochs=[2, 5])
    succeed("experiment", path, "--out", "out", cwd=tmp_path)
    header, *rows = read_csv(tmp_path / "out/strength.csv")
    assert header == ["epoch", "feature", "chosen_at", "place", "score"]
    assert len(rows) == 5 * 2 * 2 * 4
    header, *chosen = read_csv(tmp_path / "out/chosen.csv")
    assert [row[:2] for row in chosen] == [[e, r] for e in "25" for r in "1234"]
    succeed("select", "out/data/made.npy", "--rows", "0:80", "--epochs", 2, "--hidden", 20,
            "--output-activation", "tanh", "-k", 4, "--json", "r.json", "--quiet", cwd=tmp_path)
    selected = json.loads((tmp_path / "r.json").read_text())["selected"]
    assert [int(row[2]) for row in chosen[:4]] == selected


def test_only_and_runs(tmp_path):
    succeed("experiment", write(tmp_path), "--out", "out", "--only", "made", "--runs", 1, cwd=tmp_path)
    assert len(rows_in(tmp_path / "out")) == 2
    fail("experiment", tmp_path / "experiment.json", "--out", "o", "--only", "nothing", cwd=tmp_path,
         code=2, says=["nothing"])


@pytest.mark.parametrize("changes, says", [
    ({"kind": "dance"}, "dance"),
    ({"metods": ["variance"]}, "metods"),
    ({"methods": ["varianse"]}, "varianse"),
    ({"data": [{"name": "x", "fil": "y"}]}, "fil"),
    ({"data": [{"name": "x"}]}, "neither 'file' nor 'generate'"),
    ({"k": "five"}, "experiment.json: -k is 'five'"),
    ({"kind": "history", "epochs": [1]}, "one method"),
])
def test_bad_descriptions(tmp_path, changes, says):
    result = run("experiment", write(tmp_path, **changes), "--out", "out", cwd=tmp_path)
    assert result.code in (1, 2) and says in result.err
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("text, says", [("", "line 1, column 1"), ('{"kind": compare}', "line 1")])
def test_a_file_that_is_no_json_is_refused_with_the_place(tmp_path, text, says):
    (tmp_path / "x.json").write_text(text)
    fail("experiment", "x.json", "--out", "out", cwd=tmp_path, code=1,
         says=["x.json is not JSON: parse error", says])
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_files_of_the_repository_are_understood(tmp_path, path):
    """Without data nothing runs, but every file is read and every method known."""
    if "gaussian" in path.read_text() or "artificial" in path.stem:
        result = run("experiment", path, "--out", "out", "--only", "nothing", cwd=tmp_path)
        assert result.code == 2 and "--only names 'nothing'" in result.err
        return
    env = {key: value for key, value in os.environ.items() if key != "QUICKSELECTION_DATA"}
    done = subprocess.run([PROGRAM, "experiment", path, "--out", "out"], cwd=tmp_path, env=env,
                          timeout=TIMEOUT, capture_output=True)
    assert done.returncode == 1 and b"none of the data" in done.stderr
    assert b"skipped" in done.stderr and b"https://" in done.stderr
