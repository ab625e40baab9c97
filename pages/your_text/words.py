"""What the figures of the lesson mean, in sentences."""

from llm.own_text.measures import repeats_the_rest
from llm.own_text.text import (
    MOST_CHARACTERS,
    cleaned,
    writes_no_spaces,
)
from pages.ui.words import counted, in_a_row, listed, percent, plain

NOTABLE = 0.1  # nats a token; smaller differences are not worth a sentence
SEEN = {" ": "␣", "\n": "⏎", "\t": "⇥"}


def seen(token):
    """A token so that it can be seen: a space has a character of its own."""
    return SEEN.get(token, token)


def about(text):
    """A text in figures, and what was done to it."""
    kept = len(text.validation)
    whole = len(text.training) + kept
    common = len(text.vocabulary) - 1  # without the token for all that is not known
    said = [
        f"{whole:,} {text.unit} in all. The first {len(text.training):,}, of "
        f"{common + text.rare:,} different kinds, are to learn from. The last "
        f"{kept:,}, {percent(kept / whole)} of all, are **kept back**: the model never "
        "learns from them, so they show what it can do with text that is new to it."
    ]
    if text.shuffled:
        said.append(
            "Your text looks like a list, so its lines were shuffled first: otherwise "
            "the kept-back end would hold only its last letters."
        )
    if text.unit == "words":
        said.append("Words are made lower case, and spaces are set anew between them.")
    if text.rare:
        said.append(
            f"{counted(text.rare, 'rare kind')} beyond the {common:,} most common ones "
            "cannot be learned; the model never writes "
            f"{'it' if text.rare == 1 else 'them'}."
        )
    return " ".join(said)


def warnings_about(text, typed):
    """What the student should know before training on a text, a list of sentences.

    Args:
        text: an `OwnText`.
        typed: what stands in the box.
    """
    said = []
    if len(typed) > MOST_CHARACTERS:
        said.append(
            f"Your text has {len(typed):,} characters; the first {MOST_CHARACTERS:,} "
            "count."
        )
    hidden = len(typed.replace("\r\n", "\n").strip("\n")) - len(cleaned(typed))
    if hidden > 0 and len(typed) <= MOST_CHARACTERS:
        said.append(f"{counted(hidden, 'invisible character')} left out.")
    if text.unit == "words" and writes_no_spaces(typed):
        said.append(
            "This script puts no spaces between words, so a whole sentence counts as "
            "one word here. Choose *characters*."
        )
    if not text.known.any():
        said.append(
            "Nothing in the kept-back end occurs in the rest of the text, so there is "
            "no loss to measure on it."
        )
    elif repeats_the_rest(text):
        said.append(
            "Most of the kept-back end also stands in the rest of the text, so a low "
            "loss on it will not show that the model can do anything new."
        )
    return said


def best_and_last(run):
    """The lowest and the last loss on the kept-back end, each as (step, loss)."""
    return min(run.losses, key=lambda point: point[1]), run.losses[-1]


def what_happened(run):
    """What the loss on the kept-back end did, in sentences."""
    if not run.losses:
        return "On the kept-back end there was nothing to measure."
    (best_step, best), (last_step, last) = best_and_last(run)
    if best_step == 0:
        return (
            "The loss on the kept-back end was lowest before any training "
            f"({best:.2f}) and is {last:.2f} at step {last_step:,}. Whatever the model "
            "learned from the rest is of no help there: the end of your text is of "
            "another kind."
        )
    said = (
        f"The loss on the kept-back end was lowest at step {best_step:,} ({best:.2f})"
        f" and is {last:.2f} at step {last_step:,}. "
    )
    if last > best + NOTABLE:
        return said + (
            "Until then, what helped on one part of the text helped on the other. From "
            "there on the model learned its text by heart, which helps nowhere else. "
            "That is **overfitting**, and *at its best* is the model of that step. It "
            "went on so that you can see this."
        )
    if last > best:
        return said + "It has hardly changed since then."
    return said + "It has not turned upwards so far."


