"""Feature extraction: a transformer whose columns are the neurons of a sparse autoencoder."""
import time

import numpy as np
from sklearn.base import ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils import check_array
from sklearn.utils.validation import check_is_fitted

from . import _core
from ._base import CoreEstimator, validated
from ._data import as_table, from_dataset, named_dataset, option_texts, texts_of, to_dataset, write_page
from ._picture import curve_html
from ._parameters import extractor_notes, extractor_parameters, make_class

_OPTIONS = _core.extraction_options("sparse")


class AutoencoderBase(ClassNamePrefixFeaturesOutMixin, TransformerMixin, CoreEstimator):
    """See SparseAutoencoder."""

    def fit(self, X, y=None):
        """Train the network on the rows of X. y is accepted for pipelines and never looked at."""
        X = validated(self, X, reset=True)
        layers = [int(size) for size in np.atleast_1d(self.layers)]
        if any(size < 1 for size in layers):
            raise ValueError(f"layers is {self.layers!r}, but must be numbers of neurons, at least 1")
        begun = time.perf_counter()
        with self._progress() as report:
            asked = texts_of({"network": "sparse", "layers": layers, "scale": self.scale or None,
                              "clip": self.clip, "seed": self._seed()})
            self._extractor = _core.Extractor.fit(to_dataset(X), asked, option_texts(self, _OPTIONS),
                                                  self._threads(), report)
        self._seconds = time.perf_counter() - begun
        info = self._extractor.info
        self._warn(info["warnings"])
        self.loss_curve_ = info["loss"]
        self.n_iter_ = len(self.loss_curve_)
        self.n_components_ = info["dimensions"]
        self.n_parameters_ = info["parameters"]
        return self

    @property
    def _n_features_out(self):
        return self.n_components_

    def _codes(self, X):
        check_is_fitted(self)
        return self._extractor.extract(to_dataset(validated(self, X, reset=False)), self._threads())

    def transform(self, X):
        """The neurons of the narrowest layer, one row for each of X, as 32-bit floats."""
        return np.array(from_dataset(self._codes(X)))

    def inverse_transform(self, X):
        """Rows like those of fit, in the features' own units, from rows that transform gave."""
        check_is_fitted(self)
        codes = check_array(as_table(X), dtype=[np.float32, np.float64])
        if codes.shape[1] != self.n_components_:
            raise ValueError(f"X has {codes.shape[1]} columns, but {type(self).__name__} makes "
                             f"{self.n_components_}")
        return np.array(from_dataset(self._extractor.decode(to_dataset(codes), self._threads())))

    def reconstruct(self, X):
        """What the network makes of the rows of X: through the narrowest layer and back."""
        return np.array(from_dataset(self._extractor.decode(self._codes(X), self._threads())))

    def to_html(self, X, y=None, *, path=None, name="X"):
        """The report of `quickselection extract`: one page that needs no other file.

        Parameters
        ----------
        X : rows to show in the new dimensions
        y : their labels, shown as colours
        path : a file to write the page to as well
        name : what the page calls the data
        """
        codes = self._codes(X)
        measured = {"seconds": self._seconds, "joules": 0.0, "source": "not measured"}
        return write_page(path, _core.extraction_page(named_dataset(X, y, source=name), codes,
                                                      self._extractor, measured))

    def _fitted_html(self):
        if "loss_curve_" not in vars(self):
            return ""
        return curve_html("loss", self.loss_curve_, f"{self.n_features_in_} features as "
                          f"{self.n_components_} numbers; loss of each epoch")

    def _more_tags(self):  # scikit-learn before 1.6
        return {**super()._more_tags(), "preserves_dtype": [np.float32]}

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = ["float32"]
        return tags


SparseAutoencoder = make_class(
    "SparseAutoencoder", AutoencoderBase,
    "A sparse denoising autoencoder with evolving connections; its narrowest layer is the result.",
    *extractor_parameters(_core.extraction_layers, _OPTIONS), {}, extractor_notes())
