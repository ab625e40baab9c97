"""The picture of the machine: what Python computed, handed to the browser to draw."""

import json
from hashlib import sha256
from itertools import pairwise

import numpy as np
import streamlit as st

from pages.machine.words import (
    BRINGS,
    LEAST_SHARE,
    LOOKS,
    LOSES,
    crossing_told,
    link_told,
    machine_alt,
    row_name,
    step_captions,
    word_told,
)
from pages.ui import colours
from pages.ui.course import PAGES
from pages.ui.words import percent

ASSETS = PAGES.parent / "assets"
HTML = """
<div class="machine" role="group" translate="no">
  <div class="stage"></div>
  <div class="player">
    <button type="button" class="back"></button>
    <button type="button" class="play"></button>
    <button type="button" class="step"></button>
    <p class="said" aria-live="polite"></p>
  </div>
  <p class="pointed"></p>
</div>
"""
COLOURS = {
    "model": colours.MODEL, "truth": colours.TRUTH, "draw": colours.DRAW,
    "attention": colours.ATTENTION, "feed": colours.FEED_FORWARD,
}
LABELS = {
    "play": "Play", "pause": "Pause", "step": "Step", "back": "Back", "words": "words",
    "hint": "Point at anything to see what belongs to it; choose it to open its "
    "numbers.",
}
LEGEND = {LOOKS: "how much a head looks", BRINGS: "what a head brings",
          LOSES: "what is lost without it"}
NUM_BARS = 6
NAMED_FROM = 0.05  # a narrower stretch has no room for its word
LEAST_SEEN = 0.1  # attention below has no line
MOST_LINES = 240
MOST_TINT = 50  # per cent
LEAST_BARS, LEAST_BAR = 3, 0.001

component = st.components.v2.component(
    "machine",
    html=HTML,
    css=(ASSETS / "machine.css").read_text(encoding="utf-8"),
    js=(ASSETS / "machine.js").read_text(encoding="utf-8"),
)


def picture(machine, vocabulary, said, truth, step, measure, lost=None):
    """All that the browser draws, as plain numbers and words.

    Args:
        machine: a `Machine`.
        vocabulary: all words.
        said: the model's probability of every word at this temperature, by word.
        truth: the exact one of each possible word; empty where there is none.
        step: the `Step` that comes next, with its draw.
        measure: what the lines show, one of `MEASURES`.
        lost: from `lost_by_cuts`, if it is known.
    """
    bars = bars_shown(said, truth)
    draw = draw_shown(step, vocabulary)
    num_rows, num_tokens = machine.said.shape
    content = {
        "words": list(machine.trace.tokens),
        "gives": [share_given(machine, position) for position in range(num_tokens)],
        "told": [word_told(machine, position) for position in range(num_tokens)],
        "rows": [row_shown(row) for row in range(num_rows)],
        "cells": [
            [cell(machine, vocabulary, row, position) for position in range(num_tokens)]
            for row in range(num_rows)
        ],
        "heads": machine.flow.links.shape[1],
        "path": list(machine.path.tokens),
        "bars": bars,
        "draw": draw,
        "next": step.token,
        "steps": step_captions(machine, vocabulary, bars[0], draw),
        "alt": machine_alt(machine, vocabulary, bars),
    }
    identity = sha256(json.dumps(content).encode()).hexdigest()[:16]
    return content | {
        "id": identity,
        "lines": measure,
        "links": links_shown(machine, measure, lost),
        "colours": COLOURS,
        "labels": LABELS,
        "legend": legend(measure),
    }


def legend(measure):
    """What the colours mean, each with the kind that has it."""
    colours = {
        "model": "the tiny LLM", "truth": "the exact truth",
        "drawn": "the number drawn", "way": "path of the answer",
        "attention": LEGEND[measure],
    }
    if measure != LOOKS:
        colours["against"] = "the same, against it"
    return list(colours.items())


def share_given(machine, position):
    """How strongly a word is coloured: by its share of the lead, at most so far that
    its name can be read."""
    share = machine.flow.words[position] / machine.flow.total
    return f"{MOST_TINT * min(max(share, 0.0), 1.0):.0f}%"


