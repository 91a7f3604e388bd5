"""Searching for the settings of word vectors."""

from __future__ import annotations

import json
import os
from typing import Any, Dict, Iterable, List, Optional, Union

from . import _arguments, _binary, _sentences
from ._checked import path_of
from ._child import new_folder
from ._sentences import Sentence
from .errors import UsageError
from .model import Model, load
from .native import Native, content
from .training import _CUTTING, _OF_FILES, Path, _source

__all__ = ["tune"]


def tune(
    sentences: Union[Path, Iterable[Sentence], Iterable["os.PathLike[str]"], None] = None,
    *,
    paths: Union[Path, Iterable[Path], None] = None,
    output: Optional[Path] = None,
    eval: Union[Path, Iterable[Path], None] = None,
    restrict: Optional[int] = None,
    budget: Any = None,
    trials: Optional[int] = None,
    dims: Optional[str] = None,
    **settings: Any,
) -> Model:
    """Search for the settings of the best vectors for a text, as ``w2v tune`` does.

    Args:
        sentences: what is trained on, as for `train`.
        paths: files, folders and globs, instead of sentences.
        output: file of the model. Its extension chooses the format. Without it, the model is in memory alone, and its
            `path` is None.
        eval: evaluation sets that judge the vectors; without them, two halves of the text do.
        restrict: use only so many words, the most frequent ones, in analogies of `eval`.
        budget: how long all of it may take: seconds, a timedelta, or a text such as "10m" (10 minutes).
        trials: the number of trials instead. The same seed then gives the same model.
        dims: also search for the number of dimensions, such as "50-300".
        **settings: settings of `train`, which the search keeps.

    Returns:
        The model. `Model.training` is what ``w2v tune --json`` prints: "found" says whether the settings are better than
        chance, "settings" are those that differ from where the search began, "gain" says how much better they are,
        and "command" trains with them. In it, sentences.jsonl and tuned.w2v stand for sentences and a model in memory.

    Raises:
        TypeError: an argument is not known.
        UsageError: a value makes no sense.
        Error: the search failed. The message is the line of the program.
        KeyboardInterrupt: Ctrl-C ended the search. Nothing of it is kept; the command ``w2v tune`` keeps the best settings.

    >>> import w2v
    >>> with open("pairs.tsv", "w") as pairs:
    ...     print("to be 1", "to not 2", "be not 3", sep="\\n", file=pairs)
    >>> found = w2v.tune([["to", "be"], ["not", "to", "be"]] * 50, eval="pairs.tsv", trials=2, vector_size=4, sample=0)
    >>> len(found.training["trials"])
    2
    """
    folder = new_folder()
    given: Dict[str, Any] = dict(settings, restrict=restrict, budget=budget, trials=trials, dims=dims)
    given["eval"] = [eval] if isinstance(eval, (str, os.PathLike)) else eval
    if output is None and given.get("format") is not None:
        raise UsageError("format= needs output=: a model without a file of its own is in the native format")
    flags = _arguments.search_flags(given)
    files, stream = _source(sentences, paths, None, "tune()")
    if stream is not None:
        for name in _OF_FILES:
            if given.get(name):
                raise UsageError(f"{name}= says what is in files, and there are none: give paths=")
        files = [os.path.join(folder, "sentences.jsonl")]
        flags += _sentences.FLAGS
    path = os.path.join(folder, "tuned.w2v") if output is None else path_of(output, "output")
    args: List[str] = ["tune", "--json", "--progress=never", f"--output={path}", *flags, "--", *files]
    with _binary.started(args, folder) as child:
        if stream is not None:
            whole = any(given.get(name) is not None for name in _CUTTING)
            with open(files[0], "wb") as out:
                out.write(_sentences.OPENING)
                for block, _ in _sentences.blocks(stream, whole=whole):
                    out.write(block)
                out.write(_sentences.CLOSING)
        done = _binary.ended(child)
        _binary.log_notes(done)
        if output is not None:
            tuned = load(path)
        else:
            with open(path, "rb", buffering=0) as file:
                tuned = Model(Native(content(file)))
    said: Dict[str, Any] = json.loads(done.stdout)
    if isinstance(said.get("command"), str):  # files of the folder are gone, and were never named
        said["command"] = said["command"].replace(os.path.join(folder, ""), "")
    if output is None:
        said["output"] = None
    tuned.training = said
    return tuned
