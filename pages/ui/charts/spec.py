"""From a chart to the dictionary that the browser draws."""

from pages.ui.colours import WORDS

ROWS = "rows"  # the name of the table that `pages/ui/chart.py` sends with a chart


def spec(chart):
    """A chart as a dictionary without data, for `pages/ui/chart.py` to send with data.

    Altair names an empty table in each layer; here all layers use the one table that
    is sent.
    """
    drawn = without_data(chart.to_dict())
    # Text inside a chart does not follow the theme by itself; axes and legends do.
    drawn["config"] = {**drawn.get("config", {}), "text": {"color": WORDS}}
    return {**drawn, "data": {"name": ROWS}}


def without_data(part):
    """A specification without its `data` entries, those inside it too."""
    if isinstance(part, dict):
        return {
            key: without_data(value)
            for key, value in part.items()
            if key != "data" or "name" not in value
        }
    return [without_data(item) for item in part] if isinstance(part, list) else part
