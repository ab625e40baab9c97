"""What goes deeper in the lesson on sampling; each section runs only while open."""

import pandas as pd
import streamlit as st

from llm.glassbox.sampling import cut, greedy, top_k, top_p
from llm.studies.sampling import judge, write_story
from pages.sampling.words import stories_in_words, stories_list, sweep_in_words
from pages.ui.chart import show
from pages.ui.charts.lines import lines
from pages.ui.colours import KEYS, MODEL
from pages.ui.models import record, tiny_llm, world
from pages.ui.source import show_source
from pages.ui.words import percent

STORIES = 5  # written each way
POSSIBLE, DIFFERENT = "possible", "different from all earlier ones"
# Top-k and top-p, None where nothing is cut; the last keeps all words.
CUTS = ((None, None), (None, 1.0), (None, 0.9), (None, 0.05), (1, None), (3, None),
        (3, 0.9))


def likeliest_or_drawn(tokens, seed, settings):
    """Stories written greedily, and drawn as the sliders stand.

    Args:
        tokens: how each story begins.
        seed: of the first story; the next ones count up.
        settings: a `Sampling`.
    """
    st.markdown(f"""
    Always taking the likeliest word is called **greedy**. Here are {STORIES} stories
    each way, from the start above: greedy first, then drawn as the sliders stand. The
    toy world reads every word and says whether it could have written it.
    """)
    ways = {
        "Greedy": {"temperature": 0},
        "Drawn": {"temperature": settings.temperature, "top_k": settings.top_k,
                  "top_p": settings.top_p},
    }
    for name, how in ways.items():
        verdicts = [
            judge(world(), write_story(tiny_llm(), tokens, seed + number, **how))
            for number in range(STORIES)
        ]
        st.markdown(stories_in_words(name, verdicts))
        st.markdown(stories_list(verdicts, len(tokens)))
    st.caption(
        "Greedy writing has no chance in it, so every story is the same. It need not "
        "be the likeliest story: a less likely word now may lead to likelier words "
        "later."
    )
    show_source(greedy, judge)


def temperature_and_truth():
    """How many stories are possible at each temperature."""
    found = record("sweep")
    st.markdown(f"""
    At each of these temperatures the tiny LLM wrote {found["stories"]:,} stories from
    nothing, without any cut. The world judged each of them: could it have written it,
    from the first word to the last?
    """)
    rows = found["temperatures"]
    curves = {
        name: [(row["temperature"], row[field]) for row in rows]
        for name, field in ((POSSIBLE, "possible"), (DIFFERENT, "different"))
    }
    show(
        lines(curves, "temperature", "share of stories", domain=(0, 1), form="percent",
              colours={POSSIBLE: MODEL, DIFFERENT: KEYS}, x_format=".2~f"),
        "sweep",
    )
    st.markdown(sweep_in_words(found))


def what_cuts_leave(vocabulary, softened):
    """What several settings of top-k and top-p leave of the words above.

    Args:
        vocabulary: (vocab_size,) words.
        softened: (vocab_size,) probabilities, before any cut.
    """
    st.markdown("""
    What the two cuts leave of the words above, at the temperature of the slider. Can
    everything be cut? No: the likeliest word always stays, because the word that
    *reaches* p is kept too.
    """)
    settings = [*CUTS, (len(vocabulary), None)]
    left = [cut(softened, *setting) for setting in settings]
    st.dataframe(
        cuts_table(vocabulary, softened, settings, left), hide_index=True,
        alt="What several settings of top-k and top-p leave over.",
    )
    show_source(cut, top_k, top_p)


def cuts_table(vocabulary, probabilities, settings, left):
    """What cuts leave over, one row a setting.

    Args:
        vocabulary: (vocab_size,) words.
        probabilities: (vocab_size,), before the cuts.
        settings: a list of (top-k, top-p), None where nothing is cut.
        left: for each setting (vocab_size,), after the cuts.
    """
    rows = []
    for (k, p), after in zip(settings, left, strict=True):
        best = int(after.argmax())
        rows.append({
            "top-k": "off" if k is None else str(k),
            "top-p": "off" if p is None else f"{p:g}",
            "words left": int((after > 0).sum()),
            "what they had before": percent(probabilities[after > 0].sum()),
            "likeliest": vocabulary[best],
            "before": percent(probabilities[best]),
            "now": percent(after[best]),
        })
    return pd.DataFrame(rows)
