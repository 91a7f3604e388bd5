"""The w2v program as a child that does not outlive this process, and a folder that both share.

The program holds the reading end of a pipe, whose only writing end is in this process. However this
process ends, the system closes that end: then the program stops, saves what it was asked to save, and
removes the folder. The folder is made after the program has been started, and the program begins
when it is told to. So there is no moment in which a folder could be left behind.
"""

from __future__ import annotations

import os
import secrets
import shutil
import subprocess
import sys
import tempfile
import weakref
from typing import Any, Dict, List, Optional, Sequence, Tuple, Type

from .errors import Error

__all__ = ["Child", "new_folder"]

_STANDARD = 2  # the last descriptor of a standard stream
_PATIENCE = 10.0  # seconds that the program has to end by itself


def new_folder(beside: Optional[str] = None) -> str:
    """Return the path of a folder that nobody else has, for temporary files or beside a file. `Child` makes it."""
    name = secrets.token_hex(12)
    if beside is None:
        return os.path.join(tempfile.gettempdir(), f"w2v-{name}")
    folder, file = os.path.split(os.path.abspath(beside))
    return os.path.join(folder, f".{file}-{name}")


class Child:
    """A run of a program. In a `with` statement it has ended behind the block, and its folder is gone.

    Attributes:
        process: the process.
        folder: the folder, or None. Files in it are written before `begin`.
    """

    def __init__(self, command: Sequence[str], folder: Optional[str] = None, **options: Any) -> None:
        reading, self._alive = _pipe()
        environment = dict(os.environ)
        environment.pop("W2V_PARENT_FOLDER", None)
        if folder is not None:
            environment["W2V_PARENT_FOLDER"] = folder
        self.folder: Optional[str] = None
        try:
            environment["W2V_PARENT"], inherited = _inherited(reading)
            self.process: "subprocess.Popen[bytes]" = subprocess.Popen(command, env=environment, **inherited, **options)
        except BaseException as error:
            os.close(self._alive)
            if isinstance(error, OSError):
                raise Error(f"{command[0]} cannot be run: {error.strerror}") from error
            raise
        finally:
            os.close(reading)
        _children.add(self)
        if folder is not None:
            try:
                os.mkdir(folder, 0o700)
            except BaseException:
                self.end()
                raise
            self.folder = folder

    def begin(self) -> None:
        """Let the program begin."""
        try:
            os.write(self._alive, b"\n")
        except OSError:
            pass  # the program has ended already, and says why

    def let_go(self) -> None:
        """Close the pipe: the program stops if it has not ended."""
        if self._alive >= 0:
            self._alive, alive = -1, self._alive
            os.close(alive)

    def remove_folder(self) -> None:
        """Remove the folder, which nobody needs any more. Windows keeps files in it that are open."""
        if self.folder is not None:
            shutil.rmtree(self.folder, ignore_errors=True)

    def end(self) -> None:
        """Stop the program if it has not ended, and remove the folder."""
        self.let_go()
        try:
            self.process.wait(_PATIENCE)
        except BaseException as error:  # it takes too long, or Ctrl-C
            self.process.kill()
            self.process.wait()
            if not isinstance(error, subprocess.TimeoutExpired):
                raise
        finally:
            self.remove_folder()

    def __enter__(self) -> "Child":
        return self

    def __exit__(self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Any) -> None:
        self.end()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            if stream is not None:
                stream.close()


def _pipe() -> Tuple[int, int]:
    """Return the ends of a pipe, none of which is a standard stream: a process may have none, as workers of joblib do."""
    ends = os.pipe()
    if min(ends) > _STANDARD:
        return ends
    spare: List[int] = list(ends)  # keep the low numbers in use until there are others
    while min(ends) <= _STANDARD:
        ends = os.pipe()
        spare += ends
    for end in set(spare) - set(ends):
        os.close(end)
    return ends


def _inherited(reading: int) -> Tuple[str, Dict[str, Any]]:
    """Return the number by which a child knows a descriptor, and the options of Popen that give it to the child."""
    if sys.platform != "win32":
        return str(reading), {"pass_fds": (reading,)}
    import msvcrt

    handle = msvcrt.get_osfhandle(reading)
    os.set_handle_inheritable(handle, True)
    return str(handle), {"startupinfo": subprocess.STARTUPINFO(lpAttributeList={"handle_list": [handle]})}


_children: "weakref.WeakSet[Child]" = weakref.WeakSet()


def _let_go_all() -> None:
    """Close the pipes in a forked process: the program is to end with its parent, and not with that."""
    for child in list(_children):
        child.let_go()
        if child.process.stdin is not None:  # while it is open, the program waits for more to read
            child.process.stdin.close()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_let_go_all)
