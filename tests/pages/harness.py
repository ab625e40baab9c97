"""What tests of pages share."""


def open_all(app):
    """Open every section of a page, those inside others too; their keys."""
    opened = []
    while True:
        closed = [e.key for e in app.get("expander") if e.key and e.key not in opened]
        if not closed:
            return opened
        for key in closed:
            app.session_state[key] = True
        opened += closed
        app.run()


def find(app, kind, key):
    """The widget of a kind with this key, if it is still on the page."""
    return next((widget for widget in app.get(kind) if widget.key == key), None)
