"""What somebody takes home."""

import io
import json
import subprocess
import sys
import zipfile

from llm.own_text.export import exported


def test_the_download_runs_in_an_empty_folder(run, tmp_path):
    data = exported(run)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert set(archive.namelist()) == {
            "my_model.keras", "my_model.json", "write_text.py", "README.txt",
        }
        archive.extractall(tmp_path)
    record = json.loads((tmp_path / "my_model.json").read_text(encoding="utf-8"))
    assert tuple(record["vocabulary"]) == run.text.vocabulary
    done = subprocess.run(
        [sys.executable, "write_text.py", "Olga ", "--length", "20", "--seed", "1"],
        cwd=tmp_path, capture_output=True, text=True, env={"PATH": "/usr/bin"},
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("Olga ") and len(done.stdout.strip("\n")) >= 24
