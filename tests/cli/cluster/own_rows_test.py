# tests/cli/cluster/own_rows_test.py: of mapped files a process uses the rows of its own shards alone.
import subprocess

import numpy as np
import pytest

from processes import ENVIRONMENT, MPIRUN, needs_mpi
from program import PROGRAM, TIMEOUT, fail, succeed

pytestmark = needs_mpi

ROWS, FEATURES, SHARDS = 480, 20, 4
LOOKS = 16  # values that all processes compare, to see that they have the same file


@pytest.fixture
def values():
    random = np.random.default_rng(1)
    made = random.normal(size=(ROWS, 3)) @ random.normal(size=(3, FEATURES))
    return (made + 0.3 * random.normal(size=made.shape)).astype("f4")


def save(folder, values, parts):
    folder.mkdir()
    for i, part in enumerate(np.split(values, [50, 300]) if parts else [values]):
        np.save(folder / f"{i}.npy", part)


def without(values, rows):
    """What cannot be used stands in these rows, but in the few places that all look at."""
    spoilt = values.copy()
    spoilt[rows] = np.nan
    spoilt[0] = values[0]
    for i in range(LOOKS + 1):
        place = i * (ROWS - 1) // LOOKS, i * (FEATURES - 1) // LOOKS
        spoilt[place] = values[place]
    return spoilt


@pytest.mark.parametrize("parts", [False, True], ids=["one file", "parts"])
@pytest.mark.parametrize("options", [(), ("--scale", "minmax", "--optimizer", "adam"),
                                     ("--method", "wast", "--lambda", 0.9), ("--method", "fcae")])
def test_the_rows_of_other_processes_are_not_needed(values, tmp_path, parts, options):
    halves = slice(0, ROWS // 2), slice(ROWS // 2, ROWS)
    save(tmp_path / "whole", values, parts)
    save(tmp_path / "first", without(values, halves[1]), parts)
    save(tmp_path / "second", without(values, halves[0]), parts)
    command = ["select", ".", "--shards", SHARDS, "--epochs", 3, "--hidden", 20, "--no-check",
               "--quiet", *options, "--ranking", tmp_path / "ranking.csv", "--checkpoint",
               tmp_path / "state"]
    succeed(*command, cwd=tmp_path / "whole")
    expected = [(tmp_path / name).read_bytes() for name in ("ranking.csv", "state")]
    fail(*command, cwd=tmp_path / "second", code=1, says=["not finite"])
    processes = []
    for name in ("first", "second"):
        processes += [":"] if processes else []
        processes += ["-n", "1", "--wdir", str(tmp_path / name), str(PROGRAM), *map(str, command)]
    done = subprocess.run([MPIRUN, "--oversubscribe", *processes], cwd=tmp_path, env=ENVIRONMENT,
                          capture_output=True, timeout=TIMEOUT)
    assert done.returncode == 0, done
    assert [(tmp_path / name).read_bytes() for name in ("ranking.csv", "state")] == expected
