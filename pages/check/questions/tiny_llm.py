"""Questions on the tiny LLM: from the next token to one's own text."""

import math

import numpy as np

from llm.exercises.parts import owners_start, pick, pick_several, place_start
from llm.glassbox.sampling import top_p, with_temperature
from llm.glassbox.softmax import softmax, softmax_with_temperature
from llm.studies.link_effects import without_link
from llm.studies.stream import logit_lens
from llm.world import words
from pages.check.questions.parts import Question, exactly, options
from pages.ui.words import change_of, percent, places_that_add_up


def times_as_likely(models, rng):
    start = place_start(rng)
    logits = models.llm.next_logits(start).astype(float)
    first, second = np.argsort(-logits, kind="stable")[:2]
    one, other = (models.llm.tokenizer.vocabulary[n] for n in (first, second))
    apart = float(logits[first] - logits[second])
    shares = softmax(logits)
    times = f"About {shares[first] / shares[second]:.2f} times"
    return Question(
        f"The logit of `{one}` is {apart:.2f} above that of `{other}`. How much "
        f"likelier is `{one}`?",
        options(
            (times, f"e to the {apart:.2f}. The sum in softmax is the same for both, "
             "so only the difference of the two counts."),
            (f"About {apart:.2f} times", "Logits are not shares. Softmax takes the "
             "exponential of them, so a difference becomes a factor."),
            ("That depends on all other logits", "Their probabilities do. Their ratio "
             "does not: both are divided by the same sum."),
            (f"About {10**apart:.2f} times", "The base is e, "
             f"about {math.e:.2f}, and not ten."),
        ),
        times, start, (softmax,),
    )


def no_ground(models, rng):
    owner, colour = pick(rng, words.PEOPLE), pick(rng, words.COLOURS)
    has, asked = pick_several(rng, words.THINGS, 2)
    text = f"{owner} has a {colour} {has} . {owner} 's {asked} is"
    said = models.llm.next_token(text)
    best, share = next(iter(said.items()))
    right = f"It writes fluently on: `{best}` with {percent(share)}"
    return Question(
        f"{owner.capitalize()} has a {has} and no {asked}. What does the tiny LLM make "
        "of this start?",
        options(
            (right, "Softmax always gives away 100%, and nothing in the training "
             "asked the model to say that it does not know. That is a hallucination."),
            (f"It gives each of its {len(said)} words the same, "
             f"{percent(1 / len(said))}", "What kind of word stands here it does know, "
             "and gives that kind far more."),
            ("It gives every word a probability near 0", "They must add up to one, "
             "whatever was asked."),
            ("It ends the story: `<end>`", "That would be wise. But after `is` no "
             "story ever ended, so it has learned to go on."),
        ),
        right, tuple(text.split()), (softmax,),
    )


def other_temperature(models, rng):
    start, temperature = place_start(rng), pick(rng, [0.5, 0.25])
    logits = models.llm.next_logits(start)
    before, after = (
        softmax_with_temperature(logits, T).max() for T in (1.0, temperature)
    )
    word = models.llm.tokenizer.vocabulary[int(logits.argmax())]
    return Question(
        f"At temperature 1 the likeliest word, `{word}`, has {exactly(before)}. What "
        f"has it at temperature {temperature:g}?",
        options(
            (exactly(after), f"The logits are divided by {temperature:g} before "
             "softmax, so differences grow and the likeliest gains, but never all."),
            (exactly(before), "Temperature changes every share. Only the order of the "
             "words stays."),
            (exactly(min(before / temperature, 1.0)), "It is the logits that are "
             "divided by the temperature, not the probabilities."),
            (exactly(before * temperature), "The other way: below 1 the likely words "
             "gain. Above 1 they lose."),
            ("100.0%", "Only at temperature 0, which takes the likeliest always."),
        ),
        exactly(after), start, (softmax_with_temperature,),
    )


