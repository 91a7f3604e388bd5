"""A small HTTP server of gensim's KeyedVectors: what many services are made of.

usage: gensim_server.py VECTORS.bin

Prints its URL. GET /neighbors?word=W&k=N, and POST /embeddings with {"input": [text, ...]}.
"""

import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

from gensim.models import KeyedVectors
from gensim.utils import simple_preprocess

vectors = KeyedVectors.load_word2vec_format(sys.argv[1], binary=True)
vectors.fill_norms()


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = -1  # a response is one packet, not one a header

    def answer(self, value):
        body = json.dumps(value).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
        self.wfile.flush()

    def do_GET(self):
        asked = parse_qs(urlsplit(self.path).query)
        word, k = asked["word"][0], int(asked["k"][0])
        self.answer([{"word": w, "similarity": float(s)} for w, s in vectors.most_similar(word, topn=k)])

    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        data = []
        for i, text in enumerate(asked["input"]):
            mean = vectors.get_mean_vector(simple_preprocess(text), pre_normalize=False, ignore_missing=True)
            data.append({"object": "embedding", "index": i, "embedding": mean.tolist()})
        self.answer({"object": "list", "data": data})

    def log_message(self, *_):
        pass


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 1024


server = Server(("127.0.0.1", 0), Handler)
print("http://127.0.0.1:%d" % server.server_address[1], flush=True)
server.serve_forever()
