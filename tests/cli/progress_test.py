# tests/cli/progress_test.py: the bar on a terminal, lines elsewhere. No test depends on speed: the
# trainings would take minutes and are interrupted as soon as enough is seen.
import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
import time

import pytest

from program import PROGRAM, TIMEOUT, fail, start, succeed

ENDLESS = ("--epochs", "1000000", "--threads", "1")


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    folder = tmp_path_factory.mktemp("progress")
    succeed("generate", "gaussian", "-o", "data.npy", "--rows", 500, "--features", 50, cwd=folder)
    return folder / "data.npy"


class Terminal:
    """The program on a terminal of its own, as in a shell window."""

    def __init__(self, *args, columns=0, cwd="."):
        self.seen = b""
        self.pid, self.descriptor = pty.fork()
        if self.pid == 0:
            os.chdir(cwd)
            fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
            os.execv(PROGRAM, [str(PROGRAM), *map(str, args)])

    def read_until(self, done):
        end = time.monotonic() + TIMEOUT
        while not done(self.seen):
            assert time.monotonic() < end, self.seen
            if not select.select([self.descriptor], [], [], 1)[0]:
                continue
            try:
                chunk = os.read(self.descriptor, 65536)
            except OSError:  # how Linux says that the other side is closed
                return
            if not chunk:
                return
            self.seen += chunk

    def press_ctrl_c(self):
        os.write(self.descriptor, b"\x03")

    def exit_code(self):
        self.read_until(lambda seen: False)
        code = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        self.pid = 0
        return code

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.pid != 0:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        os.close(self.descriptor)


def test_terminal_shows_a_bar_with_the_time_left(data):
    with Terminal("select", data, *ENDLESS) as terminal:
        terminal.read_until(lambda seen: seen.count(b" left") >= 3)
        terminal.press_ctrl_c()
        assert terminal.exit_code() == 130
        text = terminal.seen.decode()
    bars = [line for line in text.split("\r") if " left" in line]
    assert len(bars) >= 3
    shape = r"\x1b\[Ktrain [█·]{24} +\d+ %  epoch \d+/1000000(  loss \d+\.\d+)?  .+ left"
    assert all(re.fullmatch(shape, bar) for bar in bars[:-1]), bars
    # The bar is wiped out before the last words.
    assert re.search(r"\r\x1b\[K(\^C)?stopped\r\n$", text), text


def test_terminal_is_left_alone_when_quiet(data):
    with Terminal("select", data, "--epochs", 150, "--threads", 1, "--quiet") as terminal:
        assert terminal.exit_code() == 0
        assert all(line.startswith("warning: ") for line in terminal.seen.decode().splitlines())


def test_elsewhere_a_line_now_and_then(data, tmp_path):
    process = start("select", data, *ENDLESS, cwd=tmp_path, stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE)
    try:
        line = process.stderr.readline().decode()
        process.send_signal(signal.SIGINT)
        rest = process.communicate(timeout=TIMEOUT)[1].decode()
    finally:
        process.kill()
    assert process.returncode == 130
    assert re.fullmatch(r"train .+ epoch \d+/1000000  loss \d+\.\d+  .+ left\n", line), line
    assert "\r" not in line + rest and "\x1b" not in line + rest


def test_elsewhere_short_work_is_silent(data, tmp_path):
    result = succeed("select", data, "--epochs", 2, "--threads", 1, cwd=tmp_path)
    assert "\r" not in result.out + result.err and " left" not in result.err


def lines_on_screen(seen):
    """What stood on the last line at any time, without the codes that wipe it out."""
    text = seen.decode().replace("\x1b[K", "")
    return [line for line in re.split("[\r\n]", text) if line]


@pytest.mark.parametrize("columns", [20, 40, 60, 80, 200])
def test_the_bar_fits_the_terminal(data, columns):
    with Terminal("select", data, *ENDLESS, columns=columns) as terminal:
        terminal.read_until(lambda seen: seen.count(b"\r") >= 6)
        terminal.press_ctrl_c()
        assert terminal.exit_code() == 130
        bars = [line for line in lines_on_screen(terminal.seen) if line.startswith("train")]
    assert len(bars) >= 3
    assert all(len(bar) < columns for bar in bars), bars
    if columns >= 40:
        assert all("%" in bar and "left" in bar for bar in bars[1:]), bars
    if columns >= 80:
        assert any("loss" in bar for bar in bars)


@pytest.mark.parametrize("words", [
    ["select", "--epochs", 200], ["select", "--epochs", "auto"], ["select", "--method", "cover", "-k", 5],
    ["compare", "--methods", "variance,random", "-k", 5, "--out", "out", "--runs", 2]])
def test_bars_reach_the_end(data, words, tmp_path):
    with Terminal(words[0], data, *words[1:], columns=100, cwd=tmp_path) as terminal:
        assert terminal.exit_code() == 0
        bars = [line for line in lines_on_screen(terminal.seen) if "·" in line or "█" in line]
        bars = [bar for bar in bars if "%" in bar]
    assert bars and "100 %" in bars[-1] and "·" not in re.sub(" · ", "", bars[-1]), bars[-3:]


@pytest.mark.parametrize("words", [[], ["--help"], ["help", "select"], ["evaluate", "--help"], ["convert", "-h"]])
@pytest.mark.parametrize("columns", [40, 70, 120])
def test_help_fits_the_terminal(words, columns):
    with Terminal(*words, columns=columns) as terminal:
        assert terminal.exit_code() == 0
        lines = terminal.seen.decode().replace("\r", "").splitlines()
    # Commands in examples and words that are longer than a line stay whole.
    for line in lines:
        assert len(line) <= columns or len(max(line.split(), key=len)) + 8 > columns, line
    plain = " ".join(succeed(*words, cwd=".").out.split())
    assert " ".join(" ".join(lines).split()) == plain


def test_a_misspelt_first_option_gets_a_suggestion(tmp_path):
    fail("--versoin", cwd=tmp_path, code=2, hint=["did you mean --version?"])
    fail("--hlep", cwd=tmp_path, code=2, hint=["did you mean --help?"])
