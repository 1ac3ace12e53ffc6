# tests/python/estimator_checks_test.py: scikit-learn's whole suite, for every estimator.
from unittest import SkipTest

import pytest
import sklearn
from sklearn.utils import estimator_checks

import quickselection
from small_estimators import ESTIMATORS, small

NEW = tuple(int(part) for part in sklearn.__version__.split(".")[:2]) >= (1, 6)
# Checks that the suite does not call by itself.
MORE = ["check_dataframe_column_names_consistency", "check_transformer_get_feature_names_out",
        "check_transformer_get_feature_names_out_pandas", "check_set_output_transform",
        "check_set_output_transform_pandas", "check_global_output_transform_pandas",
        "check_set_output_transform_polars", "check_global_set_output_transform_polars",
        "check_estimators_partial_fit_n_features"]


def suite(name):
    estimator = small(name)
    if NEW:
        return estimator_checks.estimator_checks_generator(estimator)
    return estimator_checks.check_estimator(estimator, generate_only=True)


CASES = [pytest.param(estimator, check, id=f"{name}-{index}-{check.func.__name__}")
         for name in ESTIMATORS
         for index, (estimator, check) in enumerate(suite(name))]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("estimator", "check"), CASES)
def test_suite(estimator, check):
    try:
        check(estimator)
    except SkipTest as skipped:
        pytest.fail(f"scikit-learn skips this check: {skipped}")


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("name", "check"), [
    (name, check) for name in ESTIMATORS for check in MORE if hasattr(estimator_checks, check)
    and ("partial_fit" not in check or hasattr(getattr(quickselection, name), "partial_fit"))])
def test_more(name, check):
    if "polars" in check:
        pytest.importorskip("polars")
    getattr(estimator_checks, check)(name, small(name))
