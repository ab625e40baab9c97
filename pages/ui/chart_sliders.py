"""Sliders inside a chart: they move in the browser, and tell us on release."""

from dataclasses import dataclass, replace

import streamlit as st

from pages.ui import address
from pages.ui.chart import in_words, offer_table, show, while_unchanged
from pages.ui.controls import sound_number


@dataclass(frozen=True)
class Slider:
    """One slider in a chart.

    Attributes:
        field: its name in the chart, and in older links.
        address: its name in the address of the page.
        default, lowest, highest: numbers.
        step: from one to the next; an address between two stands for the nearest.
    """

    field: str
    address: str
    default: float
    lowest: float
    highest: float
    step: float = 0.05

    def value(self, chosen, remembered):
        """A sound number: what was chosen now, else before, else in the address."""
        for value in (chosen, remembered):
            if value is not None:
                break
        else:
            value = address.text_of(self.address, self.field)
            value = self.default if value is None else value
        number = sound_number(value, self.default, self.lowest, self.highest)
        return round(round(number / self.step) * self.step, 4)

    def put_into_address(self, number):
        """Keep the number in the address, unless it is the default."""
        text = None if number == self.default else f"{number:g}"
        address.keep(self.address, text, None, old=self.field)


def slider_values(key, name, sliders):
    """Where the sliders in a chart stand; kept for the way back and in the address.

    Args:
        key: the key of the chart.
        name: the name of the selection in it.
        sliders: a list of `Slider`.

    Returns:
        A dictionary from field to number.
    """
    event = st.session_state.get(key)
    chosen = ((event["selection"].get(name) if event else None) or [{}])[0]
    before = st.session_state.get(f"{key}_sliders", {})
    values = {}
    for slider in sliders:
        number = slider.value(chosen.get(slider.field), before.get(slider.field))
        slider.put_into_address(number)
        values[slider.field] = number
    st.session_state[f"{key}_sliders"] = values
    return values


def show_with_sliders(chart, name, key, selection, values, follows_from):
    """Draw a picture whose sliders the browser moves, and its words under it.

    While only the sliders move, the browser is sent the same picture again, so that
    it is not drawn anew under the hand.

    Args:
        chart: a `Chart` with sliders, its words and its table as they hold now.
        name: names the files of the picture; different on each page.
        key: names the chart in the session; different on each page.
        selection: the name of the selection in the chart that the sliders set.
        values: where they stand, from `slider_values`.
        follows_from: what the picture follows from beside the sliders.
    """
    start_at, alt = while_unchanged(key, follows_from, (dict(values), chart.alt))
    held = replace(chart, alt=alt).with_params(**{selection: [start_at]})
    with st.container(key=f"{name}_picture", gap="small"):
        show(held, key=key, on_select="rerun")
        in_words(chart.alt, key)
        offer_table(chart.table, name, picture=True)
