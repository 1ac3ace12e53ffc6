# tests/cli/commands_test.py: generate, info, methods, demo, and the help of every command.
import re

import numpy as np
import pytest

from program import fail, names_in, read_csv, read_json, run, succeed, write_csv

COMMANDS = ["demo", "select", "evaluate", "extract", "generate", "info", "convert", "methods"]
GENERATORS = {  # kind: options, rows, features, relevant
    "madelon": (["--rows", 64, "--features", 30], 64, 30, 20),
    "classification": (["--rows", 50, "--features", 12, "--informative", 3, "--classes", 3], 50, 12, 5),
    "gaussian": (["--rows", 40, "--features", 7], 40, 7, 0),
}


@pytest.mark.parametrize("kind", GENERATORS)
def test_generate_writes_what_was_asked_for(kind, tmp_path):
    options, rows, features, relevant = GENERATORS[kind]
    out = succeed("generate", kind, "-o", "data.csv", *options, cwd=tmp_path).out
    assert f"data.csv: {rows} rows x {features} features" in out
    header, *table = read_csv(tmp_path / "data.csv")
    labelled = kind != "gaussian"
    assert (header[-1] == "label") == labelled
    assert len(table) == rows
    assert all(len(row) == features + labelled for row in table)
    found = re.search(r"relevant features: ([\d,]+)", out)
    if relevant == 0:
        assert found is None
        return
    numbers = [int(text) for text in found[1].split(",")]
    assert len(set(numbers)) == relevant and numbers == sorted(numbers)
    assert 0 <= numbers[0] and numbers[-1] < features


@pytest.mark.parametrize("kind", GENERATORS)
def test_generate_gives_the_same_bytes_for_the_same_seed(kind, tmp_path):
    options = GENERATORS[kind][0]
    for ending in ["csv", "npy"]:
        files = []
        for name, seed in [("a", 4), ("b", 4), ("c", 5)]:
            succeed("generate", kind, "-o", f"{name}.{ending}", "--seed", seed, *options, cwd=tmp_path)
            files.append((tmp_path / f"{name}.{ending}").read_bytes())
        assert files[0] == files[1] != files[2]
    assert len(names_in(tmp_path)) == 6


@pytest.mark.parametrize("kind", GENERATORS)
def test_generate_writes_the_same_values_to_csv_and_npy(kind, tmp_path):
    options, rows, features, _ = GENERATORS[kind]
    for ending in ["csv", "npy"]:
        succeed("generate", kind, "-o", f"data.{ending}", *options, cwd=tmp_path)
    values = np.load(tmp_path / "data.npy")
    assert values.shape == (rows, features)
    table = np.array([row[:features] for row in read_csv(tmp_path / "data.csv")[1:]], dtype=np.float64)
    assert np.array_equal(table.astype(values.dtype), values)


def test_generate_writes_labels_to_a_file_of_their_own(tmp_path):
    options = ["--rows", 50, "--features", 20]
    out = succeed("generate", "classification", "-o", "data.npy", *options, cwd=tmp_path).out
    assert "no place for the labels; --labels" in out
    out = succeed("generate", "classification", "-o", "data.npy", "--labels", "labels.txt", *options,
                  cwd=tmp_path).out
    assert "note" not in out
    succeed("generate", "classification", "-o", "data.csv", *options, cwd=tmp_path)
    column = [row[-1] for row in read_csv(tmp_path / "data.csv")[1:]]
    assert (tmp_path / "labels.txt").read_text().split() == column
    assert "2 classes" in succeed("info", "data.npy", "--label", "labels.txt", cwd=tmp_path).out
    fail("generate", "gaussian", "-o", "g.npy", "--labels", "g.txt", cwd=tmp_path, code=2,
         says=["no labels"], hint=["--labels"])
    fail("generate", "madelon", "-o", "m.npy", "--labels", "nowhere/m.txt", cwd=tmp_path, code=1,
         says=["nowhere"])
    fail("generate", "madelon", "-o", "m.npy", "--labels", "./m.npy", cwd=tmp_path, code=2,
         says=["same file"], hint=["file of its own"])
    assert run("generate", "madelon", "-o", "m.npy", "--labels", "", cwd=tmp_path).code != 0
    assert not (tmp_path / "g.npy").exists() and not (tmp_path / "m.npy").exists()


