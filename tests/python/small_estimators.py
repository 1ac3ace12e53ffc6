# tests/python/small_estimators.py: estimators that train as little as their options allow.
import quickselection

ESTIMATORS = [*quickselection.SELECTORS, "SparseAutoencoder"]
SMALL = {"epochs": 3, "hidden": 20, "layers": (20, 3, 20)}


def small(name):
    estimator = getattr(quickselection, name)()
    parameters = estimator.get_params()
    return estimator.set_params(**{key: value for key, value in SMALL.items() if key in parameters})
