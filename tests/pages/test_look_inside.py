"""Look inside: each sum meets the model's own number, and cuts do what they say."""

import re
from itertools import pairwise

import numpy as np
import pytest

from llm.glassbox.ablation import NO_ABLATION, Ablation
from llm.glassbox.softmax import softmax
from llm.studies.attribution import logit_attribution
from llm.studies.flow import answer_flow, answer_paths, brought_between, strongest_path
from pages.look_inside.charts import (
    MEASURES,
    amounts_data,
    lens_data,
    lens_table,
    measures_data,
    probability_by_hand,
    reading_data,
)
from pages.look_inside.measures import KITE, guessed_link
from pages.look_inside.path import AGAINST, OTHER, PATH, path_picture
from pages.look_inside.words import (
    MORE,
    NOTHING,
    coloured_sentence,
    cut_replies,
    link_told,
    path_told,
    proof_told,
    step_told,
    steps_of,
)
from pages.ui.measures import at_work
from pages.ui.models import tiny_llm
from pages.ui.words import change_of, numbered, signed
from tests.pages.harness import find, open_all, picture, said

START = "tom has a red ball . mia has a blue kite . mia 's kite is"


@pytest.fixture(scope="module")
def kite():
    """The kite's sentence: its trace, its flow and its ways."""
    llm = tiny_llm()
    run = llm.trace(START)
    word, other = (int(n) for n in np.argsort(-run.logits[-1])[:2])
    flow = answer_flow(run, llm.weights, word, other)
    return run, flow, answer_paths(run, llm.weights, word, other)


def test_the_sentence_is_coloured_by_what_each_word_gives():
    gives = np.array([0.1, 3.0, 8.0, -2.0])
    told = coloured_sentence(["tom", "has", "blue", "kite"], gives, 10.0).split(" ")
    assert told == ["tom", ":blue-background[**has**]", ":blue-background[**blue**]",
                    ":orange-background[kite]"]


def test_the_lines_of_the_picture_are_the_ways_between_words(kite):
    run, flow, paths = kite
    path = strongest_path(paths, len(run.tokens) - 1)
    brought = brought_between(paths, len(run.tokens) - 1)
    chart = path_picture(run.tokens, brought, path, "blue", flow.total)
    lines = chart.data[chart.data["kind"] == "line"]
    for line in lines.itertuples():
        way = int(line.y), int(line.x), int(line.x2)
        assert line.amount == pytest.approx(brought[way])
        assert line.what in (PATH, OTHER if line.amount > 0 else AGAINST)
    assert (lines["what"] == PATH).sum() == len(run.blocks)
    assert chart.alt.startswith(f"The lead of 'blue' is {flow.total:.2f}")
    table = chart.table()["brings"]
    assert table.sum() == pytest.approx(3 * flow.words.sum(), abs=0.02)


def test_the_page_says_what_the_path_and_all_others_bring(app, kite):
    paths = kite[2]
    assert f"brings {signed(paths.max())}, all other paths together" in said(app)


def test_what_is_printed_as_a_sum_adds_up_as_printed(kite):
    run, flow, paths = kite
    told = path_told(run.tokens, strongest_path(paths, 16), flow, "it")
    words, rest, path, others = (
        float(n.replace("−", "-")) for n in re.search(
            r"(\S+) from the words, (\S+) from .* brings (\S+), .* together (\S+)\.",
            told).groups()
    )
    assert f"{words + rest:.2f}" == f"{flow.total:.2f}"
    assert f"{path + others:.2f}" == f"{words:.2f}"
    data = reading_data(
        logit_attribution(run, tiny_llm().weights, 16, tiny_llm().tokenizer.ids["blue"])
    )
    printed = [float(figure.replace("−", "-")) for figure in data["figure"]]
    assert sum(printed) == pytest.approx(round(data["value"].sum(), 2))


def test_every_step_of_the_path_opens(app, kite):
    _, flow, paths = kite
    steps = steps_of(strongest_path(paths, 16))
    assert list(steps) == ["block 3", "block 2", "block 1"]
    stops = [step[1:] for step in steps.values()]
    assert stops[0][1] == 16
    assert all(above[0] == below[1] for above, below in pairwise(stops))
    for name, (block, key, query) in steps.items():
        app.session_state["look_step"] = name
        app.run()
        assert not app.exception and not app.error
        rows = picture(app, "What it brings").rows
        np.testing.assert_allclose(
            rows["bar"], flow.links[block, :, query, key], atol=1e-6
        )


