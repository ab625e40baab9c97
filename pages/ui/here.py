"""You are here: the machine in one line, with the part that a lesson explains."""

from html import escape

import streamlit as st

from pages.ui.colours import ATTENTION, DRAW, FEED_FORWARD, MODEL

# The machine from its bottom to its top, here from left to right. The two parts in the
# middle are one block, and the blocks are stacked.
PARTS = {
    "words": MODEL,
    "embedding": MODEL,
    "position": MODEL,
    "attention": ATTENTION,
    "feed-forward": FEED_FORWARD,
    "probabilities": MODEL,
    "draw": DRAW,
}
WORDS, ATTENDING, PLACES = ("words", "embedding"), ("attention",), ("position",)
BLOCK, BARS, CHANCE = ("attention", "feed-forward"), ("probabilities",), ("draw",)
ALL = tuple(PARTS)
BLOCKS = 3  # of the tiny LLM; a test holds it to the model
HERE = {
    "why": ATTENDING,
    "embeddings": WORDS,
    "attention": ATTENDING,
    "queries_keys_values": ATTENDING,
    "heads": ATTENDING,
    "positions": PLACES,
    "block": BLOCK,
    "families": BLOCK,
    "first_and_last": BLOCK,
    "next_token": BARS,
    "sampling": CHANCE,
    "training": ALL,
    "look_inside": ALL,
    "your_text": ALL,
}


def you_are_here(lesson):
    """Draw the machine in one line, with the part of this lesson marked.

    Args:
        lesson: a `Lesson`; those that are about no part get nothing.
    """
    if lesson.stem in HERE:
        st.html(strip(HERE[lesson.stem]))


def in_words(marked):
    """What the line shows, for those who cannot see it."""
    if marked == ALL:
        return "You are here: the whole machine, from the words to the draw."
    return (
        f"You are here: {' and '.join(marked)}. The machine runs from the words "
        f"through embedding, position and {BLOCKS} blocks of attention and "
        "feed-forward to the probabilities and the draw."
    )


def strip(marked):
    """The line as HTML; `assets/course.css` styles it.

    Args:
        marked: names of `PARTS`.
    """
    before, after = ALL[:3], ALL[5:]
    block = "".join(part(name, marked) for name in BLOCK)
    inside = [
        *(part(name, marked) for name in before),
        f'<span class="here-block">{block}<b>×{BLOCKS}</b></span>',
        *(part(name, marked) for name in after),
    ]
    label = escape(in_words(marked), quote=True)
    return f'<div class="here" role="img" aria-label="{label}">{"".join(inside)}</div>'


def part(name, marked):
    """One part of the line."""
    state = "here-marked" if name in marked else "here-quiet"
    return f'<span class="{state}" style="--part: {PARTS[name]}">{escape(name)}</span>'


def map_part(marked):
    """Draw one floor of the machine for the map of the course, beside its lessons.

    Args:
        marked: names of `PARTS`, the floor's own; all of them for the whole machine.
    """
    if marked == ALL:
        inside = '<span class="here-marked">the whole machine</span>'
    else:
        inside = "".join(part(name, marked) for name in marked)
        inside += f"<b>×{BLOCKS}</b>" if marked == BLOCK else ""
    colour = PARTS[marked[0]] if marked != ALL else MODEL
    st.html(f'<div class="floor" style="--part: {colour}">{inside}</div>', width=230)
