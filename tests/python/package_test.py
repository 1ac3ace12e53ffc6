# tests/python/package_test.py: the files around the code.
import ast
import inspect
import re
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def test_the_stubs_fit_the_classes():
    import quickselection
    stubs = ast.parse((Path(quickselection.__file__).parent / "__init__.pyi").read_text())
    classes = {node.name: node for node in stubs.body if isinstance(node, ast.ClassDef)}
    for name in [*quickselection.SELECTORS, "SparseAutoencoder"]:
        arguments = classes[name].body[0].args
        shown = [argument.arg for argument in [*arguments.args[1:], *arguments.kwonlyargs]]
        estimator = getattr(quickselection, name)
        assert shown == list(inspect.signature(estimator).parameters)
        base = classes[classes[name].bases[0].id]
        assert hasattr(estimator, "partial_fit") == any(
            getattr(member, "name", "") == "partial_fit" for member in base.body)


def test_the_tour_prints_what_the_document_shows():
    """But for its numbers, which depend on the processor in their last digits."""
    shown = subprocess.run([sys.executable, ROOT / "examples" / "tour.py"], check=True,
                           capture_output=True, text=True).stdout
    document = (ROOT / "docs" / "python.md").read_text()
    block = re.search(r"`examples/tour.py` prints:\n\n```\n(.*?)```\n", document, re.DOTALL)[1]

    def words(text):
        return re.sub(r"\d+(\.\d+)?|(?<=same\): ).*", "#", text)
    assert words(shown) == words(block)


def test_an_installed_package_has_the_version_of_its_module():
    import quickselection
    try:
        installed = metadata.version("quickselection")
    except metadata.PackageNotFoundError:
        pytest.skip("used from the build tree")
    assert installed == quickselection.__version__


def test_only_public_names_are_shown():
    import quickselection
    shown = [name for name in dir(quickselection) if not name.startswith("_")]
    assert sorted(shown) == sorted(quickselection.__all__)
    assert not hasattr(quickselection, "PackageNotFoundError")
    assert not hasattr(quickselection, "version")
    assert all(hasattr(quickselection, name) for name in shown)
