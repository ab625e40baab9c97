"""What the figures of the lesson on training mean, in sentences and in LaTeX."""

import numpy as np

from llm.world.reading import drawn_shares
from llm.world.stories import SHARES
from pages.ui.latex import number, word
from pages.ui.words import in_a_row, percent, places_that_add_up, places_that_agree

MAY_COME = "a word that may come"  # in a list


def stands_in_words(score):
    """Where the run stands: its loss, the exact floor, and what lies between."""
    floor, left = score["floor"], score["excess"]
    places = places_that_add_up(floor, left, places=3)
    return (
        f"At step {score['step']:,} the loss on fresh stories is "
        f"**{floor + left:.{places}f}** nats, their exact floor {floor:.{places}f}: "
        f"{left:.{places}f} is left to learn."
    )


def last_replies(order, late):
    """What each skill, picked as the last to be learned, is answered with.

    Args:
        order: from skill to the step at which it arrived, the earliest first.
        late: the skills that come last by one bound or another.
    """
    replies = {}
    for skill, step in order.items():
        others = in_a_row(f"*{other}*" for other in late if other != skill)
        replies[skill] = (
            f"*{skill}* is right nine times in ten from step {step:,} on. "
            if step is not None else f"*{skill}* is never right nine times in ten. "
        )
        if skill not in late:
            replies[skill] += f"Later still: {others}."
        elif others:
            replies[skill] += f"With another bound than nine in ten, {others} is last."
    return {skill: reply.strip() for skill, reply in replies.items()}


def order_in_words(order):
    """When each skill arrived; those that came at one step are named together."""
    told = []
    for step in dict.fromkeys(order.values()):
        came = in_a_row(skill for skill, when in order.items() if when == step)
        told.append(
            f"{came} by step {step:,}" if step is not None else f"never: {came}"
        )
    return f"Right nine times in ten: {'; '.join(told)}."


def jump_in_words(pair, skill):
    """Where a skill rose most in this training, with the figures and no verdict.

    How it rose between two steps that were kept is not known: they lie far apart.

    Args:
        pair: two records, from `llm.studies.arrivals.biggest_jump`.
        skill: its name.
    """
    before, after = (score["skills"][skill]["accuracy"] for score in pair)
    first, second = (score["step"] for score in pair)
    return (
        f"{skill[0].upper() + skill[1:]} rose most from step {first:,}, with "
        f"{percent(before)} right, to step {second:,}, with {percent(after)}."
    )


def loss_meanwhile(pair):
    """What the loss did while a skill came."""
    fell = pair[0]["loss"] - pair[1]["loss"]
    verb = "fell" if fell >= 0 else "rose"
    said = f"Meanwhile the loss {verb} by {abs(fell):.2f} nats"
    if abs(fell) > 0.2:
        return f"{said}."
    return f"{said} only: a skill decides only a few words of a story."


def surprise_by_hand(probability, loss, target):
    """Minus the logarithm of a probability, so that a pocket calculator agrees.

    Args:
        probability: what was given to the target.
        loss: minus its logarithm.
        target: the word.
    """
    return rf"-\ln P({word(target)}) = -\ln {that_agrees(probability)} = {loss:.2f}"


def that_agrees(probability):
    """A probability with as many digits as its logarithm needs, with two places."""
    for digits in range(2, 12):
        printed = f"{float(f'{probability:.{digits}g}'):.12f}".rstrip("0")
        if float(printed) and round(-np.log(float(printed)), 2) == round(
            -np.log(probability), 2
        ):
            break
    return printed + "0" if printed.endswith(".") else printed


def batch_sizes_in_words(schedule):
    """How many rows a batch has, first and later: `16, later 64`.

    Args:
        schedule: that of a training, from its record.
    """
    first, later = schedule["batch_size"], schedule["last_batch_size"]
    return f"{first}, later {later}" if later not in (0, first) else f"{first}"


def optimisers_in_words(schedule):
    """How long a step is, by the optimisers, in words.

    Args:
        schedule: that of a training, from its record.
    """
    adam = "**Adam** gives each weight its own step length"
    if schedule["muon"]:
        adam += (
            "; the matrices inside the blocks learn by **Muon**, which moves each of "
            "them about equally far in all directions"
        )
    return f"{adam}."


def draws_in_words(schedule):
    """How the stories were drawn, if not freely; else nothing.

    Args:
        schedule: that of a training, from its record.
    """
    said = []
    if schedule["num_strata"]:
        said.append(
            "For the training the stories were dealt like cards: over many of them "
            "most choices come just as often as the rules say."
        )
    if schedule["thrice"]:
        drawn = drawn_shares(schedule["thrice"])
        other = next(skill for skill in drawn if skill not in schedule["thrice"])
        said.append(
            f"Stories that test {in_a_row(schedule['thrice'])} were read three times "
            "as often as the rules write them, and all others somewhat less often. In "
            "return, each of the first counted a third and each of the others "
            f"{SHARES[other] / drawn[other]:.2f}, so that on the whole the model still "
            "learns what the rules say."
        )
        if schedule["at_decision"]:
            said.append(
                "The one word that decides such a story counted "
                f"{schedule['at_decision']:g}, and not a third. At that place the "
                "story can be of no other kind, and every word that may follow counts "
                "as much. So the best probabilities stay the same."
            )
    return " ".join(said)


