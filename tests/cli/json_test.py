# tests/cli/json_test.py: every key that a command writes is documented in docs/json.md, and every command writes JSON.
import json
import re

import numpy as np
import pytest
from program import FAST, ROOT, read_json, run, succeed, write_csv

# Keys below these are names of options, measures, groups and classes, which are not fixed.
OPEN = ("options", "measures", "score1_by_group", "classes")
QUICK = ("--trees", 5, "--runs", 1, "--repetitions", 2, "--restarts", 2)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("json")
    rng = np.random.default_rng(0)
    values = rng.normal(size=(60, 6))
    for name, labels in [("data.csv", np.arange(60) % 3), ("measured.csv", values[:, 0] + rng.normal(size=60))]:
        write_csv(folder / name, [[*row, label] for row, label in zip(values.tolist(), labels.tolist())],
                  [*"abcdef", "label"])
    (folder / "broken.csv").write_text("a,b\n1,2\nx,4\n5,6\n")
    succeed("select", "data.csv", *FAST, "-k", 3, "--runs", 2, "--ranking", "r.csv", "--run-rankings", "runs.csv",
            "--quiet", cwd=folder)
    (folder / "experiment.json").write_text(json.dumps(
        {"data": [{"name": "d", "path": "data.csv"}], "methods": ["variance"], "k": [2], "runs": 1}))
    return folder


def documented():
    """The words in backticks under each heading, by the commands that it names."""
    by_command = {}
    for section in (ROOT / "docs/json.md").read_text().split("\n## ")[1:]:
        heading, text = section.split("\n", 1)
        for command in re.findall("`([a-z]+)`", heading):
            by_command[command] = set(re.findall("`([a-z0-9_]+)`", text))
    return by_command


def keys_in(value):
    if isinstance(value, list):
        return set().union(*map(keys_in, value)) if value else set()
    if not isinstance(value, dict):
        return set()
    return set(value) | set().union(*(keys_in(held) for key, held in value.items() if key not in OPEN))


COMMANDS = {
    "select": [["data.csv", *FAST, "-k", 3], ["data.csv", *FAST, "-k", 3, "--runs", 2],
               ["data.csv", "--method", "cover", "-k", 2], ["data.csv", "--epochs", "auto"]],
    "demo": [["--report", "demo.html"]],
    "evaluate": [["data.csv", "--ranking", "r.csv", "-k", "2,3", *QUICK, "--removal", 2, "--stability", "runs.csv"],
                 ["measured.csv", "--ranking", "r.csv", "-k", 2, *QUICK]],
    "compare": [["data.csv", "--methods", "variance,random", "-k", 2, "--runs", 1, "--out", "out", "--random-forest",
                 "--all-features"], ["measured.csv", "--methods", "variance", "-k", 2, "--runs", 1, "--out", "out2"]],
    "tune": [["data.csv", *FAST, "--epsilon", "2,5", "-k", 2, "--runs", 1]],
    "extract": [["data.csv", "--out", "codes.csv", "--layers", "4,2,4", "--epochs", 2]],
    "info": [["data.csv"], ["broken.csv"]],
    "convert": [["data.csv", "out.npy"]],
    "generate": [["madelon", "--out", "m.csv", "--rows", 40]],
    "methods": [[]],
}


def test_every_command_writes_json(folder):
    commands = {command["name"] for command in json.loads(run("--describe", cwd=folder).out)["commands"]}
    assert commands - {"experiment"} == set(COMMANDS)
    for command in commands:
        assert "--json" in succeed(command, "--help", cwd=folder).out


@pytest.mark.parametrize("command, words", [(c, w) for c, all_words in COMMANDS.items() for w in all_words])
def test_its_keys_are_documented(folder, command, words):
    succeed(command, *words, "--json", "out.json", cwd=folder)
    found = read_json(folder / "out.json")
    assert list(found)[0] == "version" and found["version"] == 1
    assert keys_in(found) - documented()[command] == set()
