"""What showing the working found, in sentences that follow from its numbers."""

from itertools import pairwise

import numpy as np

from llm.studies.attribution import FEED_FORWARD, HEAD, PLACE, WORD
from llm.studies.link_effects import same_order
from pages.ui.words import (
    change_of,
    escaped,
    in_a_row,
    numbered,
    parts_of_lead,
    percent,
    plain,
    signed,
)

# From these shares of the lead on a word has a colour, and a strong one.
COLOURED, STRONG = 0.05, 0.25
LOST_SIGHT = 0.5  # below this share of its attention a word is no longer found
LITTLE = 0.1  # what brings less than this share of the lead brings little
ALIKE = 0.05  # rank correlations that lie nearer together are called alike
NEAR_ZERO = 0.05  # of a weight, and of a logit


def coloured_sentence(tokens, gives, total):
    """The words, each coloured by what it gives: blue for the answer, orange against.

    What is coloured strongly gives much, measured by the size of the lead.

    Args:
        tokens: (num_tokens,) words.
        gives: (num_tokens,), what each gives to the lead.
        total: the lead.
    """
    shares = gives / abs(total)
    return " ".join(coloured(*pair) for pair in zip(tokens, shares, strict=True))


def coloured(token, share):
    """One word in Markdown, coloured by its share."""
    word = escaped(token)
    if share >= STRONG:
        return f":blue-background[**{word}**]"
    if share >= COLOURED:
        return f":blue-background[{word}]"
    return f":orange-background[{word}]" if share <= -COLOURED else word


def asked_in_words(chosen, against):
    """What is explained: the lead of one word over another."""
    return f"the lead of {plain(chosen)} over {plain(against)}"


def stops_of(path):
    """The positions that a path comes by, each once."""
    return list(dict.fromkeys(path.tokens))


def path_told(tokens, path, flow, asked):
    """The lead as a sum, and how the strongest path and all others make up the words.

    What is printed adds up as printed: a path, and the others, to the words; the words,
    and the biases, to the lead.
    """
    way = " → ".join(f"**{escaped(tokens[stop])}**" for stop in stops_of(path))
    words, others, fixed = parts_of_lead(flow, path.amount)
    told = (
        f"{asked[0].upper() + asked[1:]} is {flow.total:.2f}: {signed(words)} from the "
        f"words, {signed(fixed)} from biases. The strongest path from a word, {way}, "
        f"brings {signed(path.amount)}, all other paths together {signed(others)}. "
    )
    if path.amount > words:
        return told + (
            "Some speak against the answer, so one path can bring more than all "
            "together."
        )
    return told.strip()


def steps_of(path):
    """The steps of a path from block to block, the last first.

    Returns:
        A dictionary from name to (block, key, query).
    """
    steps = list(enumerate(pairwise(path.tokens)))
    return {f"block {block + 1}": (block, *step) for block, step in reversed(steps)}


def step_told(tokens, block, key, query, by_head, line):
    """One step of the path: who carried it, and why the picture has another figure.

    Args:
        tokens: the words.
        block, key, query: the step, counted from 0.
        by_head: (num_heads,), what each head brings, biases among it.
        line: what the line of the picture brings: from words alone.
    """
    names = numbered(tokens)
    if key == query:
        return (
            f"In block {block + 1} the path stays with *{names[key]}*. The residual "
            "stream hands it on, and a head may look at its own word. The line in the "
            f"picture, {signed(line)}, counts both, from words alone; the bars show "
            "the heads, biases included:"
        )
    best = int(by_head.argmax())
    if by_head[best] <= 0:
        return (
            f"In block {block + 1}, *{names[query]}* looks at *{names[key]}*, but no "
            f"head brings anything for the lead. {sum_of_heads(by_head, line)}"
        )
    helpers = [f"head {block + 1}.{head + 1}" for head in np.argsort(-by_head)
               if by_head[head] > 0.2 * by_head[best]]
    return (
        f"In block {block + 1}, *{names[query]}* looks at *{names[key]}* and takes its "
        f"value. Most of it comes through {in_a_row(helpers)}. "
        + sum_of_heads(by_head, line)
    )


