"""The tiny LLM, ready to be asked: what comes next, and why?"""

import json
import subprocess
import sys

import numpy as np
import pytest

from llm import TinyLLM
from llm.glassbox.ablation import Ablation
from llm.glassbox.sampling import UnsoundSetting
from llm.glassbox.softmax import softmax
from llm.models.keras_engine import KerasEngine
from llm.models.keras_file import WeightsError, from_arrays
from llm.models.tokenizer import UnknownWord

PROMPT = "the cat sat on the"
LONG = "the cat sat on the mat . the dog slept on the sofa . the bird sang on the roof"


@pytest.fixture(scope="module")
def speller(tiny_llm):
    """A stand-in that knows one story by heart: each word leads to the next.

    Its blocks add nothing; the embedding of a word is its own axis, and the last
    kernel leads from that axis to the next word of the story.
    """
    story = "<start> the cat sat on mat . <end> dog".split()
    ids = tiny_llm.tokenizer.ids_of(story)
    words, width = len(tiny_llm.tokenizer), len(story)
    embeddings, output_kernel = np.zeros((words, width)), np.zeros((width, words))
    for place, (word, following) in enumerate(zip(ids, ids[1:], strict=False)):
        embeddings[word, place] = 1
        output_kernel[place, following] = 99
    norm = [np.ones(width), np.zeros(width)]
    heads = 3 * [np.zeros((width, 1, width)), np.zeros((1, width))]
    heads += [np.zeros((1, width, width)), np.zeros(width)]
    thinking = [
        np.zeros((width, 1)), np.zeros(1), np.zeros((1, width)), np.zeros(width)
    ]
    block = [*norm, *heads, *norm, *thinking]
    arrays = [embeddings, np.zeros((16, width)), *block, *norm, output_kernel]
    weights = from_arrays([*arrays, np.zeros(words)], num_layers=1)
    return TinyLLM(weights, tiny_llm.tokenizer.vocabulary)