def row_shown(row):
    """The block of a row of crossings, what it adds, and the kind that colours it."""
    if row == 0:
        return {"kind": "embedding", "name": row_name(row), "block": ""}
    block, name = row_name(row).split(": ")
    return {"kind": name, "name": name, "block": block}


def cell(machine, vocabulary, row, position):
    """One crossing: the word that would come next, how surely, and in words."""
    sure = float(machine.sure[row, position])
    return {
        "said": vocabulary[machine.said[row, position]],
        "sure": round(sure, 4),
        "figure": percent(sure),
        "path": position in path_at(machine.path.tokens, row),
        "told": crossing_told(machine, vocabulary, row, position),
    }


def path_at(tokens, row):
    """Where the path crosses a row: behind the attention of a block it has moved on."""
    return {tokens[(row + 1) // 2]}


def bars_shown(said, truth):
    """The likeliest words by the model or by the truth, the model's order."""
    weight = {word: max(share, truth.get(word, 0.0)) for word, share in said.items()}
    words = sorted(weight, key=weight.get, reverse=True)[:NUM_BARS]
    words = [word for number, word in enumerate(words)
             if number < LEAST_BARS or weight[word] >= LEAST_BAR]
    bars = []
    for word in sorted(words, key=said.get, reverse=True):
        exact = f"exactly {percent(truth.get(word, 0.0))}" if truth else ""
        figure = percent(said[word])
        bars.append({
            "word": word, "model": round(said[word], 4), "figure": figure,
            "truth": round(truth.get(word, 0.0), 4) if truth else None, "exact": exact,
            "told": f"{word}: the tiny LLM says {figure}"
            + (f", the truth is {exact}." if truth else "; there is no truth here."),
        })
    return bars


def draw_shown(step, vocabulary):
    """The line from 0 to 1, cut at the words, and where the random number fell.

    Args:
        step: a `Step`.
    """
    borders = np.concatenate([[0.0], np.cumsum(step.probabilities)])
    parts = []
    for number in np.flatnonzero(step.probabilities):
        hit = int(number) == step.token_id
        named = hit or step.probabilities[number] >= NAMED_FROM
        end = float(borders[number + 1])
        if named or not parts or parts[-1]["word"]:
            word = vocabulary[number] if named else ""
            parts.append({"from": float(borders[number]), "to": end, "word": word,
                          "hit": hit})
        else:
            parts[-1]["to"] = end
    for part in parts:
        wide = part["to"] - part["from"] >= NAMED_FROM
        part["name"] = part["word"] if wide else ""
        part["rest"] = round(100 * (1 - part["to"]), 3)
    told = f"The random number {step.u:.2f} falls on '{step.token}'."
    return {"u": round(step.u, 6), "parts": parts, "told": told}


def links_shown(machine, measure, lost=None):
    """The links that get a line by one measure, the largest last.

    Returns:
        A list of dictionaries: layer, head, query, key, its size from 0 to 1, whether
        it speaks against the answer, whether it stands out, and all that in words.
    """
    amounts = amounts_by(machine, measure, lost)
    largest = float(abs(amounts).max()) or 1.0
    least = LEAST_SEEN if measure == LOOKS else LEAST_SHARE * largest
    order = np.argsort(-abs(amounts), axis=None, kind="stable")[:MOST_LINES]
    on_path = {(layer, query)
               for layer, (_, query) in enumerate(pairwise(machine.path.tokens))}
    links = []
    for link in zip(*np.unravel_index(order, amounts.shape), strict=True):
        layer, head, query, key = (int(number) for number in link)
        amount = float(amounts[link])
        if abs(amount) < least or not amount:
            continue
        links.append({
            "layer": layer, "head": head, "query": query, "key": key,
            "size": round(abs(amount) / largest, 4), "against": amount < 0,
            "strong": measure != LOOKS or (layer, query) in on_path,
            "told": link_told(machine, lost, layer, head, query, key),
        })
    return links


def amounts_by(machine, measure, lost=None):
    """All links by one measure, (num_layers, num_heads, num_tokens, num_tokens)."""
    if measure == LOOKS:
        weights = [found.attention_weights for found in machine.trace.blocks]
        return np.stack(weights).astype(float)
    if measure == BRINGS:
        return machine.flow.links
    return np.nan_to_num(lost)
