# tests/report/extraction_page_test.py: the report of `extract`.
import pytest

from program import succeed

NETWORKS = {"sparse": ["--layers", "20,5,20", "--epochs", 3], "pca": ["--layers", 5]}


@pytest.fixture(scope="module")
def extracted(madelon, tmp_path_factory):
    folder = tmp_path_factory.mktemp("extracted")
    for network, options in NETWORKS.items():
        succeed("extract", madelon, "--network", network, *options, "--report", f"{network}.html", cwd=folder)
    return folder


@pytest.mark.parametrize("network", NETWORKS)
def test_rows_dimensions_and_loss_are_drawn(browser, extracted, network):
    browser.open(extracted / f"{network}.html")
    assert browser.complaints() == []
    assert all(url.startswith(("file://", "data:")) for url in browser.requests())
    loss = ["Loss of each epoch"] if network == "sparse" else []
    assert browser.texts("h2") == ["Rows in the new dimensions", "How much each dimension varies", *loss,
                                   "Settings"]
    assert len(browser.all(".mark .dot")) == 300
    assert len(browser.all(".legend li")) == 2, "two classes"
    assert len(browser.all(".series .dot")) == 5 + 3 * len(loss)


def test_other_dimensions_can_be_shown(browser, extracted):
    browser.open(extracted / "pca.html")
    first = browser.js("return document.querySelector('.mark .dot').getAttribute('cy')")
    browser.js("const list = document.querySelectorAll('select')[1]; list.value = 3;"
               "list.dispatchEvent(new Event('change'))")
    assert browser.js("return document.querySelector('.mark .dot').getAttribute('cy')") != first
    assert "dimension 4" in browser.texts(".label")


@pytest.mark.parametrize("width", [360, 1600])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_fits_the_width(browser, extracted, width, scheme):
    browser.open(extracted / "sparse.html", width=width, scheme=scheme)
    assert browser.js("return document.documentElement.scrollWidth") <= width
