#!/usr/bin/env python3
# scripts/check_layers.py: fails when a folder includes one that stands above it.
#
#   check_layers.py [ROOT]     ROOT is the repository; the default is the one this file is in
#   check_layers.py --list     what every file is for, folder by folder
#
# It also keeps SIMD code in the kernels, everything but the standard library out of the public
# headers, and the command line's --options out of the library's words. Every file must open with its
# path and its purpose: the list of files is made of these lines. scripts/check_layers_test.py tests
# it.
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
    "matrix_view": "core",
    "progress": "core",
    "setting": "core",
    "network": "core",
    "dataset": "data",
    "scale_mode": "data",
    "generators": "data",
    "split": "data",
    "summary": "data",
    "selection": "selectors",
    "incremental": "selectors",
    "ranking_file": "selectors",
    "evaluation": "evaluation",
    "stability": "evaluation",
    "explained": "evaluation",
    "experiment": "experiment",
}

SIMD_HEADER = re.compile(r"hwy/|\w*intrin\.h$|arm_(neon|sve)\.h$")
SIMD_FOLDERS = ("src/kernels/", "tests/kernels/", "bench/")
# The barrier's spin loop tells the core that it waits, which no library offers without SIMD.
SIMD_EXCEPTION, ITS_HEADER, ITS_INTRINSIC = "src/core/team.cpp", "immintrin.h", "_mm_pause"

# Several processes are the business of one file, which is a module by itself.
MPI_HEADER, MPI_FILE = "mpi.h", "src/core/processes/mpi_module.cpp"

# The library writes an option as ‹name› (see words.h), and each door in its own way.
OPTION_IN_TEXT = re.compile(r'^[^"]*"(?:[^"]*"[^"]*")*[^"]*(?<![\w-])(--[a-z{][\w-]*)')

HEAD = re.compile(r"// (\S+?\.(?:h|cpp))(?:: (.*))?$")
SEE = re.compile(r"see (\S+\.h)")
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


def purpose_of(text):
    """(path, purpose) of a file's first comment: the sentence may go on over several lines."""
    lines = text.splitlines()
    found = HEAD.match(lines[0]) if lines else None
    if not found:
        return None, None
    words = [found[2] or ""]
    for line in lines[1:]:
        if not line.startswith("// ") or words[-1].endswith("."):
            break
        words.append(line[3:])
    return found[1], " ".join(words)


def complaints_about_head(path, text, beside):
    named, purpose = purpose_of(text)
    if named != path:
        yield f"{path}: the first line must be \"// {path}: what it is for\""
    elif not purpose and not path.startswith(("tests/", "bench/")):
        yield f"{path}: the first line does not say what it is for"
    elif (see := SEE.match(purpose or "")) and not (beside / see[1]).exists() and \
            Path(see[1]).stem not in PUBLIC:
        yield f"{path}: says \"see {see[1]}\", which is not there"


def complaints_about(path, text, beside):
    """All reasons to refuse one file. `path` is relative to the root, with slashes."""
    yield from complaints_about_head(path, text, beside)
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
        if included == MPI_HEADER and path != MPI_FILE:
            yield f"{where}: <{included}> belongs in {MPI_FILE} alone: include core/processes/comm.h"
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
    if path.startswith("src/"):
        for number, line in enumerate(text.splitlines(), 1):
            if found := OPTION_IN_TEXT.match(line.partition("//")[0]):
                yield f"{path}:{number}: {found[1]} is the command line's: write ‹name›"
    if path == SIMD_EXCEPTION:
        for intrinsic in sorted(set(re.findall(r"\b_mm\w*", text)) - {ITS_INTRINSIC}):
            yield f"{path}: only {ITS_INTRINSIC} is allowed here, not {intrinsic}"


def sources(root):
    """(path with slashes, text, folder) of every source file."""
    for folder in ("include", "src", "cli", "python", "tests", "bench"):
        for file in sorted((root / folder).rglob("*"), key=lambda f: (f.parent, f.name)):
            if file.suffix in (".h", ".cpp"):
                yield (file.relative_to(root).as_posix(), file.read_text(encoding="utf-8"),
                       file.parent)


def check(root):
    """(number of files looked at, complaints) of a whole tree."""
    files, complaints = 0, []
    for path, text, beside in sources(root):
        files += 1
        complaints += complaints_about(path, text, beside)
    return files, complaints


def show_files(root):
    """What every file is for; a .cpp that says no more than its header is left out."""
    folder = None
    for path, text, _ in sources(root):
        _, purpose = purpose_of(text)
        if not purpose or SEE.match(purpose):
            continue
        here, _, name = path.rpartition("/")
        if here != folder:
            print(f"\n{here}/")
            folder = here
        print(f"  {name:28} {purpose}")


def main():
    if sys.argv[1:] == ["--list"]:
        show_files(Path(__file__).resolve().parent.parent)
        return 0
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
