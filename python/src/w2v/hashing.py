"""The hashes by which n-grams and words have rows, of many strings at once.

Strings are given as a buffer and the places where they begin and end in it. The hashes are those of
fastText, floret and finalfusion, bit for bit, because they are part of model files.
"""

from __future__ import annotations

from typing import List, Sequence, Tuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["Places", "fasttext", "fasttext_of", "fasttext_prefixes", "fasttext_prefixes_of_points", "finalfusion", "murmur3", "murmur3_of"]

Places = NDArray[np.int64]
"""Where strings begin, or end, in a buffer."""

_MASK = (1 << 64) - 1
_C1, _C2 = 0x87C37B91114253D5, 0x4CF5AD432745937F


def fasttext(buffer: NDArray[np.uint8], begin: Places, end: Places) -> NDArray[np.uint32]:
    """Return fastText's hash of each string: 32-bit FNV-1a of its bytes with their signs extended."""
    extended = buffer.view(np.int8).astype(np.int32).view(np.uint32)
    hashes = np.full(len(begin), 2166136261, np.uint32)
    prime = np.uint32(16777619)
    lengths = end - begin
    for i in range(int(lengths.max()) if len(lengths) else 0):
        longer = np.flatnonzero(lengths > i)
        hashes[longer] = (hashes[longer] ^ extended[begin[longer] + i]) * prime
    return hashes


def fasttext_of(string: bytes) -> int:
    """Return fastText's hash of one string with its sign extended to 64 bits, as runs of words take it."""
    h = 2166136261
    for byte in string:
        h = (h ^ (byte if byte < 0x80 else byte | 0xFFFFFF00)) * 16777619 & 0xFFFFFFFF
    return h if h < 0x80000000 else h | 0xFFFFFFFF00000000


def fasttext_prefixes(strings: Sequence[bytes], shortest: int, buckets: int) -> List[int]:
    """Return fastText's hashes, modulo buckets, of the prefixes of strings in ASCII, from a shortest one on, in plain Python."""
    found = []
    for string in strings:
        h, length = 2166136261, 0
        for byte in string:
            h = (h ^ byte) * 16777619 & 0xFFFFFFFF
            length += 1
            if length >= shortest:
                found.append(h % buckets)
    return found


def fasttext_prefixes_of_points(strings: Sequence[Sequence[bytes]], shortest: int, buckets: int) -> List[int]:
    """Do as `fasttext_prefixes` does, for strings of several code points, each with its bytes."""
    found = []
    for string in strings:
        h, length = 2166136261, 0
        for point in string:
            for byte in point:
                h = (h ^ (byte if byte < 0x80 else byte | 0xFFFFFF00)) * 16777619 & 0xFFFFFFFF
            length += 1
            if length >= shortest:
                found.append(h % buckets)
    return found


def finalfusion(codes: NDArray[np.uint32], begin: Places, end: Places) -> NDArray[np.uint64]:
    """Return finalfusion's hash of strings of code points: 64-bit FNV-1a of their number and of each."""
    lengths = end - begin
    hashes = np.full(len(begin), 0xCBF29CE484222325, np.uint64)
    _fnv64(hashes, slice(None), lengths.astype(np.uint64), 8)
    for i in range(int(lengths.max()) if len(lengths) else 0):
        longer = np.flatnonzero(lengths > i)
        _fnv64(hashes, longer, codes[begin[longer] + i].astype(np.uint64), 4)
    return hashes


def _fnv64(
    hashes: NDArray[np.uint64], which: "NDArray[np.int64] | slice", numbers: NDArray[np.uint64], size: int
) -> None:
    h, prime = hashes[which], np.uint64(0x100000001B3)
    for i in range(size):
        h = (h ^ ((numbers >> np.uint64(8 * i)) & np.uint64(0xFF))) * prime
    hashes[which] = h


