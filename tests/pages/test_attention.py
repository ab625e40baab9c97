"""The attention lesson: its figures are those of the functions that it shows."""

import numpy as np
import pytest

from llm.glassbox.attention import attention_weights, causal_mask
from llm.glassbox.softmax import softmax
from llm.models.encoder_twin import load_encoder
from llm.studies.links import IT, SO_THE, because
from pages.attention.charts import (
    ARCS,
    BETWEEN,
    at_word,
    linked,
    linked_alt,
    linked_data,
)
from pages.attention.sections import cut_verdict, flip_verdict, other_ending_verdict
from pages.ui.charts.compared import compared_alt, compared_data
from pages.ui.charts.sums import blended, dot_product, trimmed, weight
from pages.ui.charts.words import percent
from pages.ui.controls import tiny_llm
from pages.ui.measures import links_in_sentence
from tests.pages.harness import picture, pictures

BOTH_WAYS = "It may look both ways"


@pytest.fixture(scope="module")
def twin():
    return load_encoder()


def cells(linked_picture):
    """The weights in a linked picture, as a square table; hidden cells are 0."""
    data = linked_picture.rows
    found = data[data["kind"].isin(["cell", "hidden"])]
    size = int(len(found) ** 0.5)
    return found["value"].to_numpy().reshape(size, size)


def row_by_definition(twin, last):
    """The row of `it` in the flipping head, from queries and keys."""
    found = twin.ask(because("animal", "cross", "street", last))
    return attention_weights(*found.queries_and_keys(*twin.flipping_head))[IT]


def test_the_row_of_it_in_the_picture_is_what_the_shown_function_computes(app, twin):
    np.testing.assert_allclose(
        cells(picture(app, BOTH_WAYS))[IT],
        row_by_definition(twin, "tired"),
        atol=1e-6,
    )


def test_one_word_flips_the_link_and_the_blank(app, twin):
    found = {}
    for last in ("tired", "wide"):
        app.segmented_control(key="last_word").set_value(last).run()
        found[last] = [
            picture(app, words).rows.set_index("word")["now"]
            for words in ("Attention of 'it'", "Behind the blank")
        ]
        row = row_by_definition(twin, last)
        assert found[last][0]["animal"] == pytest.approx(row[2], abs=1e-5)
    assert [bars.idxmax() for bars in found["tired"]] == ["animal"] * 2
    assert [bars.idxmax() for bars in found["wide"]] == ["street"] * 2
    assert any("The link flips" in one.value for one in app.markdown)


def test_the_twin_does_what_the_lesson_needs(twin):
    scores = twin.record["scores"]
    for kind in ("fresh", "held_out"):
        assert min(scores[kind].values()) >= 0.99
    tired, wide = (row_by_definition(twin, last) for last in ("tired", "wide"))
    assert tired.argmax() == 2
    assert wide.argmax() == 6


def test_the_picture_of_the_tiny_llm_is_causal_and_its_own(app):
    llm = tiny_llm()
    start = [*because("animal", "cross", "street", "tired"), *SO_THE]
    head = links_in_sentence(tuple(start), "actor").head
    shown = cells(picture(app, "Later words are hidden"))
    np.testing.assert_allclose(shown, llm.trace(start).attention(*head), atol=1e-6)
    assert not shown[~causal_mask(len(start))].any()
    said = softmax(llm.next_logits(start))[llm.tokenizer.ids["animal"]]
    assert any(
        f"Next it says `animal` with {percent(float(said))}" in one.value
        for one in app.markdown
    )


def test_another_word_can_be_chosen_by_keyboard_and_address(app, open_lesson):
    app.selectbox(key="attention_word").set_value("2 animal").run()
    assert picture(app, BOTH_WAYS).alt.startswith("'2 animal' gives")
    there = open_lesson(last_word="wide", attention_word="12 .")
    assert there.segmented_control(key="last_word").value == "wide"
    assert picture(there, BOTH_WAYS).alt.startswith("'12 .' gives")


def test_a_word_that_only_the_other_sentence_has_is_let_go(app):
    app.selectbox(key="attention_word").set_value("11 tired").run()
    app.segmented_control(key="last_word").set_value("wide").run()
    assert app.selectbox(key="attention_word").value in ("8 it", "11 wide")
    assert not app.exception


