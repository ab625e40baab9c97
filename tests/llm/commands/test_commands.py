"""The command line: predict, generate, and what they say to mistakes."""

import json
import os
import re
import subprocess
import sys
from dataclasses import replace
from functools import partial
from types import SimpleNamespace

import pytest

from llm.__main__ import main
from llm.commands import bench
from llm.models.config import ModelConfig
from llm.world import World, held_out_pairs

PROMPT = "the cat sat on the"


@pytest.fixture
def run(tiny_path, monkeypatch, capsys):
    """Run a command on the tiny model; gives its exit code, output and complaint."""
    monkeypatch.setattr("llm.models.tiny_llm.DEFAULT_PATH", tiny_path)

    def run(*arguments):
        try:
            code = main([str(argument) for argument in arguments])
        except SystemExit as exit:
            code = exit.code
        return SimpleNamespace(code=code, **capsys.readouterr()._asdict())

    return run


def found(outcome):
    """The one object that a command printed with `--json`."""
    assert outcome.code == 0
    return json.loads(outcome.out)


def test_predict_gives_the_probabilities_of_the_whole_vocabulary(run, tiny_llm):
    answer = found(run("predict", PROMPT, "--top", 1000, "--json"))
    assert answer["prompt"] == PROMPT
    expected = tiny_llm.next_token(PROMPT)
    given = {token["token"]: token["probability"] for token in answer["tokens"]}
    assert given == expected and list(given) == list(expected)


def test_predict_shows_the_likeliest_without_sharing_out_the_rest(run, tiny_llm):
    for top in (1, 8):
        tokens = found(run("predict", PROMPT, "--top", top, "--json"))["tokens"]
        expected = list(tiny_llm.next_token(PROMPT).items())[:top]
        assert [(t["token"], t["probability"]) for t in tokens] == expected
    assert len(found(run("predict", PROMPT, "--json"))["tokens"]) == 8


def test_truth_is_exact_at_any_temperature_and_zero_for_other_words(run):
    truth = World(held_out_pairs()).next_word_probabilities(PROMPT.split())
    for temperature in (1, 0.3):
        answer = found(run(
            "predict", PROMPT, "--top", 1000, "--temperature", temperature, "--json"
        ))
        given = {token["token"]: token["truth"] for token in answer["tokens"]}
        assert given["mat"] == pytest.approx(0.41)
        assert given == {word: truth.get(word, 0.0) for word in given}


@pytest.mark.parametrize("prompt", ["mat mat mat", f"{PROMPT} mat . <end>"])
def test_truth_is_null_where_the_world_says_nothing(run, prompt):
    answer = found(run("predict", prompt, "--json"))
    assert {token["truth"] for token in answer["tokens"]} == {None}
    assert "no truth to compare" in run("predict", prompt).out


def test_predict_prints_a_table_for_people(run):
    lines = run("predict", "The cat sat on the", "--top", 3).out.splitlines()
    assert lines[0].split() == ["token", "model", "truth"]
    assert len(lines) == 5
    shown = sum(float(line.split()[1]) for line in lines[1:4])
    others = float(re.search(r"All other words together: (.*)\.", lines[4])[1])
    assert shown + others == pytest.approx(1, abs=0.01)


def test_generate_gives_tokens_text_and_seed(run, tiny_llm):
    answer = found(run("generate", PROMPT, "--tokens", 9, "--seed", 4, "--json"))
    expected = list(tiny_llm.generate(PROMPT, 9, seed=4))
    assert answer == {
        "prompt": PROMPT, "tokens": expected, "text": " ".join(expected),
        "seed": 4, "dropped": 0,
    }


def test_generate_prints_the_text_for_people(run, tiny_llm):
    expected = [*PROMPT.split(), *tiny_llm.generate(PROMPT, 5)]
    assert run("generate", PROMPT, "--tokens", 5).out == " ".join(expected) + "\n"


def test_settings_reach_the_sampler(run, tiny_llm):
    settings = {"temperature": 1.5, "top_k": 20, "top_p": 0.7}
    flags = [f"--{name.replace('_', '-')}={value}" for name, value in settings.items()]
    answer = found(run("generate", PROMPT, *flags, "--json"))
    assert answer["tokens"] == list(tiny_llm.generate(PROMPT, **settings))


def test_both_engines_write_the_same(run):
    ours, theirs = (
        found(run("generate", PROMPT, "--engine", engine, "--json"))
        for engine in ("glassbox", "keras")
    )
    assert ours == theirs


@pytest.mark.parametrize("arguments", [
    ["--temperature", 0], ["--temperature", 1e308], ["--temperature", 5e-324],
])
def test_extreme_temperatures_are_no_mistake(run, arguments):
    for command in ("predict", "generate"):
        assert run(command, PROMPT, *arguments).code == 0


