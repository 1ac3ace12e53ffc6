"""The exception of this package. A ValueError, so that callers of scikit-learn's kind catch it."""


class Error(ValueError):
    """Bad data or a bad argument; the message says where and what to do."""
