"""Training: sentences or files in, a model out."""

from __future__ import annotations

import os
import subprocess
import tempfile
from dataclasses import dataclass
from typing import Any, Iterable, List, Optional, Union

from . import _binary
from .model import Model, load


@dataclass(frozen=True)
class Progress:
    """How far training is."""

    tokens: int
    total: int


def train(
    sentences: Union[str, "os.PathLike[str]", Iterable[Union[str, List[str]]]],
    *,
    vector_size: Optional[int] = None,
    output: Optional[str] = None,
    **settings: Any,
) -> Model:
    """Train a model."""
    if output is None:
        output = os.path.join(tempfile.mkdtemp(prefix="w2v-"), "model.w2v")
    if vector_size is not None:
        settings["dim"] = vector_size
    args = [_binary.path(), "train", "-o", output, "--log-json", "-"]
    for name, value in settings.items():
        args.append(f"--{name.replace('_', '-')}={value if not isinstance(value, bool) else str(value).lower()}")
    if isinstance(sentences, (str, os.PathLike)):
        _binary.run([*args[1:], "--", os.fspath(sentences)])
        return load(output)
    lines = (s if isinstance(s, str) else " ".join(s) for s in sentences)
    text = "".join(line + "\n" for line in lines).encode()
    done = subprocess.run([*args, "-"], input=text, stderr=subprocess.PIPE, check=False)
    if done.returncode != 0:
        raise _binary.failure(done.returncode, done.stderr)
    return load(output)
