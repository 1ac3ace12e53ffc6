# tests/docs/tutorials_test.py: every tutorial runs as it stands and prints what it shows.
import re

import pytest

from pages import ROOT, blocks_of, matched, run_page

TUTORIALS = sorted((ROOT / "docs" / "tutorials").glob("*.md"))
LARGEST_PICTURE = 150_000


@pytest.mark.parametrize("page", TUTORIALS, ids=lambda page: page.stem)
def test_it_runs_and_prints_what_it_shows(page, tmp_path):
    for needed in ("sklearn", "pandas", "anndata"):
        pytest.importorskip(needed)
    run_page(page, tmp_path)


@pytest.mark.parametrize("page", TUTORIALS, ids=lambda page: page.stem)
def test_it_can_be_read_in_five_minutes(page):
    text = page.read_text()
    prose = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    assert len(prose.split()) < 700
    assert {block.kind for block in blocks_of(text)} <= {"python", "sh", "text"}


@pytest.mark.parametrize("page", TUTORIALS, ids=lambda page: page.stem)
def test_its_pictures_and_links_are_there(page):
    for name, link in re.findall(r"\[([^]]*)\]\(([^)#]+)(?:#[^)]*)?\)", page.read_text()):
        assert (page.parent / link).is_file(), link
        if link.endswith(".png"):
            assert name != "" and (page.parent / link).stat().st_size <= LARGEST_PICTURE


def test_there_are_three():
    assert [page.stem for page in TUTORIALS] == ["customers", "genes", "images"]


@pytest.mark.parametrize("shown, printed, agrees", [
    ("a 10 b", "a 10 b", True), ("a 10 b", "a 12 b", True), ("a 100 b", "a 120 b", False), ("a 1 b", "a 1 c", False),
    ("a\n…", "a\nb\nc", True), ("a", "a\nb", False), ("…\nc", "a\nb\nc", True), ("…\nd", "a\nb\nc", False),
    ("a\n…\nc", "a\nc", True), ("b\na", "a\nb", False), ("1.2 s in all", "99 s in all", True), ("…", "", True),
    ("x  ███··  2", "x  ██···  9", True), ("x  ███··  2", "y  ███··  2", False), ("", "a", False)])
def test_what_is_shown_is_compared(shown, printed, agrees):
    if agrees:
        matched(shown, printed)
    else:
        with pytest.raises(AssertionError):
            matched(shown, printed)
