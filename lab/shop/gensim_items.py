# Trains the vectors of items with gensim, with every other item of a basket as context:
#   /usr/bin/python3 gensim_items.py BASKETS OUT.vec EXPONENT EPOCHS THREADS RATE
import sys
import time

from gensim.models import Word2Vec
from gensim.models.word2vec import LineSentence

baskets, out, exponent, epochs, threads, rate = sys.argv[1:]
began = time.perf_counter()
model = Word2Vec(
    LineSentence(baskets), sg=1, hs=0, vector_size=64, window=1000, shrink_windows=False, negative=5, ns_exponent=float(exponent),
    min_count=1, sample=0, alpha=float(rate), epochs=int(epochs), workers=int(threads), seed=1)
model.wv.save_word2vec_format(out)
print(f"gensim: {time.perf_counter() - began:.1f} s", file=sys.stderr)
