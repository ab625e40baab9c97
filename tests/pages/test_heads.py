"""The heads lesson: its figures are measured, or those of the functions it shows."""

import numpy as np
import pytest

from llm import TinyLLM
from llm.glassbox.ablation import Ablation
from llm.glassbox.heads import head_contributions, project_from_heads
from llm.glassbox.softmax import softmax
from llm.models.shipped import load_record
from llm.studies.roles import roles_of
from pages.heads.charts import glance_data, one_against_four
from pages.ui.charts.matrix import panels_data
from tests.pages.harness import picture

START = "the key behind the doors"


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
    cells = picture(app, "heads, the strongest link").rows
    size, config = len(llm.tokens(START)), llm.config
    links = config.num_layers * config.num_heads * size * (size + 1) // 2
    assert (~cells["heading"]).sum() == links
    total = cells.loc[~cells["heading"], "value"].sum()
    assert total == pytest.approx(config.num_layers * config.num_heads * size, abs=0.1)


def test_the_fast_way_to_many_small_pictures_gives_the_same_ones():
    rng = np.random.default_rng(0)
    weights = np.tril(rng.random((5, 4, 4)).astype("float32"))
    names, tokens = list("vwxyz"), ["<start>", "a", "b", "a"]
    columns = ["panel", "from", "to", "x", "y", "heading"]
    ours = glance_data(weights, names, tokens, 4).sort_values(["y", "x"])[columns]
    theirs = panels_data(weights, names, tokens, 4).sort_values(["y", "x"])[columns]
    assert (ours.to_numpy() == theirs.to_numpy()).all()


def test_a_cut_changes_the_bars_as_the_glass_box_says(app, llm):
    app.toggle(key="cut").set_value(True).run()
    layer, head = (int(part) - 1 for part in app.session_state["head"].split("."))
    logits = llm.trace(START, Ablation(heads={(layer, head)})).logits[-1].astype(float)
    bars = picture(app, "cut out. After").rows
    shown = dict(zip(bars["word"], bars["model"], strict=True))
    expected = softmax(logits)[llm.tokenizer.ids["is"]]
    assert shown["is"] == pytest.approx(expected, abs=1e-9)


def test_the_roles_on_the_page_are_the_measured_ones(app, found):
    cells = picture(app, "follows each role").rows
    scores = np.array([role["heads"] for role in found["roles"].values()])
    shown = cells["value"].to_numpy().reshape(-1, len(found["roles"])).T
    np.testing.assert_allclose(shown, scores.reshape(len(shown), -1), atol=1e-6)
    listed = next(m.value for m in app.markdown if "**look-up**" in m.value)
    lookers = [
        f"{layer + 1}.{head + 1}"
        for layer in range(scores.shape[1])
        for head in range(scores.shape[2])
        if "look-up" in roles_of(found["roles"], layer, head)
    ]
    assert lookers and f"{', '.join(lookers)}." in listed


def test_a_role_that_no_head_has_is_said_to_be_missing(app, found):
    listed = next(m.value for m in app.markdown if "**look-up**" in m.value)
    for name, role in found["roles"].items():
        line = next(line for line in listed.split("\n") if f"**{name}**" in line)
        nobody = np.max(role["heads"]) < max(0.25, 2 * role["even"])
        assert ("no head makes this its job" in line) == nobody


def test_the_parts_of_the_heads_add_up_to_what_the_formula_says(app, llm):
    layer, _ = (int(part) - 1 for part in app.session_state["head"].split("."))
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


def test_the_guess_is_answered_by_the_worst_cut(app, found):
    app.radio(key="guess_cut").set_value(app.radio(key="guess_cut").options[1]).run()
    cuts = picture(app, "worst single cuts")
    whole = found["skills"]["whole"]
    without = [skills for layer in found["skills"]["without"] for skills in layer]
    worst = min(skills["agreement"] for skills in without)
    assert f"agreement from {whole['agreement']:.2f} to {worst:.2f}" in cuts.alt
    assert len(cuts.rows) == (1 + len(without)) * len(whole)


def test_a_long_sentence_is_cut_to_what_the_pictures_hold(app):
    app.text_input(key="heads_text").set_value("the cat " * 20).run()
    assert "room for 24 tokens" in app.info[0].value


def test_the_text_on_one_head_follows_the_scores():
    def twin(excess):
        return {"scores": [{"excess": excess}]}

    ends = np.array([[1.0, 1.0], [0.4, 0.99]])
    said = one_against_four(["binding", "order"], ends, twin(0.01), twin(0.2))
    assert "clearly worse at binding." in said and "order" not in said
    same = one_against_four(["order"], ends[:, 1:], twin(0.01), twin(0.01))
    assert "No skill ends clearly apart" in same
