"""The map of the words: which rows of the embedding table are alike."""

import numpy as np

from llm.world import words


def cosine_similarities(row, table):
    """How far one row points the same way as each row of a table.

    Args:
        row: (..., embed_dim)
        table: (num_rows, embed_dim)

    Returns:
        (..., num_rows), from -1 (opposite) over 0 (nothing in common) to 1
        (the same direction); how long the rows are makes no difference.
    """
    lengths = np.linalg.norm(row, axis=-1, keepdims=True)
    return row @ table.T / (lengths * np.linalg.norm(table, axis=-1))


def nearest_words(word, table, tokenizer, count=8):
    """The words whose rows point most nearly the same way as that of a word.

    Args:
        word: a word of the vocabulary.
        table: (vocab_size, embed_dim)
        count: how many.

    Returns:
        A list of (other word, cosine), the nearest first.
    """
    similarities = cosine_similarities(table[tokenizer.ids[word]], table)
    order = np.argsort(-similarities, kind="stable")
    return [
        (tokenizer.vocabulary[number], float(similarities[number]))
        for number in order
        if number != tokenizer.ids[word]
    ][:count]


def main_directions(rows):
    """The directions in which some rows spread most (principal components).

    Args:
        rows: (num_rows, embed_dim)

    Returns:
        (embed_dim, embed_dim), one direction a column, the widest first; each
        has length one and stands at right angles to the others.
    """
    centred = rows - rows.mean(axis=0)
    # They are those of the covariance; `eigh` sorts from narrow to wide.
    _, directions = np.linalg.eigh(centred.T @ centred)
    return directions[:, ::-1]


def flat_map(rows, directions):
    """Where rows lie when seen along some directions, from their middle.

    Args:
        rows: (num_rows, embed_dim)
        directions: (embed_dim, num_directions)

    Returns:
        (num_rows, num_directions)
    """
    return (rows - rows.mean(axis=0)) @ directions


def share_kept(rows, directions):
    """The share of the rows' variance that a map along some directions keeps.

    Returns:
        A number from 0 (all is lost) to 1 (the rows lie flat).
    """
    kept = flat_map(rows, directions).var(axis=0).sum()
    return float(kept / rows.var(axis=0).sum())


def beside_own_kind(rows, kinds):
    """For which rows the nearest other row, by cosine, is of the same kind.

    Args:
        rows: (num_rows, embed_dim)
        kinds: (num_rows,)

    Returns:
        (num_rows,) booleans.
    """
    kinds = np.asarray(kinds)
    similarities = cosine_similarities(rows, rows)
    np.fill_diagonal(similarities, -np.inf)
    return kinds[similarities.argmax(axis=-1)] == kinds


def by_chance(kinds):
    """The share of `beside_own_kind` if the nearest were any other word."""
    kinds = np.asarray(kinds)
    others = (kinds[:, None] == kinds).sum(axis=-1) - 1
    return float(others.mean() / (len(kinds) - 1))


# Kinds that have many words; a word of two kinds counts for the first.
KINDS = {
    "people": words.PEOPLE,
    "animals": words.ANIMALS,
    "colours": words.COLOURS,
    "things": words.THINGS,
    "numbers": words.NUMBERS,
    "days": words.DAYS,
    "plurals": words.PLURALS.values(),
    "sounds": words.SOUNDS.values(),
}


def kinds_of(vocabulary):
    """The words of a vocabulary whose kind is clear, with their kinds."""
    found = {}
    for kind, members in KINDS.items():
        for word in members:
            if word in vocabulary:
                found.setdefault(word, kind)
    return found
