"""The old place of what lives in `pages/ui/words.py`."""

from pages.ui.words import numbered, percent, strongest_links  # noqa: F401
