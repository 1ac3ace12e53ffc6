# tests/cli/select_test.py: what `select` ranks, prints and writes.
import random

import numpy as np
import pytest

from program import FAST, fail, names_in, read_csv, read_json, succeed, write_csv

FEATURES = 40


def ranking_of(folder, *args):
    succeed("select", *args, "--quiet", "--ranking", "ranking.csv", cwd=folder)
    return (folder / "ranking.csv").read_bytes()


def split_labels(path):
    """Header and rows without the labels, and the labels."""
    header, *rows = read_csv(path)
    assert header[-1] == "label"
    return header[:-1], [row[:-1] for row in rows], [row[-1] for row in rows]


def test_ranking_holds_every_feature_once_best_first(madelon, tmp_path):
    succeed("select", madelon, *FAST, "-k", 3, "--ranking", "ranking.csv", cwd=tmp_path)
    header, *rows = read_csv(tmp_path / "ranking.csv")
    names = split_labels(madelon)[0]
    assert header == ["rank", "feature", "name", "score"]
    assert [int(row[0]) for row in rows] == list(range(1, FEATURES + 1))
    assert sorted(int(row[1]) for row in rows) == list(range(FEATURES))
    assert all(row[2] == names[int(row[1])] for row in rows)
    scores = [float(row[3]) for row in rows]
    assert scores == sorted(scores, reverse=True)
    assert scores[0] > scores[-1] > 0
    assert names_in(tmp_path) == ["ranking.csv"]


@pytest.mark.parametrize("method", [("quickselection", *FAST), ("variance",), ("random",)])
def test_constant_features_come_last_and_are_mentioned(method, tmp_path):
    values = np.random.default_rng(0).normal(size=(60, 6))
    values[:, 1] = 1e6
    values[:, 4] = 0
    write_csv(tmp_path / "data.csv", values, header=list("abcdef"))
    result = succeed("select", "data.csv", "--method", *method, "--ranking", "ranking.csv",
                     "--json", "result.json", cwd=tmp_path)
    rows = read_csv(tmp_path / "ranking.csv")[1:]
    assert [row[2] for row in rows[-2:]] == ["b", "e"]
    assert [float(row[3]) for row in rows[-2:]] == [0, 0]
    assert all(float(row[3]) > 0 for row in rows[:-2])
    warning = "2 of 6 features are constant"
    assert f"warning: {warning}" in result.err
    assert any(warning in text for text in read_json(tmp_path / "result.json")["warnings"])


def test_names_with_commas_quotes_and_accents_survive(tmp_path):
    names = ["a,b", 'say "x"', "größe", "two\nlines"]
    write_csv(tmp_path / "data.csv", np.random.default_rng(1).normal(size=(30, 4)), header=names)
    succeed("select", "data.csv", *FAST, "-k", 4, "--ranking", "ranking.csv", "--json", "r.json",
            "--selected", "selected.csv", cwd=tmp_path)
    rows = read_csv(tmp_path / "ranking.csv")[1:]
    assert all(row[2] == names[int(row[1])] for row in rows)
    assert sorted(read_json(tmp_path / "r.json")["names"]) == sorted(names)
    assert read_csv(tmp_path / "selected.csv")[0] == names


def test_names_that_are_not_utf8_are_taken_as_latin1(tmp_path):
    (tmp_path / "data.csv").write_bytes(b"caf\xe9,tea\n" + b"1,2\n2,1\n3,5\n")
    succeed("select", "data.csv", *FAST, "--json", "result.json", "--ranking", "ranking.csv",
            cwd=tmp_path)
    assert sorted(read_json(tmp_path / "result.json")["names"]) == ["café", "tea"]
    assert ",café," in (tmp_path / "ranking.csv").read_text()


