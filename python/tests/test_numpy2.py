"""numpy 2 is not at hand where the tests run: the sources use nothing that it took away."""

from __future__ import annotations

import ast
from pathlib import Path

import w2v

# Names that numpy 1 has and numpy 2.0 or later does not.
REMOVED = set(
    """add_docstring add_newdoc add_newdoc_ufunc alltrue asfarray bool8 byte_bounds cast cfloat
    clongfloat compare_chararrays compat complex_ cumproduct DataSource deprecate
    deprecate_with_doc disp fastCopyAndTranspose find_common_type float_ get_array_wrap geterrobj
    in1d Inf Infinity infty int0 issctype issubclass_ issubsctype longcomplex longfloat lookfor
    mat maximum_sctype msort NaN nbytes NINF NZERO obj2sctype object0 PINF product PZERO
    recfromcsv recfromtxt round_ row_stack safe_eval sctype2char sctypes set_numeric_ops
    set_string_function seterrobj singlecomplex sometrue source str0 string_ tracemalloc_domain
    trapz typeDict uint0 unicode_ void0 who""".split()
)


def test_sources_use_no_removed_names() -> None:
    found = []
    for path in sorted(Path(w2v.__file__).parent.glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in ("np", "numpy"):
                if node.attr in REMOVED:
                    found.append(f"{path.name}:{node.lineno}: {node.attr}")
            # copy=False means "never copy" in numpy 2, and raises if there must be a copy.
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "array":
                found += [
                    f"{path.name}:{node.lineno}: copy=False"
                    for k in node.keywords
                    if k.arg == "copy" and isinstance(k.value, ast.Constant) and k.value.value is False
                ]
    assert found == []


class Numpy2Float(float):
    """A number as numpy 2 shows it."""

    def __repr__(self) -> str:
        return f"np.float64({float(self)})"


def test_numbers_are_given_to_the_program_without_their_type() -> None:
    sentences = ["To be, or not to be."] * 9
    model = w2v.train(sentences, vector_size=4, sample=Numpy2Float(1.0), tokenizer="unicode", workers=1)
    want = model.embed(sentences[:1], pooling="sif", smoothing=0.5)
    assert (model.embed(sentences[:1], pooling="sif", smoothing=Numpy2Float(0.5)) == want).all()
