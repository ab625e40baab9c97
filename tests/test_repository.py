"""What the repository promises about itself."""

import re
import sys
import tomllib
from pathlib import Path

import pytest

from pages.ui.course import LESSONS

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def between(marker):
    return README.split(f"<!-- {marker} -->")[1].split("<!-- end -->")[0]


def python_files():
    return [
        path
        for folder in ("llm", "pages", "tests")
        for path in (ROOT / folder).rglob("*.py")
        if "__pycache__" not in path.parts
    ]


def test_both_lists_of_requirements_agree():
    lines = (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()
    pinned = {line for line in lines if line and not line.startswith("#")}
    assert pinned == set(PROJECT["project"]["dependencies"])


def test_every_requirement_has_an_exact_version():
    for requirement in PROJECT["project"]["dependencies"]:
        assert re.match(r"[\w-]+==[\d.]+( ;|$)", requirement), requirement


def test_this_python_is_one_of_those_that_are_promised():
    assert PROJECT["project"]["requires-python"] == ">=3.11,<3.14"
    assert (3, 11) <= sys.version_info < (3, 14)


def test_the_top_level_is_as_fixed():
    known = {
        "streamlit_app.py", "pages", "llm", "assets", "tests", "pyproject.toml",
        "README.md", "requirements.txt", "CITATION.cff",
    }
    found = {path.name for path in ROOT.iterdir() if not path.name.startswith(".")}
    assert found - {"__pycache__"} == known


def test_the_tree_in_the_readme_names_every_folder():
    named = re.findall(r"^([\w/]+/)(?= )", between("tree"), re.MULTILINE)
    for name in named:
        assert (ROOT / name).is_dir(), name
    lessons = {lesson.stem for lesson in LESSONS}
    for folder in {path.parent.relative_to(ROOT) for path in python_files()}:
        one_lesson = folder.parts[:1] == ("pages",) and set(folder.parts) & lessons
        tests = folder.parts[:1] == ("tests",)
        if folder.parts and not one_lesson and not tests:
            assert f"{folder.as_posix()}/" in named, folder


def test_every_folder_says_what_lies_in_it():
    for path in python_files():
        listing = path.parent / "__init__.py"
        if listing.is_file() and not path.stem.startswith("__"):
            text = listing.read_text(encoding="utf-8")
            assert re.search(rf"\b{path.stem}\b", text), path.relative_to(ROOT)


def test_the_readme_names_no_file_that_is_gone():
    for name in re.findall(r"`((?:llm|pages|tests|assets)/[\w/.]+\.\w+)`", README):
        assert (ROOT / name).is_file(), name


def test_the_course_can_be_cited_in_its_own_version():
    cited = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"version: {PROJECT['project']['version']}" in cited
    assert "name: the authors" in cited


def test_ci_runs_the_test_command_of_the_readme():
    assert "-m pytest" in between("test command")
    assert "test command" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")


@pytest.mark.parametrize("path", python_files(), ids=lambda p: p.name)
def test_nothing_is_unfinished_and_nothing_is_pickled(path):
    if path == Path(__file__):
        return
    text = path.read_text(encoding="utf-8")
    for word in ("TO" + "DO", "FIX" + "ME", "import pic" + "kle", "allow_pic" + "kle"):
        assert word not in text


def test_tracked_files_are_small():
    for path in (ROOT / "assets").iterdir():
        assert path.stat().st_size < 8_000_000, path


def test_the_ladder_in_the_readme_is_what_evaluate_computes():
    """The figures that training wrote down are those that the README shows."""
    from llm.models.shipped import load_record

    last = load_record()["training"]["scores"][-1]
    lstm = load_record("lstm")["scores"]
    for loss in (last["loss"], last["floor"], lstm["loss"]):
        assert f"{loss:.4f}" in between("figures")
