"""Lists what the tests of w2v.compat assert of both: `python3 tests/assertions.py` writes assertions.md; with --check it compares.

An assertion is an assert, a pytest.raises or a comparison of numpy.testing, counted once for each set of parameters. Tests are
collected, and do not run.
"""

from __future__ import annotations

import ast
import inspect
import sys
import textwrap
from collections import Counter
from pathlib import Path
from typing import Any, Dict, List, Tuple

import pytest

HERE = Path(__file__).resolve().parent
LIST = HERE / "assertions.md"
FILES = {"test_compat_gensim.py": ("gensim", "w2v.compat.gensim"), "test_compat_fasttext.py": ("fastText", "w2v.compat.fasttext")}


class Collected:
    """The tests that run with what stands for a library, and what they assert."""

    def __init__(self) -> None:
        self.asserted: "Counter[Tuple[str, str]]" = Counter()  # by file and function
        self.cannot: Dict[str, List[Tuple[str, str]]] = {name: [] for name in FILES}

    def pytest_collection_modifyitems(self, items: List[Any]) -> None:
        for item in items:
            parameters = item.callspec.params if hasattr(item, "callspec") else {}
            if not str(parameters.get("lib", "")).startswith("w2v."):
                continue
            if item.function.__name__ == "test_what_cannot_hold":
                self.cannot[item.path.name].append((parameters["assertion"], parameters["why"]))
            else:
                self.asserted[item.path.name, item.function.__name__] += assertions(item.function)


def assertions(function: Any) -> int:
    """Return how many assertions a test has, wherever they stand in it."""
    nodes = list(ast.walk(ast.parse(textwrap.dedent(inspect.getsource(function)))))
    calls = [ast.unparse(node.func) for node in nodes if isinstance(node, ast.Call)]
    return sum(isinstance(node, ast.Assert) for node in nodes) + sum(call == "pytest.raises" or call.startswith("np.testing.") for call in calls)


def listed() -> str:
    """Return the list."""
    collected = Collected()
    if pytest.main(["--collect-only", "-p", "no:cacheprovider", "-p", "no:terminal", *(str(HERE / name) for name in FILES)], plugins=[collected]):
        sys.exit("the tests could not be collected")
    lines = ["# What is asserted of both", "",
             "The same tests run with gensim and fastText, and with `w2v.compat`. `python3 python/tests/assertions.py` writes this list",
             "of their assertions. An assertion counts once for each set of parameters.", ""]  # fmt: skip
    lines += ["| test file | of | hold in both | cannot hold |", "|---|---|---|---|"]
    for name, (library, _) in FILES.items():
        lines.append(f"| [{name}]({name}) | {library} | {sum(n for (file, _), n in collected.asserted.items() if file == name)} | {len(collected.cannot[name])} |")
    for name, (library, ours) in FILES.items():
        lines += ["", f"## {library}", "", "| test | assertions that hold in both |", "|---|---|"]
        lines += [f"| `{function}` | {n} |" for (file, function), n in collected.asserted.items() if file == name]
        lines += ["", f"These hold in {library}, and cannot hold in `{ours}`. Tests fail if one holds:", "", "| assertion | why not |", "|---|---|"]
        lines += [f"| `{assertion}` | {why} |" for assertion, why in collected.cannot[name]]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    if "--check" not in sys.argv:
        LIST.write_text(listed(), encoding="utf8")
    elif LIST.read_text(encoding="utf8") != listed():
        sys.exit("python/tests/assertions.md is not what the tests assert: python3 python/tests/assertions.py writes it")
