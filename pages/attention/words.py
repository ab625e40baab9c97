"""What the figures of the attention lesson mean, in words."""

import numpy as np

from llm.models.encoder_twin import NUM_ASKED
from pages.ui.latex import word
from pages.ui.words import counted, head_name, percent, plain

LITTLE = 0.05  # a change of probability that is called hardly any
GUESSES = ("nearly everything, as before", "about half", "next to nothing")


def share_guess(share):
    """Which of `GUESSES` is right for a share."""
    return GUESSES[0 if share > 0.7 else 2 if share < 0.3 else 1]


def guess_replies(noun, now, then):
    """What each guess gets for an answer.

    Args:
        noun: the word that was looked at.
        now: what it gets with the first ending.
        then: what it gets with the other.

    Returns:
        A dictionary from each of `GUESSES` to one or two sentences.
    """
    figures = (
        f"The last `the` now gives {percent(then)} to {plain(noun)}; before, it gave "
        f"{percent(now)}."
    )
    because = {
        GUESSES[0]: "Both words are the same as before, but one that stands between "
                    "them is not, and the last word has read it.",
        GUESSES[1]: "A head does not share fairly between two candidates.",
        GUESSES[2]: "One other word does not turn every head.",
    }
    right = share_guess(then)
    return {
        guess: figures if guess == right else f"{because[guess]} {figures}"
        for guess in GUESSES
    }


def other_ending_said(last, row, tokens, answer, probability, bringing, head):
    """What the head and the model do with the other ending, in words.

    Args:
        last: the word that ends the sentence now.
        row: (num_tokens,), what the last word gives to each in this head.
        tokens: the words with the other ending.
        answer: what the model says next, with this probability.
        bringing: what the head that brings this answer gives to it with each ending.
        head: (layer, head) of that head; None if it is the same head.
    """
    best = int(np.argmax(row))
    said = (
        f"With {plain(last)} this head gives most, {percent(row[best])}, to "
        f"{plain(tokens[best])}, and the model says {plain(answer)} with "
        f"{percent(probability)}."
    )
    if head is None:
        return said
    here, there = bringing
    always = ", whichever word ends the sentence" if there > 0.5 * here else ""
    return (
        f"{said} That noun comes through {head_name(*head)}, which gives it "
        f"{percent(here)}{always}."
    )


def cut_said(name, noun, whole, left):
    """What one cut did to the answer, in words.

    Args:
        name: what was cut, one of `CUT_NAMES`.
        noun: the right answer.
        whole: its probability with nothing cut.
        left: its probability now.
    """
    if name.startswith("nothing"):
        return f"Nothing is cut: the model says {plain(noun)} with {percent(whole)}."
    fall = f"{plain(noun)} goes from {percent(whole)} to {percent(left)}"
    if whole - left < LITTLE:
        return f"Cut {name}: {fall}. The answer hardly needs it."
    if left < LITTLE:
        return f"Cut {name}: {fall}. Without it the answer is gone."
    return f"Cut {name}: {fall}. The answer needs it, but not it alone."


def only_row_said(weights, position, key, tokens):
    """Whether other words look at a word, too, in words.

    Args:
        weights: (num_tokens, num_tokens)
        position: the word that is known to look there.
        key: the position of the word that is looked at.
        tokens: the words.
    """
    others = np.delete(np.asarray(weights)[:, key], [position, key])
    best = int(np.sum(np.delete(np.argmax(weights, axis=1), [position, key]) == key))
    word_, size = plain(tokens[key]), len(others)
    if best == 0:
        return (
            f"No other word gives {word_} more than {percent(others.max())} in this "
            f"head: the link belongs to {plain(tokens[position])} at position "
            f"{position}."
        )
    return (
        f"{best} of the other {size} words look at {word_} most, too, so in this head "
        f"{plain(tokens[position])} is not alone."
    )


