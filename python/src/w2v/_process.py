"""A run of w2v train or w2v classify train as a child process: what it reads, what it says, and how it ends."""

from __future__ import annotations

import io
import json
import os
import queue
import re
import signal
import subprocess
import sys
import threading
from typing import Any, Callable, Dict, Iterator, List, Optional, Sequence

from . import _binary
from ._child import Child
from .errors import Error

Event = Dict[str, Any]

_HELP = re.compile(r" \(see w2v [a-z ]*train --help\)$")


class Run:
    """A run of a command that trains, which logs to stderr in JSON."""

    def __init__(
        self,
        args: List[str],
        *,
        fed: bool,
        folder: str,
        result: Optional[str],
        worded: Callable[[str], str],
        command: Sequence[str] = ("train",),
    ) -> None:
        """Start the program with a folder, which is made. With fed, it reads what `write` gets.

        At the end, `model` is the open file of the result, if there is to be one in the folder. What the program says
        to people is worded for those who call functions.
        """
        self._worded = worded
        self._result = result
        self._folder = os.path.join(folder, "")
        self._interrupted = False
        self.model: Optional[io.FileIO] = None
        program = [_binary.path(), *command, "--log-json=-", "--progress=never", *args]
        # In a session of its own, the program does not get the terminal's Ctrl-C. It gets
        # one SIGINT of `interrupt`, whatever else this process is doing.
        self._child = Child(
            program,
            folder,
            bufsize=0,
            stdin=subprocess.PIPE if fed else subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            start_new_session=os.name != "nt",
            creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
        )
        self._process = self._child.process
        _widen(self._process.stdin)
        self._events: "queue.SimpleQueue[Optional[Event]]" = queue.SimpleQueue()
        self._other: List[str] = []  # lines that are not events
        self._failed: Optional[str] = None
        self._ended = False
        self._reader = threading.Thread(target=self._read, name="w2v train", daemon=True)
        self._reader.start()

    def _read(self) -> None:
        stderr = self._process.stderr
        assert stderr is not None
        try:
            with os.fdopen(os.dup(stderr.fileno()), encoding="utf-8", errors="replace") as lines:
                for line in lines:
                    self._hear(line)
        finally:  # whoever waits for events must not wait for ever
            self._events.put(None)

    def _take(self) -> None:
        """Open the model in the folder, remove the folder, and let the program end, which removes it if this process ends before.

        This thread does so, because the other one may be in a callback.
        """
        if self._result is not None and os.path.exists(self._result):
            self.model = open(self._result, "rb", buffering=0)
        self._child.remove_folder()
        self._child.begin()

    def _hear(self, line: str) -> None:
        try:
            event = json.loads(line)
            for of in (event, *(event.get("remarks") or ())):
                for said in ("text", "error"):
                    if isinstance(of.get(said), str):
                        of[said] = self._say(of[said])
            if event["event"] == "failed":
                self._failed = event["error"]
        except (ValueError, KeyError, TypeError, AttributeError):
            self._other.append(line.strip())
            return
        if event["event"] == "done" and not self._interrupted:
            self._take()
        if event["event"] == "evaluation" and event.get("model") and not event["error"]:
            event["file"] = _taken(event["model"])
        self._events.put(event)

    def _say(self, text: str) -> str:
        """Return what the program says, with files in the folder as they are called there."""
        return self._worded(_HELP.sub("", text.replace(self._folder, "")))

    def begin(self) -> None:
        """Let the program begin: the files that it reads are written."""
        self._child.begin()

    def write(self, data: bytes) -> bool:
        """Give the program data to read. False if it does not read any more."""
        stdin = self._process.stdin
        assert stdin is not None
        view = memoryview(data)
        try:
            while view:
                view = view[stdin.write(view) :]
        except OSError:  # a closed pipe is EPIPE, and on Windows EINVAL
            return False
        return True

    def close(self) -> None:
        """End what the program reads."""
        if self._process.stdin is not None:
            self._process.stdin.close()

    def said(self) -> Iterator[Event]:
        """Yield what the program has said until now."""
        while not self._ended:
            try:
                event = self._events.get_nowait()
            except queue.Empty:
                return
            if event is None:
                self._ended = True
                return
            yield event

    def events(self) -> Iterator[Event]:
        """Yield what the program says until it ends."""
        while not self._ended:
            event = _interruptible(self._events)
            if event is None:
                self._ended = True
                return
            yield event

    def interrupt(self) -> None:
        """Ask the program to save what it has trained, and to end. Twice, it ends at once."""
        self._interrupted = True
        if self._process.poll() is None:
            self._process.send_signal(getattr(signal, "CTRL_BREAK_EVENT", signal.SIGINT))

    def abandon(self) -> None:
        """End the program, which leaves nothing behind."""
        self.interrupt()
        self.close()
        self.end(keep=False)

    def end(self, *, keep: bool) -> None:
        """Stop the program if it has not ended, and remove the folder unless it is to be kept."""
        if keep:
            self._child.folder = None
        if self.model is not None:
            self.model.close()
        try:
            self._child.end()
        finally:
            self.wait()

    def wait(self) -> int:
        """Wait for the end of the program, and return its exit code."""
        code = self._process.wait()
        self._reader.join()
        self.close()
        if self._process.stderr is not None:
            self._process.stderr.close()
        return code

    def failure(self, code: int) -> Error:
        """Return why the program ended with an exit code other than 0."""
        crash = _binary.crash(self._other)
        if crash is not None:
            return crash
        line = self._failed
        if line is None:
            line = self._say(next((line for line in self._other if line), ""))
        return _binary.of_line(code, line)


class _Taken(io.FileIO):
    """A file that is closed, without a warning, when nobody has it any more."""

    def __del__(self) -> None:
        self.close()


def _taken(path: str) -> io.FileIO:
    """Return an open file that has no name any more: it takes no room once nobody has it."""
    file = _Taken(path, "rb")
    try:
        os.unlink(path)
    except OSError:  # Windows keeps the names of open files, and so the folder to the end
        pass
    return file


def _interruptible(events: "queue.SimpleQueue[Optional[Event]]") -> Optional[Event]:
    """Return the next event. Ctrl-C ends the waiting."""
    if sys.platform != "win32":
        return events.get()
    while True:  # on Windows, only waiting that ends by itself can be interrupted
        try:
            return events.get(timeout=0.2)
        except queue.Empty:
            pass


def _widen(pipe: Any) -> None:
    """Make a pipe hold a block of sentences, where the system lets us."""
    if pipe is None or not sys.platform.startswith("linux"):
        return
    import fcntl

    try:
        fcntl.fcntl(pipe.fileno(), getattr(fcntl, "F_SETPIPE_SZ", 1031), 1 << 20)
    except OSError:
        pass  # the pipe is smaller then
