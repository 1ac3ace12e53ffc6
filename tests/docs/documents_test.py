# tests/docs/documents_test.py: every command that a document names is run, or is named here with the reason why not.
import os
import re
import shlex

import pytest

import stand_ins
from pages import ROOT, Session, blocks_of, commands_of, matched

DOCUMENTS = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md")] + sorted((ROOT / "docs").glob("*.md"))

# What is not run, by how it begins, and why.
EXEMPT = {
    "make ": "builds, or runs all tests",
    "cmake ": "builds",
    "build/": "a program of another build, or of a preset",
    "bench/": "takes hours, on public data",
    "tests/faults/": "takes hours; tests/cli/trust has a sample of it",
    "export QUICKSELECTION_DATA": "says where public data is",
    "quickselection experiment experiments/": "takes hours, on public data; tests/cli/experiment_test.py runs small ones",
    "quickselection generate classification --rows 40000": "1.3 GB, and what follows needs them",
    "quickselection select artificial1.npy": "1.3 GB",
    "quickselection evaluate artificial1.npy": "1.3 GB",
    "quickselection convert IN OUT": "names no files",
    "quickselection select table.parquet": "needs a build with Arrow",
    "quickselection select data.csv --epochs 500 --resume state": "resumes what the command before it has finished",
}
# Too long for a test with the defaults; the options stay those of the document.
SHORTER = {"quickselection tune": " --trees 3 --repetitions 1 --restarts 1 --runs 1 --hidden 20",
           "quickselection compare": " --trees 3 --repetitions 1 --restarts 1 --hidden 20",
           "quickselection select": " --hidden 20"}
# What a document takes for granted.
BEFORE = {"report": ["quickselection select data.csv --method variance --ranking ranking.csv"],
          "reproduction": ["quickselection select madelon.mat --method variance --ranking ranking.csv"]}
# Small data has no room for the sizes of large data.
SMALLER = [(r"-k 5,10,25,50\b", "-k 5,10,25"), (r"--epsilon [\d,]{9,}", "--epsilon 2,13"), (r"--zeta [\d.,]{9,}", "--zeta 0.1,0.5"),
           (r"--epochs 10,100\b", "--epochs 2,4"), (r"epochs=100\b", "epochs=4")]


def found_in(document):
    """(command, whether it stands in a block) for all commands, in order."""
    text = document.read_text(encoding="utf-8")
    commands = []
    for block in blocks_of(text):
        if block.kind == "sh":
            commands += commands_of(block.code)
        elif block.kind == "" and re.match(r"(make|cmake|tests|build)[ /]", block.code):
            commands += commands_of(block.code)
    prose = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    inline = [code for code in re.findall(r"`(quickselection [^`\n]+)`", prose) if len(shlex.split(code)) > 1 and "…" not in code]
    return commands + inline


def is_exempt(command):
    return any(command.startswith(start) for start in EXEMPT)


def has_argument(command):
    """`quickselection info` alone names a command; `quickselection info data.csv` is one."""
    return len(shlex.split(command)) > 2 or shlex.split(command)[1] in ("methods", "demo")


@pytest.fixture
def reader(tmp_path):
    pytest.importorskip("anndata")
    stand_ins.write_all(tmp_path)
    return Session(tmp_path)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda document: document.stem)
def test_its_commands_run(document, reader):
    for command in BEFORE.get(document.stem, []) + found_in(document):
        if is_exempt(command) or not has_argument(command):
            continue
        assert command.startswith("quickselection "), f"{command}: run it here, or name it in EXEMPT"
        for start, more in SHORTER.items():
            if command.startswith(start) and "--continue" not in command and "--method" not in command.split():
                command += more
        for long, short in SMALLER:
            command = re.sub(long, short, command)
        reader.shell(command)


def test_nothing_is_exempt_that_is_not_there():
    everything = [command for document in DOCUMENTS for command in found_in(document)]
    for start in EXEMPT:
        assert any(command.startswith(start) for command in everything), f"no document has {start!r} any more"


def test_python_in_the_documents_runs(reader):
    """The short pieces of README.md and docs/python.md, one after the other."""
    reader.python("import numpy as np\nX = np.load('data.npy')\nchunks = [X[:60], X[60:]] * 2")
    for document in ("README.md", "docs/python.md"):
        for block in blocks_of((ROOT / document).read_text()):
            if block.kind == "python":
                reader.python(block.code)
    assert reader.python("print(X_small.shape)") == "(120, 50)\n"


def test_the_demo_prints_what_the_readme_shows(tmp_path):
    text = (ROOT / "README.md").read_text()
    shown = re.search(r"`make demo` ends with:\n\n```\n(.*?)```", text, re.DOTALL)[1]
    shown = "\n".join("…" if line.strip() == "…" else line for line in shown.splitlines())
    matched("…\n" + shown, Session(tmp_path).shell("quickselection demo"))


@pytest.fixture(scope="module")
def real(tmp_path_factory):
    """A session beside the real Madelon."""
    data = os.environ.get("QUICKSELECTION_DATA")
    if not data:
        pytest.skip("QUICKSELECTION_DATA is not set")
    session = Session(tmp_path_factory.mktemp("real"))
    file = next((path for path in sorted(os.scandir(data), key=lambda entry: entry.name) if path.name.lower() == "madelon.mat"), None)
    if file is None:
        pytest.skip("there is no madelon.mat")
    (session.folder / "madelon.mat").symlink_to(file.path)
    return session


def test_what_the_readme_shows_of_madelon_is_printed(real):
    text = (ROOT / "README.md").read_text()
    command, shown = re.search(r"`(select madelon.mat [^`]*)` ends with:\n\n```\n(.*?)```", text, re.DOTALL).groups()
    matched("…\n" + shown, real.shell("quickselection " + command))
    commands, shown = re.search(r"```sh\n([^`]*--runs 8 [^`]*)```\n\n```\n(.*?)```", text, re.DOTALL).groups()
    printed = "".join(real.shell(command) for command in commands_of(commands))
    lines = "\n…\n".join(line for line in shown.splitlines() if line.strip())
    matched("…\n" + lines + "\n…", printed)
