"""The machine: its picture, what opens beside it, and the words that it writes."""

import json
import re
from decimal import Decimal
from itertools import groupby, pairwise

import numpy as np
import pytest

from llm import TinyLLM
from llm.studies.link_cuts import lost_by_cuts
from llm.studies.machine import machine_at_work
from pages.machine.panel import sum_by_hand
from pages.machine.picture import LEAST_SEEN, NAMED_FROM, draw_shown, picture
from pages.machine.state import ANSWER, chosen, opened_at
from pages.machine.words import (
    BRINGS,
    LOOKS,
    LOSES,
    MEASURES,
    lead_told,
    lines_told,
    next_to_nothing,
    path_and_rest,
    positions,
    row_name,
)
from pages.ui.course import PAGES
from pages.ui.measures import SHORT
from pages.ui.words import percent
from tests.pages.harness import find, said

KITE = "tom has a red ball . mia has a blue kite . mia 's kite is"


def shown(app):
    """What the browser gets to draw."""
    element = next(iter(app.get("bidi_component")))
    return json.loads(element.proto.json)


@pytest.fixture(scope="module")
def llm():
    return TinyLLM.load()


@pytest.fixture(scope="module")
def kite(llm):
    machine = machine_at_work(llm, KITE)
    lost = lost_by_cuts(llm.weights, machine.trace, machine.answer, machine.rival)
    return machine, lost


@pytest.fixture(scope="module")
def drawn(llm, kite):
    """The picture of the kite, by measure."""
    machine, lost = kite
    step = next(llm.steps(KITE))
    truth = {"blue": 1.0}
    return {
        measure: picture(machine, llm.tokenizer.vocabulary, llm.next_token(KITE), truth,
                         step, measure, lost)
        for measure in MEASURES
    }


def test_every_crossing_of_the_picture_is_one_of_the_machine(drawn, kite, llm):
    machine, _ = kite
    cells = drawn[LOOKS]["cells"]
    assert np.shape([[cell["sure"] for cell in row] for row in cells]) == (
        machine.said.shape
    )
    for row, position in np.ndindex(machine.said.shape):
        cell = cells[row][position]
        assert cell["said"] == llm.tokenizer.vocabulary[machine.said[row, position]]
        assert cell["sure"] == pytest.approx(machine.sure[row, position], abs=1e-4)
        assert cell["said"] in cell["told"] and cell["figure"] in cell["told"]


def test_lines_are_the_largest_links_by_the_chosen_measure(drawn, kite):
    machine, lost = kite
    amounts = {
        LOOKS: np.stack([found.attention_weights for found in machine.trace.blocks]),
        BRINGS: machine.flow.links, LOSES: np.nan_to_num(lost),
    }
    for measure, all_amounts in amounts.items():
        links = drawn[measure]["links"]
        largest = abs(all_amounts).max()
        for link in links:
            where = tuple(link[axis] for axis in ("layer", "head", "query", "key"))
            assert link["size"] == pytest.approx(
                abs(all_amounts[where]) / largest, abs=1e-3)
            assert link["against"] == (all_amounts[where] < 0)
        assert [link["size"] for link in links] == sorted(
            (link["size"] for link in links), reverse=True)
    assert min(link["size"] for link in drawn[LOOKS]["links"]) >= LEAST_SEEN - 1e-3


def test_no_line_leads_to_a_later_word(drawn):
    for content in drawn.values():
        assert all(link["key"] <= link["query"] for link in content["links"])


def test_another_measure_changes_the_lines_and_nothing_else(drawn):
    first, *others = drawn.values()
    for content in others:
        assert content["id"] == first["id"]
        assert content["cells"] == first["cells"]
        assert content["links"] != first["links"]


def test_the_player_has_a_sentence_for_every_row_the_bars_and_the_draw(drawn, kite):
    machine, _ = kite
    steps = drawn[LOOKS]["steps"]
    assert len(steps) == 1 + len(machine.said) + 2
    stops = [f"{place} {machine.trace.tokens[place]}" for place in machine.path.tokens]
    for told, (key, query) in zip(steps[2:7:2], pairwise(stops), strict=True):
        assert (
            f"stays at {key}." if key == query else f"from {key} to {query}, most by"
        ) in told


def test_the_draw_falls_on_the_stretch_that_holds_its_number(llm):
    for seed in range(8):
        step = next(llm.steps("the cat sat on the", seed=seed))
        draw = draw_shown(step, llm.tokenizer.vocabulary)
        parts = draw["parts"]
        assert parts[0]["from"] == 0 and parts[-1]["to"] == pytest.approx(1, abs=1e-5)
        for before, after in zip(parts, parts[1:], strict=False):
            assert before["to"] == pytest.approx(after["from"])
        hit = next(part for part in parts if part["hit"])
        assert hit["word"] == step.token
        assert hit["from"] <= step.u < hit["to"]
        named = [part for part in parts if part["name"]]
        assert all(part["to"] - part["from"] >= NAMED_FROM for part in named)


def test_what_is_chosen_in_the_picture_is_what_opens():
    tokens = KITE.split()
    for at, row in (("word-3", 0), ("0-3", 0), ("4-3", 4)):
        part, position, head, key = chosen({"at": at})
        assert (part, position, head, key) == (row_name(row), 3, None, None)
        assert opened_at(part, positions(tokens)[3], tokens, 7) == f"{row}-3"
    assert chosen({"at": "bar-2"})[0] == ANSWER
    link = {"row": 3, "token": 5, "head": 2, "key": 1}
    assert chosen(link) == ("block 2: attention", 5, 2, 1)


