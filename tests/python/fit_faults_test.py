# tests/python/fit_faults_test.py: fit with calls that fail: threads, memory.
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

FAULTS = Path(__file__).resolve().parents[1] / "faults" / "faults.py"


@pytest.mark.skipif(not shutil.which(os.environ.get("CC", "cc")), reason="no C compiler")
def test_a_call_that_fails_within_fit_is_an_exception_or_makes_no_difference():
    path = os.pathsep.join(filter(None, sys.path))
    done = subprocess.run([sys.executable, FAULTS, "--cases", "fit", "--most", "3", "--memory", "5"],
                          capture_output=True, text=True, timeout=600,
                          env={**os.environ, "PYTHONPATH": path})
    assert done.returncode == 0, done.stdout + done.stderr
