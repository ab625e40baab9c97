"""The sentences of the lesson on embeddings follow from their figures."""

from pages.embeddings.words import likeness_in_words, neighbours_in_words


def test_a_peak_in_between_is_told_and_explained():
    told = neighbours_in_words({0: 4, 300: 69, 16000: 49}, 16000, 76)
    assert told.startswith("After 16,000 steps, 49 of 76 words")
    assert "At step 300 it was 69, the most, and at the end 49." in told
    assert "We did not measure why it fell. Our guess" in told
    assert "the most" not in neighbours_in_words({0: 4, 300: 69}, 300, 76)


def test_a_stranger_among_the_neighbours_is_named():
    kinds = {"cat": "animal", "fox": "animal"}
    assert "`brown`" in likeness_in_words([("brown", 0.45)], kinds, range(309))
    assert "no animal" not in likeness_in_words([("fox", 0.45)], kinds, range(309))
