"""Cutting a text into pieces, putting them together, and writing with Keras alone."""

import pytest

from llm.own_text.text import (
    cleaned,
)
from llm.own_text.write_text import joined, pieces, write


def test_characters_come_back_as_they_were():
    words = "Mia's kite, “so” red!\n\n(And 2 owls.)"
    assert joined(pieces(words, "characters"), "characters") == words


def test_words_come_back_with_single_spaces_and_close_signs():
    words = "mia's kite, so red!\nand (2) owls."
    assert joined(pieces(words, "words"), "words") == words


WHOLE = {
    "Devanagari": "हिन्दी", "Tamil": "நிலா", "pointed Hebrew": "שָׁלוֹם",
    "Persian with a joiner": "می\u200cخواهم", "Turkish": "İstanbul",
    "Vietnamese": "Tiếng", "Arabic with marks": "كِتَابٌ", "Thai": "น้ำ",
}


CHARACTERS = {
    "a family": "👨\u200d👩\u200d👧\u200d👦", "a skin": "👍🏽", "a heart": "❤️",
    "a flag": "🇩🇪", "Scotland": "\U0001f3f4\U000e0067\U000e0062\U000e0073"
    "\U000e0063\U000e0074\U000e007f", "a letter with two marks": "q̣̇", "ह with ि": "हि",
}


@pytest.mark.parametrize("word", WHOLE.values(), ids=WHOLE)
def test_a_word_stays_whole_in_every_script(word):
    assert pieces(f"a {word}, b", "words") == ["a", word.lower(), ",", "b"]


@pytest.mark.parametrize("character", CHARACTERS.values(), ids=CHARACTERS)
def test_what_a_reader_sees_as_one_character_is_one(character):
    assert pieces(f"x{character}y", "characters") == ["x", character, "y"]
    assert pieces(f"x {character} y", "words") == ["x", character, "y"]


@pytest.mark.parametrize("text", [*WHOLE.values(), *CHARACTERS.values()])
def test_cutting_into_characters_loses_nothing(text):
    assert "".join(pieces(cleaned(text), "characters")) == cleaned(text)


def test_the_script_writes_what_the_page_writes(run):
    from llm.training.model import build_model

    keras_model = build_model(run.config)
    keras_model.set_weights(run.last[1])
    record = {"unit": "characters", "vocabulary": run.text.vocabulary,
              "context_length": run.config.context_length}
    start = run.text.encode("the sea")[0]
    written = run.model().write(start, 20, 0.8, seed=5)
    assert write(keras_model, record, "the sea", 20, 0.8, 5) == run.text.decode(
        [*start, *written]
    )
