# tests/python/comparison_test.py: methods side by side give what the command line gives.
import json
import os
import signal
import subprocess
import threading
import time

import numpy as np
import pytest

import quickselection
from quickselection import QuickSelection, compare

QUICK = {"runs": 2, "trees": 5, "repetitions": 2, "restarts": 2}


@pytest.fixture
def labels(X):
    return (X[:, 0] > 0).astype(int)


def without_costs(cells):
    return [{key: value for key, value in cell.items()
             if key not in ("seconds", "peak_rss_bytes", "joules", "data")} for cell in cells]


def test_figures_are_those_of_the_command_line(X, labels, program, tmp_path):
    np.save(tmp_path / "x.npy", X)
    (tmp_path / "y.txt").write_text("\n".join(map(str, labels)) + "\n")
    subprocess.run([program, "compare", "x.npy", "--label", "y.txt", "--methods",
                    "short=quickselection:epochs=3:hidden=20:scale=minmax,variance,mcfs:neighbors=4", "-k", "3,8",
                    "--runs", "2", "--trees", "5", "--repetitions", "2", "--restarts", "2", "--seed", "7",
                    "--out", "c"], check=True, cwd=tmp_path, capture_output=True)
    expected = json.loads((tmp_path / "c" / "summary.json").read_text())
    found = compare(X, labels, {"short": QuickSelection(epochs=3, hidden=20, scale="minmax"), "variance": "variance",
                                "mcfs:neighbors=4": "mcfs:neighbors=4"}, k=[3, 8], random_state=7, **QUICK)
    assert without_costs(found.cells) == without_costs(expected["cells"])
    assert len(found.rows) == 3 * 2 * 2 and all(len(row["selected"]) == row["k"] for row in found.rows)
    assert "Classification accuracy" in str(found) and "short" in repr(found)


def test_test_rows_and_missing_values(X, labels):
    X[3, 4] = np.nan
    failed = compare(X, labels, ["variance"], k=5, **QUICK).rows[0]
    assert failed["status"] == "failed" and "feature 4" in failed["message"]
    with pytest.raises(ValueError, match="'drop', but must be"):
        compare(X, labels, ["variance"], k=5, missing="drop", **QUICK)
    found = compare(X[:90], labels[:90], ["variance"], k=5, missing="mean", test=(X[90:], labels[90:]), **QUICK)
    assert found.rows[0]["rows"] == 90 and found.rows[0]["status"] == "ok"


def test_without_labels_the_reconstruction_counts(X):
    found = compare(X, None, "variance", k=5, **QUICK)
    assert "reconstruction" in found.cells[0] and "classification" not in found.cells[0]


def test_a_method_that_fails_says_so(X, labels):
    found = compare(X, labels, ["variance"], k=[5, 99], **QUICK)
    assert [row["status"] for row in found.rows] == ["ok", "failed"] * 2
    assert "only 25 features" in found.rows[1]["message"]


@pytest.mark.parametrize("methods, says", [
    (["nothing"], "nothing"), ([], "no methods"), ([3], "3 is no method"),
    ([QuickSelection(), QuickSelection(epochs=3)], "two methods are called"),
    ({"a": QuickSelection(zeta=7)}, "zeta")])
def test_bad_methods_are_refused(X, labels, methods, says):
    with pytest.raises((quickselection.Error, TypeError), match=says):
        compare(X, labels, methods, k=5, **QUICK)


def test_bad_values_are_refused(X, labels):
    with pytest.raises(ValueError, match="y has the shape"):
        compare(X, labels[:5], "variance", k=5)
    with pytest.raises(quickselection.Error, match="trees"):
        compare(X, labels, "variance", k=5, trees=0)


def test_the_page(X, labels, tmp_path):
    found = compare(X, labels, ["variance", "random"], k=5, name="my data", report=tmp_path / "c.html", **QUICK)
    assert (tmp_path / "c.html").read_text() == found.to_html()
    assert "my data" in found.to_html() and '"kind":"comparison"' in found.to_html()


def test_other_threads_run_meanwhile_and_control_c_ends_it(X, labels):
    ticks = []

    def send():
        time.sleep(0.5)
        ticks.append(1)
        os.kill(os.getpid(), signal.SIGINT)
    thread = threading.Thread(target=send)
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        compare(X, labels, {"endless": QuickSelection(epochs=1_000_000)}, k=5, time_limit="60s", **QUICK)
    thread.join()
    assert ticks
