"""The exception of this package. A ValueError, so that callers of scikit-learn's kind catch it."""
import re


def in_python_words(message):
    """The core names options as on the command line: --learning-rate becomes learning_rate."""
    return re.sub(r"--([a-z][a-z-]*)", lambda match: match[1].replace("-", "_"), message)


class Error(ValueError):
    """Bad data or a bad argument; the message says where and what to do."""

    def __init__(self, message=""):
        super().__init__(in_python_words(message))
