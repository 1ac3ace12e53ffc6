"""Constructors and docstrings of estimators, written out from the options that the core describes.

Imports nothing but the standard library: scripts/make_stubs.py uses it where NumPy is not installed."""
from .errors import in_python_words, python_name

DEFAULT_K = 50
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


def selector_parameters(method):
    """Those of the selector of a method: the one that may be given by position, and the others."""
    first = ("n_features_to_select", None, "a count, or a fraction of the features as a float, or 'auto': "
                                           "as few as explain 95 % of what all predict of each other; None is "
                                           f"{DEFAULT_K}, or all if there are fewer")
    runs = [("n_runs", 1, "selections with the seeds random_state, random_state + 1, ...; more than "
                          "1 rank by the mean score and give stability_"),
            ("bootstrap", False, "whether each of the runs sees another sample of the rows"),
            ("check", True, "whether to find out how much the selected features explain: explained_")]
    callback = [("callback", None, "called with (epoch, loss, scores) after every epoch; True ends the "
                                   "training there, and so does an exception, which comes back when "
                                   "the selector is fitted with its best epoch")]
    return first, [*parameters_of(method["options"]), *COMMON, *runs, *(callback if method["trains"] else [])]


def extractor_parameters(layers, options):
    return ("layers", tuple(layers), "neurons of the hidden layers"), parameters_of(options) + COMMON


def selector_notes(name, method):
    """The end of its docstring: what fit leaves, and an example that runs."""
    lines = ["scores_, feature_importances_ : of each feature; more is better",
             "ranking_ : of each feature; 1 is best",
             "selected_ : the columns that were selected, best first",
             "support_ : whether each feature is selected",
             "explained_ : what the selected features tell of the others, beside random ones",
             "stability_ : how much several runs agree; with n_runs",
             "n_features_in_, feature_names_in_ : of what was seen in fit"]
    if method["trains"]:
        lines += ["loss_curve_ : of each epoch", "n_iter_ : epochs",
                  "training_ : what the losses say, in words",
                  "strength_history_ : the scores after each epoch, (epochs, features)",
                  "weights_, biases_ : of each layer, inputs x outputs"]
    return ["", "Attributes", "----------", *lines, "", "Examples", "--------",
            f">>> from quickselection import {name}, datasets",
            ">>> X = datasets.make_madelon(rows=100, features=25).X",
            f">>> selector = {name}(5).fit(X)",
            ">>> selector.transform(X).shape", "(100, 5)",
            ">>> bool(selector.support_[selector.selected_].all())", "True"]


def extractor_notes():
    return ["", "Attributes", "----------", "loss_curve_ : of each epoch", "n_iter_ : epochs",
            "n_components_ : columns of the result", "n_parameters_ : weights and biases",
            "n_features_in_, feature_names_in_ : of what was seen in fit", "", "Examples", "--------",
            ">>> from quickselection import SparseAutoencoder, datasets",
            ">>> X = datasets.make_madelon(rows=100, features=25).X",
            ">>> codes = SparseAutoencoder((40, 6, 40), epochs=20).fit_transform(X)",
            ">>> codes.shape", "(100, 6)"]


def make_class(name, base, summary, first, parameters, members, notes):
    """The estimator class `name`. `first` is its one parameter that may be given by position; the
    constructor is real code, so that scikit-learn sees ordinary parameters."""
    arguments = ", ".join(f"{option}={default!r}" for option, default, _ in parameters)
    body = "".join(f"    self.{option} = {option}\n" for option, _, _ in [first, *parameters])
    scope = {}
    exec(f"def __init__(self, {first[0]}={first[1]!r}, *, {arguments}):\n{body}", scope)  # noqa: S102
    lines = [summary, "", "Parameters", "----------"]
    lines += [f"{option} : {text}; default {default!r}"
              for option, default, text in [first, *parameters]]
    lines += notes
    return type(name, (base,), {"__init__": scope["__init__"], "__doc__": "\n".join(lines),
                                "__module__": "quickselection", "__qualname__": name, **members})
