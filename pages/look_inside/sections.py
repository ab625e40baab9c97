"""The *Go deeper* sections of showing the working: lens, cuts, honesty, search."""

import numpy as np
import pandas as pd
import streamlit as st

from llm.glassbox.ablation import NO_ABLATION, PARTS, Ablation
from llm.glassbox.attention import causal_mask
from llm.glassbox.model import trace
from llm.glassbox.softmax import softmax
from llm.studies.attribution import FEED_FORWARD, logit_attribution, written_by_units
from llm.studies.exam import fresh_exam
from llm.studies.head_cuts import accuracies
from llm.studies.link_effects import all_links, head_effects, link_effects
from llm.studies.stream import logit_lens
from llm.studies.units import direct_logit_effect, top_words, words_that_fire
from pages.look_inside.charts import MEASURES, lens, three_measures
from pages.look_inside.steps import picked
from pages.look_inside.words import every_link_told, falls
from pages.ui.chart import offer_table, sentence, show
from pages.ui.charts.bars import bars
from pages.ui.colours import FEED_FORWARD as THINKING
from pages.ui.colours import QUIET
from pages.ui.controls import number_box
from pages.ui.measures import activations
from pages.ui.models import record, tiny_llm
from pages.ui.words import change_of, falls_of, listed, numbered, percent, plain, signed

NUM_ASKED = 300  # stories asked with a cut of one's own; more would take long


def lens_section(run):
    """What would be said if the network ended sooner, at every word."""
    llm = tiny_llm()
    stops = ["the embeddings"]
    for layer in range(1, llm.config.num_layers + 1):
        stops += [f"attention {layer}", f"block {layer}"]
    every = st.toggle("Also between attention and feed-forward", key="look_between",
                      bind="query-params")
    kept = range(len(stops)) if every else range(0, len(stops), 2)
    shares = logit_lens(llm.weights, np.stack(run.residuals()))[list(kept)]
    words = np.array(llm.tokenizer.vocabulary)[shares.argmax(axis=-1)]
    stops = [stops[number] for number in kept]
    show(lens(run.tokens, stops, words, shares.max(axis=-1)), "lens")
    said = words[:, -1]
    settled = next(n for n in range(len(stops)) if (said[n:] == said[-1]).all())
    st.markdown(
        f"At the last word, {plain(run.tokens[-1])}, the answer {plain(said[-1])} "
        f"stands from **{stops[settled]}** on"
        + (f"; one stop earlier it was {plain(said[settled - 1])}. "
           if settled else ". ")
        + "The last LayerNorm and the output table were trained for the end only, so "
        "what they make of early vectors is a rough guess, not what the network thinks."
    )


CUT_KINDS = ("heads", "layers", "words", "one link")


def cut_picker(run, first):
    """What is cut out: an `Ablation`, and in words what it is.

    Args:
        run: the `Trace` with nothing cut.
        first: the head to begin with, as `2.3`.
    """
    config, names = tiny_llm().config, numbered(run.tokens)
    kind = st.segmented_control(
        "What is cut out?", CUT_KINDS, default="heads", required=True, key="cut_kind",
        bind="query-params",
    ) or "heads"
    heads = {
        f"{layer + 1}.{head + 1}": (layer, head)
        for layer in range(config.num_layers) for head in range(config.num_heads)
    }
    if kind == "heads":
        chosen = several("Heads (layer.head)", list(heads), [first], "cut_heads")
        said = f"head{'' if len(chosen) == 1 else 's'} {listed(chosen)}"
        return Ablation(heads={heads[name] for name in chosen}), said
    if kind == "layers":
        layers = {
            f"{name.replace('_', '-')} {layer + 1}": (layer, name)
            for layer in range(config.num_layers) for name in PARTS
        }
        chosen = several("Parts of blocks", list(layers),
                         [f"attention {config.num_layers}"], "cut_layers")
        return Ablation(layers={layers[name] for name in chosen}), listed(chosen)
    if kind == "words":
        chosen = several("Words that no other word can see", names, names[:1],
                         "cut_words")
        return Ablation(positions={names.index(n) for n in chosen}), listed(chosen)
    with st.container(horizontal=True):
        head = picked("In head", list(heads), first, "cut_link_head", width=110)
        query = names.index(picked("the word", names, names[-1], "cut_link_from",
                                   width=160))
        key = names.index(picked("cannot see", names[: query + 1], names[0],
                                 "cut_link_to", width=160))
    return (
        Ablation(edges={(*heads[head], query, key)}),
        f"the link from {plain(names[query])} to {plain(names[key])} in head {head}",
    )


def several(label, options, default, key):
    """Some of a few options; only what still is an option counts."""
    chosen = st.pills(
        label, options, default=default, selection_mode="multi", key=key,
        bind="query-params",
    )
    return [option for option in options if option in (chosen or [])]


