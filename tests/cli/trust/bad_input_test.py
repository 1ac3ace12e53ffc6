# tests/cli/trust/bad_input_test.py: whatever is wrong is said in words; nothing crashes, nothing is guessed.

import numpy as np
import pytest

from program import FAST, fail, names_in, read_json, succeed, write_csv

OUTPUTS = {"--ranking": "x.csv", "--json": "x.json", "--selected": "x.csv", "--report": "x.html",
           "--checkpoint": "x"}


def test_missing_file(tmp_path):
    for command in ["select", "info"]:
        fail(command, "nowhere.csv", cwd=tmp_path, code=1,
             says=["nowhere.csv", "No such file"], hint=["name"])


def test_path_below_a_file(madelon, tmp_path):
    fail("select", madelon / "below.csv", cwd=tmp_path, code=1, says=[madelon / "below.csv"],
         hint=["folder"])


def test_folder_as_data(tmp_path):
    fail("select", tmp_path, cwd=tmp_path, code=1, says=[tmp_path, "folder"], hint=["file"])


@pytest.mark.parametrize("ending", ["csv", "npy", "txt", "unknown"])
def test_empty_file(tmp_path, ending):
    (tmp_path / f"data.{ending}").touch()
    fail("select", f"data.{ending}", cwd=tmp_path, code=1, says=[f"data.{ending}", "empty"],
         hint=["written completely"])


def test_header_only(tmp_path):
    (tmp_path / "data.csv").write_text("a,b,c\n")
    fail("select", "data.csv", cwd=tmp_path, code=1, says=["data.csv", "no rows"],
         hint=["--header no"])


@pytest.mark.parametrize("row, found", [("7,8", 2), ("7,8,9,10,11", 5)])
def test_ragged_row(tmp_path, row, found):
    (tmp_path / "data.csv").write_text(f"a,b,c\n1,2,3\n4,5,6\n{row}\n1,2,3\n")
    fail("select", "data.csv", cwd=tmp_path, code=1,
         says=["data.csv, line 4:", "expected 3 fields", f"found {found}"], hint=["every line"])


def test_text_in_a_number_column(tmp_path):
    (tmp_path / "data.csv").write_text("a,b,c\n1,2,3\n4,5,6\n7,oops,9\n")
    fail("select", "data.csv", cwd=tmp_path, code=1,
         says=["data.csv, line 4, column 1 ('b')", "'oops' is not a number"], hint=["--label 1"])


def test_commas_between_digits(tmp_path):
    (tmp_path / "data.csv").write_text("a;b\n1.000,5;2\n3,5;4\n")
    fail("select", "data.csv", cwd=tmp_path, code=1, says=["line 2, column 0", "'1.000,5'"],
         hint=["decimal point"])


@pytest.mark.parametrize("bad, shown", [("nan", "nan"), ("inf", "inf"), ("-inf", "-inf"), ("", "nan")])
def test_values_that_are_not_finite(tmp_path, bad, shown):
    rows = [[str(10 * r + c) for c in range(4)] for r in range(20)]
    for r, c in [(12, 0), (7, 2), (7, 3)]:
        rows[r][c] = bad
    write_csv(tmp_path / "data.csv", rows, header=list("abcd"))
    fail("select", "data.csv", *FAST, cwd=tmp_path, code=1,
         says=["data.csv: 3 values", f"first is {shown} in row 7", "feature 2 ('c')"],
         hint=["--missing"])


def test_values_that_are_not_finite_in_npy(tmp_path):
    values = np.ones((30, 5), dtype=np.float32).cumsum(axis=0)
    values[4, 1], values[20, 0] = np.nan, np.inf
    np.save(tmp_path / "data.npy", values)
    fail("select", "data.npy", *FAST, cwd=tmp_path, code=1,
         says=["data.npy: 2 values", "first is nan in row 4", "feature 1"], hint=["--missing"])


def test_negative_values_with_log_scale(tmp_path):
    write_csv(tmp_path / "data.csv", [[1, 2], [3, -4], [5, 6]])
    fail("select", "data.csv", *FAST, "--scale", "log", cwd=tmp_path, code=1,
         says=["1 values are negative", "-4 in row 1"], hint=["--scale center"])


def test_npy_that_is_none(tmp_path):
    (tmp_path / "data.npy").write_text("a,b\n1,2\n")
    fail("select", "data.npy", cwd=tmp_path, code=1, says=["data.npy"], hint=["NumPy"])


def test_npy_that_is_cut_short(tmp_path):
    np.save(tmp_path / "data.npy", np.ones((20, 5)))
    whole = (tmp_path / "data.npy").read_bytes()
    (tmp_path / "data.npy").write_bytes(whole[:-8])
    fail("select", "data.npy", cwd=tmp_path, code=1,
         says=["data.npy is cut short", "(20, 5)", "800 bytes", "792"], hint=["completely"])