def words_left(models, rng):
    start, p = place_start(rng), pick(rng, [0.5, 0.6, 0.7, 0.8])
    probabilities = with_temperature(models.llm.next_logits(start), 1.0)
    left = int((top_p(probabilities, p) > 0).sum())
    above, size = int((probabilities >= p).sum()), len(probabilities)
    shown = ", ".join(
        f"`{models.llm.tokenizer.vocabulary[n]}` {percent(probabilities[n])}"
        for n in np.argsort(-probabilities, kind="stable")[:8]
        if probabilities[n] >= 0.005
    )
    return Question(
        f"The model says {shown} and little else. How many words does top-p with p = "
        f"{p:g} leave to draw from?",
        options(
            (f"{left}", f"The likeliest are taken in turn until together they reach "
             f"{p:g}; the one that reaches it still counts."),
            (f"{above}", f"So many have {p:g} or more by themselves. But their sum is "
             "what has to reach it."),
            (f"{round(size * p)}", f"{p:g} is a share of the probability, not of the "
             f"{size} words."),
            (f"{left + 2}", "Count on only until the sum is reached; what comes after "
             "is cut."),
            (f"{max(left - 1, 1)}", f"Together they do not reach {p:g} yet."),
        ),
        f"{left}", start, (top_p,),
    )


def above_the_floor(models, rng):
    last = models.record("tiny_llm")["training"]["scores"][-1]
    floor, left = last["floor"], last["excess"]
    loss = floor + left
    places = places_that_add_up(floor, left, places=4)
    right = (
        "The stories themselves are undecided: on those of the exam, no model gets "
        f"below {floor:.3f} on average."
    )
    return Question(
        f"At the end of its training the tiny LLM has a loss of {loss:.3f} nats a "
        "token. Why not 0?",
        options(
            (right, "After `the cat sat on the` several words are right. The exact "
             f"floor is known here: of the {loss:.{places}f} nats, {floor:.{places}f} "
             f"belong to the stories, and {left:.{places}f} are the model's own "
             "fault."),
            ("It was not trained long enough.", "More training could win "
             f"{left:.{places}f} at most. What is below belongs to the stories."),
            ("It has too few parameters.", "A larger model cannot foresee either what "
             "was drawn at random."),
            ("Because of rounding.", "Single precision makes errors near a millionth. "
             f"{loss:.3f} is far more than that."),
        ),
        right,
    )


def surprise(models, rng):
    start = place_start(rng)
    said = models.llm.next_token(start)
    word, share = pick(rng, list(said.items())[:4])
    nats = f"{-math.log(share):.2f}"
    return Question(
        f"The model gave `{word}` a probability of {share:.3f}, and `{word}` it was. "
        "What does this place add to the loss, in nats?",
        options(
            (nats, f"−ln {share:.3f}. Had it been certain, it would be 0; the less it "
             "expected the word, the more."),
            (f"{1 - share:.2f}", "That is how much it gave to other words. The loss "
             "takes the logarithm, which penalises a near 0 without limit."),
            (f"{-math.log10(share):.2f}", "That is with the logarithm to base ten. "
             "Nats are counted with the natural one."),
            (f"{share:.2f}", "Then being surer of the right word would cost more."),
        ),
        nats, start, (softmax,),
    )


def one_to_the_right(models, rng):
    start = place_start(rng)
    inputs = ["<start>", *start[:-1]]
    right = "`" + " ".join(start) + "`"
    return Question(
        f"In training, the inputs are `{' '.join(inputs)}`. What are the targets?",
        options(
            (right, "The same text, one to the right: each place must say what comes "
             "next. So one sentence is as many exercises as it has words."),
            ("`" + " ".join(inputs) + "`", "Then each place would only have to repeat "
             "the word that it can see."),
            (f"`{start[-1]}`, and nothing else", "Every place gets a target, not only "
             "the last; the mask keeps each from seeing it."),
            ("`" + " ".join(reversed(inputs)) + "`", "Nothing is turned round. The "
             "next word is what is asked for, everywhere."),
        ),
        right,
    )


def settled(models, rng):
    llm = models.llm
    start, right, _ = owners_start(rng)
    stops = llm.trace(start).residuals()[::2]
    last = np.stack([stop[-1] for stop in stops])
    said = logit_lens(llm.weights, last).argmax(axis=-1)
    names = ["the embeddings", *(f"block {n}" for n in range(1, len(stops)))]
    best = said[-1]
    at = next(n for n in range(len(said)) if (said[n:] == best).all())
    replies = {}
    for number, name in enumerate(names):
        word = llm.tokenizer.vocabulary[said[number]]
        if number < at:
            replies[name] = f"Read out after {name} it would say `{word}`. " + (
                "The row of the last word and its place know nothing yet of the "
                "sentence." if number == 0 else "The colour has not arrived yet."
            )
        elif number == at:
            replies[name] = f"From there on it says `{word}`, up to the end."
        else:
            replies[name] = (
                f"It says `{word}` after {name} too, but it did so before. Asked is "
                "from where on."
            )
    return Question(
        "The logit lens reads the vector of the last word out early. From which stop "
        f"on is `{llm.tokenizer.vocabulary[best]}` on top, and stays there?",
        replies, names[at], start, (logit_lens,),
    )


