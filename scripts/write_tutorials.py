#!/usr/bin/python3
# scripts/write_tutorials.py: runs the tutorials, writes what they print into them, and makes their pictures.
#
#   PYTHONPATH=build/release/python scripts/write_tutorials.py [NAME…]
#
# Where the words of an output are no longer those shown, all of it is written, for a person to shorten with "…".
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
for folder in ("tests/docs", "tests/report"):
    sys.path.insert(0, str(ROOT / folder))

from browser import Browser  # noqa: E402
from pages import run_page  # noqa: E402

TUTORIALS = ROOT / "docs/tutorials"
WIDTH = 1100
LARGEST = 150_000
# (picture, page that the tutorial wrote, the title of a card, or how much of the top)
PICTURES = {
    "genes": [("genes", "genes.html", 760)],
    "customers": [("customers", "columns.html", "What the chosen features explain")],
    "images": [("images", "pixels.html", "Class averages on the chosen features"), ("methods", "methods.html", 630)],
}


def main():
    for name in sys.argv[1:] or PICTURES:
        with tempfile.TemporaryDirectory() as folder:
            page = TUTORIALS / f"{name}.md"
            page.write_text(run_page(page, folder, check=False), encoding="utf-8")
            browser = Browser(folder)
            try:
                for picture, report, part in PICTURES[name]:
                    browser.open(Path(folder) / report, width=WIDTH)
                    target = TUTORIALS / "images" / f"{picture}.png"
                    browser.screenshot(target, WIDTH, **{"part" if isinstance(part, str) else "height": part})
                    size = target.stat().st_size
                    print(f"{target.relative_to(ROOT)}: {size} bytes")
                    if size > LARGEST:
                        sys.exit(f"error: more than {LARGEST} bytes")
            finally:
                browser.quit()


if __name__ == "__main__":
    main()
