# tests/docs/pages.py: runs the code blocks of a document as a reader would, and compares what is shown.
#
# ```sh and ```python blocks are run in order, in one folder and one session; a ```text block right after one is what it
# prints. A line "…" stands for any lines. Numbers may differ by a tenth, since the last digits depend on the processor;
# scores, and what is measured in seconds, bytes and joules, may differ at will.
import contextlib
import io
import os
import re
import subprocess
import sys
import warnings
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = (ROOT / os.environ.get("QUICKSELECTION_BIN", "build/release/bin/quickselection")).resolve()
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
NUMBER = re.compile(r"\d+(?:\.\d+)?(?:e[-+]?\d+)?")
COSTS = re.compile(r"\d (?:ms|s|min|J|[kMG]?B)\b")
ANY = "…"


class Block(NamedTuple):
    kind: str
    code: str
    start: int  # of its code, in the document
    end: int


def blocks_of(text):
    return [Block(found[1], found[2], found.start(2), found.end(2)) for found in FENCE.finditer(text)]


def commands_of(code):
    """The commands of a block: lines, with those joined that end in a backslash, without comments."""
    lines = re.sub(r"\\\n\s*", " ", code).splitlines()
    return [line for line in (re.sub(r"(^|\s)#.*", "", line).strip() for line in lines) if line]


class Session:
    """A folder in which a reader types, with the program on the path."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.names = {"__name__": "__main__"}
        self.environment = {**os.environ, "PATH": f"{PROGRAM.parent}:{os.environ['PATH']}",
                            "QUICKSELECTION_SIMD": "SSE4"}  # which every processor here has

    def shell(self, code):
        done = subprocess.run(["bash", "-e", "-c", code], cwd=self.folder, env=self.environment, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        assert done.returncode == 0, f"{code}\n{done.stdout}"
        return "".join(line for line in done.stdout.splitlines(True) if not line.rstrip().endswith("left"))

    def python(self, code):
        said = io.StringIO()
        before = os.getcwd()
        os.chdir(self.folder)
        try:
            with contextlib.redirect_stdout(said), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                exec(compile(code, "<document>", "exec"), self.names)
        finally:
            os.chdir(before)
        return said.getvalue()

    def run(self, block):
        return self.shell(block.code) if block.kind == "sh" else self.python(block.code)


def words(line):
    """A line without its numbers, the lengths of bars and of blanks."""
    return re.sub(r"\s+", " ", re.sub("[█·]+", "█", NUMBER.sub("#", line))).strip()


def numbers_agree(shown, found):
    if COSTS.search(shown) or "█" in shown:  # of a ranking the names count
        return True
    for one, other in zip(NUMBER.findall(shown), NUMBER.findall(found)):
        last = 10.0 ** -len(one.partition(".")[2])
        if abs(float(one) - float(other)) > 0.1 * abs(float(one)) + 2 * last:
            return False
    return True


def matched(shown, found):
    """The lines of `found` that those of `shown` stand for (None for "…"). Raises AssertionError where they differ."""
    found = [line for line in found.splitlines() if line.strip()]
    place, pairs, free = 0, [], False
    for line in shown.splitlines():
        if line.strip() in ("", ANY):
            free = free or line.strip() == ANY
            pairs.append(None)
            continue
        here = place
        while free and here < len(found) and words(found[here]) != words(line):
            here += 1
        output = "\n".join(found)
        assert here < len(found) and words(found[here]) == words(line), f"not printed: {line}\nbut:\n{output}"
        assert numbers_agree(line, found[here]), f"shown:   {line}\nprinted: {found[here]}"
        pairs.append(found[here])
        place, free = here + 1, False
    assert free or place == len(found), "printed, but not shown:\n" + "\n".join(found[place:])
    return pairs


def run_page(path, folder, check=True):
    """Runs a document; returns its text with the outputs of this run in the place of those it shows."""
    text = Path(path).read_text(encoding="utf-8")
    session, printed, edits = Session(folder), None, []
    for block in blocks_of(text):
        if block.kind in ("sh", "python"):
            printed = session.run(block)
        elif block.kind == "text":
            assert printed is not None, f"nothing printed what is shown:\n{block.code}"
            try:
                pairs = matched(block.code, printed)
                lines = [old if new is None else new for old, new in zip(block.code.splitlines(), pairs)]
                edits.append((block, "\n".join(lines) + "\n"))
            except AssertionError as differs:
                if check:
                    raise AssertionError(f"{Path(path).name}: {differs}") from None
                edits.append((block, printed))
            printed = None
    for block, new in reversed(edits):
        text = text[:block.start] + new + text[block.end:]
    return text


if __name__ == "__main__":
    sys.exit("this is a part of the tests: pytest tests/docs")
