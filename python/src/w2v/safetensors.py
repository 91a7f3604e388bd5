"""The container of safetensors files: named arrays behind a header in JSON.

A file is 8 bytes with the length of the header, little-endian, the header, and the arrays without
holes between them. Files are not trusted: every number of the header is compared with the bytes that
are there before anything is made of it.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Dict, List, Optional, Tuple

import numpy as np
from numpy.typing import NDArray

from .errors import Error

__all__ = ["LENGTH_SIZE", "MAX_HEADER", "Bytes", "Tensor", "integer", "parse", "starts_like_one", "view"]

Bytes = NDArray[np.uint8]

LENGTH_SIZE = 8
"""The size of the length of the header, which begins a file."""

MAX_HEADER = 100_000_000
"""The longest header that safetensors allows, in bytes."""

_ITEM_SIZES = {
    "BOOL": 1, "U8": 1, "I8": 1, "F8_E4M3": 1, "F8_E5M2": 1,
    "U16": 2, "I16": 2, "F16": 2, "BF16": 2,
    "U32": 4, "I32": 4, "F32": 4,
    "U64": 8, "I64": 8, "F64": 8,
}  # fmt: skip

_NUMPY = {
    "F32": "<f4", "F16": "<f2", "BF16": "<u2", "U64": "<u8",
    "U32": "<u4", "I32": "<i4", "U8": "u1", "I8": "i1",
}  # fmt: skip


@dataclass(frozen=True)
class Tensor:
    """Where an array lies in a file, in bytes after the header, and what it is made of."""

    name: str
    dtype: str
    shape: Tuple[int, ...]
    begin: int
    end: int


def starts_like_one(head: bytes) -> bool:
    """Tell whether the first bytes of a file are a length and the beginning of a JSON object."""
    return (
        len(head) > LENGTH_SIZE
        and head[LENGTH_SIZE : LENGTH_SIZE + 1] == b"{"
        and int.from_bytes(head[:LENGTH_SIZE], "little") <= MAX_HEADER
    )


def parse(data: Bytes) -> Tuple[Dict[str, Tensor], Dict[str, str], int]:
    """Return the tensors of a file, its metadata, and where its arrays begin."""
    if len(data) < LENGTH_SIZE:
        raise Error(f"the file has {len(data)} bytes, and the length of its header alone has {LENGTH_SIZE}")
    length = int.from_bytes(data[:LENGTH_SIZE].tobytes(), "little")
    begin = LENGTH_SIZE + length
    if length > MAX_HEADER or begin > len(data):
        said = f"the header is said to have {length} bytes, and the file has {len(data)}"
        raise Error(f"{said}: it is cut off or damaged")
    header = _objects(data[LENGTH_SIZE:begin].tobytes())
    metadata: Dict[str, str] = {}
    tensors: List[Tensor] = []
    for name, value in header:
        if name == "__metadata__":
            metadata = _metadata(value)
        else:
            tensors.append(_tensor(name, value))
    tensors.sort(key=lambda t: (t.begin, t.end, t.name))
    end = 0
    for tensor in tensors:
        if tensor.begin != end:
            begins = f"begins at byte {tensor.begin} of the data"
            raise Error(f"header: tensor {_short(tensor.name)} {begins}, expected {end}")
        end = tensor.end
    if end != len(data) - begin:
        said = f"the header says that {end} bytes follow it, and there are {len(data) - begin}"
        raise Error(f"{said}: the file is cut off or damaged")
    return {tensor.name: tensor for tensor in tensors}, metadata, begin


def view(data: Bytes, begin: int, tensor: Tensor) -> NDArray[Any]:
    """Return a tensor of a parsed file, without a copy. BF16 is returned as the integers of its bits."""
    bytes_ = data[begin + tensor.begin : begin + tensor.end]
    dtype = np.dtype(_NUMPY[tensor.dtype])
    if bytes_.ctypes.data % dtype.itemsize and len(bytes_):
        bytes_ = bytes_.copy()  # another program has written the file, without alignment
    array = bytes_.view(dtype).reshape(tensor.shape)
    array.flags.writeable = False
    return array


def _objects(text: bytes) -> List[Tuple[str, Any]]:
    """Return the names and values of the header."""
    try:
        header = json.loads(
            text.decode("utf-8"), object_pairs_hook=_Pairs, parse_int=integer, parse_constant=_no_constant
        )
    except (ValueError, RecursionError) as error:
        raise Error(f"header: no valid JSON: {str(error)[:80]}") from None
    if not isinstance(header, _Pairs):
        raise Error("header: expected a JSON object")
    return header.unique()


class _Pairs(List[Tuple[str, Any]]):
    """The names and values of an object of JSON, in which a name may stand twice."""

    def unique(self) -> List[Tuple[str, Any]]:
        seen = set()
        for name, _ in self:
            if name in seen:
                raise Error(f"header: {_short(name)} stands there twice")
            seen.add(name)
        return self


def integer(digits: str) -> int:
    """Return a number of a header. Very many digits would take very long, and are an error."""
    if len(digits) > 20:
        raise ValueError(f"a number of {len(digits)} digits")
    return int(digits)


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not a number")


def _metadata(value: Any) -> Dict[str, str]:
    if not isinstance(value, _Pairs) or not all(isinstance(text, str) for _, text in value):
        raise Error("header: metadata: expected an object of strings")
    return dict(value.unique())


def _tensor(name: str, value: Any) -> Tensor:
    where = f"header: tensor {_short(name)}"
    info = dict(value.unique()) if isinstance(value, _Pairs) else {}
    dtype, shape, offsets = info.get("dtype"), _sizes(info.get("shape")), _sizes(info.get("data_offsets"))
    if not isinstance(dtype, str) or shape is None or offsets is None or len(offsets) != 2:
        raise Error(f"{where}: expected a dtype, a shape and two data_offsets")
    begin, end = offsets
    if end < begin:
        raise Error(f"{where}: data_offsets {begin} and {end} are not a range")
    if dtype in _ITEM_SIZES:
        size = _ITEM_SIZES[dtype]
        for n in shape:
            size *= n
        if size != end - begin:
            takes = f"{dtype} of shape {_short(list(shape))} takes {size} bytes"
            raise Error(f"{where}: {takes}, data_offsets give it {end - begin}")
    return Tensor(name, dtype, shape, begin, end)


def _sizes(value: Any) -> Optional[Tuple[int, ...]]:
    """Return a list of sizes, None if the value is something else."""
    if not isinstance(value, list) or isinstance(value, _Pairs) or len(value) > 32:
        return None
    return tuple(value) if all(type(n) is int and 0 <= n < 1 << 63 for n in value) else None


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "…"
