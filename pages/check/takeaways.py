"""What to take away, one sentence or two for each lesson."""

from llm.models.parameters import GPT_3, count_parameters, total

PAIRS_OF = (10, 100, 1000)  # lengths of text for which pairs are counted


def takeaways(models):
    """What each lesson has shown, with the numbers of the models that run here.

    Args:
        models: a `pages.check.questions.Models`.

    Returns:
        A dictionary from the stem of a lesson to a sentence or two.
    """
    config = models.llm.config
    parameters = total(count_parameters(config))
    last = models.record("tiny_llm")["training"]["scores"][-1]
    found = models.record("first_and_last")
    digits, steps = found["models"]["Transformer"], found["experiment"]["length"] - 1
    counted = ", ".join(f"{n:,} words {n * n:,}" for n in PAIRS_OF)
    return {
        "why": "A recurrent network hands everything on word by word; attention looks "
        f"straight at any word. **The price: it compares n² pairs**: {counted}.",
        "embeddings": "A word is the number of a row, and the row is learned. Words "
        "that are used alike get rows that point the same way.",
        "attention": "Each word shares out one whole of attention over the words that "
        "it may see, and takes something from each. Which word matters can hang on a "
        "single other word.",
        "queries_keys_values": "Query times key says how well two words fit; divided "
        f"by the square root of the width (here √{config.head_dim}) and put through "
        "softmax, it is a weight. The values are what is then mixed.",
        "heads": f"Several heads look at once, here {config.num_heads} in each of "
        f"{config.num_layers} layers, each with questions of its own. What a head is "
        "good for shows when it is cut.",
        "positions": "Attention is a sum and knows no order. Positions are added to "
        "the words so that `dog bites man` is not `man bites dog`.",
        "block": "A Transformer is one block, stacked: attention carries between "
        "words, the feed-forward layer thinks in each alone, and both only add to the "
        f"residual stream. Ours has {config.num_layers} blocks and {parameters:,} "
        f"parameters, GPT-3 {GPT_3.num_layers} blocks and "
        f"{total(count_parameters(GPT_3)):,}.",
        "families": "Encoders read in both directions and fill blanks; decoders see "
        "the left only and can write. ChatGPT and Claude are decoders, trained further "
        "on what people ask and prefer.",
        "first_and_last": "One step from end to end can be learned where "
        f"{steps} steps in a row are too many: "
        f"the digit model reaches {digits['accuracy']:.3f} with "
        f"{digits['parameters']:,} parameters. And an accuracy means nothing without "
        "the dullest answer beside it.",
        "next_token": "A language model gives every word a probability to come next. "
        "Draw one, write it down, and begin again: that is all writing is.",
        "sampling": "Temperature, top-k and top-p change what is drawn, not what the "
        "model knows. Below 1 the likely words gain.",
        "training": "Guess the next word, be told, move every weight a little: "
        f"{last['step']:,} times. The loss came to {last['loss']:.3f}, and nobody can "
        f"get below {last['floor']:.3f}, because the world itself is undecided.",
        "look_inside": "Whatever a model says is a sum that can be taken apart, down "
        "to the words. What a part gave and what is missed without it are two "
        "questions.",
        "your_text": "The same few lines learn from any text. A small model on a short "
        "text soon knows it by heart; text that was kept back shows it.",
    }
