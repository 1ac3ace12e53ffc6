# tests/cli/tables_test.py: mixed tables, pipes and tables on their side, as other programs write them.
import datetime
import json
import subprocess

import numpy as np
import pandas
import pytest
from program import PROGRAM, fail, read_csv, read_json, succeed
from sklearn.datasets import load_iris, load_wine


@pytest.fixture(scope="module")
def people(tmp_path_factory):
    """What a business keeps: ids, dates, text, booleans, gaps, numbers in several units."""
    wine = load_wine(as_frame=True)
    table = wine.data.copy()
    table.insert(0, "customer_id", [f"C{i:05}" for i in range(len(table))])
    table.insert(1, "joined", [datetime.date(2020, 1, 1) + datetime.timedelta(days=17 * i)
                               for i in range(len(table))])
    table["region"] = np.where(table["alcohol"] > 13, "north", np.where(table["ash"] > 2.3, "east", "south"))
    table["active"] = table["hue"] > 1
    table.loc[table.index % 19 == 3, "magnesium"] = np.nan
    table["class"] = [wine.target_names[i] for i in wine.target]
    path = tmp_path_factory.mktemp("people") / "people.csv"
    table.to_csv(path, index=False)
    return path


def test_a_mixed_table_goes_through_info_select_evaluate_and_report(people, tmp_path):
    info = succeed("info", people, cwd=tmp_path).out
    for line in ["customer_id: identifier, 0 % missing, left out", "joined: date", "region: text",
                 "active: boolean, 0 % missing, feature", "magnesium: number, 5.62 % missing",
                 "class: text, 0 % missing, labels"]:
        assert line in info
    result = succeed("select", people, "-k", 5, "--missing", "mean", "--epochs", 5, "--ranking", "r.csv",
                     "--report", "page.html", cwd=tmp_path)
    assert "left out, dates: joined" in result.out + result.err
    assert len(read_csv(tmp_path / "r.csv")) == 1 + 14
    judged = succeed("evaluate", people, "--ranking", "r.csv", "-k", 5, "--missing", "mean", "--runs", 1,
                     cwd=tmp_path).out
    assert "classified" in judged


def test_text_becomes_indicators_on_request(people, tmp_path):
    succeed("convert", people, "out.csv", "--text", "encode", cwd=tmp_path)
    table = pandas.read_csv(tmp_path / "out.csv")
    whole = pandas.read_csv(people)
    assert [name for name in table if name.startswith("region=")] == [
        "region=east", "region=north", "region=south"]
    assert (table["region=north"] == (whole["region"] == "north")).all()
    fail("select", people, "--text", "error", cwd=tmp_path, code=1,
         says=["column 0 ('customer_id'): 'C00000' is not a number"])


def test_columns_are_kept_and_dropped(people, tmp_path):
    succeed("convert", people, "out.csv", "--columns", "alcohol-ash,flav*", "--drop", "malic_acid",
            cwd=tmp_path)
    assert read_csv(tmp_path / "out.csv")[0] == ["alcohol", "ash", "flavanoids", "label"]
    fail("info", people, "--drop", "alcoohl", cwd=tmp_path, code=2, says=["--drop is 'alcoohl'"],
         hint=["did you mean 'alcohol'?"])


@pytest.mark.parametrize("dialect", [
    dict(sep=";", decimal=","), dict(sep="\t", decimal=","), dict(sep="|"), dict(sep=" ", na_rep="NA"),
    dict(encoding="utf-16"), dict(encoding="utf-8-sig"), dict(lineterminator="\r\n"),
    dict(na_rep="N/A"), dict(quoting=1)])
def test_dialects_of_other_programs_give_the_same_values(dialect, tmp_path):
    table = load_iris(as_frame=True).data.rename(columns=lambda name: name.replace(" ", "_"))
    table.iloc[3, 2] = np.nan
    table.to_csv(tmp_path / "t.csv", index=False, **dialect)
    succeed("convert", "t.csv", "out.npy", cwd=tmp_path)
    np.testing.assert_array_equal(np.load(tmp_path / "out.npy"), table.to_numpy(np.float32))


