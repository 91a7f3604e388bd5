"""Training: sentences or files in, a model out."""

from __future__ import annotations

import errno
import json
import logging
import numbers
import os
from typing import TYPE_CHECKING, Any, Callable, Dict, Iterable, List, Mapping, NoReturn, Optional, Sequence, Set, Union

from . import _arguments, _binary, _sentences
from ._checked import path_of
from ._child import new_folder
from ._flags import FLAGS
from ._process import Event, Run
from ._sentences import Sentence
from .callbacks import Callbacks
from .columns import Column, column_of, flags_of_files
from .errors import Interrupted, MissingFileError, UsageError
from .interchange import is_gensim, write_gensim
from .model import Model, load
from .native import Native, content
from .phrases import table_of
from .progress import Display, Progress, display, progress_of
from .words import encoded

if TYPE_CHECKING:
    from gensim.models import KeyedVectors
    from typing_extensions import Unpack

    from .columns import Table
    from .settings import Settings

__all__ = ["Path", "Progress", "plan", "train"]

Path = Union[str, "os.PathLike[str]"]

_log = logging.getLogger("w2v")
_log.addHandler(logging.NullHandler())

# Arguments by which texts are taken apart. Tokens of lists are not.
_CUTTING = ("tokenizer", "normalize", "strip_accents", "digits", "punctuation", "sentence_ends")
# Arguments that say what is in files.
_OF_FILES = ("text_column", "header", "json_field", "split", "group_by", "graph", "kmers")


