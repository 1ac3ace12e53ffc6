"""The exception of this package. A ValueError, so that callers of scikit-learn's kind catch it."""
from __future__ import annotations

import re

_NAMES = {"lambda": "lam",  # a word of the language
          "k": "n_features_to_select", "runs": "n_runs", "seed": "random_state", "threads": "n_jobs"}


def python_name(option: str) -> str:
    """An option of the core as a parameter: learning-rate is learning_rate."""
    return _NAMES.get(option, option.replace("-", "_"))


def in_python_words(text: str) -> str:
    """The core writes an option as ‹learning-rate›, with a value as ‹clip 10›."""
    def show(match: re.Match[str]) -> str:
        name, value = match.groups()
        if name == "method" and value:  # a class, here
            return "".join(part.capitalize() for part in value.split("_"))
        shown = repr(value) if re.match("[a-z]", value) else value
        return python_name(name) + (f"={shown}" if value else "")
    return re.sub("‹([^ ›]*) ?([^›]*)›", show, text)


class Error(ValueError):
    """Bad data or a bad argument; the message says where and what to do.

    Attributes
    ----------
    option : str
        The parameter that it is about, "" when none.

    Examples
    --------
    >>> import quickselection
    >>> try:
    ...     quickselection.QuickSelection(zeta=2).fit([[1., 2.], [3., 4.]])
    ... except quickselection.Error as error:
    ...     print(error.option)
    zeta
    """

    def __init__(self, message: str = "", option: str = "") -> None:
        super().__init__(in_python_words(message))
        self.option = python_name(option)