RISES, FALLS, STAYS = (
    "It falls, then it rises again", "It falls just as far", "It stays where it was",
)
BETWEEN = "It falls, but less far"


def outcome(run):
    """What the loss on the kept-back end did, as one of the guesses says it.

    Args:
        run: a `TextRun` with losses.
    """
    (best_step, best), (_, last) = best_and_last(run)
    first = run.losses[0][1]
    if best_step == 0 or best > first - NOTABLE:
        return STAYS
    if last > best + NOTABLE:
        return RISES
    return FALLS if last < run.curve[-1][1] + NOTABLE else BETWEEN


def about_the_guess(guess, run):
    """Whether a guess was right, and what was there to see, in a sentence."""
    truth = outcome(run)
    if guess == truth:
        return True, "That is what the blue line did."
    told = (f"You guessed: *{guess.lower()}*. The blue line tells another story: "
            f"*{truth.lower()}*.")
    if truth == BETWEEN:  # no guess says so
        told += " It is too early to tell: train it for longer."
    return False, told


def against_counting(run, by_pairs):
    """The model beside counting pairs, in a sentence.

    Args:
        run: a `TextRun` with at least one look.
        by_pairs: the loss of counting pairs on the same tokens; None if none is known.
    """
    if by_pairs is None or not run.losses:
        return ""
    (_, best), _ = best_and_last(run)
    said = (f"Counting pairs gets {by_pairs:.2f} on the same kept-back tokens, your "
            f"model at its best {best:.2f}")
    if best < by_pairs - NOTABLE:
        return f"{said}: looking further back than one token pays."
    if best > by_pairs + NOTABLE:
        return (
            f"{said}: **counting wins**. So short a text teaches a network little "
            "beyond which token follows which, and counting learns that without error."
        )
    return f"{said}: about the same. So short a text teaches little beyond its pairs."


def by_heart(text, length, natural):
    """How much was copied, in a sentence.

    Args:
        text: an `OwnText`.
        length: of the longest copied stretch, in tokens.
        natural: of the longest stretch that the kept-back end shares with the rest.
    """
    return (
        f"**By heart**: the shaded stretch of {length} {text.unit} stands letter for "
        "letter in the text that it learned from. The kept-back end, which no model "
        f"wrote, shares at most {natural} with the rest."
    )


def made_up_in_words(new, unit):
    """What is made up in what was written, in a sentence.

    Args:
        new: a list of words, or of pairs of words.
        unit: "characters" or "words".
    """
    kind, kinds = {
        "characters": ("word", "words"),
        "words": ("pair of words", "pairs of words"),
    }[unit]
    if not new:
        return f"**Made up**: nothing. All {kinds} stand in the text."
    verb = "stands" if len(new) == 1 else "stand"
    return (f"**Made up**: {counted(len(new), kind, kinds)} that {verb} nowhere in the "
            f"text, such as {listed(new[:4])}.")


def cannot_read(unknown):
    """Which characters or words of a start are not known, in a sentence."""
    return (f"Your text has no {listed(map(seen, unknown[:4]))}, so your model cannot "
            f"read {'it' if len(unknown) == 1 else 'them'}: left out here.")


def which_text(run):
    """Which text and unit a training is of, in words."""
    begin = " ".join(run.text.source.split()[:5])
    sizes = [counted(run.plan.num_layers, "layer"), f"width {run.plan.embed_dim}",
             counted(run.num_steps, "step")]
    return (f"the text that begins {plain(begin)}, cut into {run.text.unit}, with "
            f"{in_a_row(sizes)}")


def is_old(run, text, plan):
    """Whether another text, unit or size is chosen now than a training is of."""
    return text is not None and (
        (run.text.source, run.text.unit, run.plan) != (text.source, text.unit, plan)
    )


def progress_in_words(run):
    """How far a training is."""
    return (f"Step {run.step:,} of {run.num_steps:,}, {run.seconds:.0f} s, "
            f"{run.num_parameters:,} parameters")
