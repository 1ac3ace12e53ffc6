# tests/cli/program.py: runs the program as a user would, and reads what it wrote.
import csv
import json
import os
import signal
import subprocess
import time
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = (ROOT / os.environ.get("QUICKSELECTION_BIN", "build/release/bin/quickselection")).resolve()
TIMEOUT = 120  # only to end a hanging program; nothing here measures time

# A network that trains in milliseconds.
FAST = ("--epochs", "5", "--hidden", "50")


class Result(NamedTuple):
    code: int
    out: str
    err: str


def start(*args, cwd, **pipes):
    return subprocess.Popen([PROGRAM, *map(str, args)], cwd=cwd, **pipes)


def run(*args, cwd):
    # Newer versions of pytest import readline, which sets COLUMNS behind the back of os.environ.
    done = subprocess.run([PROGRAM, *map(str, args)], cwd=cwd, capture_output=True, timeout=TIMEOUT, env=os.environ)
    return Result(done.returncode, done.stdout.decode(errors="replace"),
                  done.stderr.decode(errors="replace"))


def succeed(*args, cwd):
    result = run(*args, cwd=cwd)
    assert result.code == 0, result
    return result


def fail(*args, cwd, code, says=(), hint=()):
    """Runs what must be refused: an error in words, and no file made or changed."""
    before = snapshot(cwd)
    result = run(*args, cwd=cwd)
    assert result.code == code, result
    assert result.err.startswith("error: "), result
    error, *rest = result.err.splitlines()
    for words in says:
        assert str(words) in error, result
    if hint:
        assert len(rest) == 1 and rest[0].startswith("hint: "), result
    for words in hint:
        assert str(words) in rest[0], result
    assert snapshot(cwd) == before
    return result


def snapshot(folder):
    return {p.relative_to(folder): (p.stat().st_mtime_ns, p.stat().st_size)
            for p in Path(folder).rglob("*")}


def names_in(folder):
    return sorted(p.name for p in Path(folder).iterdir())


def read_csv(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.reader(file))


def read_json(path):
    def refuse(constant):
        raise ValueError(f"{constant} is no JSON")

    return json.loads(Path(path).read_text(encoding="utf-8"), parse_constant=refuse)


def write_csv(path, rows, header=None):
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        if header is not None:
            writer.writerow(header)
        writer.writerows(rows)
    return path


def wait_for(condition, process=None):
    """False when the process ended first."""
    end = time.monotonic() + TIMEOUT
    while not condition():
        if process is not None and process.poll() is not None:
            return False
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.002)
    return True


def catches_interrupts(process):
    """Has it come so far that Ctrl-C no longer kills it?"""
    proc = Path("/proc") / str(process.pid)
    if process.poll() is not None or Path(os.readlink(proc / "exe")) != PROGRAM:
        return False
    caught = next(line for line in (proc / "status").read_text().splitlines()
                  if line.startswith("SigCgt:"))
    return bool(int(caught.split()[1], 16) >> (signal.SIGINT - 1) & 1)
