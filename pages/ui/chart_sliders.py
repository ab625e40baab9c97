"""Sliders inside a chart: they move in the browser, and tell us on release."""

from dataclasses import dataclass

import streamlit as st

from pages.ui.controls import sound_number


@dataclass(frozen=True)
class Slider:
    """One slider in a chart.

    Attributes:
        field: its name in the chart.
        address: its name in the address of the page.
        default, lowest, highest: numbers.
    """

    field: str
    address: str
    default: float
    lowest: float
    highest: float

    def value(self, chosen, remembered):
        """A sound number: what was chosen now, else before, else in the address."""
        for value in (chosen, remembered):
            if value is not None:
                break
        else:
            value = st.query_params.get(self.address, self.default)
        return sound_number(value, self.default, self.lowest, self.highest)

    def put_into_address(self, number):
        """Keep the number in the address, unless it is the default."""
        if number != self.default:
            st.query_params[self.address] = f"{number:g}"
        elif self.address in st.query_params:
            del st.query_params[self.address]


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


def standing_at(drawn, name, values):
    """The same chart with its sliders standing at these values."""
    params = [
        {**param, "value": [values]} if param["name"] == name else param
        for param in drawn["params"]
    ]
    return {**drawn, "params": params}
