// Asks a server with OpenAI's client. Arguments: the server's address. Standard input: a JSON array of
// questions { call, body }. Prints a JSON array of what each gives: the answer, or the error.
import OpenAI from "openai";
import fs from "node:fs";

const client = new OpenAI({ baseURL: process.argv[2] + "/v1", apiKey: "secret", maxRetries: 0 });
const calls = {
  embed: (body) => client.embeddings.create(body),
  models: async () => {
    const all = [];
    for await (const model of client.models.list()) all.push(model);
    return all;
  },
  model: (body) => client.models.retrieve(body.id),
};
const results = [];
for (const { call, body } of JSON.parse(fs.readFileSync(0, "utf8"))) {
  try {
    results.push({ answer: await calls[call](body) });
  } catch (e) {
    results.push({ error: { class: e.constructor.name, status: e.status, code: e.code, type: e.type, param: e.param, message: e.message } });
  }
}
console.log(JSON.stringify(results));
