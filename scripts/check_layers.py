#!/usr/bin/env python3
# scripts/check_layers.py: fails when a folder includes one that stands above it.
#
#   check_layers.py [ROOT]     ROOT is the repository; the default is the one this file is in
#
# It also keeps SIMD code in the kernels, everything but the standard library out of the public
# headers, and the command line's --options out of the library's words. scripts/check_layers_test.py tests it.
import re
import sys
from pathlib import Path

# From the lowest to the highest: a folder may include itself and what stands before it.
LAYERS = ["core", "kernels", "data", "network", "extraction", "selectors", "evaluation",
          "experiment", "report", "cli"]

# The layer of each public header (include/quickselection/NAME.h).
PUBLIC = {
    "error": "core",
    "words": "core",
    "extraction": "extraction",
    "value_type": "core",
    "progress": "core",
    "setting": "core",
    "network": "core",
    "dataset": "data",
    "scale_mode": "data",
    "generators": "data",
    "split": "data",
    "selection": "selectors",
    "incremental": "selectors",
    "evaluation": "evaluation",
    "stability": "evaluation",
    "experiment": "experiment",
}

SIMD_HEADER = re.compile(r"hwy/|\w*intrin\.h$|arm_(neon|sve)\.h$")
SIMD_FOLDERS = ("src/kernels/", "tests/kernels/", "bench/")
# The barrier's spin loop tells the core that it waits, which no library offers without SIMD.
SIMD_EXCEPTION, ITS_HEADER, ITS_INTRINSIC = "src/core/team.cpp", "immintrin.h", "_mm_pause"

# The library writes an option as ‹name› (see words.h), and each door in its own way.
OPTION_IN_TEXT = re.compile(r'^[^"]*"(?:[^"]*"[^"]*")*[^"]*(?<![\w-])(--[a-z{][\w-]*)')
NOT_YET = ("src/network/", "src/extraction/", "src/selectors/select.cpp", "src/selectors/methods/")

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def includes_of(text):
    """(line number, opening character, path) of every #include."""
    for number, line in enumerate(text.splitlines(), 1):
        if found := INCLUDE.match(line):
            yield number, found[1], found[2]


def layer_of_file(path):
    """The layer a source file belongs to, None when layers do not bind it, or a complaint."""
    folders = path.split("/")
    if path.startswith("include/quickselection/"):
        name = Path(path).stem
        if name in PUBLIC:
            return PUBLIC[name], None
        return None, f"{path}: add this public header and its layer to PUBLIC in check_layers.py"
    if folders[0] == "cli":
        return "cli", None
    if folders[0] == "src":
        if len(folders) > 2 and folders[1] in LAYERS[:-1]:
            return folders[1], None
        return None, f"{path}: a source file belongs in src/LAYER/, LAYER being one of " \
                     f"{', '.join(LAYERS[:-1])}"
    return None, None


def layer_of_include(included, beside):
    """The layer an include leads to, None for a third-party header, or a complaint."""
    folder, _, name = included.partition("/")
    if folder == "quickselection":
        if Path(name).stem in PUBLIC:
            return PUBLIC[Path(name).stem], None
        return None, f"{included} is not in PUBLIC in check_layers.py: add it with its layer"
    if name and folder in LAYERS:
        return folder, None
    # Highway's own headers are read once for each target, after all others: in quotes, so that
    # clang-format leaves them there.
    if (beside / included).exists() or folder == "hwy":
        return None, None
    return None, f"{included} is in no layer: write it as \"folder/file.h\""


def complaints_about(path, text, beside):
    """All reasons to refuse one file. `path` is relative to the root, with slashes."""
    layer, complaint = layer_of_file(path)
    if complaint:
        yield complaint
    public = path.startswith("include/")
    for number, opening, included in includes_of(text):
        where = f"{path}:{number}"
        if SIMD_HEADER.match(included):
            allowed = path.startswith(SIMD_FOLDERS) or (path, included) == (SIMD_EXCEPTION,
                                                                            ITS_HEADER)
            if not allowed:
                yield f"{where}: <{included}> is SIMD, which belongs in src/kernels"
        ours = opening == '"' or included.startswith("quickselection/")
        if public and not ours and re.search(r"[./]", included):
            yield f"{where}: a public header may include only the standard library, not <{included}>"
        if layer is None or not ours:
            continue
        if public and not included.startswith("quickselection/"):
            yield f"{where}: a public header must not include the internal {included}"
            continue
        target, complaint = layer_of_include(included, beside)
        if complaint:
            yield f"{where}: {complaint}"
        elif target and LAYERS.index(target) > LAYERS.index(layer):
            yield f"{where}: {layer} includes {included}, but {target} stands above {layer}"
    if path.startswith("src/") and not path.startswith(NOT_YET):
        for number, line in enumerate(text.splitlines(), 1):
            if found := OPTION_IN_TEXT.match(line.partition("//")[0]):
                yield f"{path}:{number}: {found[1]} is the command line's: write ‹name›"
    if path == SIMD_EXCEPTION:
        for intrinsic in sorted(set(re.findall(r"\b_mm\w*", text)) - {ITS_INTRINSIC}):
            yield f"{path}: only {ITS_INTRINSIC} is allowed here, not {intrinsic}"


def check(root):
    """(number of files looked at, complaints) of a whole tree."""
    files, complaints = 0, []
    for folder in ("include", "src", "cli", "python", "tests", "bench"):
        for file in sorted((root / folder).rglob("*")):
            if file.suffix not in (".h", ".cpp"):
                continue
            files += 1
            path = file.relative_to(root).as_posix()
            complaints += complaints_about(path, file.read_text(encoding="utf-8"), file.parent)
    return files, complaints


def main():
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent
    files, complaints = check(root)
    if files == 0:
        complaints.append(f"{root} holds no sources")
    for complaint in complaints:
        print(complaint, file=sys.stderr)
    if complaints:
        print("the layers, lowest first: " + ", ".join(LAYERS), file=sys.stderr)
        return 1
    print(f"layers: {files} files keep to them")
    return 0


if __name__ == "__main__":
    sys.exit(main())
