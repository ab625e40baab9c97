"""The lesson on the families: masks, blanks and turns are those of the real models."""

import re

import pytest

from llm.models.shipped import load_record
from llm.studies.families import BOTH, DECODER, ENCODER, patches, small_picture
from llm.training.batches import rows_of
from pages.families.charts import ACROSS, AHEAD, BACK, with_gaps
from pages.families.measures import HIDDEN, SENTENCE
from pages.ui.models import encoder_twin, tiny_llm
from tests.pages.harness import find, picture, pictures, said

WORDS = SENTENCE.split()
SHOWN = {"shown": "families_guess"}


@pytest.mark.parametrize("family", [ENCODER, DECODER, BOTH])
def test_a_mask_allows_what_its_family_allows(family, open_lesson):
    app = open_lesson(family=family)
    count = len(WORDS)
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
    assert len(across) == HIDDEN * (len(WORDS) - HIDDEN)


def test_the_switch_drives_the_bars_too(open_lesson):
    twin = encoder_twin().answers(
        [*WORDS[:HIDDEN], "[mask]", *WORDS[HIDDEN + 1:]], HIDDEN + 1
    )
    both = picture(open_lesson(family=ENCODER), "puts into the blank")
    left = picture(open_lesson(family=DECODER, **SHOWN), "puts into the blank")
    none = picture(open_lesson(family=BOTH, **SHOWN), "exact truth of the blank")
    assert both.alt.startswith("The encoder twin")
    assert left.alt.startswith("The tiny LLM")
    both, left, none = (one.rows.set_index("label") for one in (both, left, none))
    assert both.loc["animal", "bar"] == pytest.approx(twin["animal"], rel=1e-3)
    expected = tiny_llm().next_token(WORDS[:HIDDEN])
    assert left.loc["animal", "bar"] == pytest.approx(expected["animal"], rel=1e-3)
    assert both.loc["animal", "tick"] > 0.99 > left.loc["animal", "tick"]
    # At the blank, the written text knows as much as a decoder does.
    assert none.loc["animal", "bar"] == pytest.approx(left.loc["animal", "tick"])


def test_nothing_gives_the_guess_away(open_lesson):
    app = open_lesson(family=DECODER)
    assert not any("into the blank" in one.alt for one in pictures(app))
    assert any("Your guess first" in box.value for box in app.info)
    find(app, "radio", "families_guess").set_value("Neither").run()
    assert picture(app, "The tiny LLM puts into the blank")
    answers = [box.value for box in (*app.info, *app.success)]
    assert any("It gives `animal`" in answer for answer in answers)


def test_words_that_it_never_met_are_named(open_lesson, is_whole):
    app = open_lesson(ask_it="true")
    find(app, "text_input", "ask").set_value("who is Napoleon ?").run()
    is_whole(app)
    assert any("napoleon" in box.value for box in app.warning)
    find(app, "text_input", "ask").set_value("  ").run()
    assert any("no answer" in box.value for box in app.info)


def test_a_sentence_that_the_world_would_never_say_has_no_truth(open_lesson, is_whole):
    app = open_lesson(families_sentence="cat the the on mat", **SHOWN)
    is_whole(app)
    assert "no truth to compare with" in said(app)


def test_the_page_says_what_the_twin_was_trained_for(app):
    text = said(app)
    assert "one of its heads was trained to" in text
    assert "[mask]" not in text


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


def test_the_tokens_read_in_training_are_counted_from_its_record(open_lesson):
    told = said(open_lesson(larger="true"))
    millions = int(re.search(r"about (\d+) million", told)[1])
    places = 64 * rows_of(load_record()["training"]["schedule"]) / 1e6
    assert 0.9 * places < millions < places


def test_a_number_beyond_the_bounds_is_named(open_lesson):
    app = open_lesson(cross="true")
    find(app, "number_input", "query_cat_0").set_value(9.0).run()
    assert any("out of range" in box.value for box in app.warning)


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
