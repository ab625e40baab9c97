"""Training looks at a whole text at once, and loses nothing by it."""

import numpy as np
import pytest

from llm.studies.all_at_once import all_at_once, exercises, one_by_one

TEXT = "<start> the cat sat on the"


def test_one_pass_gives_what_a_pass_for_each_beginning_gives(tiny_llm):
    ids = tiny_llm.tokenizer.encode(TEXT)
    np.testing.assert_allclose(
        all_at_once(tiny_llm, ids), one_by_one(tiny_llm, ids), atol=1e-4
    )


def test_every_word_but_the_first_is_an_exercise(tiny_llm):
    ids, tokens = tiny_llm.tokenizer.encode(TEXT), TEXT.split()
    logits = all_at_once(tiny_llm, ids)
    rows = exercises(logits, tokens, tiny_llm.tokenizer.vocabulary)
    assert [came for _, came, _, _ in rows] == tokens[1:]
    probability = tiny_llm.next_token("the cat sat on")["the"]
    assert rows[-1][2] == pytest.approx(-np.log(probability), rel=1e-4)
