"""Arguments of `train` and `Classifier` → flags of the program, and what it says of flags → words about arguments.

The program's flags are in `_flags`, with the types of their values. Here stand the names that
gensim and fastText have for them.
"""

from __future__ import annotations

import datetime
import difflib
import inspect
import numbers
import os
import re
import textwrap
from typing import Any, Callable, Dict, List, Mapping, Sequence, Tuple, TypeVar

from ._flags import CLASSIFIER_FLAGS, FLAGS, SEARCH_FLAGS, TUNING_FLAGS, Flag
from .errors import UsageError

#: Other names of settings: those of gensim, of older versions of gensim, and of fastText.
SYNONYMS: Dict[str, str] = {
    "vector_size": "dim",
    "size": "dim",
    "iter": "epochs",
    "epoch": "epochs",
    "negative": "negatives",
    "neg": "negatives",
    "alpha": "lr",
    "workers": "threads",
    "thread": "threads",
    "min_n": "minn",
    "max_n": "maxn",
    "bucket": "buckets",
    "max_final_vocab": "max_vocab",
    "ws": "window",
    "minCount": "min_count",
    "t": "sample",
    "wordNgrams": "word_ngrams",
    "pretrainedVectors": "init",
    "sentence_ends": "sentences",
}

#: Arguments of gensim and fastText that w2v does not have, and what to do instead.
REFUSED: Dict[str, str] = {
    "input": "give the text as the first argument, train('corpus.txt')",
    "min_alpha": "the learning rate of w2v always falls to 0",
    "end_alpha": "the learning rate of w2v always falls to 0",
    "start_alpha": "give alpha, the rate at the start",
    "max_vocab_size": "w2v counts all tokens, in the memory that vocab_memory allows; max_vocab keeps the most frequent words",
    "trim_rule": "leave tokens out of the sentences, or give the words as a file with vocab=",
    "sorted_vocab": "the words of a model are always in the order of their counts",
    "batch_words": "w2v divides the work itself",
    "compute_loss": "the loss is always computed: see the callback's progress.loss and model.training['loss']",
    "hashfxn": "w2v has hash functions of its own",
    "null_word": "there is no such word in w2v",
    "lrUpdateRate": "w2v adapts the rate block by block",
    "verbose": "give progress=True or progress=False",
    "label": "w2v.Classifier trains classifiers",
    "minCountLabel": "w2v.Classifier trains classifiers",
    "autotuneValidationFile": "w2v classify tune searches for the settings of classifiers",
    "bootstrap": "it trains several models; run w2v train --bootstrap",
    "bootstrap_words": "it belongs to w2v train --bootstrap",
    "bootstrap_neighbors": "it belongs to w2v train --bootstrap",
    "plan": "w2v.plan() says what a run will take",
    "plan_ranks": "it is an argument of w2v.plan(): ranks=",
    "epoch_models": "give callbacks=, which are called with an epoch and its model",
    "json": "model.training has what the program prints",
    "log_json": "give callback=, which is called with the progress",
    "sentences": "the setting of where sentences end is sentence_ends here",
    "cbow_mean": "CBOW always takes the mean of the contexts",
}


def flags(given: Mapping[str, Any], what: str = "train()", own: Sequence[str] = ()) -> Tuple[List[str], Dict[str, str]]:
    """Return the flags for arguments by name, and the names by which flags were given. None means that an argument is not given.

    Own arguments of the function are near names, too."""
    settings, origin = _settings({name: value for name, value in given.items() if value is not None}, what, own)
    return [flag for name, value in settings.items() for flag in _flag(name, value, FLAGS)], origin


def names() -> List[str]:
    """Return the names of all settings that `train` takes, without synonyms."""
    return [name for name in FLAGS if name not in REFUSED] + ["sentence_ends"]


#: Flags of w2v tune that say how settings are searched for.
_SEARCH = ("eval", "restrict", "budget", "trials", "dims")


def search_flags(given: Mapping[str, Any]) -> List[str]:
    """Return the flags of w2v tune for arguments by name. None means that an argument is not given."""
    given = {name: value for name, value in given.items() if value is not None}
    settings, _ = _settings({name: value for name, value in given.items() if name not in _SEARCH}, "tune()", _SEARCH)
    for name in settings:
        if name not in SEARCH_FLAGS:
            raise TypeError(f"tune() has no argument {name}: it says how one run of training proceeds")
    settings.update({name: value for name, value in given.items() if name in _SEARCH})
    return [flag for name, value in settings.items() for flag in _flag(name, value, SEARCH_FLAGS)]