@_arguments.with_settings(_arguments.names(), FLAGS, _arguments.SYNONYMS)
def train(
    sentences: Union[Path, Iterable[Sentence], Iterable["os.PathLike[str]"], Table, None] = None,
    *,
    paths: Union[Path, Iterable[Path], None] = None,
    corpus_file: Optional[Path] = None,
    text: Optional[Column] = None,
    output: Optional[Path] = None,
    init: Union[Path, Model, "KeyedVectors", None] = None,
    validate: Union[float, Path, Iterable[Sentence], Table, None] = None,
    progress: Optional[bool] = None,
    callback: Optional[Callable[[Progress], object]] = None,
    callbacks: Iterable[Any] = (),
    **settings: Unpack[Settings],
) -> Model:
    """Train a model on sentences or on files.

    A sentence is a list of tokens, or a text. Tokens of lists stay as they are, also with
    spaces in them. Texts are cut into tokens at white space, or as `tokenizer` says; a newline
    ends a sentence. The iterable is read once, while the program counts: a generator will do,
    and memory does not grow with it.

    Settings have the names of the flags of `w2v train` with underscores. gensim's and fastText's names of settings
    are taken, too. The defaults, here in brackets, are those of the program. `w2v.Settings` is the type of all of them.

    Args:
        sentences: an iterable of sentences. A str or a path alone is a file, a folder or a glob,
            and so is each item of a list of paths of pathlib.
        paths: files, folders and globs, instead of sentences. Compressed files will do.
        corpus_file: gensim's name for paths.
        text: the column of a table or the field of rows that has the text, or a list of tokens: of a DataFrame of pandas or
            polars, of a table of Arrow, of a data set of Hugging Face, of dictionaries and (named) tuples, and of files of
            Parquet, CSV, TSV and JSON lines. A column itself, such as ``frame["text"]``, is an iterable of sentences.
        output: file of the model. Its extension chooses the format. Without it, the model is in
            memory alone, and its `path` is None.
        vector_size: dimensions (100).
        window: largest distance of centre and context (5).
        min_count: rarer tokens are dropped (5).
        epochs: passes over the sentences, or "auto", which is the default: as many as suit their size.
        sg: 1 for skip-gram, which is the default, or 0 for CBOW.
        hs: 1 for hierarchical softmax, or 0 for negative sampling, which is the default.
        model: fastText's name of the architecture, "skipgram" or "cbow".
        shrink_windows: True for any width up to `window`, which is the default, or False for windows that are always that wide.
        negative: negative samples for each pair (5).
        sample: subsampling threshold of frequent words (0.0003); 0 keeps all.
        alpha: learning rate at the start; the default goes by the size of the corpus.
        workers: number of threads; the default is the number of processors.
        seed: of all random numbers (1). The same seed gives the same model with workers=1 or
            deterministic=True.
        arch: "skipgram", "cbow" or "structured".
        loss: "ns", "hs", "softmax", "directional" or "glove".
        subwords: "none", "fasttext", "floret" or "hash": how words are made of n-grams.
        min_n: shortest n-gram (3).
        max_n: longest n-gram (6).
        bucket: hash buckets of the n-grams.
        max_vocab: keep only so many words, the most frequent ones.
        lowercase: turn tokens into lower case; ``"tr"`` and other languages by their rules.
        tokenizer: how texts are cut: "whitespace", "unicode", "characters", or the path of a
            tokenizer.json.
        deterministic: the same bits with any number of threads.
        init: what training starts from: a model as it is in memory, gensim's vectors or one of its
            models, or the path of a model.
        checkpoint: file that the state of training is written to, regularly and at the end.
        resume: checkpoint of a run to go on with, on the same sentences.
        validate: held-out text to measure the loss on: a fraction of the sentences, or, as the
            sentences are, a file or an iterable.
        progress: True shows the progress on stderr, in a bar if tqdm is installed. The default
            shows it on a terminal and in a notebook.
        callback: function that gets a `Progress` about once a second and at the end. An
            exception in it ends training as Ctrl-C does.
        callbacks: what is called when epochs begin and end, with an `Epoch`: functions, which are called at the end of
            each epoch, and objects with some of gensim's methods ``on_train_begin``, ``on_epoch_begin``,
            ``on_epoch_end`` and ``on_train_end``. Training goes on meanwhile. An exception in one ends training.
        {settings}

    Returns:
        The model. `Model.training` says how training went: "loss", "tokens", "seconds" and so on,
        as `w2v train --json` prints it, and the "evaluations" of `validate` and `eval`.

    Raises:
        TypeError: an argument is not known, or is given under two names.
        UsageError: a value makes no sense.
        Error: training failed. The message is the line of the program.
        Interrupted: Ctrl-C ended training. What was trained is saved: see its attributes.

    An exception of the iterable ends the program, which leaves nothing behind, and is raised.

    >>> import w2v
    >>> model = w2v.train([["to", "be"], ["not", "to", "be"]] * 50, vector_size=8, sample=0, workers=1)
    >>> sorted(model.words)
    ['be', 'not', 'to']
    >>> model.training["tokens"]
    250
    """
    if text is not None:
        sentences, settings = _in_tables(text, sentences, paths, corpus_file, settings)
        validate = validate if not _is_iterable(validate) else column_of(validate, text, "validate")
    given: Dict[str, Any] = dict(settings)
    folder = new_folder()
    called = Callbacks(callbacks)
    writers: List[Callable[[], None]] = []  # of files that the program reads, into the folder
    given.update(_initial(init, given, folder, writers))
    if output is None and given.get("format") is not None:
        raise UsageError("format= needs output=: a model without a file of its own is in the native format")
    if not isinstance(given.get("phrases"), (bool, type(None))):
        given.update(_joined(given, folder, writers))
    if isinstance(given.get("vocab"), Mapping):
        given.update(_counted(given["vocab"], folder, writers))
    flags, named = _arguments.flags(given)
    flags += called.flags(given, folder)
    if called:
        named["epoch_models"] = "callbacks"  # whose flag it is
    if callback is not None and not callable(callback):
        raise TypeError(f"callback is of type {type(callback).__name__}, and must be a function")
    files, stream = _source(sentences, paths, corpus_file)
    if stream is not None:
        for name in _OF_FILES:
            if given.get(name):
                raise UsageError(f"{name}= says what is in files, and there are none: give paths=")
    path = path_of(output, "output") if output is not None else os.path.join(folder, "model.w2v")
    whole = any(given.get(name) is not None for name in _CUTTING)
    flags += _validation(validate, stream is not None, os.path.join(folder, "held-out.jsonl"), whole, writers)
    shown = display(progress)
    if stream is not None and given.get("phrases"):  # which the program looks for before it trains
        files, several = [os.path.join(folder, "sentences.jsonl")], stream
        writers.append(lambda: _written(files[0], several, whole, shown=shown))
        flags, stream = [*flags, *_sentences.FLAGS], None
    args = [f"--output={path}", *flags]
    args += [*_sentences.FLAGS, "-"] if stream is not None else ["--", *files]
    training = _Training(stream, whole, shown, callback, called)
    worded = _arguments.worded(named, FLAGS, "sentences", "sentences.jsonl")
    run = Run(args, fed=stream is not None, folder=folder, result=None if output is not None else path, worded=worded)
    model = _model_of(run, training, writers, folder, path, own=output is None)
    called.end(training.info, model)
    return model