def test_words_on_the_lines_say_that_attention_is_no_explanation(kite):
    machine, lost = kite
    for measure in MEASURES:
        assert "not explanation" in lines_told(machine, lost, measure)
    told = lines_told(machine, lost, LOSES)
    assert re.search(r"`\d+ \w+` looks at `\d+ \w+`", told)
    assert "That brings" in told and "the lead falls by" in told
    assert "Only links with 2.0% of the attention or more are cut." in told


def test_of_a_long_text_it_is_said_that_weak_links_are_not_cut(llm):
    words = (KITE.split() * 3)[: SHORT + 1]
    machine = machine_at_work(llm, words)
    shape = machine.flow.links.shape
    told = lines_told(machine, np.ones(shape), LOSES)
    assert f"10% of the attention or more are cut: a text of more than {SHORT}" in told


def test_the_lead_and_the_path_are_told_as_measured(kite, llm):
    machine, _ = kite
    told = lead_told(machine, llm.tokenizer.vocabulary)
    assert f"{machine.flow.total:.2f}" in told
    assert f"{machine.path.amount:.2f}" in told
    words = [machine.trace.tokens[place] for place, _ in groupby(machine.path.tokens)]
    assert " → ".join(f"`{word}`" for word in words) in told


def test_the_page_draws_the_sentence_of_its_address(open_lesson):
    app = open_lesson(machine_start="the cat sat on the", machine_lines=BRINGS)
    content = shown(app)
    assert content["words"][1:] == "the cat sat on the".split()
    assert content["lines"] == BRINGS
    assert content["bars"][0]["word"] == "mat"
    assert content["bars"][0]["exact"] == "exactly 41%"


def test_a_link_opens_the_same_numbers(open_lesson):
    app = open_lesson(machine_part="block 1: attention", machine_word="11 kite",
                      machine_head="head 2")
    assert shown(app)["open"] == "1-11"
    assert "10 blue" in said(app)
    assert r"\sqrt{16}" in said(app)


@pytest.mark.parametrize("part", [ANSWER, *map(row_name, range(7))])
def test_every_part_opens(part, open_lesson, is_whole):
    app = open_lesson(machine_part=part, machine_word="3 a")
    is_whole(app)
    assert shown(app)["open"] == ("bar-0" if part == ANSWER else
                                  f"{list(map(row_name, range(7))).index(part)}-3")


def test_written_words_follow_from_the_seed_and_stand_in_the_picture(open_lesson, llm):
    app = open_lesson(machine_start="once upon a time", machine_written="5",
                      machine_seed="3")
    written = list(llm.generate("once upon a time", 6, seed=3))
    content = shown(app)
    assert content["words"][5:] == written[:5]
    assert content["next"] == written[5]
    assert content["written"] == 5


def test_nothing_is_written_behind_the_end(open_lesson):
    app = open_lesson(machine_start="the cat sat on the mat .", machine_written="40")
    content = shown(app)
    assert "<end>" not in content["words"]
    assert content["ended"] or content["written"] == 40


def test_a_word_that_the_world_would_not_say_has_no_truth_beside_it(open_lesson):
    app = open_lesson(machine_start="mat mat mat")
    assert {bar["truth"] for bar in shown(app)["bars"]} == {None}
    assert find(app, "button", "machine_start_back") is not None


def test_the_script_of_the_picture_is_short_and_asks_nobody():
    script = (PAGES.parent / "assets" / "machine.js").read_text(encoding="utf-8")
    assert len(script.splitlines()) <= 400
    for word in ("innerHTML", "fetch(", "import ", "Math.exp", "eval(", "XMLHttp"):
        assert word not in script
    addresses = {part.split('"')[0] for part in script.split("http")[1:]}
    assert addresses == {"://www.w3.org/"}


def test_path_other_ways_and_biases_add_up_as_printed(kite):
    machine, _ = kite
    told = path_and_rest(machine.path.amount, machine.flow).replace("−", "-")
    numbers = [float(number) for number in re.findall(r"[+-]?\d+\.\d+", told)]
    assert len(numbers) == 3
    assert sum(numbers) == pytest.approx(round(machine.flow.total, 2))
    assert numbers[2] == pytest.approx(machine.flow.fixed, abs=0.011)


def test_attention_that_brings_next_to_nothing_is_measured(kite):
    machine, lost = kite
    share = next_to_nothing(machine)
    assert 0 < share < 1
    assert f"{percent(share)} of it here" in lines_told(machine, lost, BRINGS)


@pytest.mark.parametrize("word, place", [
    (-0.296, 0.043), (-0.19865, 0.19375), (0.5, 0.25), (-0.004, 0.001),
])
def test_a_word_and_its_position_add_up_as_printed(word, place):
    told = sum_by_hand(word, place).translate(str.maketrans("", "", "()&"))
    one, other, total = (Decimal(n) for n in re.findall(r"-?\d+\.\d+", told))
    assert one + other == total
    assert float(total) == pytest.approx(word + place, abs=0.005)
