"""One pass through the course in a process of its own, where nothing is cached yet.

Opens every lesson, then every section of each, and prints as JSON what could be seen:
for each lesson which large libraries were loaded by then without being asked for,
whether it broke, how many functions it shows, and which of them have not run.
"""

import inspect
import json
import sys
import threading

from pages.ui import source
from pages.ui.course import LESSONS
from tests.pages.harness import find, open_all, opened

ran, shown = set(), set()


def note_calls():
    """From now on note the code of every function that begins, in every thread."""
    if sys.version_info < (3, 12):
        threading.setprofile(lambda frame, *_: ran.add(frame.f_code))
        return
    watch, begun = sys.monitoring, sys.monitoring.events.PY_START
    watch.use_tool_id(watch.PROFILER_ID, "what has run")
    watch.register_callback(watch.PROFILER_ID, begun, note)
    watch.set_events(watch.PROFILER_ID, begun)


def note(code, _):
    ran.add(code)
    return sys.monitoring.DISABLE  # once is enough


def codes(function):
    """The code of a function, or of all the methods of a class."""
    if inspect.isclass(function):
        return {m.__code__ for m in vars(function).values() if inspect.isfunction(m)}
    return {inspect.unwrap(function).__code__}


def move_to_one_end(app):
    """Move every slider to an end: what this switches on counts as well."""
    for kind in ("slider", "select_slider"):
        for key in [widget.key for widget in app.get(kind)]:
            widget = find(app, kind, key)
            ends = getattr(widget, "options", None) or [widget.min]
            if not isinstance(widget.value, (tuple, list)):
                widget.set_value(ends[0])
    app.run()


def all_that_is_seen():
    """From the name of each lesson to what was seen of it."""
    seen = {}
    for lesson in LESSONS:
        opened(lesson)
        seen[lesson.stem] = {"loaded": [*({"tensorflow", "keras"} & set(sys.modules))]}
    for lesson in LESSONS:
        shown.clear()
        app = opened(lesson)
        open_all(app)
        move_to_one_end(app)
        idle = [one.__name__ for one in shown if not codes(one) & ran]
        seen[lesson.stem] |= {"shown": len(shown), "idle": idle}
        seen[lesson.stem]["broken"] = [box.value for box in app.error]
    return seen


if __name__ == "__main__":
    source.show_source = lambda *functions, **_: shown.update(functions)
    note_calls()
    print(json.dumps(all_that_is_seen()))