@_arguments.with_settings(_arguments.names(), FLAGS, _arguments.SYNONYMS)
def plan(
    paths: Union[Path, Iterable[Path]],
    *,
    text: Optional[Column] = None,
    output: Optional[Path] = None,
    ranks: Optional[int] = None,
    init: Optional[Path] = None,
    validate: Union[float, Path, None] = None,
    **settings: Unpack[Settings],
) -> Dict[str, Any]:
    """Say what `train` will take with these files and settings, as ``w2v train --plan`` does.

    The program reads a sample that is spread over the files, and tries the model on it for some seconds. It writes no
    model.

    Args:
        paths: files, folders and globs. Sentences in memory have no plan: they can be read only once.
        text: the column or field that has the text: see `train`.
        output: the file that the model would have, whose format decides about its size.
        ranks: number of processes that train together.
        init: path of a model to start from.
        validate: a fraction of the text, or a file, that is held out.
        {settings}

    Returns:
        What ``w2v train --plan --json`` prints: "tokens", "vocab", "memory_bytes", "cache_bytes", "model_bytes", "cpu_seconds",
        "seconds", and "parts" with "epochs" and more. With ranks, "ranks" has "turns", "rank_sent_bytes" and more.

    Raises:
        UsageError: a value makes no sense.
        Error: the files cannot be read, or nothing can be written where the run would write.

    >>> import os, tempfile, w2v
    >>> path = os.path.join(tempfile.mkdtemp(), "text.txt")
    >>> with open(path, "w") as file:
    ...     _ = file.write("the cat purrs\\nthe dog barks\\n" * 200)
    >>> found = w2v.plan(path, min_count=1)
    >>> found["tokens"], found["vocab"], found["parts"][0]["dim"]
    (1200, 5, 100)
    """
    if text is not None:
        _, settings = _in_tables(text, None, paths, None, settings)
    given: Dict[str, Any] = dict(settings)
    given["init"] = None if init is None else os.fspath(init)
    flags, _ = _arguments.flags(given, "plan()", ("paths", "text", "output", "ranks", "validate"))
    if output is not None:
        flags.append(f"--output={os.fspath(output)}")
    if ranks is not None:
        flags.append(f"--plan-ranks={ranks}")
    if validate is not None:
        flags.append(f"--validate={validate if isinstance(validate, float) else os.fspath(validate)}")
    files = _paths([paths] if isinstance(paths, (str, os.PathLike)) else paths)
    with _binary.started(["train", "--plan", "--json", *flags, "--", *files], new_folder()) as child:
        done = _binary.ended(child)
        _binary.log_notes(done)
    found: Dict[str, Any] = json.loads(done.stdout)
    return found


def _model_of(
    run: Run, training: "_Training", writers: Sequence[Callable[[], None]], folder: str, path: str, own: bool
) -> Model:
    """Return the model of a run, whose own folder it is in or not."""
    keep = False
    try:
        training.follow(run, writers, path)
        model = load(path) if run.model is None else Model(Native(content(run.model)))
    except Interrupted as interrupted:
        keep = own and _kept(interrupted, run, folder, path)
        raise
    finally:
        run.end(keep=keep)
    model.training = training.info
    return model


def _kept(interrupted: Interrupted, run: Run, folder: str, path: str) -> bool:
    """Tell whether an interrupted run leaves a model in its folder."""
    if interrupted.model is None:
        return False
    if run.model is not None:  # Ctrl-C came after the end
        os.makedirs(folder, 0o700, exist_ok=True)
        content(run.model).tofile(path)
    return True


