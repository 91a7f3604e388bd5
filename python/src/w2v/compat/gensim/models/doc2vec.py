"""Refuses what w2v has not, where a program imports it."""

raise ImportError(
    "w2v.compat.gensim has no Doc2Vec: w2v trains no vectors of documents: model.embed(text) makes them of words, and w2v.train_pairs trains them on pairs"
)
