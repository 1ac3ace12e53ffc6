# tests/cli/examples_test.py: the C++ examples of the documents run, and are what the documents show.
import os
import pathlib
import subprocess

from program import PROGRAM, succeed

ROOT = pathlib.Path(__file__).parents[2]
SHOWN = {"select": "README.md", "evaluate": "docs/evaluation.md"}


def test_examples(tmp_path):
    succeed("generate", "madelon", "--rows", 200, "--features", 60, "--out", "data.csv", cwd=tmp_path)
    lines = {}
    for name, document in SHOWN.items():
        code = (ROOT / "examples" / f"{name}.cpp").read_text().split("\n", 1)[1]
        assert code in (ROOT / document).read_text()
        program = os.path.join(os.path.dirname(PROGRAM), f"example_{name}")
        done = subprocess.run([program, "data.csv"], cwd=tmp_path, capture_output=True, text=True,
                              check=True)
        lines[name] = done.stdout.splitlines()
    assert len(lines["select"]) == 50
    assert "runs with different seeds share" in lines["evaluate"][0]
    assert [line.split(":")[0] for line in lines["evaluate"][-3:]] == ["10", "25", "50"]
