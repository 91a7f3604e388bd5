# Loads a model and asks it one question, as w2v nn does.
import json
import sys

kind, path, word = sys.argv[1:]
if kind == "subwords":
    from gensim.models.fasttext import load_facebook_vectors
    vectors = load_facebook_vectors(path)
else:
    from gensim.models import KeyedVectors
    vectors = KeyedVectors.load_word2vec_format(path, binary=True)
print(json.dumps(vectors.most_similar(word, topn=10)))