def cut_section(run, words, word, other):
    """Cut something out, and see the bars before and after.

    Args:
        run: the `Trace` with nothing cut.
        words: the tokens without `<start>`.
        word, other: the numbers of the words that the lesson is about.
    """
    llm = tiny_llm()
    vocabulary = llm.tokenizer.vocabulary
    missed = head_effects(llm, words, -1, word, other)
    layer, head = np.unravel_index(missed.argmax(), missed.shape)
    st.markdown(
        f"Of all whole heads, {layer + 1}.{head + 1} matters most here: without it the "
        f"lead of {plain(vocabulary[word])} over {plain(vocabulary[other])} "
        f"{falls(missed.max())}. So the picture begins with that."
    )
    cuts, what = cut_picker(run, f"{layer + 1}.{head + 1}")
    before = softmax(run.logits[-1].astype(float))
    if cuts == NO_ABLATION:
        st.info("Nothing is cut: pick something above.")
    after = softmax(llm.trace(words, cuts).logits[-1].astype(float))
    weight = np.maximum(before, after)
    shown = sorted(np.argsort(-weight, kind="stable")[:8], key=lambda n: -before[n])
    names = [vocabulary[n] for n in shown]
    sentence(words)
    show(bars(
        dict(zip(names, after[shown].tolist(), strict=True)), "probability",
        "with the cut", tick=dict(zip(names, before[shown].tolist(), strict=True)),
        tick_name="the whole model", tick_colour=QUIET, said="The next word",
    ), "cut")
    top = int(before.argmax())
    st.markdown(
        f"Without {what or 'nothing'}, {plain(vocabulary[top])} "
        f"{change_of(before[top], after[top], '**')}; the likeliest word "
        f"is {'still' if after.argmax() == top else 'now'} "
        f"{plain(vocabulary[int(after.argmax())])}."
    )
    skills_that_fall(cuts, what)


def skills_that_fall(cuts, what):
    """What else such a cut breaks, on fresh stories of every kind."""
    if cuts == NO_ABLATION or cuts.edges or cuts.positions:
        st.caption(
            "Heads and layers can be cut out of every story alike, and then the skills "
            "that fall are measured. A word or a link belongs to one sentence."
        )
        return
    heads = record("heads")
    skills, whole = list(heads["skills"]["whole"]), heads["skills"]["whole"]
    if len(cuts.heads) == 1:
        layer, head = next(iter(cuts.heads))
        without, asked = heads["skills"]["without"][layer][head], heads["num_stories"]
    elif st.button(f"Ask {NUM_ASKED} fresh stories with this cut", key="cut_ask",
                   help="Takes a few seconds, once for each cut.",
                   on_click=remember_asked, args=(cuts,)) or is_asked(cuts):
        without, asked = accuracies_with(cuts), NUM_ASKED
    else:
        return
    st.markdown(
        f"**Skills that fall.** Over {asked:,} fresh stories with {what} cut out, "
        + falls_of(skills, [whole[s] for s in skills], [without[s] for s in skills])
        + "."
    )
    offer_table(lambda: pd.DataFrame({
        "skill": skills, "whole": [whole[skill] for skill in skills],
        "with the cut": [without[skill] for skill in skills],
    }), "skills")


def remember_asked(cuts):
    """A callback: this cut was asked for, and stays on the page."""
    st.session_state["cut_asked"] = cuts


def is_asked(cuts):
    return st.session_state.get("cut_asked") == cuts


@st.cache_resource(show_spinner="Writing fresh stories, once…")
def stories_asked():
    """The stories on which skills are measured, once for all students."""
    return fresh_exam(tiny_llm().tokenizer, NUM_ASKED)


@st.cache_data(show_spinner="Asking fresh stories…", max_entries=64)
def accuracies_of(heads, layers):
    """The accuracy of every skill with some heads and layers cut out."""
    llm, cuts = tiny_llm(), Ablation(heads=heads, layers=layers)
    return accuracies(llm.weights, llm.tokenizer, stories_asked(), cuts)


def accuracies_with(cuts):
    return accuracies_of(tuple(sorted(cuts.heads)), tuple(sorted(cuts.layers)))


@st.cache_data(show_spinner="Cutting one link after the other…", max_entries=64)
def links_of(token_ids, word, other):
    """Every link of the last word, in every head: weight, direct effect, cut.

    Args:
        token_ids: a tuple.
        word, other: the numbers of the words that it is about.
    """
    llm = tiny_llm()
    run = trace(llm.weights, token_ids, causal_mask(len(token_ids)))
    found = logit_attribution(run, llm.weights, len(token_ids) - 1, word, other)
    links = all_links(llm.weights, run, found, word, other)
    return links.attention_weights, links.given, links.missed


