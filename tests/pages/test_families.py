"""The lesson on the families: masks, blanks and turns are those of the real models."""

import re

import pytest

from llm.studies.families import BOTH, DECODER, ENCODER, patches, small_picture
from pages.families.charts import ACROSS, AHEAD, BACK, with_gaps
from pages.families.sections import FIRST_TURN_AFTER, HIDDEN, SEED, SENTENCE
from pages.ui.controls import encoder_twin, tiny_llm
from pages.ui.words import escaped
from tests.pages.harness import find, picture, press, said


@pytest.mark.parametrize("family", [ENCODER, DECODER, BOTH])
def test_a_mask_allows_what_its_family_allows(family, open_lesson):
    app = open_lesson(family=family)
    count = len(SENTENCE.split())
    back = count * (count + 1) // 2
    read = HIDDEN * (HIDDEN - 1) // 2
    ahead = {ENCODER: count * count - back, DECODER: 0, BOTH: read}
    told = picture(app, "The mask").alt
    assert f"{family}: {back + ahead[family]} of {count**2} pairs" in told


def test_every_cell_of_a_mask_has_a_colour(open_lesson):
    app = open_lesson(family=BOTH)
    data = picture(app, "The mask").rows
    assert set(data["kind"]) == {BACK, AHEAD, ACROSS}
    across = data[data["kind"] == ACROSS]
    assert across["allowed"].all() and (across["column"] < HIDDEN).all()
    assert len(across) == HIDDEN * (len(SENTENCE.split()) - HIDDEN)


def test_both_models_fill_the_same_blank_with_their_own_numbers(app):
    words = SENTENCE.split()
    twin = encoder_twin().answers(
        [*words[:HIDDEN], "[mask]", *words[HIDDEN + 1:]], HIDDEN + 1
    )
    both = picture(app, "encoder twin, both sides").rows.set_index("word")
    left = picture(app, "tiny LLM, left side only").rows.set_index("word")
    assert both.loc["animal", "said"] == pytest.approx(twin["animal"], rel=1e-3)
    expected = tiny_llm().next_token(words[:HIDDEN])
    assert left.loc["animal", "said"] == pytest.approx(expected["animal"], rel=1e-3)
    assert both.loc["animal", "truth"] > 0.99 > left.loc["animal", "truth"]


def test_the_guess_is_answered_only_after_it_was_made(app):
    assert "Its two-sided twin" not in said(app)
    find(app, "radio", "families_guess").set_value("Neither").run()
    assert "**No**" in said(app) and "Its two-sided twin" in said(app)


def test_each_turn_of_the_loop_writes_the_next_word_of_the_model(app):
    press(app, "one_more_turn")
    press(app, "one_more_turn")
    written = tiny_llm().generate(FIRST_TURN_AFTER, 3, seed=SEED)
    assert find(app, "slider", "turns").value == 3
    bold = f"**{' '.join(map(escaped, written))}**"
    assert f"{FIRST_TURN_AFTER} {bold}" in said(app)
    press(app, "one_turn_back")
    assert find(app, "slider", "turns").value == 2


def test_words_that_it_never_met_are_named(open_lesson, is_whole):
    app = open_lesson(ask_it="true")
    find(app, "text_input", "ask").set_value("who is Napoleon ?").run()
    is_whole(app)
    assert any("napoleon" in box.value for box in app.warning)
    find(app, "text_input", "ask").set_value("  ").run()
    assert any("no answer" in box.value for box in app.info)


def test_a_sentence_that_the_world_would_never_say_has_no_truth(open_lesson, is_whole):
    app = open_lesson(families_sentence="cat the the on mat")
    is_whole(app)
    assert any("no truth" in caption.value for caption in app.caption)


def test_a_picture_becomes_more_tokens_the_smaller_the_patches(open_lesson):
    app = open_lesson(beyond_text="true")
    for size, count in ((16, 4), (8, 16), (4, 64)):
        group = find(app, "button_group", "patch_size")
        group.set_value(size).run()
        assert f"{count} patches are {count} tokens" in said(app)


def test_gaps_are_transparent_and_patches_are_not():
    shown = with_gaps(patches(small_picture(), 16), 16, 2, zoom=2, gap=3)
    assert shown.shape == (67, 67, 4)
    assert (shown[32:35, :, 3] == 0).all() and (shown[:32, :32, 3] == 255).all()


def test_the_tokens_read_in_training_are_counted_from_its_record(app):
    assert "about 35 million" in said(app)


@pytest.mark.parametrize("name", ["query_cat_0", "query_cat_1"])
def test_the_printed_weights_give_the_printed_sum(name, open_lesson):
    app = open_lesson(cross="true")
    find(app, "number_input", name).set_value(1.5).run()
    formula = next(
        one.value for one in app.latex if r"\begin{pmatrix}1\\1" in one.value
    )
    numbers = re.findall(r"([\d.]*)\\begin{pmatrix}([\d.]+)\\\\([\d.]+)", formula)
    *terms, (_, first, second) = numbers
    for shown, place in ((first, 1), (second, 2)):
        by_pencil = sum(float(term[0]) * float(term[place]) for term in terms)
        assert float(shown) == pytest.approx(by_pencil, abs=0.0051)
