"""w2v.train: what it takes, what it gives, and what it refuses."""

from __future__ import annotations

import gzip
import io
import logging
import os
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any, Dict, Iterator, List, NamedTuple, Tuple, Type

import numpy as np
import pytest
from program import children

import w2v
from w2v import _sentences



class Row(NamedTuple):
    text: str
    label: str


# Same bits every time, in no time.
SMALL: Dict[str, Any] = {"vector_size": 8, "epochs": 1, "workers": 1}


def test_every_kind_of_input_gives_the_model_of_the_program(
    binary: str, corpus: Path, sentences: List[List[str]], tmp_path: Path
) -> None:
    flags = ["--dim", "8", "--epochs", "1", "--threads", "1"]
    subprocess.run([binary, "train", str(corpus), "-o", str(tmp_path / "a.w2v"), *flags], check=True, capture_output=True)
    expected = w2v.load(tmp_path / "a.w2v")
    zipped = tmp_path / "corpus.gz"
    zipped.write_bytes(gzip.compress(corpus.read_bytes()))
    texts = corpus.read_text(encoding="utf-8").splitlines()
    with open(corpus, encoding="utf-8") as lines:
        sources: Tuple[Any, ...] = (
            str(corpus),
            corpus,
            zipped,
            [corpus],
            sentences,
            (sentence for sentence in sentences),
            [tuple(sentence) for sentence in sentences],
            [np.array(sentence) for sentence in sentences],
            (iter(sentence) for sentence in sentences),
            texts,
            np.array(texts),
            lines,
            [sentence if i % 7 else " ".join(sentence) for i, sentence in enumerate(sentences)],
        )
        for source in sources:
            model = w2v.train(source, **SMALL)
            assert model.words == expected.words
            np.testing.assert_array_equal(model.vectors, expected.vectors)
    keywords: List[Dict[str, Any]] = [{"paths": [str(corpus)]}, {"paths": str(corpus)}, {"corpus_file": corpus}, {"sentences": texts}]
    for keyword in keywords:
        np.testing.assert_array_equal(w2v.train(**keyword, **SMALL).vectors, expected.vectors)


def test_pandas_columns_are_texts(sentences: List[List[str]]) -> None:
    pandas = pytest.importorskip("pandas")
    expected = w2v.train(sentences, **SMALL)
    column = pandas.Series([" ".join(s) for s in sentences])
    np.testing.assert_array_equal(w2v.train(column, **SMALL).vectors, expected.vectors)
    with pytest.raises(TypeError, match="^sentences is a table: give one of its columns, such as text='text'"):
        w2v.train(pandas.DataFrame({"text": column}))
    with pytest.raises(TypeError, match="^sentence 1 is missing, nan"):
        w2v.train(pandas.Series(["a b", float("nan")]))


@pytest.mark.parametrize("names", [{"vector_size": 9, "alpha": 0.1, "negative": 3, "workers": 1, "sg": 0}, {"dim": 9, "lr": 0.1, "negatives": 3, "threads": 1, "arch": "cbow"}])
def test_gensims_names_and_ours_are_the_same_settings(names: Dict[str, Any], sentences: List[List[str]]) -> None:
    model = w2v.train(sentences, epochs=1, **names)
    assert model.vector_size == 9
    assert (model.settings["arch"], model.settings["lr"], model.settings["negatives"]) == ("cbow", 0.1, 3)


def test_tokens_stay_as_they_are() -> None:
    tokens = ["New York", "a\tb", "line\nbreak", "nul\0", 'quote"', "back\\slash", "naïve", "\x1b[0m", "nbsp\u00a0", " edge "]
    for sentences in ([tokens] * 9, [tokens[4:7]] * 40000 + [tokens] * 9):  # the second one begins with clean blocks
        model = w2v.train(sentences, vector_size=4, min_count=1, sample=0, epochs=1)
        assert sorted(model.words) == sorted(tokens)


