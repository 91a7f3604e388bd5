"""``Word2Vec``, trained by w2v, and the readers of its sentences."""

from __future__ import annotations

import bz2
import gzip
import os
import time
from collections import Counter
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, Callable, Dict, Iterable, Iterator, List, Mapping, Optional, Sequence, Tuple, Union

import numpy as np

from .... import training
from ...._checked import nearest_name
from ...._sentences import refuse as refuse_sentences
from ....callbacks import Epoch
from ....errors import Error
from ....interchange import native_of
from ....model import Model
from ....model import load as _load
from ..utils import RULE_DEFAULT, RULE_KEEP
from .keyedvectors import KeyedVectors, Path, exact, refuse, save

__all__ = ["LineSentence", "PathLineSentences", "Text8Corpus", "Word2Vec"]

MAX_WORDS_IN_BATCH = 10000

Rule = Callable[[str, int, int], int]

_FIXED = "training goes on, and would not know of it. Change model.wv in on_train_end, or after training"


def _opened(path: Path) -> Any:
    name = os.fspath(path)
    return gzip.open(path) if name.endswith(".gz") else bz2.open(path) if name.endswith(".bz2") else open(path, "rb")


def _parts(lines: Iterable[Union[str, bytes]], most: int) -> Iterator[List[str]]:
    for line in lines:
        words = (line if isinstance(line, str) else line.decode("utf-8")).split()
        for at in range(0, len(words), most):
            yield words[at : at + most]


class LineSentence:
    """The lines of a file, which may be compressed, or of an open file: lists of words that white space separates."""

    def __init__(self, source: Any, max_sentence_length: int = MAX_WORDS_IN_BATCH, limit: Optional[int] = None) -> None:
        self.source, self.max_sentence_length, self.limit = source, max_sentence_length, limit

    def __iter__(self) -> Iterator[List[str]]:
        if hasattr(self.source, "seek"):
            self.source.seek(0)
            yield from _parts(islice(self.source, self.limit), self.max_sentence_length)
            return
        with _opened(self.source) as lines:
            yield from _parts(islice(lines, self.limit), self.max_sentence_length)


class PathLineSentences:
    """The lines of all files of a folder, in the order of their names, or of one file: see `LineSentence`."""

    def __init__(self, source: Path, max_sentence_length: int = MAX_WORDS_IN_BATCH, limit: Optional[int] = None) -> None:
        self.source, self.max_sentence_length, self.limit = source, max_sentence_length, limit
        if os.path.isdir(source):
            self.input_files = [os.path.join(os.fspath(source), name) for name in sorted(os.listdir(source))]
        elif os.path.isfile(source):
            self.input_files = [os.fspath(source)]
        else:
            raise ValueError(f"{os.fspath(source)} is neither a file nor a folder")

    def __iter__(self) -> Iterator[List[str]]:
        return chain.from_iterable(LineSentence(path, self.max_sentence_length, self.limit) for path in self.input_files)


class Text8Corpus:
    """The words of a text without lines, in lists of so many."""

    def __init__(self, fname: Path, max_sentence_length: int = MAX_WORDS_IN_BATCH) -> None:
        self.fname, self.max_sentence_length = fname, max_sentence_length

    def __iter__(self) -> Iterator[List[str]]:
        words: List[str] = []
        rest = b""
        with _opened(self.fname) as file:
            while True:
                block = file.read(1 << 16)
                *whole, rest = (rest + block).rsplit(None, 1) if block else (rest, b"")
                words += b" ".join(whole).decode("utf-8").split()
                while len(words) >= self.max_sentence_length:
                    yield words[: self.max_sentence_length]
                    words = words[self.max_sentence_length :]
                if not block:
                    break
        if words:
            yield words


class _Counted:
    """Sentences, and how many they and their words were when they were last read."""

    def __init__(self, sentences: Iterable[Any]) -> None:
        self._sentences = sentences
        self.sentences = self.words = 0

    def __iter__(self) -> Iterator[Any]:
        self.sentences = self.words = 0
        for sentence in self._sentences:
            self.sentences += 1
            self.words += len(sentence)
            yield sentence


