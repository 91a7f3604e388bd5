"""The program in the package, and the command."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from importlib import metadata
from pathlib import Path
from typing import Callable, List

import pytest

import w2v
from w2v import _arguments, _binary, _flags


def test_the_command_is_the_program(binary: str) -> None:
    expected = subprocess.run([binary, "--help"], check=True, stdout=subprocess.PIPE).stdout
    commands = [[sys.executable, "-m", "w2v"]]
    script = Path(sys.executable).with_name("w2v")
    if script.exists():
        commands.append([str(script)])
    for command in commands:
        assert subprocess.run([*command, "--help"], check=True, stdout=subprocess.PIPE).stdout == expected
        wrong = subprocess.run([*command, "no-such-command"], stderr=subprocess.PIPE, check=False)
        assert wrong.returncode == 2


def test_failures_have_the_programs_line(binary: str, tmp_path: Path) -> None:
    with pytest.raises(w2v.Error, match="^no-such-file: no such file or directory$"):
        _binary.run(["info", "no-such-file"])
    with pytest.raises(w2v.UsageError, match="unknown flag: no_such_flag"):
        _binary.run(["info", "--no-such-flag"])
    assert _binary.run(["demo", "--print-corpus"]).stdout.count(b"\n") > 1000


@pytest.fixture
def stands_in(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[[str], None]:
    """Let a script stand in for the program."""
    if os.name == "nt":
        pytest.skip("the program is a script")

    def stand_in(script: str) -> None:
        path = tmp_path / "w2v"
        path.write_text(script, encoding="utf-8")
        path.chmod(0o755)
        monkeypatch.setenv("W2V_BINARY", str(path))

    return stand_in


CRASH = """#!/bin/sh
echo 'fatal error: runtime: out of memory' >&2
echo 'goroutine 1 [running]:' >&2
exit 2
"""


def test_a_crash_is_no_wrong_usage(stands_in: Callable[[str], None]) -> None:
    stands_in(CRASH)
    asks: List[Callable[[], object]] = [lambda: _binary.run(["info"]), lambda: w2v.train([["a"]] * 9)]
    for ask in asks:
        with pytest.raises(w2v.Error, match="^w2v crashed: fatal error: runtime: out of memory$") as caught:
            ask()
        assert not isinstance(caught.value, w2v.UsageError)


FLOOD = """#!/bin/sh
head -c 3000000 /dev/zero | tr '\\0' x >&2
exec 0<&-
echo >&2
echo 'w2v: no more' >&2
exit 1
"""


def test_a_program_that_says_much_and_reads_nothing_is_heard(stands_in: Callable[[str], None]) -> None:
    stands_in(FLOOD)
    with pytest.raises(w2v.Error, match="^no more$"):
        _binary.run(["info"], stdin=bytes(3_000_000))
    with pytest.raises(w2v.Error, match="^x+$"):
        w2v.train(["a b"] * 3_000_000)


def test_a_program_that_is_missing_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("W2V_BINARY", str(tmp_path / "none"))
    with pytest.raises(w2v.Error, match="which is not a program that can be run"):
        _binary.path()


def test_the_flags_are_those_of_the_program(binary: str) -> None:
    help_text = _binary.run(["train", "--help"]).stdout.decode()
    flags = set(re.findall(r"^ {2,6}(?:-\w, )?--([a-z0-9-]+)", help_text, re.M)) - {"help"}
    assert {name.replace("-", "_") for name in flags} == set(_flags.FLAGS)
    assert set(_arguments.SYNONYMS.values()) <= set(_flags.FLAGS)


def test_the_installed_package_carries_the_program() -> None:
    folder = Path(_binary.__file__).parent
    if not (folder / "bin").is_dir():
        pytest.skip("these are the sources: python/check tests the installed wheel")
    program = folder / "bin" / ("w2v.exe" if os.name == "nt" else "w2v")
    assert os.access(program, os.X_OK)
    if "W2V_BINARY" not in os.environ:
        assert _binary.path() == str(program)
    assert re.fullmatch(r"\d+\.\d+\.\d+((a|b|rc)\d+)?(\.dev\d+\+g[0-9a-f]+)?", w2v.__version__)
    whole = metadata.metadata("w2v")
    assert (whole["Metadata-Version"], whole["License-Expression"]) == ("2.4", "MIT"), "indexes refuse the field in others"
    assert whole["License"] is None and whole.get_all("License-File") == ["LICENSE"]
    licenses = (folder / "bin" / "LICENSES.txt").read_text(encoding="utf-8")
    go = shutil.which("go")
    if go is not None:
        built = subprocess.run([go, "version", "-m", str(program)], check=True, capture_output=True, text=True).stdout
        modules = re.findall(r"^\tdep\t(\S+)\t(\S+)", built, re.M)
        assert len(modules) > 30
        assert [m for m in modules if f"\n{m[0]} {m[1]}: " not in licenses] == []
    ldd = shutil.which("ldd")
    if sys.platform == "linux" and ldd is not None:
        said = subprocess.run([ldd, str(program)], capture_output=True, text=True, check=False)
        assert "not a dynamic executable" in said.stdout + said.stderr


@pytest.mark.skipif(os.name == "nt", reason="closes descriptors")
def test_a_process_without_standard_streams_trains(binary: str, tmp_path: Path) -> None:
    program = (
        "import os, sys; [os.close(i) for i in (0, 1, 2)]; import w2v\n"
        "w2v.train([['to', 'be']] * 20, vector_size=4, sample=0, output=sys.argv[1])\n"
        "assert w2v.Classifier(dim=4, epochs=9).fit(['a', 'b'] * 9, [1, 2] * 9).predict('a') == 1\n"
    )
    subprocess.run([sys.executable, "-c", program, str(tmp_path / "m.w2v")], check=True)
    assert w2v.load(tmp_path / "m.w2v").words == ["be", "to"]
