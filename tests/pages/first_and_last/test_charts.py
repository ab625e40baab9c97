"""The strips of the digit model show its attention, from both ends of a row."""

import numpy as np

from pages.first_and_last.charts import digit_strips

ATTENTION = np.random.default_rng(1).random((2, 5, 5))
DIGITS = [3, 1, 4, 1, 5]


def test_each_end_is_drawn_with_what_it_looks_at():
    data = digit_strips(ATTENTION, DIGITS).data
    cells = data[data["kind"] == "cell"]
    for end in (0, 4):
        drawn = cells[cells["from"] == end]
        np.testing.assert_allclose(drawn["value"], ATTENTION[:, end].ravel())
        assert list(drawn["digit"][:5]) == [str(digit) for digit in DIGITS]


def test_positions_count_from_0_in_titles_words_and_table():
    chart = digit_strips(ATTENTION, DIGITS)
    titles = list(chart.data.loc[chart.data["kind"] == "title", "text"])
    assert titles == ["From the first position, 0, which holds 3",
                      "From the last position, 4, which holds 5"]
    best = int(ATTENTION[0, 4].argmax())
    assert f"From position 4 the heads look: head 1 most at {best} (" in chart.alt
    assert list(chart.table()["to"]) == [*range(5)] * 2


def test_a_mean_over_many_rows_has_no_digits():
    data = digit_strips(ATTENTION).data
    assert set(data["digit"]) == {""}
    assert "holds" not in "".join(data["text"])