def test_a_header_of_years_is_a_header_and_the_program_says_so(tmp_path):
    (tmp_path / "years.csv").write_text("1990,1991,1992\n5,3,8\n2,9,1\n")
    info = succeed("info", "years.csv", cwd=tmp_path).out
    assert "rows                 2" in info and "--header no" in info


@pytest.mark.parametrize("name", ["t.csv", "t.csv.gz", "t.npy", "t.npz", "t.mat", "t.h5ad"])
def test_standard_input_gives_what_the_file_gives(name, tmp_path):
    rng = np.random.default_rng(1)
    pandas.DataFrame(rng.normal(size=(40, 6)).round(3)).to_csv(tmp_path / "source.csv", index=False)
    if name == "t.csv.gz":
        subprocess.run("gzip -c source.csv > t.csv.gz", shell=True, check=True, cwd=tmp_path)
    else:
        succeed("convert", "source.csv", name, cwd=tmp_path)
    # The content says HDF5, and only the name says that it is AnnData.
    words = [*(["--format", "h5ad"] if name == "t.h5ad" else []), "-k", "3", "--epochs", "3", "--quiet", "--ranking"]
    succeed("select", name, *words, "file.csv", cwd=tmp_path)
    for source, ranking in [("-", "dash.csv"), ("/dev/stdin", "stdin.csv")]:
        # Through cat, so that it is a pipe and not the file itself.
        subprocess.run(f"cat {name} | {PROGRAM} select {source} {' '.join(words)} {ranking}", shell=True,
                       check=True, cwd=tmp_path)
        assert (tmp_path / ranking).read_bytes() == (tmp_path / "file.csv").read_bytes()


def test_process_substitution_is_read(tmp_path):
    (tmp_path / "a.csv").write_text("a,b\n1,2\n3,5\n")
    found = subprocess.run(["bash", "-c", f"{PROGRAM} info <(cat a.csv) --json j.json"], cwd=tmp_path,
                           capture_output=True, text=True)
    assert found.returncode == 0, found.stderr
    assert read_json(tmp_path / "j.json")["rows"] == 2


def test_an_empty_or_damaged_pipe_is_an_error_that_names_it(tmp_path):
    found = subprocess.run([PROGRAM, "info", "-"], input=b"", capture_output=True, cwd=tmp_path)
    assert found.returncode == 1 and b"nothing came through" in found.stderr
    found = subprocess.run([PROGRAM, "info", "-"], input=b"a,b\n1\n", capture_output=True, cwd=tmp_path)
    assert found.returncode == 1 and b"standard input, line 2" in found.stderr


def test_a_table_with_genes_in_rows_is_advised_and_turned(tmp_path):
    rng = np.random.default_rng(2)
    genes = pandas.DataFrame(rng.poisson(5, (60, 8)), index=[f"GENE{i}" for i in range(60)],
                             columns=[f"cell{i}" for i in range(8)])
    genes.to_csv(tmp_path / "genes.csv", index_label="gene")
    assert "--transpose" in succeed("info", "genes.csv", cwd=tmp_path).out
    succeed("convert", "genes.csv", "out.csv", "--transpose", cwd=tmp_path)
    turned = pandas.read_csv(tmp_path / "out.csv")
    assert list(turned) == list(genes.index)
    np.testing.assert_array_equal(turned.to_numpy(), genes.to_numpy().T)


def test_results_go_to_standard_output_and_words_elsewhere(tmp_path):
    (tmp_path / "a.csv").write_text("a,b\n1,2\n3,9\n4,4\n")
    words = ["select", "a.csv", "--method", "variance", "-k", 1]
    result = succeed(*words, "--json", "-", cwd=tmp_path)
    assert json.loads(result.out)["selected"] == [1] and "1 of 2 features by variance" in result.err
    result = succeed(*words, "--ranking", "-", "--quiet", cwd=tmp_path)
    assert result.out.splitlines()[0] == "rank,feature,name,score" and len(result.out.splitlines()) == 3
    assert json.loads(succeed("info", "a.csv", "--json", "-", cwd=tmp_path).out)["rows"] == 3
    assert not (tmp_path / "-").exists()
