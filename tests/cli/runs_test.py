# tests/cli/runs_test.py: `select --runs` and `--bootstrap`: the mean ranking and how stable it is.
import numpy as np
import pytest

from program import FAST, fail, names_in, read_csv, read_json, succeed, write_csv

FEATURES = 40


def select(folder, *args):
    succeed("select", *args, "--quiet", "--ranking", "ranking.csv", "--json", "r.json", cwd=folder)
    return read_csv(folder / "ranking.csv"), read_json(folder / "r.json")


def test_runs_rank_by_the_mean_of_following_seeds(madelon, tmp_path):
    single = [select(tmp_path, madelon, *FAST, "--seed", seed)[1]["scores"] for seed in [3, 4, 5]]
    rows, result = select(tmp_path, madelon, *FAST, "-k", 8, "--seed", 3, "--runs", 3)
    mean = np.mean(single, axis=0)
    assert result["scores"] == pytest.approx(list(mean), rel=1e-12)
    assert result["selected"] == [int(f) for f in np.argsort(-mean, kind="stable")[:8]]
    tops = [set(np.argsort(-np.array(scores), kind="stable")[:8]) for scores in single]
    frequency = [sum(f in top for top in tops) / 3 for f in range(FEATURES)]
    stability = result["stability"]
    assert stability["frequency"] == pytest.approx(frequency)
    overlaps = [len(tops[a] & tops[b]) / 8 for a in range(3) for b in range(a)]
    assert stability["overlap"] == pytest.approx(np.mean(overlaps))
    assert stability["overlap_by_chance"] == 8 / FEATURES
    # With equal K the measure of Nogueira et al. is the overlap corrected for chance.
    assert stability["index"] == pytest.approx((np.mean(overlaps) - 0.2) / 0.8)
    assert stability["lower"] <= stability["index"] <= stability["upper"]
    assert (result["runs"], result["bootstrap"], result["seed"]) == (3, False, 3)

    assert rows[0] == ["rank", "feature", "name", "score", "frequency"]
    assert all(float(row[4]) == pytest.approx(frequency[int(row[1])]) for row in rows[1:])


@pytest.mark.parametrize("options", [(), ("--bootstrap",)])
def test_same_bits_for_any_number_of_threads(madelon, tmp_path, options):
    found = [select(tmp_path, madelon, *FAST, "-k", 5, "--runs", 4, "--threads", threads, *options)
             for threads in [1, 2, 3]]
    assert found[0][0] == found[1][0] == found[2][0]
    assert found[0][1]["loss"] == found[1][1]["loss"] == found[2][1]["loss"]
    assert found[0][1]["stability"] == found[2][1]["stability"]


def test_run_rankings_hold_every_run(madelon, tmp_path):
    select(tmp_path, madelon, *FAST, "-k", 5, "--runs", 2, "--run-rankings", "runs.csv")
    header, *rows = read_csv(tmp_path / "runs.csv")
    assert header == ["rank", "run_1", "run_2"]
    assert [int(row[0]) for row in rows] == list(range(1, FEATURES + 1))
    for run in [1, 2]:
        order = [row[run] for row in rows]
        alone = select(tmp_path, madelon, *FAST, "--seed", run - 1)[0][1:]
        assert order == [row[1] for row in alone]


def test_bootstrap_measures_methods_without_randomness(tmp_path):
    np.save(tmp_path / "noise.npy", np.random.default_rng(0).normal(size=(50, 20)))
    _, result = select(tmp_path, "noise.npy", "--method", "variance", "-k", 5, "--bootstrap")
    assert (result["runs"], result["bootstrap"]) == (10, True)
    frequency = result["stability"]["frequency"]
    assert sum(frequency) == pytest.approx(5)
    assert any(0 < share < 1 for share in frequency)
    # Of a single sample there is no stability.
    fail("select", "noise.npy", "--bootstrap", "--runs", 1, cwd=tmp_path, code=2, says=["--runs is 1"])


def test_bootstrap_copies_must_fit_in_memory(tmp_path):
    np.save(tmp_path / "large.npy", np.zeros((5000, 500), np.float32))
    fail("select", "large.npy", "--method", "variance", "--bootstrap", "--memory", "16M", cwd=tmp_path,
         code=2, says=["--bootstrap copies rows of 9 MB"], hint=["more memory"])


