"""The heads lesson: its figures are measured, or those of the functions it shows."""

import numpy as np
import pytest

from llm import TinyLLM
from llm.glassbox.ablation import Ablation
from llm.glassbox.heads import head_contributions, project_from_heads
from llm.glassbox.softmax import softmax
from llm.models.shipped import load_record
from llm.studies.roles import roles_of
from pages.heads.words import NONE
from tests.pages.harness import let_go, picture, said

START = "the key behind the doors"
GUESS = "guess_cut"


@pytest.fixture(scope="module")
def llm():
    return TinyLLM.load()


@pytest.fixture(scope="module")
def found():
    return load_record("heads")


def test_the_heat_map_of_a_head_is_the_attention_of_the_glass_box(open_lesson, llm):
    app = open_lesson(head="1.2", heads_text="mia has a blue kite")
    cells = picture(app, "Head 1.2").rows
    weights = llm.trace("mia has a blue kite").attention(0, 1)
    np.testing.assert_allclose(
        cells["value"].to_numpy().reshape(weights.shape), weights, atol=1e-6
    )


def test_all_heads_are_drawn_and_no_later_word(app, llm):
    rows = picture(app, "heads, the strongest link").rows
    cells = rows[rows["kind"] == "cell"]
    size, config = len(llm.tokens(START)), llm.config
    num_heads = config.num_layers * config.num_heads
    assert len(cells) == num_heads * size * (size + 1) // 2
    assert cells["value"].sum() == pytest.approx(num_heads * size, abs=0.1)
    assert list(rows.loc[rows["kind"] == "frame", "head"]) == [
        app.session_state["head"]
    ]


def test_a_click_on_a_head_picks_it(app):
    let_go(app, "head_grid", "picked", head="3.2")
    assert app.session_state["head"] == "3.2"
    assert picture(app, "Head 3.2")


def test_a_cut_changes_the_bars_as_the_glass_box_says(open_lesson, llm):
    app = open_lesson(cut="true")
    place = llm.head_at(app.session_state["head"])
    logits = llm.trace(START, Ablation(heads={place})).logits[-1].astype(float)
    bars = picture(app, "cut out, the tiny LLM expects").rows
    shown = dict(zip(bars["label"], bars["bar"], strict=True))
    expected = softmax(logits)[llm.tokenizer.ids["is"]]
    assert shown["is"] == pytest.approx(expected, abs=1e-6)


def test_the_roles_on_the_page_are_the_measured_ones(open_lesson, found):
    app = open_lesson(measured="true")
    cells = picture(app, "Share of attention that follows a role").rows
    shares = np.array([role["heads"] for role in found["roles"].values()])
    shown = cells["value"].to_numpy().reshape(-1, len(found["roles"])).T
    np.testing.assert_allclose(shown, shares.reshape(len(shown), -1), atol=1e-6)
    listed = next(m.value for m in app.markdown if "**look-up**" in m.value)
    lookers = [
        f"{layer + 1}.{head + 1}"
        for layer in range(shares.shape[1])
        for head in range(shares.shape[2])
        if "look-up" in roles_of(found["roles"], layer, head)
    ]
    assert lookers and f"{', '.join(lookers)}." in listed
    for name, role in found["roles"].items():
        line = next(line for line in listed.split("\n") if f"**{name}**" in line)
        nobody = np.max(role["heads"]) < max(0.25, 2 * role["even"])
        assert ("no head has this role" in line) == nobody


def test_the_parts_of_the_heads_add_up_to_what_the_formula_says(open_lesson, llm):
    app = open_lesson(split="true")
    layer, _ = llm.head_at(app.session_state["head"])
    block, learned = llm.trace(START).blocks[layer], llm.weights.blocks[layer].attention
    parts = head_contributions(block.head_outputs, learned.output_kernel)
    joined = project_from_heads(
        block.head_outputs, learned.output_kernel, learned.output_bias
    )
    np.testing.assert_allclose(
        parts.sum(axis=-3) + learned.output_bias, joined, atol=1e-4
    )
    total = joined[-1][abs(joined[-1]).argmax()]
    assert app.latex[1].value.rstrip("$\n").endswith(f"{total:.3f}")


def test_the_guess_is_answered_by_the_deepest_cut(app, found):
    assert "The deepest fall" not in said(app)
    app.radio(key=GUESS).set_value(NONE).run()
    assert "Not quite." in said(app)
    whole = found["skills"]["whole"]
    without = [skills for layer in found["skills"]["without"] for skills in layer]
    falls = {
        skill: whole[skill] - min(skills[skill] for skills in without)
        for skill in whole
    }
    assert f"*{max(falls, key=falls.get)}* goes from" in said(app)


def test_a_long_sentence_is_cut_to_what_the_pictures_hold(app):
    app.text_input(key="heads_text").set_value("the cat " * 20).run()
    assert "room for 24 tokens" in app.info[0].value


def test_every_training_is_a_dot(app):
    twins = load_record("twins")["twins"]
    dots = picture(app, "Nats above the exact floor").rows
    count = len(twins["full"].get("draws", [1])) + len(
        twins["one head"].get("draws", [1])
    )
    assert len(dots) == count