def mean_by_hand(losses):
    """The loss of a story: the mean of the surprises at its targets."""
    count = len(losses)
    places = places_that_agree(lambda total: total / count, losses.sum())
    return (
        rf"\text{{loss}} = \frac{{{losses.sum():.{places}f}}}{{{count}}}"
        rf" = {losses.mean():.2f}"
    )


def weight_by_hand(step, learning_rate):
    """One weight before a step, its gradient and the weight after, in LaTeX."""
    places = places_that_agree(
        lambda before, slope: before - learning_rate * slope, step.before, step.slope,
        places=3,
    )
    after = step.before - learning_rate * step.slope
    return (
        r"\begin{aligned}w_\text{new} &= w - \eta \cdot \text{gradient} \\ &= "
        rf"{step.before:.{places}f} - {learning_rate:g} \cdot "
        rf"{number(step.slope, places)} = {after:.3f}\end{{aligned}}"
    )


def step_in_words(before, after, num_weights):
    """What one step in the output layer did to the loss of the story."""
    verb = "falls" if after < before else "rises"
    return (
        f"All {num_weights:,} weights of this layer move so, and the loss of the story "
        f"{verb} from {before:.2f} to {after:.2f}."
    )


def map_in_words(step, beside, chance, skill):
    """How many words have one of their own kind beside them, now and at other steps.

    Args:
        step: the step that is looked at.
        beside: a dictionary from step to the share of such words.
        chance: that share if the nearest word were any other.
        skill: the accuracy of *category* at the step with the highest share and at the
            last step.
    """
    best, last = max(beside, key=beside.get), max(beside)
    said = (
        f"At step {step:,}, {percent(beside[step])} of the words have one of their own "
        f"kind as nearest neighbour; by chance it would be {percent(chance)}. "
    )
    if beside[best] - beside[last] < 0.05:
        return f"{said}Kinds have found each other: {percent(beside[last])} at the end."
    return said + (
        f"The share is highest at step {best:,}, {percent(beside[best])}, and at the "
        f"end it is {percent(beside[last])}. Meanwhile the skill *category* went from "
        f"{percent(skill[0])} to {percent(skill[1])}. Why the share falls was not "
        "measured. It may be that the row of a word later holds more than its kind."
    )


def floors_in_words(score, seen, world_floor=None):
    """The floor of the exam and of the world, and how many stories were met before.

    Args:
        score: a record with `floor` and `num_tokens`.
        seen: (num_stories,) 1 for each story that occurs in the training too.
        world_floor: `nats`, `spread` and `stories`; None if it was not measured.
    """
    told = (
        f"The loss is measured on {len(seen):,} stories, {score['num_tokens']:,} "
        f"tokens, which were made for this exam. The world is small, so "
        f"{percent(np.mean(seen))} of them occur word for word among the stories of "
        "the training too. At each token the loss is averaged over all that may come "
        "next, so chance plays no part in it, and on these stories no model can get "
        f"below {score['floor']:.3f}. "
    )
    if world_floor is None:
        return told + "Other stories have a floor that is a little higher or lower."
    return told + (
        f"Other stories have another floor: over {world_floor['stories']:,} stories of "
        f"the world it is {world_floor['nats']:.4f}, with a standard error of "
        f"{world_floor['spread']:.4f}."
    )


def shortfall_in_words(parts, said_again):
    """In which stories most is wrong for their length, and what it is.

    Args:
        parts: as `shares_of_shortfall` gives them.
        said_again: of the probability for words that cannot come, the share of those
            that the story has said before.
    """
    worst = max(parts, key=lambda skill: parts[skill].all / parts[skill].words)
    impossible = sum(part.impossible for part in parts.values())
    return (
        f"Word for word, stories of *{worst}* are furthest from the truth: they have "
        f"{parts[worst].words:.1%} of the words, and **{parts[worst].all:.1%}** of "
        f"what is above the floor. In all stories together, {impossible:.1%} is for "
        "words that cannot come. Of the probability given to such words, "
        f"{percent(said_again)} goes to words that are already in the story. An "
        "example: in this world a list never says a word twice."
    )


def said_again_in_words(said, given, truth):
    """What a model gives to a word of a list, beside words that it could go on with.

    Args:
        said: the words of the list.
        given: as `said_and_possible` gives it for the model.
        truth: the same by the rules of the world.
    """
    again = max(said, key=given.get)
    return (
        f"Of the words said, the model gives most to `{again}`: "
        f"{percent(given[again])}. A word that may come gets "
        f"{percent(given[MAY_COME])} on average. By the "
        f"rules it is {percent(truth[again])} and {percent(truth[MAY_COME])}. No story "
        "states that a word is impossible. A model can infer it only from the words "
        "that do come."
    )
