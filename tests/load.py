"""Thirty students at once, on a real server, over real connections.

    python -m tests.load                30 sessions, five minutes, two of them train
    python -m tests.load --training 0   the same, and nobody trains
    python -m tests.load --lessons      each lesson after a change of a control
    python -m tests.load --lessons machine heads        only these
    python -m tests.load --trainings 40     the memory over so many small trainings

Each session walks through the lessons and moves a control every few seconds, as a
browser would: it speaks Streamlit's own protocol over a websocket. Nothing is measured
in the server itself but its memory. Nobody asks for the Keras engine: the first
who does loads TensorFlow into the server, for good.
"""

import argparse
import asyncio
import os
import random
import statistics
import time
from dataclasses import dataclass, field
from pathlib import Path

import websockets
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState

from pages.ui.course import LESSONS
from tests.browser.harness import running_server

PAUSE = (3.0, 7.0)  # seconds between two changes of one student
CHANGES = 6  # in a lesson, before the next one
PATIENCE = 120  # seconds that a run may take before it counts as an error
KERAS = "engine"  # the key of the control that asks for it
BROKEN = "Nothing you did is lost"
TRAINED = {"first_and_last": "digit_model_main", "your_text": "own_model_main"}
SMALL = "own_steps=100&own_width=16&own_layers=1&own_context=16"  # of `your_text`
TICKS = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100


@dataclass
class Student:
    """One session.

    Attributes:
        socket: its connection.
        rng: what it does next follows from it.
        states: what its controls were set to, by their ids.
        controls: the controls on the page, each a message of Streamlit.
        page: the hash by which the server knows the page.
        query: what stands in the address behind the question mark.
    """

    socket: object
    rng: random.Random
    states: dict = field(default_factory=dict)
    controls: dict = field(default_factory=dict)
    page: str = ""
    query: str = ""
    errors: list = field(default_factory=list)

    async def open(self, stem, query=""):
        """Go to a lesson; the seconds until it stood."""
        self.controls, self.states, self.query = {}, {}, query
        return await self.run(name=stem)

    async def run(self, name=""):
        """Let the page run; the seconds until it had."""
        message = BackMsg()
        request = message.rerun_script
        request.page_name, request.query_string = name, self.query
        request.page_script_hash = "" if name else self.page
        request.widget_states.widgets.extend(self.states.values())
        started = time.monotonic()
        await self.socket.send(message.SerializeToString())
        async with asyncio.timeout(PATIENCE):
            while not self.is_last(ForwardMsg.FromString(await self.socket.recv())):
                pass
        for state in list(self.states.values()):
            if state.WhichOneof("value") == "trigger_value":
                del self.states[state.id]  # a press happens once
        return time.monotonic() - started

    def is_last(self, message):
        """Take a message in; whether the run is over."""
        kind = message.WhichOneof("type")
        if kind == "navigation":
            # Not from `new_session`: there it is still the page of the router.
            self.page = message.navigation.page_script_hash
        elif kind == "delta" and message.delta.WhichOneof("type") == "new_element":
            self.take(message.delta.new_element)
        elif kind == "script_finished":
            return message.script_finished == ForwardMsg.FINISHED_SUCCESSFULLY
        return False

    def take(self, element):
        """Note a control, or an error on the page."""
        kind = element.WhichOneof("type")
        part = getattr(element, kind)
        if kind == "exception":
            self.errors.append(part.message)
        elif kind == "alert" and BROKEN in part.body:
            self.errors.append(part.body)
        elif kind in SETTERS or kind == "button":
            self.controls[part.id] = (kind, part)

    def change(self):
        """Move one control to another place; whether there was one."""
        able = [(kind, part) for kind, part in self.controls.values()
                if kind in SETTERS and not part.disabled
                and not part.id.endswith(f"-{KERAS}")]
        if not able:
            return False
        kind, part = self.rng.choice(able)
        state = WidgetState(id=part.id)
        SETTERS[kind](part, state, self.rng)
        self.states[part.id] = state
        return True

    def press(self, key):
        """Press a button by its key."""
        number = next(n for n, (kind, _) in self.controls.items()
                      if kind == "button" and n.endswith(f"-{key}"))
        self.states[number] = WidgetState(id=number, trigger_value=True)


def set_slider(slider, state, rng):
    if slider.options:
        state.string_array_value.data.append(rng.choice(slider.options))
        return
    steps = round((slider.max - slider.min) / slider.step)
    value = slider.min + slider.step * rng.randint(0, steps)
    state.double_array_value.data.append(value)


def set_option(choice, state, rng):
    state.string_value = rng.choice(choice.options)


def set_segment(choice, state, rng):
    state.string_array_value.data.append(rng.choice(choice.options).content)


def set_switch(switch, state, rng):
    state.bool_value = rng.random() < 0.5


SETTERS = {"slider": set_slider, "radio": set_option, "selectbox": set_option,
           "button_group": set_segment, "checkbox": set_switch}


async def connected(address, number):
    """A new session on the server."""
    url = address.replace("http", "ws", 1) + "/_stcore/stream"
    socket = await websockets.connect(url, subprotocols=["streamlit"], max_size=None)
    return Student(socket, random.Random(number))


async def walk(address, number, until, times, errors):
    """A student who goes through the lessons and tries their controls."""
    student = await connected(address, number)
    await asyncio.sleep(student.rng.uniform(0, PAUSE[1]))
    place = number  # everybody begins somewhere else
    try:
        while time.monotonic() < until:
            lesson = LESSONS[place % len(LESSONS)]
            times["open"].append(await student.open(lesson.stem))
            for _ in range(CHANGES):
                await asyncio.sleep(student.rng.uniform(*PAUSE))
                if time.monotonic() > until or not student.change():
                    break
                times["change"].append(await student.run())
            place += 1
    except Exception as error:
        errors.append(f"{lesson.stem}: {type(error).__name__} {error}")
    errors += [f"{lesson.stem}: {error}" for error in student.errors]
    await student.socket.close()