class _Told:
    """Calls gensim's callbacks with the model that is trained."""

    def __init__(self, model: "Word2Vec", callbacks: Iterable[Any]) -> None:
        self._model, self._callbacks, self._tokens = model, list(callbacks), 0

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("on_"):
            raise AttributeError(name)

        def call(epoch: Epoch) -> None:
            if name == "on_epoch_end" and epoch.loss is not None:
                self._model.running_training_loss += epoch.loss * (epoch.tokens - self._tokens)
            self._tokens = epoch.tokens
            if name == "on_train_end":
                self._model._ended(epoch.model)
            else:
                self._model._at = epoch if epoch.has_model else None
            for callback in self._callbacks:
                getattr(callback, name, lambda _: None)(self._model)

        return call


class Word2Vec:
    """Trains word vectors, with the arguments, methods and defaults of gensim's class. ``wv`` has the vectors.

    ``alpha=None`` is the learning rate that suits the text, and gensim's 0.025 has to be asked for. ``hs=1`` trains hierarchical
    softmax alone.
    """

    _ngrams: Mapping[str, Any] = {}  # the settings of n-grams

    def __init__(
        self,
        sentences: Optional[Iterable[Any]] = None,
        corpus_file: Optional[Path] = None,
        vector_size: int = 100,
        alpha: Optional[float] = None,
        window: int = 5,
        min_count: int = 5,
        max_vocab_size: Optional[int] = None,
        sample: float = 1e-3,
        seed: int = 1,
        workers: int = 3,
        min_alpha: float = 0.0001,
        sg: int = 0,
        hs: int = 0,
        negative: int = 5,
        ns_exponent: float = 0.75,
        cbow_mean: int = 1,
        hashfxn: Any = hash,
        epochs: int = 5,
        null_word: int = 0,
        trim_rule: Optional[Rule] = None,
        sorted_vocab: int = 1,
        batch_words: int = MAX_WORDS_IN_BATCH,
        compute_loss: bool = False,
        callbacks: Iterable[Any] = (),
        comment: Optional[str] = None,
        max_final_vocab: Optional[int] = None,
        shrink_windows: bool = True,
    ) -> None:
        self.max_vocab_size, self.min_alpha, self.cbow_mean, self.hashfxn = max_vocab_size, min_alpha, cbow_mean, hashfxn
        self.null_word, self.sorted_vocab, self.batch_words = null_word, sorted_vocab, batch_words
        self._refuse_others(type(self).__name__)
        if not hs and not negative:
            raise ValueError("hs=0 and negative=0 leave nothing to train with: give one of them")
        self.vector_size, self.alpha, self.window, self.min_count, self.sample, self.seed = vector_size, alpha, window, min_count, sample, seed
        self.workers, self.sg, self.hs, self.negative, self.ns_exponent, self.epochs = workers, sg, hs, negative, ns_exponent, epochs
        self.max_final_vocab, self.shrink_windows, self.compute_loss, self.comment = max_final_vocab, shrink_windows, compute_loss, comment
        self.layer1_size, self.corpus_count, self.corpus_total_words, self.train_count = vector_size, 0, 0, 0
        self.total_train_time = self.running_training_loss = 0.0
        self._model: Optional[Model] = None  # what was trained, or has the words of build_vocab
        self._trained = False
        self._begun = False  # whether training begins with the vectors of the model
        self._counts: Optional[Dict[str, int]] = None  # of the words that are trained next; None if the text is to be counted
        self._at: Optional[Epoch] = None  # while training
        self._vectors: Optional[KeyedVectors] = None
        self._training = False
        if sentences is not None or corpus_file is not None:
            if trim_rule is not None:
                self.build_vocab(sentences, corpus_file, trim_rule=trim_rule)
            self._train(sentences, corpus_file, epochs, callbacks)
        elif trim_rule is not None:
            raise TypeError("trim_rule needs sentences: give it to build_vocab")

    def _refuse_others(self, function: str) -> None:
        """Refuse settings that are not as they are by default, and which w2v does not have."""
        refuse(function, {
            "max_vocab_size": (self.max_vocab_size, None, "w2v counts all words; max_final_vocab keeps the most frequent ones"),
            "min_alpha": (self.min_alpha, 0.0001, "the learning rate falls to 0"),
            "cbow_mean": (self.cbow_mean, 1, "CBOW takes the mean of contexts"),
            "hashfxn": (self.hashfxn, hash, "w2v has hash functions of its own"),
            "null_word": (self.null_word, 0, "there is no such word"),
            "sorted_vocab": (self.sorted_vocab, 1, "words are in the order of their counts"),
            "batch_words": (self.batch_words, MAX_WORDS_IN_BATCH, "w2v divides the work itself"),
        })  # fmt: skip

    def __str__(self) -> str:
        return f"{type(self).__name__}<vocab={len(self.wv)}, vector_size={self.vector_size}, alpha={self.alpha}>"

    __repr__ = __str__

    @property
    def wv(self) -> KeyedVectors:
        """The vectors, whose changes stay: `save` writes them, and `train` begins with them. While training, those at the end of the
        last epoch, which cannot be changed: training goes on without them."""
        if self._at is not None:
            return KeyedVectors.of(self._at.model, _FIXED)
        if self._vectors is None:
            self._vectors = KeyedVectors(self.vector_size) if self._model is None else KeyedVectors.of(self._model)
            self._vectors._fixed = _FIXED if self._training else ""
        return self._vectors

    def _answers_from(self, model: Model) -> None:
        """Take a model, from which vectors answer that somebody has asked for before."""
        self._model = exact(model)
        if self._vectors is not None:
            self._vectors.model = self._model

    def _ended(self, model: Model) -> None:
        """Training has ended with a model, if that is not known yet."""
        if self._training:
            self._answers_from(model)
            self._trained, self._begun, self._counts = True, True, None
            self._stopped()

    def _stopped(self) -> None:
        self._training, self._at = False, None
        if self._vectors is not None:
            self._vectors._fixed = ""

    def _now(self) -> Optional[Model]:
        """Return the model with the changes of its vectors."""
        if self._model is not None and self._vectors is not None and self._vectors.model._native is not self._model._native:
            now = self._vectors.model
            self._model = Model(native_of(now.words, now.vectors, now._native.counts, now._native, self._outputs(now.words)), None, False)
            self._vectors.model, self._begun = self._model, True
        return self._model

    def _outputs(self, words: List[str]) -> Dict[str, Any]:
        """Return what the model predicts words with: zeros for those that it does not have."""
        assert self._model is not None
        nodes, contexts = self._model._native.matrix("nodes"), self._model.context_vectors
        if nodes is not None and words == self._model.words:
            return {"nodes": nodes.finish(nodes.take(np.arange(nodes.rows)))}
        if contexts is None:
            return {}
        rows, places = np.zeros((len(words), contexts.shape[1]), np.float32), [self._model.key_to_index.get(word, -1) for word in words]
        there = np.array(places, np.int64) >= 0
        rows[there] = contexts[np.array(places, np.int64)[there]]
        return {"output": rows}

    @property
    def syn1neg(self) -> Any:
        """The context vectors of negative sampling."""
        model = self._now()
        if model is None or model.context_vectors is None:
            raise AttributeError("syn1neg: nothing was trained with negative sampling")
        return model.context_vectors

    def get_latest_training_loss(self) -> float:
        """Return the losses of all tokens since training began, added up at the end of each epoch."""
        return self.running_training_loss

    def build_vocab(
        self,
        corpus_iterable: Optional[Iterable[Any]] = None,
        corpus_file: Optional[Path] = None,
        update: bool = False,
        progress_per: int = 10000,
        keep_raw_vocab: bool = False,
        trim_rule: Optional[Rule] = None,
    ) -> None:
        """Count the words of sentences, which `train` trains; with ``update``, those of the model remain."""
        refuse("build_vocab", {"keep_raw_vocab": (keep_raw_vocab, False, "count them yourself, and give build_vocab_from_freq the counts")})
        counts: "Counter[str]" = Counter()
        self.corpus_count = 0
        for sentence in _source(corpus_iterable, corpus_file):
            self.corpus_count += 1
            counts.update(sentence)
        self._take(counts, update, trim_rule)

    def build_vocab_from_freq(
        self,
        word_freq: Mapping[str, int],
        keep_raw_vocab: bool = False,
        corpus_count: Optional[int] = None,
        trim_rule: Optional[Rule] = None,
        update: bool = False,
    ) -> None:
        """Take the words of a dictionary with their counts, which `train` trains."""
        refuse("build_vocab_from_freq", {"keep_raw_vocab": (keep_raw_vocab, False, "you have the counts")})
        self.corpus_count = corpus_count or 0
        self._take(word_freq, update, trim_rule)

    def _take(self, counts: Mapping[str, int], update: bool, rule: Optional[Rule]) -> None:
        model = self._now()
        if update and model is None:
            raise RuntimeError("there is no vocabulary to update: build_vocab() makes one")
        self.corpus_total_words = sum(counts.values())
        kept = {word: n for word, n in counts.items() if _keeps(rule, word, n, self.min_count)}
        if update and model is not None:
            before = model.counts
            old = dict(zip(model.words, [0] * len(model) if before is None else before.tolist()))
            kept = {**{word: n + kept.get(word, 0) for word, n in old.items()}, **{word: n for word, n in kept.items() if word not in old}}
        if not kept:
            raise RuntimeError(f"no word occurs {self.min_count} times: the vocabulary is empty")
        words = sorted(kept, key=lambda word: (-kept[word], word.encode()))[: self.max_final_vocab]
        self._counts = {word: max(kept[word], 1) for word in words}  # words that were added to the vectors have 0
        if not update:  # vectors as small as gensim's are before training
            random = np.random.default_rng(self.seed).random((len(words), self.vector_size), np.float32)
            native = native_of(words, (random - np.float32(0.5)) / np.float32(self.vector_size), list(self._counts.values()), None)
            self._answers_from(Model(native, None, False))
            self._trained = self._begun = False

    def train(
        self,
        corpus_iterable: Optional[Iterable[Any]] = None,
        corpus_file: Optional[Path] = None,
        total_examples: Optional[int] = None,
        total_words: Optional[int] = None,
        epochs: Optional[int] = None,
        start_alpha: Optional[float] = None,
        end_alpha: Optional[float] = None,
        word_count: int = 0,
        queue_factor: int = 2,
        report_delay: float = 1.0,
        compute_loss: bool = False,
        callbacks: Iterable[Any] = (),
    ) -> Tuple[int, int]:
        """Train the words of `build_vocab`, or go on with those that were trained. Words of other texts do not count.

        The sentences are read once, so a generator will do, and w2v counts them itself.

        Returns:
            how many tokens of these words were trained, twice: tokens of other words are not counted.
        """
        refuse("train", {
            "end_alpha": (end_alpha, None, "the learning rate falls to 0"),
            "word_count": (word_count, 0, "nothing was trained before"),
            "queue_factor": (queue_factor, 2, "w2v divides the work itself"),
            "report_delay": (report_delay, 1.0, "w2v.train has progress= and callback="),
        })  # fmt: skip
        model = self._now()
        if model is None:
            raise RuntimeError("there is no vocabulary: call build_vocab() first")
        if total_examples is None and total_words is None:
            raise ValueError("give total_examples, such as model.corpus_count, or total_words")
        if not epochs or epochs <= 0:
            raise ValueError("give epochs, such as model.epochs")
        if self._counts is None:
            counts = model.counts
            self._counts = dict(zip(model.words, [1] * len(model) if counts is None else np.maximum(counts, 1).tolist()))
        elif self._begun:  # words may have been added since they were counted
            self._counts = {**self._counts, **{word: 1 for word in model.words if word not in self._counts}}
        self.alpha, self.epochs = start_alpha or self.alpha, epochs
        trained = self._train(corpus_iterable, corpus_file, epochs, callbacks)
        return trained, trained

    def _train(self, sentences: Optional[Iterable[Any]], corpus_file: Optional[Path], epochs: int, callbacks: Iterable[Any]) -> int:
        self._refuse_others("train")
        counted = None if self._counts is not None else _Counted(_source(sentences, corpus_file))
        source: Any = _source(sentences, corpus_file) if counted is None else counted
        if corpus_file is not None:
            source = None
            if counted is not None:
                for _ in counted:
                    pass
        settings: Dict[str, Any] = {
            "vector_size": self.vector_size, "window": self.window, "sample": self.sample, "seed": self.seed, "workers": self.workers,
            "sg": self.sg, "epochs": epochs, "alpha": self.alpha, "shrink_windows": self.shrink_windows, **self._ngrams,
        }  # fmt: skip
        drawn: Dict[str, Any] = {"negative": self.negative, "ns_exponent": self.ns_exponent}
        settings.update({"hs": 1} if self.hs else drawn)
        if self._counts is not None:
            settings.update(vocab=self._counts, min_count=0, init=self._model if self._begun else None)
        else:
            settings.update(min_count=max(self.min_count, 1), max_vocab=self.max_final_vocab)
        told = [_Told(self, callbacks)] if callbacks or self.compute_loss else []
        self.running_training_loss, began = 0.0, time.monotonic()
        self._training = True
        if self._vectors is not None:
            self._vectors._fixed = _FIXED
        try:
            model = training.train(source, corpus_file=corpus_file, progress=False, callbacks=told, **settings)
            self._ended(model)
        except Error as error:
            if "no token" in str(error):
                raise RuntimeError(f"there is nothing to train: {error}") from None
            raise
        finally:
            self._stopped()
        self.total_train_time += time.monotonic() - began
        self.train_count += 1
        if counted is not None:
            self.corpus_count, self.corpus_total_words = counted.sentences, counted.words
        assert model.training is not None
        return int(model.training["trained"])

    def predict_output_word(self, context_words_list: Sequence[Any], topn: int = 10) -> Optional[List[Tuple[str, float]]]:
        """Return the words that are most probable between some words."""
        model = self._now()
        if model is None or not self._trained:
            raise RuntimeError("nothing is trained yet")
        return model.predict_output_word(context_words_list, topn)

    def save(self, fname: Path, *args: Any, **kwargs: Any) -> None:
        """Write one file, in w2v's own format. gensim's arguments say how it divides a pickle, and have no effect."""
        model = self._at.model if self._at is not None else self._now()
        if model is None:
            raise RuntimeError("there is nothing to save: no vocabulary was built")
        save(model, fname)

    @classmethod
    def load(cls, fname: Path, mmap: Optional[str] = None) -> "Word2Vec":
        """Open what ``save`` has written, or a model of any format of w2v, with the settings of training that it records."""
        return cls._of(_load(fname, ignore_case=False))

    @classmethod
    def _of(cls, model: Model) -> "Word2Vec":
        of = model.settings
        names = ("window", "min_count", "sample", "seed", "epochs", "ns_exponent")
        self = cls(vector_size=model.dim, **{name: of[name] for name in names if name in of})
        self._of_record(of)
        self._model, self._trained, self._begun, self.corpus_total_words = model, True, True, int(of.get("tokens", 0))
        return self

    def _of_record(self, of: Mapping[str, Any]) -> None:
        """Take settings that the record has under other names."""
        self.sg, self.hs = int(of.get("arch", "skipgram") == "skipgram"), int(of.get("loss") == "hs")
        self.negative, self.alpha = int(of.get("negatives", self.negative)), None
        self.shrink_windows = of.get("window_mode", "dynamic") == "dynamic"

    if not TYPE_CHECKING:  # for which there are no such attributes

        def __getattr__(self, name: str) -> Any:
            if name.startswith("_"):
                raise AttributeError(name)
            advice = _OTHERS.get(name, f"write wv.{name}" if hasattr(KeyedVectors, name) or hasattr(Model, name) else "")
            what = f": {advice}" if advice else nearest_name(name, dir(type(self)))
            raise AttributeError(f"{type(self).__name__} of w2v.compat.gensim has no {name}{what}")


