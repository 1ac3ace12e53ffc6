# tests/report/conftest.py: reports made by the real program, opened in headless Chromium.
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "cli"))

from browser import Browser  # noqa: E402
from program import PROGRAM, succeed  # noqa: E402


def pytest_configure():
    if not PROGRAM.is_file():
        pytest.exit(f"{PROGRAM} is missing: build it, or name it in QUICKSELECTION_BIN", 1)


@pytest.fixture(scope="session")
def browser(tmp_path_factory):
    browser = Browser(tmp_path_factory.mktemp("downloads"))
    yield browser
    browser.quit()


@pytest.fixture(scope="session")
def madelon(tmp_path_factory):
    """300 rows, 40 features with names, labels."""
    folder = tmp_path_factory.mktemp("madelon")
    succeed("generate", "madelon", "-o", "madelon.csv", "--rows", 300, "--features", 40,
            "--seed", 1, cwd=folder)
    return folder / "madelon.csv"
