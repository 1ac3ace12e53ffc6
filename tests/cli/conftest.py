# tests/cli/conftest.py: data that several tests share.
import pytest

from program import PROGRAM, succeed


def pytest_configure():
    if not PROGRAM.is_file():
        pytest.exit(f"{PROGRAM} is missing: build it, or name it in QUICKSELECTION_BIN", 1)


@pytest.fixture(scope="session")
def madelon(tmp_path_factory):
    """300 rows, 40 features with names, labels."""
    folder = tmp_path_factory.mktemp("madelon")
    succeed("generate", "madelon", "-o", "madelon.csv", "--rows", 300, "--features", 40,
            "--seed", 1, cwd=folder)
    return folder / "madelon.csv"