def test_selected_csv_keeps_column_order_names_and_labels(madelon, tmp_path):
    succeed("select", madelon, *FAST, "-k", 7, "--selected", "s.csv", "--json", "r.json",
            cwd=tmp_path)
    names, rows, labels = split_labels(madelon)
    chosen = sorted(read_json(tmp_path / "r.json")["selected"])
    new_names, new_rows, new_labels = split_labels(tmp_path / "s.csv")
    assert new_names == [names[c] for c in chosen]
    assert new_labels == labels
    expected = np.array(rows, dtype=np.float64)[:, chosen]
    assert np.array_equal(np.array(new_rows, dtype=np.float64).astype(np.float32),
                          expected.astype(np.float32))


@pytest.mark.parametrize("dtype", [np.uint8, np.int16, np.float32, np.float64])
def test_selected_npy_keeps_column_order_and_type(dtype, tmp_path):
    values = np.random.default_rng(2).integers(0, 100, size=(50, 12)).astype(dtype)
    np.save(tmp_path / "data.npy", values)
    succeed("select", "data.npy", *FAST, "-k", 5, "--selected", "s.npy", "--json", "r.json",
            cwd=tmp_path)
    chosen = sorted(read_json(tmp_path / "r.json")["selected"])
    selected = np.load(tmp_path / "s.npy")
    assert selected.dtype == dtype
    assert np.array_equal(selected, values[:, chosen])


def test_selected_may_change_the_format(tmp_path):
    values = np.random.default_rng(3).normal(size=(20, 4)).astype(np.float32)
    np.save(tmp_path / "data.npy", values)
    succeed("select", "data.npy", *FAST, "-k", 2, "--selected", "s.tsv", "--json", "r.json",
            cwd=tmp_path)
    chosen = sorted(read_json(tmp_path / "r.json")["selected"])
    header, *rows = [line.split("\t") for line in (tmp_path / "s.tsv").read_text().splitlines()]
    assert header == [f"x{c}" for c in chosen]
    assert np.array_equal(np.array(rows, dtype=np.float32), values[:, chosen])


def test_json_says_everything(madelon, tmp_path):
    k, epochs, hidden, epsilon = 6, 4, 60, 10
    succeed("select", madelon, "-k", k, "--epochs", epochs, "--hidden", hidden, "--epsilon", epsilon,
            "--seed", 3, "--threads", 2, "--ranking", "ranking.csv", "--json", "r.json", cwd=tmp_path)
    result = read_json(tmp_path / "r.json")
    assert list(result) == ["version", "method", "data", "options", "seed", "threads", "selected", "names",
                            "scores", "loss", "epochs", "training", "seconds", "peak_rss_bytes",
                            "energy", "parameters", "measures", "warnings", "notes", "explained"]
    assert result["method"] == "quickselection"
    assert result["data"] == {"path": str(madelon), "rows": 300, "features": FEATURES}
    assert (result["seed"], result["threads"]) == (3, 2)

    ranking = read_csv(tmp_path / "ranking.csv")[1:]
    assert result["selected"] == [int(row[1]) for row in ranking[:k]]
    assert result["names"] == [row[2] for row in ranking[:k]]
    assert len(result["scores"]) == FEATURES
    assert all(result["scores"][int(row[1])] == float(row[3]) for row in ranking)

    assert len(result["loss"]) == epochs
    assert all(isinstance(loss, float) and loss > 0 for loss in result["loss"])
    connections = 2 * epsilon * (FEATURES + hidden)
    assert result["parameters"] == connections + hidden + FEATURES
    assert all(isinstance(text, str) for text in result["warnings"])

    seconds = result["seconds"]
    assert set(seconds) == {"read", "train", "total"}
    assert 0 < seconds["read"] and 0 < seconds["train"]
    assert seconds["read"] + seconds["train"] <= seconds["total"]
    assert isinstance(result["peak_rss_bytes"], int)
    assert 1e6 < result["peak_rss_bytes"] < 1e9
    assert set(result["energy"]) == {"joules", "source"}
    assert result["energy"]["joules"] >= 0 and result["energy"]["source"]

    options = result["options"]
    assert (options["epochs"], options["hidden"], options["epsilon"]) == (epochs, str(hidden), epsilon)
    defaults = {"scale": "standard", "clip": 0, "zeta": 0.2, "noise": 0.2, "noise-mode": "fixed",
                "batch-size": 100, "learning-rate": 0.01, "momentum": 0.9, "weight-decay": 0,
                "dropout": 0.2, "activation": "sigmoid", "output-activation": "linear",
                "loss": "squared", "optimizer": "sgd", "importance": "strength"}
    assert {name: options[name] for name in defaults} == defaults