#: Flags of w2v classify train that w2v.Classifier gives itself.
_OF_THE_CLASS = ("output", "format", "json", "log_json", "progress")
#: Flags that say where text and labels are in files.
LAYOUT = ("label_prefix", "text_column", "label_column", "header", "json_field", "label_field", "label_split")


def classifier_names() -> List[str]:
    """Return the names of all settings of a classifier."""
    return [name for name in CLASSIFIER_FLAGS if name not in _OF_THE_CLASS and name not in LAYOUT]


def search_names() -> List[str]:
    """Return the names of what says how settings of a classifier are searched for."""
    return [name for name in TUNING_FLAGS if name not in CLASSIFIER_FLAGS or name in ("validate", "metric")]


def classifier_flags(
    given: Mapping[str, Any], names: Sequence[str], what: str = "Classifier", known: Mapping[str, Flag] = CLASSIFIER_FLAGS
) -> List[str]:
    """Return the flags for arguments of a classifier, of which these names are known. None means that an argument is not given."""
    for name in given:
        if name not in names:
            meant = [SYNONYMS[name]] if SYNONYMS.get(name) in names else difflib.get_close_matches(name, names, n=3)
            hint = f"; did you mean {' or '.join(meant)}?" if meant else ""
            raise TypeError(f"{what} has no argument {name}{hint}")
    return [flag for name, value in given.items() if value is not None for flag in _flag(name, value, known)]


def _settings(given: Dict[str, Any], what: str, own: Sequence[str]) -> Tuple[Dict[str, Any], Dict[str, str]]:
    """Return arguments under the names of flags, and the names by which they were given."""
    settings: Dict[str, Any] = {}
    origin: Dict[str, str] = {}

    def put(argument: str, name: str, value: Any) -> None:
        if name in settings:
            raise TypeError(f"{what} got {origin[name]} and {argument}, which are the same setting: give one of them")
        settings[name], origin[name] = value, argument

    given = dict(given)
    if _is_zero(given.get("negative")) and given.get("hs"):  # gensim's way to say hs alone
        del given["negative"]
    for argument in ("cbow_mean", "sorted_vocab"):  # 1 asks for what w2v always does
        if given.get(argument) == 1:
            del given[argument]
    for argument, value in given.items():
        if argument in _TRANSLATED:
            name, translate = _TRANSLATED[argument]
            put(argument, name, translate(argument, value))
        elif argument in REFUSED:
            why = "write ranks=" if "ranks" in own and argument == "plan_ranks" else REFUSED[argument]
            raise TypeError(f"{what} has no argument {argument}: {why}")
        else:
            name = SYNONYMS.get(argument, argument)
            if name not in FLAGS:
                raise TypeError(_unknown(argument, what, own))
            put(argument, name, value)
    if _is_zero(settings.get("maxn")) and settings.get("subwords", "fasttext") in ("fasttext", "none"):
        # fastText's way to say words alone
        settings = {name: value for name, value in settings.items() if name not in ("minn", "maxn", "buckets")}
        settings["subwords"] = "none"
    if settings.get("loss") == "hs" and "negatives" in settings:
        raise UsageError(
            f"{origin['loss']} asks for hierarchical softmax and {origin['negatives']} for negative "
            "sampling: w2v trains with one of them"
        )
    return settings, origin


def _unknown(argument: str, what: str, own: Sequence[str]) -> str:
    known = [*own, *names(), *SYNONYMS, *_TRANSLATED]
    near = difflib.get_close_matches(argument, known, n=3)
    hint = f"; did you mean {' or '.join(near)}?" if near else ""
    return f"{what} has no argument {argument}{hint}"


def _is_zero(value: Any) -> bool:
    return isinstance(value, (int, float)) and value == 0


def _either(off: str, on: str) -> Callable[[str, Any], str]:
    def translate(argument: str, value: Any) -> str:
        if value not in (0, 1):
            raise UsageError(f"{argument} is {value!r}, must be 0 or 1")
        return on if value else off

    return translate


