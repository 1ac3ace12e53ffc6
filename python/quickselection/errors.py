"""The exception of this package. A ValueError, so that callers of scikit-learn's kind catch it."""
import re


def python_name(option):
    """An option of the command line as a parameter: learning-rate is learning_rate, and lambda,
    a word of the language, is lam."""
    return "lam" if option == "lambda" else option.replace("-", "_")


def in_python_words(message):
    """The core names options as on the command line: --learning-rate 0.1 becomes
    learning_rate=0.1."""
    message = message.replace("the K of -k", "n_features_to_select").replace("--runs", "n_runs")
    return re.sub(r"--([a-z][a-z-]*)( (?=\d))?",
                  lambda match: python_name(match[1]) + ("=" if match[2] else ""), message)


class Error(ValueError):
    """Bad data or a bad argument; the message says where and what to do."""

    def __init__(self, message=""):
        super().__init__(in_python_words(message))