def test_no_tokenizer_cuts_tokens_of_lists() -> None:
    text = "don't over-do it."
    settings: Dict[str, Any] = {"min_count": 1, "sample": 0, "tokenizer": "unicode"}
    assert sorted(w2v.train([[text, "x"]] * 9, **settings).words) == sorted([text, "x"])
    assert sorted(w2v.train([text] * 9, **settings).words) == ["do", "don't", "it", "over"]


def test_texts_of_any_length_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    # A line of the stream may have 64 MB. With a thousandth of that, the test takes less time.
    monkeypatch.setattr(_sentences, "_LONGEST", _sentences._LONGEST // 1000)
    text = "to be or not\n" * 5000
    model = w2v.train([text, text], vector_size=4, epochs=1, sample=0)
    assert model.counts is not None
    assert list(model.counts) == [10_000] * 4
    for sentences in ([["be", "to"] * 50_000, ["be"]], [["be", "to"] * 50_000 + ["a b"], ["be"]]):
        stream = b"".join(block for block, _ in _sentences.blocks(sentences, whole=False))
        assert max(map(len, stream.split(b"\n"))) < 64_000
        model = w2v.train(sentences, vector_size=4, epochs=1, sample=0)
        assert model.counts is not None
        assert (model.words, list(model.counts)) == (["be", "to"], [50_001, 50_000])


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({}, TypeError, "train() needs sentences, or paths="),
        ({"sentences": [["a"]], "paths": ["b"]}, TypeError, "train() got sentences and paths: give one of them"),
        ({"sentences": [["a"]], "vectorsize": 3}, TypeError, "train() has no argument vectorsize; did you mean vector_size?"),
        ({"sentences": [["a"]], "vector_size": 3, "dim": 3}, TypeError, "train() got vector_size and dim, which are the same setting: give one of them"),
        ({"input": "corpus.txt"}, TypeError, "train() has no argument input: give the text as the first argument, train('corpus.txt')"),
        ({"sentences": [["a"]], "min_alpha": 0.1}, TypeError, "train() has no argument min_alpha: the learning rate of w2v always falls to 0"),
        ({"sentences": [["a"]], "hs": 1, "negative": 5}, w2v.UsageError, "hs asks for hierarchical softmax and negative for negative sampling: w2v trains with one of them"),
        ({"sentences": [["a"]], "sg": 2}, w2v.UsageError, "sg is 2, must be 0 or 1"),
        ({"sentences": [["a"]], "window": True}, w2v.UsageError, "window is True, must be a whole number"),
        ({"sentences": [["a"]], "window": [3]}, w2v.UsageError, "window is [3], must be a whole number"),
        ({"sentences": [["a"]], "shuffle": "so"}, w2v.UsageError, "shuffle is 'so', must be True or False"),
        ({"sentences": [["a"]], "arch": "cbov"}, w2v.UsageError, 'arch: "cbov" is not skipgram, cbow or structured; did you mean cbow?'),
        ({"sentences": [["a"]], "vector_size": 0}, w2v.UsageError, "dimensions: 0 is not from 1 to 1073741824"),
        ({"sentences": [["a"]], "min_n": 3}, w2v.UsageError, 'min_n needs subwords="fasttext", floret or hash'),
        ({"sentences": [["a"]], "graph": True}, w2v.UsageError, "graph= says what is in files, and there are none: give paths="),
        ({"sentences": [["a"]], "format": "text"}, w2v.UsageError, "format= needs output=: a model without a file of its own is in the native format"),
        ({"sentences": [["a", 3]]}, TypeError, "sentence 0 has the token 3 of type int: tokens are texts, so make it str(token)"),
        ({"sentences": [["a", b"b"]]}, TypeError, "sentence 0 has the token b'b' of type bytes: tokens are texts, so decode it"),
        ({"sentences": [["a"], b"b"]}, TypeError, "sentence 1 is bytes: decode it"),
        ({"sentences": {"a": 1}}, TypeError, "sentences is a dictionary: give an iterable of texts or of lists of tokens"),
        ({"sentences": {"a b", "c d"}}, TypeError, "sentences is of type set, which has no order of its own: give an iterable of texts or of lists of tokens"),
        ({"sentences": {"a": ["b"]}.keys()}, TypeError, "sentences is of type dict_keys, which has no order of its own: give an iterable of texts or of lists of tokens"),
        ({"sentences": [["a"], {"a", "b"}]}, TypeError, "sentence 1 is of type set: say which field has the text, such as text='text', or give a list of tokens"),
        ({"sentences": [["a"], frozenset("ab")]}, TypeError, "sentence 1 is of type frozenset: say which field has the text, such as text='text', or give a list of tokens"),
        ({"sentences": ["x", {"text": "a b"}]}, TypeError, "sentence 1 is of type dict: say which field has the text, such as text='text', or give a list of tokens"),
        ({"sentences": ["x", {"text": "a b"}.values()]}, TypeError, "sentence 1 is of type dict_values: say which field has the text, such as text='text', or give a list of tokens"),
        ({"sentences": [Row("a b", "c")]}, TypeError, "sentence 0 is of type Row: say which field has the text, such as text='text', or give a list of tokens"),
        ({"sentences": [None]}, TypeError, "sentence 0 is missing, None: leave such rows out, as with table.dropna(subset=['text']), or make them empty, as with column.fillna('')"),
        ({"sentences": ["a", float("nan")]}, TypeError, "sentence 1 is missing, nan: leave such rows out, as with table.dropna(subset=['text']), or make them empty, as with column.fillna('')"),
        ({"sentences": [["a", None]]}, TypeError, "sentence 0 has the token None of type NoneType: leave out what is missing"),
        ({"sentences": [["a", ["b"]]]}, TypeError, "sentence 0 has the token ['b'] of type list: a sentence is one list of texts, so give one for each"),
        ({"sentences": [[1, 2]]}, TypeError, "sentence 0 has the token 1 of type int: tokens are texts, so make it str(token)"),
        ({"sentences": np.array([["a b"], ["c d"]])}, TypeError, "sentences is an array of shape (2, 1): give a list of texts, array[:, 0], or a row of tokens for each sentence"),
        ({"sentences": np.array("a")}, TypeError, "sentences is an array of shape (): give a list of texts, array[:, 0], or a row of tokens for each sentence"),
        ({"sentences": np.array([[1, 2], [3, 4]])}, TypeError, "sentence 0 has the token 1 of type int64: tokens are texts, so make it str(token)"),
        ({"sentences": np.array([b"a b"])}, TypeError, "sentence 0 is bytes: decode it"),
        ({"sentences": [io.StringIO("a b")]}, TypeError, "sentence 0 is of type StringIO: give its text, or its path in paths="),
        ({"sentences": ["a"], "validate": [{"text": "a"}]}, TypeError, "sentence 0 is of type dict: say which field has the text, such as text='text', or give a list of tokens"),
        ({"sentences": ["a"], "validate": {"a b"}}, TypeError, "validate is of type set, which has no order of its own: give an iterable of texts or of lists of tokens"),
        ({"paths": 5}, TypeError, "paths is of type int, and must be a path or a list of paths"),
        ({"paths": [5]}, TypeError, "a path is of type int, and must be a str or of pathlib"),
        ({"sentences": 3}, TypeError, "sentences is of type int, and must be an iterable or a path"),
        ({"sentences": [["a"], ["b\ud800"]]}, w2v.Error, "sentence 1 has the text 'b\\ud800', which is no UTF-8: surrogates not allowed"),
        ({"sentences": [["a"], ["b\ud800"]]}, ValueError, "sentence 1 has the text 'b\\ud800', which is no UTF-8: surrogates not allowed"),
        ({"sentences": []}, w2v.Error, "sentences is empty"),
        ({"sentences": iter([])}, ValueError, "sentences is empty: it is an iterator, which gives what it has once, and may be used up"),
        ({"sentences": ["", []]}, ValueError, "the sentences have no tokens"),
        ({"sentences": [["a"]], "validate": []}, ValueError, "validate is empty"),
        ({"sentences": [["a"] * 9], "validate": [""]}, ValueError, "validate: the sentences have no tokens"),
        ({"sentences": [["a", "b"]], "min_count": 3}, ValueError, "no token is seen 3 times, the least asked for: the most frequent of 2 distinct tokens (2 in all) is seen 1 times: see min_count"),
        ({"sentences": [["a"]], "workers": -1}, ValueError, "workers must not be negative, is -1"),
        ({"sentences": [["a"]], "append_weights": True}, ValueError, 'append_weights=True needs subwords="hash"'),
        ({"sentences": "no-such-file"}, w2v.Error, "no-such-file: no such file or directory"),
        ({"sentences": "no-such-file"}, FileNotFoundError, "no-such-file: no such file or directory"),
        ({"sentences": "no-such-*"}, FileNotFoundError, "no-such-*: no file matches"),
        ({"sentences": [["a"]], "output": "no-such-folder/m.w2v"}, OSError, "no-such-folder/m.w2v: cannot write to the folder no-such-folder: no such file or directory"),
        ({"sentences": ["-"], "paths": None, "output": "-"}, w2v.UsageError, "a model is not written to standard output: name a file, and use convert MODEL - afterwards"),
        ({"paths": ["-"]}, w2v.UsageError, '"-" is not a path here: give sys.stdin as the sentences'),
        ({"paths": [""]}, w2v.UsageError, "a path is empty: name a file or a folder of text"),
        ({"sentences": [["a"]], "nested": 5}, w2v.UsageError, "nested dimensions [5] are one vector, which all are: name the shorter ones too"),
        ({"sentences": [["a"]], "callback": 5}, TypeError, "callback is of type int, and must be a function"),
    ],
)
def test_what_makes_no_sense_is_refused(arguments: Dict[str, Any], error: Type[Exception], message: str) -> None:
    with pytest.raises(error) as raised:
        w2v.train(**arguments)
    assert str(raised.value) == message


