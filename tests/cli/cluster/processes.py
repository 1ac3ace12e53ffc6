# tests/cli/cluster/processes.py: starts the program as several processes on this machine, with MPI.
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from program import PROGRAM, TIMEOUT, Result, wait_for

MPIRUN = shutil.which("mpirun")
needs_mpi = pytest.mark.skipif(
    MPIRUN is None or not (PROGRAM.parent / "quickselection-mpi.so").exists(),
    reason="the program was built without MPI")

TCP = ("--mca", "btl", "tcp,self", "--mca", "btl_tcp_if_include", "lo")
# More processes than cores is usual here, and tests may run as root.
ENVIRONMENT = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
               "OMPI_MCA_rmaps_base_oversubscribe": "1"}


def line(count, *args, over=()):
    return [MPIRUN, "--oversubscribe", *over, "-n", str(count), str(PROGRAM), *map(str, args)]


def start_processes(count, *args, cwd, over=(), **pipes):
    return subprocess.Popen(line(count, *args, over=over), cwd=cwd, env=ENVIRONMENT, **pipes)


def run_processes(count, *args, cwd, over=()):
    done = subprocess.run(line(count, *args, over=over), cwd=cwd, env=ENVIRONMENT,
                          capture_output=True, timeout=TIMEOUT)
    return Result(done.returncode, done.stdout.decode(errors="replace"),
                  done.stderr.decode(errors="replace"))


def succeed_processes(count, *args, cwd, over=()):
    result = run_processes(count, *args, cwd=cwd, over=over)
    assert result.code == 0, result
    return result


def gone(pid):
    """Ended, whether or not somebody has asked how."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


def end_after_kill(launcher, workers):
    """The exit code of a job, one of whose processes was killed. The launcher itself may hang once
    all of them have ended, one time in a hundred: Debian's PMIx library takes a lock twice while it
    cleans up. The launcher is ended then."""
    wait_for(lambda: all(map(gone, workers.values())), launcher)
    try:
        return launcher.wait(timeout=10)
    except subprocess.TimeoutExpired:
        launcher.kill()
        return launcher.wait()


def workers_of(launcher):
    """The processes of the program that a launcher started, by their number (rank)."""
    found = {}
    for proc in Path("/proc").iterdir():
        if not proc.name.isdigit():
            continue
        try:
            stat = (proc / "stat").read_text()
            if int(stat.rpartition(")")[2].split()[1]) != launcher.pid:
                continue
            for word in (proc / "environ").read_bytes().split(b"\0"):
                if word.startswith(b"OMPI_COMM_WORLD_RANK="):
                    found[int(word.partition(b"=")[2])] = int(proc.name)
        except (OSError, ValueError):
            continue
    return found
