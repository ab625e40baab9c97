"""The embeddings lesson: its figures are those of the functions that it shows."""

import numpy as np
import pytest

from llm import TinyLLM
from llm.glassbox.embedding import look_up
from llm.models.shipped import load_checkpoints
from llm.studies.word_map import (
    beside_own_kind,
    by_chance,
    cosine_similarities,
    kinds_of,
    nearest_words,
)
from llm.studies.word_pieces import readable, split_into_pieces, toy_merges
from pages.embeddings.measures import most_alike, nearest_pair
from pages.embeddings.words import GUESSES
from tests.pages.harness import find, metric, picture, press, said


@pytest.fixture(scope="module")
def llm():
    return TinyLLM.load()


def test_the_rows_on_the_page_are_rows_of_the_table(app, llm):
    app.text_input(key="text").set_value("the cat").run()
    rows = picture(app, "rows of").rows
    ids = llm.tokenizer.ids_of(["the", "cat"])
    shown = rows["value"].to_numpy().reshape(2, -1)
    np.testing.assert_allclose(shown, look_up(llm.weights.token_embeddings, ids))


def test_the_guess_is_right_by_the_cosine(app, llm):
    assert "Its cosine" not in said(app)
    table, tokenizer = llm.weights.token_embeddings, llm.tokenizer
    similar = cosine_similarities(table[tokenizer.ids["cat"]], table)
    best = max(GUESSES, key=lambda option: similar[tokenizer.ids[GUESSES[option]]])
    for option in GUESSES:
        app.radio(key="guess_row").set_value(option).run()
        assert ("Yes." in said(app)) == (option == best)
    rows = picture(app, "row of 'cat'").rows
    for word, cosine in zip(rows["label"], rows["bar"], strict=True):
        assert cosine == pytest.approx(similar[tokenizer.ids[word]], abs=1e-5)


def test_the_map_can_be_scrubbed_back_to_where_words_began(app, llm):
    kinds = kinds_of(llm.tokenizer.vocabulary)
    ids = llm.tokenizer.ids_of(kinds)
    steps = load_checkpoints()
    for option in (app.select_slider(key="map_step").options[0],
                   app.select_slider(key="map_step").options[-1]):
        app.select_slider(key="map_step").set_value(option).run()
        table = steps[int(option.replace(",", ""))].token_embeddings
        beside = beside_own_kind(table[ids], list(kinds.values())).sum()
        assert f"{beside} of {len(kinds)} words have a word of their own" in said(app)
        assert f"after {option} steps" in picture(app, "Map of").alt


def test_kinds_lie_together_after_training_and_not_before(llm):
    kinds = kinds_of(llm.tokenizer.vocabulary)
    ids, kind = llm.tokenizer.ids_of(kinds), list(kinds.values())
    first = load_checkpoints()[0].token_embeddings
    chance = by_chance(kind)
    assert abs(beside_own_kind(first[ids], kind).mean() - chance) < 0.15
    assert beside_own_kind(llm.weights.token_embeddings[ids], kind).mean() > 0.5


def test_the_words_of_the_last_question_are_indeed_alike(app, llm):
    (one, other), cosine = nearest_pair("plurals")
    nearest = dict(nearest_words(one, llm.weights.token_embeddings, llm.tokenizer))
    assert nearest[other] == pytest.approx(cosine, rel=1e-5)
    assert cosine > 0.5
    question = find(app, "radio", "embeddings_check").label
    assert f"`{one}` and `{other}` are alike: their cosine is {cosine:.2f}" in question


def test_the_most_similar_rows_are_two_rows_even_if_none_point_the_same_way():
    angles = np.radians([0, 110, 250])
    rows = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    pair, cosine = most_alike(rows)
    assert pair == (0, 1) or pair == (0, 2)
    assert cosine == pytest.approx(np.cos(np.radians(110)))


@pytest.mark.parametrize("step", ["0", "100"])
def test_the_address_holds_the_step(step, open_lesson):
    app = open_lesson(map_step=step)
    assert app.select_slider(key="map_step").value == step


def test_an_unknown_word_is_named_and_mended_by_a_button(app):
    app.text_input(key="text").set_value("the catt sat").run()
    assert "`catt`" in app.warning[0].value
    press(app, "text_mend_cat")
    assert app.text_input(key="text").value == "the cat sat"
    assert not app.warning


def test_any_word_falls_into_the_pieces_that_the_splitter_gives(open_lesson):
    app = open_lesson(pieces="true")
    app.text_input(key="pieces_of").set_value("giraffes").run()
    pieces = [readable(p) for p in split_into_pieces("giraffes", toy_merges())]
    said = " + ".join(f"`{piece}`" for piece in pieces)
    assert said in [m.value for m in app.markdown]
    app.slider(key="merges").set_value(0).run()
    assert metric(app, "Pieces of this") == "8"
    assert metric(app, "Rows in the table") == "256"


def test_the_nearest_words_of_any_word_are_those_of_the_function(open_lesson, llm):
    app = open_lesson(nearest="true", near_word="mia")
    nearest = nearest_words("mia", llm.weights.token_embeddings, llm.tokenizer)
    shown = picture(app, "row of 'mia'").rows["label"]
    assert list(shown) == [word for word, _ in nearest]
