"""One colour for each idea, visible in both themes and to colour-blind readers."""

import re
import tomllib

import numpy as np
import pytest

from pages.ui import colours
from pages.ui.chart import AXIS, LEGEND
from pages.ui.course import PAGES

NAMES = ("MODEL", "TRUTH", "QUERIES", "KEYS", "VALUES", "QUIET", "DRAW")
IDEAS = {name: getattr(colours, name) for name in NAMES}
MEET = [("QUERIES", "KEYS"), ("QUERIES", "VALUES"), ("KEYS", "VALUES"),
        ("MODEL", "TRUTH"), ("MODEL", "DRAW")]
# Machado, Oliveira and Fernandes 2009: linear light as three kinds of eye see it.
EYES = {
    "most": np.eye(3),
    "deuteranopia": np.array(
        [[0.367, 0.861, -0.228], [0.280, 0.673, 0.047], [-0.012, 0.043, 0.969]]
    ),
    "protanopia": np.array(
        [[0.152, 1.053, -0.205], [0.115, 0.786, 0.099], [-0.004, -0.048, 1.052]]
    ),
}


def linear(colour):
    """The light of a colour, red, green and blue from 0 to 1."""
    parts = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    return np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)


def contrast(one, other):
    """The contrast of two colours by WCAG 2, from 1 to 21."""
    weights = np.array([0.2126, 0.7152, 0.0722])
    low, high = sorted((linear(one) @ weights, linear(other) @ weights))
    return (high + 0.05) / (low + 0.05)


def lab(light):
    """Linear light as CIE L*a*b*, where distance is what an eye notices."""
    to_xyz = np.array(
        [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
    )
    xyz = to_xyz @ np.clip(light, 0, 1) / np.array([0.9505, 1.0, 1.089])
    f = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("idea", IDEAS)
def test_every_idea_can_be_seen_on_both_backgrounds(idea, theme):
    config = tomllib.loads((PAGES.parent / ".streamlit" / "config.toml").read_text())
    assert contrast(IDEAS[idea], config["theme"][theme]["backgroundColor"]) >= 3


def theme_of(name):
    """The colours of a theme, from the settings of the course."""
    settings = (PAGES.parent / ".streamlit" / "config.toml").read_text()
    return tomllib.loads(settings)["theme"][name]


def in_theme(colour, name):
    """One of the two colours of `light-dark(…, …)`."""
    return re.findall(r"#[0-9a-f]{6}", colour)[["light", "dark"].index(name)]


def over(colour, background, opacity):
    """A colour that lets the background through, as one colour."""
    mixed = [
        round(opacity * int(colour[i : i + 2], 16)
              + (1 - opacity) * int(background[i : i + 2], 16))
        for i in (1, 3, 5)
    ]
    return "#" + "".join(f"{part:02x}" for part in mixed)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axis_labels_can_be_read_in_both_themes(theme):
    assert AXIS["labelColor"] == AXIS["titleColor"] == colours.WORDS == "currentColor"
    page = theme_of(theme)["backgroundColor"]
    label = over(theme_of(theme)["textColor"], page, AXIS["labelOpacity"])
    assert contrast(label, page) >= 4.5
    assert min(AXIS["labelFontSize"], LEGEND["labelFontSize"]) >= 12


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("heat", ["HEAT", "HEAT_BELOW"])
def test_text_on_a_cell_can_be_read_whatever_the_cell_says(heat, theme):
    page, text = (theme_of(theme)[name] for name in ("backgroundColor", "textColor"))
    full = in_theme(getattr(colours, heat), theme)
    for share in np.linspace(0, 1, 101):
        opposite = share > colours.OPPOSITE_TEXT_FROM
        written = in_theme(colours.OPPOSITE_TEXT, theme) if opposite else text
        assert contrast(over(full, page, share), written) >= 4, share


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_fullest_cell_stands_out_and_an_empty_one_looks_like_the_page(theme):
    page = theme_of(theme)["backgroundColor"]
    full = in_theme(colours.HEAT, theme)
    assert over(full, page, 0) == page
    assert contrast(full, page) >= 6


@pytest.mark.parametrize("eye", EYES)
@pytest.mark.parametrize("pair", MEET, ids="-".join)
def test_ideas_that_meet_stay_apart_for_colour_blind_readers(pair, eye):
    one, other = (lab(EYES[eye] @ linear(IDEAS[name])) for name in pair)
    assert np.linalg.norm(one - other) >= 35