def test_generated_features_are_relevant_as_printed(tmp_path):
    """Without noise, relevant features of madelon are linear combinations of five of them."""
    out = succeed("generate", "madelon", "-o", "data.npy", "--rows", 200, "--features", 30,
                  "--noise", 0, cwd=tmp_path).out
    relevant = [int(t) for t in re.search(r"relevant features: ([\d,]+)", out)[1].split(",")]
    values = np.load(tmp_path / "data.npy").astype(np.float64)
    signal = values[:, relevant] - values[:, relevant].mean(axis=0)
    assert np.linalg.matrix_rank(signal, tol=1e-2) == 5
    rest = np.delete(values, relevant, axis=1)
    assert np.linalg.matrix_rank(rest, tol=1e-2) == 10


def test_generate_takes_its_options_in_any_order(tmp_path):
    succeed("generate", "--rows", 10, "gaussian", "--features=3", "-o", "a.npy", cwd=tmp_path)
    succeed("generate", "gaussian", "-o", "b.npy", "--features", 3, "--rows", 10, cwd=tmp_path)
    assert (tmp_path / "a.npy").read_bytes() == (tmp_path / "b.npy").read_bytes()


def test_generate_quiet_prints_nothing(tmp_path):
    assert succeed("generate", "madelon", "-o", "m.npy", "-q", cwd=tmp_path) == (0, "", "")


@pytest.fixture
def ugly(tmp_path):
    """Two constant features, two duplicates of a, NaN and infinity in others, a third zeros."""
    rng = np.random.default_rng(0)
    a = rng.normal(size=30)
    zeros = np.where(np.arange(30) < 10, 0, 1.5)
    holes = rng.normal(size=30)
    holes[[3, 9]] = np.nan
    infinite = rng.normal(size=30)
    infinite[20] = np.inf
    columns = [a, np.full(30, 7.0), a, zeros, holes, np.full(30, -1.0), infinite, a]
    rows = [[*row, "odd" if r % 2 else "even"] for r, row in enumerate(zip(*columns))]
    return write_csv(tmp_path / "ugly.csv", rows, ["a", "b", "c", "d", "e", "f", "g", "h", "class"])


def test_info_finds_doubtful_features(ugly, tmp_path):
    out = succeed("info", "ugly.csv", "--json", "info.json", cwd=tmp_path).out
    info = read_json(tmp_path / "info.json")
    assert (info["path"], info["rows"], info["features"]) == ("ugly.csv", 30, 8)
    assert info["constant_features"] == 2
    assert info["duplicated_features"] == 2
    assert info["nonfinite_features"] == 2
    assert info["nonfinite_values"] == 3
    assert info["density"] == pytest.approx(1 - 10 / 240)
    assert info["classes"] == {"even": 15, "odd": 15}
    assert info["named"] is True
    assert any("'class' is taken as the labels" in note for note in info["notes"])
    size = {"f32": 4, "f64": 8}[info["type"]]
    assert info["bytes"] == 240 * size

    lines = dict(re.split(r"  +", line, maxsplit=1) for line in out.splitlines() if "  " in line)
    assert lines["rows"] == "30"
    assert lines["features"] == "8 (named)"
    assert lines["constant features"] == "2"
    assert lines["duplicated features"] == "2"
    assert "features with NaN or infinity 2 (3 values, the first in row 3, feature 4)" in out
    assert lines["labels"] == "2 classes: even (15), odd (15)"


def test_info_keeps_the_stored_type(tmp_path):
    np.save(tmp_path / "data.npy", np.arange(12, dtype=np.uint8).reshape(4, 3))
    succeed("info", "data.npy", "--json", "info.json", cwd=tmp_path)
    info = read_json(tmp_path / "info.json")
    assert (info["type"], info["bytes"], info["named"], info["classes"]) == ("u8", 12, False, {})


def test_info_of_a_part(ugly, tmp_path):
    succeed("info", "ugly.csv", "--rows", "10:20", "--label", "none", "--index-column", "class",
            "--json", "info.json", cwd=tmp_path)
    info = read_json(tmp_path / "info.json")
    assert (info["rows"], info["nonfinite_values"], info["classes"]) == (10, 0, {})
    assert info["constant_features"] == 3  # d has no zeros in these rows


def test_methods_lists_all_with_their_options(tmp_path):
    out = succeed("methods", cwd=tmp_path).out
    for name, scale in [("quickselection", "standard"), ("variance", "none"), ("random", "none")]:
        assert re.search(rf"^{name}: .+\n  scales with: {scale}$", out, re.M)
    alone = succeed("methods", "quickselection", cwd=tmp_path).out
    assert alone in out and "variance:" not in alone
    for option in ["--epochs 100", "--hidden 1000", "--epsilon 13", "--zeta 0.2", "--noise 0.2",
                   "--noise-mode fixed", "--batch-size 100", "--learning-rate 0.01",
                   "--momentum 0.9", "--weight-decay 0", "--dropout 0.2",
                   "--activation sigmoid", "--output-activation linear", "--optimizer sgd",
                   "--importance strength"]:
        assert re.search(rf"^  {option} +\S", alone, re.M), option