def test_npy_of_text(tmp_path):
    np.save(tmp_path / "data.npy", np.array([["a", "b"]]))
    fail("select", "data.npy", cwd=tmp_path, code=1, says=["data.npy", "<U1"], hint=["numbers"])


@pytest.mark.parametrize("k, limit", [("0", "at least 1"), ("41", "1 to 40"), ("-3", "at least 1"),
                                      ("abc", "abc"), ("2.5", "2.5"), ("", "-k")])
def test_bad_k(madelon, tmp_path, k, limit):
    fail("select", madelon, f"-k{k}" if k == "" else "-k", *([k] if k else []), cwd=tmp_path, code=2,
         says=["-k", k, limit])


@pytest.mark.parametrize("option, near", [("--epohcs", "--epochs"), ("--rankng", "--ranking"),
                                          ("--learning_rate", "--learning-rate"),
                                          ("--seeed", "--seed")])
def test_misspelt_option(madelon, tmp_path, option, near):
    for words in [(madelon, option, "5"), (option, "5", madelon), (madelon, f"{option}=5")]:
        fail("select", *words, cwd=tmp_path, code=2, says=[f"no option {option}"],
             hint=[f"did you mean {near}?"])


@pytest.mark.parametrize("option", ["--xylophone", "-x"])
def test_unknown_word(madelon, tmp_path, option):
    fail("select", madelon, option, cwd=tmp_path, code=2, says=[option], hint=["--help"])
    fail("select", madelon, "surplus.csv", cwd=tmp_path, code=1, says=["cannot read surplus.csv"])
    fail("generate", "gaussian", "surplus", "-o", "x.npy", cwd=tmp_path, code=2, says=["surplus"])


def test_option_without_value(madelon, tmp_path):
    for option in ["--epochs", "--ranking", "-k"]:
        fail("select", madelon, option, cwd=tmp_path, code=2, says=[option])


def test_option_of_another_method(madelon, tmp_path):
    fail("select", madelon, "--method", "variance", "--epochs", 3, cwd=tmp_path, code=2,
         says=["variance has no option --epochs"])


@pytest.mark.parametrize("command", [("select", "madelon", "--method"), ("methods",)])
def test_unknown_method(madelon, tmp_path, command):
    words = [madelon if word == "madelon" else word for word in command]
    fail(*words, "quickselecton", cwd=tmp_path, code=2, says=["'quickselecton'"],
         hint=["did you mean quickselection?"])
    fail(*words, "astrology", cwd=tmp_path, code=2, says=["'astrology'"],
         hint=["quickselection, ", "variance, random"])


@pytest.mark.parametrize("option, value, limit", [
    ("--zeta", "1.5", "less than 1"), ("--zeta", "-0.1", "at least 0"), ("--epochs", "0", "1 to"),
    ("--epochs", "2.5", "1 to"), ("--learning-rate", "-1", "more than 0"),
    ("--learning-rate", "nan", "more than 0"), ("--epsilon", "0", "more than 0"),
    ("--dropout", "1", "less than 1"), ("--batch-size", "0", "1 to"), ("--hidden", "10,0", "1 to"),
    ("--noise", "-1", "at least 0"), ("--noise", "much", "at least 0"),
    ("--activation", "sigmoidal", "sigmoid, tanh, relu, leaky_relu, linear"),
    ("--optimizer", "sdg", "sgd, adagrad, adam"), ("--importance", "looks", "strength"),
    ("--noise-mode", "loud", "fixed, fresh"), ("--clip", "-1", "at least 0"),
    ("--scale", "bogus", "standard, minmax, center, log, deviation, none")])
def test_value_out_of_range(madelon, tmp_path, option, value, limit):
    fail("select", madelon, option, value, cwd=tmp_path, code=2,
         says=[option, value.split(",")[-1], limit])


@pytest.mark.parametrize("option, value", [
    ("--threads", "-1"), ("--threads", "many"), ("--threads", "5000"), ("--seed", "-1"),
    ("--seed", "1.5"), ("--seed", "99999999999999999999"), ("--header", "maybe"), ("--clip", "wide")])
def test_bad_common_option(madelon, tmp_path, option, value):
    fail("select", madelon, option, value, cwd=tmp_path, code=2, says=[option, value],
         hint=["--help"])


@pytest.mark.parametrize("rows, says", [("0:301", "300 rows"), ("300:", "300 rows"), ("5:5", "A:B"),
                                        ("9:3", "A:B"), ("5", "A:B"), ("a:b", "A:B"),
                                        ("-1:5", "A:B"), ("1:2:3", "A:B")])
def test_rows_out_of_range(madelon, tmp_path, rows, says):
    fail("select", madelon, f"--rows={rows}", cwd=tmp_path, code=2, says=[rows, says], hint=["rows"])


def test_unknown_format(madelon, tmp_path):
    fail("select", madelon, "--format", "bogus", cwd=tmp_path, code=2, says=["'bogus'"],
         hint=["npy", "csv"])


def test_unknown_label_column(madelon, tmp_path):
    fail("select", madelon, "--label", "clas", cwd=tmp_path, code=2, says=["clas"])


