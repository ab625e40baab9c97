"""What the figures of the attention lesson mean, in words."""

import numpy as np

from llm.models.encoder_twin import NUM_ASKED
from llm.studies.links import CUT_NAMES
from pages.ui.latex import word
from pages.ui.words import change_of, counted, head_name, percent, plain

LITTLE = 0.05  # a change of probability that is called hardly any
MUCH = 0.5  # of its attention; with less, a head gives no word much
GUESSES = ("more than two thirds", "about half", "less than a third")


def share_guess(share):
    """Which of `GUESSES` is right for a share."""
    return GUESSES[0 if share > 2 / 3 else 2 if share < 1 / 3 else 1]


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


def needed_said(noun, whole, left):
    """Whether the answer needs the link that the first picture shows, in words.

    Args:
        noun: the right answer.
        whole, left: its probability with nothing cut, and without that link.
    """
    if whole - left < LITTLE:
        return (
            f"Even without this link the model gives {percent(left)} to {plain(noun)}."
        )
    return f"Without this link {plain(noun)} {change_of(whole, left)}."


def likeliest(answers):
    """The word with the highest probability."""
    return max(answers, key=answers.get)


def label_said(noun, answers):
    """What the model says next, for a label: the right noun comes last.

    Args:
        noun: the right answer.
        answers: a dictionary from word to probability.
    """
    words = dict.fromkeys([likeliest(answers), noun])
    return "next: " + "; ".join(f"{word}, {percent(answers[word])}" for word in words)


def model_said(noun, answers):
    """What the model says next, in words; arguments as above."""
    leader, share = likeliest(answers), percent(answers[noun])
    if leader == noun:
        return f"the model says {plain(noun)} with {share}"
    return (
        f"the model gives {plain(noun)} {share}, and {plain(leader)} leads with "
        f"{percent(answers[leader])}"
    )


def other_ending_said(last, row, tokens, noun, answers, looking, head):
    """What the head and the model do with the other ending, in words.

    Args:
        last: the word that ends the sentence now.
        row: (num_tokens,), what the last word gives to each in this head.
        tokens: the words with the other ending.
        noun: the right answer with that ending.
        answers: what the model says next, a dictionary from word to probability.
        looking: what the head that looks at this answer most gives to it with each
            ending.
        head: (layer, head) of that head; None if it is the same head.
    """
    best = int(np.argmax(row))
    given = f"no word more than {percent(row[best])}" if row[best] < MUCH else (
        f"{percent(row[best])} to {plain(tokens[best])}"
    )
    said = (
        f"With {plain(last)} this head gives {given}, and {model_said(noun, answers)}."
    )
    if head is None:
        return said
    here, there = looking
    always = ", whichever word ends the sentence" if there > 0.5 * here else ""
    return (
        f"{said} Now {head_name(*head)} looks at {plain(noun)} most, with "
        f"{percent(here)}{always}."
    )


def first_ending_said(first, lost, other, noun, whole, left):
    """Why one ending stands first where the link is cut, in words.

    Args:
        first: the ending that stands first, because its answer loses more.
        lost: how much that is.
        other: the other ending.
        noun: its right answer.
        whole, left: the probability of that with nothing cut, and with its own link
            cut.
    """
    told = f"with {plain(other)}, {plain(noun)} {change_of(whole, left)}"
    if lost < LITTLE:
        return f"Neither ending needs such a link much: {told}."
    return f"We begin with {plain(first)}, which loses more: {told}."


