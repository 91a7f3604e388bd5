"""What models of gensim and fastText have, and models of w2v do not, and what is in its place.

docs/from-gensim.md and docs/from-fasttext.md have these tables.
"""

from __future__ import annotations

from typing import Dict

__all__ = ["FASTTEXT", "GENSIM", "instead"]

GENSIM: Dict[str, str] = {
    "add_vector": "a model does not change: `model.with_vectors(word, vector)` is another one",
    "add_vectors": "a model does not change: `model.with_vectors(words, vectors)` is another one",
    "build_vocab": "`w2v.train(more, init=model, update_vocab=True)`",
    "build_vocab_from_freq": "`w2v.train(corpus, vocab=counts)`",
    "corpus_count": "nothing: `model.settings` has the tokens, and sentences are not counted",
    "corpus_total_words": '`model.settings["tokens"]`',
    "cosine_similarities": "`1 - model.distances(vector, words)`",
    "estimate_memory": "nothing: training says before it starts if memory is too small",
    "accuracy": "`model.evaluate(path)`",
    "fill_norms": "nothing: lengths are known when they are needed",
    "get_latest_training_loss": '`model.training["loss"]`',
    "index2entity": "`model.words`",
    "index2word": "`model.words`",
    "init_sims": "nothing: lengths are known when they are needed",
    "intersect_word2vec_format": "`w2v.train(corpus, init=path)`",
    "load_word2vec_format": "`w2v.load(path)`",
    "norms": "`numpy.linalg.norm(model.vectors, axis=1)`",
    "resize_vectors": "a model does not change: `kv = model.to_gensim()`",
    "score": '`model.training["loss"]`, or `w2v.train(…, validate=path)`',
    "set_vecattr": "a model does not change: `kv = model.to_gensim()`, then `kv.set_vecattr(…)`",
    "similarity_unseen_docs": "`model.n_similarity(words, others)`",
    "sort_by_descending_frequency": "nothing: words are in the order of their counts",
    "syn0": "`model.vectors`",
    "syn1neg": "`model.context_vectors`",
    "train": "`w2v.train(more, init=model)`",
    "unit_normalize_all": '`model.save("unit.w2v", normalize=True)`, then `w2v.load("unit.w2v")`',
    "vectors_norm": "`model.get_normed_vectors()`",
    "vectors_vocab": "`model.vectors`",
    "vocab": "`model.key_to_index`, and `model.get_count(word)`",
    "word_vec": "`model[word]`",
    "words_closer_than": "`model.closer_than(word, other)`",
}

FASTTEXT: Dict[str, str] = {
    "get_analogies": "`model.most_similar(positive=[a, c], negative=[b], topn=k)`",
    "get_label_id": "`w2v.fasttext.load_model(path).get_label_id(label)`",
    "get_labels": "`w2v.Classifier.load(path).labels`",
    "get_line": "`w2v.fasttext.load_model(path).get_line(text)`",
    "get_meter": "`w2v.Classifier.load(path).test(file)`",
    "labels": "`w2v.Classifier.load(path).labels`",
    "set_args": "nothing: `model.settings` has the settings of training",
    "test_label": "`w2v.Classifier.load(path).test(file, per_label=True)`",
    "get_dimension": "`model.dim`",
    "get_input_matrix": "`model.vectors`",
    "get_input_vector": "`w2v.fasttext.load_model(path).get_input_vector(row)`",
    "get_nearest_neighbors": "`model.most_similar(word, topn=k)`",
    "get_output_matrix": "`model.context_vectors`",
    "get_subword_id": "`w2v.fasttext.load_model(path).get_subword_id(ngram)`",
    "get_word_id": "`model.key_to_index.get(word, -1)`",
    "get_words": "`model.words`, and `model.counts`",
    "is_quantized": "nothing: quantised models are used as others",
    "predict": "`w2v.Classifier.load(path).predict(texts)`",
    "quantize": "the command `w2v quantize`",
    "save_model": "`model.save(path)`",
    "set_matrices": "a model does not change: `w2v.fasttext.load_model(path).set_matrices(…)`",
    "test": "`w2v.Classifier.load(path).test(file)`",
}


def instead(name: str) -> str:
    """Return what to write in place of a name; empty if there is no advice."""
    return GENSIM.get(name) or FASTTEXT.get(name) or ""
