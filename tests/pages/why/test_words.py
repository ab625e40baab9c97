"""The sentences of the lesson on why follow from their figures."""

from pages.why.words import (
    LOST,
    STILL_RIGHT,
    SURE,
    faded,
    fetched_in_words,
    how_it_fades,
    replies,
    stories_in_words,
)


def test_the_right_guess_follows_from_how_sure_the_network_still_is():
    assert faded(0.99, 0.98) == SURE
    assert faded(0.99, 0.7) == STILL_RIGHT
    assert faded(0.99, 0.2) == LOST


def test_every_option_has_a_reply_and_only_the_right_one_gives_the_reason_at_once():
    told = replies(LOST)
    assert set(told) == {SURE, STILL_RIGHT, LOST}
    assert told[LOST].startswith("The second fact")
    assert told[SURE].startswith("See the percentage")


def test_each_look_of_the_path_is_named():
    told = fetched_in_words(["red", "kite", ".", "a"], (0, 1, 1, 3))
    assert "`kite` looks at `red`; then `a` looks at `kite`" in told
    assert "2 looks" in told
    assert "from the last word itself" in fetched_in_words(["a", "b"], (1, 1))


def test_stories_are_the_same_only_if_both_have_read_as_many():
    assert stories_in_words(2_099_200, 2_108_545).startswith("read the same 2.1")
    told = stories_in_words(2_099_200, 7_000_000)
    assert "the tiny LLM read 7.0 million, the LSTM the first 2.1 million" in told


def test_the_fading_is_told_fact_by_fact():
    sure = [{"LSTM": 0.99, "tiny LLM": 1.0}, {"LSTM": 0.2, "tiny LLM": 1}]
    told = how_it_fades(sure, ("blue", 0.6), "red")
    assert "99% with 0 other facts, 20% with 1 other fact" in told
    assert "Now it says `blue` (60%)" in told
    assert "Now it says" not in how_it_fades(sure, ("red", 0.6), "red")
