# tests/cli/files/tables_test.py: mixed tables, pipes and tables on their side, as other programs write them.
import datetime
import json
import subprocess

import numpy as np
import pandas
import pytest
from program import PROGRAM, fail, read_csv, read_json, succeed
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris, load_wine


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
    found = subprocess.run([PROGRAM, "select", "-"], input=b"a,b\n1\n", capture_output=True, cwd=tmp_path)
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


def test_a_text_column_is_one_feature(people, tmp_path):
    words = ["--text", "encode", "--missing", "mean"]
    succeed("select", people, *words, "--method", "variance", "--scale", "none", "--no-check", "-k", 15,
            "--ranking", "r.csv", "--json", "s.json", "--selected", "s.csv", cwd=tmp_path)
    ranking = read_csv(tmp_path / "r.csv")[1:]
    names = [row[2] for row in ranking]
    assert len(names) == 15 and names.count("region") == 1 and not any("=" in name for name in names)
    # As good as its best indicator.
    regions = pandas.read_csv(people)["region"]
    best = max((regions == value).astype(float).var(ddof=0) for value in regions.unique())
    score = next(float(row[3]) for row in ranking if row[2] == "region")
    assert score == pytest.approx(best, rel=1e-5)
    assert sorted(read_json(tmp_path / "s.json")["names"]) == sorted(names)
    # All of it is written when it is chosen.
    assert {"region=east", "region=north", "region=south"} < set(read_csv(tmp_path / "s.csv")[0])
    fail("select", people, *words, "-k", 16, cwd=tmp_path, code=2, says=["must be 1 to 15"])


@pytest.mark.parametrize("more", [["--runs", 3], ["--bootstrap", "--runs", 2], ["-k", "auto"],
                                  ["--method", "cover"], ["--method", "mcfs"]])
def test_every_way_to_select_ranks_a_text_column_once(people, more, tmp_path):
    more = more if "-k" in more else [*more, "-k", 4]
    more = more if "--method" in more else [*more, "--epochs", 3]
    succeed("select", people, "--text", "encode", "--missing", "mean", *more, "--ranking", "r.csv",
            "--report", "page.html", cwd=tmp_path)
    names = [row[2] for row in read_csv(tmp_path / "r.csv")[1:]]
    assert len(names) == 15 and names.count("region") == 1


def test_a_text_column_is_judged_with_all_its_indicators(tmp_path):
    """The class is the city, so that only all indicators of it tell the classes apart."""
    rng = np.random.default_rng(1)
    cities = np.array(["Aachen", "Bonn", "Celle", "Dresden"])[rng.integers(4, size=200)]
    pandas.DataFrame({"a": rng.normal(size=200), "city": cities, "b": rng.normal(size=200),
                      "class": cities}).to_csv(tmp_path / "d.csv", index=False)
    (tmp_path / "r.csv").write_text("rank,feature,name\n1,1,city\n2,0,a\n3,5,b\n")
    succeed("evaluate", "d.csv", "--text", "encode", "--ranking", "r.csv", "-k", "1,3", "--runs", 2,
            "--json", "e.json", "--removal", 2, cwd=tmp_path)
    found = read_json(tmp_path / "e.json")
    assert found["entries"][0]["classification"]["mean"] == 1
    assert found["entries"][0]["random"]["classification"]["mean"] < 0.95
    assert [point["left"] for point in found["removal"]["least_important_first"]] == [3, 2, 1]
    (tmp_path / "r.csv").write_text("rank,feature\n1,1\n2,2\n")
    fail("evaluate", "d.csv", "--text", "encode", "--ranking", "r.csv", "-k", 1, cwd=tmp_path, code=1,
         says=["feature 2 was ranked before, by itself or as a part of another"])


def test_compare_counts_a_text_column_once(people, tmp_path):
    succeed("compare", people, "--text", "encode", "--missing", "mean", "--methods", "variance,random",
            "-k", 15, "--runs", 1, "--out", "out", cwd=tmp_path)
    lines = [json.loads(line) for line in (tmp_path / "out/results.jsonl").read_text().splitlines()]
    assert all(len(line["selected"]) == 15 for line in lines)


def test_info_lists_every_column_of_any_table(people, tmp_path):
    load_iris(as_frame=True).frame.to_csv(tmp_path / "iris.csv", index=False)
    out = succeed("info", "iris.csv", cwd=tmp_path).out
    assert out.count("column  ") == 5 and "petal width (cm): number, 0 % missing, feature" in out
    assert "region: text, 0 % missing, one feature of 3 indicators" in succeed(
        "info", people, "--text", "encode", cwd=tmp_path).out


