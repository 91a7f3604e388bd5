# Multiplies random rows by one vector and by many, and prints the shortest times.
import json
import sys
import time

import numpy

words, dim, queries = map(int, sys.argv[1:])
rows = numpy.random.default_rng(1).random((words, dim), dtype=numpy.float32) - numpy.float32(0.5)


def shortest(by, out):
    times = []
    for _ in range(3):
        start = time.process_time()
        numpy.dot(rows, by, out=out)
        times.append(time.process_time() - start)
    return min(times)


one = shortest(rows[0], numpy.zeros(words, dtype=numpy.float32))
many = shortest(rows[:queries].T, numpy.zeros((words, queries), dtype=numpy.float32))
print(json.dumps({"one": one, "many": many}))
