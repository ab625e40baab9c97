"""What the figures of the lesson on heads mean, in sentences."""

import numpy as np

from llm.studies.roles import LEAST_SCORE, LEAST_TIMES_EVEN
from pages.ui.words import CHANCE, CLEAR_FALL, change_of, falls_of, percent, plain

DEPENDS, NONE, ALL = (
    "It depends on the head", "No skill falls, whichever head is cut",
    "All skills fall, whichever head is cut",
)


def cut_options(names, skills, whole, without):
    """What each option of the guess is answered with, from what was measured."""
    told = cuts_in_words(names, skills, whole, without)
    return {
        NONE: f"That would mean that no head does anything of its own. {told}",
        DEPENDS: told,
        ALL: f"That would mean that all heads do the same. {told}",
    }


def cuts_in_words(names, skills, whole, without):
    """What the single cuts do to all skills, in words."""
    falls = whole - without
    clear = (falls > CLEAR_FALL).sum(axis=1)
    row, column = np.unravel_index(falls.argmax(), falls.shape)
    if not clear.any():
        return "No single cut takes any skill down clearly."
    spared = int((clear == 0).sum())
    said = (
        f"Cut any one of {spared} of the {len(names)} heads, and no skill loses more "
        f"than {CLEAR_FALL:.0%} of its answers. " if spared
        else "Every cut takes some skill down. "
    )
    return said + (
        f"The deepest fall: without head {names[row]}, *{skills[column]}* "
        f"{change_of(whole[column], without[row, column])}."
    )


def two_heads_in_words(weights, names, tokens, chosen):
    """What the chosen head looks at, and a head that looks elsewhere, at the last word.

    Args:
        weights: (num_heads, num_tokens, num_tokens)
        names: what each head is called.
        tokens: the words.
        chosen: the name of the chosen head.
    """
    last = weights[:, -1]
    mine = last[names.index(chosen)]
    # The head that agrees least with this one about where to look, and is decided.
    other = int((last @ mine - last.max(axis=1)).argmin())
    told = f"At `{tokens[-1]}`, head {chosen} looks {most_at(mine, tokens)}"
    if last[other].argmax() == mine.argmax():
        return f"{told}, and so do the other heads."
    return f"{told}; head {names[other]} looks {most_at(last[other], tokens)}."


def most_at(row, tokens):
    """Where most of a row goes: `mostly at key (94%)`."""
    top = int(row.argmax())
    mostly = "mostly at" if row[top] > 0.5 else "at several words, most of all at"
    return f"{mostly} `{tokens[top]}` ({percent(row[top])})"


def cut_in_words(name, vocabulary, before, after, skills, whole, without):
    """What a cut changes: the likeliest word here, and the skills in many stories.

    Args:
        name: what the head is called.
        vocabulary: (vocab_size,) words.
        before, after: (vocab_size,) probabilities of the next word.
        skills: names, (num_skills,).
        whole, without: (num_skills,) accuracies.
    """
    top, now = int(before.argmax()), int(after.argmax())
    said = (
        f"Without head {name}, {plain(vocabulary[top])} "
        f"{change_of(before[top], after[top])}"
    )
    if now != top:
        said += f", and {plain(vocabulary[now])} leads with {percent(after[now])}"
    return f"{said}. Over many stories, {falls_of(skills, whole, without)}."


def roles_in_words(roles, record, role_of, shares):
    """Which heads have which role, as a list; and which have none.

    Args:
        roles: `Role`s, in the order of the columns of `shares`.
        record: the record of the roles.
        role_of: a dictionary from head to the names of its roles.
        shares: (num_heads, num_roles)
    """
    lines = []
    for role, column in zip(roles, shares.T, strict=True):
        bound = max(LEAST_SCORE, LEAST_TIMES_EVEN * record[role.name]["even"])
        having = [name for name, mine in role_of.items() if role.name in mine]
        lines.append(
            f"- **{role.name}**, {role.example}: " + (
                f"{', '.join(having)}." if having else
                f"no head has this role, for which {percent(bound)} would be needed; "
                f"the highest share is {percent(column.max())}."
            )
        )
    nameless = [name for name, mine in role_of.items() if not mine]
    if nameless:
        lines.append(f"\nNone of these roles fits {', '.join(nameless)}.")
    return "\n".join(lines)


