#!/bin/sh
# Makes the golden files of numpy and of Hugging Face's tokenizers again. The first
# is Debian's python3-numpy; the second comes from npm, into a temporary folder.
set -eu
cd "$(dirname "$0")"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

/usr/bin/python3 - <<'PY'
import numpy as np
rows = [line.split(b" ") for line in open("fasttext/words.vec", "rb").read().split(b"\n")[1:-1]]
words = [row[0] for row in rows]
numbers = np.array([[float(x) for x in row[1:6]] for row in rows])
np.save("numpy/f4.npy", numbers.astype("<f4"))
np.save("numpy/f2.npy", numbers.astype("<f2"))
with open("numpy/f8.npy", "wb") as f:
    np.lib.format.write_array(f, numbers, version=(2, 0))
np.save("numpy/columns.npy", np.asfortranarray(numbers.astype("<f4")))
np.save("numpy/big.npy", numbers.astype(">f4"))
np.save("numpy/big-columns.npy", np.asfortranarray(numbers.astype(">f2")))
np.save("numpy/columns8.npy", np.asfortranarray(numbers))
for name in ["f4", "f2", "f8", "columns", "big", "big-columns", "columns8"]:
    open(f"numpy/{name}.npy.vocab.txt", "wb").write(b"\n".join(words) + b"\n")
PY

(cd "$tmp" && npm install --silent --no-save --ignore-scripts tokenizers@0.23.2 >/dev/null)
NODE_PATH="$tmp/node_modules" node - <<'JS'
const { AddedToken, BPE, Tokenizer, Unigram, WordLevel, WordPiece, lowercase, whitespaceSplitPreTokenizer } = require("tokenizers");
const save = (name, model, configure = () => {}) => {
  const t = new Tokenizer(model);
  configure(t);
  t.save(`tokenizers/${name}.json`, true);
};
save("wordlevel", WordLevel.init({ "[UNK]": 0, the: 1, "日本": 2 }, { unkToken: "[UNK]" }), (t) => {
  t.setNormalizer(lowercase());
  t.setPreTokenizer(whitespaceSplitPreTokenizer());
});
save("wordpiece", WordPiece.init({ "[PAD]": 0, "[UNK]": 1, the: 2, "##m": 3 }, { unkToken: "[UNK]" }), (t) => {
  t.addSpecialTokens(["[PAD]", "[CLS]"]); // one that is there, and one that is not
  t.addAddedTokens([new AddedToken("New York", false, { singleWord: true })]);
});
save("bpe", BPE.init({ t: 0, h: 1, e: 2, th: 3, the: 4 }, [["t", "h"], ["th", "e"]]));
save("unigram", Unigram.init([["<unk>", 0], ["▁the", -1.5], ["▁", -2]], { unkId: 0 }));
JS
