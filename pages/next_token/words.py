"""What the figures of the lesson on the next token mean, in sentences."""

from pages.ui.words import percent

DRAWS = 100  # that are talked about
LIKELY, RARE = "mat", "roof"


def expected_in_words(tokens, temperature, with_truth):
    """What the bars show, before the words are listed.

    Args:
        tokens: the words so far.
        temperature: of the slider.
        with_truth: whether the truth is shown too.
    """
    said = (
        f"At temperature {temperature:g}, after '{' '.join(tokens) or '<start>'}' the "
        "tiny LLM expects"
    )
    if with_truth and temperature != 1:
        said += ", with the truth at the same temperature"
    return said


def written_aloud(steps):
    """The last word that was written, for those who listen to the page."""
    if not steps:
        return ""
    last = steps[-1]
    probability = float(last.probabilities[last.token_id])
    return f"{last.token} written, {percent(probability)}"


def quiz(said, truth):
    """The question at the end, with the figures of the model.

    Args:
        said: the model's probability of every word after the course's own start.
        truth: the exact probabilities there.

    Returns:
        The question, what each answer is answered with, and the right one.
    """
    some = round(DRAWS * said[RARE])
    right = f"The number that was drawn fell on the stretch of `{RARE}`."
    return (
        f"The tiny LLM gives `{LIKELY}` {percent(said[LIKELY])} and `{RARE}` "
        f"{percent(said[RARE])}, and it wrote `{RARE}`. What happened?",
        {
            "The model made a mistake.": f"Of {DRAWS} draws about {some} fall on "
            f"`{RARE}`, and that is no mistake: in the world itself `{RARE}` comes in "
            f"{percent(truth[RARE])} of these stories.",
            right: "Words are drawn, not picked: each as often as its probability "
            "says.",
            "The temperature was too low.": f"A lower temperature makes `{RARE}` rarer "
            "still.",
            "The seed was wrong.": "No seed is right or wrong. It only fixes which "
            "numbers are drawn, so that you see the same again.",
        },
        right,
    )