def test_both_models_read_a_sentence_of_ones_own(app):
    app.session_state["own"] = True
    app.run()
    for sentence, words in (("mia has a red kite .", 7), ("the zebra", 2)):
        app.text_input(key="attention_own").set_value(sentence).run()
        for reader in app.segmented_control(key="attention_reader").options:
            app.segmented_control(key="attention_reader").set_value(reader).run()
            linked_ones = [one for one in pictures(app) if "kind" in one.rows]
            assert (words, words) in [cells(one).shape for one in linked_ones]


def test_the_guess_is_answered_by_measurement(app, twin):
    app.radio(key="attention_guess").set_value("because").run()
    (answer,) = app.success
    row = row_by_definition(twin, "wide")
    word = because("animal", "cross", "street", "wide")[row.argmax()]
    assert f"`{word}`" in answer.value
    assert percent(float(row.max())) in answer.value


def test_arcs_run_from_word_to_word_and_cells_stand_below_them():
    weights = np.array([[1.0, 0.0, 0.0], [0.5, 0.5, 0.0], [0.02, 0.9, 0.08]])
    data = linked_data(weights, ["a", "b", "a"])
    arcs = data[data["kind"] == "arc"]
    assert set(zip(arcs["from"], arcs["to"])) == {("2 b", "1 a"), ("3 a", "2 b")}
    ends = arcs.groupby("link")["x"].agg(["min", "max"]).to_numpy().tolist()
    assert ends == [[0, 1], [1, 2]]
    assert arcs["y"].max() < ARCS
    assert data[data["kind"].isin(["cell", "hidden"])]["y"].min() == ARCS + BETWEEN
    assert (data["kind"] == "hidden").sum() == 3


def test_one_spec_serves_all_sentences_of_a_length():
    assert linked(5) is linked(5)
    drawn = at_word(linked(2), ["x", "x"], 1)
    params = {param["name"]: param["value"] for param in drawn["params"]}
    assert params == {"words": ["1 x", "2 x"], "looking": [{"row": 1}]}
    assert linked(2)["params"][-1]["value"] == [{"row": 0}]


def test_words_say_the_strongest_links():
    said = linked_alt([[0.1, 0.9], [0.7, 0.3]], ["a", "b"], 1)
    assert said == "'2 b' gives 70% to '1 a', 30% to itself. Later words are hidden."
    data = compared_data({"a": 0.25}, {"a": 1.0})
    assert compared_alt(data, "It", "now", "then") == "It now: 'a' 25% (then: 100%)."


def test_a_verdict_says_what_happened():
    assert "every time" in other_ending_verdict("cat", "wide", 0.9, 0.8)
    assert "in place of 90%" in other_ending_verdict("cat", "wide", 0.9, 0.1)
    links = {"tired": {"animal": 0.6, "street": 0.1},
             "wide": {"animal": 0.1, "street": 0.4}}
    assert flip_verdict(links).startswith("The link flips")
    links["wide"]["animal"] = 0.5
    assert "does not flip" in flip_verdict(links)

    def said(*left):
        return cut_verdict("cat", dict(enumerate(left)))

    assert "hardly suffers" in said(0.99, 0.98, 0.99, 0.97, 0.98)
    assert "words in between" in said(0.99, 0.98, 0.99, 0.97, 0.98)
    assert "the answer is gone" in said(0.99, 0.01, 0.99, 0.01, 0.01)
    assert "not the only way" in said(0.99, 0.5, 0.99, 0.1, 0.9)
    assert "90% are back" in said(0.99, 0.5, 0.99, 0.1, 0.9)
    assert "no more than 10%" in said(0.99, 0.5, 0.99, 0.1, 0.1)


def test_sums_are_written_with_their_own_numbers():
    assert dot_product([1, 0.5], [2, -1], ("a", "b"), short=True) == (
        r"q_{\text{a}} \cdot k_{\text{b}} = 1 \cdot 2 + 0.5 \cdot (-1) = 1.5"
    )
    assert [trimmed(number) for number in (0, -0.0001, 0.625, 12)] == [
        "0", "0", "0.625", "12"
    ]
    scores = np.array([0.0, 1.0, -np.inf])
    assert weight(scores, ["a", "b", "c"], 1, "b") == (
        r"w(\text{b} \to \text{b}) = \frac{e^{1}}{e^{0} + e^{1}}"
        r" = \frac{2.72}{3.72} = 0.73"
    )
    large = weight(np.array([20.0, 19.0]), ["a", "b"], 1, "b")
    assert r"\frac{e^{-1}}{e^{0} + e^{-1}} = \frac{0.368}{1.37}" in large
    blend = blended([0.25, 0.75], np.array([[4.0], [0.0]]), ["a", "b"])
    assert blend.endswith("= 1.00")
