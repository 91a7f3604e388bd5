# Times most_similar on a loaded model: mean seconds a query, after one that is not
# timed.
import json
import sys
import time

from gensim.models import KeyedVectors

path, queries, k = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
vectors = KeyedVectors.load_word2vec_format(path, binary=True)
step = max(1, len(vectors) // queries)
words = [vectors.index_to_key[i * step % len(vectors)] for i in range(queries)]
vectors.most_similar(words[0], topn=k)
start = time.perf_counter()
for word in words:
    vectors.most_similar(word, topn=k)
print(json.dumps({"seconds": (time.perf_counter() - start) / queries}))
