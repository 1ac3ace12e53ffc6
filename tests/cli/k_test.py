# tests/cli/k_test.py: a K that is larger than the data is refused at the start, by every command in the same way.
import numpy as np
import pytest
from program import fail, succeed, write_csv


@pytest.mark.parametrize("words", [
    ["select"], ["select", "--runs", 2], ["select", "--method", "variance", "--no-check"],
    ["compare", "--methods", "variance,random", "--out", "out"],
    ["compare", "--methods", "variance", "--out", "out", "--runs", 3],
    ["tune", "--epsilon", "2,5", "--epochs", 2]])
def test_it_is_refused_before_anything_is_made(words, tmp_path):
    write_csv(tmp_path / "d.csv", np.random.default_rng(0).normal(size=(20, 4)).tolist(), list("abcd"))
    fail(words[0], "d.csv", *words[1:], "-k", 5, cwd=tmp_path, code=2,
         says=["-k is 5, but must be 1 to 4, the number of features"])
    fail(words[0], "d.csv", *words[1:], "-k", 5, "--drop", "a", cwd=tmp_path, code=2, says=["1 to 3"])


def test_evaluate_refuses_it_too(tmp_path):
    write_csv(tmp_path / "d.csv", np.random.default_rng(0).normal(size=(20, 4)).tolist(), list("abcd"))
    succeed("select", "d.csv", "--method", "variance", "--ranking", "r.csv", "--quiet", cwd=tmp_path)
    fail("evaluate", "d.csv", "--ranking", "r.csv", "-k", 5, cwd=tmp_path, code=2, says=["5", "only 4 features"])


def test_each_of_several_data_sets_counts(tmp_path):
    rng = np.random.default_rng(0)
    write_csv(tmp_path / "a.csv", rng.normal(size=(20, 6)).tolist())
    write_csv(tmp_path / "b.csv", rng.normal(size=(20, 3)).tolist())
    fail("compare", "a.csv", "b.csv", "--methods", "variance", "-k", "2,5", "--out", "out", cwd=tmp_path,
         code=2, says=["must be 1 to 3"])


def test_what_cannot_be_read_is_a_row_that_says_so(tmp_path):
    (tmp_path / "bad.csv").write_text("a,b\n1,2\n3\n")
    out = succeed("compare", "bad.csv", "--methods", "variance", "-k", 1, "--out", "out", "--runs", 1,
                  cwd=tmp_path).out
    assert "1 of 1 runs failed" in out
