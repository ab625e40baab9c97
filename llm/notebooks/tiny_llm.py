"""Notebooks of the lessons on language models.

Each function takes a `TinyLLM` and words, and returns a `Notebook` that ends
in the numbers of its page.
"""

import numpy as np

from llm.glassbox.attention import causal_mask
from llm.glassbox.entropy import entropy
from llm.glassbox.model import trace
from llm.glassbox.sampling import draw, top_k, top_p, with_temperature
from llm.glassbox.softmax import softmax
from llm.models.pairs import count_pairs, pair_probabilities
from llm.notebooks.notebook import Notebook
from llm.notebooks.parts import (
    SHOWN,
    all_weights,
    print_likeliest,
    said_words,
)
from llm.own_text.measures import MOST_MEASURED, best_smoothing, pair_loss
from llm.own_text.record import story
from llm.own_text.text import BadText, own_text
from llm.studies.flow import answer_flow
from llm.studies.loss import logit_gradient, token_losses


def next_token(llm, words):
    """The whole tiny LLM in NumPy: from words to probabilities."""
    said = llm.next_token(words)
    book = Notebook(
        "The whole tiny LLM in NumPy",
        "All weights and every function, from the words to the probability "
        "of each next word.",
    )
    run_of_all(book, llm, llm.trace(words).tokens)
    book.code(f"""
    probabilities = softmax(run.logits[-1])
    {print_likeliest()}
    """)
    return book.compared(
        "probabilities[likeliest]", list(said.values())[:SHOWN]
    )


def run_of_all(book, llm, tokens):
    """Add the whole tiny LLM, and let it read some tokens.

    Args:
        book: a `Notebook`.
        llm: a `TinyLLM`.
        tokens: words, `<start>` first.
    """
    book.code(f"vocabulary = {list(llm.tokenizer.vocabulary)!r}")
    all_weights(book, llm.weights)
    book.functions(trace, causal_mask, softmax)
    book.code(f"""
    {said_words(tokens)}
    token_ids = [vocabulary.index(token) for token in tokens]
    run = trace(weights, token_ids, causal_mask(len(tokens)))
    """)


def sampling(llm, words):
    """From logits to one word: temperature, top-k, top-p, draw."""
    logits = llm.next_logits(words)
    settings = {"temperature": 0.8, "top_k": 5, "top_p": 0.9}
    kept = llm.probabilities(words, **settings)
    book = Notebook(
        "How a word is chosen",
        f"After `{' '.join(words)}`: temperature, softmax, top-k, top-p, and "
        "the draw.",
    )
    book.code(f"vocabulary = {list(llm.tokenizer.vocabulary)!r}")
    book.array("logits", logits)
    book.functions(with_temperature, top_k, top_p, draw)
    book.code(f"""
    probabilities = with_temperature(logits, {settings["temperature"]})
    probabilities = top_k(probabilities, {settings["top_k"]})
    probabilities = top_p(probabilities, {settings["top_p"]})
    for number in np.flatnonzero(probabilities):
        print(f"{{vocabulary[number]:>10}} {{probabilities[number]:.4f}}")
    """)
    book.text("Ten words drawn with ten numbers between 0 and 1:")
    book.code("""
    rng = np.random.default_rng(1)
    print([vocabulary[draw(probabilities, u)] for u in rng.random(10)])
    """)
    return book.compared("probabilities", kept)


def training(llm, words):
    """The loss of a sentence, and the gradient at its logits."""
    tokens = llm.tokens(words)
    ids = llm.tokenizer.ids_of(tokens)
    logits = llm.logits(ids[:-1])
    losses = token_losses(logits, np.array(ids[1:]))
    book = Notebook(
        "The loss of a sentence",
        "At each position the model gave every word a logit. The surprise at "
        "the word "
        "that really came is the loss; the gradient is what was said minus "
        "what was "
        "right.",
    )
    book.code(f"""
    inputs = {tokens[:-1]!r}
    came = {tokens[1:]!r}
    """)
    book.array("logits", logits)
    book.code(f"targets = np.array({ids[1:]!r})")
    book.functions(token_losses, logit_gradient, entropy)
    book.code("""
    losses = token_losses(logits, targets)
    for word, loss in zip(came, losses):
        print(f"{word:>10} {loss:.3f}")
    print("loss:", losses.mean().round(4))
    sums = logit_gradient(logits, targets).sum(axis=-1)
    print("sums of the gradient:", abs(sums).max())
    unsure = entropy(softmax(logits.astype(float)))
    print("entropy of what was said:", unsure.round(2))
    """)
    return book.compared("losses", losses)


def look_inside(llm, words):
    """An answer as a sum, followed back to the words."""
    run = llm.trace(words)
    word, other = (-run.logits[-1]).argsort(kind="stable")[:2].tolist()
    flow = answer_flow(run, llm.weights, word, other)
    names = [llm.tokenizer.vocabulary[number] for number in (word, other)]
    book = Notebook(
        "Where an answer comes from",
        f"The lead of `{names[0]}` over `{names[1]}` is a sum, and every "
        "term is followed down to the words.",
    )
    run_of_all(book, llm, run.tokens)
    book.functions(answer_flow)
    book.code(f"""
    word, other = (vocabulary.index(name) for name in {names!r})
    flow = answer_flow(run, weights, word, other)
    for token, given in zip(tokens, flow.words):
        print(f"{{token:>10}} {{given:+.3f}}")
    print(f"no word: {{flow.fixed:+.3f}}, the lead: {{flow.total:.3f}}")
    """)
    book.text("The links that bring most, over all heads:")
    book.code("""
    order = np.argsort(-flow.links, axis=None, kind="stable")[:5]
    strongest = np.unravel_index(order, flow.links.shape)
    for layer, head, query, key in zip(*strongest):
        print(f"head {layer + 1}.{head + 1}: {tokens[query]} looks at "
              f"{tokens[key]}, {flow.links[layer, head, query, key]:+.3f}")
    """)
    return book.compared(
        "[flow.total, *flow.words]", [flow.total, *flow.words]
    )


def your_text(llm, words):
    """The simplest language model of a text: counting its pairs."""
    try:
        text = own_text(" ".join(words), "characters")
    except BadText:  # too short, as any one sentence
        text = own_text(story(), "characters")
    added = best_smoothing(text)
    book = Notebook(
        "Counting pairs of characters",
        "The simplest language model of a text. What it gets on the end that "
        "was kept back is what a network has to beat.",
    )
    book.code(f"vocabulary = {list(text.vocabulary)!r}")
    book.code(f"training = np.array({text.training.tolist()!r})")
    kept_back = text.validation[:MOST_MEASURED]
    book.code(f"kept_back = np.array({kept_back.tolist()!r})")
    book.functions(count_pairs, pair_probabilities)
    book.code(f"""
    counts = count_pairs([training], len(vocabulary))
    probabilities = pair_probabilities(counts, added={added})
    before = np.array([training[-1], *kept_back[:-1]])
    """)
    book.text("A character that was never learned from counts for nothing.")
    book.code("""
    known = np.isin(kept_back, training)
    losses = -np.log(probabilities[before, kept_back])
    print("loss on what it read:", -np.log(
        probabilities[training[:-1], training[1:]]).mean().round(3))
    print("loss on the kept-back end:", losses[known].mean().round(3))
    """)
    return book.compared("losses[known].mean()", pair_loss(text))
