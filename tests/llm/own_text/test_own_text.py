"""A small language model that learns from somebody's own text."""

import io
import json
import subprocess
import sys
import zipfile
from itertools import islice

import numpy as np
import pytest

from llm.own_text import measures
from llm.own_text.export import exported
from llm.own_text.own_model import write_by_pairs
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
from llm.own_text.training import Plan, TextRun
from llm.own_text.write_text import UNKNOWN, joined, pieces, write

TOY = Plan(embed_dim=8, num_layers=1, context_length=8, num_steps=3, batch_size=2)


@pytest.fixture(scope="module")
def text():
    return own_text(story())


@pytest.fixture(scope="module")
def run(text):
    """A toy that has taken three steps."""
    run = TextRun(text, TOY)
    list(run.reports())
    return run


def loss_by_loops(weights, text):
    """The definition: one kept-back token at a time, after what the window shows."""
    from llm.glassbox.attention import causal_mask
    from llm.glassbox.model import trace
    from llm.glassbox.softmax import softmax

    length = len(weights.position_embeddings)
    step = length - length // 2
    ids, losses = [*text.training[-length:], *text.validation], []
    for place, number in enumerate(text.validation):
        last = min((place // step + 1) * step, len(text.validation))
        end = length + last - 1
        inputs = ids[end - length : length + place]
        logits = trace(weights, inputs, causal_mask(len(inputs))).logits[-1]
        losses.append(-np.log(softmax(logits)[number]))
    return np.mean(np.array(losses)[text.known])


def test_characters_come_back_as_they_were():
    words = "Mia's kite, “so” red!\n\n(And 2 owls.)"
    assert joined(pieces(words, "characters"), "characters") == words


def test_words_come_back_with_single_spaces_and_close_signs():
    words = "mia's kite, so red!\nand (2) owls."
    assert joined(pieces(words, "words"), "words") == words


def test_a_text_is_cleaned_of_what_cannot_be_seen_and_of_nothing_else():
    assert cleaned("a\r\nb\x07\u200b\ufeff\u202e  c\t d\n\n\n  e ") == (
        "a\nb  c\t d\n\n\n  e "
    )
    code = "def f(x):\n    return x -- 1  # $5 -> :red[y]"
    assert cleaned(code) == code


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
    kept = text.decode(text.validation).split("\n")[1:]
    assert sorted(kept) != names[-len(kept) :]
    poem = "\n".join(["My father mended all his nets by night"] * 40)
    assert not own_text(poem).shuffled


def test_an_end_with_nothing_known_in_it_has_no_loss(run):
    strange = own_text("the cat sat on the mat. " * 45 + "Ж" * 120)
    assert not strange.known.any()
    assert measures.pair_loss(strange) is None
    assert measures.validation_loss(run.model().weights, strange) is None
    pairs = measures.pairs_of(strange)
    assert np.isfinite(pairs).all()


def test_an_end_that_repeats_the_rest_is_noticed(text):
    assert measures.repeats_the_rest(own_text("the same line, again. " * 60))
    assert not measures.repeats_the_rest(text)


def test_what_stands_for_the_unknown_is_never_drawn(run):
    model = run.model()
    assert model.next_logits([0, 1])[run.text.unknown] == -np.inf
    written = model.write([0, 1], 400, temperature=2.0, seed=3)
    assert run.text.unknown not in written


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


def test_a_run_measures_writes_and_keeps_its_best(run):
    assert run.finished and run.curve[-1][0] == TOY.num_steps
    assert len(run.losses) == len(run.samples)
    assert run.best[0] == min(run.losses, key=lambda point: point[1])[0]
    assert run.model().step == TOY.num_steps
    assert run.num_parameters == sum(array.size for array in run.last[1])


def test_the_loss_of_a_toy_falls(text):
    run = TextRun(text, Plan(8, 1, 8, num_steps=12, learning_rate=0.03))
    list(run.reports())
    assert run.losses[-1][1] < run.losses[0][1]


def test_the_validation_loss_is_its_definition(run):
    weights = run.model().weights
    fast = measures.validation_loss(weights, run.text)
    assert fast == pytest.approx(loss_by_loops(weights, run.text), abs=1e-4)


def test_counted_pairs_are_probabilities(text):
    pairs = measures.pairs_of(text)
    np.testing.assert_allclose(pairs.sum(axis=1), 1)
    before = text.training[-1:].tolist() + text.validation[:-1].tolist()
    loss = -np.log(pairs[before, text.validation])[text.known].mean()
    assert measures.pair_loss(text) == pytest.approx(loss)


def test_a_pair_that_always_comes_is_always_written():
    pairs = np.array([[0.0, 1.0], [1.0, 0.0]])
    assert write_by_pairs(pairs, 0, 4) == [1, 0, 1, 0]


def test_the_longest_copy_is_its_definition():
    rng = np.random.default_rng(3)
    source, written = rng.integers(0, 3, 60), rng.integers(0, 3, 25)
    start, length, place = measures.longest_copy(written, source)
    assert list(written[start : start + length]) == list(source[place : place + length])
    windows_of = {tuple(source[n : n + length + 1]) for n in range(60 - length)}
    assert not any(
        tuple(written[n : n + length + 1]) in windows_of for n in range(25 - length)
    )


def test_nothing_is_made_up_in_a_copy(text):
    assert measures.made_up(text.training[100:300], text) == []


@pytest.mark.parametrize("unit", UNITS)
def test_what_is_made_up_is_named(unit):
    text = own_text(story(), unit)
    written, _ = text.encode("the snail the moon sat on it . the olgabaker sat .")
    new = measures.made_up(written, text)
    assert ("olgabaker" if unit == "characters" else "moon sat") in new


def test_writing_goes_on_past_the_window(run):
    model = run.model()
    written = model.write(run.text.validation[:3].tolist(), 50, seed=1)
    assert len(written) == 50
    assert written == model.write(run.text.validation[:3].tolist(), 50, seed=1)


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


def test_the_download_runs_in_an_empty_folder(run, tmp_path):
    data = exported(run)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert set(archive.namelist()) == {
            "my_model.keras", "my_model.json", "write_text.py", "README.txt",
        }
        archive.extractall(tmp_path)
    record = json.loads((tmp_path / "my_model.json").read_text(encoding="utf-8"))
    assert tuple(record["vocabulary"]) == run.text.vocabulary
    done = subprocess.run(
        [sys.executable, "write_text.py", "Olga ", "--length", "20", "--seed", "1"],
        cwd=tmp_path, capture_output=True, text=True, env={"PATH": "/usr/bin"},
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("Olga ") and len(done.stdout.strip("\n")) >= 24