_OTHERS = {
    "score": "train with validate= of w2v.train", "init_sims": "wv.unit_normalize_all() scales vectors",
    "estimate_memory": "training says before it starts if memory is too small", "reset_from": "build_vocab_from_freq() takes counts",
    "scan_vocab": "write build_vocab()", "prepare_vocab": "write build_vocab()", "raw_vocab": "write wv.key_to_index",
    "syn1": "w2v does not show the tree", "syn0": "write wv.vectors", "cum_table": "w2v does not show it", "vocab": "write wv.key_to_index",
    "load_fasttext_format": "write load_facebook_model(path)", "load_word2vec_format": "write KeyedVectors.load_word2vec_format(path)",
}  # fmt: skip


def _keeps(rule: Optional[Rule], word: str, count: int, least: int) -> bool:
    says = RULE_DEFAULT if rule is None else rule(word, count, least)
    return count >= least if says == RULE_DEFAULT else says == RULE_KEEP


def _source(sentences: Optional[Iterable[Any]], corpus_file: Optional[Path]) -> Iterable[Any]:
    """Return sentences, of which one source must be given."""
    if (sentences is None) == (corpus_file is None):
        raise TypeError("give sentences or corpus_file, one of them")
    if sentences is None:
        assert corpus_file is not None
        if not os.path.isfile(corpus_file):
            raise TypeError(f"corpus_file must be the path of a file, and is {corpus_file!r}")
        return LineSentence(corpus_file)
    if isinstance(sentences, (str, os.PathLike)):
        raise TypeError(f"sentences must be an iterable of lists of words, and is {sentences!r}: a path is corpus_file=")
    refuse_sentences(sentences)
    return sentences
