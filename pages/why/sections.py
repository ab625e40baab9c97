"""The *Go deeper* sections of the lesson on why; each takes the story on the page."""

import streamlit as st

from llm.glassbox.lstm import lstm_step
from llm.studies.distance import SKILLS_WITH_A_SOURCE
from llm.studies.memory import (
    COLOURS,
    kept_shares,
    reading_seconds,
    retained_share,
    work_of_attention,
    work_of_recurrence,
)
from pages.ui.chart import sentence, show
from pages.ui.charts.bars import bars
from pages.ui.charts.lines import lines
from pages.ui.charts.trainings import (
    lengths_picture,
    reached_in_words,
    uneven_in_words,
)
from pages.ui.colours import KEYS, MODEL, QUIET
from pages.ui.controls import choose
from pages.ui.frame import lesson_link
from pages.ui.models import lstm_twin, record, tiny_llm
from pages.ui.source import show_source
from pages.ui.words import percent
from pages.why.charts import LSTM_COLOUR
from pages.why.measures import binding_by_facts, milliseconds
from pages.why.words import by_number_of_facts, distance_in_words, rivals_in_words

EXAMPLES = {
    "binding": ("mia has a red kite . what does mia have ? a", "red"),
    "repetition": ("mia says : cup hat . the parrot says :", "cup"),
    "reference": (
        "the animal didn't cross the street because it was too tired . so the",
        "animal",
    ),
    "word order": ("dog bites man . who was bitten ?", "man"),
    "agreement": ("the keys to the old cabinet", "are"),
}
NETWORKS = {"tiny LLM": MODEL, "LSTM": LSTM_COLOUR}
PRICE_AT = (1, 8, 16, 24, 32, 40, 48, 56, 64)


def skills_by_distance(story):
    """How often each skill is right, by how far back the deciding word stands."""
    measured = record("distance")
    skill = choose("Skill", SKILLS_WITH_A_SOURCE, "why_skill")
    before, answer = EXAMPLES[skill]
    sentence(before.split(), [answer], blank=False)
    found = measured["skills"][skill]
    shares = {
        name: {
            f"{low} to {high} words back": share
            for (low, high), share in zip(
                measured["distances"], found[name], strict=True)
            if share is not None
        }
        for name in NETWORKS
    }
    st.markdown(f"""
    On {measured["num_stories"]:,} stories written afresh: how often does the right word
    get the highest probability? Each row is a distance: how many words back the
    deciding word stands.
    """)
    show(
        bars(shares["tiny LLM"], "right", "tiny LLM", second=shares["LSTM"],
             second_name="LSTM", what="distance",
             said=f"How often {skill} is right, by distance"),
        "why_skill_numbers",
    )
    ends = {
        name: (*list(by.items())[0], *list(by.items())[-1])
        for name, by in shares.items()
    }
    st.markdown(distance_in_words(ends))
    if skill == "binding":
        other_facts()
    st.caption("Distances that never occur are left out. One training of each network.")


def other_facts():
    """How often binding is right by the number of facts that were told."""
    counts, right = binding_by_facts()
    shares = {name: by_number_of_facts(counts, right[name]) for name in NETWORKS}
    show(
        bars(shares["tiny LLM"], "right", "tiny LLM", second=shares["LSTM"],
             second_name="LSTM", what="facts",
             said="How often binding is right, by the number of facts told"),
        "why_facts_numbers",
    )
    st.markdown(rivals_in_words(counts, right["LSTM"], "LSTM"))


def longer_rows(story):
    """The task of lesson 9 at several lengths: every training is a dot."""
    sweep = record("lengths")
    budget, results = sweep["budget"], sweep["results"]
    st.markdown(f"""
    Is the first digit of a row the same as the last? Networks of the same width learn
    this for rows of several lengths, from {budget["num_rows"]:,} rows, read up to
    {budget["epochs"]} times. Every dot is one training; the lines join their means.
    """)
    show(lengths_picture(results), "why_lengths_numbers")
    st.caption("Where a network has no dot, it was not trained at that length.")
    st.markdown(f"{reached_in_words(results)} {uneven_in_words(results)}")
    lesson_link("first_and_last", "Train these networks yourself")


def memory_of_an_lstm(story):
    """What the forget gates leave of what was stored at the colour."""
    lstm, llm = lstm_twin(), tiny_llm()
    position = story.index(COLOURS[0])
    kept = kept_shares(lstm, llm.tokenizer.ids_of(story))
    left = retained_share(kept, position)
    best = int(left[-1].argmax())
    st.markdown(f"""
    At each word an LSTM multiplies every number in its memory by a **forget gate**, a
    number between 0 and 1. What was stored at `{COLOURS[0]}` is multiplied
    {len(left) - 1} times by the end. This is the product: on average over all
    {left.shape[1]} numbers of the memory, and for the one that keeps most.
    """)
    show(
        lines(
            {
                "average": list(enumerate(left.mean(axis=1))),
                "the best keeper": list(enumerate(left[:, best])),
            },
            "words after the colour", "left of what was stored",
            colours={"average": QUIET, "the best keeper": LSTM_COLOUR},
            domain=(0, 1), form="percent",
        ),
        "why_gates_numbers",
    )
    st.markdown(f"""
    On average {percent(left[-1].mean())} is left; in the best keeper
    {percent(left[-1, best])}. So single numbers can be kept for a long time, which is
    what the LSTM was invented for. But there are only {left.shape[1]} of them for all
    that may be asked, however long the text.

    Learning goes the same way backwards: the signal that the colour mattered comes back
    through the same product. With attention it goes back along the looks, and a look
    may reach any distance.
    """)
    show_source(lstm_step, kept_shares, retained_share)


def the_price(story):
    """How many pairs are compared, for more and more words."""
    show(
        lines(
            {
                "attention, each with each": [
                    (n, work_of_attention(n)["pairs"]) for n in PRICE_AT],
                "attention, left only": [
                    (n, work_of_attention(n)["seen"]) for n in PRICE_AT],
                "recurrent": [(n, work_of_recurrence(n)["pairs"]) for n in PRICE_AT],
            },
            "words", "pairs, or steps", form=",d", log_x=True, log_y=True,
            colours={
                "attention, each with each": MODEL, "attention, left only": KEYS,
                "recurrent": LSTM_COLOUR,
            },
        ),
        "price",
    )
    most = PRICE_AT[-1]
    cost = work_of_attention(most)
    st.markdown(f"""
    The tiny LLM is a **decoder**: it writes, so a word may look only at itself and at
    the words before it. That leaves about half of the pairs, {cost["seen"]:,} of
    {cost["pairs"]:,} for {most} words, and they still grow with the square.

    The picture counts steps of a recurrent network beside pairs of attention, and one
    step is more work than one pair. So it shows how each grows, not which is faster at
    a given length. The next section times both.
    """)
    show_source(work_of_recurrence, work_of_attention)


def how_long_it_takes(story):
    """Milliseconds of one layer of each network, on this computer."""
    ids = tiny_llm().tokenizer.ids_of(story)
    st.markdown("""
    One layer of each network in NumPy, on the computer that runs this page. Another
    computer gives other figures, and a busy one may be far off. NumPy does not do
    everything at once, as a GPU would, so here the pairs are paid for in full.
    """)
    show(
        lines(milliseconds(tuple(ids)), "words", "milliseconds",
              colours={"attention": MODEL, "LSTM": LSTM_COLOUR}, log_x=True,
              log_y=True, form=".3~r"),
        "why_time_numbers",
    )
    show_source(reading_seconds)
