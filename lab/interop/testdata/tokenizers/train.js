// Trains and decodes with the Rust library. Arguments: "train", the model, the pre-tokenizer, the
// tokenizer.json to write and a text; or "decode", a tokenizer.json and a file with a JSON array of
// lists of ids. Training has the library's defaults. Decoding prints a JSON array of texts.
const fs = require("fs");
const rust = require("tokenizers");
const [mode, ...args] = process.argv.slice(2);

function train(model, pre, out, text) {
  const tokenizer = new rust.Tokenizer({ bpe: rust.BPE, unigram: rust.Unigram, wordpiece: rust.WordPiece }[model].empty());
  tokenizer.setPreTokenizer(pre === "byte-level" ? rust.byteLevelPreTokenizer(true) : rust.whitespacePreTokenizer());
  tokenizer.train([text]);
  tokenizer.save(out);
}

async function decode(file, ids) {
  const tokenizer = rust.Tokenizer.fromFile(file);
  const texts = [];
  for (const line of JSON.parse(fs.readFileSync(ids, "utf8"))) texts.push(await tokenizer.decode(line, false));
  fs.writeSync(1, JSON.stringify(texts));
}

if (mode === "train") train(...args);
else decode(...args);
