"""Three ready paths through the course, stop by stop."""

from typing import NamedTuple


class Stop(NamedTuple):
    """One stop of a path.

    Attributes:
        minutes: how long the class stays there.
        lesson: the stem of the lesson, `exercises`, or `check`.
        settings: what stands in the address, so that the screen is the same for all.
        do: what the class does there.
        ask: what to ask before anything is shown, or while it is.
        wrong: what students get wrong, and what helps.
    """

    minutes: int
    lesson: str
    settings: dict
    do: str
    ask: str
    wrong: str


NEXT_TOKEN = Stop(
    10, "next_token", {"start": "the cat sat on the", "choosing": "true"},
    "At *Now you*, everybody shares out 100% among the words before the bars are "
    "shown. Then let the model continue the text at the top word by word.",
    "Which word comes next, and how sure can one be? Why can the same start go on in "
    "several ways?",
    "“It picks the likeliest word.” Let them press Next word, then change the seed: "
    "the word is drawn, so another one may stand there.",
)
ATTENTION = Stop(
    10, "attention", {"cut": "this link"},
    "Everybody guesses how much the last `the` gives to `animal` once `wide` stands "
    "for `tired`. Then cut one link after the other, and compare the bars.",
    "Which single word decides what `it` means? Does the answer need this link?",
    "“A thick line means the word is important.” A line says how much is read; cutting "
    "it says whether it mattered.",
)
FOUR_STEPS = Stop(
    15, "queries_keys_values", {"change": "true"},
    "Do the row of `it` with a calculator, then check it on the page. Change a number "
    "of the table and predict what happens to the row.",
    "Why do the four shares add up to one? What would happen without the square root?",
    "They divide the scores by their sum. Ask what that does to a negative score; then "
    "the exponential makes sense.",
)
SAMPLING = Stop(
    10, "sampling", {"start": "the cat sat on the"},
    "Drag the temperature to both ends, then cut with top-k and top-p, and draw a "
    "thousand times.",
    "What changes: what the model knows, or what is drawn? Which words can never come "
    "any more?",
    "“A low temperature makes it truthful.” It avoids unlikely slips; but where the "
    "likeliest word is wrong, it is only surer.",
)
WHY = Stop(
    10, "why", {"why_price": "true"},
    "Compare the steps that a fact has to pass through in a recurrent network and with "
    "attention.",
    "If a word is thirty words back: how many steps? What is the price of looking "
    "straight at it?",
    "“Attention is free.” Count the pairs for a text twice as long.",
)
HEADS = Stop(
    15, "heads", {"heads_exercise": "true"},
    "Predict which skill falls most when a head is cut, then cut it. The exercise at "
    "the end asks the same about other heads.",
    "What did this head do? How could we find out, except by cutting it?",
    "“Each head has one clear task.” Most do a mixture; the page says how much of its "
    "attention follows a role.",
)
POSITIONS = Stop(
    10, "positions", {"order": "1"},
    "Shuffle the words with and without positions.",
    "`dog bites man` and `man bites dog`: what does a sum over words know of the "
    "difference?",
    "“Attention meets the words one after the other.” It takes them all at once. Where "
    "a network looks both ways, only the row for the position tells the order; in a "
    "decoder the causal mask tells some of it, too.",
)
BLOCK = Stop(
    15, "block", {"start": "the keys to the old cabinet"},
    "Follow the last word from the embedding to the answer, part by part.",
    "What does each part do with the vector: replace it, or add to it? Where do most "
    "of the parameters sit?",
    "“Attention has most of the parameters.” Let them count one block.",
)
FAMILIES = Stop(
    10, "families", {},
    "Switch between encoder and decoder, and watch the mask and the blank.",
    "Why can a decoder write, and why can an encoder not? What turns a language model "
    "into an assistant?",
    "“ChatGPT looks answers up.” It continues a text; further training made the "
    "continuation an answer.",
)
DIGITS = Stop(
    15, "first_and_last", {},
    "Train the Transformer live; while it runs, ask for the baseline.",
    "A network is right on half of the rows. What has it learned?",
    "They take any accuracy for a success. First ask what always saying yes would get.",
)
TRAINING = Stop(
    15, "training", {},
    "Scrub through the training, and note at which step each skill arrives.",
    "Why can the loss not reach zero? Which skill comes last, and why?",
    "“More training always helps.” Show the exact floor.",
)
LOOK_INSIDE = Stop(
    15, "look_inside", {},
    "Follow one answer back to the word it came from, then cut the link.",
    "Which part gave most? What is missed without it? Is that the same question?",
    "They read a large attention weight as a reason. Cut it and see.",
)
YOUR_TEXT = Stop(
    15, "your_text", {},
    "Each group trains a model on a short text of its own.",
    "Is what it writes new, or copied? How can you tell?",
    "A fluent line is taken for understanding. The page marks what is copied.",
)
EXERCISES = Stop(
    10, "exercises", {"numbers": "1"},
    "Two exercises in pairs; each pair takes other numbers.",
    "Which step cost you most? Explain it to the other half of the pair.",
    "They round too early. Three digits on the way are enough for two at the end.",
)
BEFORE = Stop(
    8, "check", {"check_view": "Before and after"},
    "Everybody answers the twelve ideas, without any explanation.",
    "Nothing: no idea is discussed yet.",
    "They fear a mark. Say that only the difference to the second time counts.",
)
AFTER = Stop(
    8, "check", {"check_view": "Before and after", "check_when": "after"},
    "The same twelve ideas in other words; then everybody saves the file.",
    "Which idea has changed most for you?",
    "“Attention explains the answer” stays longest. Go back to the cut link.",
)

# From the name of a path to its lessons (of 45 or 90 minutes), each a list of stops.
PATHS = {
    "45 minutes": [[NEXT_TOKEN, ATTENTION, FOUR_STEPS, SAMPLING]],
    "90 minutes": [[BEFORE, NEXT_TOKEN, ATTENTION, FOUR_STEPS, HEADS, SAMPLING,
                    EXERCISES, AFTER]],
    "3 × 90 minutes": [
        [BEFORE, NEXT_TOKEN, WHY, ATTENTION, FOUR_STEPS, POSITIONS, EXERCISES],
        [HEADS, BLOCK, FAMILIES, DIGITS, EXERCISES._replace(minutes=20)],
        [TRAINING, LOOK_INSIDE, SAMPLING, YOUR_TEXT, EXERCISES, AFTER],
    ],
}


def minutes_of(stops):
    """How long a row of stops takes."""
    return sum(stop.minutes for stop in stops)
