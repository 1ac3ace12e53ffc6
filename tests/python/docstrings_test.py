# tests/python/docstrings_test.py: every public name is explained, and its example runs.
import doctest
import inspect
import re

import pytest

import quickselection
from quickselection import datasets, plot

pytestmark = pytest.mark.filterwarnings("ignore")
PUBLIC = {name: getattr(quickselection, name) for name in quickselection.__all__
          if callable(getattr(quickselection, name))}
PUBLIC.update({f"{module.__name__}.{name}": value for module in (datasets, plot)
               for name, value in vars(module).items()
               if inspect.isfunction(value) and value.__module__ == module.__name__ and name[0] != "_"})
RESULTS = {"Stability", "Explained", "Comparison"}  # nobody makes them


@pytest.mark.parametrize("name", PUBLIC)
def test_its_example_runs(name, monkeypatch):
    pytest.importorskip("matplotlib").use("Agg")
    if "select_genes" in name:
        pytest.importorskip("anndata")
    value = PUBLIC[name]
    examples = [test for test in doctest.DocTestFinder(recurse=False).find(value, name, globs={}) if test.examples]
    assert bool(examples) == (name not in RESULTS)
    for example in examples:
        runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
        said = []
        runner.run(example, out=said.append)
        assert runner.failures == 0, "".join(said)


@pytest.mark.parametrize("name", sorted(set(PUBLIC) - RESULTS - {"Error"}))
def test_every_parameter_is_explained(name):
    value = PUBLIC[name]
    part = value.__doc__.split("Parameters\n", 1)[1].split("\n\n", 1)[0]
    explained = set()
    for line in re.findall(r"^ *([\w*, ]+) :", part, re.MULTILINE):
        explained.update(word.strip(" *") for word in line.split(","))
    wanted = [p.name for p in inspect.signature(value).parameters.values()]
    assert set(wanted) <= explained, set(wanted) - explained
    assert explained <= set(wanted)


@pytest.mark.parametrize("name", [*quickselection.SELECTORS, "SparseAutoencoder"])
def test_every_attribute_is_explained(name, X):
    from small_estimators import small
    estimator = small(name).fit(X)
    part = type(estimator).__doc__.split("Attributes\n", 1)[1].split("\n\n", 1)[0]
    explained = set(re.findall(r"\w+_(?=[, ])", part))
    left = {name for name in [*vars(estimator), "feature_names_in_"] if name.endswith("_") and name[0] != "_"}
    assert left <= explained, left - explained


def test_the_example_of_the_package_runs():
    assert doctest.testmod(quickselection).failed == 0