def test_the_matching_loss_changes_tanh_outputs_and_no_linear_ones(madelon, tmp_path):
    def ranking(*options):
        succeed("select", madelon, *FAST, *options, "--ranking", "r.csv", "--quiet", cwd=tmp_path)
        return (tmp_path / "r.csv").read_text()
    matching, tanh = ("--loss", "matching"), ("--output-activation", "tanh")
    assert ranking(*matching) == ranking()
    assert ranking(*tanh, *matching) != ranking(*tanh)
    fail("select", madelon, "--loss", "absolute", cwd=tmp_path, code=2,
         says=["--loss", "absolute", "squared", "matching"])


def test_people_see_bars_and_a_line_of_costs(madelon, tmp_path):
    out = succeed("select", madelon, *FAST, "-k", 4, cwd=tmp_path).out.splitlines()
    assert out[0].startswith("note: the column 'label' is taken as the labels")
    assert out[1] == "4 of 40 features by quickselection, scaled: standard"
    assert [line.split()[0] for line in out[2:6]] == ["1", "2", "3", "4"]
    assert all("█" in line for line in out[2:6])
    assert out[6].startswith("5 epochs: ")
    assert all(word in out[7] for word in ["in all", "peak memory", "J (", "parameters"])
    assert "explain" in out[8] and len(out) == 9


def test_a_loss_that_was_still_falling_is_said_in_text_and_json(madelon, tmp_path):
    out = succeed("select", madelon, "--epochs", 8, "--hidden", 50, "--json", "r.json",
                  cwd=tmp_path).out
    assert "8 epochs: the loss was still falling" in out
    result = read_json(tmp_path / "r.json")
    assert (result["epochs"], result["training"]) == (8, "the loss was still falling")
    succeed("select", madelon, "--method", "variance", "--json", "r.json", cwd=tmp_path)
    assert "training" not in read_json(tmp_path / "r.json")


def test_quiet_prints_nothing_but_warnings(madelon, tmp_path):
    result = succeed("select", madelon, *FAST, "--quiet", "--ranking", "ranking.csv", cwd=tmp_path)
    assert result.out == ""
    assert all(line.startswith("warning: ") for line in result.err.splitlines())
    assert names_in(tmp_path) == ["ranking.csv"]


def test_k_defaults_to_all_of_few_features(madelon, tmp_path):
    succeed("select", madelon, *FAST, "--json", "r.json", cwd=tmp_path)
    assert len(read_json(tmp_path / "r.json")["selected"]) == FEATURES


def test_options_may_stand_before_the_data(madelon, tmp_path):
    after = ranking_of(tmp_path, madelon, "--epochs", 3, "--hidden", 50, "-k", 5)
    assert ranking_of(tmp_path, "--epochs", 3, "-k", 5, "--hidden", 50, madelon) == after
    assert ranking_of(tmp_path, "--epochs=3", "--hidden=50", madelon) == after


@pytest.mark.parametrize("options", [(), ("--noise-mode", "fresh", "--optimizer", "adam"),
                                     ("--hidden", "30,10,30", "--batch-size", "7")])
def test_same_seed_same_bits_for_any_number_of_threads(madelon, tmp_path, options):
    rankings, losses = set(), set()
    for threads in [1, 2, 3]:
        rankings.add(ranking_of(tmp_path, madelon, "--epochs", 4, "--threads", threads,
                                "--json", "r.json", *options))
        losses.add(tuple(read_json(tmp_path / "r.json")["loss"]))
    assert len(rankings) == 1
    assert len(losses) == 1


