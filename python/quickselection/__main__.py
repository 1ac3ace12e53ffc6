"""python -m quickselection: the command line."""
import os
import sys
from pathlib import Path


def program():
    here = Path(__file__).parent
    # In an installed wheel beside this file; in a build tree two folders up.
    for candidate in (here / "bin" / "quickselection", here.parent.parent / "bin" / "quickselection"):
        if candidate.exists():
            return candidate
    raise SystemExit("error: the program quickselection was not found beside the package")


def main():
    path = str(program())
    os.execv(path, [path, *sys.argv[1:]])


if __name__ == "__main__":
    main()
