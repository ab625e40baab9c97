"""Notebooks of the lessons on attention.

Each function takes a `TinyLLM` and words, and returns a `Notebook` that ends
in the numbers of its page.
"""

from llm.glassbox.attention import (
    attend,
    attention_scores,
    attention_weights,
    blend,
    causal_mask,
)
from llm.glassbox.embedding import look_up, one_hot
from llm.glassbox.heads import (
    head_contributions,
    join_heads,
    project_from_heads,
)
from llm.glassbox.lstm import LSTMWeights, lstm_logits
from llm.glassbox.positions import sinusoidal_positions
from llm.glassbox.softmax import softmax
from llm.models.shipped import load_lstm
from llm.notebooks.notebook import Notebook
from llm.notebooks.parts import SHOWN, print_likeliest, said_words
from llm.studies.by_hand import TABLE, WORDS, four_steps
from llm.studies.memory import work_of_attention, work_of_recurrence
from llm.studies.word_map import cosine_similarities

LAYER, HEAD = 1, 0  # the head that a notebook opens, counted from 0


def why(llm, words):
    """A recurrent network reads a story, one word after the other."""
    tokens = llm.tokens(words)
    lstm = load_lstm()
    book = Notebook(
        "Carry, or fetch",
        "The LSTM twin of the tiny LLM in NumPy. It reads a story word by "
        "word and hands on its state. What does it expect at the end?",
    )
    book.code(f"vocabulary = {list(llm.tokenizer.vocabulary)!r}")
    book.functions(LSTMWeights, lstm_logits, softmax)
    for name, array in vars(lstm).items():
        book.array(name, array)
    book.code(f"lstm = LSTMWeights({', '.join(vars(lstm))})")
    book.code(f"""
    {said_words(tokens)}
    token_ids = [vocabulary.index(token) for token in tokens]
    probabilities = softmax(lstm_logits(lstm, token_ids)[-1])
    {print_likeliest()}
    """)
    book.text("The work of reading it, and that of one layer of attention:")
    book.functions(work_of_recurrence, work_of_attention)
    book.code("""
    print("recurrent:", work_of_recurrence(len(tokens)))
    print("attention:", work_of_attention(len(tokens)))
    """)
    ids = llm.tokenizer.ids_of(tokens)
    said = softmax(lstm_logits(lstm, ids)[-1])
    likeliest = (-said).argsort(kind="stable")[:SHOWN]
    return book.compared("probabilities[likeliest]", said[likeliest])


def embeddings(llm, words):
    """Looking rows up, and comparing them by the cosine."""
    words = tuple(dict.fromkeys(words))
    rows = llm.weights.token_embeddings[llm.tokenizer.ids_of(words)]
    book = Notebook(
        "How a word becomes numbers",
        "A small table with the real rows of some words of the tiny LLM.",
    )
    book.code(f"vocabulary = {list(words)!r}").array("table", rows)
    book.functions(one_hot, look_up, cosine_similarities)
    book.text("A one-hot row times the table is the row itself:")
    book.code("""
    token_ids = list(range(len(vocabulary)))
    assert np.allclose(one_hot(token_ids, len(vocabulary)) @ table,
                       look_up(table, token_ids))
    """)
    book.text(f"How far each row points the same way as that of `{words[0]}`:")
    book.code("""
    cosines = cosine_similarities(table[0], table)
    for word, cosine in zip(vocabulary, cosines):
        print(f"{word:>10} {cosine:+.2f}")
    """)
    return book.compared("cosines", cosine_similarities(rows[0], rows))


def attention(llm, words):
    """Who looks at whom in one head, with and without the causal mask."""
    run = llm.trace(words)
    queries, keys = run.queries_and_keys(LAYER, HEAD)
    book = Notebook(
        "Which words matter to each other?",
        f"Head {LAYER + 1}.{HEAD + 1} of the tiny LLM on one sentence: its "
        "scores, the "
        "causal mask, and the attention weights.",
    )
    book.code(said_words(run.tokens)).array("queries", queries).array(
        "keys", keys
    )
    book.functions(attention_scores, causal_mask, softmax, attention_weights)
    book.code("""
    scores = attention_scores(queries, keys)
    mask = causal_mask(len(tokens))
    weights = attention_weights(queries, keys, mask)
    for token, row in zip(tokens, weights):
        best = int(row.argmax())
        print(f"{token:>10} looks most at {tokens[best]:<10} {row[best]:.2f}")
    """)
    return book.compared("weights", run.attention(LAYER, HEAD))