def honesty_section(run, word, other, asked):
    """Weight, direct effect and effect of cutting, side by side for one word's head.

    Args:
        run: the `Trace`.
        word, other: the numbers of the words that it is about.
        asked: what the logit is called.
    """
    names = numbered(run.tokens)
    found = links_of(tuple(int(n) for n in run.token_ids), word, other)
    heads = {f"{layer + 1}.{head + 1}": (layer, head)
             for layer, head in np.ndindex(found[0].shape[:2])}
    first = list(heads)[found[2].max(axis=-1).argmax()]
    head = heads[picked("Head", list(heads), first, "honest_head")]
    weights, token = tiny_llm().weights, len(run.tokens) - 1
    missed = link_effects(weights, run, *head, token, word, other)
    values = found[0][head], found[1][head], missed
    measures = dict(zip(MEASURES, values, strict=True))
    show(three_measures(run.tokens, measures), "honesty")
    most, dearest = int(measures["weight"].argmax()), int(abs(missed).argmax())
    st.markdown(
        f"Head {head[0] + 1}.{head[1] + 1} at {plain(run.tokens[-1])}. Its largest "
        f"weight, {measures['weight'][most]:.2f}, is on *{names[most]}*. That link "
        f"has a direct effect of {signed(values[1][most])} on {asked}, and without it "
        f"this lead {falls(missed[most])}. "
        + (f"What matters most when cut is *{names[dearest]}*." if dearest != most else
           "No link of this head matters more when cut.")
    )
    st.markdown(every_link_told(found, names, run.tokens[-1]))


def search_section(run, word, other):
    """Search fresh stories for the words that make a chosen unit fire most.

    Args:
        run: the `Trace`.
        word, other: the numbers of the words that the lesson is about.
    """
    llm, heard = tiny_llm(), activations()
    found = logit_attribution(run, llm.weights, len(run.tokens) - 1, word, other)
    layers = llm.config.num_layers
    strongest = found.strongest((FEED_FORWARD,))
    layer = found.parts[strongest].layer if strongest is not None else layers - 1
    with st.container(horizontal=True):
        layer = picked("Block", list(range(1, layers + 1)), layer + 1,
                       "search_layer", width=120) - 1
        part = next(one for one in found.parts
                    if one.kind == FEED_FORWARD and one.layer == layer)
        wrote = np.prod(written_by_units(run, llm.weights, found, part), axis=0)
        most, num_units = int(wrote.argmax()) + 1, llm.config.feed_forward_dim
        unit = number_box(
            "Unit", 1, num_units, None, "search_unit", empty=most,
            placeholder=str(most), width=140,
        ) - 1
    vocabulary, share = llm.tokenizer.vocabulary, float(heard.shares[layer, unit])
    words = top_words(heard, layer, unit)
    st.markdown(
        f"{len(heard.stories)} stories from a seed that no training uses, "
        f"{heard.counts.sum():,} words. Unit {unit + 1} of block {layer + 1} fires "
        f"at {percent(share)} of them"
        + (", on average most strongly at:" if words else
           "; there is no common word for which it does.")
    )
    if words:
        means = [float(heard.means[layer, unit, word]) for word in words]
        show(bars(
            {vocabulary[word]: mean for word, mean in zip(words, means, strict=True)},
            "mean activation", "the unit", colour=THINKING, domain=None, form=".2f",
        ), "search_words")
    moments = [
        (float(strength), heard.stories[story], int(place))
        for strength, (story, place) in zip(
            heard.strengths[layer, unit], heard.moments[layer, unit], strict=True)
        if strength > 0
    ]
    if moments:
        st.markdown("Its strongest moments, the word in bold:\n\n" + "\n".join(
            f"- {strength:.2f} at {shown_moment(story, place)}"
            for strength, story, place in moments
        ))
    gains = direct_logit_effect(llm.weights, layer, unit)
    likelier = np.argsort(-gains, kind="stable")[:5]
    tried = words_that_fire(
        llm.weights, run.token_ids[-(llm.config.context_length - 1):], layer, unit
    )
    best = int(tried.argmax())
    st.markdown(
        "When it fires, these words gain most: "
        f"{listed(vocabulary[n] for n in likelier)}. "
        + (f"And of all {len(vocabulary)} words put next into your sentence, "
           f"{plain(vocabulary[best])} makes it fire most, with {tried[best]:.2f}."
           if tried[best] > 0 else "No word put next into your sentence makes it fire.")
    )


BEFORE, AFTER = 8, 3  # words shown around a moment


def shown_moment(story, place):
    """A moment in its story: a few words before, the word in bold, a few after."""
    start = max(place - BEFORE, 0)
    before, after = story[start:place], story[place + 1 : place + 1 + AFTER]
    parts = ["…" if start else "", " ".join(before), f"**{story[place]}**",
             " ".join(after)]
    return " ".join(part for part in parts if part).replace("<", r"\<")
