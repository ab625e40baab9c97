"""From a chart to the dictionary that the browser draws."""


def spec(chart):
    """A chart as a dictionary without data, for `pages/ui/show.py` to send with data.

    Altair names an empty table in each layer; without it all layers use the one table
    that is sent.
    """
    return without_data(chart.to_dict())


def without_data(part):
    """A specification without its `data` entries, those inside it too."""
    if isinstance(part, dict):
        return {
            key: without_data(value)
            for key, value in part.items()
            if key != "data" or "name" not in value
        }
    return [without_data(item) for item in part] if isinstance(part, list) else part
