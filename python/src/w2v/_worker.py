"""The program as a process that keeps a classifier open and answers questions: `w2v classify answer`.

One process belongs to a classifier. It starts with the first question, and ends with the classifier or with Python. A
forked process starts one of its own. Threads ask in turn; each question is answered on all processors.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import threading
import weakref
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Sequence, Tuple

import numpy as np
from numpy.typing import NDArray

from . import _binary
from ._child import Child, new_folder
from .errors import Error
from .scoring import Scorer
from .filed import State, done_with, settled, state_of
from .words import decoded

__all__ = ["Described", "File", "Names", "Worker"]

Question = Tuple[Dict[str, Any], bytes]


class File:
    """The file of a classifier: its content in memory, or a path where it must stay as it is."""

    def __init__(self, content: Optional[bytes] = None, path: Optional[str] = None) -> None:
        if content is None and path is not None and not os.path.exists(path):
            raise FileNotFoundError(2, os.strerror(2), path)
        self.content, self.path = content, path
        self._state: Optional[State] = settled(path) if content is None and path is not None else None

    def check(self) -> None:
        """Raise an error if the file at the path is another one by now."""
        if self.path is not None and self._state is not None and state_of(self.path) != self._state:
            raise Error(f"{self.path} was changed after it was loaded: load it again")

    def begins(self, mark: bytes) -> bool:
        """Tell whether the content begins with these bytes."""
        if self.content is not None:
            return self.content.startswith(mark)
        assert self.path is not None
        with open(self.path, "rb") as file:
            return file.read(len(mark)) == mark

    def read(self) -> bytes:
        """Return the content."""
        if self.content is not None:
            return self.content
        assert self.path is not None
        self.check()
        with open(self.path, "rb") as file:
            content = file.read()
        self.check()
        return content

    def write(self, path: str) -> None:
        """Write the content to a new file."""
        content = self.read()
        with open(path, "wb") as file:
            file.write(content)

    def done(self, command: Callable[[str], Sequence[str]]) -> "subprocess.CompletedProcess[bytes]":
        """Run a command of the path of the file to its end."""
        self.check()
        return done_with(self.path if self.content is None else None, self._state, self.write, command)


class Names(NamedTuple):
    """Words or labels, and how often each was seen, None if that is not known."""

    names: List[str]
    counts: Optional[NDArray[np.uint64]]


class Described(NamedTuple):
    """What a process says of its classifier."""

    labels: Names
    dim: int
    words: int
    quantized: bool
    training: Dict[str, Any]


def names_of(data: bytes, n: int, counted: bool) -> Names:
    """Return the names in an answer."""
    counts = np.frombuffer(data, "<u8", n)
    ends = np.cumsum(np.frombuffer(data, "<u4", n, 8 * n), dtype=np.int64).tolist()
    text, begin, names = data[12 * n :], 0, []
    for end in ends:
        names.append(decoded(text[begin:end]))
        begin = end
    return Names(names, counts if counted else None)


class Worker:
    """A process that answers questions about a classifier, started when it is needed."""

    def __init__(self, file: File) -> None:
        self._file = file
        self._lock = threading.Lock()
        self._child: Optional[Child] = None
        self._end: Optional[Callable[[], object]] = None
        self._described: Optional[Described] = None
        self._scorer: Optional[Tuple[Optional[Scorer]]] = None
        _workers.add(self)

    @property
    def running(self) -> bool:
        """Whether the process has been started, and has not ended."""
        return self._child is not None and self._child.process.poll() is None

    def scorer(self, names: Sequence[str]) -> Optional[Scorer]:
        """Return what scores texts without the process; None if nothing but the process can."""
        if self._scorer is None:
            content = self._file.content
            self._scorer = (Scorer.of(content, names) if content is not None else None,)
        return self._scorer[0]

    def described(self) -> Described:
        """Return what the classifier is."""
        if self._described is None:
            self.ask([])
        assert self._described is not None
        return self._described

    def ask(self, questions: Sequence[Question]) -> List[bytes]:
        """Return the answers. The process reads a question while it answers the one before."""
        answers = []
        with self._lock:
            try:
                child = self._started()
                for i in range(len(questions) + 1):
                    if i < len(questions):
                        head, texts = questions[i]
                        line = json.dumps({**head, "bytes": len(texts)}).encode() + b"\n"
                        self._write(child, line + texts)
                    if i > 0:
                        answers.append(self._read(child))
            except BaseException:  # also Ctrl-C: what the process says next would not be the answer to the next question
                self._drop()
                raise
        failed = next((error for error, _ in answers if error), None)
        if failed is not None:
            raise Error(failed)
        return [data for _, data in answers]

    def _started(self) -> Child:
        if self._child is not None:
            if self._child.process.poll() is None:
                return self._child
            self._drop()  # somebody else has ended it
        self._file.check()
        path, folder = self._file.path, None
        if self._file.content is not None:
            folder = new_folder()
            path = os.path.join(folder, "model")
        assert path is not None
        child = Child(
            [_binary.path(), "classify", "answer", "--", path],
            folder,
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            # In a session of its own, it does not get the terminal's Ctrl-C.
            start_new_session=os.name != "nt",
            creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
        )
        self._child = child
        self._end = weakref.finalize(self, _ended, child, os.getpid())
        if folder is not None:
            self._file.write(path)
        child.begin()
        self._read(child, self._hear)
        if folder is not None and os.name != "nt":  # what is open needs no name
            child.remove_folder()
        child.begin()
        self._file.check()
        return child

    def _hear(self, head: Dict[str, Any], data: bytes) -> None:
        about = head["model"]
        labels = names_of(data, about["labels"], about["counted"])
        self._described = Described(labels, about["dim"], about["words"], about["quantized"], about["training"])

    def _write(self, child: Child, data: bytes) -> None:
        assert child.process.stdin is not None
        view = memoryview(data)
        try:
            while view:
                view = view[child.process.stdin.write(view) :]
        except OSError:
            raise self._failure(child) from None

    def _read(self, child: Child, hear: Optional[Callable[[Dict[str, Any], bytes], None]] = None) -> Tuple[str, bytes]:
        """Return the error and the data of an answer."""
        assert child.process.stdout is not None
        read = child.process.stdout.read
        block = bytearray()
        while (end := block.find(b"\n")) < 0:
            some = read(1 << 16)
            if not some:
                raise self._failure(child)
            block += some
        head = json.loads(block[:end])
        size = head["bytes"]
        data = block[end + 1 :]
        if len(data) < size:
            whole = bytearray(size)
            at, view = len(data), memoryview(whole)
            view[:at] = data
            while at < size:
                count = child.process.stdout.readinto(view[at:])  # type: ignore[attr-defined]
                if not count:
                    raise self._failure(child)
                at += count
            data = whole
        if hear is not None:
            hear(head, bytes(data))
        return head["error"], bytes(data)

    def _failure(self, child: Child) -> Error:
        """Return why the process has ended."""
        code = child.process.wait()
        assert child.process.stderr is not None
        said = child.process.stderr.read()
        if child.folder is not None:
            said = said.replace(os.path.join(child.folder, "").encode(), b"")
        return _binary.failure(code, said)

    def _drop(self) -> None:
        """End the process."""
        if self._end is not None:
            self._end()
        self._child = self._end = None

    def close(self) -> None:
        """End the process. The next question starts another one."""
        with self._lock:
            self._drop()

    def _forget(self) -> None:
        """Forget the process in a forked one, which it does not belong to."""
        self._lock = threading.Lock()
        self._child = self._end = None


def _ended(child: Child, owner: int) -> None:
    """End a process, unless this one was forked from the process that it belongs to."""
    if os.getpid() != owner:
        return
    if child.process.stdin is not None:
        child.process.stdin.close()
    with child:
        child.process.kill()  # it has nothing to save


_workers: "weakref.WeakSet[Worker]" = weakref.WeakSet()


def _forget_all() -> None:
    for worker in list(_workers):
        worker._forget()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_all)