async def train(address, number, until, times, errors):
    """A student who trains one model after the other."""
    stem = list(TRAINED)[number % len(TRAINED)]
    student = await connected(address, number)
    try:
        await student.open(stem)
        while time.monotonic() < until:
            student.press(TRAINED[stem])
            times["training"].append(await student.run())
    except TimeoutError:
        pass  # it trained to the end of the measurement
    except Exception as error:
        errors.append(f"{stem}: {type(error).__name__} {error}")
    errors += [f"{stem}: {error}" for error in student.errors]
    await student.socket.close()


async def class_of(address, sessions, minutes, training):
    """Let a class work; its times and its errors."""
    until = time.monotonic() + 60 * minutes
    times, errors = {"open": [], "change": [], "training": []}, []
    await asyncio.gather(*(
        (train if number < training else walk)(address, number, until, times, errors)
        for number in range(sessions)
    ))
    return times, errors


async def each_lesson(address, changes, stems=()):
    """The runs after a change, for each lesson that has a control.

    Yields:
        The lesson's name, the seconds of each run, and the server's processor time in
        seconds for one of them.
    """
    for lesson in LESSONS:
        if stems and lesson.stem not in stems:
            continue
        student = await connected(address, 1)
        await student.open(lesson.stem)
        before = processor_time()
        seconds = [await student.run() for _ in range(changes) if student.change()]
        spent = (processor_time() - before) / max(1, len(seconds))
        await student.socket.close()
        yield lesson.stem, seconds, spent


async def opened_once(address, stems=()):
    """Open these lessons or all, so that what is cached once is cached."""
    async for _ in each_lesson(address, 1, stems):
        pass


async def print_each_lesson(address, stems):
    """Print a line for each lesson as soon as it is measured."""
    async for stem, seconds, spent in each_lesson(address, 15, stems):
        print(f"{stem:20} {spread(seconds)}   processor {spent * 1000:5,.0f} ms",
              flush=True)


async def print_trainings(address, count):
    """Print the memory before, while and after one trains again and again."""
    student = await connected(address, 1)
    await student.open("your_text", SMALL)
    for number in range(1, count + 1):
        if number == 1:
            print(f"before             memory in MB: {memory()}", flush=True)
        student.press(TRAINED["your_text"])
        await student.run()
        if student.errors:
            print("errors:", *student.errors)
            break
        if number % 5 == 0 or number == count:
            print(f"{number:3} trainings      memory in MB: {memory()}", flush=True)
    await student.socket.close()


def memory():
    """The memory of the server and of its worker in MB, where the system says it."""
    found = {}
    for server in children(os.getpid()):
        found["server"] = resident(server)
        for worker in children(server):
            found["worker"] = resident(worker)
    return found


def processor_time():
    """The seconds that the server has computed so far; 0 if the system says nothing."""
    try:
        server = children(os.getpid())[0]
        with open(f"/proc/{server}/stat", encoding="ascii") as file:
            ticks = file.read().rsplit(")", 1)[1].split()
        return (int(ticks[11]) + int(ticks[12])) / TICKS
    except (OSError, IndexError):
        return 0.0


def children(parent):
    """The processes that a process has started, in any of its threads."""
    lists = Path("/proc").glob(f"{parent}/task/*/children")
    return [int(number) for one in lists for number in one.read_text().split()]


def resident(process):
    """The memory of a process in MB."""
    with open(f"/proc/{process}/status", encoding="utf-8") as file:
        status = dict(line.split(":", 1) for line in file)
    return int(status["VmRSS"].split()[0]) // 1024


def spread(seconds):
    """Some times as a line."""
    if not seconds:
        return "none"
    ordered = sorted(seconds)
    at = ordered[min(len(ordered) - 1, round(0.95 * (len(ordered) - 1)))]
    return (f"{len(ordered):5,}   p50 {statistics.median(ordered) * 1000:6,.0f} ms   "
            f"p95 {at * 1000:6,.0f} ms   longest {ordered[-1] * 1000:6,.0f} ms")


def main():
    """Read the command line, measure, and print."""
    parser = argparse.ArgumentParser(description="Many students at once.")
    parser.add_argument("--sessions", type=int, default=30)
    parser.add_argument("--minutes", type=float, default=5)
    parser.add_argument("--training", type=int, default=2, help="how many train")
    parser.add_argument("--lessons", nargs="*", metavar="NAME",
                        help="one lesson at a time: these, or all")
    parser.add_argument("--trainings", type=int, metavar="N",
                        help="N small trainings in a row, and the memory")
    args = parser.parse_args()
    with running_server() as address:
        asyncio.run(opened_once(address, args.lessons or ()))
        if args.lessons is not None:
            asyncio.run(print_each_lesson(address, args.lessons))
            return
        if args.trainings:
            asyncio.run(print_trainings(address, args.trainings))
            return
        before = memory()
        times, errors = asyncio.run(
            class_of(address, args.sessions, args.minutes, args.training)
        )
        print(f"{args.sessions} sessions, {args.minutes:g} minutes, "
              f"{args.training} of them train")
        for kind, seconds in times.items():
            print(f"{kind:10} {spread(seconds)}")
        print(f"errors     {len(errors)}", *sorted(set(errors)), sep="\n           ")
        print(f"memory in MB: before {before}, after {memory()}")


if __name__ == "__main__":
    main()
