"""Texts are cut as the program cuts them, and have the program's vectors, whatever a model was trained on."""

from __future__ import annotations

import json
import os
import random
import re
import subprocess
import unicodedata
from pathlib import Path
from typing import Any, Callable, Dict, List, Optional, Tuple

import numpy as np
import pytest
from conftest import ROOT
from program import objects, vectors

import w2v
from w2v import characters
from w2v.pipeline import Pipeline

#: Ways to cut text: what a model records of each.
WAYS: Dict[str, Dict[str, Any]] = {
    "white space": {},
    "lower case": {"lowercase": True},
    "words": {"tokenizer": "unicode", "lowercase": True},
    "words and punctuation": {"tokenizer": "unicode", "punctuation": "keep"},
    "Turkish": {"tokenizer": "unicode", "lowercase": "tr"},
    "Greek": {"tokenizer": "unicode", "lowercase": "el"},
    "Lithuanian": {"lowercase": "lt"},
    "Dutch": {"lowercase": "nl"},
    "characters": {"tokenizer": "characters"},
    "lower-case characters": {"tokenizer": "characters", "lowercase": True, "normalize": "nfc"},
    "joined marks": {"normalize": "nfc"},
    "no accents": {"tokenizer": "unicode", "strip_accents": True},
    "no variants and accents": {"tokenizer": "unicode", "normalize": "nfkc", "strip_accents": True, "lowercase": True},
    "zeros": {"tokenizer": "unicode", "digits": "zero"},
    "no numbers": {"digits": "drop", "punctuation": "drop"},
    "no punctuation": {"punctuation": "drop", "digits": "zero", "normalize": "nfkc"},
    "words without numbers": {"tokenizer": "unicode", "punctuation": "drop", "digits": "drop"},
    "sentences": {"sentences": "unicode"},
    "sentences of words": {"sentences": "unicode", "tokenizer": "unicode"},
    "lists": {"split": ",", "lowercase": True, "normalize": "nfkc"},
}

TEXTS = [
    "the baker bakes",
    "",
    " ",
    "The BAKER'S bread, 1,000.5 loaves — in 2024!",
    "İSTANBUL'da IŞIK, ılık ΟΔΟΣ ὈΔΥΣΣΕΎΣ. Ìjo Į̃",
    "日本語の文章はカタカナとabcです。한국어 텍스트 \u1112\u1161\u11ab",
    "ภาษาไทยไม่มีช่องว่าง क्षत्रिय हिन्दी বাংলা",
    "👩\u200d👩\u200d👧 🇩🇪🇫🇷🇮 👍🏽 🫠 a\u200d🙂 ☕️",
    "soft\u00adhyphen zero\u200bwidth \u200ejoiner\u200d \ufeffmark ﬁ ² Ⓜ ｆｕｌｌ ½",
    "e\u0301a\u0308 \u0301 q\u0307\u0323 A\u030a noe\u0308l",
    "א'ב א\"ב a'b a:b a.b 1.2 1:2 a_b _a__ __ 'a' C++ don't. e.g. U.S.A. what?yes 3.14",
    "٣٤٥ ½ Ⅷ 12a x² 1987",
    "new york city is a bank of england new york",
    "a\tb\x0bc\x0cd\re\0f  g",
    "x" * 16384 + " " + "y" * 16385 + " " + "é" * 8192 + " é" + "é" * 8192,
    "lone \udc80 byte \ud800 half \udcc3\udca9 café",
    "\ufeff\ufeffmark at the beginning",
    "item one,  ITEM two ,,three, ﬁve\t",
    "".join(chr(c) for c in range(0x20, 0x250)),
]


def flags_of(way: Dict[str, Any]) -> List[str]:
    values = {name: str(value).lower() for name, value in way.items()}
    return [f"--{name.replace('_', '-')}={value}" for name, value in values.items()]


