"""Texts in tables: columns of pandas, polars, Arrow and Hugging Face, and fields of rows.

None of these libraries is imported: tables are known by their methods.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Dict, Iterable, Iterator, List, Optional, Sequence, Tuple, Union

from ._checked import is_row_of_pandas

if TYPE_CHECKING:
    from typing_extensions import Protocol

    class _WithColumns(Protocol):
        """A table of pandas, polars or Arrow."""

        @property
        def columns(self) -> Any: ...

    class _WithNames(Protocol):
        """A data set of Hugging Face."""

        @property
        def column_names(self) -> Any: ...

    #: What has texts in a column or in fields.
    Table = Union[_WithColumns, _WithNames, Iterable[Mapping[str, Any]], Iterable[Tuple[Any, ...]], Mapping[str, Any]]

__all__ = ["Column", "column_of", "flags_of_files", "names_of", "plain"]

#: The name of a column or a field, a tuple in a MultiIndex of pandas, or its number in rows that are tuples.
Column = Union[int, str, Tuple[Any, ...]]

_TOGETHER = 1 << 12  # values of an Arrow array that are at a time in Python
_LINES = (".jsonl", ".ndjson", ".json")


def names_of(table: Any) -> Optional[List[Any]]:
    """Return the names of the columns of a table; None for what is no table."""
    names = getattr(table, "column_names", None)
    if names is None and hasattr(table, "to_batches"):
        names = getattr(getattr(table, "schema", None), "names", None)
    if names is None and not hasattr(table, "column_names"):
        names = getattr(table, "columns", None)
        if names is None:
            return None
    return list(names) if names is not None and not callable(names) else []


def plain(values: Any) -> Any:
    """Return values to iterate over: those of an Arrow array as Python has them, and others as they are."""
    return _of_arrow(getattr(values, "chunks", [values])) if hasattr(values, "to_pylist") and hasattr(values, "slice") else values


def _of_arrow(chunks: Iterable[Any]) -> Iterator[Any]:
    for chunk in chunks:
        for begin in range(0, len(chunk), _TOGETHER):
            yield from chunk.slice(begin, _TOGETHER).to_pylist()


def column_of(source: Any, column: Column, what: str) -> Any:
    """Return the texts in a column of a table, or in a field of each row of an iterable, to iterate over.

    Args:
        source: a table, a dictionary of columns, or an iterable of rows: dictionaries, named tuples or tuples.
        column: the name of the column or field; a number for tuples.
        what: the name of the argument, for errors.
    """
    names = names_of(source)
    if names:
        _check(column, names, f"{what} is a table that")
        if names.count(column) > 1:
            one = f"{what}.iloc[:, {names.index(column)}]" if hasattr(source, "iloc") else f"{what}.column({names.index(column)})"
            raise TypeError(f"{what} is a table that has {names.count(column)} columns {column!r}: rename them, or give one of them, such as {one}")
    if hasattr(source, "to_batches"):  # Arrow's tables and data sets
        batches = source.to_batches(columns=[column]) if hasattr(source, "scanner") else source.to_batches()
        return (value for batch in batches for value in plain(batch.column(list(batch.schema.names).index(column))))
    if hasattr(source, "collect") and hasattr(source, "select"):  # what polars computes when it is asked for
        return source.select(column).collect()[column]
    if isinstance(source, Mapping):
        _check(column, [*source], f"{what} is a dictionary that")
        return plain(source[column])
    if names is not None and not hasattr(source, "column_names"):
        return source[column]
    return _fields(source, column, what)  # also the rows of Hugging Face, which need not be in memory


def _check(column: Column, names: Sequence[Any], whose: str) -> None:
    if column not in names:
        raise TypeError(f"{whose} has no column {column!r}: its columns are {_listed(names)}")


def _listed(names: Sequence[Any]) -> str:
    shown = ", ".join(map(repr, names[:10]))
    return shown + (" …" if len(names) > 10 else "") if names else "none"


def _fields(rows: Iterable[Any], column: Column, what: str) -> Iterator[Any]:
    for i, row in enumerate(rows):
        if isinstance(row, Mapping):
            if column not in row:
                raise TypeError(f"row {i} of {what} has no field {column!r}: its fields are {_listed([*row])}")
            yield row[column]
        elif isinstance(column, str) and hasattr(row, "_fields"):
            if column not in row._fields:
                raise TypeError(f"row {i} of {what} has no field {column!r}: its fields are {_listed([*row._fields])}")
            yield getattr(row, column)
        elif isinstance(column, int) and isinstance(row, (tuple, list)):
            if not -len(row) <= column < len(row):
                raise TypeError(f"row {i} of {what} has {len(row)} items, and none of the number {column}")
            yield row[column]
        else:
            if is_row_of_pandas(row):
                raise TypeError(f"row {i} of {what} is a pair with a Series of pandas, as iterrows() gives: give the table itself, with text={column!r}")
            raise TypeError(
                f"row {i} of {what} is of type {type(row).__name__}, which has no field {column!r}: "
                "text= is for tables and rows; leave it out where each item is a text or a list of tokens"
            )


def flags_of_files(column: Column, files: Sequence[str]) -> Dict[str, Any]:
    """Return the settings by which the program reads a column of tables, or a field of JSON lines."""
    if isinstance(column, tuple):
        raise TypeError(f"text is {column!r}, and a column of files has a name or a number")
    lines = {_extension(file) in _LINES for file in files}
    if lines == {True}:
        return {"json_field": column}
    named = isinstance(column, str) and not column.isdigit()
    if True in lines:
        raise TypeError("text= is a field of JSON lines or a column of tables, and the files are of both kinds: train on one of them")
    return {"text_column": column, "header": True if named and any(_extension(file) in (".csv", ".tsv") for file in files) else None}


def _extension(file: str) -> str:
    """Return the extension of a file, without that of its compression."""
    name, last = os.path.splitext(file.lower())
    return os.path.splitext(name)[1] if last in (".gz", ".zst", ".bz2", ".xz") else last
