"""What the figures of the lesson on sampling mean, in sentences and in LaTeX."""

from llm.studies.sampling import (
    WITHIN_DEVIATIONS,
    allowed,
    chance_of_exactly,
    deviation,
)
from pages.sampling.count_charts import within
from pages.ui.latex import word as in_latex
from pages.ui.words import (
    counted,
    escaped,
    percent,
    places_that_agree,
    plain,
    verdict_in_words,
)

FEW = 30  # draws; below, no sentence says how far chance may go


def guesses(word, probability, num_draws):
    """How often a word may come in so many draws, as a student may guess.

    Args:
        word: the likeliest.
        probability: of the word.
        num_draws: how many draws are asked about.

    Returns:
        A dictionary from option to what it is answered with, the right option, and a
        dictionary from option to the lowest and highest share that it allows.
    """
    mean = round(probability * num_draws)
    low, high = allowed(probability, num_draws)
    spread = deviation(probability, num_draws)
    hit = chance_of_exactly(mean, probability, num_draws)
    between = f"{low * num_draws:.0f} to {high * num_draws:.0f}"
    always = f"{num_draws:,} times: the likeliest word wins"
    exactly = f"exactly {mean:,} times"
    about = f"about {mean:,} times, a little more or less"
    anything = f"any number of times up to {num_draws:,}: it is chance"
    replies = {
        always: f"The likeliest word has only {percent(probability)} of the line, and "
        "the number often falls on another word.",
        exactly: f"That is the mean, but only {percent(hit)} of such experiments hit "
        "it exactly.",
        about: f"Chance moves the count by about $\\sqrt{{n\\,p\\,(1-p)}} = "
        f"{spread:.1f}$ either way, and {percent(WITHIN_DEVIATIONS)} of all counts lie "
        f"within two such steps: {between}.",
        anything: f"One draw is chance, but {num_draws:,} together are not: "
        f"{percent(WITHIN_DEVIATIONS)} of all counts are {between}.",
    }
    shares = {
        always: (1.0, 1.0), exactly: (probability, probability), about: (low, high),
        anything: (0.0, 1.0),
    }
    return replies, about, shares


def draws_in_words(number, seed, u, taken):
    """How many draws there were, and where the last one fell."""
    fell = f"number was {u:.4f} and fell on {plain(taken)}."
    if number == 1:
        return f"**One draw**, from seed {seed}: the {fell}"
    return f"**{number:,} draws**, all from seed {seed}. The last {fell}"


def counts_in_words(data):
    """What chance did to the counts, computed from them.

    Args:
        data: from `pages.sampling.count_charts.counts_data`.
    """
    total, best = int(data["count"].sum()), data.iloc[0]
    judged = data[data["enough"]]
    if total < FEW or judged.empty:
        return (
            f"{counted(total, 'draw')} cannot show a probability: the next few may "
            "fall quite differently. Draw more."
        )
    inside = int(within(judged).sum())
    do = "does" if inside == 1 else "do"
    said = (
        f"The pale bands reach two standard deviations to each side, where "
        f"{percent(WITHIN_DEVIATIONS)} of all counts lie. Here {inside} of "
        f"{counted(len(judged), 'count')} {do}."
    )
    if not best["enough"]:
        return said
    low, high = best["low"] * total, best["high"] * total
    came = "once" if best["count"] == 1 else f"{best['count']:,} times"
    return (
        f"{said} For {plain(best['word'])}, {best['theory']:.2%} of {total:,} is "
        f"{best['theory'] * total:.1f}, and the band goes from {low:.0f} to "
        f"{high:.0f}: it came {came}."
    )


def after_cuts_by_hand(word, before, kept, after):
    """How the share of a word grows when other words are cut, in LaTeX.

    Args:
        word: one that is kept.
        before: its share after softmax.
        kept: what all kept words have together.
        after: its share when that is rescaled to 1.
    """
    places = places_that_agree(lambda part, whole: part / whole, before, kept, places=3)
    return (
        rf"P({in_latex(word)}) = \frac{{{before:.{places}f}}}{{{kept:.{places}f}}}"
        rf" = {after:.3f}"
    )


def sweep_in_words(record):
    """What the stories at several temperatures showed.

    Args:
        record: the contents of `assets/sweep.json`.
    """
    rows, number = record["temperatures"], record["stories"]
    coldest, hottest = rows[0], rows[-1]
    natural = min(rows, key=lambda row: abs(row["temperature"] - 1))
    normal = f"{natural['temperature']:g}"
    different = round(coldest["different"] * number)
    cold = "all are the same story" if different == 1 else (
        f"there are {different:,} different stories")
    new = round(natural["different"] * number)
    unlike = "no two are alike" if new == number else (
        f"there are {new:,} different ones")
    return (
        f"At temperature {coldest['temperature']:g}, {cold}. At {normal}, as it was "
        f"trained, {percent(natural['possible'])} of the {number:,} stories are "
        f"possible, and {unlike}. "
        f"At {hottest['temperature']:g}, {percent(hottest['possible'])} are possible. "
        "One wrong word spoils a whole story, so small errors grow with its length."
        + held_out_in_words(natural, number)
    )


def held_out_in_words(row, number):
    """How many stories were impossible for their pair of words alone.

    Args:
        row: one temperature of the record.
        number: how many stories were written there.
    """
    count = round(row["held_out"] * number)
    if not count:
        return ""
    are = "story breaks" if count == 1 else "stories break"
    return (
        f" At {row['temperature']:g}, among those not possible, {count} {are} no "
        "rule of grammar: two words meet there that we kept apart in the whole "
        "training, to see whether the model combines them."
    )


def stories_list(verdicts, num_given):
    """Stories with what the world says of each, as a list in Markdown.

    Args:
        verdicts: a list of `llm.studies.sampling.Verdict`.
        num_given: how many words were given; the others were written. The first
            impossible word is bold.
    """
    lines = []
    for number, verdict in enumerate(verdicts, start=1):
        words = [escaped(word) for word in verdict.tokens]
        if verdict.impossible is not None:
            words[verdict.impossible] = f"**{words[verdict.impossible]}**"
        said = escaped(verdict_in_words(verdict))
        lines.append(f"{number}. … {' '.join(words[num_given:])}  \n*{said}*")
    return "\n".join(lines)


def stories_in_words(name, verdicts):
    """How many stories differ, and how many the world could have written."""
    different = len({verdict.tokens for verdict in verdicts})
    possible = sum(verdict.possible for verdict in verdicts)
    said = f"{different} different stories"
    if different == 1:
        said = "the same story every time"
    count = len(verdicts)
    return f"**{name}**: {said}, and {possible} of {count} could be from the world."