def recorded(way: Dict[str, Any]) -> Dict[str, Any]:
    language = way.get("lowercase")
    return {**way, "lowercase": True, "lowercase_language": language} if isinstance(language, str) else way


def program_cuts(binary: str, folder: Path, flags: List[str], texts: List[str]) -> List[str]:
    """Return the tokens of all texts, one after the other."""
    table, text = folder / "table.tsv", folder / "text.txt"
    table.write_text("w2v-phrases-1\t1\t0\t_\n")
    text.write_bytes(b"".join(line.encode("utf-8", "surrogatepass") + b"\n" for line in ["x", *texts]))
    command = [binary, "phrases", *flags, "--table", str(table), "-o", "-", str(text)]
    done = subprocess.run(command, check=True, capture_output=True)
    return [token for token in re.split("[ \n]+", done.stdout.decode("utf-8")) if token][1:]


_BLANK = re.compile("[ \n\r\t\v\f\0]")


def odd(text: str) -> bool:
    return any("\ud800" <= c <= "\udfff" for c in text)


@pytest.mark.parametrize("name", WAYS)
def test_tokens_are_those_of_the_program(binary: str, tmp_path: Path, name: str) -> None:
    texts = [text for text in TEXTS if not odd(text)]
    pipeline = Pipeline(recorded(WAYS[name]))
    got: List[str] = []
    left: List[str] = []
    blank: List[str] = []
    for text in texts:
        tokens = pipeline.cut(text)
        if tokens is None:
            left.append(text)
        elif any(_BLANK.search(token) for token in tokens):  # of a list; the program cannot print it as text
            blank.append(text)
        else:
            got += tokens
    assert got == program_cuts(binary, tmp_path, flags_of(WAYS[name]), [text for text in texts if text not in left + blank])
    assert len(left) <= 1, "most texts are cut without the program"


def drawn(draw: random.Random, groups: List[List[int]]) -> str:
    """Return a random text of all scripts, in which marks and the like are frequent."""
    special = "aA1.,:;'\"_ \u200d\u0301\u0307IJΣσא' \t\r!?"
    letters = [draw.choice(special) if draw.random() < 0.4 else chr(draw.choice(draw.choice(groups))) for _ in range(draw.randint(1, 14))]
    return "".join(letters)


@pytest.mark.parametrize("name", WAYS)
def test_random_texts(binary: str, tmp_path: Path, name: str) -> None:
    """``W2V_FUZZ=100000`` cuts so many texts, and ``W2V_SEED`` draws others."""
    keys = np.zeros(0x110000, np.int64)
    for of in ("category", "words", "graphemes", "sentences", "sigma", "forms"):
        keys = keys * 256 + characters._property(of)
    keys[0xD800:0xE000] = keys[10] = -1
    _, group = np.unique(keys, return_inverse=True)
    order = np.argsort(group, kind="stable")
    groups = [some.tolist() for some in np.split(order, np.cumsum(np.bincount(group))[:-1]) if keys[some[0]] >= 0]
    draw = random.Random(f"{os.environ.get('W2V_SEED', '1')} {name}")
    texts = ["x" + drawn(draw, groups) for _ in range(int(os.environ.get("W2V_FUZZ", "1000")))]
    pipeline = Pipeline(recorded(WAYS[name]))
    if WAYS[name].get("lowercase") in ("lt", "tr"):  # the marks of an I may end a Greek word here, and there not
        texts = [text.replace("Σ", "σ") for text in texts]
    cut: List[Tuple[str, List[str]]] = []
    for text in texts:
        tokens = pipeline.cut(text)
        if tokens is not None and not any(_BLANK.search(token) for token in tokens):
            cut.append((text, tokens))
    assert len(cut) > len(texts) * 0.5
    want = iter(program_cuts(binary, tmp_path, flags_of(WAYS[name]), [text for text, _ in cut]))
    for text, tokens in cut:
        assert tokens == [next(want, None) for _ in tokens], ascii(text)
    assert list(want) == []