def test_the_part_that_gave_most_is_opened_first(open_lesson):
    app = open_lesson(look_steps="true")
    assert "**Feed-forward 3**" in said(app) or "**Head" in said(app)
    options = find(app, "selectbox", "look_part").options
    assert find(app, "selectbox", "look_part").placeholder == options[0]


def test_one_line_of_proof_holds_all_sums(open_lesson):
    for part in ("head 3.3", "feed-forward 3", "head 1.2"):
        app = open_lesson(look_steps="true", look_part=part)
        told = next(line.value for line in app.caption if "sums were" in line.value)
        assert float(re.search(r"is (\S+)\.$", told)[1]) < 1e-4


def test_the_proof_names_the_largest_difference():
    assert "2 sums" in proof_told([1e-7, 3e-6]) and "3e-06" in proof_told([1e-7, 3e-6])


@pytest.mark.parametrize("start", ["", START, "the cat " * 80])
def test_every_part_of_every_start_can_be_opened(open_lesson, start):
    app = open_lesson(look_steps="true", look_start=start)
    for name in ("place", "head 1.2", "head 3.4", "attention bias 2", "feed-forward 1"):
        find(app, "selectbox", "look_part").set_value(name).run()
        assert not app.exception and not app.error


def test_the_amounts_add_up_to_the_logit():
    llm = tiny_llm()
    run, word = llm.trace(START), llm.tokenizer.ids["blue"]
    found = logit_attribution(run, llm.weights, len(run.tokens) - 1, word)
    for count in (3, 10, 99):
        data = reading_data(found, count)
        assert data["value"].sum() == pytest.approx(run.logits[-1, word], abs=1e-3)
        assert len(data) <= count + 1 or count == 99
    sizes = abs(data["value"][:-1])
    assert (sizes.diff().dropna() <= 1e-9).all(), "ordered by how much they moved"


def test_small_amounts_share_a_bar_and_nothing_is_lost():
    data = amounts_data(list("abcd"), ["bias"] * 4, [5.0, -0.01, 0.02, -3.0])
    assert list(data["name"]) == ["a", "d", "2 others"]
    assert data["value"].sum() == pytest.approx(2.01)


def test_another_rival_can_be_chosen(open_lesson):
    app = open_lesson(look_other="red")
    llm = tiny_llm()
    logits = llm.next_logits(START).astype(float)
    lead = logits[llm.tokenizer.ids["blue"]] - logits[llm.tokenizer.ids["red"]]
    assert f"The lead of `blue` over `red` is {lead:.2f}" in said(app)


def test_the_way_down_ends_at_a_word(open_lesson):
    app = open_lesson(look_steps="true")
    told = next(text.value for text in app.markdown if text.value.startswith("1. Of "))
    lines = told.splitlines()
    assert lines[0].startswith("1. Of the lead of `blue`")
    assert "its row in the embedding table" in lines[-1] or "its position" in lines[-1]


def test_the_guess_holds_back_what_a_cut_does(app):
    assert "With the cut, head" not in said(app)
    find(app, "radio", "look_guess").set_value(NOTHING).run()
    assert any("Not quite." in box.value for box in app.info)
    find(app, "radio", "look_guess").set_value(MORE).run()
    assert "With the cut, head" in said(app)
    assert any("Yes." in box.value for box in app.success)
    rows = picture(app, "Logits of the lead").rows
    assert rows["second"].iloc[0] == pytest.approx(guessed_link().lost, abs=1e-4)


def test_the_link_of_the_guess_is_needed_far_more_than_it_brings():
    link, llm = guessed_link(), tiny_llm()
    assert link.lost > 2 * abs(link.brings)
    logits = llm.trace(START, Ablation(edges={link.edge})).logits[-1].astype(float)
    cut = softmax(logits)[llm.tokenizer.ids["blue"]]
    assert link.cut[0] == pytest.approx(cut, abs=1e-5)
    assert f"{signed(link.brings)} of it" in link_told(link, "blue")
    assert ("is needed more" in cut_replies(link)[MORE]) == (link.lost >= link.most)