def test_importing_the_course_loads_neither_keras_nor_the_reader():
    code = (
        "import sys, llm, llm.world; "
        "assert not {'keras', 'tensorflow', 'h5py'} & set(sys.modules); "
        "from llm import TinyLLM; "
        "sys.exit(bool({'keras', 'tensorflow'} & set(sys.modules)))"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_what_llm_does_not_have_is_refused_as_usual():
    with pytest.raises(ImportError):
        from llm import HugeLLM  # noqa: F401


def test_tokens_begin_with_start(tiny_llm):
    assert tiny_llm.tokens("The cat") == ["<start>", "the", "cat"]
    assert tiny_llm.tokens("<start> the") == ["<start>", "the"]
    assert tiny_llm.tokens(["the", "cat"]) == ["<start>", "the", "cat"]
    assert tiny_llm.tokens("") == ["<start>"]


def test_an_unknown_word_is_named_with_its_nearest(tiny_llm):
    with pytest.raises(UnknownWord, match="'catt'.*cat"):
        tiny_llm.tokens("the catt sat")
    with pytest.raises(UnknownWord, match="'zebra'"):
        tiny_llm.next_token(["zebra"])


def test_next_token_lists_the_whole_vocabulary_likeliest_first(tiny_llm):
    probabilities = tiny_llm.next_token(PROMPT)
    assert set(probabilities) == set(tiny_llm.tokenizer.vocabulary)
    assert list(probabilities.values()) == sorted(probabilities.values(), reverse=True)
    assert sum(probabilities.values()) == pytest.approx(1)


def test_next_token_is_the_softmax_of_the_last_logits(tiny_llm):
    token_ids = tiny_llm.tokenizer.ids_of(tiny_llm.tokens(PROMPT))
    expected = softmax(tiny_llm.logits(token_ids)[-1])
    np.testing.assert_allclose(tiny_llm.probabilities(PROMPT), expected, rtol=1e-5)
    trace = tiny_llm.trace(PROMPT)
    np.testing.assert_array_equal(trace.logits, tiny_llm.logits(token_ids))


def test_settings_reach_the_probabilities(tiny_llm):
    assert tiny_llm.next_token(PROMPT, temperature=0)[first(tiny_llm)] == 1
    kept = tiny_llm.probabilities(PROMPT, top_k=3)
    assert np.count_nonzero(kept) == 3
    kept = tiny_llm.probabilities(PROMPT, top_p=0.2)
    assert 0 < np.count_nonzero(kept) < len(kept)


def first(llm):
    return next(iter(llm.next_token(PROMPT)))


def test_a_story_known_by_heart_is_written_to_its_end(speller):
    assert list(speller.generate("the")) == "cat sat on mat . <end>".split()


def test_writing_goes_on_after_the_end_if_told_so(speller):
    tokens = list(speller.generate("the", 7, stop_at_end=False))
    assert tokens == "cat sat on mat . <end> dog".split()


@pytest.mark.parametrize("count", [1, 2, 25])
def test_as_many_tokens_are_written_as_asked(tiny_llm, count):
    assert len(list(tiny_llm.generate(PROMPT, count, stop_at_end=False))) == count


def test_the_same_seed_writes_the_same_and_another_seed_another_text(tiny_llm):
    one, again, other = (
        list(tiny_llm.generate(PROMPT, 12, seed=seed, stop_at_end=False))
        for seed in (3, 3, 4)
    )
    assert one == again != other


def test_temperature_zero_writes_the_likeliest_whatever_the_seed(tiny_llm):
    one, other = (
        list(tiny_llm.generate(PROMPT, 5, temperature=0, seed=seed)) for seed in (1, 2)
    )
    assert one == other
    assert one[0] == first(tiny_llm)


def test_each_draw_can_be_followed_by_hand(tiny_llm):
    numbers = np.random.default_rng(5)
    tokens = tiny_llm.tokens(PROMPT)
    settings = {"temperature": 1.5, "top_k": 40, "top_p": 0.8}
    for step in tiny_llm.steps(PROMPT, 8, seed=5, stop_at_end=False, **settings):
        assert step.u == numbers.random()
        np.testing.assert_allclose(
            step.probabilities, tiny_llm.probabilities(tokens, **settings), atol=1e-6
        )
        np.testing.assert_allclose(
            step.probabilities_before_cut,
            tiny_llm.probabilities(tokens, temperature=1.5), atol=1e-6,
        )
        ends = step.probabilities.cumsum()
        assert ends[step.token_id] - step.probabilities[step.token_id] <= step.u
        assert step.u < ends[step.token_id]
        assert step.probability == step.probabilities_before_cut[step.token_id]
        plain = tiny_llm.probabilities(tokens)[step.token_id]
        assert step.surprise == pytest.approx(-np.log(plain), abs=1e-4)
        assert step.token == tiny_llm.tokenizer.vocabulary[step.token_id]
        tokens.append(step.token)


def test_a_single_step_is_the_one_that_steps_would_write(tiny_llm):
    whole = list(tiny_llm.steps(PROMPT, 4, seed=1, stop_at_end=False))
    tokens = [*tiny_llm.tokens(PROMPT), *(step.token for step in whole[:3])]
    alone = tiny_llm.step(tokens, whole[3].u)
    assert (alone.token, alone.window) == (whole[3].token, whole[3].window)
    np.testing.assert_allclose(alone.probabilities, whole[3].probabilities, atol=1e-6)


def test_a_long_prompt_keeps_its_last_tokens_and_says_so(tiny_llm):
    tokens = tiny_llm.tokens(LONG)
    window = tiny_llm.window(LONG)
    assert window.tokens == tuple(tokens[-16:])
    assert window.dropped == len(tokens) - 16 > 0
    trace = tiny_llm.trace(LONG)
    assert (trace.tokens, trace.dropped) == (window.tokens, window.dropped)
    step = tiny_llm.step(LONG, u=0.5)
    assert step.window == window
    np.testing.assert_allclose(step.logits, tiny_llm.logits(window.token_ids)[-1])


def test_the_window_slides_while_writing(tiny_llm):
    steps = list(tiny_llm.steps(PROMPT, 15, stop_at_end=False))
    assert [step.window.dropped for step in steps] == [0] * 11 + [1, 2, 3, 4]
    tokens = [*tiny_llm.tokens(PROMPT), *(step.token for step in steps)]
    assert steps[-1].window.tokens == tuple(tokens[4:20])
    expected = tiny_llm.logits(steps[-1].window.token_ids)[-1]
    np.testing.assert_allclose(steps[-1].logits, expected, atol=1e-4)


def test_cuts_reach_the_trace(tiny_llm):
    cut = tiny_llm.trace(PROMPT, Ablation(heads={(0, 0)}))
    assert (cut.blocks[0].head_outputs[0] == 0).all()


@pytest.mark.parametrize("settings", [
    {"temperature": -1}, {"top_k": 0}, {"top_k": 10_000}, {"top_p": 7},
    {"num_tokens": 0}, {"num_tokens": -3},
])
def test_unsound_settings_are_refused_before_anything_is_written(tiny_llm, settings):
    with pytest.raises(UnsoundSetting):
        tiny_llm.generate(PROMPT, **settings)


@pytest.mark.parametrize("ask", [
    lambda llm: llm.generate(PROMPT, engine="abacus"),
    lambda llm: llm.logits([0, 1], engine="abacus"),
])
def test_an_unknown_engine_is_refused(tiny_llm, ask):
    with pytest.raises(ValueError, match="not 'abacus'"):
        ask(tiny_llm)


def test_both_engines_agree_on_all_logits(tiny_llm):
    token_ids = np.random.default_rng(0).integers(0, 100, (4, 11))
    np.testing.assert_allclose(
        tiny_llm.logits(token_ids), tiny_llm.logits(token_ids, "keras"), atol=1e-4
    )


@pytest.mark.parametrize("settings", [
    {"seed": 0},
    {"seed": 1, "temperature": 1.7, "top_k": 30},
    {"seed": 2, "temperature": 0.5, "top_p": 0.9},
    {"seed": 3, "temperature": 0},
])
def test_the_same_seed_writes_the_same_text_on_both_engines(tiny_llm, settings):
    ours, theirs = (
        list(tiny_llm.generate(
            PROMPT, 30, stop_at_end=False, engine=engine, **settings
        ))
        for engine in ("glassbox", "keras")
    )
    assert ours == theirs


def test_keras_compiles_the_network_only_once(tiny_path, tiny_config):
    engine, begun = KerasEngine(tiny_path, tiny_config.context_length), []
    model = engine.model
    # What is compiled no longer goes through Python.
    engine.model = lambda *args, **how: begun.append(args) or model(*args, **how)
    for length in (1, 5, 9):
        engine.logits(list(range(length)))
    engine.logits(np.zeros((3, 4), int))
    assert len(begun) == 1


def test_a_model_without_a_file_has_no_keras_engine(speller):
    with pytest.raises(ValueError, match="has no file"):
        speller.next_token("the", engine="keras")


@pytest.mark.parametrize("record, complaint", [
    (None, "There is no record"),
    ("", "damaged"),
    ("[]", "damaged"),
    ('{"vocabulary": ["a"]}', "damaged"),
    ('{"vocabulary": ["a"], "config": {"vocab_size": 0}}', "damaged"),
    ('{"vocabulary": ["a"], "config": {"vocab_size": 1}}', "another model"),
    ('{"vocabulary": ["a"], "config": {"vocab_size": 2}}', "1 words for a model of 2"),
])
def test_a_missing_or_unsound_record_is_refused(tiny_path, tmp_path, record, complaint):
    path = tmp_path / "tiny_llm.keras"
    path.write_bytes(tiny_path.read_bytes())
    if record is not None:
        path.with_suffix(".json").write_text(record)
    with pytest.raises(WeightsError, match=complaint):
        TinyLLM.load(path)


def test_the_record_may_hold_more_than_the_model_needs(tiny_path, tmp_path):
    path = tmp_path / "tiny_llm.keras"
    path.write_bytes(tiny_path.read_bytes())
    record = json.loads(tiny_path.with_suffix(".json").read_text())
    path.with_suffix(".json").write_text(json.dumps({**record, "training": {}}))
    assert TinyLLM.load(path).config.embed_dim == 8