@pytest.mark.parametrize("flags", [["--normalize=nfc"], ["--normalize=nfkc"], ["--normalize=nfkc", "--strip-accents"]])
def test_normal_forms_of_all_characters(binary: str, tmp_path: Path, flags: List[str]) -> None:
    """Python's Unicode has the program's normal forms of all characters that the package lets it normalise."""
    all_points = [c for c in range(0x21, 0x110000) if not 0xD800 <= c < 0xE000]
    forms, kinds = characters._property("forms"), characters._property("category")
    changing = [
        chr(c)
        for c in all_points
        if forms[c] or unicodedata.decomposition(chr(c)) or unicodedata.combining(chr(c)) or (not kinds[c]) != (unicodedata.category(chr(c)) == "Cn")
    ]
    pipeline = Pipeline({"normalize": flags[0][12:], "strip_accents": len(flags) > 1})
    cut = [(word, pipeline.cut(word)) for c in changing for word in (f"x{c}", f"a{c}\u0301b", f"xa\u0301{c}")]
    known = [(word, tokens) for word, tokens in cut if tokens is not None]
    assert len(known) > len(cut) * 0.7 and len(changing) > 10_000
    assert [t for _, tokens in known for t in tokens] == program_cuts(binary, tmp_path, flags, [word for word, _ in known])


PHRASES = ["bank of england is in new york city", "a bank of england", "new york city", "the baker bakes in new york", "salt and pepper"]
SEQUENCES = ["ACGTACGTTGCA", "acgtnnacguuu", "TTTTGGGG", "AC-GT", "AACCGGTT"]

#: Models: the text of each, the flags of training, and texts that are asked for.
MODELS: Dict[str, Tuple[str, List[str], List[str]]] = {
    way: ("\n".join(text for text in TEXTS if not odd(text)) * 2, flags_of(WAYS[way]), TEXTS) for way in WAYS
}
for _passes in ("1", "2"):
    MODELS[f"phrases, {_passes}"] = (
        "\n".join(PHRASES * 20),
        ["--phrases", "--phrase-threshold=0.1", f"--phrase-passes={_passes}", "--phrase-connectors=of,and", "--lowercase", "--tokenizer=unicode"],
        ["New York City", "bank of England, in New York", "new of york", "of bank of", "salt and and pepper", "pepper and salt"],
    )
_records = "".join(f">{i}\n{sequence}\n" for i, sequence in enumerate(SEQUENCES * 3))
_kmers: Dict[str, List[str]] = {
    "k-mers": [], "canonical": ["--canonical"], "protein": ["--alphabet=protein"], "strides": ["--stride=2", "--join"],
}  # fmt: skip
for _name, _flags in _kmers.items():
    _text = _records.replace("u", "c") if _name == "protein" else _records
    MODELS[_name] = (_text, ["--kmers=3", *_flags], [s for s in SEQUENCES if "u" not in s or _name != "protein"] + ["ac"])
for _file in ("bpe", "unigram", "wordlevel", "wordpiece"):
    MODELS[_file] = ("\n".join(TEXTS[:13] * 2), [f"--tokenizer={ROOT / 'testdata' / 'tokenizers' / (_file + '.json')}"], TEXTS)
MODELS["JSON"] = ("\n".join('{"a": {"b": "The new new café"}}' for _ in range(9)), ["--json-field=a.b", "--lowercase", "--strip-accents"], ["CAFE new", '{"a": 1}'])
MODELS["groups"] = ("\n".join(f"{i % 7}\tItem {i % 5}" for i in range(99)), ["--text-column=2", "--group-by=1", "--lowercase"], ["Item 1", "item 9"])