def masked_softmax(scores, tokens, row, key, count=3):
    r"""The share that one word gives to another, later words masked, in LaTeX.

    Args:
        scores: (num_tokens,), of one word, before the mask.
        tokens: the words.
        row: the position of the word that looks; all behind it are masked.
        key: the position of the word that is looked at.
        count: how many scores of earlier words are written out.
    """
    seen = np.asarray(scores[: row + 1], float) - np.max(scores[: row + 1])
    powers = np.exp(seen)
    strongest = [n for n in np.argsort(-powers, kind="stable") if n != key]
    shown = sorted([key, *strongest[: count - 1]])
    terms = [rf"e^{{{'0' if seen[n] == 0 else f'{seen[n]:.1f}'}}}" for n in shown]
    top = terms[shown.index(key)]
    dots = r" + \dots" if len(seen) > len(shown) else ""
    later = len(scores) - row - 1
    nothing = r"e^{-\infty}"
    masked = " + ".join([nothing] * min(later, 2)) + (r" + \dots" if later > 2 else "")
    below = rf"\underbrace{{{masked}}}_{{\text{{later words: }}0}}"
    return (
        rf"w({word(tokens[row])} \to {word(tokens[key])}) = \frac{{{top}}}"
        rf"{{{' + '.join(terms)}{dots} + {below}}} = {powers[key] / powers.sum():.2f}"
    )


def pointing_said(scores, trained):
    """How one head of the encoder twin came to point, and how often it is right.

    Args:
        scores: `record["scores"]` of the twin.
        trained: whether this is the head that was trained to point.
    """
    found = scores["flipping_head"]
    name = head_name(found["layer"], found["head"])
    how = (
        f"One head of this network, {name}, was **trained to point**: at every `it`, "
        "the training asked it to look at the noun that `it` stands for."
        if trained else
        f"The head below, {name}, is the one whose strongest link of `it` goes most "
        "often to the right noun; another head was trained to do so."
    )
    pointing = scores.get("pointing")
    others = (
        f" Of the other words, {percent(pointing['others'])} look at that noun most."
        if pointing else ""
    )
    return (
        f"{how} On {NUM_ASKED} fresh sentences of each kind the strongest link of `it` "
        f"goes to the right noun in {percent(found['right_if_actor'])} of those where "
        "`it` is the animal or another mover, and in "
        f"{percent(found['right_if_obstacle'])} of those where it is the street or "
        f"another obstacle.{others}"
    )


def twin_cut_said(left, noun):
    """Whether the pointing link carries the answer of the encoder twin, in words.

    Args:
        left: the probability of the right noun by what is cut, as in `CUT_NAMES`.
        noun: the right noun.
    """
    whole, one, _, everywhere, _ = left.values()
    said = (
        f"Cut the link from `it` to {plain(noun)} in this head, and the network "
        f"gives {plain(noun)} a probability of {percent(one)}; uncut, it was "
        f"{percent(whole)}. "
    )
    if whole - one >= LITTLE:
        return said + "So here the answer needs the link that we see."
    return said + (
        f"Cut it in every head, and the figure is {percent(everywhere)}. "
        + ("So the answer comes another way: through words in between."
           if whole - everywhere < LITTLE else
           "So the answer does come from the noun, but through other heads.")
    )


def explained(name, link):
    """What the link to the right noun is worth on many sentences, in words.

    Args:
        name: of the network.
        link: a `Links`.
    """
    return (
        f"- {name}: {percent(link.whole)} with nothing cut, {percent(link.without)} "
        f"with the link cut in every head, {percent(link.alone.max())} with it left to "
        f"{head_name(*link.head)} alone."
    )


def how_trained(record):
    """How the encoder twin was trained, and what it can do, in words.

    Args:
        record: of its training.
    """
    scores, steps = record["scores"], record["training"]["schedule"]["num_steps"]
    fresh, held_out = scores["fresh"], scores["held_out"]
    return (
        f"It was trained for {counted(steps, 'step')} with two kinds of question: "
        "which word is behind a blank, and which noun does each `it` stand for? On "
        f"fresh sentences it fills {percent(fresh['blank'])} of such blanks correctly "
        f"and finds the right noun for {percent(fresh['it'])} of the `it`; with "
        "pairs of words "
        f"that never met in training, {percent(held_out['blank'])} and "
        f"{percent(held_out['it'])}."
    )