def test_what_a_cut_frees_goes_where_the_page_says():
    link = guessed_link()
    run = tiny_llm().trace(START, Ablation(edges={link.edge}))
    layer, head, query, _ = link.edge
    row = run.attention(layer, head)[query]
    word, weight = link.instead
    assert word == numbered(run.tokens)[row.argmax()]
    assert weight == pytest.approx(row.max())
    silent = tiny_llm().trace(START, Ablation(heads={(layer, head)})).logits[-1]
    machine = at_work(KITE)
    lead = float(silent[machine.answer]) - float(silent[machine.rival])
    assert link.head_lost == pytest.approx(link.total - lead, abs=1e-3)


def test_heads_and_biases_of_a_step_add_up_as_printed(kite):
    run, flow, paths = kite
    path = strongest_path(paths, 16)
    brought = brought_between(paths, 16)
    for block, key, query in steps_of(path).values():
        if key != query:
            by_head = flow.links[block, :, query, key]
            told = step_told(run.tokens, block, key, query, by_head,
                             brought[block, key, query])
            heads, biases, words = (float(n.replace("−", "-")) for n in re.search(
                r"bring (\S+): (\S+) from biases, and (\S+) from", told).groups())
            assert f"{words + biases:.2f}" == f"{heads:.2f}"
            assert heads == pytest.approx(np.round(by_head, 2).sum())


def cut(app, kind, key, chosen):
    app.session_state["look_cut"] = True
    app.session_state["cut_kind"] = kind
    app.run()
    app.session_state[key] = chosen
    app.run()
    assert not app.exception and not app.error


@pytest.mark.parametrize(
    "kind, key, chosen, cuts",
    [
        ("heads", "cut_heads", ["1.2", "3.3"], Ablation(heads={(0, 1), (2, 2)})),
        ("layers", "cut_layers", ["feed-forward 2"],
         Ablation(layers={(1, "feed_forward")})),
        ("words", "cut_words", ["11 kite"], Ablation(positions={11})),
        ("one link", "cut_link_head", "3.3", Ablation(edges={(2, 2, 16, 0)})),
    ],
)
def test_the_bars_after_a_cut_are_those_of_the_cut_model(app, kind, key, chosen, cuts):
    cut(app, kind, key, chosen)
    llm = tiny_llm()
    blue = llm.tokenizer.ids["blue"]
    before, after = (
        softmax(llm.trace(START, taken_out).logits[-1].astype(float))[blue]
        for taken_out in (NO_ABLATION, cuts)
    )
    change = change_of(before, after, "**")
    assert any(change in text.value for text in app.markdown)


def test_cutting_nothing_says_so(app):
    cut(app, "heads", "cut_heads", [])
    assert any("Nothing is cut" in box.value for box in app.info)


def test_the_skills_that_fall_are_those_of_the_record(app):
    cut(app, "heads", "cut_heads", ["1.2"])
    assert any("Skills that fall" in text.value for text in app.markdown)
    cut(app, "heads", "cut_heads", ["1.2", "2.1"])
    assert not any("Skills that fall" in text.value for text in app.markdown)
    assert any(button.key == "cut_ask" for button in app.button)


def test_the_lens_shows_a_word_for_every_position_and_stop():
    data = lens_data(["<start>", "the"], ["a", "b", "c"],
                     np.array([["x", "y"]] * 3), np.full((3, 2), 0.5))
    assert len(data) == 6
    assert lens_table(data).shape == (2, 4)


def test_each_measure_is_drawn_in_lengths_of_its_longest_bar():
    values = [0.2, 0.8], [0.0, 0.0], [-4.0, 2.0]
    measures = dict(zip(MEASURES, values, strict=True))
    data = measures_data(["a", "b"], measures)
    assert abs(data["end"] - data["start"]).max() == pytest.approx(1)


def test_a_link_to_the_lesson_reproduces_the_screen(open_lesson):
    app = open_lesson(
        look_start="the cat sat on the", look_word="floor", look_other="mat",
        look_steps="true", look_part="head 1.1",
    )
    assert find(app, "selectbox", "look_word").value == "floor"
    assert "the lead of `floor` over `mat`" in said(app)
    assert "**Head 1.1**" in said(app)


def test_every_section_is_whole(app):
    open_all(app)
    assert not app.exception and not app.error


def test_a_probability_worked_out_by_hand_is_one_only_if_it_is_certain():
    logits = np.array([18.93, 7.66, 1.0])
    told = probability_by_hand("blue", logits[0], logits, logits[1])
    assert told.count("1.00001") == 1, told
    assert "= 0.99999" in told
    even = probability_by_hand("blue", 0.0, np.zeros(2), 0.0)
    assert r"\frac{1.0000}{2.0000} = 0.5000" in even
