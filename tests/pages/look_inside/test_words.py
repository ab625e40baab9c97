"""What is said about the working follows from the figures."""

from types import SimpleNamespace

import numpy as np
import pytest

from llm.studies.flow import Path
from pages.look_inside.measures import NeededLink
from pages.look_inside.words import (
    coloured_sentence,
    cut_told,
    direct_and_all_told,
    every_link_told,
    falls,
    guides_told,
    link_and_head_told,
    link_told,
    path_told,
    step_told,
)

LINK = NeededLink(
    head="1.1", looks="13 mia", at="1 tom", edge=(0, 0, 13, 1), weight=0.99, total=7.0,
    brings=0.07, lost=14.0, most=14.0, compared=[], whole=(0.9, 0.8), cut=(0.01, 0.1),
    instead=("6 .", 0.99), head_lost=4.0,
)


def test_one_path_beats_all_together_only_where_it_does():
    flow = SimpleNamespace(total=7.0, words=np.array([3.0, 0.5]), fixed=3.5)
    more = path_told(["a", "b"], Path((0, 1), 7.5), flow, "the lead")
    assert "The lead is 7.00: +3.50 from the words, +3.50 from biases" in more
    assert "all other paths together −4.00" in more and "more than all" in more
    less = path_told(["a", "b"], Path((0, 1), 3.0), flow, "the lead")
    assert "all other paths together +0.50." in less and "more than all" not in less
    assert "%" not in more + less, "a part of a signed sum is no share"


def test_a_word_is_blue_where_it_speaks_for_the_answer_though_the_lead_is_negative():
    assert coloured_sentence(["a", "b"], np.array([3.0, -3.0]), -4.0) == (
        ":blue-background[**a**] :orange-background[b]"
    )


def test_a_step_that_stays_says_that_the_line_is_more_than_the_heads():
    told = step_told(["a", "b"], 0, 1, 1, np.array([0.1, 0.2]), 9.0)
    assert "+9.00, counts both" in told and "biases included" in told


def test_a_link_brings_little_only_where_it_is_little():
    assert "brings only +0.07" in link_told(LINK, "blue")
    assert "brings +3.00" in link_told(LINK._replace(brings=3.0), "blue")


def test_whether_later_heads_lose_sight_is_said_as_it_was_measured():
    told = cut_told(LINK, "blue")
    assert "hardly look at the word of the path" in told
    assert "99% to *6 .* instead" in told
    assert "hardly look" not in cut_told(LINK._replace(cut=(0.1, 0.7)), "blue")


def test_a_link_costs_more_than_its_head_only_where_it_does():
    assert "by 14.00" in link_and_head_told(LINK)
    assert "the lead falls by 4.00" in link_and_head_told(LINK)
    assert link_and_head_told(LINK._replace(head_lost=15.0)) == ""


@pytest.mark.parametrize(
    "lost, told", [(1.0, "falls by 1.00"), (-0.05, "rises by 0.05"),
                   (0.001, "stays as it is")],
)
def test_a_lead_falls_rises_or_stays(lost, told):
    assert falls(lost) == told


def test_two_figures_of_a_head_are_told_apart():
    told = direct_and_all_told("head 3.3", "11 kite", 2.79, 4.34)
    assert "direct effect of +2.79" in told and "in all it brings +4.34" in told


def test_the_better_guide_is_the_one_that_agrees_more_with_the_cuts():
    up, down, mixed = np.arange(4.0), np.arange(4.0)[::-1], np.array([0.0, 2, 1, 3])
    assert "weight is here about as good" in guides_told(up, up, up)
    assert "weight is here a better guide" in guides_told(up, mixed, up)
    assert "effect is here a better guide" in guides_told(down, up, up)
    assert "1 of the 4 links are near zero" in guides_told(up, up, up)
    assert "near zero" not in guides_told(up + 1, up, up)
    assert guides_told(np.ones(4), up, up) == ""


def test_links_are_those_of_one_word():
    found = np.array([[[0.9, 0.1]], [[0.2, 0.8]]])
    told = every_link_told((found, found, found), ["0 a", "1 b"], "b")
    assert told.startswith("Of the 4 links of `b`, in all heads")


def test_a_step_in_which_no_head_helps_says_so():
    told = step_told(["a", "b"], 0, 0, 1, np.array([-0.1, -0.2, 0.0]), -0.4)
    assert "no head brings anything for the lead" in told
    assert "Together the heads bring −0.30: +0.10 from biases" in told


def test_of_a_word_that_sees_only_itself_nothing_can_be_cut():
    found = np.ones((3, 2, 2, 1))
    assert every_link_told(found, ["0 <start>"], "<start>") == (
        "`<start>` can see only itself: there is no link to cut."
    )
