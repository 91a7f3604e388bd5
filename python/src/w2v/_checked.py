"""Arguments of the wrong type, refused in words that name them."""

from __future__ import annotations

import difflib
import operator
import os
from typing import Any, Iterable

__all__ = ["is_missing", "is_row_of_pandas", "nearest_name", "not_a_text", "path_of", "shown", "whole"]

_MISSING = ("nan", "<NA>", "NaT")  # how numpy and pandas write a value that is missing
LEFT_OUT = "leave such rows out, as with table.dropna(subset=['text']), or make them empty, as with column.fillna('')"
ONE_COLUMN = "a pair with a Series of pandas, as iterrows() and items() give: give one column of the table itself, such as table['text']"


def shown(value: Any) -> str:
    """Return a value as an error shows it."""
    scalar = getattr(value, "item", None)  # of numpy, which shows its type too since numpy 2
    text = repr(scalar() if callable(scalar) and getattr(value, "shape", None) == () else value)
    return text if len(text) <= 60 else text[:57] + "…"


def is_missing(value: Any) -> bool:
    """Tell whether a value is what numpy and pandas have where there is none."""
    return value is None or type(value).__name__ in ("float", "float64", "NAType", "NaTType") and str(value) in _MISSING


def is_row_of_pandas(value: Any) -> bool:
    """Tell whether a value is what iterrows() of a DataFrame gives."""
    return isinstance(value, tuple) and len(value) == 2 and hasattr(value[1], "iloc")


def not_a_text(value: Any, where: str, must: str = "must be a text") -> TypeError:
    """Return the error of what is in the place of a text."""
    if is_missing(value):
        return TypeError(f"{where} is missing, {shown(value)}: {LEFT_OUT}")
    if is_row_of_pandas(value):
        return TypeError(f"{where} is {ONE_COLUMN}")
    return TypeError(f"{where} is {shown(value)}, of type {type(value).__name__}, and {must}")


def whole(value: Any, name: str) -> int:
    """Return a whole number, or refuse what is none."""
    try:
        return operator.index(value)
    except TypeError:
        raise TypeError(f"{name} is {shown(value)}, of type {type(value).__name__}, and must be a whole number") from None


def path_of(value: Any, name: str = "path") -> str:
    """Return a path as a str, or refuse what is none."""
    found = os.fspath(value) if isinstance(value, (str, os.PathLike)) else value
    if isinstance(found, str):
        return found
    raise TypeError(f"{name} is {shown(value)}, of type {type(value).__name__}, and must be a path: a str, or one of pathlib")


def nearest_name(name: str, names: Iterable[str]) -> str:
    """Return a question for the name that was meant, to follow an error; empty if none is near."""
    near = [] if name.startswith("_") else difflib.get_close_matches(name, [of for of in names if not of.startswith("_")], 1, 0.75)
    return f". Did you mean {near[0]}?" if near else ""
