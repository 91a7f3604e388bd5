// What the page says of itself in words: to screen readers, and in its title.

import { effect } from "@preact/signals";
import { announcement, layout, modelName, neighbors, query } from "./state";

/** How many neighbours are read out; the list has them all. */
const told = 5;

const titles = { pca: "PCA", umap: "UMAP" } as const;

export function followTelling(): void {
  effect(() => {
    const asked = query.value?.text;
    document.title = [asked, modelName.value, "w2v explorer"].filter(Boolean).join(" · ");
  });

  effect(() => {
    const load = neighbors.value;
    if (load.state === "failed") announcement.value = load.error.message;
    if (load.state !== "ready") return;
    const words = load.value.neighbors.slice(0, told).map((n) => n.word);
    announcement.value = `${load.value.query}: nearest are ${words.join(", ")}`;
  });

  let shown = "";
  effect(() => {
    const at = layout.value;
    if (!at) return;
    const text = `Map of ${at.points.length / 2} words by ${titles[at.projection]}`;
    if (text !== shown) announcement.value = text;
    shown = text;
  });
}