def weight_is_not_effect(models, rng):
    llm = models.llm
    for _ in range(20):
        start, right, _ = owners_start(rng)
        run, word = llm.trace(start), llm.tokenizer.ids[right]
        rows = np.stack([block.attention_weights[:, -1] for block in run.blocks])
        layer, head, key = np.unravel_index(
            (rows * (rows < 0.97)).argmax(), rows.shape)
        before = softmax(run.logits[-1].astype(float))[word]
        cut = without_link(llm.weights, run, layer, head, len(run.tokens) - 1, key)
        after = softmax(cut.astype(float))[word]
        weight = float(rows[layer, head, key])
        if abs(after - before) < 0.05:
            break
    little = abs(after - before) < 0.05
    answer = (
        "Here this link matters little, however large its weight."
        if little else "This link matters here; its weight alone did not say so."
    )
    return Question(
        f"Head {layer + 1}.{head + 1} gives {percent(weight)} of its attention to "
        f"`{run.tokens[key]}` (position {key}). That one link is cut, and the "
        f"probability of `{right}` {change_of(before, after, say=exactly)}. "
        "What follows?",
        options(
            (answer, "How much was read is one question, how much it mattered another. "
             "The value may say little about this word, the freed weight goes to "
             "others, and other heads bring the same."),
            (f"The weight {percent(weight)} was computed wrongly.", "It is the weight "
             "that the head really gave. It says how much of the value was taken, not "
             "what the value did."),
            (f"The link gave {percent(weight)} of the answer.", "A weight is a share "
             "of what one head takes, not a share of the answer."),
            ("Attention weights are made up after the fact.", "They are part of the "
             "computation: each value really is multiplied by its weight."),
        ),
        answer, start, (without_link,),
    )


def by_heart(models, rng):
    seen, kept = rng.uniform(0.02, 0.2), rng.uniform(3.0, 5.0)
    return Question(
        "You train on a short text of your own, for a long time. The loss on the text "
        "falls "
        f"to {seen:.2f}, on the part that was kept back it rises to {kept:.2f}. What "
        "has happened?",
        options(
            ("It has learned the text by heart.", "It knows what follows in this text, "
             "and is sure of the wrong things elsewhere. That is overfitting, and "
             "kept-back text is how one sees it."),
            ("It is very good: the loss is near 0.", "On what it has seen. What a "
             "model is worth shows on what it has not."),
            ("The kept-back part is harder.", "A harder part has a higher loss, but "
             "one that falls with the other. Here it rises while the other falls."),
            ("It needs more steps.", "More steps would push the two further apart. "
             "More text would help, or a smaller model, or stopping sooner."),
        ),
        "It has learned the text by heart.",
    )


def unknown_sign(models, rng):
    character = pick(rng, ["ß", "q", "7", "é"])
    return Question(
        "A model is trained on the letters of your text, in which there is no "
        f"`{character}`. How likely is `{character}` in what it writes?",
        options(
            (
                "Impossible: it has no row and no logit.",
                "The vocabulary is made from "
                "the text. What is not in it can be neither read nor written.",
            ),
            (
                "Unlikely, but possible.",
                "Softmax spreads over the vocabulary. A character "
                "that is not in it gets no share at all.",
            ),
            (
                "As likely as in English.",
                "The model knows nothing of English but what the text shows.",
            ),
            (
                "Possible at a high temperature.",
                "A temperature changes the shares of "
                "the characters that there are. It adds none.",
            ),
        ),
        "Impossible: it has no row and no logit.",
    )


TINY_LLM = {
    "times_as_likely": ("next_token", times_as_likely),
    "no_ground": ("next_token", no_ground),
    "temperature": ("sampling", other_temperature),
    "words_left": ("sampling", words_left),
    "floor": ("training", above_the_floor),
    "surprise": ("training", surprise),
    "one_to_the_right": ("training", one_to_the_right),
    "settled": ("look_inside", settled),
    "weight_or_effect": ("look_inside", weight_is_not_effect),
    "by_heart": ("your_text", by_heart),
    "unknown_sign": ("your_text", unknown_sign),
}
