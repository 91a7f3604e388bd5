"""Merging: several models in, one out."""

from __future__ import annotations

import json
import os
from typing import Any, Dict, Iterable, List, Optional, Sequence, Union

from . import _binary
from ._checked import path_of
from ._child import new_folder
from .errors import UsageError
from .model import Model, load
from .native import Native, content

__all__ = ["merge"]

Path = Union[str, "os.PathLike[str]"]


def merge(
    models: Iterable[Union[Path, Model]],
    output: Optional[Path] = None,
    *,
    dim: Optional[int] = None,
    method: Optional[str] = None,
    weights: Optional[Sequence[float]] = None,
    power: Optional[float] = None,
    eval: Union[Path, Iterable[Path], None] = None,
    restrict: Optional[int] = None,
    union: bool = False,
) -> Model:
    """Make one model of several, as ``w2v merge`` does.

    Args:
        models: two models or more: paths of files in any format, or models as they are in memory.
        output: file of the merged model. Its extension chooses the format. Without it, the model is in memory alone,
            and its `path` is None.
        dim: dimensions; the default is those of the first model.
        method: "concat" joins the vectors and reduces them, which is the default; "average" rotates them onto those of
            the first model and takes their mean.
        weights: of the models, in their order; equal by default.
        power: each axis of the result counts by this power of its singular value, more than 0 and at most 1, which is
            the default; less gives later axes more.
        eval: evaluation sets whose mean score chooses the weights.
        restrict: use only so many words, the most frequent ones, in analogies of `eval`.
        union: keep words that only some models have.

    Returns:
        The model. `Model.training` is what ``w2v merge --json`` prints: "shared_words", "parts" with their weights,
        "energy_kept" and so on. What the program notes is logged.

    Raises:
        UsageError: a value makes no sense.
        Error: the models cannot be merged. The message is the line of the program.

    >>> import w2v
    >>> merged = w2v.merge([plain, model], dim=20)
    >>> merged.dim, len(merged) == len(model), "unheardofword" in merged
    (20, True, True)
    """
    folder = new_folder()
    args: List[str] = ["merge", "--json"]
    for name, value in (("dim", dim), ("method", method), ("power", power), ("restrict", restrict)):
        if value is not None:
            args.append(f"--{name}={value}")
    if isinstance(weights, str):
        raise TypeError(f"weights is a text, {weights!r}, and must be numbers, one for each model")
    if weights is not None:
        args.append("--weights=" + ",".join(repr(float(w)) for w in weights))
    if eval is not None:
        args += [f"--eval={os.fspath(path)}" for path in ([eval] if isinstance(eval, (str, os.PathLike)) else eval)]
    if union:
        args.append("--union")
    path = os.path.join(folder, "merged.w2v") if output is None else path_of(output, "output")
    files: List[str] = []
    written: Dict[str, Model] = {}
    for number, model in enumerate([models] if isinstance(models, (str, os.PathLike, Model)) else models):
        if isinstance(model, Model):
            name = os.path.join(folder, f"{number + 1}.w2v")
            written[name] = model
        elif isinstance(model, (str, os.PathLike)):
            name = os.fspath(model)
        else:
            raise TypeError(f"model {number} is of type {type(model).__name__}, and must be a path or a model")
        files.append(name)
    if len(files) < 2:
        raise UsageError(f"merge() makes one model of two or more, and there is {len(files) or 'none'}")
    with _binary.started([*args, f"--output={path}", "--", *files], folder) as child:
        for name, model in written.items():
            model._write(name)
        done = _binary.ended(child)
        _binary.log_notes(done)
        if output is not None:
            merged = load(path)
        else:
            with open(path, "rb", buffering=0) as file:
                merged = Model(Native(content(file)))
    said: Dict[str, Any] = json.loads(done.stdout)
    said["in"] = [os.path.basename(name) if name in written else name for name in said["in"]]  # the folder is gone
    if output is None:
        said["output"] = None
    merged.training = said
    return merged
