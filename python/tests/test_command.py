"""The command w2v, as the package starts it."""

from __future__ import annotations

import subprocess
import sys


def test_the_command_needs_no_numpy(binary: str) -> None:
    program = (
        "import sys\n"
        "sys.modules['numpy'] = None\n"
        "sys.argv = ['w2v', 'version']\n"
        "from w2v._binary import main\n"
        "assert 'w2v.model' not in sys.modules and 'w2v._flags' not in sys.modules\n"
        "main()\n"
    )
    assert b"kernels" in subprocess.run([sys.executable, "-c", program], check=True, capture_output=True).stdout
