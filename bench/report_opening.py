#!/usr/bin/python3
"""bench/report_opening.py: how large is the report of 10,000 features, and how long does headless
Chromium take until it is loaded and painted? Milliseconds of three openings.

    bench/report_opening.py [--program build/release/bin/quickselection]
"""
import argparse
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "tests" / "report"))
from browser import Browser  # noqa: E402

TIMES = ("const t = performance.getEntriesByType('navigation')[0];"
         "return [t.loadEventEnd, performance.getEntriesByName('first-contentful-paint')[0]?.startTime]")

parser = argparse.ArgumentParser()
parser.add_argument("--program", default="build/release/bin/quickselection")
program = parser.parse_args().program
with tempfile.TemporaryDirectory() as folder:
    data, page = (pathlib.Path(folder) / name for name in ("wide.npy", "page.html"))
    subprocess.run([program, "generate", "gaussian", "--rows", "300", "--features", "10000", "-o", data, "-q"],
                   check=True)
    subprocess.run([program, "select", data, "--epochs", "10", "-k", "100", "--report", page, "-q"], check=True,
                   stderr=subprocess.DEVNULL)  # noise teaches nothing, and the program says so
    print(f"{page.stat().st_size / 1e3:.0f} kB")
    browser = Browser(folder)
    for _ in range(3):
        browser.open(page)
        browser.wait(lambda: browser.js(TIMES)[1] is not None)
        loaded, painted = browser.js(TIMES)
        print(f"loaded after {loaded:.0f} ms, painted after {painted:.0f} ms")
    browser.quit()
