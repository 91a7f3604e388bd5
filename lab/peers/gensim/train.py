# Trains with gensim and prints the time of training alone. CPU time is that of all
# threads of the process.
import json
import sys
import time

from gensim.models import FastText, Word2Vec
from gensim.models.fasttext import save_facebook_model
from gensim.models.word2vec import LineSentence

t = json.loads(sys.argv[1])
settings = dict(
    sg=0 if t["cbow"] else 1, hs=0, vector_size=t["dim"], window=t["window"], negative=t["negatives"],
    epochs=t["epochs"], min_count=t["min_count"], sample=t["sample"], alpha=t["rate"],
    workers=t["threads"], seed=t["seed"])
if t["subwords"]:
    model = FastText(min_n=t["min_n"], max_n=t["max_n"], bucket=t["buckets"], **settings)
else:
    model = Word2Vec(**settings)
if t["corpus_file"]:
    text = dict(corpus_file=t["corpus"])
else:
    text = dict(corpus_iterable=LineSentence(t["corpus"]))
model.build_vocab(**text)

cpu, wall = time.process_time(), time.perf_counter()
model.train(total_examples=model.corpus_count, total_words=model.corpus_total_words, epochs=model.epochs, **text)
cpu, wall = time.process_time() - cpu, time.perf_counter() - wall

known = sum(model.wv.get_vecattr(word, "count") for word in model.wv.index_to_key)
if t["subwords"]:
    save_facebook_model(model, t["output"])
else:
    model.wv.save_word2vec_format(t["output"], binary=True)
print(json.dumps({"cpu_seconds": cpu, "seconds": wall, "tokens": int(known)}))
