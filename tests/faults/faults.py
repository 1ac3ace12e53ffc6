# tests/faults/faults.py: makes every call that can fail on the way of a command fail once, one run for
# each, and looks what is left. Prints a table.
import argparse
import collections
import random
import re
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

from cases import CASES, FITS, SOURCE, THREADS, Stage, build, make_data, rows_of

KINDS = re.findall(r"^  K\((\w+), \w+\)", SOURCE.read_text(), re.M)
MEMORY = ("memory", "thread_memory")
SETS = {"commands": CASES, "threads": THREADS, "fits": FITS}
HEAD = 2  # armed, failed


class Injector:
    def __init__(self, stage, library):
        self.stage, self.state = stage, Path(str(stage.folder) + ".state")
        self.environment = {"LD_PRELOAD": str(library), "FAULT_STATE": str(self.state)}
        if stage.case.is_fit():
            self.environment["FAULT_WAITS"] = "1"
        if stage.case.only:
            self.environment["FAULT_ONLY"] = stage.case.only

    def run(self, kind="", at=0):
        self.stage.reset()
        self.state.write_bytes(bytes(8 * (HEAD + len(KINDS))))
        return self.stage.run({**self.environment, "FAULT_CALL": kind, "FAULT_AT": str(at)})

    def counts(self):
        """How often each kind of call is made when nothing fails."""
        done = self.run()
        assert done.returncode == 0, (self.stage.case.name, done)
        return dict(zip(KINDS, struct.unpack(f"{HEAD + len(KINDS)}q", self.state.read_bytes())[HEAD:]))

    def outcome(self, kind, at):
        """went on, error, told in a row, ended, not reached, or what must not be: (words, details)."""
        try:
            done = self.run(kind, at)
        except subprocess.TimeoutExpired:
            return "HANG", ""
        failed = struct.unpack("2q", self.state.read_bytes()[:16])[1]
        words = done.stderr.decode(errors="replace")
        if (done.returncode < 0 and kind not in MEMORY) or done.returncode > 2:
            return "CRASH", f"code {done.returncode}: {words}"
        damage = self.stage.damage(done.returncode == 0, rows_may_differ=True)
        if damage:
            return "DAMAGE", f"{damage} (code {done.returncode}: {words})"
        if self.stage.leftovers():
            return "LEFT OVER", f"{self.stage.leftovers()} (code {done.returncode}: {words})"
        if not failed:
            return "not reached", ""
        if done.returncode < 0:  # a library that does not look whether it got memory
            return "ended", ""
        if done.returncode == 0:
            results = self.stage.folder / "results" / "results.jsonl"
            told = results.exists() and any(row[3] != "ok" for row in rows_of(results))
            return ("told in a row" if told else "went on"), ""
        if "error: " not in words and kind not in ("write", "flush", *MEMORY):
            return "SILENT", words
        if self.stage.next_words():  # what was begun can be finished
            damage = self.stage.go_on()
            if damage:
                return "DAMAGE", f"{damage} (code {done.returncode}: {words})"
        return "error", words


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cases", default="", help="names, separated by commas; all of the set")
    parser.add_argument("--set", choices=SETS, default="commands", help="threads: shared work of every method, where"
                        " --kinds thread_memory is meant; fits: of every estimator")
    parser.add_argument("--kinds", default="", help="of calls, separated by commas; all")
    parser.add_argument("--most", type=int, default=100000, help="faults of each kind and case")
    parser.add_argument("--memory", type=int, default=200, help="the same for allocations, drawn by lot")
    parser.add_argument("--last", type=int, default=100000, help="only the last calls of each kind")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    draw = random.Random(options.seed)
    bad = 0
    total = collections.Counter()
    with tempfile.TemporaryDirectory() as place:
        place = Path(place)
        (place / "data").mkdir()
        make_data(place / "data")
        library = build(place)
        print("| command | calls failed | went on | told in a row | clear error | ended by lack of memory | not reached | else |")
        print("|---|---:|---:|---:|---:|---:|---:|---:|")
        for case in SETS[options.set]:
            if options.cases and case.name not in options.cases.split(","):
                continue
            injector = Injector(Stage(case, place / "data", place / case.name.replace(" ", "_")), library)
            tally = collections.Counter()
            for kind, count in injector.counts().items():
                if options.kinds and kind not in options.kinds.split(","):
                    continue
                most = options.memory if kind in MEMORY else options.most
                places = range(max(1, count - options.last + 1), count + 1)
                for at in places if len(places) <= most else sorted(draw.sample(places, most)):
                    outcome, details = injector.outcome(kind, at)
                    tally[outcome] += 1
                    if outcome.isupper():
                        bad += 1
                        print(f"{case.name}: {kind} {at} of {count}: {outcome} {details}", file=sys.stderr)
            total += tally
            show(case.name, tally)
        show("all", total)
    return 1 if bad else 0


def show(name, tally):
    known = ["went on", "told in a row", "error", "ended", "not reached"]
    count = sum(tally.values()) - tally["not reached"]
    print(f"| {name} | {count} | " + " | ".join(str(tally[word]) for word in known)
          + f" | {sum(tally.values()) - sum(tally[word] for word in known)} |", flush=True)


if __name__ == "__main__":
    sys.exit(main())
