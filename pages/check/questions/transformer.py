"""Questions on the block, the families, and the first and the last digit."""

import numpy as np

from llm.digits.reader import read_digits
from llm.glassbox.ablation import Ablation
from llm.glassbox.block import block
from llm.models.parameters import count_parameters
from pages.check.questions.parts import Question, exactly, options, owners_start, pick


def feed_forward_size(models, rng):
    config = models.llm.config
    width, inner = config.embed_dim, config.feed_forward_dim
    part = next(p for p in count_parameters(config) if p.name == "feed-forward")
    words = int(rng.integers(6, 20))
    return Question(
        f"The vectors of the tiny LLM are {width} wide, its feed-forward layers have "
        f"{inner} inner units. How many parameters has one such layer?",
        options(
            (f"{part.each:,}", f"{width} × {inner} weights up and {inner} biases, then "
             f"{inner} × {width} weights down and {width} biases."),
            (f"{width * inner:,}", "That is one matrix. There are two: what each unit "
             "looks for, and what it writes."),
            (f"{part.each * words:,} for a sentence of {words} words", "All words go "
             "through the same layer with the same weights. A longer sentence costs "
             "more time and not one parameter more."),
            (f"{width + inner:,}", "Every number of the vector is linked with every "
             "unit, so they multiply."),
        ),
        f"{part.each:,}", functions=(count_parameters,),
    )


def silent_layer(models, rng):
    start, _, _ = owners_start(rng, models.world)
    layer = int(rng.integers(models.llm.config.num_layers))
    cuts = Ablation(layers={(layer, "feed_forward")})
    found = models.llm.trace(start, cuts).blocks[layer]
    change = float(np.abs(found.residual_after - found.residual_between).max())
    return Question(
        f"The feed-forward layer of block {layer + 1} is cut: it gives out zeros only. "
        "By how much do the vectors change on their way through it?",
        options(
            (f"By {change:g}: they pass as they were", "Each part adds to the stream. "
             "Who adds zeros changes nothing, and what the others wrote is still "
             "there."),
            ("They become zero, and all words look alike", "That would be so without "
             "the residual connection. With it, a layer cannot erase; it can only "
             "add."),
            ("They become the embeddings again", "What attention and the blocks before "
             "have added stays in the stream."),
            ("They become not-a-number, because LayerNorm divides by zero", "LayerNorm "
             "reads the stream, not the zeros alone, and its ε keeps it from ever "
             "dividing by zero."),
        ),
        f"By {change:g}: they pass as they were", start, (block,),
    )


def fill_the_blank(models, rng):
    twin = models.encoder()
    mover = pick(rng, ["animal", "dog", "bear", "duck"])
    text = f"the {mover} didn't cross the street because the [mask] was too scared"
    tokens = twin.tokens(text)
    found = twin.answers(text, tokens.index("[mask]"))
    said = f"{exactly(found[mover])} for `{mover}`"
    return Question(
        f"`{text.replace('[mask]', '___')}`: which of our models can use the word "
        "`scared` to fill the blank?",
        options(
            (f"The encoder twin: asked just now, it says {said}", "It looks in both "
             "directions, so what stands behind the blank counts."),
            ("The tiny LLM, because it has learned more stories", "However much it has "
             "learned, at the blank it sees only what stands before. `scared` comes "
             "after."),
            ("Both, for both have seen the whole sentence in training", "In training "
             "too, each word of the tiny LLM saw only the words before it: that is "
             "what the causal mask is for."),
            ("Neither: a blank has no embedding", "`[mask]` is a token like others, "
             "with a row of its own that says: something is missing here."),
        ),
        f"The encoder twin: asked just now, it says {said}",
        functions=(type(twin).answers,),
    )


def assistant(models, rng):
    return Question(
        "A large language model only continues text. What makes an assistant of it "
        "that answers?",
        options(
            ("More training of the same network: on tasks with good answers, and on "
             "what people preferred.", "Instruction data and human feedback change the "
             "weights, not the design. It still writes one token after the other."),
            ("A data base in which it looks up the answers.", "Some products add a "
             "search. But the model itself has weights only, and what it says comes "
             "out of them."),
            ("Rules that programmers wrote for each kind of question.", "Nobody could "
             "write that many. It is learned, as everything else."),
            ("An encoder that understands the question first.", "Most assistants are "
             "decoders alone: the question is simply the start of the text."),
        ),
        "More training of the same network: on tasks with good answers, and on what "
        "people preferred.",
    )


def many_in_the_middle(models, rng):
    weights = models.digits()
    length = len(weights.position_embeddings)
    first, last = rng.permutation(10)[:2]
    digits = rng.integers(0, 10, length)
    copies = 1 + rng.permutation(length - 2)[: length // 3]
    digits[copies], digits[0], digits[-1] = first, first, last
    same = float(read_digits(digits[None], weights)[1][0])
    share = float((digits == first).mean())
    row = " ".join(str(digit) for digit in digits)
    return Question(
        f"A row of {length} digits: {row}. How likely does the shipped Transformer "
        "think it that the first and the last are the same?",
        options(
            (exactly(same), f"It was asked just now. The first is {first}, the last "
             f"{last}. How often {first} comes between plays no part for the right "
             "answer."),
            (exactly(share), f"That is the share of {first} in the whole row. But "
             "asked was about two places only, and attention can pick them out."),
            ("50.0%, it cannot know", "A network that has not learned the task might "
             "say that. This one can look at both ends."),
            ("10.0%, as there are ten digits", "That is what one would bet without "
             "having seen the row."),
        ),
        exactly(same), functions=(read_digits,),
    )


def not_the_size(models, rng):
    found = models.record("first_and_last")
    scores = found["models"]
    ours, other = scores["Transformer"], scores["SimpleRNN"]
    return Question(
        f"On rows of {found['experiment']['length']} digits the Transformer is right "
        f"on {exactly(ours['accuracy'])} of the test rows, the SimpleRNN on "
        f"{exactly(other['accuracy'])}; always saying yes gets "
        f"{exactly(found['always_yes'])}. What do these figures say of the SimpleRNN?",
        options(
            ("Hold it against always saying yes: only what is above that was learned.",
             f"It is {100 * (other['accuracy'] - found['always_yes']):+.1f} points "
             "away from an answer that reads nothing at all."),
            ("It has learned about half of the task.", "Half right is what guessing "
             "gets. An accuracy means something only beside the dullest answer."),
            (f"It would be as good with the Transformer's {ours['parameters']:,} "
             "parameters.", "More room does not shorten the way: the first digit must "
             "still be carried through every step in between."),
            ("It needs fewer epochs: it has overfitted.", "Then it would be good on "
             "its training rows. It is not: it never found the link at all."),
        ),
        "Hold it against always saying yes: only what is above that was learned.",
    )


TRANSFORMER = {
    "feed_forward_size": ("block", feed_forward_size),
    "silent_layer": ("block", silent_layer),
    "blank": ("families", fill_the_blank),
    "assistant": ("families", assistant),
    "middle": ("first_and_last", many_in_the_middle),
    "baseline": ("first_and_last", not_the_size),
}
