# tests/python/conftest.py
import os
from pathlib import Path

os.environ.setdefault("SCIPY_ARRAY_API", "1")  # scikit-learn skips a check without it

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def program():
    return (ROOT / os.environ.get("QUICKSELECTION_BIN", "build/release/bin/quickselection")).resolve()


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
