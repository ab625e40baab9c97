"""Word pieces: nothing is lost, nothing is unknown, and common words end up whole."""

import pytest

from llm.studies.word_pieces import (
    as_bytes,
    learn_merges,
    merged,
    pieces_per_word,
    readable,
    split_into_pieces,
    toy_merges,
    word_counts,
)


def test_the_most_common_pair_is_joined_first():
    assert learn_merges({"low": 5, "lower": 2, "new": 1}, 2) == [
        (b"l", b"o"), (b"lo", b"w"),
    ]


def test_learning_stops_when_every_word_is_whole():
    assert len(learn_merges({"ab": 1}, 50)) == 1


def test_every_occurrence_of_a_pair_is_joined():
    assert merged(as_bytes("banana"), (b"a", b"n")) == [b"b", b"an", b"an", b"a"]


ANY = ["cat", "giraffe", "naïve", "🙂", "", "\ud800", "x" * 99]


@pytest.mark.parametrize("word", ANY)
def test_pieces_joined_again_are_the_word(word):
    pieces = split_into_pieces(word, toy_merges())
    assert b"".join(pieces) == word.encode("utf-8", "surrogatepass")


def test_a_common_word_is_one_piece_and_a_new_one_is_several():
    common = word_counts().most_common(1)[0][0]
    assert len(split_into_pieces("the", toy_merges())) == 1
    assert len(split_into_pieces(common, toy_merges())) == 1
    assert 1 < len(split_into_pieces("unbelievable", toy_merges())) <= 12


def test_more_merges_make_texts_shorter():
    lengths = [pieces_per_word(count) for count in (0, 20, 100, 200)]
    assert lengths == sorted(lengths, reverse=True) and lengths[-1] >= 1


def test_a_byte_that_is_part_of_a_sign_is_shown_as_its_number():
    assert readable(b"the") == "the"
    assert [readable(piece) for piece in as_bytes("é")] == ["<195>", "<169>"]