def _model(argument: str, value: Any) -> str:
    if value not in ("skipgram", "cbow"):
        raise UsageError(f"{argument} is {value!r}, must be skipgram or cbow")
    return str(value)


#: Arguments whose values are others than those of the setting: the setting, and a function
#: from the argument and its value to the value of the setting.
_TRANSLATED: Dict[str, Tuple[str, Callable[[str, Any], str]]] = {
    "sg": ("arch", _either("cbow", "skipgram")),
    "hs": ("loss", _either("ns", "hs")),
    "model": ("arch", _model),
    "shrink_windows": ("window_mode", _either("fixed", "dynamic")),
}


def _flag(name: str, value: Any, known: Mapping[str, Flag]) -> List[str]:
    """Return a setting as flags: one, or one for each of a list of files, or of weights by name."""
    kind = known[name].type
    flag = "--" + name.replace("_", "-")
    several = kind in ("stringSlice", "stringArray")
    if several and isinstance(value, Mapping):
        value = [f"{one}={weight!r}" for one, weight in value.items()]
    if not several or isinstance(value, (str, os.PathLike)):
        value = [value]
    texts = [_text(name, known[name], one) for one in value]
    return [f"{flag}={_quoted(text) if kind == 'stringSlice' else text}" for text in texts]


def _quoted(path: str) -> str:
    """Return a path as the program reads it from a list with commas."""
    if any(c in path for c in ',"\n'):
        return '"' + path.replace('"', '""') + '"'
    return path


def _text(name: str, flag: Flag, value: Any) -> str:
    """Return the value of a setting as the program reads it."""
    kind = flag.type
    if _is_bool(value) and "true" in flag.choices:
        return "true" if value else "false"
    if kind == "bool" or _is_bool(value):
        if kind != "bool" or not (_is_bool(value) or value in (0, 1)):
            raise UsageError(f"{name} is {value!r}, must be {_EXPECTED.get(kind, 'text')}")
        return "true" if value else "false"
    if kind == "duration":
        return _duration(name, value)
    if kind in ("numbers", "intSlice", "words") and not isinstance(value, str) and hasattr(value, "__iter__"):
        return ",".join(str(one) for one in value)
    if isinstance(value, os.PathLike):
        return os.fsdecode(value)
    if isinstance(value, str):
        return value
    if isinstance(value, numbers.Integral):
        return str(int(value))
    if isinstance(value, numbers.Real):
        real = float(value)
        return str(int(real)) if kind in ("int", "uint64", "tokens") and real.is_integer() else repr(real)
    raise UsageError(f"{name} is {value!r}, must be {_EXPECTED.get(kind, 'text')}")


def _is_bool(value: Any) -> bool:
    return isinstance(value, bool) or type(value).__name__ in ("bool_", "bool")


def _duration(name: str, value: Any) -> str:
    if isinstance(value, datetime.timedelta):
        value = value.total_seconds()
    if isinstance(value, str):
        return value
    if isinstance(value, numbers.Real):
        return f"{float(value):.9f}s"
    raise UsageError(f"{name} is {value!r}, must be {_EXPECTED['duration']}")


#: What the types of flags are called.
_EXPECTED: Dict[str, str] = {
    "bool": "True or False",
    "int": "a whole number",
    "uint64": "a whole number from 0",
    "float64": "a number",
    "duration": "seconds, a timedelta or a text such as 10m",
    "tokens": "a number of tokens",
    "numbers": "a list of numbers",
    "intSlice": "a list of numbers",
    "words": "a list of words",
    "size": "a size such as 256MiB",
}


# A flag with what may be its value, and before it the command if it is that of a line for a shell.
_FLAG = re.compile(r"(w2v(?: [a-z][a-z0-9]*)+ (?:[A-Z]+ )?)?(?<![\w-])--([a-z][a-z0-9]*(?:-[a-z0-9]+)*)(?:( |=)([A-Za-z0-9_.+-]*[A-Za-z0-9_]))?")


