# tests/python/package_test.py: the files around the code.
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_the_stubs_fit_the_registry():
    subprocess.run([sys.executable, ROOT / "scripts" / "make_stubs.py", "--check"], check=True)


def test_the_tour_runs():
    shown = subprocess.run([sys.executable, ROOT / "examples" / "tour.py"], check=True,
                           capture_output=True, text=True).stdout
    assert "500 features, 20 of them relevant" in shown and "accuracy" in shown
