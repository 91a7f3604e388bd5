"""The w2v program: where it is, and how it is run."""

from __future__ import annotations

import logging
import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path
from typing import IO, Any, Iterator, List, NoReturn, Optional, Sequence, Union

from ._child import Child
from .errors import Error, UsageError, of_program

_NAME = "w2v.exe" if os.name == "nt" else "w2v"

_log = logging.getLogger("w2v")

#: The exit code of the program for wrong usage.
_USAGE = 2


def path() -> str:
    """Return the path of the w2v program.

    It is `$W2V_BINARY`, or else the program in this package, or else `w2v` on PATH.
    """
    named = os.environ.get("W2V_BINARY")
    if named:
        if shutil.which(named) is None:
            raise Error(f"W2V_BINARY is {named}, which is not a program that can be run")
        return named
    own = Path(__file__).with_name("bin") / _NAME
    if own.is_file():
        return _executable(own)
    found = _on_path()
    if found is None:
        raise Error(
            "there is no w2v program: install a wheel of w2v for this system, put w2v on PATH, "
            "or name the program in the environment variable W2V_BINARY"
        )
    return found


def _executable(file: Path) -> str:
    """Return the path of a file, which some installers leave without its executable bit."""
    if os.name != "nt" and not os.access(file, os.X_OK):
        try:
            file.chmod(file.stat().st_mode | stat.S_IXUSR | stat.S_IXGRP | stat.S_IXOTH)
        except OSError as e:
            raise Error(f"{file} is not executable: chmod +x it ({e.strerror})") from e
    return str(file)


def _on_path() -> Optional[str]:
    """Return the w2v of PATH that is not the command of this package, which would call itself."""
    scripts = os.path.realpath(os.path.dirname(sys.argv[0])) if _is_command(sys.argv[0]) else None
    folders = [
        folder
        for folder in os.environ.get("PATH", os.defpath).split(os.pathsep)
        if folder and os.path.realpath(folder) != scripts
    ]
    return shutil.which(_NAME, path=os.pathsep.join(folders))


def _is_command(program: str) -> bool:
    return os.path.splitext(os.path.basename(program))[0] == "w2v"


def run(
    args: Sequence[Union[str, "os.PathLike[str]"]],
    *,
    stdin: Union[bytes, str, IO[bytes], None] = None,
) -> "subprocess.CompletedProcess[bytes]":
    """Run the program to its end, and return what it printed, in bytes.

    Nothing is printed. A failure raises `Error` with the program's own line, wrong usage
    raises `UsageError`.

    Args:
        args: the arguments of the program.
        stdin: what it reads: bytes, text, or a file; None for nothing.
    """
    if isinstance(stdin, str):
        stdin = stdin.encode()
    given = stdin if isinstance(stdin, bytes) else None if stdin else b""
    with started(args, stdin=subprocess.PIPE if given is not None else stdin) as child:
        return ended(child, given)


def started(
    args: Sequence[Union[str, "os.PathLike[str]"]], folder: Optional[str] = None, stdin: Any = subprocess.PIPE
) -> Child:
    """Start the program, which begins in `ended`: what it reads is written to the folder before."""
    command = [path(), *(os.fspath(a) for a in args)]
    return Child(command, folder, stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def ended(
    child: Child, stdin: Union[bytes, Iterator[bytes], None] = b"", codes: Sequence[int] = (0,)
) -> "subprocess.CompletedProcess[bytes]":
    """Let a program begin, give it its input, and return what it printed. Other exit codes than these raise `Error`.

    A program with an iterator of its input must print little before it has read all of that.
    """
    child.begin()
    if stdin is not None and not isinstance(stdin, bytes):
        _feed(child, stdin)
        stdin = None
    out, err = child.process.communicate(stdin)
    code = child.process.returncode
    if code not in codes:
        error = failure(code, err)
        error._printed = out
        raise error
    return subprocess.CompletedProcess(child.process.args, code, out, err)


def _feed(child: Child, blocks: Iterator[bytes]) -> None:
    """Write blocks to a program as it reads them. An error of the iterator leaves the input open, which is not whole then."""
    stdin = child.process.stdin
    assert stdin is not None
    for block in blocks:
        try:
            stdin.write(block)
        except OSError:  # it reads no more, and says why; a closed pipe is EPIPE, and on Windows EINVAL
            return


def log_notes(done: "subprocess.CompletedProcess[bytes]") -> None:
    """Log what the program notes of a model as warnings, since nobody sees its standard error."""
    for line in done.stderr.decode("utf-8", "replace").splitlines():
        if line.startswith("note: "):
            _log.warning("%s", _in_python(line[len("note: ") :]))


def _in_python(text: str) -> str:
    from ._arguments import in_python  # which the command needs not

    return in_python(text, {})


def failure(code: int, stderr: bytes) -> Error:
    """Return the error of a program that ended with an exit code other than 0."""
    lines = [line for line in stderr.decode("utf-8", "replace").splitlines() if line.strip()]
    return crash(lines) or of_line(code, _in_python(lines[-1]) if lines else "")


def crash(lines: Sequence[str]) -> Optional[Error]:
    """Return the error of a program that crashed, which Go ends with the exit code of wrong usage; None if it did not."""
    line = next((line for line in lines if line.startswith(("panic: ", "fatal error: "))), None)
    return None if line is None else Error(f"w2v crashed: {line}")


def of_line(code: int, said: str) -> Error:
    """Return the error of a program that ended with an exit code and a line."""
    if said.startswith("w2v: "):
        said = said[len("w2v: ") :]
    if not said:
        said = f"w2v was ended by signal {-code}" if code < 0 else f"w2v ended with exit code {code}"
    return UsageError(said) if code == _USAGE else of_program(said)


def main() -> NoReturn:
    """Be the w2v command: run the program with the arguments of this process."""
    try:
        program = path()
    except Error as e:
        sys.exit(f"w2v: {e}")
    args: List[str] = [program, *sys.argv[1:]]
    if os.name != "nt":
        os.execv(program, args)
    try:
        sys.exit(subprocess.run(args, check=False).returncode)
    except KeyboardInterrupt:  # the program has had it, too, and has ended
        sys.exit(130)