def test_a_list_of_files_is_not_taken_for_texts(corpus: Path) -> None:
    with pytest.raises(TypeError, match="give paths="):
        w2v.train([str(corpus)])


def test_exceptions_of_the_iterable_end_the_program_and_leave_nothing(
    sentences: List[List[str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)

    class MineError(Exception):
        pass

    mine = MineError("mine")

    def failing() -> Iterator[List[str]]:
        yield from sentences * 5
        raise mine

    before = children()
    for output in (None, tmp_path / "model.w2v"):
        with pytest.raises(MineError) as raised:
            w2v.train(failing(), output=output)
        assert raised.value is mine
        assert os.listdir(tmp_path) == []
    assert not set(children()) - set(before)


def test_a_model_without_output_is_in_memory_alone(
    sentences: List[List[str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    model = w2v.train(sentences, validate=sentences[:50], **SMALL)
    assert model.path is None
    assert os.listdir(tmp_path) == []
    model.save(tmp_path / "m.w2v")
    np.testing.assert_array_equal(w2v.load(tmp_path / "m.w2v").vectors, model.vectors)


@pytest.mark.parametrize("saved", [None, "model.w2v"])
def test_an_interrupted_run_leaves_a_folder_only_if_it_saved_something(
    saved: Any, sentences: List[List[str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))

    def interrupted(training: Any, run: Any, writers: Any, path: str) -> None:
        run.begin()
        run.close()
        run.wait()
        raise w2v.Interrupted("interrupted", saved and path)

    monkeypatch.setattr("w2v.training._Training.follow", interrupted)
    with pytest.raises(w2v.Interrupted):
        w2v.train(sentences)
    assert len(os.listdir(tmp_path)) == (1 if saved else 0)


def test_output_is_kept_in_the_format_of_its_name(sentences: List[List[str]], tmp_path: Path) -> None:
    native = w2v.train(sentences, output=tmp_path / "a.w2v", **SMALL)
    text = w2v.train(sentences, output=str(tmp_path / "a.vec"), **SMALL)
    assert (tmp_path / "a.vec").read_text(encoding="utf-8").split("\n", 1)[0] == f"{len(native)} 8"
    np.testing.assert_allclose(text.vectors, native.vectors, rtol=1e-6)


def test_progress_and_evaluations_are_told(sentences: List[List[str]], tmp_path: Path) -> None:
    pairs = tmp_path / "pairs.tsv"
    words = [sentences[0][0], sentences[1][0], sentences[2][0], sentences[3][0]]
    pairs.write_text("".join(f"{a}\t{b}\t{i}\n" for i, (a, b) in enumerate(zip(words, words[1:]))))
    heard: List[w2v.Progress] = []
    model = w2v.train(
        sentences[100:], validate=sentences[:100], eval=[pairs], callback=heard.append, vector_size=8, epochs=2, workers=1
    )
    assert model.training is not None
    last = heard[-1]
    assert last.final and last.tokens == last.total == 2 * model.training["tokens"]
    assert last.fraction == 1.0
    assert last.loss == model.training["loss"]
    evaluations = model.training["evaluations"]
    assert len(evaluations) == 2
    assert (last.held_out_loss, last.scores) == (evaluations[-1]["held_out_loss"], {"pairs": evaluations[-1]["scores"][0]["score"]})
    assert all(e["held_out_loss"] > 0 and [s["set"] for s in e["scores"]] == ["pairs"] for e in evaluations)


def test_an_exception_of_the_callback_ends_training(sentences: List[List[str]]) -> None:
    def stop(progress: w2v.Progress) -> None:
        raise LookupError(progress.total)

    with pytest.raises(LookupError):
        w2v.train(sentences, callback=stop, vector_size=8, epochs=500)


@pytest.mark.parametrize(("progress", "shown"), [(True, True), (False, False), (None, False)])
def test_progress_is_shown_when_asked_for(
    progress: Any, shown: bool, sentences: List[List[str]], capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for without_tqdm in (False, True):
        if without_tqdm:
            monkeypatch.setitem(__import__("sys").modules, "tqdm.auto", None)
        w2v.train(sentences, progress=progress, **SMALL)
        out, err = capfd.readouterr()
        assert out == ""
        assert ("training" in err and "100%" in err) == shown
        assert bool(err) == shown


def test_remarks_go_to_the_log(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, logger="w2v")
    model = w2v.train(["Cat, dog. Cat; mouse: 'cat' (dog) cat, dog."] * 3000, lr=1e-6, **SMALL)
    assert model.training is not None
    remarks = [r["text"] for r in model.training["remarks"]]
    assert {"untrained"} < {r["kind"] for r in model.training["remarks"]}  # of the vectors, and of the text
    assert set(remarks) <= {r.message for r in caplog.records if r.levelno == logging.WARNING}
    assert any("tokens of" in r.message for r in caplog.records if r.levelno == logging.INFO)


def test_runs_go_on_from_models_and_checkpoints(sentences: List[List[str]], tmp_path: Path) -> None:
    checkpoint = tmp_path / "run.ck"
    first = w2v.train(sentences, checkpoint=checkpoint, **SMALL)
    more = w2v.train(sentences, resume=checkpoint, extend_epochs=1)
    assert more.training is not None and more.training["epochs"] == 2
    with pytest.raises(w2v.Error, match="run.ck"):
        w2v.train(sentences[:100], resume=checkpoint)


def test_runs_start_from_models_as_they_are_in_memory(sentences: List[List[str]], tmp_path: Path) -> None:
    kv = pytest.importorskip("gensim.models").KeyedVectors(8)
    path = tmp_path / "m.w2v"
    first = w2v.train(sentences, output=path, **SMALL)
    word = first.words[0]
    kv.add_vectors([*first.words], first.vectors)
    whole = [first, path, pickle.loads(pickle.dumps(first)), w2v.train(sentences, **SMALL), kv]
    for init, dim in [*((init, 8) for init in whole), (first.first(5), 5)]:
        for name in ("init", "pretrainedVectors"):
            warm = w2v.train(sentences, epochs=1, lr=1e-30, **{name: init})
            assert warm.vector_size == dim
            np.testing.assert_allclose(warm[word], first[word][:dim], atol=1e-6)
    with pytest.raises(TypeError, match="^init is of type dict, and must be a model, gensim's vectors, or the path of a model$"):
        w2v.train(sentences, init={"a": 1})


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has names of files that are not UTF-8")
def test_a_name_of_a_file_that_is_no_utf8(tmp_path: Path) -> None:
    path = os.path.join(tmp_path, "m\udcff.w2v")
    model = w2v.train([["to", "be"], ["or", "not"]] * 50, vector_size=4, sample=0, output=path)
    assert model.path == path
    assert model.training is not None and model.training["output"] == path
    assert os.path.exists(path)


def test_files_follow_sentences(corpus: Path, sentences: List[List[str]]) -> None:
    first = w2v.train(sentences[:2000], dim=4, epochs=1)
    on = w2v.train(corpus, init=first, epochs=1)
    assert set(first.words) & set(on.words) and len(on) > len(first)
    assert len(w2v.train(sentences[:2000], init=on, epochs=1)) == len(first)


def test_notebooks_show_progress(sentences: List[List[str]], capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    class Shell:
        config = {"IPKernelApp": {}}  # type: ignore[var-annotated]

    for shell, shown in ((Shell(), True), (None, False)):  # in a notebook, and in a program that has imported IPython
        module = type(sys)("IPython")
        module.get_ipython = lambda shell=shell: shell  # type: ignore[attr-defined]
        monkeypatch.setitem(sys.modules, "IPython", module)
        w2v.train(sentences, **SMALL)
        assert ("training" in capfd.readouterr().err) == shown


def test_going_on_with_sentences_makes_no_remark(sentences: List[List[str]], caplog: pytest.LogCaptureFixture) -> None:
    settings: Dict[str, Any] = {"vector_size": 8, "epochs": 1, "min_count": 1, "progress": False}
    model = w2v.train(sentences[:300], **settings)
    caplog.clear()
    w2v.train(sentences[300:600], init=model, **settings)
    assert [record.message for record in caplog.records if "was trained with" in record.message] == []


def test_a_plan_of_files(tmp_path: Path) -> None:
    rows = tmp_path / "rows.jsonl"
    rows.write_text('{"said": "the cat purrs the dog barks"}\n' * 300)
    found = w2v.plan([rows], text="said", min_count=1, epochs=2, dim=12, output=tmp_path / "m.vec", ranks=2, workers=1)
    assert (found["tokens"], found["vocab"], found["parts"][0]["epochs"], found["ranks"]["ranks"]) == (1800, 5, 2, 2)
    assert found["memory_bytes"] > 1e6 and found["ranks"]["rank_sent_bytes"] > 0 and not (tmp_path / "m.vec").exists()
    with pytest.raises(w2v.UsageError, match="paths is empty"):
        w2v.plan([])
    with pytest.raises(TypeError, match=r"plan\(\) has no argument rnks; did you mean ranks"):
        w2v.plan([rows], rnks=8)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match=r"plan\(\) has no argument plan_ranks: write ranks="):
        w2v.plan([rows], plan_ranks=8)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match=r"w2v.plan\(\)"):
        w2v.train([["a"]], plan=True)  # type: ignore[call-arg]
