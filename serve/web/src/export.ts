// The page that `w2v export-explorer` writes: the explorer with its data inside.

import { vectorClient } from "./embedded/client";
import { decodeEmbedded } from "./embedded/format";
import { EmbeddedSource } from "./embedded/source";
import VectorWorker from "./embedded/worker?worker&inline";
import { start } from "./start";

try {
  const data = decodeEmbedded(document.getElementById("w2v-data")?.textContent ?? "");
  document.title = `${data.model.name} – w2v explorer`;
  start(new EmbeddedSource(data, vectorClient(data.rows, data.dim, () => new VectorWorker())));
} catch (error) {
  const message = document.createElement("p");
  message.setAttribute("role", "alert");
  message.textContent = error instanceof Error ? error.message : String(error);
  document.getElementById("app")?.append(message);
}
