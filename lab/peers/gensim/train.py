# Trains with gensim and prints the time of training alone. CPU time is that of all
# threads of the process.
import json
import sys
import time

from gensim.models import FastText, Word2Vec
from gensim.models.fasttext import save_facebook_model
from gensim.models.word2vec import LineSentence

t = json.loads(sys.argv[1])
names = dict(
    window="window", negatives="negative", epochs="epochs", min_count="min_count", sample="sample", rate="alpha",
    min_n="min_n", max_n="max_n", buckets="bucket")
settings = {names[key]: t[key] for key in names if key in t}  # the others have gensim's defaults
if t["subwords"]:
    kind = FastText
else:
    kind = Word2Vec
    for key in "min_n", "max_n", "bucket":
        settings.pop(key, None)
model = kind(sg=0 if t["cbow"] else 1, hs=0, vector_size=t["dim"], workers=t["threads"], seed=t["seed"], **settings)
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
print(json.dumps({"cpu_seconds": cpu, "seconds": wall, "tokens": int(known), "epochs": model.epochs}))
