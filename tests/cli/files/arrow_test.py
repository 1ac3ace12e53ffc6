# tests/cli/files/arrow_test.py: Parquet, Feather and Arrow files of other programs, and what is said where they cannot be read.
import numpy as np
import pandas
import pytest
from program import fail, read_csv, run, succeed
from sklearn.datasets import load_wine


@pytest.fixture(scope="module")
def table():
    wine = load_wine(as_frame=True)
    table = wine.data.copy()
    table.insert(0, "customer_id", [f"C{i:05}" for i in range(len(table))])
    table["joined"] = pandas.date_range("2020-01-01", periods=len(table), freq="17D")
    table["region"] = np.where(table["alcohol"] > 13, "north", np.where(table["ash"] > 2.3, "east", "south"))
    table["grade"] = pandas.Categorical(np.where(table["hue"] > 1, "good", "fair"))
    table["active"] = table["hue"] > 1
    table["visits"] = np.arange(len(table), dtype=np.int32) % 7
    table.loc[table.index % 19 == 3, "magnesium"] = np.nan
    table["class"] = [str(wine.target_names[i]) for i in wine.target]
    return table


def with_arrow(tmp_path):
    """pyarrow, where both it and a program that was built with Arrow are there."""
    pyarrow = pytest.importorskip("pyarrow", reason="pyarrow writes the files of this test")
    (tmp_path / "probe.parquet").write_bytes(b"PAR1")
    if "without the Arrow library" in run("info", "probe.parquet", cwd=tmp_path).err:
        pytest.skip("the program was built without QS_ARROW")
    return pyarrow


def write(pyarrow, table, path):
    import pyarrow.feather
    import pyarrow.parquet
    arrow = pyarrow.Table.from_pandas(table, preserve_index=False)
    if path.suffix == ".parquet":
        pyarrow.parquet.write_table(arrow, path, row_group_size=50)
    elif path.suffix == ".feather":
        pyarrow.feather.write_feather(arrow, path, chunksize=60)
    else:
        make = pyarrow.ipc.new_stream if path.suffix == ".arrows" else pyarrow.ipc.new_file
        with make(path, arrow.schema) as writer:
            writer.write_table(arrow, max_chunksize=70)


@pytest.mark.parametrize("name", ["t.parquet", "t.pq", "t.feather", "t.arrow", "t.ipc"])
def test_a_program_without_arrow_names_the_package_and_the_way_to_csv(name, tmp_path):
    (tmp_path / name).write_bytes(b"PAR1" if name.endswith(("parquet", "pq")) else b"ARROW1\0\0")
    result = fail("select", name, cwd=tmp_path, code=1, says=["cannot read", name])
    if "without the Arrow library" in result.err:
        assert "QS_ARROW" in result.err and "pyarrow" in result.err and "to_csv" in result.err


@pytest.mark.parametrize("name", ["t.xlsx", "T.XLS", "t.ods"])
def test_spreadsheets_are_refused_with_the_way_to_csv(name, tmp_path):
    (tmp_path / name).write_bytes(b"PK\3\4")
    fail("select", name, cwd=tmp_path, code=1, says=[name, "spreadsheet"], hint=["CSV"])


@pytest.mark.parametrize("ending", [".parquet", ".feather", ".arrow", ".arrows"])
@pytest.mark.parametrize("text", ["drop", "encode"])
def test_files_of_pyarrow_give_what_csv_gives(table, ending, text, tmp_path):
    path = tmp_path / f"t{ending}"
    write(with_arrow(tmp_path), table, path)
    table.to_csv(tmp_path / "t.csv", index=False)
    for source, out in [("t.csv", "a.csv"), (path.name, "b.csv")]:
        succeed("convert", source, out, "--text", text, cwd=tmp_path)
    assert read_csv(tmp_path / "a.csv")[0] == read_csv(tmp_path / "b.csv")[0]
    ours, theirs = pandas.read_csv(tmp_path / "b.csv"), pandas.read_csv(tmp_path / "a.csv")
    numbers = ours.columns[:-1]
    np.testing.assert_allclose(ours[numbers], theirs[numbers], rtol=1e-6)
    np.testing.assert_allclose(ours["malic_acid"], table["malic_acid"], rtol=0)  # all 64 bits
    assert list(ours["label"]) == list(table["class"])


