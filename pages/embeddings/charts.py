"""Rows of the embedding table as coloured strips."""



from pages.ui.charts.matrix import matrix
from pages.ui.words import numbered

FIRST_NUMBERS = 4  # of a row that are written out


def rows_of_table(rows, tokens, token_ids, largest):
    """One strip for each token: the numbers of its row.

    Args:
        rows: (num_tokens, embed_dim)
        tokens: the words.
        token_ids: their numbers.
        largest: the value from which on a cell has its full colour.
    """
    labels = [
        f"{label} → {token_id}"
        for label, token_id in zip(numbered(tokens), token_ids, strict=True)
    ]
    return matrix(
        rows, labels, range(1, rows.shape[1] + 1), row_title=None,
        column_title=f"the {rows.shape[1]} numbers of a row", what="number",
        largest=largest, signed=True, form=".2f", figures=False, cell=26,
        said=rows_said(rows, tokens, token_ids),
    )


def rows_said(rows, tokens, token_ids):
    """The rows in words: which token has which row, and how it begins."""
    said = [
        f"'{token}' is row {token_id}, which begins "
        + ", ".join(f"{value:.2f}" for value in row[:FIRST_NUMBERS])
        for token, token_id, row in zip(tokens[:3], token_ids, rows, strict=False)
    ]
    return f"{len(rows)} rows of the table. {'; '.join(said)}."
