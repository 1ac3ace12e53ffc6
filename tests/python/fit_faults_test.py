# tests/python/fit_faults_test.py: fit with calls that fail: threads, memory.
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from small_estimators import ESTIMATORS

TESTS = Path(__file__).resolve().parents[1]
sys.path.append(str(TESTS / "faults"))
from cases import FITS  # noqa: E402

needs_compiler = pytest.mark.skipif(not shutil.which(os.environ.get("CC", "cc")), reason="no C compiler")


def play(*words):
    path = os.pathsep.join(filter(None, sys.path))
    done = subprocess.run([sys.executable, TESTS / "faults" / "faults.py", *words], capture_output=True, text=True,
                          timeout=600, env={**os.environ, "PYTHONPATH": path})
    assert done.returncode == 0, done.stdout + done.stderr


@needs_compiler
def test_a_call_that_fails_within_fit_is_an_exception_or_makes_no_difference():
    play("--cases", "fit", "--most", "3", "--memory", "5")


@needs_compiler
def test_a_lack_of_memory_within_fit_of_any_estimator_is_an_exception():
    assert {case.words[0] for case in FITS} == set(ESTIMATORS)
    play("--set", "fits", "--kinds", "memory", "--memory", "1")


def test_ctrl_c_ends_the_wait_for_a_pipe(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    script = "import quickselection; print('ready', flush=True); quickselection.read('pipe')"
    waiting = subprocess.Popen([sys.executable, "-c", script], cwd=tmp_path, text=True, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)})
    assert waiting.stdout.readline() == "ready\n"
    with pytest.raises(subprocess.TimeoutExpired):
        waiting.wait(1)
    waiting.send_signal(signal.SIGINT)
    assert "KeyboardInterrupt" in waiting.communicate(timeout=120)[1]
