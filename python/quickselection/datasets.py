"""Artificial data whose relevant features are known, and loaders for well-known files."""
import os
from pathlib import Path
from typing import NamedTuple

import numpy as np

from . import _core
from ._data import from_dataset, texts_of
from .errors import Error
from .io import read


class Generated(NamedTuple):
    X: np.ndarray
    y: object
    relevant: list


def _generate(name, seed, options):
    known = {option[0].replace("-", "_") for option in _core.generators()[name]}
    unknown = sorted(set(options) - known)
    if unknown:
        raise TypeError(f"make_{name} has no option {unknown[0]!r}; it has {sorted(known)}")
    text = texts_of({key.replace("_", "-"): value for key, value in options.items()})
    data, relevant = _core.generate(name, text, seed)
    y = None if data.labels is None else np.array(data.labels[0])
    return Generated(from_dataset(data), y, list(relevant))


def make_madelon(*, random_state=0, **options):
    """Guyon's Madelon: few informative features, their combinations, and much noise."""
    return _generate("madelon", random_state, options)


def make_classification(*, random_state=0, **options):
    """The options and the distribution of scikit-learn's function of this name."""
    return _generate("classification", random_state, options)


def make_gaussian(*, random_state=0, **options):
    """Independent normal values without any signal."""
    return _generate("gaussian", random_state, options)


def load(name, folder=None):
    """The file called `name`, whatever its ending and case, in `folder` or in the one that
    QUICKSELECTION_DATA names; "mnist" and "mnist_test" are the images with their labels."""
    folder = folder or os.environ.get("QUICKSELECTION_DATA")
    if not folder:
        raise Error("the folder with the data is not known\nhint: set QUICKSELECTION_DATA or pass "
                    "folder")
    if name in ("mnist", "mnist_test"):
        part = "train" if name == "mnist" else "t10k"
        images, labels = (next(iter(sorted(Path(folder).rglob(f"{part}-{kind}*"))), None)
                          for kind in ("images", "labels"))
        if images is None or labels is None:
            raise Error(f"{folder} holds no {part}-images and {part}-labels files")
        return read(images, label=str(labels))
    matches = sorted(path for path in Path(folder).rglob("*")
                     if path.is_file() and path.stem.lower() == name.lower())
    if not matches:
        raise Error(f"{folder} holds no file called {name}\nhint: the file's name without its ending "
                    "is asked for")
    return read(matches[0])