@pytest.fixture(scope="module")
def trained(binary: str, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    folder = tmp_path_factory.mktemp("pipelines")

    def train(name: str) -> Path:
        path = folder / f"{name.replace(' ', '-')}.w2v"
        if not path.exists():
            text, flags, _ = MODELS[name]
            corpus = folder / ("text.fa" if text.startswith(">") else "text.tsv" if name == "groups" else "text.txt")
            corpus.write_text(text, encoding="utf-8")
            usual = ["--dim=8", "--epochs=1", "--min-count=1", "--sample=0", "--threads=1"]
            subprocess.run([binary, "train", str(corpus), "-o", str(path), *usual, *flags], check=True, capture_output=True)
        return path

    return train


@pytest.mark.parametrize("pooling", [None, "mean", "weighted", "sif", "dbow"])
@pytest.mark.parametrize("name", MODELS)
def test_vectors_are_those_of_the_program(binary: str, trained: Callable[[str], Path], name: str, pooling: Optional[str]) -> None:
    path, texts = trained(name), MODELS[name][2]
    model = w2v.load(path)
    lines = b"".join(text.encode("utf-8", "surrogateescape" if "\ud800" not in text else "surrogatepass") + b"\n" for text in texts)
    want = objects(binary, "sentence", *([f"--pooling={pooling}"] if pooling else []), str(path), stdin=lines)
    if pooling == "dbow" and name in ("unigram", "wordpiece"):  # one epoch has not changed their context vectors, which are zeros
        assert not want
        with pytest.raises(w2v.Error):
            model.embed(texts, pooling)
        return
    assert len(want) == len(texts)
    expected = [line["vector"] or [0] * 8 for line in want]
    np.testing.assert_allclose(model.embed(texts, pooling), expected, rtol=0, atol=1e-6)
    by_tokens = [(model._pipeline.cut(text), line) for text, line in zip(texts, want)]
    assert all(tokens is None or len(tokens) == line["tokens"] for tokens, line in by_tokens)
    assert pooling is not None or any(line["used"] for line in want)


def test_paragraph_vectors_need_negatives() -> None:
    model = w2v.train([["a", "b", "c"]] * 50, loss="softmax", vector_size=4, sample=0)
    with pytest.raises(w2v.Error, match="trained without them, with the loss softmax"):
        model.embed(["a b"], "dbow")


ASKED = {
    "Turkish": ["İSTANBUL", "IŞIK", "ışık", "ISTANBUL"],
    "no variants and accents": ["CAFÉ", "Noël", "ｆｕｌｌ", "ÖDÜN", "ﬁ"],
    "zeros": ["1987", "2024", "3.14"],
    "phrases, 2": ["new york", "New York", "new york city", "bank of england", "new_york", "new bank"],
    "canonical": ["TTT", "AAA", "ttt", "acg", "CGT", "TTTT", "XYZ"],
    "k-mers": ["acg", "ACG", "UUU", "AC", "A C G"],
    "lists": ["ITEM TWO", "Three"],
    "white space": ["THE", "the", "loaves"],
    "bpe": ["the", "The", "THE", "a b", "zzz", "King"],
    "unigram": ["the", "The", "THE", "a b", "King"],
    "wordpiece": ["the", "The", "THE", "a b", "King"],
}


@pytest.mark.parametrize("name", ASKED)
def test_words_that_are_asked_for(binary: str, trained: Callable[[str], Path], name: str) -> None:
    model, path = w2v.load(trained(name)), trained(name)
    for word in ASKED[name]:
        want = vectors(binary, path, [word]).get(word)
        got = model.get(word)
        assert (got is None) == (want is None), word
        if got is not None and want is not None:
            np.testing.assert_allclose(got, want, rtol=0, atol=1e-6, err_msg=word)
    exact = w2v.load(path, ignore_case=False)
    for word in ASKED[name]:
        assert (word in exact) == (word in exact.key_to_index)


def test_what_was_recorded_is_checked(trained: Callable[[str], Path]) -> None:
    refused: List[Tuple[Dict[str, Any], str]] = [
        ({"tokenizer": "sounds"}, "tokenizer 'sounds'"),
        ({"normalize": "nfx"}, "normalize 'nfx'"),
        ({"lowercase_language": "xx"}, "'xx'"),
        ({"kmers": 5000}, "k-mers"),
        ({"kmers": "3"}, "whole number, found '3'"),
        ({"text_characters": -1}, "whole number, found -1"),
        ({"kmers": 3, "kmer_alphabet": "protein", "kmer_canonical": True}, "k-mers"),
    ]
    for facts, message in refused:
        with pytest.raises(w2v.Error, match=message):
            Pipeline(facts)
    table = b"w2v-phrases-1\t1\t1\t_\nnew_york\tnew\tyork\t9\t12.5\n"
    sum_of = "sha256:6ba46eb73b4bfd48c2ed6dcbc9d7a0a4a3ee2ccb7eb0d7a1ca2e5d39d5a1f1b7"
    with pytest.raises(w2v.Error, match="table of phrases is damaged"):
        Pipeline({"phrase_table": sum_of}, table)
    model = w2v.load(trained("canonical"))
    with pytest.raises(w2v.Error, match="line 2: 'E' is not a letter of a sequence of dna"):
        model.embed(["HELLO"])


def test_the_beginning_of_a_text() -> None:
    pipeline = Pipeline({"text_characters": 8})
    assert pipeline.cut("Straße und") == ["Straße", "u"] and pipeline.word("Straße") == "Straße"
    assert Pipeline({"text_tokens": 2}).cut("a b\nc") == ["a", "b"]
    limited = Pipeline({"text_tokens": 2}, known=lambda token: token == "well")
    assert limited.cut("well-known end. it") == ["well", "known", "end"]


@pytest.mark.parametrize("kind", ["bpe", "unigram", "wordlevel", "wordpiece"])
@pytest.mark.parametrize("format", ["model2vec", "sentence-transformers"])
def test_folders_with_a_tokenizer(binary: str, trained: Callable[[str], Path], tmp_path: Path, kind: str, format: str) -> None:
    folder, texts = tmp_path / "folder", [text for text in TEXTS if not odd(text)]
    subprocess.run([binary, "convert", str(trained(kind)), str(folder), f"--to={format}"], check=True, capture_output=True)
    lines = "".join(text + "\n" for text in texts).encode()
    want = [line["vector"] or [0] * 8 for line in objects(binary, "sentence", str(folder), stdin=lines)]
    np.testing.assert_allclose(w2v.load(folder).embed(texts), want, rtol=0, atol=1e-6)


def test_what_a_model_records_of_its_texts(trained: Callable[[str], Path]) -> None:
    model = w2v.load(trained("words"))
    model._training.update(pooling="mean", text_limit=2, text_norm=True)
    mean = (model["the"].astype(np.float64) + model["baker"]) / 2
    np.testing.assert_allclose(model.embed("The unseen baker"), model["the"] / np.linalg.norm(model["the"]), atol=1e-6)
    np.testing.assert_allclose(model.embed("The baker bakes"), mean / np.linalg.norm(mean), atol=1e-6)
    assert not model.embed("unseen").any()
    for name, value in {"pooling": "max", "unknown": "keep", "text_limit": "2", "smoothing": "a"}.items():
        model._training = {**w2v.load(trained("words"))._training, name: value}
        with pytest.raises(w2v.Error, match=f"not known to this version: .*{value}"):
            model.embed("the")


def test_lines_of_a_text_are_sentences(binary: str, trained: Callable[[str], Path]) -> None:
    model = w2v.load(trained("phrases, 1"))
    joined, apart = model._pipeline.cut("bread in new york"), model._pipeline.cut("bread in\nnew york")
    assert joined == ["bread", "in_new", "york"] and apart == ["bread", "in", "new_york"]
    text = "the new car\nthe old car"
    (line,) = objects(binary, "sentence", "--json-field=.", str(trained("bpe")), stdin=json.dumps(text).encode() + b"\n")
    np.testing.assert_allclose(w2v.load(trained("bpe")).embed(text), line["vector"], rtol=0, atol=1e-6)