def murmur3(
    buffer: NDArray[np.uint8], begin: Places, end: Places, seed: int
) -> Tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """Return the two halves of MurmurHash3_x64_128 of each string."""
    lengths = end - begin
    h1 = np.full(len(begin), seed, np.uint64)
    h2 = h1.copy()
    for block in range(int(lengths.max()) // 16 if len(lengths) else 0):
        long = np.flatnonzero(lengths >= 16 * (block + 1))
        k = _words64(buffer, begin[long] + 16 * block, 16 + 0 * long)
        a, b = h1[long], h2[long]
        a = (_rotl(a ^ _mix1(k[:, 0]), 27) + b) * np.uint64(5) + np.uint64(0x52DCE729)
        b = (_rotl(b ^ _mix2(k[:, 1]), 31) + a) * np.uint64(5) + np.uint64(0x38495AB5)
        h1[long], h2[long] = a, b
    k = _words64(buffer, begin + lengths // 16 * 16, lengths % 16)
    h2 ^= _mix2(k[:, 1])  # mixing zeros changes nothing, so a tail of any length is a padded block
    h1 ^= _mix1(k[:, 0])
    h1 ^= lengths.astype(np.uint64)
    h2 ^= lengths.astype(np.uint64)
    h1 += h2
    h2 += h1
    h1, h2 = _final(h1), _final(h2)
    h1 += h2
    h2 += h1
    return h1, h2


def _words64(buffer: NDArray[np.uint8], begin: Places, lengths: Places) -> NDArray[np.uint64]:
    """Return 16 bytes of the buffer from each place on as two numbers, with zeros after the lengths."""
    steps = np.arange(16)
    inside = steps < lengths[:, None]
    places = np.where(inside, begin[:, None] + steps, 0)
    block = buffer[places] if len(buffer) else np.zeros(places.shape, np.uint8)
    return np.ascontiguousarray(np.where(inside, block, np.uint8(0))).view("<u8")


def _rotl(x: NDArray[np.uint64], by: int) -> NDArray[np.uint64]:
    return (x << np.uint64(by)) | (x >> np.uint64(64 - by))


def _mix1(k: NDArray[np.uint64]) -> NDArray[np.uint64]:
    return _rotl(k * np.uint64(_C1), 31) * np.uint64(_C2)


def _mix2(k: NDArray[np.uint64]) -> NDArray[np.uint64]:
    return _rotl(k * np.uint64(_C2), 33) * np.uint64(_C1)


def _final(k: NDArray[np.uint64]) -> NDArray[np.uint64]:
    k = (k ^ (k >> np.uint64(33))) * np.uint64(0xFF51AFD7ED558CCD)
    k = (k ^ (k >> np.uint64(33))) * np.uint64(0xC4CEB9FE1A85EC53)
    return k ^ (k >> np.uint64(33))


def murmur3_of(text: bytes, seed: int) -> Tuple[int, int]:
    """Return the two halves of MurmurHash3_x64_128 of one string, in plain Python.

    >>> [hex(half) for half in murmur3_of(b"hello", 0)]
    ['0xcbd8a7b341bd9b02', '0x5b1e906a48ae1d19']
    """
    h1 = h2 = seed
    whole = len(text) // 16 * 16
    for at in range(0, whole, 16):
        h1 = _step(h1 ^ _mixed(int.from_bytes(text[at : at + 8], "little"), _C1, 31, _C2), 27, h2, 0x52DCE729)
        h2 = _step(h2 ^ _mixed(int.from_bytes(text[at + 8 : at + 16], "little"), _C2, 33, _C1), 31, h1, 0x38495AB5)
    tail = text[whole:]
    h2 ^= _mixed(int.from_bytes(tail[8:], "little"), _C2, 33, _C1)
    h1 ^= _mixed(int.from_bytes(tail[:8], "little"), _C1, 31, _C2)
    h1 ^= len(text)
    h2 ^= len(text)
    h1 = (h1 + h2) & _MASK
    h2 = (h2 + h1) & _MASK
    h1, h2 = _finished(h1), _finished(h2)
    h1 = (h1 + h2) & _MASK
    return h1, (h2 + h1) & _MASK


def _step(h: int, by: int, other: int, add: int) -> int:
    rotated = (h << by | h >> (64 - by)) & _MASK
    return ((rotated + other) * 5 + add) & _MASK


def _mixed(k: int, first: int, by: int, second: int) -> int:
    k = k * first & _MASK
    return ((k << by | k >> (64 - by)) & _MASK) * second & _MASK


def _finished(k: int) -> int:
    k = (k ^ k >> 33) * 0xFF51AFD7ED558CCD & _MASK
    k = (k ^ k >> 33) * 0xC4CEB9FE1A85EC53 & _MASK
    return k ^ k >> 33
