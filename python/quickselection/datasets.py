"""Artificial data whose relevant features are known, and loaders for well-known files."""
from __future__ import annotations

import os
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._data import from_dataset, texts_of
from .errors import Error
from .io import Table, read


class Generated(NamedTuple):
    """Artificial data: its values, its classes, or None, and the columns that carry signal."""
    X: NDArray[Any]
    y: NDArray[np.int32] | None
    relevant: list[int]


def _generate(name: str, seed: int, options: dict[str, Any]) -> Generated:
    known = {option[0].replace("-", "_") for option in _core.generators()[name]}
    unknown = sorted(set(options) - known)
    if unknown:
        raise TypeError(f"make_{name} has no option {unknown[0]!r}; it has {sorted(known)}")
    text = texts_of({key.replace("_", "-"): value for key, value in options.items()})
    data, relevant = _core.generate(name, text, seed)
    y = None if data.labels is None else np.array(data.labels[0])
    return Generated(from_dataset(data), y, list(relevant))


def make_madelon(*, random_state: int = 0, **options: Any) -> Generated:
    """Guyon's Madelon: few informative features, their combinations, and much noise.

    Parameters
    ----------
    random_state : seed
    **options : those of `quickselection generate madelon`: rows, features, informative, ...

    Examples
    --------
    >>> from quickselection import datasets
    >>> made = datasets.make_madelon(rows=100, features=50)
    >>> made.X.shape, len(made.relevant)
    ((100, 50), 20)
    """
    return _generate("madelon", random_state, options)


def make_classification(*, random_state: int = 0, **options: Any) -> Generated:
    """The options and the distribution of scikit-learn's function of this name.

    Parameters
    ----------
    random_state : seed
    **options : those of `quickselection generate classification`

    Examples
    --------
    >>> from quickselection import datasets
    >>> datasets.make_classification(rows=60, features=20).X.shape
    (60, 20)
    """
    return _generate("classification", random_state, options)


def make_gaussian(*, random_state: int = 0, **options: Any) -> Generated:
    """Independent normal values without any signal.

    Parameters
    ----------
    random_state : seed
    **options : those of `quickselection generate gaussian`: rows, features

    Examples
    --------
    >>> from quickselection import datasets
    >>> datasets.make_gaussian(rows=10, features=4).relevant
    []
    """
    return _generate("gaussian", random_state, options)


def load(name: str, folder: str | os.PathLike[str] | None = None) -> Table:
    """A well-known file by its name.

    Parameters
    ----------
    name : of the file, whatever its ending and case; "mnist" and "mnist_test" are the images with
        their labels
    folder : where it is, at any depth; None is the one that QUICKSELECTION_DATA names

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from quickselection import datasets
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = pathlib.Path(folder, "Small.csv").write_text("a,b\\n1,2\\n3,4\\n")
    ...     datasets.load("small", folder).names
    ['a', 'b']
    """
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
