"""The old place of `spec` and `ROWS`; both live in `pages/ui/chart.py`."""

from pages.ui.chart import ROWS, spec, spec_of  # noqa: F401