def sum_of_heads(by_head, line):
    """What all heads of a step bring, and why the line of the picture differs."""
    heads = float(np.round(by_head, 2).sum())
    biases = heads - round(float(line), 2)
    return (
        f"Together the heads bring {signed(heads)}: {signed(biases)} from biases, and "
        f"{signed(line)} from words, by all paths along this line:"
    )


def proof_told(differences):
    """One line of proof: every sum meets the model's own number."""
    return (
        f":material/calculate: {len(differences)} sums were worked out again here and "
        "compared with the model's own numbers. The largest difference is "
        f"{max(differences):.0e}."
    )


def trail_told(stops, run, asked):
    """The way back from a logit to the words, as a numbered list in Markdown."""
    names, lines = numbered(run.tokens), []
    for before, stop in zip([None, *stops], stops):
        of = asked if before is None else followed(before, run)
        what = {
            WORD: f"the word {plain(run.tokens[stop.position])} itself, its row in the "
            "embedding table",
            PLACE: f"its position, {names[stop.position].split()[0]}",
            HEAD: f"{stop.part.name} at *{names[stop.position]}*",
            FEED_FORWARD: f"{stop.part.name} at *{names[stop.position]}*",
        }.get(stop.part.kind, stop.part.name)
        further = ""
        if stop.key is not None:
            further = f", most of it read from *{names[stop.key]}*"
        if stop.unit is not None:
            further = f", most of it written by unit {stop.unit + 1}"
        came = "is the direct effect of" if before is None else "came from"
        lines.append(
            f"1. Of {of}, {stop.total:.2f}, **{signed(stop.amount)}** {came} "
            f"{what}{further}."
        )
    return "\n".join(lines)


def followed(stop, run):
    """What is followed further down from a stop."""
    if stop.key is not None:
        return f"what it took from {plain(run.tokens[stop.key])}"
    return f"the activation of unit {stop.unit + 1}"


NOTHING, AS_MUCH, MORE = (
    "Nothing that matters", "The lead changes by just as much",
    "The lead falls by more than that",
)


def cut_replies(link):
    """What each guess about the cut of one link is answered with.

    Args:
        link: a `NeededLink`.
    """
    most = " No link in any head is needed more." if link.lost >= link.most else ""
    return {
        NOTHING: f"In the sum it is {signed(link.brings)}. But the cut changes what "
        "later layers find.",
        AS_MUCH: "That would be so if nothing else changed. But the cut changes what "
        "later layers find.",
        MORE: f"It falls by {link.lost:.2f}, from {link.total:.2f}.{most}",
    }


def link_told(link, answer):
    """The link that the guess is about, and what it brings.

    Args:
        link: a `NeededLink`.
        answer: the word whose lead it is.
    """
    little = "only " if abs(link.brings) < LITTLE * link.total else ""
    return (
        f"In the sentence about Mia's kite, head {link.head} lets *{link.looks}* look "
        f"at *{link.at}* with {percent(link.weight)} of its attention. The lead of "
        f"{plain(answer)} is {link.total:.2f}, and this link brings {little}"
        f"{signed(link.brings)} of it."
    )


def cut_told(link, answer):
    """What the cut of one link did: to the answer, and to who looks where.

    Args:
        link: a `NeededLink`.
        answer: the word.
    """
    word, weight = link.instead
    (before, looks), (after, still) = link.whole, link.cut
    told = (
        f"With the cut, head {link.head} gives {percent(weight)} to *{word}* instead, "
        f"and the probability of {plain(answer)} {change_of(before, after)}. "
    )
    if still > LOST_SIGHT * looks:
        return told + (
            "Later layers compute with what it reads; no sum of contributions shows "
            "that."
        )
    return told + (
        "The heads of the last block hardly look at the word of the path: their mean "
        f"attention to it falls from {percent(looks)} to {percent(still)}. What this "
        "head reads decides *where they look*; no sum of contributions shows that."
    )


