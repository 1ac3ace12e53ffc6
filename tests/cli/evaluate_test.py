# tests/cli/evaluate_test.py: what `evaluate` judges, prints and writes, and what it refuses.
import gzip
import re
import struct

import numpy as np
import pytest

from program import FAST, fail, names_in, read_csv, read_json, succeed, write_csv

# Judges that take milliseconds.
QUICK = ("--trees", 10, "--runs", 2, "--repetitions", 2, "--restarts", 3, "--draws", 8)
FEATURES = 12


def table(rows, classes, seed=0, features=FEATURES):
    """Features 0 and 1 tell the classes apart, 2 copies 0, the others are noise."""
    values = np.random.default_rng(seed).normal(size=(rows, features))
    codes = np.arange(rows) % len(classes)
    values[:, 0] += 8 * (codes % 2)
    values[:, 1] += 8 * (codes // 2)
    values[:, 2] = values[:, 0]
    return values, [classes[c] for c in codes]


def write_table(path, values, labels=None, names=None):
    names = names or [f"f{c}" for c in range(values.shape[1])]
    if labels is None:
        return write_csv(path, values.tolist(), names)
    return write_csv(path, [[*row, label] for row, label in zip(values.tolist(), labels)],
                     [*names, "label"])


def write_ranking(path, order=range(FEATURES), names=None):
    return write_csv(path, [[r + 1, f, names[f] if names else f, 1 / (r + 1)]
                            for r, f in enumerate(order)], ["rank", "feature", "name", "score"])


@pytest.fixture
def data(tmp_path):
    """data.csv with four classes and ranking.csv with the useful features first."""
    write_table(tmp_path / "data.csv", *table(200, ["a", "b", "c", "d"]))
    write_ranking(tmp_path / "ranking.csv")
    return tmp_path


def evaluate(folder, *args, data="data.csv", ranking="ranking.csv"):
    """The entries of the JSON and what was printed."""
    result = succeed("evaluate", data, "--ranking", ranking, *QUICK, "--json", "e.json", *args,
                     cwd=folder)
    found = read_json(folder / "e.json")
    assert found["version"] == 1
    return found["entries"], result.out


def test_json_has_an_entry_for_each_k_with_chance_and_ceiling(data):
    entries, _ = evaluate(data, "-k", "2,5,12")
    assert [entry["k"] for entry in entries] == [2, 5, 12]
    for entry in entries:
        assert list(entry) == ["k", "classification", "clustering", "reconstruction", "random", "all"]
        for judged, runs, repetitions in [(entry, 2, 2), (entry["random"], 8, 8), (entry["all"], 2, 2)]:
            assert list(judged["classification"]) == ["classifier", "mean", "std", "runs"]
            assert judged["classification"]["classifier"] == "extra-trees"
            assert judged["classification"]["runs"] == runs
            assert list(judged["clustering"]) == ["accuracy", "nmi", "ari", "std", "nmi_std",
                                                    "ari_std", "repetitions"]
            assert judged["clustering"]["repetitions"] == repetitions
            assert list(judged["reconstruction"]) == ["r2", "std"]
    best = entries[0]
    assert best["classification"]["mean"] > 0.95 > 0.8 > best["random"]["classification"]["mean"]
    assert best["clustering"]["accuracy"] > 0.95
    assert best["reconstruction"]["r2"] == pytest.approx(3 / FEATURES, abs=0.08)
    assert entries[0]["all"] == entries[1]["all"]
    assert best["all"]["reconstruction"]["r2"] == 1


def test_people_see_a_table(data):
    lines = evaluate(data, "-k", "2,5")[1].splitlines()
    at = next(i for i, line in enumerate(lines) if line.startswith("features"))
    assert "160 training rows, 40 test rows, 4 classes; extra-trees of 10 trees" in lines[at - 1]
    assert lines[at].split() == ["features", "classified", "%", "clustered", "%", "NMI", "ARI",
                                 "rebuilt", "%"]
    assert [" ".join(line.split()[:2]) for line in lines[at + 1:at + 5]] == [
        "best 2", "random 2", "best 5", "random 5"]
    assert lines[at + 5].startswith("all ")
    assert re.search(r"best 2 +\d+\.\d ± +\d\.\d +\d+\.\d ± +\d\.\d +[\d.]+ +[\d.]+ +\d+\.\d",
                     lines[at + 1])


def test_quiet_prints_nothing(data):
    result = succeed("evaluate", "data.csv", "--ranking", "ranking.csv", *QUICK, "-k", 2, "-q",
                     "--json", "e.json", cwd=data)
    assert (result.out, result.err) == ("", "")


def test_no_baselines(data):
    entries, out = evaluate(data, "-k", 3, "--no-baselines")
    assert list(entries[0]) == ["k", "classification", "clustering", "reconstruction"]
    assert "random" not in out and "\nall" not in out


def test_the_random_forest_and_judges_that_are_turned_off(data):
    entries, out = evaluate(data, "-k", 2, "--classifier", "random-forest", "--clustering", "no",
                            "--reconstruction", "no")
    assert list(entries[0]) == ["k", "classification", "random", "all"]
    assert entries[0]["classification"]["classifier"] == "random-forest"
    assert entries[0]["classification"]["mean"] > 0.95
    assert "random-forest of 10 trees" in out


def test_k_defaults_to_all_of_a_short_ranking(data):
    write_ranking(data / "short.csv", [0, 1, 2])
    assert [entry["k"] for entry in evaluate(data, ranking="short.csv")[0]] == [3]


def test_same_bits_for_any_number_of_threads_and_another_seed_for_others(data):
    one, two = (evaluate(data, "-k", "2,6", "--threads", threads)[0] for threads in [1, 3])
    assert one == two
    assert evaluate(data, "-k", "2,6", "--seed", 1)[0] != one


def test_splits(data):
    by_share = evaluate(data, "-k", 6, "--split", 0.4)[1]
    assert "120 training rows, 80 test rows" in by_share
    one, two = (evaluate(data, "-k", 6, "--split-seed", seed)[0] for seed in [42, 7])
    assert evaluate(data, "-k", 6)[0] == one != two
    entries, out = evaluate(data, "-k", 6, "--folds", 4)
    assert "4 folds, the first: 150 training rows, 50 test rows" in out
    assert entries[0]["classification"]["runs"] == 2 * 4
    assert "150 training rows, 50 test rows" in evaluate(data, "-k", 6, "--test-rows", "150:200")[1]
    # Both are counted in the whole file.
    assert "80 training rows, 40 test rows" in evaluate(
        data, "-k", 6, "--rows", "20:100", "--test-rows", "100:140")[1]
    # --rows alone cuts what is split.
    assert "80 training rows, 20 test rows" in evaluate(data, "-k", 6, "--rows", "100:200")[1]


def test_a_test_file_has_its_own_labels(data):
    write_table(data / "test.csv", *table(60, ["a", "b", "c", "d"], seed=1))
    entries, out = evaluate(data, "-k", 2, "--test", "test.csv")
    assert "200 training rows, 60 test rows" in out
    assert entries[0]["classification"]["mean"] > 0.95
    # The same values and labels in other files.
    for name, rows, seed in [("train", 200, 0), ("test", 60, 1)]:
        values, labels = table(rows, ["a", "b", "c", "d"], seed=seed)
        np.save(data / f"{name}.npy", values.astype(np.float32))  # as read from text
        (data / f"{name}.txt").write_text("\n".join(labels) + "\n")
    again = evaluate(data, "-k", 2, "--label", "train.txt", "--test", "test.npy", "--test-label",
                     "test.txt", data="train.npy")[0]
    assert again == entries
    fail("evaluate", "train.npy", "--label", "train.txt", "--test", "test.npy", "--ranking",
         "ranking.csv", "-k", 2, cwd=data, code=2, says=["--label", "train.txt"],
         hint=["--test-label"])


def test_images_in_idx(data):
    values, labels = table(90, [0, 1])
    pixels = np.clip(20 * (values + 5), 0, 255).astype(np.uint8)
    for name, array in [("images.gz", pixels.reshape(90, 3, 4)), ("labels.gz", np.uint8(labels))]:
        header = struct.pack(f">BBBB{array.ndim}I", 0, 0, 8, array.ndim, *array.shape)
        (data / name).write_bytes(gzip.compress(header + array.tobytes()))
    entries, _ = evaluate(data, "-k", 1, "--format", "idx", "--label", "labels.gz", data="images.gz")
    assert entries[0]["classification"]["mean"] > 0.9


def test_removal_from_both_ends(data):
    _, out = evaluate(data, "-k", 2, "--removal", 11)
    removal = read_json(data / "e.json")["removal"]
    assert list(removal) == ["least_important_first", "most_important_first"]
    for points in removal.values():
        assert [point["removed"] for point in points] == list(range(FEATURES))
        assert all(list(point) == ["removed", "left", "mean", "std"] for point in points)
        assert all(point["removed"] + point["left"] == FEATURES for point in points)
    least, most = removal.values()
    assert least[10]["mean"] > 0.95 and most[3]["mean"] < 0.5
    lines = out.splitlines()
    at = next(i for i, line in enumerate(lines) if line.split()[:2] == ["removed", "left"])
    assert [line.split()[:2] for line in lines[at + 1:at + 13]] == [
        [str(i), str(FEATURES - i)] for i in range(FEATURES)]


def test_ranking_of_select_on_real_formats(madelon, tmp_path):
    succeed("select", madelon, *FAST, "--ranking", "ranking.csv", "-q", cwd=tmp_path)
    entries, _ = evaluate(tmp_path, "-k", "5,20", data=madelon)
    assert [entry["k"] for entry in entries] == [5, 20]


def test_stability_of_the_rankings_of_several_runs(madelon, tmp_path):
    succeed("select", madelon, *FAST, "--runs", 5, "-k", 10, "--ranking", "ranking.csv",
            "--run-rankings", "runs.csv", "--json", "s.json", "-q", cwd=tmp_path)
    entries, out = evaluate(tmp_path, "-k", "10,40,3", "--stability", "runs.csv", data=madelon)
    assert entries[0]["stability"] == read_json(tmp_path / "s.json")["stability"]
    assert "stability" not in entries[1]  # of all features there is none
    assert entries[2]["stability"]["k"] == 3
    assert "best 3: 5 rankings share" in out

    for seed in range(5):
        succeed("select", madelon, *FAST, "--seed", seed, "--ranking", f"{seed}.csv", "-q",
                cwd=tmp_path)
    files = [word for seed in range(5) for word in ("--stability", f"{seed}.csv")]
    assert evaluate(tmp_path, "-k", "10,40,3", *files, data=madelon)[0] == entries
    fail("evaluate", madelon, "--ranking", "0.csv", "--stability", "0.csv", "-k", 3, cwd=tmp_path,
         code=2, says=["0.csv", "one ranking"], hint=["--runs"])


def test_it_says_when_the_best_are_no_better_than_random(tmp_path):
    values = np.random.default_rng(5).normal(size=(120, FEATURES))
    write_table(tmp_path / "data.csv", values, ["x" if v > 0 else "y" for v in values[:, 3]])
    write_ranking(tmp_path / "ranking.csv", [5, 6, 7, 8, 9, 10, 11, 0, 1, 2, 3, 4])
    out = evaluate(tmp_path, "-k", 2)[1]
    assert re.search(r"note: classification with the best 2 \([\d.]+ %\) is no(t clearly)? better "
                     r"than with 2 drawn at random \([\d.]+ ± [\d.]+ %\)", out)
    write_ranking(tmp_path / "good.csv", [3, 6, 7, 8, 9, 10, 11, 0, 1, 2, 5, 4])
    good = evaluate(tmp_path, "-k", 2, ranking="good.csv")[1]
    assert "note: classification" not in good


# Ugly data.


def test_without_labels_only_the_reconstruction_is_judged(data):
    write_table(data / "data.csv", table(80, ["a", "b"])[0])
    entries, out = evaluate(data, "-k", 3, "--removal", 3)
    assert list(entries[0]) == ["k", "reconstruction", "random", "all"]
    assert entries[0]["reconstruction"]["r2"] > 0
    assert list(entries[0]["random"]) == ["reconstruction"]
    assert "note: data.csv has no labels: only the reconstruction can be judged" in out
    assert re.search(r"best 3 +- +- +- +- +\d", out)
    fail("evaluate", "data.csv", "--ranking", "ranking.csv", "-k", 3, "--reconstruction", "no",
         cwd=data, code=1, says=["nothing can be judged", "no labels"], hint=["reconstruction"])


def test_labels_for_training_only(data):
    write_table(data / "test.csv", table(40, ["a"])[0])
    fail("evaluate", "data.csv", "--test", "test.csv", "--ranking", "ranking.csv", "-k", 2, cwd=data,
         code=1, says=["test.csv", "has none"], hint=["labels of the test data"])


def test_one_class(data):
    write_table(data / "data.csv", *table(60, ["only"]))
    entries, out = evaluate(data, "-k", 2)
    assert list(entries[0]) == ["k", "reconstruction", "random", "all"]
    assert "all training rows have the same class" in out


def test_a_class_with_one_row(data):
    values, labels = table(81, ["a", "b"])
    labels[80] = "rare"
    write_table(data / "data.csv", values, labels)
    entries, out = evaluate(data, "-k", 1)
    assert "3 classes" in out
    assert entries[0]["classification"]["mean"] > 0.9
    assert evaluate(data, "-k", 1, "--folds", 3)[0][0]["classification"]["mean"] > 0.9


def test_every_row_a_class(data):
    values, _ = table(30, ["a"])
    write_table(data / "data.csv", values, [f"c{r}" for r in range(30)])
    fail("evaluate", "data.csv", "--ranking", "ranking.csv", "-k", 2, cwd=data, code=1,
         says=["class of its own"], hint=["--label"])


def test_rows_without_a_label_are_mentioned(data):
    values, labels = table(90, ["a", "b", ""])
    write_table(data / "data.csv", values, labels)
    entries, out = evaluate(data, "-k", 2)
    assert "rows without a label are taken as a class" in out
    assert "classification" in entries[0]


def test_unseen_classes_count_as_wrong(data):
    write_table(data / "train.csv", *table(80, ["a", "b"]))
    write_table(data / "test.csv", *table(60, ["b", "a", "new"], seed=2))
    # Classes are matched by their text, not by their order.
    values, labels = table(60, ["a", "b"], seed=2)
    write_table(data / "swapped.csv", values[::-1], labels[::-1])
    out = evaluate(data, "-k", 2, "--test", "test.csv", data="train.csv")[1]
    assert "20 of 60 test rows have a class that no training row has" in out
    entries, out = evaluate(data, "-k", 2, "--test", "swapped.csv", data="train.csv")
    assert entries[0]["classification"]["mean"] > 0.95 and "no training row" not in out


def test_text_and_numbers_as_labels_are_the_same_classes(data):
    expected = evaluate(data, "-k", 2)[0]
    for classes in [["1", "2", "3", "10"], ["größe", "two words", "v,w", 'x"y']]:
        write_table(data / "data.csv", *table(200, classes))
        assert evaluate(data, "-k", 2)[0][0]["reconstruction"]["r2"] > 0
        found = evaluate(data, "-k", 2)[0][0]["classification"]["mean"]
        assert found == pytest.approx(expected[0]["classification"]["mean"], abs=0.05)


def test_k_larger_than_the_features(data):
    fail("evaluate", "data.csv", "--ranking", "ranking.csv", "-k", "5,13", cwd=data, code=2,
         says=["K is 13", "only 12 features"], hint=["at most 12"])
    write_ranking(data / "short.csv", [4, 2, 0])
    fail("evaluate", "data.csv", "--ranking", "short.csv", "-k", "4", cwd=data, code=2,
         says=["K is 4", "the ranking has only 3"], hint=["smaller K"])
    fail("evaluate", "data.csv", "--ranking", "short.csv", "-k", "2", "--removal", "2", cwd=data,
         code=2, says=["3 of 12 features"], hint=["all features"])


@pytest.mark.parametrize("k", ["0", "-1", "two", "3,,4", "1.5"])
def test_k_that_is_no_number(data, k):
    fail("evaluate", "data.csv", "--ranking", "ranking.csv", f"-k={k}", cwd=data, code=2, says=["k"])


def test_values_that_are_not_finite(data):
    values, labels = table(50, ["a", "b"])
    values[7, 3] = np.nan
    write_table(data / "data.csv", values, labels)
    fail("evaluate", "data.csv", "--ranking", "ranking.csv", "-k", 2, cwd=data, code=1,
         says=["data.csv", "row 7"], hint=["--missing"])


def test_missing_values_get_the_mean_of_the_training_rows(data):
    values, labels = table(60, ["a", "b"])
    values[7, 3] = np.nan

    def clustering(*args):
        write_table(data / "data.csv", values, labels)
        entries, _ = evaluate(data, "-k", 12, "--test-rows", "40:60", "--no-baselines", *args)
        return entries[0]["clustering"]

    found = []
    for test_values in (0, 1e6):  # test rows must not change what is put into row 7
        values[40:59, 3] = test_values
        found.append(clustering("--missing", "mean"))
    assert found[0] == found[1]
    values[7, 3] = np.nanmean(values[:40, 3])
    assert clustering() == found[0]


# Rankings that do not fit.


def test_names_of_other_data(data):
    names = [f"f{c}" for c in range(FEATURES)]
    write_ranking(data / "named.csv", names=names)
    assert evaluate(data, "-k", 2, ranking="named.csv")[0] == evaluate(data, "-k", 2)[0]
    names[4], names[5] = names[5], names[4]
    write_ranking(data / "moved.csv", names=names)
    fail("evaluate", "data.csv", "--ranking", "moved.csv", "-k", 2, cwd=data, code=1,
         says=["moved.csv, line 6", "feature 4", "'f5'", "'f4'"], hint=["other data", "same order"])
    # Without names in the data there is nothing to compare.
    np.save(data / "data.npy", table(80, ["a"])[0])
    evaluate(data, "-k", 2, data="data.npy", ranking="moved.csv")


def test_names_with_commas_quotes_and_line_breaks(data):
    names = ["a,b", 'say "x"', "two\nlines", *[f"f{c}" for c in range(3, FEATURES)]]
    values, labels = table(60, ["a", "b"])
    write_table(data / "data.csv", values, labels, names)
    succeed("select", "data.csv", "--method", "variance", "--ranking", "r.csv", "-q", cwd=data)
    evaluate(data, "-k", 12, ranking="r.csv")


def test_columns_of_the_test_file_must_be_the_same(data):
    values, labels = table(40, ["a", "b"])
    names = [f"f{c}" for c in range(FEATURES)]
    write_table(data / "test.csv", values, labels, names[::-1])
    fail("evaluate", "data.csv", "--test", "test.csv", "--ranking", "ranking.csv", "-k", 2, cwd=data,
         code=1, says=["feature 0", "'f0' in data.csv", "'f11' in test.csv"], hint=["same columns"])
    write_table(data / "test.csv", values[:, 1:], labels, names[1:])
    fail("evaluate", "data.csv", "--test", "test.csv", "--ranking", "ranking.csv", "-k", 2, cwd=data,
         code=1, says=["12 features", "test.csv has 11"], hint=["same columns"])


@pytest.mark.parametrize("text, says", [
    ("", ["bad.csv, line 1", "empty"]),
    ("a,b\n1,2\n", ["line 1", "no column 'feature'"]),
    ("rank,feature\n", ["no feature is ranked"]),
    ("rank,feature\n1,12\n", ["line 2", "feature 12", "12 features of the data"]),
    ("rank,feature\n1,-1\n", ["line 2", "'-1'"]),
    ("rank,feature\n1,x\n", ["line 2", "'x' is not a whole number"]),
    ("rank,feature\n1,3\n2,4\n3,3\n", ["line 4", "feature 3 was ranked before"]),
    ("rank,feature\n2,3\n1,4\n", ["line 2", "rank 2 stands where 1"]),
    ("rank,feature,name\n1,3\n", ["line 2", "2 fields", "3"]),
])
def test_files_that_are_no_ranking(data, text, says):
    (data / "bad.csv").write_text(text)
    fail("evaluate", "data.csv", "--ranking", "bad.csv", "-k", 1, cwd=data, code=1, says=says)


def test_rankings_of_other_programs(data):
    (data / "plain.csv").write_bytes(b"feature\r\n3\r\n0\r\n\r\n")
    entries, _ = evaluate(data, "-k", 2, ranking="plain.csv")
    write_ranking(data / "same.csv", [3, 0])
    assert entries == evaluate(data, "-k", 2, ranking="same.csv")[0]


# Arguments that do not fit.


@pytest.mark.parametrize("args, says", [
    (["--split", 0.2, "--folds", 3], ["--split and --folds"]),
    (["--test", "data.csv", "--test-rows", "0:9"], ["--test and --test-rows"]),
    (["--split", 0], ["share is 0"]),
    (["--split", 1], ["--split is '1'", "less than 1"]),
    (["--folds", 1], ["--folds is '1'", "at least 2"]),
    (["--folds", 201], ["201 folds of 200 rows"]),
    (["--test-rows", "5:5"], ["--test-rows is '5:5'"]),
    (["--test-rows", "0:200"], ["all of the data"]),
    (["--test-rows", "190:201"], ["190:201", "200 rows"]),
    (["--rows", "0:100", "--test-rows", "99:120"], ["overlap"]),
    (["--test-label", "label"], ["--test is not"]),
    (["--trees", 0], ["--trees is '0'"]),
    (["--classifier", "svm"], ["--classifier is 'svm'"]),
    (["--bogus"], ["no option --bogus"]),
    (["--removals", 3], ["no option --removals"]),
])
def test_arguments_that_do_not_fit(data, args, says):
    fail("evaluate", "data.csv", "--ranking", "ranking.csv", "-k", 2, *args, cwd=data, code=2,
         says=says)


def test_missing_files_and_arguments(data):
    fail("evaluate", "data.csv", cwd=data, code=2, says=["--ranking"])
    fail("evaluate", "data.csv", "--ranking", "nowhere.csv", "-k", 2, cwd=data, code=1,
         says=["nowhere.csv"], hint=["select --ranking"])
    fail("evaluate", "data.csv", "--ranking", "ranking.csv", "-k", 2, "--json", "no/where.json",
         cwd=data, code=1, says=["no/where.json"])


def test_nothing_is_left_behind(data):
    before = names_in(data)
    evaluate(data, "-k", 2)
    assert names_in(data) == sorted([*before, "e.json"])
    assert read_csv(data / "ranking.csv")[0] == ["rank", "feature", "name", "score"]