def _initial(init: Any, given: Mapping[str, Any], folder: str, writers: List[Callable[[], None]]) -> Dict[str, Any]:
    """Return the argument for what training starts from. What is in memory is to be written to a file."""
    if init is None and not isinstance(given.get("pretrainedVectors"), (str, os.PathLike, type(None))):
        return {**_initial(given["pretrainedVectors"], given, folder, writers), "pretrainedVectors": None}
    if init is None or isinstance(init, (str, os.PathLike)):
        return {"init": init}
    if given.get("resume") is not None:
        raise UsageError("init= and resume= both say what to start from: give one of them")
    file = os.path.join(folder, "init.w2v")
    if isinstance(init, Model):
        model = init
        writers.append(lambda: model._write(file))
    elif is_gensim(init):
        writers.append(lambda: write_gensim(init, file))
    else:
        raise TypeError(
            f"init is of type {type(init).__name__}, and must be a model, gensim's vectors, or the path of a model"
        )
    return {"init": file}


def _joined(given: Mapping[str, Any], folder: str, writers: List[Callable[[], None]]) -> Dict[str, Any]:
    """Return the arguments for phrases that were learned. Their table is to be written to a file."""
    others = [name for name in given if name.startswith("phrase_") and given[name] is not None]
    if others:
        raise UsageError(f"phrases= has phrases that were learned, and {others[0]}= says which are to be found: give one of them")
    file, table = os.path.join(folder, "phrases.tsv"), table_of(given["phrases"])

    def write() -> None:
        with open(file, "w", encoding="utf-8", errors="surrogateescape", newline="\n") as out:
            out.write(table)

    writers.append(write)
    return {"phrases": None, "phrase_table": file}


def _counted(vocab: Mapping[Any, Any], folder: str, writers: List[Callable[[], None]]) -> Dict[str, Any]:
    """Return the argument for a vocabulary with its counts. It is to be written to a file."""
    lines = []
    for word, count in vocab.items():
        if not isinstance(word, str) or word != word.strip() or not word or "\n" in word or "\r" in word:
            raise UsageError(f"vocab has the word {word!r}, and words are texts without white space at their ends")
        if isinstance(count, bool) or not isinstance(count, numbers.Integral) or count < 0:
            raise UsageError(f"vocab has {count!r} as the count of {word!r}, and counts are whole numbers from 0")
        lines.append(f"{word} {int(count)}\n")
    file = os.path.join(folder, "vocab.txt")

    def write() -> None:
        with open(file, "wb") as out:
            out.write(encoded("".join(lines)))

    writers.append(write)
    return {"vocab": file}


def _written(file: str, sentences: Iterable[Any], whole: bool, what: str = "sentences", shown: Optional[Display] = None) -> None:
    """Write sentences to a file, as the program reads them."""
    sent = 0
    with open(file, "wb") as out:
        out.write(_sentences.OPENING)
        for block, count in _sentences.blocks(sentences, whole=whole, what=what):
            out.write(block)
            sent += count
            if shown is not None:
                shown.reading(sent)
        if not sent:
            raise _sentences.none_in(sentences, what)
        out.write(_sentences.CLOSING)


def _is_iterable(value: Any) -> bool:
    """Tell whether a value gives sentences, and is neither a path nor a number."""
    return value is not None and not isinstance(value, (str, os.PathLike)) and not isinstance(value, numbers.Real)


def _in_tables(text: Column, sentences: Any, paths: Any, corpus_file: Any, settings: Any) -> "tuple[Any, Any]":
    """Return sentences and settings for the texts in a column of a table, or of files."""
    files = next((value for value in (sentences, paths, corpus_file) if value is not None), None)
    if isinstance(files, (str, os.PathLike)):
        files = [files]
    elif files is sentences and not (isinstance(files, (list, tuple)) and files and all(isinstance(f, os.PathLike) for f in files)):
        return (None if sentences is None else column_of(sentences, text, "sentences")), settings
    flags = flags_of_files(text, _paths(files or ()))
    for name in flags:
        if settings.get(name) is not None:
            raise UsageError(f"text= and {name}= both say where the text is: give one of them")
    return sentences, {**settings, **flags}


