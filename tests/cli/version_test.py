# tests/cli/version_test.py: the version is written in CMakeLists.txt; everything else agrees.
import re
from pathlib import Path

import quickselection
from program import run

ROOT = Path(__file__).parents[2]
VERSION = re.search(r"project\(quickselection VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text())[1]


def test_the_program_says_the_version(tmp_path):
    assert run("--version", cwd=tmp_path).out.strip() == f"quickselection {VERSION}"


def test_the_python_package_has_the_version():
    assert quickselection.__version__ == VERSION


def test_the_changelog_begins_with_the_version():
    assert re.search(r"^## ([\d.]+)", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)[1] == VERSION


def test_the_wheel_takes_the_version_from_cmake():
    project = (ROOT / "pyproject.toml").read_text()
    assert re.search(r"^dynamic = .*", project, re.MULTILINE)[0] == 'dynamic = ["version"]'
    assert not re.search(r"^version\b", project, re.MULTILINE)
    pattern = re.search(r"regex = '(.*)'", project)[1]
    assert re.search(pattern, (ROOT / "CMakeLists.txt").read_text())["value"] == VERSION
