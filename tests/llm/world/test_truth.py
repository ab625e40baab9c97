"""The truth of the toy world is exact: it agrees with counting, and with itself."""

import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from llm.world import SKILLS, World, held_out_pairs
from llm.world.grammar import Decide, It, Pick, Say, choice, maybe, sequence
from llm.world.stories import SHARES


@pytest.fixture(scope="module")
def world():
    return World(held_out_pairs())


@pytest.fixture(scope="module")
def stories(world):
    return world.sample(np.random.default_rng(7), 3000)


@pytest.fixture
def small_world():
    """A grammar small enough to write out by hand, with every kind of node."""
    animals = {"cat": 3.0, "dog": 1.0}
    held_out = frozenset({frozenset({"red", "dog"})})
    return World(grammar=sequence(
        maybe(0.25, "today"), "a",
        Pick("colour", {"red": 1.0, "blue": 1.0}),
        Pick("animal", animals, beside=["colour"], held_out=held_out),
        choice((0.5, "and a"), (0.5, sequence("sees a", It("animal")))),
        Decide("look", Pick("other", animals, unlike=["animal"])),
        Say("animal", {"cat": "purrs", "dog": "barks"}),
    ))


def count_by_brute_force(grammar):
    """All stories of a grammar with their probabilities, by following every case."""
    from llm.world.grammar import read_on

    finished, open_ends = Counter(), [((), (grammar, None), {}, 1.0)]
    while open_ends:
        words, rest, memory, so_far = open_ends.pop()
        cases = list(read_on(rest, memory))
        if not cases:
            finished[words] += so_far
        for word, probability, rest_after, remembered in cases:
            open_ends.append(
                ((*words, word), rest_after, remembered, so_far * probability)
            )
    return finished


def test_the_filter_agrees_with_counting_every_story(small_world):
    stories = count_by_brute_force(small_world.grammar)
    assert sum(stories.values()) == pytest.approx(1.0)
    starts = {words[:end] for words in stories for end in range(len(words))}
    assert len(starts) > 20
    for start in starts:
        following = Counter()
        for words, probability in stories.items():
            if words[: len(start)] == start:
                following[words[len(start)]] += probability
        total = sum(following.values())
        expected = {word: share / total for word, share in following.items()}
        assert small_world.next_word_probabilities(start) == pytest.approx(expected)


def test_a_held_out_pair_is_never_said_and_its_words_stay_common(small_world):
    stories = count_by_brute_force(small_world.grammar)
    assert not any("red dog" in " ".join(words) for words in stories)
    assert any("red cat" in " ".join(words) for words in stories)
    assert any("blue dog" in " ".join(words) for words in stories)


def test_samples_come_as_often_as_the_filter_says(small_world):
    stories = count_by_brute_force(small_world.grammar)
    samples = small_world.sample(np.random.default_rng(0), 20_000)
    counts = Counter(story.tokens[1:] for story in samples)
    assert counts.keys() <= stories.keys()
    for words, probability in stories.items():
        deviation = (probability * (1 - probability) / len(samples)) ** 0.5
        assert abs(counts[words] / len(samples) - probability) < 5 * deviation


@pytest.fixture(scope="module")
def many_stories(world):
    return world.sample(np.random.default_rng(3), 60_000)


@pytest.mark.parametrize("start", [
    "", "the", "mia", "the cat", "once upon a time", "the keys", "can the",
    "mia 's", "tom says :", "the dog was",
])
def test_real_samples_come_as_often_as_the_filter_says(world, many_stories, start):
    words = tuple(start.split())
    truth = world.next_word_probabilities(words)
    assert sum(truth.values()) == pytest.approx(1.0)
    following = Counter()
    for story in many_stories:
        if story.tokens[1 : len(words) + 1] == words:
            following[story.tokens[len(words) + 1]] += 1
    total = sum(following.values())
    assert total >= 20 and set(following) <= set(truth)
    for word, probability in truth.items():
        deviation = (probability * (1 - probability) / total) ** 0.5
        assert abs(following[word] / total - probability) < 5 * deviation + 1 / total


