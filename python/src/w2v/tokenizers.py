"""Tokenizers of subwords: texts in, a tokenizer.json out."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
from typing import Any, Dict, Iterable, List, Union

from . import _binary
from ._checked import not_a_text, path_of
from ._sentences import none_in
from .errors import UsageError

__all__ = ["train_tokenizer"]

Path = Union[str, "os.PathLike[str]"]


def train_tokenizer(
    texts: Union[Path, Iterable[str], Iterable["os.PathLike[str]"]], output: Path, **settings: Any
) -> Dict[str, Any]:
    """Train a tokenizer of subwords, and write its tokenizer.json.

    `train` takes the path of the file as its `tokenizer`, and the tokenizers library of Hugging Face reads it.

    Args:
        texts: an iterable of texts. A str or a path alone is a file, a folder or a glob, and so is each item of a
            list of paths of pathlib. An iterable is read once, while the program counts.
        output: path of the tokenizer.json.
        **settings: the flags of `w2v tokenizer train` with underscores, such as ``model="unigram"``,
            ``vocab_size=8000``, ``special_tokens=["<s>", "</s>"]`` and ``lowercase=True``.

    Returns:
        What `w2v tokenizer train --json` prints: "model", "tokens", "alphabet", "pieces" and so on. What the program
        notes is logged.

    Raises:
        UsageError: a setting is not known or makes no sense.
        Error: training failed. The message is the line of the program.

    >>> import os, tempfile, w2v
    >>> path = os.path.join(tempfile.mkdtemp(), "tokenizer.json")
    >>> w2v.train_tokenizer(["low lower lowest"] * 50, path, vocab_size=260)["merges"]
    4
    """
    args: List[str] = ["tokenizer", "train", "--json", "--progress=never", f"--output={path_of(output, 'output')}"]
    for name, value in settings.items():
        args += _flag(name, value)
    if isinstance(texts, (str, os.PathLike)):
        args += ["--", os.fspath(texts)]
    elif isinstance(texts, (list, tuple)) and texts and all(isinstance(t, os.PathLike) for t in texts):
        args += ["--", *map(os.fspath, texts)]
    else:
        return _fed(args, texts)
    with _binary.started(args) as child:
        return _result(_binary.ended(child))


def _flag(name: str, value: Any) -> List[str]:
    if name in ("json", "progress", "output", "help"):
        raise UsageError(f"{name} is not a setting of a tokenizer")
    if value is None:
        return []
    if isinstance(value, bool):
        value = str(value).lower()
    elif isinstance(value, (list, tuple)):
        if any("," in v or '"' in v or "\n" in v for v in value):
            raise UsageError(f"{name}: a token has a comma, a quotation mark or a newline in it")
        value = ",".join(value)
    return [f"--{name.replace('_', '-')}={value}"]


def _fed(args: List[str], texts: Iterable[Any]) -> Dict[str, Any]:
    """Train on texts that are written to the program, each as a line of JSON."""
    with _binary.started([*args, "--json-field=.", "-"]) as child:
        child.begin()
        stdin, child.process.stdin = child.process.stdin, None
        assert stdin is not None
        try:
            number = -1
            for number, text in enumerate(texts):
                if not isinstance(text, str):
                    raise not_a_text(text, f"text {number}")
                line = json.dumps(text).encode() + b"\n"
                try:
                    stdin.write(line)
                except OSError:  # the program has ended, and says why
                    break
            if number < 0:
                raise none_in(texts, "texts")
        except BaseException:
            child.end()  # before the end of what it reads looks like the end of the texts
            raise
        finally:
            with contextlib.suppress(OSError):
                stdin.close()
        out, err = child.process.communicate()
        if child.process.returncode:
            raise _binary.failure(child.process.returncode, err)
        return _result(subprocess.CompletedProcess(args, 0, out, err))


def _result(done: "subprocess.CompletedProcess[bytes]") -> Dict[str, Any]:
    _binary.log_notes(done)
    result: Dict[str, Any] = json.loads(done.stdout)
    return result
