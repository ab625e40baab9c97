"""Starts that are written into the pages are beginnings of stories of the world."""

import ast

import pytest

from llm.world import World, held_out_pairs
from pages.ui.course import PAGES

# Put there because the world would never say them; the lesson says so.
NEVER_SAID = {
    "mia has a blue kite . mia 's kite is blue . mia 's drum is",
    "can the king fly ?",
    "what does tom have ?",
}
# English that happens to be made of words of the world.
PROSE = {", is on ", ", it is ", "little by little", "no box for "}


def written_starts():
    """Every text of three or more words of the world in the code of the pages."""
    known = set(World().vocabulary())
    for file in sorted(PAGES.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            text = getattr(node, "value", None)
            if (
                isinstance(text, str)
                and len(text.split()) >= 3
                and known.issuperset(text.split())
                and text not in PROSE
            ):
                yield text


@pytest.mark.parametrize("text", sorted(set(written_starts())))
def test_the_world_could_say_it_unless_it_is_there_because_it_could_not(text):
    possible = World(held_out_pairs()).first_impossible(text.split()) is None
    assert possible == (text not in NEVER_SAID)