MISTAKES = {
    "the catt sat": "'catt' is not in the vocabulary. Nearest known words: cat",
    "": "The prompt is empty",
    "   ": "The prompt is empty",
    "\t\n": "The prompt is empty",
    "the 😀": "The word '😀' is not",
    "مرحبا": "The word 'مرحبا' is not",
    "the \x00 cat": r"The word '\x00' is not",
    "\x1b[31m": r"The word '\x1b' is not",
    "\u202ethe": r"The word '\u202e' is not",
    "\udcff": r"The word '\udcff' is not",
    "<script>alert(1)</script>": "The word '<' is not",
    "zebra " * 10_000: "The word 'zebra' is not",
    "x" * 100_000: "is not in the vocabulary",
}


@pytest.mark.parametrize("prompt", MISTAKES, ids=lambda prompt: repr(prompt[:12]))
@pytest.mark.parametrize("command", ["predict", "generate"])
def test_a_prompt_that_cannot_be_read_gets_one_sentence(run, command, prompt):
    assert_one_sentence(run(command, prompt, "--json"), MISTAKES[prompt])


@pytest.mark.parametrize("arguments, complaint", [
    (["predict", PROMPT, "--temperature", "-1"], "from 0 upwards, not -1.0."),
    (["predict", PROMPT, "--temperature", "nan"], "not nan."),
    (["predict", PROMPT, "--temperature", "inf"], "not inf."),
    (["predict", PROMPT, "--temperature", "1e999"], "not inf."),
    (["predict", PROMPT, "--temperature", "warm"], "'warm' is not a number."),
    (["predict", PROMPT, "--temperature", ""], "'' is not a number."),
    (["predict", PROMPT, "--temperature"], "--temperature: expected one argument."),
    (["predict", PROMPT, "--top", "0"], "must be at least 1, not 0."),
    (["predict", PROMPT, "--engine", "abacus"], "invalid choice: 'abacus'"),
    (["predict", PROMPT, "--colour", "red"], "Unrecognized arguments: --colour red."),
    (["predict", PROMPT, "--\x1b[31m"], r"--\x1b[31m"),
    (["predict"], "required: prompt."),
    ([], "required: command."),
    (["divine"], "invalid choice: 'divine'"),
    (["generate", PROMPT, "--temperature", "-1"], "from 0 upwards, not -1.0."),
    (["generate", PROMPT, "--top-k", "0"], "Top-k must be from 1 to"),
    (["generate", PROMPT, "--top-k", "100000"], "not 100000."),
    (["generate", PROMPT, "--top-k", "2.5"], "'2.5' is not a whole number."),
    (["generate", PROMPT, "--top-p", "0"], "Top-p must be above 0 and at most 1"),
    (["generate", PROMPT, "--top-p", "7"], "not 7.0."),
    (["generate", PROMPT, "--tokens", "0"], "must be at least 1, not 0."),
    (["generate", PROMPT, "--tokens", "-3"], "must be at least 1, not -3."),
    (["generate", PROMPT, "--seed", "lucky"], "'lucky' is not a whole number."),
    (["generate", PROMPT, "--seed", "-1"], "The seed must be 0 or more, not -1."),
    (["generate", PROMPT, "--seed", "9" * 9999], "is not a whole number."),
    (["train", "--what", "everything"], "invalid choice: 'everything'"),
])
def test_a_setting_without_meaning_gets_one_sentence(run, arguments, complaint):
    assert_one_sentence(run(*arguments), complaint)


def assert_one_sentence(outcome, complaint):
    """Exit code 2, nothing printed, and one line that says what is wrong."""
    assert outcome.code == 2
    assert outcome.out == ""
    assert complaint in outcome.err
    assert outcome.err.endswith(".\n") and outcome.err.count("\n") == 1
    assert outcome.err.strip().isprintable()


@pytest.mark.parametrize("content, complaint", [
    (None, "There is no weights file"), (b"", "damaged"), (b"PK\x03\x04", "damaged"),
])
def test_unsound_weights_get_one_sentence(run, tmp_path, content, complaint):
    path = tmp_path / "model.keras"
    if content is not None:
        path.write_bytes(content)
    assert_one_sentence(run("predict", PROMPT, "--weights", path), complaint)


def test_weights_without_their_words_get_one_sentence(run, tiny_path, tmp_path):
    path = tmp_path / "model.keras"
    path.write_bytes(tiny_path.read_bytes())
    assert_one_sentence(
        run("generate", PROMPT, "--weights", path), "There is no record"
    )


