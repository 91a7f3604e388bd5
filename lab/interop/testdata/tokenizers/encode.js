// Encodes lines with an exported tokenizer. Arguments: the engine, "rust" or "js", the
// exported folder, and a file with a JSON array of lines. Prints the ids of each line.
const fs = require("fs");
const [engine, folder, lines] = process.argv.slice(2);
const read = (name) => fs.readFileSync(name, "utf8");
const texts = JSON.parse(read(lines));

async function encode() {
  if (engine === "rust") {
    const tokenizer = require("tokenizers").Tokenizer.fromFile(folder + "/tokenizer.json");
    const all = [];
    for (const text of texts) {
      all.push((await tokenizer.encode(text, null, { addSpecialTokens: false })).getIds());
    }
    return all;
  }
  const { Tokenizer } = require("@huggingface/tokenizers");
  const tokenizer = new Tokenizer(
    JSON.parse(read(folder + "/tokenizer.json")),
    JSON.parse(read(folder + "/tokenizer_config.json")),
  );
  return texts.map((text) => tokenizer.encode(text, { add_special_tokens: false }).ids.map((id) => id ?? -1));
}

encode().then((all) => fs.writeSync(1, JSON.stringify(all)));