def test_files_of_polars_and_pandas_are_read(table, tmp_path):
    with_arrow(tmp_path)
    polars = pytest.importorskip("polars")
    table.to_parquet(tmp_path / "pandas.parquet")
    frame = polars.DataFrame({name: table[name].to_list() for name in table})
    frame.write_parquet(tmp_path / "polars.parquet")
    frame.write_ipc(tmp_path / "polars.arrow")
    shown = {}
    for name in ["pandas.parquet", "polars.parquet", "polars.arrow"]:
        succeed("convert", name, "out.csv", cwd=tmp_path)
        shown[name] = (tmp_path / "out.csv").read_text()
    assert len(set(shown.values())) == 1
    info = succeed("info", "polars.parquet", cwd=tmp_path).out
    for line in ["customer_id: identifier", "joined: date", "region: text", "active: boolean",
                 "magnesium: number, 5.62 % missing", "class: text, 0 % missing, labels"]:
        assert line in info


def test_a_table_of_arrow_goes_through_select_and_evaluate(table, tmp_path):
    write(with_arrow(tmp_path), table, tmp_path / "t.parquet")
    succeed("select", "t.parquet", "-k", 5, "--missing", "mean", "--epochs", 5, "--ranking", "r.csv", cwd=tmp_path)
    out = succeed("evaluate", "t.parquet", "--ranking", "r.csv", "-k", 5, "--missing", "mean", "--runs", 1,
                  cwd=tmp_path).out
    assert "classified" in out


def test_damaged_files_are_errors(table, tmp_path):
    write(with_arrow(tmp_path), table, tmp_path / "t.parquet")
    whole = (tmp_path / "t.parquet").read_bytes()
    for name, content in [("cut.parquet", whole[:len(whole) // 2]), ("head.parquet", whole[:6]), ("empty.parquet", b""),
                          ("holes.parquet", whole[:200] + bytes(400) + whole[600:])]:
        (tmp_path / name).write_bytes(content)
        fail("select", name, cwd=tmp_path, code=1, says=[name])


def test_integers_with_gaps_nested_columns_and_an_index(tmp_path):
    pyarrow = with_arrow(tmp_path)
    import pyarrow.parquet
    pyarrow.parquet.write_table(pyarrow.table({
        "a": pyarrow.array([1, None, 3], pyarrow.int16()), "b": [[1], [2], [3]], "__index_level_0__": [5, 6, 7],
        "c": pyarrow.array([10, 20, 2**40])}), tmp_path / "t.parquet")
    result = succeed("convert", "t.parquet", "out.npy", cwd=tmp_path)
    np.testing.assert_array_equal(np.load(tmp_path / "out.npy"), [[1, 10], [np.nan, 20], [3, 2**40]])
    assert "left out, no single values: b" in result.out and "__index_level_0__" in result.out


@pytest.mark.parametrize("ending", ["arrow", "arrows"])
@pytest.mark.parametrize("column, wrong", [("text", 2 ** 30), ("text", -5), ("category", 2 ** 20)])
def test_places_beyond_the_texts_are_refused(tmp_path, ending, column, wrong):
    """Arrow's files keep where each text begins, and the number of each category: anybody can change them."""
    pyarrow = with_arrow(tmp_path)
    values = ["abcd", "ef", "gh"] * 10
    table = pyarrow.table({"x": [float(i) for i in range(30)], "text": values,
                           "category": pyarrow.array(values).dictionary_encode()})
    new = pyarrow.ipc.new_file if ending == "arrow" else pyarrow.ipc.new_stream
    with pyarrow.OSFile(str(tmp_path / f"t.{ending}"), "wb") as file, new(file, table.schema) as out:
        out.write_table(table)
    succeed("info", f"t.{ending}", "--label", column, cwd=tmp_path)
    chunk = table.column(column).chunk(0)
    places = (chunk.indices if column == "category" else chunk).buffers()[1].to_pybytes()[:120]
    whole = bytearray((tmp_path / f"t.{ending}").read_bytes())
    at = whole.index(places)
    whole[at + 32:at + 36] = wrong.to_bytes(4, "little", signed=True)
    (tmp_path / f"t.{ending}").write_bytes(whole)
    fail("info", f"t.{ending}", "--label", column, cwd=tmp_path, code=1, says=[f"t.{ending}"])