def test_demo_finds_most_relevant_features(tmp_path):
    out = succeed("demo", "--json", "demo.json", cwd=tmp_path).out
    demo = read_json(tmp_path / "demo.json")
    assert demo["data"]["rows"] == 2000 and demo["data"]["features"] == 500
    assert len(set(demo["relevant"])) == 20 == len(set(demo["selected"]))
    assert demo["found"] == len(set(demo["relevant"]) & set(demo["selected"]))
    assert demo["found"] >= 18
    assert f"Found {demo['found']} of the 20 relevant features" in out
    assert {"method", "options", "seed", "scores", "loss", "seconds", "energy",
            "parameters", "warnings"} <= set(demo)
    page = (tmp_path / "quickselection-demo.html").read_text(encoding="utf-8")
    assert page.lower().startswith("<!doctype html>")
    assert "Content-Security-Policy" in page and " src=" not in page
    assert names_in(tmp_path) == ["demo.json", "quickselection-demo.html"]


@pytest.mark.parametrize("command", COMMANDS)
def test_help_of_a_command(command, tmp_path):
    result = succeed(command, "--help", cwd=tmp_path)
    assert f"Usage: quickselection {command}" in result.out
    assert result.err == ""
    assert names_in(tmp_path) == []


def test_an_error_names_the_help_of_its_command(tmp_path):
    fail("select", cwd=tmp_path, code=2, says=["DATA is required"], hint=["`quickselection select --help`"])
    fail("tune", "data.csv", "-k", "many", cwd=tmp_path, code=2, hint=["`quickselection tune --help`"])


def test_help_names_the_commands(tmp_path):
    out = succeed("--help", cwd=tmp_path).out
    assert all(re.search(rf"^  {command} +\S", out, re.M) for command in COMMANDS)


def test_help_of_select_names_every_option_and_default(tmp_path):
    out = succeed("select", "--help", cwd=tmp_path).out
    for option in ["--format", "--label", "--index-column", "--rows", "--scale", "--ranking",
                   "--selected", "--report", "--checkpoint", "--resume", "--json", "-q,--quiet"]:
        assert re.search(rf"^  {option}\b", out, re.M), option
    for option in ["--header auto|yes|no=auto", "-k,--k N|auto=50", "--method NAME=quickselection",
                   "--clip N=0", "--checkpoint-every N=1", "--seed N=0"]:
        assert f"  {option}" in out, option
    assert re.search(r"^  --threads N=0 ", out, re.M)
    # The same lines as in `methods`, where a default is written once.
    lines = succeed("methods", "quickselection", cwd=tmp_path).out.splitlines()
    own = [line for line in lines if line.startswith("  --")]
    assert len(own) >= 15
    assert all(line in out.splitlines() for line in own)


def test_help_of_generate_names_every_kind(tmp_path):
    out = succeed("generate", "--help", cwd=tmp_path).out
    assert all(re.search(rf"^{kind}: ", out, re.M) for kind in GENERATORS)
    for default in ["--rows 2000", "--features 500", "--informative 5", "--redundant 15"]:
        assert f"  {default} " in out
    assert "--seed N=0" in out


def test_help_of_demo_names_defaults(tmp_path):
    out = succeed("demo", "--help", cwd=tmp_path).out
    assert "=quickselection-demo.html" in out and "--seed N=0" in out and "--json" in out


def test_version(tmp_path):
    assert re.fullmatch(r"quickselection \d+\.\d+\.\d+\n", succeed("--version", cwd=tmp_path).out)


def test_help_is_where_people_look_for_it(tmp_path):
    whole = succeed("--help", cwd=tmp_path).out
    assert succeed(cwd=tmp_path).out == whole == succeed("help", cwd=tmp_path).out
    assert succeed("help", "select", cwd=tmp_path).out == succeed("select", "--help", cwd=tmp_path).out
    fail("help", "selct", cwd=tmp_path, code=2, says=["'selct'"], hint=["did you mean select?"])
    fail("--vresion", cwd=tmp_path, code=2, says=["--vresion"], hint=["did you mean --version?"])
    fail("--scale", "log", "select", cwd=tmp_path, code=2, says=["--scale"], hint=["behind the command"])