def test_label_file_of_another_length(madelon, tmp_path):
    (tmp_path / "labels.txt").write_text("1\n2\n")
    fail("select", madelon, "--label", "labels.txt", cwd=tmp_path, code=1,
         says=["labels.txt has 2 labels", "300 rows"], hint=["one label per row"])


@pytest.mark.parametrize("option", OUTPUTS)
def test_output_that_cannot_be_written(madelon, tmp_path, option):
    name = OUTPUTS[option]
    (tmp_path / "file").write_text("in the way")
    for folder in ["nowhere", "file"]:
        fail("select", madelon, *FAST, option, f"{folder}/{name}", cwd=tmp_path, code=1,
             says=[f"{folder}/{name}"], hint=[folder])


@pytest.mark.parametrize("option", OUTPUTS)
def test_output_that_is_a_folder(madelon, tmp_path, option):
    name = OUTPUTS[option]
    (tmp_path / name).mkdir()
    fail("select", madelon, *FAST, option, name, cwd=tmp_path, code=1, says=[name, "folder"],
         hint=["file"])


def test_outputs_are_refused_before_the_work_begins(tmp_path):
    # The data does not exist, but the output is looked at first.
    fail("select", "nowhere.csv", "--selected", "s.xyz", cwd=tmp_path, code=2, says=["s.xyz"],
         hint=[".csv", ".npy"])
    fail("select", "nowhere.csv", "--ranking", "nowhere/r.csv", cwd=tmp_path, code=1,
         says=["nowhere/r.csv"])


def test_outputs_of_other_commands(madelon, tmp_path):
    fail("info", madelon, "--json", "nowhere/i.json", cwd=tmp_path, code=1, says=["nowhere/i.json"],
         hint=["nowhere"])
    fail("generate", "gaussian", "-o", "nowhere/g.csv", cwd=tmp_path, code=1,
         says=["nowhere/g.csv"], hint=["nowhere"])
    fail("generate", "gaussian", "-o", "g.xyz", cwd=tmp_path, code=2, says=["g.xyz"], hint=[".npy"])
    fail("demo", "--report", "nowhere/d.html", cwd=tmp_path, code=1, says=["nowhere/d.html"],
         hint=["nowhere"])


@pytest.mark.parametrize("words, says", [
    (("select",), "DATA"), (("info",), "DATA"), (("generate", "-o", "x.csv"), "KIND"),
    (("generate", "madelon"), "--out"), (("select", "--epochs", "3"), "DATA")])
def test_something_required_is_missing(tmp_path, words, says):
    fail(*words, cwd=tmp_path, code=2, says=[says], hint=["--help"])


def test_unknown_command(tmp_path):
    fail("selct", cwd=tmp_path, code=2, says=["'selct'"], hint=["did you mean select?"])
    fail("juggle", "data.csv", cwd=tmp_path, code=2, says=["'juggle'"],
         hint=["demo", "select", "generate", "info", "methods"])


def test_bad_generator(tmp_path):
    fail("generate", "madeleine", "-o", "x.csv", cwd=tmp_path, code=2, says=["'madeleine'"],
         hint=["madelon", "classification", "gaussian"])
    fail("generate", "gaussian", "-o", "x.csv", "--rows", 0, cwd=tmp_path, code=2,
         says=["--rows", "'0'", "at least 1"])
    fail("generate", "gaussian", "-o", "x.csv", "--informative", 3, cwd=tmp_path, code=2,
         says=["gaussian has no option --informative"], hint=["--rows", "--features"])
    fail("generate", "madelon", "-o", "x.csv", "--featurs", 10, cwd=tmp_path, code=2,
         says=["no option --featurs"], hint=["did you mean --features?"])
    fail("generate", "madelon", "-o", "x.csv", "--features", 10, cwd=tmp_path, code=2, says=["10"])


def test_divergence_is_an_error(madelon, tmp_path):
    fail("select", madelon, "--hidden", 50, "--learning-rate", 1000, "--ranking", "r.csv",
         cwd=tmp_path, code=1, says=["diverged"], hint=["--learning-rate (now 1000)"])
    assert names_in(tmp_path) == []


def test_network_that_learnt_nothing_is_a_warning(madelon, tmp_path):
    result = succeed("select", madelon, "--hidden", 50, "--epochs", 8, "--learning-rate", 0.000001,
                     "--json", "r.json", cwd=tmp_path)
    assert "warning: the network did not learn" in result.err
    assert "--learning-rate" in result.err
    assert "did not learn" in read_json(tmp_path / "r.json")["warnings"][0]


def test_data_that_do_not_vary_are_no_fault_of_the_network(tmp_path):
    (tmp_path / "data.csv").write_text("a,b\n" + "1,2\n" * 5)
    result = succeed("select", "data.csv", "--epochs", 4, cwd=tmp_path)
    assert "2 of 2 features are constant" in result.err
    assert "did not learn" not in result.out + result.err
