"""What the figures of the lesson on the families mean, in sentences."""

from llm.studies.families import BOTH, DECODER, ENCODER
from pages.ui.words import counted, in_a_row, listed, percent, plain

ANIMAL, STREET, EITHER, NEITHER = (
    "`animal`, almost certainly", "`street`, almost certainly",
    "Both, each about as likely", "Neither",
)
NEARLY = 0.8  # from here on a word, or two together, are almost certain
CAN_COPY = 0.9  # from here on we say that a network can copy
MOST_UNKNOWN = 5  # words that are named
WHAT_FOR = {
    ENCODER: "**Encoder**: nothing is forbidden. Each word is understood from both "
    "sides. But it cannot continue a text: it was never asked what comes next. Good at "
    "*reading*: finding, classifying, comparing.",
    DECODER: "**Decoder**: nobody looks ahead, so every position can be trained to say "
    "what comes next, and that is all one needs to *write*. The tiny LLM is a decoder; "
    "ChatGPT and Claude are, too, as far as is known.",
    BOTH: "**Encoder-decoder**: one text is read from both sides, another is written "
    "from left to right, and its words look **across** at the whole of the first. Here "
    "the words before the blank are read, the others are written. Good at turning one "
    "text into *another*: translating, summarising.",
}


def guess_replies(said, truth):
    """The options of the guess with their replies, and the right one.

    Args:
        said: what the tiny LLM expects in the blank, from word to probability.
        truth: the same for the exact truth.
    """
    animal, street = said["animal"], said["street"]
    if max(animal, street) > NEARLY:
        right = ANIMAL if animal > street else STREET
    else:
        right = EITHER if animal + street > NEARLY else NEITHER
    figures = (
        f"It gives `animal` {percent(animal)} and `street` {percent(street)}: it has "
        "not come to `was too tired` yet. That is no fault: the exact chances here are "
        f"{percent(truth.get('animal', 0))} and {percent(truth.get('street', 0))}."
    )
    mixed_up = {
        ANIMAL: "That would need `tired`, which stands to the right of the blank.",
        STREET: "Nothing to the left of the blank speaks for the street alone.",
        EITHER: "They are not alike to it.",
        NEITHER: "Something that was named before must be the reason.",
    }
    return {
        option: figures if option == right else f"{reply} {figures}"
        for option, reply in mixed_up.items()
    }, right


def blank_in_words(hidden, left, both):
    """How well the hidden word can be known from the left, and from both sides.

    Args:
        hidden: the word.
        left, both: the exact distributions, from word to probability; empty where the
            world would never say the sentence.
    """
    if not both:
        return (
            "The toy world would never say this sentence, whatever stood in the blank. "
            "So there is no truth to compare with."
        )
    return (
        f"{plain(hidden)} was hidden. Its exact probability is "
        f"{percent(both.get(hidden, 0.0))} for one who sees both sides, and "
        f"{percent(left.get(hidden, 0.0))} for one who sees the left side only."
    )


def twin_in_words(ratio, copied, text, word, twin, llm):
    """How far the comparison of the two networks is fair, and whether both can copy.

    Args:
        ratio: how many times as many rows the tiny LLM was trained on.
        copied: the share of hidden words that the twin gets right where they can be
            copied from earlier in the story.
        text: a sentence with a blank.
        word: what belongs into the blank.
        twin, llm: what both networks give this word.
    """
    if ratio >= 1.5:
        more = f"The tiny LLM was trained on about {ratio:.0f} times as many rows"
    elif ratio <= 1 / 1.5:
        more = f"The twin was trained on about {1 / ratio:.0f} times as many rows"
    else:
        more = "Both were trained on about as many rows"
    rows = f"{more} of text. "
    can = "can copy, too" if copied >= CAN_COPY else "does not copy reliably"
    why = "" if copied >= CAN_COPY else " We did not measure why."
    return (
        f"{rows}The twin {can}: of hidden words that stand earlier in the story, such "
        f"as a colour, it gets {percent(copied)} right. In `{text}` it gives "
        f"{plain(word)} {percent(twin)}, the tiny LLM {percent(llm)}.{why}"
    )


def unknown_in_words(unknown):
    """Which words of a question it has never met; of many the first few.

    Args:
        unknown: a list of words, at least one.
    """
    more = len(unknown) - MOST_UNKNOWN
    shown = [plain(word) for word in unknown[:MOST_UNKNOWN]]
    told = in_a_row([*shown, counted(more, "other")] if more > 0 else shown, "or")
    return f"It has never met {told}."


def across_in_words(written, read, weights):
    """Which word of the text that is read a word takes most from.

    Args:
        written: the word that looks.
        read: the words that are looked at.
        weights: (num_read,)
    """
    most = [word for word, one in zip(read, weights, strict=True)
            if abs(one - max(weights)) < 1e-8]
    if len(most) > 1:
        return f"{plain(written)} takes equally much from {listed(most)}."
    return (
        f"{plain(written)} takes most from {plain(most[0])}. In this way a translator "
        "knows which word to translate next, although the two languages need not keep "
        "the same order."
    )
