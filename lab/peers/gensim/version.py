# Prints what gensim is here, and on which BLAS.
import json

import gensim
import numpy
import scipy.linalg.blas  # noqa: F401, loads it
from gensim.models.word2vec import FAST_VERSION

blas = set()
try:
    with open("/proc/self/maps") as maps:
        for line in maps:
            name = line.split()[-1].split("/")[-1]
            if name.startswith("lib") and "blas" in name:
                blas.add(name)
except OSError:
    pass  # not Linux
print(json.dumps({
    "gensim": gensim.__version__, "numpy": numpy.__version__, "fast": FAST_VERSION, "blas": sorted(blas)}))