def _source(
    sentences: Any, paths: Any, corpus_file: Any, what: str = "train()"
) -> "tuple[List[str], Optional[Iterable[Sentence]]]":
    """Return the files to train on, or the iterable."""
    named = {"sentences": sentences, "paths": paths, "corpus_file": corpus_file}
    given = [name for name, value in named.items() if value is not None]
    if len(given) != 1:
        raise TypeError(
            f"{what} got {' and '.join(given)}: give one of them"
            if given
            else f"{what} needs sentences, or paths="
        )
    source = named[given[0]]
    if isinstance(source, (str, os.PathLike)):
        if isinstance(source, str) and len(source.split()) > 1 and not os.path.exists(source) and not set(source) & set("*?["):
            shown = source if len(source) <= 60 else source[:57] + "…"
            raise MissingFileError(f"{shown!r} is no file: a str alone is the path of a file, and a text is given in a list, [text]", errno.ENOENT, source)
        return _paths([source]), None
    if given[0] != "sentences":
        return _paths(source), None
    if isinstance(source, (list, tuple)) and source:
        if all(isinstance(item, os.PathLike) for item in source):
            return _paths(source), None
        if all(isinstance(item, str) and "\n" not in item and os.path.isfile(item) for item in source):
            raise TypeError(
                f"the strings of sentences are texts, and {source[0]!r} is a file: give paths=[…] to train on files"
            )
    _sentences.refuse(source, by_column=True)
    return [], source


def _paths(paths: Iterable[Path]) -> List[str]:
    if isinstance(paths, (bytes, bytearray)) or not isinstance(paths, Iterable):
        raise TypeError(f"paths is of type {type(paths).__name__}, and must be a path or a list of paths")
    all_paths = []
    for path in paths:
        if not isinstance(path, (str, os.PathLike)):
            raise TypeError(f"a path is of type {type(path).__name__}, and must be a str or of pathlib")
        all_paths.append(os.fsdecode(path))
    if "" in all_paths:
        raise UsageError("a path is empty: name a file or a folder of text")
    if not all_paths:
        raise UsageError("paths is empty: there is nothing to train on")
    if "-" in all_paths:
        raise UsageError('"-" is not a path here: give sys.stdin as the sentences')
    return all_paths


def _validation(
    validate: Any, streamed: bool, file: str, whole: bool, writers: List[Callable[[], None]]
) -> List[str]:
    """Return the flag of held-out text. Sentences are to be written to a file."""
    if validate is None:
        return []
    if isinstance(validate, (str, os.PathLike)):
        if streamed:
            raise UsageError("validate= is a file, and the sentences are not: give held-out sentences, such as open(path)")
        return [f"--validate={os.fsdecode(validate)}"]
    if not hasattr(validate, "__iter__"):
        return [f"--validate={float(validate)!r}"]
    if not streamed:
        raise UsageError("validate= is an iterable, and the corpus is in files: give a file of held-out text")

    _sentences.refuse(validate, "validate")
    writers.append(lambda: _written(file, validate, whole, "validate"))
    return [f"--validate={file}"]


