"""Words are lower-cased by the rules of a language as the program does it."""

from __future__ import annotations

import random
import subprocess
from collections import Counter
from pathlib import Path

import pytest

import w2v
from w2v._binary import path
from w2v.characters import lower

LETTERS = (
    "IİıiŞÇĞÖÜşğ" "ΣσςΑαΟΥΣ" "ĄČĘĖĮŠŲŪŽJjÌÍĨỊ" "\u0307\u0300\u0301\u0303\u0323\u0328" "aA1'.-·’É\u00ad国\u0660"
)


@pytest.mark.parametrize("language", ["", "af", "az", "el", "lt", "nl", "tr"])
def test_lower_case_is_that_of_the_program(language: str, tmp_path: Path) -> None:
    draw = random.Random(7)
    words = sorted({"".join(draw.choice(LETTERS) for _ in range(draw.randint(1, 8))) for _ in range(4000)})
    text = tmp_path / "text.txt"
    text.write_text("\n".join(words), encoding="utf-8")
    flag = f"--lowercase={language}" if language else "--lowercase"
    done = subprocess.run(
        [path(), "vocab", flag, "--min-count", "1", str(text)], capture_output=True, check=True, encoding="utf-8"
    )
    counts = Counter(lower(word, language) for word in words)
    assert {line.rsplit(" ", 1)[0]: int(line.rsplit(" ", 1)[1]) for line in done.stdout.splitlines()} == counts


def test_models_know_their_language() -> None:
    lines = ["IŞIK insan ışık İNSAN kapı", "KAPI ışık İnsan kapı ışık"]
    model = w2v.train([line.split() for line in lines], lowercase="tr", min_count=1, dim=4, epochs=1)
    assert sorted(model.words) == ["insan", "kapı", "ışık"]
    for asked, found in {"IŞIK": "ışık", "İNSAN": "insan", "KAPI": "kapı"}.items():
        assert model.get_index(asked) == model.get_index(found)
    with pytest.raises(w2v.Error, match="did you mean"):
        w2v.train(lines, lowercase="tt")  # type: ignore[arg-type]