def in_python(text: str, named: Mapping[str, str], known: Mapping[str, Flag] = FLAGS) -> str:
    """Return what the program says of flags in words about arguments: "--min-count 5" as "min_count=5".

    Args:
        text: a help text or an error.
        named: the names by which flags were given. Others have the names of flags.
        known: the flags of the command.
    """

    def argument(match: "re.Match[str]") -> str:
        command, flag, space, value = match.groups()
        name = flag.replace("-", "_")
        if command:
            return match.group()
        kind = known.get(name)
        name = named.get(name, "sentence_ends" if name == "sentences" else name)
        rest = (space or "") + (value or "")
        if kind is None or space == "=":
            return name + rest
        if kind.type == "bool":
            return name + "=True" + rest
        if value in kind.choices and value:
            return f'{name}="{value}"'
        if value and kind.type in ("int", "uint64", "float64", "intSlice") and value.replace(".", "", 1).isdigit():
            return f"{name}={value}"
        return name + rest

    return _FLAG.sub(argument, text)


def worded(named: Mapping[str, str], known: Mapping[str, Flag], what: str, *files: str) -> Callable[[str], str]:
    """Return a function that words what the program says for those who have given it what it reads: see `in_python`."""

    def say(text: str) -> str:
        text = in_python(text, named, known)
        for file in ("standard input", "held-out.jsonl", *files):
            text = text.replace(f"{file}: the corpus has", f"the {what} have").replace(f"{file}: ", "").replace(f" in {file}", "").replace(file, f"the {what}")
        return text

    return say


_F = TypeVar("_F", bound=Callable[..., Any])


def with_settings(names: Sequence[str], known: Mapping[str, Flag], synonyms: Mapping[str, str]) -> Callable[[_F], _F]:
    """Return a decorator that completes a function, which must be called with `**settings`.

    Its docstring gets a line for each setting that it does not describe, in place of "{settings}", and its signature the names
    of all, for those who complete names by it.
    """

    def completed(function: _F) -> _F:
        function.__doc__ = documented(function.__doc__, names, known, synonyms)
        signature = inspect.signature(function)
        parameters = list(signature.parameters.values())
        usual = [one for one in parameters if one.kind != inspect.Parameter.VAR_KEYWORD]
        there = {one.name for one in usual}
        all_names = {*names, *synonyms, *(_TRANSLATED if known is FLAGS else ())}
        first = [name for name in dict.fromkeys([*_described_in(function.__doc__), *names]) if name in all_names]
        more = [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None) for name in first if name not in there]
        function.__signature__ = signature.replace(parameters=[*usual, *more])  # type: ignore[attr-defined]
        return function

    return completed


def documented(text: Any, names: Sequence[str], known: Mapping[str, Flag], synonyms: Mapping[str, str]) -> Any:
    """Return a docstring with a line for each setting that it does not describe, in place of "{settings}"."""
    if text is None or "{settings}" not in text:  # python -OO has none
        return text
    described = _described_in(text)
    covered = list(dict.fromkeys(synonyms.get(name, name) for name in described))
    indent = next(line for line in text.splitlines() if "{settings}" in line).split("{", 1)[0]
    lines = []
    for name in names:
        if name in covered or name in described:
            continue
        flag = known["sentences" if name == "sentence_ends" else name]
        said = in_python(flag.help, {}, known)
        if flag.default not in ("", "0", "false", "[]") and "(default" not in said:
            said += f'; "{flag.default}" by default' if flag.choices else f" ({flag.default})"
        said = f"{name}: {said}."
        lines += textwrap.wrap(said, 110, initial_indent=indent, subsequent_indent=indent + "    ", break_long_words=False)
    others: Dict[str, List[str]] = {}
    for name in dict.fromkeys([*synonyms, *covered]):
        flag_name = synonyms.get(name, name)
        if flag_name not in names:
            continue
        shown = next((one for one in described if synonyms.get(one, one) == flag_name), flag_name)
        if name != shown and (name in synonyms or shown in synonyms):
            others.setdefault(shown, []).append(name)
    if others:
        said = "Other names: " + "; ".join(f"{', '.join(also)} for {shown}" for shown, also in others.items()) + "."
        lines += textwrap.wrap(said, 110, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False)
    return text.replace(indent + "{settings}", "\n".join(lines))


def _described_in(text: Any) -> List[str]:
    """Return the arguments that a docstring describes."""
    return re.findall(r"^ +(\w+): ", text or "", re.M)