def test_every_word_of_every_sample_is_possible_and_the_rest_adds_up(world, stories):
    for story in stories[:200]:
        for end in range(1, len(story.tokens)):
            truth = world.next_word_probabilities(story.tokens[:end])
            assert truth[story.tokens[end]] > 0
            assert sum(truth.values()) == pytest.approx(1.0)
        assert world.next_word_probabilities(story.tokens) == {}


def test_the_shares_of_the_families_add_up_to_one():
    assert sum(SHARES.values()) == pytest.approx(1.0)
    assert tuple(SHARES) == SKILLS


def test_the_three_figures_of_the_course(world):
    truth = world.next_word_probabilities("the cat sat on the".split())
    assert truth["mat"] == pytest.approx(0.41)
    assert truth["floor"] == pytest.approx(0.22)
    assert truth["sofa"] == pytest.approx(0.12)
    assert list(truth)[:3] == ["mat", "floor", "sofa"]


@pytest.mark.parametrize("start, answer", [
    ("the animal didn't cross the street because it was too tired . so the", "animal"),
    ("the animal didn't cross the street because it was too wide . so the", "street"),
    ("dog bites man . who was bitten ?", "man"),
    ("man bites dog . who was bitten ?", "dog"),
    ("tom has a red ball . mia has a blue kite . mia 's", "kite"),
    ("tom has a red ball . mia has a blue kite . mia 's kite is", "blue"),
    ("mia says : cup hat fox . the parrot says :", "cup"),
    ("mia says : cup hat fox . the parrot says : cup", "hat"),
    ("ben names the days : monday , tuesday ,", "wednesday"),
    ("can the robin fly ?", "yes"),
])
def test_the_answer_is_certain_where_a_skill_decides(world, start, answer):
    tokens = start.split()
    # A person who has not been named yet could still get a fact of her own.
    assert world.next_word_probabilities(tokens)[answer] == pytest.approx(1.0)


def test_the_verb_goes_with_the_first_noun(world):
    truth = world.next_word_probabilities("the keys to the old cabinet".split())
    assert truth["are"] > 0 and "is" not in truth
    truth = world.next_word_probabilities("the key to the old cabinets".split())
    assert truth["is"] > 0 and "are" not in truth


def test_the_first_impossible_word_is_found(world):
    tokens = "tom has a red ball . tom 's drum is".split()
    assert world.first_impossible(tokens) == 8
    assert world.first_impossible(["<start>", *tokens]) == 9
    assert world.first_impossible(tokens[:8]) is None
    assert world.allows(tokens[:8]) and not world.allows(tokens)
    assert world.first_impossible(["banana"]) == 0
    assert world.allows([])


def test_the_cache_changes_no_answer_and_stays_small(world):
    forgetful = World(held_out_pairs(), cache_size=1)
    tokens = "tom has a red ball . mia has a blue kite . mia 's kite is".split()
    for end in range(len(tokens)):
        assert forgetful.next_word_probabilities(tokens[:end]) == (
            world.next_word_probabilities(tokens[:end])
        )
    assert forgetful._cases.cache_info().currsize <= 1


def test_many_threads_may_ask_one_world(world):
    """All students share one world, so its cache is filled by many threads at once."""
    shared = World(held_out_pairs(), cache_size=8)
    stories = [story.tokens for story in world.sample(np.random.default_rng(3), 12)]
    expected = [world.next_word_probabilities(words[:-1]) for words in stories]

    def ask(seed):
        order = np.random.default_rng(seed).permutation(len(stories))
        return all(
            shared.next_word_probabilities(stories[n][:-1]) == expected[n]
            for n in order
        )

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(8) as threads:
            assert all(threads.map(ask, range(8)))
    finally:
        sys.setswitchinterval(interval)