class _Training:
    """One run of the program."""

    _goes_on = "train(…, resume={!r}) goes on"

    def __init__(
        self,
        stream: Optional[Iterable[Any]],
        whole: bool,
        shown: Display,
        callback: Optional[Callable[[Progress], object]],
        callbacks: Optional[Callbacks] = None,
    ) -> None:
        self._stream = stream
        self._whole = whole
        self._display = shown
        self._callback = callback
        self._callbacks = callbacks
        self._begun = False
        self._evaluations: List[Mapping[str, Any]] = []
        self._noted: Set[str] = set()  # remarks that the logger has
        self._done: Dict[str, Any] = {}
        self._unkept = "interrupted before anything was trained"
        self._path = ""

    @property
    def info(self) -> Dict[str, Any]:
        """What the program said at its end."""
        return {**self._done, "evaluations": self._evaluations}

    def follow(self, run: Run, writers: Sequence[Callable[[], None]], path: str) -> None:
        """Let the program train, to its end. The model is at the path then."""
        self._path = path
        try:
            for write in writers:
                write()
            run.begin()
            if self._stream is not None:
                self._feed(run, self._stream)
            for event in run.events():
                self._heard(event)
            code = run.wait()
        except BaseException as e:
            self._end(run, e)
        finally:
            self._display.close()
        if code != 0:
            raise run.failure(code)

    def _feed(self, run: Run, stream: Iterable[Any]) -> None:
        reading = run.write(_sentences.OPENING)
        sent = 0
        for block, count in _sentences.blocks(stream, whole=self._whole):
            if not (reading and run.write(block)):
                return  # the program has ended, and says why
            sent += count
            self._display.reading(sent)
            for event in run.said():
                self._heard(event)
        if not sent:
            raise _sentences.none_in(stream, "sentences")
        run.write(_sentences.CLOSING)
        run.close()

    def _heard(self, event: Event) -> None:
        kind = event.pop("event")
        if kind == "start":
            self._begun = True
            if self._callbacks:
                self._callbacks.begin(event)
        elif kind == "progress":
            progress = progress_of(event, self._evaluations[-1] if self._evaluations else None)
            self._display.training(progress)
            if self._callback is not None:
                self._callback(progress)
        elif kind == "evaluation":
            file = event.pop("file", None)
            if "held_out_loss" not in event:  # of pairs and of a teacher, whose epochs are all evaluated
                self._evaluations.append(event)
            elif not event.get("epoch") or event["held_out_loss"] is not None or event["scores"]:
                self._evaluations.append({name: value for name, value in event.items() if name not in ("epoch", "model", "error")})
            if self._callbacks:
                self._callbacks.ended(event, file)
        elif kind == "note":
            self._noted.add(event["text"])
            _log.log(logging.WARNING if event["kind"] else logging.INFO, "%s", event["text"])
        elif kind == "part" and not event["file"]:
            self._unkept = "interrupted: nothing is kept of a recipe without checkpoint="
        elif kind == "divergence":
            _log.warning("training diverged, and goes on with the learning rate %g", event["lr"])
        elif kind == "checkpoint" and event["error"]:
            _log.warning("%s", event["error"])
        elif kind == "done":
            for remark in event.get("remarks") or ():
                if remark["text"] not in self._noted:
                    _log.warning("%s", remark["text"])
            # JSON has no bytes that are not UTF-8, which names of files may have.
            self._done = {**event, "output": self._path} if event.get("output") else event

    def _end(self, run: Run, why: BaseException) -> NoReturn:
        """End the program because of an exception, and raise that."""
        if not self._begun:
            run.abandon()
            raise why
        self._callback = self._callbacks = None
        code = self._save(run)
        if not isinstance(why, KeyboardInterrupt):
            raise why
        raise _interrupted(self._done, run, code, self._goes_on, self._unkept) from None

    def _save(self, run: Run) -> int:
        """Have the program save what is trained, and return its exit code."""
        while True:
            try:
                run.interrupt()
                for event in run.events():
                    self._heard(event)
                return run.wait()
            except KeyboardInterrupt:
                continue  # again: the program gives up saving


class _Lines(_Training):
    """One run of the program that reads lines, of which the stream has blocks with the number of their items."""

    def _feed(self, run: Run, stream: Iterable[Any]) -> None:
        sent = 0
        for block, count in stream:
            if not run.write(block):
                return  # the program has ended, and says why
            sent += count
            self._display.reading(sent)
            for event in run.said():
                self._heard(event)
        run.close()


def _interrupted(done: Mapping[str, Any], run: Run, code: int, goes_on: str, unkept: str) -> Interrupted:
    model = done.get("output") or None
    checkpoint = done.get("checkpoint") or None
    if code not in (0, 130):
        return Interrupted(f"interrupted; {run.failure(code)}", model, checkpoint, str(run.failure(code)))
    if checkpoint:
        return Interrupted(f"interrupted: {goes_on.format(checkpoint)}", model, checkpoint)
    if model:
        return Interrupted(f"interrupted: the model as it was is {model}", model, checkpoint)
    return Interrupted(unkept)
