"""What becomes of somebody's text before anything is trained on it."""

from itertools import islice

import numpy as np
import pytest

from llm.own_text.record import story
from llm.own_text.text import (
    MOST_BYTES,
    MOST_CHARACTERS,
    UNITS,
    BadText,
    cleaned,
    decoded,
    own_text,
    windows,
    writes_no_spaces,
)
from llm.own_text.write_text import UNKNOWN


def test_a_text_is_cleaned_of_what_cannot_be_seen_and_of_nothing_else():
    assert cleaned("a\r\nb\x07\u200b\ufeff\u202e  c\t d\n\n\n  e ") == (
        "a\nb  c\t d\n\n\n  e "
    )
    code = "def f(x):\n    return x -- 1  # $5 -> :red[y]"
    assert cleaned(code) == code


def test_a_script_without_spaces_is_noticed():
    assert writes_no_spaces("猫坐在垫子上。" * 9) and writes_no_spaces("แมวนอนบนบ้าน")
    assert not writes_no_spaces("die Katze, 猫, sitzt") and not writes_no_spaces("123")


def test_four_letters_are_enough():
    text = own_text("ACGTTGCA" * 60)
    assert len(text.vocabulary) == 5 and text.known.all()


def test_a_list_is_shuffled_before_its_end_is_kept_back():
    names = sorted(f"{a}n{b}a" for a in "ABCDEFGHIJKLMNOPRSTUVW" for b in "aeiou")
    text = own_text("\n".join(names))
    assert text.shuffled
    validation = text.decode(text.validation).split("\n")[1:]
    assert sorted(validation) != names[-len(validation) :]
    poem = "\n".join(["My father mended all his nets by night"] * 40)
    assert not own_text(poem).shuffled


def test_the_end_is_kept_back_and_nothing_is_lost(text):
    assert len(text.validation) == pytest.approx(0.1 * len(story()), abs=2)
    together = text.decode([*text.training, *text.validation])
    assert together == cleaned(story())


def test_the_vocabulary_holds_only_what_can_be_learned(text):
    assert set(text.training) == set(range(len(text.vocabulary) - 1))
    assert text.vocabulary[-1] == UNKNOWN


def test_a_token_that_only_the_kept_back_end_has_is_unknown():
    odd = own_text("the cat sat on the mat. " * 40 + "x" * 30)
    assert odd.known.mean() < 1
    assert odd.decode(odd.validation[-1:]) == UNKNOWN


@pytest.mark.parametrize("unit", UNITS)
def test_a_text_of_many_different_signs_keeps_the_vocabulary_small(unit):
    strange = " ".join(chr(0x4E00 + n) * 2 for n in range(5000))
    assert len(own_text(strange, unit).vocabulary) <= UNITS[unit]


@pytest.mark.parametrize("bad", ["", "   ", "short", "a" * 5000, "\u200b" * 5000])
@pytest.mark.parametrize("unit", UNITS)
def test_a_text_that_teaches_nothing_is_refused_in_a_sentence(bad, unit):
    with pytest.raises(BadText, match=r"^This text has \d+ .*\.$"):
        own_text(bad, unit)


def test_a_huge_text_is_cut():
    text = own_text("the cat sat. " * 100_000)
    assert len(text.training) + len(text.validation) <= MOST_CHARACTERS


@pytest.mark.parametrize("data", [
    b"\x89PNG\r\n\x1a\n\x00\x00", b"abc\x00def", b"\x1b[31m" * 20,
    bytes(range(256)) * 4,
])
def test_a_file_that_is_no_plain_text_is_refused(data):
    with pytest.raises(BadText, match="plain text"):
        decoded(data)


ENCODED = {
    "utf-8": "Grüße, 猫", "utf-8-sig": "Grüße, 猫", "utf-16": "Grüße, 猫",
    "utf-16-le": "Plain words of a long story. " * 20,
    "utf-16-be": "Plain words of a long story. " * 20,
    "cp1252": "Die Eule zählt „für Jürgen“ – die größten Sterne. " * 9,
    "cp1251": "Сова считает звёзды над тихим морем, и кошка спит на хлебе. " * 9,
    "cp1253": "Η κουκουβάγια μετρά τα αστέρια πάνω από τη θάλασσα κάθε βράδυ. " * 9,
}


@pytest.mark.parametrize("encoding", ENCODED)
def test_a_file_is_read_in_the_encodings_that_editors_write(encoding):
    text, named = decoded(ENCODED[encoding].encode(encoding))
    assert text == ENCODED[encoding]
    assert named.lower().startswith(encoding[:6].removesuffix("-"))


def test_a_file_that_is_too_large_is_refused():
    with pytest.raises(BadText, match="at most 1 MB"):
        decoded(b"a" * (MOST_BYTES + 1))


def test_a_plain_file_is_read_with_and_without_its_mark():
    for encoding in ("utf-8", "utf-8-sig"):
        assert decoded("Grüße\n".encode(encoding)) == ("Grüße\n", "UTF-8")


def test_targets_are_one_to_the_right(text):
    rng = np.random.default_rng(0)
    for inputs, targets in islice(windows(text.training, 8, 4, rng), 20):
        assert inputs.shape == targets.shape == (4, 8)
        assert (inputs[:, 1:] == targets[:, :-1]).all()