def strongest_role_in_words(names, roles, shares, role):
    """Which head follows a role most, and over how many words that was measured.

    Args:
        names: what each head is called.
        roles: the record of the roles.
        shares: (num_heads, num_roles)
        role: the name of the role.
    """
    column = shares[:, list(roles).index(role)]
    return (
        f"head {names[int(column.argmax())]} ({percent(column.max())} of its "
        f"attention, over {roles[role]['count']:,} words)"
    )


def first_token_in_words(names, shares, even, most, lengths):
    """How much attention rests on the first token, and what is taken from there.

    Args:
        names: what each head is called.
        shares: (num_heads,) of the attention.
        even: the share if everything were looked at alike.
        most: the head that rests there most.
        lengths: (num_tokens,), the size of what this head would write if it looked at
            one token only.
    """
    resting = int((shares > 2 * even).sum())
    said = (
        f"Of {len(names)} heads, {resting} {'gives' if resting == 1 else 'give'} it "
        f"more than twice what looking at everything alike would ({percent(even)}). "
        f"Head {names[most]} rests there most, with {shares[most]:.1%}. "
    )
    if len(lengths) == 1:
        return said
    ratio = lengths[0] / lengths[1:].mean()
    return said + (
        f"In this sentence, what this head would take from `<start>` is {ratio:.2f} "
        "times as large as what it would take from one of the other words, on average."
    )


def one_against_several(several, one):
    """How trainings with several heads and with one end, in words.

    Args:
        several, one: lists of the excess at the end, one number a training.
    """
    told = " and ".join(
        (f"{min(part):.4f} to {max(part):.4f}" if len(part) > 1 else f"{part[0]:.4f}")
        + f" {where} {name}"
        for part, where, name in (
            (several, "above it with", "several heads"), (one, "with", "one")
        )
    )
    return (
        "Even a perfect model cannot bring the loss (lesson 12, in nats) below a "
        f"*floor*. These end {told}."
    )


def role_cut_in_words(name, skill, skills, whole, without):
    """What becomes of one skill when a head is cut out, in words.

    Args:
        name: what the head is called.
        skill: the skill that the head may serve.
        skills: names, (num_skills,).
        whole, without: (num_skills,) accuracies.
    """
    column = list(skills).index(skill)
    before, after = float(whole[column]), float(without[column])
    guessing = f" (guessing gets {percent(CHANCE[skill])})" if skill in CHANCE else ""
    if before - after > CLEAR_FALL:
        return (
            f"without head {name}, *{skill}* falls from {percent(before)} to "
            f"{percent(after)}{guessing}, so the model does need it."
        )
    if percent(before) == percent(after):
        return (
            f"without head {name}, *{skill}* is still right in {percent(after)} of the "
            "cases, so the model hardly needs it for that."
        )
    return (
        f"without head {name}, *{skill}* is right in {percent(after)} of the cases, "
        f"with it in {percent(before)}. So the model hardly needs it for that."
    )


def tiny(difference):
    """A difference by rounding: `0.00000191`, `less than 0.00000001`."""
    least = 1e-8
    return f"{difference:.8f}" if difference >= least else f"less than {least:.8f}"


def copies_in_words(difference):
    """How far the gradients of two equal heads differ, in words.

    Args:
        difference: the largest difference of two of their numbers.
    """
    if difference == 0:
        return "The two copies get exactly the same gradient."
    return (
        f"The gradients of the two copies differ by {tiny(difference)}, and that is "
        "rounding."
    )


def two_ways_in_words(multiplied, mixed):
    """How far one wide matrix differs from one for each head, in words.

    Args:
        multiplied: the largest difference on the way in.
        mixed: the largest difference on the way out.
    """
    def apart(difference):
        return f"differ by {tiny(difference)}" if difference else "agree exactly"

    rest = "" if multiplied == mixed == 0 else " What is left is rounding."
    return (
        f"the two ways {apart(multiplied)}; on the way out, joining and then mixing, "
        f"and mixing each by itself and adding, {apart(mixed)}.{rest}"
    )
