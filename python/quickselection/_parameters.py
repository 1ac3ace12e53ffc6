"""Constructors and docstrings of estimators, written out from the options that the core describes."""
import numpy as np

from .errors import in_python_words, python_name

COMMON = [
    ("scale", None, "how features are scaled: 'standard', 'minmax', 'center', 'log', 'deviation', "
                    "'none'; None is what the method wants"),
    ("clip", 0.0, "bound of scaled values; 0 is none"),
    ("random_state", 0, "seed; an int gives the same result everywhere"),
    ("n_jobs", None, "threads, as in scikit-learn: None is 1, -1 is all"),
    ("verbose", 0, "1 shows progress"),
]


def _python_default(value):
    if isinstance(value, str) and value in ("yes", "no"):
        return value == "yes"
    if isinstance(value, str) and value.isdigit():
        return int(value)
    return value


def parameters_of(options):
    """(name, default, explanation) for each option of the core."""
    return [(python_name(option), _python_default(default), in_python_words(f"{text} ({allowed})"))
            for option, default, allowed, text in options]


def texts_of(values, join=","):
    """Values by option, as the core reads them; what is None is left out."""
    def text(value):
        if isinstance(value, (bool, np.bool_)):
            return "yes" if value else "no"
        if isinstance(value, (list, tuple, np.ndarray)):
            return join.join(str(item) for item in value)
        return str(value)
    return {option: text(value) for option, value in values.items() if value is not None}


def option_texts(estimator, options):
    """The estimator's values of these options, as the core reads them."""
    return texts_of({option: getattr(estimator, python_name(option)) for option, _, _, _ in options})


def make_class(name, base, summary, first, parameters, members):
    """The estimator class `name`. `first` is its one parameter that may be given by position; the
    constructor is real code, so that scikit-learn sees ordinary parameters."""
    arguments = ", ".join(f"{option}={default!r}" for option, default, _ in parameters)
    body = "".join(f"    self.{option} = {option}\n" for option, _, _ in [first, *parameters])
    scope = {}
    exec(f"def __init__(self, {first[0]}={first[1]!r}, *, {arguments}):\n{body}", scope)  # noqa: S102
    lines = [summary, "", "Parameters", "----------"]
    lines += [f"{option} : {text}; default {default!r}"
              for option, default, text in [first, *parameters]]
    return type(name, (base,), {"__init__": scope["__init__"], "__doc__": "\n".join(lines),
                                "__module__": "quickselection", "__qualname__": name, **members})