def test_other_seeds_give_other_rankings(madelon, tmp_path):
    assert len({ranking_of(tmp_path, madelon, *FAST, "--seed", seed) for seed in range(3)}) == 3


def test_labels_never_change_the_ranking(madelon, tmp_path):
    names, rows, labels = split_labels(madelon)
    expected = ranking_of(tmp_path, madelon, *FAST)

    write_csv(tmp_path / "without.csv", rows, names)
    assert ranking_of(tmp_path, "without.csv", *FAST) == expected

    shuffled = random.Random(0).sample(labels, len(labels))
    assert shuffled != labels
    write_csv(tmp_path / "shuffled.csv", [r + [l] for r, l in zip(rows, shuffled)],
              names + ["label"])
    assert ranking_of(tmp_path, "shuffled.csv", *FAST) == expected

    write_csv(tmp_path / "first.csv", [[f"class {l}"] + r for r, l in zip(rows, labels)],
              ["kind"] + names)
    assert ranking_of(tmp_path, "first.csv", "--label", "kind", *FAST) == expected
    assert ranking_of(tmp_path, "first.csv", "--label", "0", *FAST) == expected

    (tmp_path / "labels.txt").write_text("\n".join(labels) + "\n")
    assert ranking_of(tmp_path, "without.csv", "--label", "labels.txt", *FAST) == expected


def test_label_none_keeps_the_column_as_a_feature(madelon, tmp_path):
    result = succeed("select", madelon, *FAST, "--label", "none", "--json", "r.json", cwd=tmp_path)
    assert read_json(tmp_path / "r.json")["data"]["features"] == FEATURES + 1
    assert "note:" not in result.out


def test_npy_and_csv_of_the_same_values_rank_alike(madelon, tmp_path):
    names, rows, _ = split_labels(madelon)
    np.save(tmp_path / "data.npy", np.array(rows, dtype=np.float32))
    by_csv = ranking_of(tmp_path, madelon, *FAST).decode().splitlines()
    by_npy = ranking_of(tmp_path, "data.npy", *FAST).decode().splitlines()
    # Only the names differ: a .npy file has none, and columns go by their number.
    assert [line.split(",")[::3] for line in by_npy] == [line.split(",")[::3] for line in by_csv]
    assert all(f[1] == f[2] for f in (line.split(",") for line in by_npy[1:]))


def test_rows_takes_a_part(madelon, tmp_path):
    names, rows, _ = split_labels(madelon)
    write_csv(tmp_path / "part.csv", rows[50:200], names)
    expected = ranking_of(tmp_path, "part.csv", *FAST)
    assert ranking_of(tmp_path, madelon, "--rows", "50:200", *FAST) == expected
    assert ranking_of(tmp_path, madelon, *FAST) != expected


def test_format_overrules_the_ending(madelon, tmp_path):
    (tmp_path / "data.npy").write_bytes(madelon.read_bytes())
    assert ranking_of(tmp_path, "data.npy", "--format", "csv", *FAST) == \
        ranking_of(tmp_path, madelon, *FAST)


def test_report_is_one_page_and_names_cannot_leave_its_data(tmp_path):
    names = ["<script>alert(1)</script>", "a&b", "c"]
    write_csv(tmp_path / "data.csv", np.random.default_rng(4).normal(size=(30, 3)), header=names)
    succeed("select", "data.csv", *FAST, "--report", "report.html", cwd=tmp_path)
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert page.lower().startswith("<!doctype html>")
    assert "\\u003cscript>alert(1)\\u003c/script>" in page
    assert page.lower().count("<script") == page.lower().count("</script>") == 2
    assert names_in(tmp_path) == ["data.csv", "report.html"]


def test_outputs_replace_older_files(madelon, tmp_path):
    (tmp_path / "ranking.csv").write_text("old")
    ranking = ranking_of(tmp_path, madelon, *FAST)
    assert ranking.startswith(b"rank,") and b"old" not in ranking
    assert names_in(tmp_path) == ["ranking.csv"]
