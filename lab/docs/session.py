"""Runs Python blocks of a page in one namespace. Reads a folder and a file from each line."""

import os
import sys
import traceback

namespace = {"__name__": "__main__"}
answers = os.fdopen(os.dup(1), "w")
for line in sys.stdin:
    folder, path = line.rstrip("\n").split("\t")
    os.chdir(folder)
    out = os.open(path + ".out", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    os.dup2(out, 1)
    os.dup2(out, 2)
    os.close(out)
    try:
        with open(path, encoding="utf-8") as file:
            exec(compile(file.read(), path, "exec"), namespace)
        answer = "done"
    except BaseException:
        traceback.print_exc()
        answer = "failed"
    sys.stdout.flush()
    sys.stderr.flush()
    print(answer, file=answers, flush=True)
