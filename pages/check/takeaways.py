"""What to take away, one sentence or two for each lesson."""

from llm.models.parameters import GPT_3, count_parameters, total
from pages.check.questions.parts import between
from pages.check.questions.transformer import CLEARLY, runs_of
from pages.ui.compared import ends_compared

PAIRS_OF = (10, 100, 1000)  # lengths of text for which pairs are counted


def takeaways(models):
    """What each lesson has shown, with the numbers of the models that run here.

    Args:
        models: a `llm.exercises.Models`.

    Returns:
        A dictionary from the stem of a lesson to a sentence or two.
    """
    config = models.llm.config
    parameters = total(count_parameters(config))
    last = models.record("tiny_llm")["training"]["scores"][-1]
    counted = ", ".join(f"{n:,} words {n * n:,}" for n in PAIRS_OF)
    return {
        "why": "A recurrent network hands everything on from word to word; attention "
        "looks straight at any word that it may see. **The price: it compares n² "
        f"pairs**: {counted}.",
        "embeddings": "A word is the number of a row, and the row is learned. Words "
        "that are used alike get rows that point in similar directions.",
        "attention": "Each word divides its attention among the words that it may see, "
        "and takes something from each. Which word matters can depend on a single "
        "other word.",
        "queries_keys_values": "Query times key says how well two words fit; divided "
        f"by the square root of the width (here √{config.head_dim}) and put through "
        "softmax, it becomes a weight. The values are what is blended.",
        "heads": f"Multi-head attention: in each of {config.num_layers} layers, "
        f"{config.num_heads} heads look at the same time, each with questions of its "
        f"own. {one_head_in_words(models.record('twins'))}",
        "positions": "Attention is a sum and knows no order. A row for the position "
        "(a positional encoding) is added to each word, so that `dog bites man` is not "
        "`man bites dog`.",
        "block": "A Transformer is one block, stacked: attention carries information "
        "between words, the feed-forward layer works on each word alone, and both only "
        "add to the residual stream. Ours has "
        f"{config.num_layers} blocks and {parameters:,} parameters, GPT-3 "
        f"{GPT_3.num_layers} blocks and {total(count_parameters(GPT_3)):,}.",
        "families": "Encoders read in both directions and fill blanks; decoders see "
        "only what stands to the left, and so can write. ChatGPT and Claude are, as "
        "far as is known, large decoders, trained further to be more helpful, honest "
        "and safe.",
        "first_and_last": digits_in_words(models.record("first_and_last")),
        "next_token": "A language model gives each word a probability of coming next. "
        "Draw one, write it down, and begin again: that is all there is to writing.",
        "sampling": "Temperature, top-k and top-p change what is drawn, not what the "
        "model knows. Below 1 the likely words gain.",
        "training": "Guess the next word, be told, move every weight a little: "
        f"{last['step']:,} times. On fresh stories the loss came to "
        f"{last['loss']:.3f}; on average nobody gets below {last['floor']:.3f} there, "
        "because the world itself is undecided.",
        "look_inside": "A logit is a sum that can be taken apart, down to the words "
        "and the biases. What a part gave and what is lost without it are two "
        "questions.",
        "your_text": "The same few lines learn from any text. A small model on a short "
        "text soon knows it by heart; text that was kept aside shows it.",
    }


def one_head_in_words(record):
    """What one head alone reaches in our world, beside several.

    Args:
        record: of the twins.
    """
    one, several = (
        [run["scores"][-1]["excess"] for run in runs_of(record["twins"][name])]
        for name in ("one head", "full")
    )
    return (
        f"A twin with a single head per layer ended {between(one, 3)} nats above the "
        f"floor, with several heads {between(several, 3)}. "
        f"{ends_compared(several, {'with one head': one})}"
    )


def digits_in_words(record):
    """What the experiment with the first and the last digit has shown.

    Args:
        record: of the digit models.
    """
    always, steps = record["always_yes"], record["experiment"]["length"] - 1
    ours, other = record["models"]["Transformer"], record["models"]["SimpleRNN"]
    reached = [[run["accuracy"] for run in runs_of(one)] for one in (ours, other)]
    above = sum(one > always + CLEARLY for one in reached[1])
    return (
        f"Attention connects the two ends in one step, a recurrent network in {steps}. "
        f"The Transformer ({ours['parameters']:,} parameters) was right on "
        f"{between(reached[0])} of the test rows, the SimpleRNN on "
        f"{between(reached[1])}: {above} of {len(reached[1])} "
        f"{'run' if len(reached[1]) == 1 else 'runs'} ended clearly above the baseline "
        f"of {always:.2f}. An accuracy means nothing without the baseline beside it."
    )
