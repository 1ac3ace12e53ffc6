# tests/python/typing_test.py: mypy --strict understands a script that uses the whole package.
import subprocess
import sys
import venv
from pathlib import Path

import pytest

import quickselection

SCRIPT = '''
from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

import quickselection
from quickselection import Comparison, Error, Explained, QuickSelection, SparseAutoencoder, Stability, datasets, plot


def stop(epoch: int, loss: float, scores: NDArray[np.float64]) -> bool:
    return epoch > 3 and loss < 0.5 and bool(scores.max() > 1)


def chosen(X: NDArray[np.float64], k: int) -> list[int]:
    selector = QuickSelection(k, epochs=10, callback=stop, random_state=1, n_jobs=-1).fit(X)
    stability: Stability | None = selector.stability_
    explained: Explained | None = selector.explained_
    if stability is not None and stability.index > 0.5:
        print(stability, stability.frequency.max())
    if explained is not None:
        print(explained.chosen, explained.curve.k)
    page: str = selector.to_html(X, image=(4, 6), path="page.html")
    print(len(page), selector.training_, selector.loss_curve_[-1])
    return [int(column) for column in selector.selected_]


def main() -> None:
    made = datasets.make_madelon(rows=100, features=24)
    columns = chosen(made.X, 5)
    print(sum(column in made.relevant for column in columns))
    found: dict[str, Any] = quickselection.evaluate(made.X, made.y, columns, k=[2, 5], report="e.html")
    print(found["entries"])
    compared: Comparison = quickselection.compare(
        made.X, made.y, {"mine": QuickSelection(epochs=3), "theirs": "mcfs"}, k=5, runs=2)
    print(compared, compared.cells[0]["k"])
    print(quickselection.info(made.X)["rows"])
    table = quickselection.read("data.csv", columns=["a", "b"], rows=(0, 10))
    ranking: NDArray[np.intp] = quickselection.read_ranking("ranking.csv", table.X)
    model = SparseAutoencoder((40, 6, 40)).fit(made.X)
    codes: NDArray[np.float32] = model.inverse_transform(model.transform(made.X))
    plot.scores(QuickSelection(2).partial_fit(made.X))
    genes = quickselection.select_genes(None, 10, inplace=False)
    try:
        print(genes["highly_variable"], ranking, codes.shape)
    except Error as error:
        print(error.option)


main()
'''


@pytest.fixture(scope="module")
def check(tmp_path_factory):
    """Runs mypy on a text, with the package installed as a user has it: only the text is judged."""
    pytest.importorskip("mypy")
    folder = tmp_path_factory.mktemp("mypy")
    venv.create(folder / "venv", system_site_packages=True, symlinks=True)
    place = next((folder / "venv" / "lib").glob("python3*/site-packages"))
    (place / "quickselection").symlink_to(Path(quickselection.__file__).parent)

    def run(text):
        (folder / "script.py").write_text(text)
        return subprocess.run([sys.executable, "-m", "mypy", "--strict", "--python-executable",
                               folder / "venv" / "bin" / "python", "script.py"],
                              capture_output=True, text=True, cwd=folder)
    return run


def test_a_script_passes_without_a_complaint(check):
    done = check(SCRIPT)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("right, wrong", [
    ("k=[2, 5], report", 'k="many", report'), ("epochs=10, callback", "epoch=10, callback"),
    ("(0, 10)", "(0, 10.5)"), ("stability.index", "stability.indx"), ("random_state=1", "random_state='one'"),
    ("codes: NDArray[np.float32]", "codes: NDArray[np.int8]"), ("return epoch > 3", "return epoch + loss.real.upper()")])
def test_a_mistake_is_found(check, right, wrong):
    assert SCRIPT.count(right) == 1
    done = check(SCRIPT.replace(right, wrong))
    assert done.returncode == 1 and "Found 1 error" in done.stdout, done.stdout