def queries_keys_values(llm, words):
    """The course's listing, redone with our functions; then a trained head."""
    run = llm.trace(words)
    queries, keys = run.queries_and_keys(LAYER, HEAD)
    weights = run.attention(LAYER, HEAD)
    book = Notebook(
        "Attention by hand",
        "The course's own listing: four words with four numbers each. Score, "
        "scale, "
        "softmax, blend. Then the same functions on a head of the tiny LLM.",
    )
    book.functions(softmax, attention_scores, blend, attend)
    book.text(
        "The table of the course. Each row is query, key and value at once."
    )
    book.code(f"words = {list(WORDS)!r}").array("E", TABLE)
    book.code("""
    weights = softmax(attention_scores(E, E))
    output = attend(E, E, E)
    for word, weight in zip(words, weights[words.index("it")]):
        print(word, weight.round(2))
    """)
    book.text("The row of `it`, as on the page:")
    row = four_steps(*3 * [TABLE]).attention_weights[WORDS.index("it")]
    book.compared('weights[words.index("it")]', row)
    book.text(f"""
    Now head {LAYER + 1}.{HEAD + 1} of the tiny LLM on a sentence. Learned
    matrices made its queries and keys; what follows is the same.
    """)
    book.code(said_words(run.tokens)).array("queries", queries).array(
        "keys", keys
    )
    book.functions(causal_mask, attention_weights)
    book.code("mask = causal_mask(len(tokens))")
    return book.compared("attention_weights(queries, keys, mask)", weights)


def heads(llm, words):
    """Several heads side by side, joined, and one of them cut out."""
    found = llm.trace(words).blocks[LAYER]
    learned = llm.weights.blocks[LAYER].attention
    tokens = llm.tokens(words)
    book = Notebook(
        "How the heads come together",
        f"All heads of layer {LAYER + 1} of the tiny LLM on one sentence: "
        "each looks by itself, then one matrix mixes what they found.",
    )
    book.code(said_words(tokens))
    for name in ("queries", "keys", "values"):
        book.array(name, getattr(found, name))
    book.functions(attend, causal_mask)
    book.code("""
    head_outputs = attend(queries, keys, values, causal_mask(len(tokens)))
    print("heads, tokens, numbers:", head_outputs.shape)
    """)
    book.array("kernel", learned.output_kernel)
    book.array("bias", learned.output_bias)
    book.functions(join_heads, project_from_heads, head_contributions)
    book.code("""
    print("side by side:", join_heads(head_outputs).shape)
    added = project_from_heads(head_outputs, kernel, bias)
    """)
    book.text("It is also a sum with one term for each head, and a bias:")
    book.code("""
    terms = head_contributions(head_outputs, kernel)
    assert np.allclose(terms.sum(axis=0) + bias, added, atol=1e-4)
    for head, term in enumerate(terms, 1):
        print(f"head {head} adds a vector of size", np.linalg.norm(term[-1]))
    """)
    return book.compared("added", found.attention_output)


def positions(llm, words):
    """Waves, and what attention knows of the order without them."""
    rows = llm.weights.token_embeddings[llm.tokenizer.ids_of(words)]
    book = Notebook(
        "How it knows the order",
        "Attention without positions does not notice when words change "
        "places. "
        "Sinusoidal positions change that.",
    )
    book.code(f"words = {list(words)!r}").array("rows", rows)
    book.functions(attend, sinusoidal_positions)
    book.code("""
    turned = np.arange(len(words))[::-1]
    before = attend(rows, rows, rows)
    after = attend(rows[turned], rows[turned], rows[turned])
    change = abs(before - after[turned]).max()
    print("without positions, largest change:", change)
    waves = sinusoidal_positions(len(words), rows.shape[1])
    before = attend(*3 * [rows + waves])
    after = attend(*3 * [rows[turned] + waves])
    change = abs(before - after[turned]).max()
    print("with positions, largest change:", change)
    """)
    waves = sinusoidal_positions(len(words), rows.shape[1])
    return book.compared("waves[:, :4]", waves[:, :4])
