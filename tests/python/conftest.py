# tests/python/conftest.py
import os
import signal
from pathlib import Path

os.environ.setdefault("SCIPY_ARRAY_API", "1")  # scikit-learn skips a check without it

import numpy as np
import pytest

# Ctrl-C is tested; a shell that starts the tests in the background would have them ignore it.
signal.signal(signal.SIGINT, signal.default_int_handler)

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def program():
    return (ROOT / os.environ.get("QUICKSELECTION_BIN", "build/release/bin/quickselection")).resolve()


@pytest.fixture(scope="session")
def example():
    """Where the examples in C++ are built."""
    def path(name):
        found = ROOT / "build" / "release" / "bin" / f"example_{name}"
        if not found.exists():
            pytest.skip(f"{found.name} is not built")
        return found
    return path


@pytest.fixture(scope="session")
def data_folder():
    folder = os.environ.get("QUICKSELECTION_DATA")
    if not folder:
        pytest.skip("QUICKSELECTION_DATA is not set")
    return Path(folder)


@pytest.fixture
def X():
    random = np.random.default_rng(0)
    factors = random.standard_normal((120, 3))
    return factors @ random.standard_normal((3, 25)) + 0.3 * random.standard_normal((120, 25))
