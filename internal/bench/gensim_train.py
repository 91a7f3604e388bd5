# Trains with gensim and prints the CPU time of training alone. CPU time is that of
# all threads of the process.
import json
import sys
import time

from gensim.models import FastText, Word2Vec
from gensim.models.fasttext import save_facebook_model
from gensim.models.word2vec import LineSentence

(corpus, output, subwords, dim, window, negatives, epochs, min_count, sample,
 rate, threads, seed, min_n, max_n, buckets) = sys.argv[1:]
subwords = subwords == "true"

settings = dict(
    sg=1, hs=0, vector_size=int(dim), window=int(window), negative=int(negatives), epochs=int(epochs),
    min_count=int(min_count), sample=float(sample), alpha=float(rate), workers=int(threads), seed=int(seed))
if subwords:
    model = FastText(min_n=int(min_n), max_n=int(max_n), bucket=int(buckets), **settings)
else:
    model = Word2Vec(**settings)
sentences = LineSentence(corpus)
model.build_vocab(sentences)

start = time.process_time()
model.train(sentences, total_examples=model.corpus_count, epochs=model.epochs)
cpu = time.process_time() - start

known = sum(model.wv.get_vecattr(word, "count") for word in model.wv.index_to_key)
if subwords:
    save_facebook_model(model, output)
else:
    model.wv.save_word2vec_format(output, binary=True)
print(json.dumps({"cpu_seconds": cpu, "tokens": int(known)}))
