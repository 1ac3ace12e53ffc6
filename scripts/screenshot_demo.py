#!/usr/bin/env python3
# scripts/screenshot_demo.py: makes the README's picture from the report of the demo.
#
#   screenshot_demo.py [PROGRAM]     the default is build/release/bin/quickselection
#
# `screenshot_demo.py PROGRAM FOLDER` instead fills FOLDER with whole pages, narrow and wide, light and
# dark, for a person to look at.
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests/report"))

from browser import Browser  # noqa: E402

PICTURE = ROOT / "docs/images/demo_report.png"
WIDTH, HEIGHT = 1200, 980
LARGEST = 200_000


def main():
    program = Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "build/release/bin/quickselection").resolve()
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([program, "demo", "--quiet"], cwd=folder, check=True)
        browser = Browser(folder)
        try:
            browser.open(Path(folder) / "quickselection-demo.html", width=WIDTH)
            if len(sys.argv) > 2:
                for width in [360, 1600]:
                    for scheme in ["light", "dark"]:
                        browser.screenshot(Path(sys.argv[2]) / f"demo-{width}-{scheme}.png", width, scheme)
                return
            PICTURE.parent.mkdir(exist_ok=True)
            browser.screenshot(PICTURE, WIDTH, height=HEIGHT)
        finally:
            browser.quit()
    size = PICTURE.stat().st_size
    print(f"{PICTURE.relative_to(ROOT)}: {size} bytes")
    if size > LARGEST:
        sys.exit(f"error: more than {LARGEST} bytes")


if __name__ == "__main__":
    main()