def test_other_seeds_of_methods_without_randomness_are_kindly_refused(madelon, tmp_path):
    fail("select", madelon, "--method", "variance", "--runs", 5, cwd=tmp_path, code=2,
         says=["variance ranks the same for every seed"], hint=["--bootstrap"])


def test_it_says_plainly_when_stability_is_chance(madelon, tmp_path):
    result = succeed("select", madelon, "--method", "random", "-k", 10, "--runs", 20, "--report",
                     "page.html", "--json", "r.json", cwd=tmp_path)
    assert read_json(tmp_path / "r.json")["stability"]["near_chance"] is True
    assert "20 runs with different seeds share" in result.out
    assert "random choices would share 25 %" in result.out
    assert "little better than chance" in result.out
    page = (tmp_path / "page.html").read_text()
    assert '"near_chance":true' in page and "20 runs with different seeds" in page
    assert "little better than chance" in page and "chosen in runs" in page


def test_it_is_silent_about_chance_when_runs_agree(tmp_path):
    values = np.random.default_rng(0).normal(size=(300, 30)) * ([100] * 5 + [1] * 25)
    write_csv(tmp_path / "data.csv", values.tolist(), [f"f{c}" for c in range(30)])
    result = succeed("select", "data.csv", "--method", "variance", "--bootstrap", "--runs", 6,
                     "-k", 5, "--report", "page.html", cwd=tmp_path)
    assert "6 runs on bootstrap samples of the rows share 100 % of their best 5" in result.out
    assert "high." in result.out and "chance." not in result.out
    assert "in 6 of 6 runs" in result.out
    assert "5 features are among the best 5 in every run" in result.out
    result = succeed("select", "data.csv", "--method", "variance", "--bootstrap", "--runs", 2, "-k", 1, cwd=tmp_path)
    assert "1 feature is among the best 1 in every run" in result.out and "their best 1 feature on" in result.out
    assert "class='warning'" not in (tmp_path / "page.html").read_text()


def test_one_run_is_a_plain_selection(madelon, tmp_path):
    plain = select(tmp_path, madelon, *FAST, "-k", 5)
    one = select(tmp_path, madelon, *FAST, "-k", 5, "--runs", 1)
    assert plain[0] == one[0] and list(plain[1]) == list(one[1])


def test_all_features_selected(madelon, tmp_path):
    result = succeed("select", madelon, *FAST, "--runs", 2, "--ranking", "ranking.csv", "--json",
                     "r.json", cwd=tmp_path)
    assert "give a smaller -k" in result.out
    assert "stability" not in read_json(tmp_path / "r.json")
    assert read_csv(tmp_path / "ranking.csv")[0] == ["rank", "feature", "name", "score"]


def test_runs_with_selected_columns(madelon, tmp_path):
    _, result = select(tmp_path, madelon, *FAST, "-k", 3, "--runs", 2, "--selected", "s.npy")
    assert np.load(tmp_path / "s.npy").shape == (300, 3)
    assert names_in(tmp_path) == ["r.json", "ranking.csv", "s.npy"]


@pytest.mark.parametrize("args, says", [
    (["--runs", 0], ["--runs is '0'"]),
    (["--runs", -3], ["--runs is '-3'"]),
    (["--runs", "many"], ["many"]),
    (["--runs", 3, "--checkpoint", "state"], ["--checkpoint keeps one training", "--runs makes 3"]),
    (["--runs", 3, "--resume", "state"], ["--resume keeps one training"]),
    (["--bootstrap", "--checkpoint", "state"], ["--checkpoint keeps one training"]),
    (["--run-rankings", "runs.csv"], ["--run-rankings needs several runs"]),
    (["--runs", 3, "-k", 41], ["-k is 41", "1 to 40"]),
    (["--runs", 3, "--run-rankings", "no/where.csv"], ["no/where.csv"]),
])
def test_arguments_that_do_not_fit(madelon, tmp_path, args, says):
    code = 1 if "no/where.csv" in args else 2
    fail("select", madelon, *FAST, *args, cwd=tmp_path, code=code, says=says)


def test_a_run_that_fails_is_named(madelon, tmp_path):
    fail("select", madelon, *FAST, "--runs", 3, "-k", 5, "--learning-rate", "1e30", cwd=tmp_path,
         code=1, says=["run 1 of 3 (seed 0): training diverged"], hint=["--learning-rate"])