@pytest.mark.parametrize("text, says, columns", [
    ("a,b\n1,2\n3,x\n4,5\n", "'x' is not a number", ["a: number, 0 % missing, feature",
                                                      "b: number, 0 % missing, refused: 'x' in line 3"]),
    ("a,b\n1,2\n3\n", "expected 2 fields, found 1", ["b: number, 50 % missing, feature"]),
    ("name,city\nx,u\ny,u\nz,v\n", "no column left for features", ["name: identifier", "city: text"]),
    ("a,b\n1,2\n\n3,4\n", "is blank", ["a: number"])])
def test_info_looks_at_what_select_refuses(text, says, columns, tmp_path):
    (tmp_path / "t.csv").write_text(text)
    fail("select", "t.csv", "-k", 1, cwd=tmp_path, code=1, says=[says])
    for source, stdin in [("t.csv", None), ("-", text.encode())]:
        found = subprocess.run([PROGRAM, "info", source, "--json", "i.json"], input=stdin, capture_output=True,
                               cwd=tmp_path)
        out = found.stdout.decode()
        assert found.returncode == 0 and says in out, found
        for column in columns:
            assert f"column               {column}" in out
        assert says in read_json(tmp_path / "i.json")["problem"]


def test_info_still_refuses_what_is_no_table(tmp_path):
    (tmp_path / "empty.csv").write_text("")
    fail("info", "empty.csv", cwd=tmp_path, code=1)
    fail("info", "missing.csv", cwd=tmp_path, code=1)
    (tmp_path / "t.csv").write_text("a,b\n1,2\n")
    fail("info", "t.csv", "--label", "c", cwd=tmp_path, code=2, says=["'c'"])


def test_lists_of_columns_that_name_none(people, tmp_path):
    fail("info", people, "--columns", "z", cwd=tmp_path, code=2, says=["'z', but no column has that name"],
         hint=["give a column's name or its number"])
    fail("info", people, "--columns", ",", cwd=tmp_path, code=2, says=["--columns is ',', which names no column"])
    fail("select", people, "--columns", "region", cwd=tmp_path, code=1, hint=["--columns and --drop leave no column"])


def test_quiet_does_not_hide_what_was_left_out(people, tmp_path):
    result = succeed("select", people, "-k", 3, "--missing", "mean", "--method", "variance", "--quiet", "--no-check",
                     cwd=tmp_path)
    assert result.out == "" and "note: left out, dates: joined" in result.err
    assert "labels" not in result.err
    (tmp_path / "years.csv").write_text("1990,1991,1992\n5,3,8\n2,9,1\n1,2,2\n")
    assert "taken as the header" in succeed("select", "years.csv", "-k", 1, "--method", "variance", "--quiet",
                                            "--no-check", cwd=tmp_path).err


@pytest.mark.parametrize("load, judged", [(load_iris, "classified"), (load_wine, "classified"),
                                          (load_breast_cancer, "classified"), (load_diabetes, "predicted")])
def test_public_tables_with_texts_dates_and_units_need_no_option(load, judged, tmp_path):
    public = load(as_frame=True)
    table = public.data.copy()
    width = len(table.columns)
    table.insert(0, "patient_id", range(10001, 10001 + len(table)))
    table.insert(1, "measured on", pandas.date_range("2021-03-01", periods=len(table)).strftime("%d.%m.%Y"))
    table.insert(2, "weight (kg)", (60 + 20 * np.sin(np.arange(len(table)))).round(1))
    table["laboratory"] = np.array(["Basel", "Oslo", "Turin"])[np.arange(len(table)) % 3]
    table["repeated"] = np.arange(len(table)) % 5 == 0
    names = getattr(public, "target_names", None)
    table["target"] = public.target if names is None else [names[i] for i in public.target]
    table.to_csv(tmp_path / "t.csv", index=False)
    info = succeed("info", "t.csv", cwd=tmp_path).out
    for line in ["patient_id: identifier, 0 % missing, left out", "measured on: date", "weight (kg): number",
                 "laboratory: text", "repeated: boolean", "0 % missing, labels"]:
        assert line in info
    out = succeed("select", "t.csv", "--ranking", "r.csv", "--report", "page.html", cwd=tmp_path).out
    assert "left out, dates: measured on" in out and "‹" not in out
    assert len(read_csv(tmp_path / "r.csv")) == 1 + width + 2
    assert judged in succeed("evaluate", "t.csv", "--ranking", "r.csv", "--runs", 1, "--report", "e.html",
                             cwd=tmp_path).out
    assert (tmp_path / "page.html").stat().st_size > 10000 and (tmp_path / "e.html").stat().st_size > 10000