def link_and_head_told(link):
    """One link cut beside its whole head, where the link costs more; else nothing.

    Args:
        link: a `NeededLink`.
    """
    if link.lost <= link.head_lost:
        return ""
    word, weight = link.instead
    return (
        "So one link can cost more than its whole head. In the sentence about Mia's "
        f"kite the lead falls by {link.lost:.2f} without the link from *{link.looks}* "
        f"to *{link.at}* in head {link.head}: {percent(weight)} of the attention then "
        f"goes to *{word}*, and what is read there misleads. Without the whole head, "
        f"nothing is read there, and the lead {falls(link.head_lost)}."
    )


def direct_and_all_told(name, word, direct, brings):
    """Two figures of one link, and why they differ.

    Args:
        name: the head's.
        word: the word that it looks at, numbered.
        direct: the direct effect of what it takes from there.
        brings: the same, with what later layers make of it.
    """
    return (
        "What a head *brings*, further up on this page, counts in addition what later "
        f"layers make of it. What {name} takes from *{word}* has a direct effect of "
        f"{signed(direct)}, and in all it brings {signed(brings)}."
    )


def every_link_told(found, names, looks):
    """What holds over the links of one word in all heads, in a few sentences.

    Args:
        found: weights, direct effects and what is lost by a cut, each
            (num_layers, num_heads, num_keys).
        names: the words, numbered.
        looks: the word whose links they are.
    """
    weights, direct, lost = found
    if lost.shape[-1] == 1:
        return f"{plain(looks)} can see only itself: there is no link to cut."

    def link(number):
        layer, head, key = np.unravel_index(number, lost.shape)
        return f"*{names[key]}* in head {layer + 1}.{head + 1}", (layer, head, key)

    where, at = link(lost.argmax())
    told = (
        f"Of the {lost.size} links of {plain(looks)}, in all heads, the one that "
        f"matters most when cut goes to {where}: weight {weights[at]:.2f}, direct "
        f"effect {signed(direct[at])}, and without it the lead {falls(lost[at])}. "
    )
    # Much weight, and little lost without it.
    where, at = link((weights - abs(lost)).argmax())
    told += (
        f"The weight that misleads most, {weights[at]:.2f}, is on {where}: without "
        f"this link the lead {falls(lost[at])}. "
    )
    return told + guides_told(*(abs(one).ravel() for one in found))


def falls(lost):
    """How the lead moves by a cut: it falls, rises or stays."""
    moved = round(float(lost), 2)
    if not moved:
        return "stays as it is"
    return f"falls by {moved:.2f}" if moved > 0 else f"rises by {-moved:.2f}"


def guides_told(weights, direct, lost):
    """Which of two measures orders the links more as the cuts do.

    Args:
        weights, direct, lost: (num_links,) sizes.
    """
    agree = [same_order(one, lost) for one in (weights, direct)]
    if not np.isfinite(agree).all():
        return ""
    if abs(agree[0] - agree[1]) < ALIKE:
        guide = "The plain weight is here about as good a guide as the direct effect"
    elif agree[0] > agree[1]:
        guide = "The plain weight is here a better guide than the direct effect"
    else:
        guide = "The direct effect is here a better guide than the plain weight"
    near = (np.stack([weights, direct, lost]) < NEAR_ZERO).all(axis=0).sum()
    told = (
        f"{guide}: put in order of size, the links agree with their order by cuts with "
        f"a rank correlation of {agree[0]:.2f} for the weight and {agree[1]:.2f} for "
        "the direct effect (1 is the same order, 0 is no relation)."
    )
    if not near:
        return told
    return told + (
        f" But by all three measures {near} of the {len(lost)} links are near zero "
        f"(below {NEAR_ZERO})."
    )
