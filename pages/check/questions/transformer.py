"""Questions on the block, the families, and the first and the last digit."""

import numpy as np

from llm.digits.reader import read_digits
from llm.exercises.parts import owners_start, pick
from llm.glassbox.ablation import Ablation
from llm.glassbox.block import block
from llm.models.parameters import count_parameters
from pages.check.questions.parts import Question, exactly, options
from pages.ui.words import in_a_row


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
    start, _, _ = owners_start(rng)
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
    filled = twin.answers(text, tokens.index("[mask]"))[mover]
    llm = models.llm
    written = llm.next_token(text.split(" [mask]")[0])[mover]
    right = f"The encoder twin: it gives `{mover}` {exactly(filled)}"
    return Question(
        f"`{text.replace('[mask]', '___')}`: which of our models can use the word "
        "`scared` to fill the blank? Both were asked just now.",
        options(
            (right, "It looks in both directions, so what stands after the blank "
             "counts."),
            (f"The tiny LLM: it gives `{mover}` {exactly(written)}", "It has read "
             "more stories, but at the blank it sees only what stands before. "
             "`scared` comes after, and the two nouns are about as likely to it."),
            ("Both: their probabilities show it", f"The tiny LLM gives `{mover}` "
             f"{exactly(written)}. It has not seen `scared`: in training too, the "
             "causal mask hid every later word."),
            (f"Neither: a blank has no row, so `{mover}` gets "
             f"{exactly(1 / len(llm.tokenizer))}", "`[mask]` is a token like others, "
             "with a row of its own that says: something is missing here."),
        ),
        right, functions=(type(twin).answers,),
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
    first, last = 1 + rng.permutation(9)[:2]
    digits = rng.integers(1, 10, length)
    copies = 1 + rng.permutation(length - 2)[: length // 3]
    digits[copies], digits[0], digits[-1] = first, first, last
    same = float(read_digits(digits[None], weights)[1][0])
    share = float((digits == first).mean())
    row = " ".join(str(digit) for digit in digits)
    return Question(
        f"A row of {length} digits: {row}. How likely does our trained Transformer "
        "think it that the first and the last are the same?",
        options(
            (exactly(same), f"It was asked just now. The first is {first}, the last "
             f"{last}. How often {first} comes between plays no part for the right "
             "answer."),
            (exactly(share), f"That is the share of {first} in the whole row. But "
             "asked was about two places only, and attention can pick them out."),
            (f"{exactly(1 / 2)}, it cannot know", "A network that has not learned the "
             "task might say that. This one can look at both ends."),
            (f"{exactly(1 / 9)}, as there are nine digits", "So often two digits drawn "
             "by chance agree. But the network has seen this row, and half of the "
             "rows that it learned from were made to agree."),
        ),
        exactly(same), functions=(read_digits,),
    )


def not_the_size(models, rng):
    record = models.record("first_and_last")
    ours, other = (record["models"][name] for name in ("Transformer", "SimpleRNN"))
    always = record["always_yes"]
    reached = [run["accuracy"] for run in runs_of(other)]
    above = sum(accuracy > always + CLEARLY for accuracy in reached)
    times = "once" if len(reached) == 1 else f"{len(reached)} times"
    counted = f"{above} of {len(reached)} ended clearly above it"
    return Question(
        f"On rows of {record['experiment']['length']} digits a SimpleRNN was trained "
        f"{times}, each time from other first weights. It ended right on "
        f"{in_a_row([exactly(one) for one in reached])} of the test rows; always "
        f"saying yes gets {exactly(always)}. What do these figures say?",
        options(
            (HOLD_IT, f"{counted[:1].upper()}{counted[1:]}. A result near the baseline "
             "may be no result at all, and one run says little."),
            ("It has learned about half of the task.", "Half right is what guessing "
             "gets. An accuracy means something only beside the baseline."),
            ("No SimpleRNN can learn this.", "These runs cannot show that. "
             + (f"{counted[:1].upper()}{counted[1:]}." if above else
                "Other first weights, or more steps, may do better.")),
            (f"It needs the Transformer's {ours['parameters']:,} parameters.", "That "
             "was not tried: no figure here is about size."),
        ),
        HOLD_IT,
    )


HOLD_IT = "Hold each against always saying yes: what is above that was learned."
CLEARLY = 0.05  # of accuracy: a result so far above the baseline is no chance


def runs_of(found):
    """The trainings of one network, each with its accuracy; older records hold one."""
    return found.get("draws", [found])


TRANSFORMER = {
    "feed_forward_size": ("block", feed_forward_size),
    "silent_layer": ("block", silent_layer),
    "blank": ("families", fill_the_blank),
    "assistant": ("families", assistant),
    "middle": ("first_and_last", many_in_the_middle),
    "baseline": ("first_and_last", not_the_size),
}
