"""Texts as people have them: in tables, rows, and files of them."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List, NamedTuple, Optional

import numpy as np
import pytest

import w2v
from conftest import ROOT
from w2v.columns import names_of

TEXTS = ["to be or not to be", "that is the question", "to die to sleep"] * 20
ROWS = [{"id": i, "text": text} for i, text in enumerate(TEXTS)]
SMALL: Dict[str, Any] = {"vector_size": 4, "sample": 0, "epochs": 1, "workers": 1}


class Row(NamedTuple):
    id: int
    text: str


class ArrowArray:
    """What is used of pyarrow.Array: it iterates over scalars, which are no texts."""

    def __init__(self, values: List[Any]) -> None:
        self.values = values

    def __len__(self) -> int:
        return len(self.values)

    def __iter__(self) -> Iterator[Any]:
        return iter([object() for _ in self.values])

    def slice(self, offset: int = 0, length: Optional[int] = None) -> "ArrowArray":
        return ArrowArray(self.values[offset:][:length])

    def to_pylist(self) -> List[Any]:
        assert len(self.values) <= 1 << 12, "a column is never all in Python"
        return self.values


class ArrowChunks(ArrowArray):
    """pyarrow.ChunkedArray."""

    @property
    def chunks(self) -> List[ArrowArray]:
        return [ArrowArray(self.values[:7]), ArrowArray(self.values[7:])]


class ArrowTable:
    """pyarrow.Table, of two batches."""

    column_names = ["id", "text"]

    @property
    def columns(self) -> List[ArrowChunks]:
        return [self.column(name) for name in self.column_names]

    def column(self, name: str) -> ArrowChunks:
        return ArrowChunks([row[name] for row in ROWS])

    def to_batches(self) -> List["ArrowBatch"]:
        return [ArrowBatch(ROWS[:31]), ArrowBatch(ROWS[31:])]


class ArrowBatch:
    """pyarrow.RecordBatch."""

    class schema:  # noqa: N801
        names = ["id", "text"]

    def __init__(self, rows: List[Dict[str, Any]]) -> None:
        self.rows = rows

    def column(self, i: int) -> ArrowArray:
        return ArrowArray([row[self.schema.names[i]] for row in self.rows])


class HuggingFace:
    """datasets.Dataset: rows are dictionaries, and may be read from disk."""

    column_names: Optional[List[str]] = ["id", "text"]
    shape = (len(ROWS), 2)

    def __iter__(self) -> Iterator[Dict[str, Any]]:
        return iter(ROWS)


class Streamed(HuggingFace):
    """datasets.IterableDataset, whose columns may not be known."""

    column_names = None
    shape = None  # type: ignore[assignment]


class Polars:
    """polars.DataFrame."""

    columns = ["id", "text"]
    shape = (len(ROWS), 2)

    def __getitem__(self, name: str) -> List[Any]:
        return [row[name] for row in ROWS]


class Lazy(Polars):
    """polars.LazyFrame."""

    def __init__(self, name: str = "") -> None:
        self.name = name

    def select(self, name: str) -> "Lazy":
        return Lazy(name)

    def collect(self) -> Dict[str, List[Any]]:
        return {self.name: self[self.name]}


def a_frame() -> Any:
    return pytest.importorskip("pandas").DataFrame(ROWS)


TABLES: Dict[str, Callable[[], Any]] = {
    "arrow": ArrowTable, "hugging face": HuggingFace, "streamed": Streamed, "polars": Polars, "lazy": Lazy, "pandas": a_frame,
    "rows": lambda: ROWS, "a generator of rows": lambda: (row for row in ROWS), "named tuples": lambda: [Row(i, text) for i, text in enumerate(TEXTS)],
    "columns": lambda: {"id": [row["id"] for row in ROWS], "text": TEXTS},
}  # fmt: skip


@pytest.mark.parametrize("name", TABLES)
def test_the_column_of_a_table(name: str) -> None:
    expected = w2v.train(TEXTS, **SMALL)
    model = w2v.train(TABLES[name](), text="text", **SMALL)
    assert model.words == expected.words
    np.testing.assert_array_equal(model.vectors, expected.vectors)


def test_columns_are_iterables(models: Callable[[str], Path]) -> None:
    expected = w2v.train(TEXTS, **SMALL)
    for column in (ArrowArray(TEXTS), ArrowChunks(TEXTS)):
        np.testing.assert_array_equal(w2v.train(column, **SMALL).vectors, expected.vectors)
    tokens = [text.split() for text in TEXTS]
    np.testing.assert_array_equal(w2v.train([{"t": one} for one in tokens], text="t", **SMALL).vectors, expected.vectors)
    np.testing.assert_array_equal(w2v.train(list(enumerate(TEXTS)), text=1, **SMALL).vectors, expected.vectors)
    np.testing.assert_array_equal(expected.embed(ArrowChunks(TEXTS)), expected.embed(TEXTS))
    held = w2v.train(ArrowTable(), text="text", validate=ROWS[:9], **SMALL)
    assert held.training is not None and held.training["evaluations"]
    classifier = w2v.Classifier(dim=4, epochs=2).fit(ArrowArray(["a", "b"] * 9), ArrowArray(["x", "y"] * 9))
    assert len(classifier.predict(ArrowArray(["a", "b"]))) == 2


def test_the_column_of_files(tmp_path: Path) -> None:
    expected = w2v.train(TEXTS, **SMALL)
    files = {
        "a.csv": "id,text\n" + "".join(f"{i},{text}\n" for i, text in enumerate(TEXTS)),
        "a.tsv": "id\ttext\n" + "".join(f"{i}\t{text}\n" for i, text in enumerate(TEXTS)),
        "a.jsonl": "".join(json.dumps(row) + "\n" for row in ROWS),
    }
    for name, content in files.items():
        (tmp_path / name).write_text(content, encoding="utf-8")
        (tmp_path / f"{name}.gz").write_bytes(gzip.compress(content.encode()))
        for path in (tmp_path / name, tmp_path / f"{name}.gz"):
            np.testing.assert_array_equal(w2v.train(path, text="text", **SMALL).vectors, expected.vectors)
    model = w2v.train(paths=[ROOT / "testdata" / "parquet" / "duckdb-v2.parquet"], text="body", min_count=1, vector_size=4)
    assert len(model) > 2
    with pytest.raises(TypeError, match="of both kinds"):
        w2v.train(paths=[tmp_path / "a.csv", tmp_path / "a.jsonl"], text="text")
    with pytest.raises(w2v.UsageError, match="text= and text_column= both say"):
        w2v.train(tmp_path / "a.csv", text="text", text_column=2)
    with pytest.raises(w2v.Error, match="no column"):
        w2v.train(tmp_path / "a.csv", text="txt")


@pytest.mark.parametrize(
    ("sentences", "text", "message"),
    [
        (ArrowTable(), None, "sentences is a table: give one of its columns, such as text='text'"),
        (HuggingFace(), None, "sentences is a table: give one of its columns, such as text='text'"),
        (Streamed(), None, "sentences is a table: give one of its columns, such as text='text'"),
        ({"train": HuggingFace(), "test": HuggingFace()}, None, "sentences is a dictionary of tables: give one of them, such as sentences['train']"),
        ({"train": HuggingFace(), "test": HuggingFace()}, "text", "sentences is a dictionary that has no column 'text': its columns are 'train', 'test'"),
        (ArrowTable(), "txt", "sentences is a table that has no column 'txt': its columns are 'id', 'text'"),
        (ROWS, "txt", "row 0 of sentences has no field 'txt': its fields are 'id', 'text'"),
        ([Row(1, "a")], "txt", "row 0 of sentences has no field 'txt': its fields are 'id', 'text'"),
        ([("a", "b")], 2, "row 0 of sentences has 2 items, and none of the number 2"),
        (TEXTS, "text", "row 0 of sentences is of type str, which has no field 'text': text= is for tables and rows; leave it out where each item is a text or a list of tokens"),
        ([{"text": None}], "text", "sentence 0 is missing, None: leave such rows out, as with table.dropna(subset=['text']), or make them empty, as with column.fillna('')"),
        ([1, 2], None, "sentence 0 is 1, of type int, and must be a text or a list of tokens"),
    ],
)  # fmt: skip
def test_other_shapes_are_refused(sentences: Any, text: Any, message: str) -> None:
    with pytest.raises(TypeError) as raised:
        w2v.train(sentences, text=text, **SMALL)
    assert str(raised.value) == message


def test_odd_tables_of_pandas() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(ROWS)
    several = pandas.DataFrame({("a", "text"): TEXTS, ("b", "n"): 1})
    numbered = pandas.DataFrame(list(enumerate(TEXTS)))
    expected = w2v.train(TEXTS, **SMALL)
    for table, text in [(several, ("a", "text")), (numbered, 1), (frame.itertuples(), "text")]:  # type: Any, Any
        np.testing.assert_array_equal(w2v.train(table, text=text, **SMALL).vectors, expected.vectors)
    twice = pandas.DataFrame([[text, text] for text in TEXTS], columns=["text", "text"])
    missing = frame.copy()
    missing.loc[2, "text"] = None
    pair = "is a pair with a Series of pandas, as iterrows"
    for table, text, message in [
        (twice, "text", "sentences is a table that has 2 columns 'text': rename them, or give one of them, such as sentences.iloc[:, 0]"),
        (several, None, "such as text=('a', 'text')"),
        (several, "text", "has no column 'text': its columns are ('a', 'text'), ('b', 'n')"),
        (numbered, None, "such as text=0"),
        (missing, "text", "sentence 2 is missing, None: leave such rows out, as with table.dropna(subset=['text'])"),
        (frame.iterrows(), "text", f"row 0 of sentences {pair}() gives: give the table itself, with text='text'"),
        (frame.iterrows(), None, f"sentence 0 {pair}() and items() give: give one column of the table itself, such as table['text']"),
    ]:
        with pytest.raises(TypeError, match=re.escape(message)):
            w2v.train(table, text=text, **SMALL)
    with pytest.raises(TypeError, match=pair):
        expected.embed(frame.iterrows())
    with pytest.raises(TypeError, match=f"item 0 of X {pair}"):
        w2v.Classifier().fit(frame.iterrows())


def test_a_text_is_no_path() -> None:
    with pytest.raises(FileNotFoundError) as raised:
        w2v.train("to be or not to be")
    assert str(raised.value) == "'to be or not to be' is no file: a str alone is the path of a file, and a text is given in a list, [text]"
    spent = iter(TEXTS)
    w2v.train(spent, **SMALL)
    with pytest.raises(ValueError, match="^sentences is empty: it is an iterator, which gives what it has once, and may be used up$"):
        w2v.train(spent, **SMALL)


def test_what_is_a_table() -> None:
    assert names_of([]) is None and names_of({}) is None and names_of(np.zeros(3)) is None
    assert names_of(Streamed()) == [] and names_of(ArrowTable()) == ["id", "text"]
    pandas = pytest.importorskip("pandas")
    assert names_of(pandas.DataFrame({"a": []})) == ["a"] and names_of(pandas.Series(["a"])) is None
