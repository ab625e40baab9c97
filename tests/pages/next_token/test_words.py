"""What is said about the next token follows from the figures."""

from types import SimpleNamespace

import numpy as np

from pages.next_token.words import expected_in_words, quiz, written_aloud


def test_the_truth_is_said_to_be_sharpened_only_where_it_is():
    assert "same temperature" in expected_in_words(["the"], 0.5, True)
    assert "same temperature" not in expected_in_words(["the"], 1.0, True)
    assert "same temperature" not in expected_in_words(["the"], 0.5, False)
    assert "'<start>'" in expected_in_words([], 1.0, True)


def test_the_last_written_word_is_said_aloud_with_its_probability():
    step = SimpleNamespace(token="mat", token_id=1, probabilities=np.array([0.5, 0.43]))
    assert written_aloud([step]) == "mat written, 43%"
    assert written_aloud([]) == ""


def test_the_quiz_tells_the_model_from_the_world():
    question, replies, right = quiz({"mat": 0.43, "roof": 0.03}, {"roof": 0.04})
    assert "43%" in question and "3.0%" in question and right in replies
    mistake = replies["The model made a mistake."]
    assert "about 3" in mistake and "4.0% of these stories" in mistake