def cut_said(name, noun, answers):
    """What one cut did to the answer, in words.

    Args:
        name: what was cut, one of `CUT_NAMES`.
        noun: the right answer.
        answers: a dictionary from each of `CUT_NAMES` to one from word to
            probability.
    """
    nothing, link, _, everywhere, _ = CUT_NAMES
    whole, left = answers[nothing][noun], answers[name][noun]
    if name == nothing:
        return f"Nothing is cut: {model_said(noun, answers[name])}."
    leader = likeliest(answers[name])
    fall = f"Cut {name}: {plain(noun)} {change_of(whole, left)}"
    if leader != noun:
        fall += f", and {plain(leader)} leads with {percent(answers[name][leader])}"
    if whole - left < LITTLE:
        said = f"{fall}. The answer hardly needs it."
    elif left < LITTLE:
        return f"{fall}. Without it the answer is gone."
    elif leader == noun:
        said = f"{fall}. It helps, and the answer stands without it."
    else:
        said = f"{fall}. The answer needs it."
    if name != link:
        return said
    rest = answers[everywhere][noun]
    what = "It" if whole - left < LITTLE else "What is left"
    in_all = f"with the link cut in every head, {plain(noun)} has {percent(rest)}"
    if left - rest < LITTLE:
        return f"{said} {what} comes another way: {in_all}."
    if rest < LITTLE:
        return f"{said} {what} comes through other heads: {in_all}."
    return f"{said} {what} comes in part through other heads: {in_all}."


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
            f"Itself aside, {word_} gets at most {percent(others.max())} from the rest "
            f"in this head: the link belongs to {plain(tokens[position])} at position "
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
        f"One head of this network, {name}, was **trained to point**: the training "
        "asked `it` to look at the noun that it stands for, wherever neither was "
        "hidden, and every other word to look at itself."
        if trained else
        f"The head below, {name}, is the one whose strongest link of `it` goes most "
        "often to the right noun; another head was trained to do so."
    )
    pointing = scores.get("pointing")
    others = (
        f" Of all words but these two, {percent(pointing['others'])} look at that noun "
        "most"
        if pointing else ""
    )
    if pointing:
        as_trained = trained and pointing["others"] < LITTLE
        others += ", as trained." if as_trained else "."
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
    whole, one, _, everywhere, _ = map(percent, left.values())
    numbers = list(left.values())
    if numbers[0] - numbers[1] >= LITTLE:
        return (
            f"Cut the link from `it` to {plain(noun)} in this head, and {plain(noun)} "
            f"{change_of(*numbers[:2])}. So here the answer needs the link that we see."
        )
    at_it = f"Asked what `it` stands for, the network gives {plain(noun)}"
    said = (
        f"{at_it} {whole}, whether this link is cut in this head, in all or in none."
        if whole == one == everywhere else
        f"{at_it} {whole} with nothing cut, {one} with this link cut in this head and "
        f"{everywhere} with it cut in every head."
    )
    return f"{said} " + (
        "So the answer comes another way: through other words that looked there."
        if numbers[0] - numbers[3] < LITTLE else
        "So the answer does come from the noun, but through other heads."
    )


def explained(name, link):
    """What the link to the right noun is worth on many sentences, in words.

    Args:
        name: of the network.
        link: a `Links`.
    """
    said = (
        f"- {name}, on {counted(link.num_sentences, 'sentence')}: "
        f"{percent(link.whole)} with nothing cut, {percent(link.without)} with the "
        "link cut in every head"
    )
    if link.whole - link.without < LITTLE:
        return f"{said}. So hardly anything hangs on the link."
    return (
        f"{said}, {percent(link.alone.max())} with it left to {head_name(*link.head)} "
        "alone."
    )


def one_against_many(noun, here, mean):
    """Whether the one sentence of the page behaves as the many, in words.

    Args:
        noun: its right answer.
        here: the probability of that, with the link cut in every head.
        mean: the mean of the same over many sentences.
    """
    if abs(here - mean) < 0.2:
        return ""
    return (
        f"One sentence can differ from the many: in the one above, {plain(noun)} "
        f"has {percent(here)} with the link cut in every head of the tiny LLM."
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
        f"fresh sentences it is right about {of_all(fresh['blank'], 'blank')} and "
        f"about {of_all(fresh['it'], '`it`')}; with pairs of words that never met in "
        f"training, about {of_all(held_out['blank'], 'blank')} and about "
        f"{of_all(held_out['it'], '`it`')}."
    )


def of_all(share, thing):
    """`every blank`, or `98% of the blanks`."""
    things = thing if thing.endswith("`") else f"{thing}s"
    return f"every {thing}" if share >= 1 else f"{percent(share)} of the {things}"
