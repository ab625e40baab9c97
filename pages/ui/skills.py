"""The seven skills of the toy world, with an example of each."""

import streamlit as st

EXAMPLES = {
    "word order": "`dog bites man . who was bitten ?` → `man`",
    "agreement": "`the keys to the cabinet` → `are`",
    "reference": "`… the street because it was too wide . so the` → `street`",
    "binding": "`mia has a blue kite . mia 's kite is` → `blue`",
    "repetition": "`mia says : cup hat . the parrot says :` → `cup`",
    "order": "`monday , tuesday ,` → `wednesday`",
    "category": "`the dog` → `barks`",
}


def skills_popover():
    """A small button that opens the list of skills."""
    with st.popover("the seven skills", type="tertiary", icon=":material/help:"):
        st.markdown(
            "Each kind of story in the toy world asks for one **skill**: at some words "
            "it alone gives the right answer."
        )
        st.markdown("\n".join(f"- **{name}**: {EXAMPLES[name]}" for name in EXAMPLES))
