# tests/faults/kills.py: kills commands at random moments with SIGKILL, then lets them run again. Prints
# a table.
import argparse
import collections
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from cases import CASES, MORE, Stage, build, make_data


class Victim:
    def __init__(self, stage):
        self.stage = stage
        self.stage.reset()
        begun = time.monotonic()
        assert self.stage.run({}).returncode == 0
        self.seconds = time.monotonic() - begun

    def kill(self, share):
        """One kill after this share of the usual time: what was seen."""
        self.stage.reset()
        process = subprocess.Popen(self.stage.case.command(), cwd=self.stage.folder, start_new_session=True,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(share * self.seconds)
        process.send_signal(signal.SIGKILL)
        alive = process.wait() == -signal.SIGKILL
        while any_left(process.pid):  # its own processes die with it
            time.sleep(0.001)
        seen = ["kills"] if alive else ["too late"]
        seen += ["left by kills"] if self.stage.leftovers() else []
        seen += ["resumed"] if self.stage.next_words() else []
        damage = self.stage.damage(False, rows_may_differ=True) or self.stage.go_on()
        return [*seen, damage] if damage else seen


def any_left(session):
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        if int(fields[3]) == session and fields[0] != "Z":
            return True
    return False


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--named", action="store_true", help="as if the file system had no unnamed files")
    options = parser.parse_args()
    draw = random.Random(options.seed)
    bad, tallies = 0, {}
    columns = ["kills", "too late", "left by kills", "resumed"]
    with tempfile.TemporaryDirectory() as place:
        place = Path(place)
        (place / "data").mkdir()
        make_data(place / "data")
        if options.named:
            os.environ |= {"LD_PRELOAD": str(build(place)), "FAULT_NO_TMPFILE": "1"}
        victims = [Victim(Stage(case, place / "data", place / case.name.replace(" ", "_")))
                   for case in [*CASES, *MORE] if not case.is_fit()]
        while sum(tally["kills"] for tally in tallies.values()) < options.kills:
            victim = victims[draw.randrange(len(victims))]
            tally = tallies.setdefault(victim.stage.case.name, collections.Counter())
            for word in victim.kill(draw.uniform(0, 1.1)):
                tally[word] += 1
                if word not in columns:
                    bad += 1
                    print(f"{victim.stage.case.name}: {word}", file=sys.stderr)
    print("| command | kills | ended before | files left by kills | resumed | wrong after the next run |")
    print("|---|---:|---:|---:|---:|---:|")
    tallies["all"] = sum(tallies.values(), collections.Counter())
    for name, tally in tallies.items():
        wrong = sum(count for word, count in tally.items() if word not in columns)
        print(f"| {name} | " + " | ".join(str(tally[word]) for word in columns) + f" | {wrong} |")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