def test_of_ten_thousand_words_the_last_ones_are_kept(run, tiny_llm):
    words = ("the cat sat on the mat . " * 1500).split()[:10_000]
    outcome = run("predict", " ".join(words), "--json")
    assert outcome.err == (
        "The model sees 16 tokens at once: the first 9985 were left out.\n"
    )
    answer = found(outcome)
    assert answer["dropped"] == 9985
    expected = tiny_llm.probabilities(words)
    assert answer["tokens"][0]["probability"] == pytest.approx(max(expected))
    assert found(run("generate", " ".join(words), "--json"))["dropped"] >= 9985


def test_capitals_and_curly_quotes_are_the_same_words(run):
    plain = found(run("predict", "the animal didn't", "--json"))
    fancy = found(run("predict", "The ANIMAL didn\u2019t", "--json"))
    assert plain["tokens"] == fancy["tokens"]


def in_a_process(*arguments, **settings):
    return subprocess.run(
        [sys.executable, "-m", "llm", *arguments], capture_output=True, text=True,
        **settings,
    )


def test_a_mistake_leaves_no_traceback_in_a_real_process(tiny_path):
    done = in_a_process("predict", "zebra", "--weights", tiny_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("The word 'zebra' is not in the vocabulary.")


@pytest.mark.skipif(os.name != "posix", reason="uses a shell")
@pytest.mark.parametrize("command", ["predict", "generate"])
def test_a_closed_pipe_leaves_no_traceback(tiny_path, command):
    # `true` reads nothing and is gone before the command prints.
    line = f'"$0" -m llm {command} the --weights "$1" | true'
    done = subprocess.run(
        ["sh", "-c", line, sys.executable, tiny_path], capture_output=True, text=True
    )
    assert done.stderr == ""


def test_predict_does_not_load_keras(tiny_path):
    code = (
        "import sys; from llm.__main__ import main; main(sys.argv[1:]); "
        "sys.exit(bool({'keras', 'tensorflow'} & set(sys.modules)))"
    )
    arguments = ["predict", "the", "--weights", tiny_path]
    done = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True)
    assert done.returncode == 0


def test_bench_prints_what_it_measured_beside_what_is_promised(
    run, monkeypatch, tiny_llm
):
    monkeypatch.setattr(bench, "training_minutes", lambda: 5.0)
    monkeypatch.setattr(bench, "NUM_TOKENS", 5)  # what fits into the tiny window
    monkeypatch.setattr(bench, "ROUNDS", 1)
    few = bench.fresh_exam(tiny_llm.tokenizer, 9)
    monkeypatch.setattr(bench, "fresh_exam", lambda tokenizer: short(few))
    measured = found(run("bench", "--json"))
    assert set(bench.LIMITS) <= set(measured)
    assert measured["excess"] > 0
    assert measured["difference"] < 1e-4
    assert measured["training_minutes"] == 5
    assert all(time > 0 for time in measured["token_microseconds"].values())
    monkeypatch.setattr(bench, "measure", lambda llm: measured)
    lines = run("bench").out.splitlines()
    assert lines[0].split() == ["found", "promised"]
    assert "at most 0.0015" in lines[1]


def test_bench_times_real_training_steps(monkeypatch):
    from llm.training import schedule

    small = partial(ModelConfig, embed_dim=8, num_layers=1, feed_forward_dim=8)
    monkeypatch.setattr("llm.models.config.ModelConfig", small)
    uncompiled = partial(schedule.compile_for_stories, xla=False)
    monkeypatch.setattr(schedule, "compile_for_stories", uncompiled)
    monkeypatch.setattr(bench, "TRAINING_STEPS", 1)
    # This process goes on with other tests, and must not keep all their memory.
    told = []
    monkeypatch.setattr("llm.training.memory.keep_freed_memory", lambda: told.append(1))
    assert bench.training_minutes() > 0
    assert told


def short(exam):
    """An exam of which only the first 16 tokens count, which the tiny model can see."""
    firsts = exam.filled.copy()
    firsts[:, 16:] = False
    kept = firsts[exam.filled]
    return replace(
        exam, stories=[], inputs=exam.inputs[:, :16], filled=exam.filled[:, :16],
        truth=exam.truth[kept],
    )


@pytest.mark.parametrize("word", ["İstanbul", "हिन्दी", "שָׁלוֹם", "می\u200cخواهم", "猫"])
def test_an_unknown_word_is_named_whole_and_as_it_was_typed(word):
    done = subprocess.run(
        [sys.executable, "-m", "llm", "predict", f"the {word} sat"],
        capture_output=True, env={**os.environ, "PYTHONIOENCODING": "cp1252"},
    )
    assert done.returncode == 2 and b"Traceback" not in done.stderr
    shown = "".join(c if c.isprintable() else repr(c)[1:-1] for c in word)
    assert f"'{shown}'" in done.stderr.decode().replace("\\\\", "\\")
