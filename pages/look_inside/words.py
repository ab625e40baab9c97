"""What showing the working found, in sentences that follow from its numbers."""

from itertools import pairwise

import numpy as np

from llm.studies.attribution import FEED_FORWARD, HEAD, PLACE, WORD
from pages.ui.words import (
    escaped,
    in_a_row,
    numbered,
    percent,
    plain,
    rounded_sum,
    signed,
)

# From these shares of the lead on a word has a colour, and a strong one.
COLOURED, STRONG = 0.05, 0.25
LOST_SIGHT = 0.5  # below this share of its attention a word is no longer found


def coloured_sentence(tokens, gives, total):
    """The words, each coloured by what it gives: blue for the answer, orange against.

    Args:
        tokens: (num_tokens,) words.
        gives: (num_tokens,), what each gives to the lead.
        total: the lead.
    """
    shares = gives / total
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
    """What is explained: a logit, or its lead over another."""
    if against is None:
        return f"the logit of {plain(chosen)}"
    return f"the lead of {plain(chosen)} over {plain(against)}"


def stops_of(path):
    """The positions that a path comes by, each once."""
    return list(dict.fromkeys(path.tokens))


def path_told(tokens, path, flow, asked):
    """The path, and what share of the answer it explains."""
    way = " → ".join(f"**{escaped(tokens[stop])}**" for stop in stops_of(path))
    share = path.amount / flow.total if flow.total > 0 else float("nan")
    told = (
        f"The strongest path, {way}, brings {signed(path.amount)} to {asked}, which is "
        f"{flow.total:.2f}"
    )
    if 0 < share <= 1:
        return f"{told}: **{percent(share)}** of it. {rest_told(flow)}"
    more = "more than all of it, because other ways take away"
    return f"{told}: {more}. {rest_told(flow)}"


def rest_told(flow):
    """What all words give, and what comes from biases, so that it adds up."""
    words, fixed = rounded_sum([flow.words.sum(), flow.fixed])
    return (
        f"All words together give {signed(words)}. The rest, {signed(fixed)}, comes "
        "from biases and from no word."
    )


def steps_of(path):
    """The steps of a path from block to block, the last first.

    Returns:
        A dictionary from name to (block, key, query).
    """
    steps = list(enumerate(pairwise(path.tokens)))
    return {f"block {block + 1}": (block, *step) for block, step in reversed(steps)}


def step_told(tokens, block, key, query, by_head):
    """One step of the path: who carried it."""
    names = numbered(tokens)
    if key == query:
        return (
            f"In block {block + 1} the path stays with *{names[key]}*. The residual "
            "stream hands it on unchanged, and a head may look at its own word:"
        )
    best = int(by_head.argmax())
    helpers = [f"head {block + 1}.{head + 1}" for head in np.argsort(-by_head)
               if by_head[head] > 0.2 * by_head[best]]
    return (
        f"In block {block + 1} *{names[query]}* looks at *{names[key]}* and takes its "
        f"value. Most of it comes through {in_a_row(helpers)}:"
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
        lines.append(
            f"1. To {of}, {stop.total:.2f}, **{signed(stop.amount)}** came from "
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
        NOTHING: "That is what the sum suggests. But the cut changes what later layers "
        "find.",
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
    return (
        f"In the sentence about Mia's kite, head {link.head} lets *{link.looks}* look "
        f"at *{link.at}* with {percent(link.weight)} of its attention. The lead of "
        f"{plain(answer)} is {link.total:.2f}, and this link brings only "
        f"{signed(link.brings)} of it."
    )


def cut_told(whole, cut, answer):
    """What the cut of one link did: to the answer, and to who looks where.

    Args:
        whole, cut: (probability of the answer, mean attention of the last block's
            heads to the word of the path).
        answer: the word.
    """
    told = (
        f"Without it the probability of {plain(answer)} falls from {percent(whole[0])} "
        f"to {percent(cut[0])}. "
    )
    if cut[1] > LOST_SIGHT * whole[1]:
        return told + (
            "What it brings is only a part of what it does: later layers compute with "
            "it, and no sum of contributions shows that."
        )
    return told + (
        "The heads of the last block no longer find the right word: their mean "
        f"attention to it falls from {percent(whole[1])} to {percent(cut[1])}. The "
        "link tells them *where to look*, and no sum of contributions shows that."
    )
