"""Refuses what w2v has not, where a program imports it."""

raise ImportError("w2v.compat.gensim has no test: the sentences of gensim.test.utils are gensim's own, so import them from gensim itself: from gensim.test.utils import common_texts")
