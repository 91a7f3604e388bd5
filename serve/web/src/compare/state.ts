// The second model, beside the first one.

import { computed, effect, signal } from "@preact/signals";
import { followLayout } from "../app/follow-layout";
import { Latest } from "../app/latest";
import { colorBy, firstWords, layout, model, modelName, models, neighborCount, none, otherModel, panel, query, valueOf, vocabulary, vocabularyOf, type Layout, type Load, type Vocabulary } from "../app/state";
import type { Comparison, MapInfo, Neighbors, Place, ProjectionName, Source } from "../source";
import { apply, applyToAll, clustersOnSecond, ontoFirst } from "./onto";

/** How many words that moved are asked for. */
const movedWords = 200;

/** How long to wait before asking again for a comparison that is being computed, in milliseconds. */
const askAgain = 700;

/** The second model while both are shown, or null. */
export const other = computed(() => {
  if (panel.value !== "compare" || otherModel.value === model.value?.name) return null;
  return valueOf(models.value)?.find((m) => m.name === otherModel.value) ?? null;
});

export const otherVocabulary = signal<Load<Vocabulary>>(none);
export const otherMapInfo = signal<Load<MapInfo>>(none);
/** The map of the second model as it comes. */
const ownLayout = signal<Layout | null>(null);
export const otherNeighbors = signal<Load<Neighbors>>(none);
export const otherPlace = signal<Load<Place>>(none);
export const comparison = signal<Load<Comparison>>(none);
/** The cosine of the two vectors of each word of the first map; NaN for words that the second model does not have. */
export const cosines = signal<Load<Float32Array>>(none);

/** The point of the first map for each point of the second one, or -1. */
export const toFirst = computed(() => {
  const at = ownLayout.value;
  const words = valueOf(otherVocabulary.value)?.words;
  const ids = valueOf(vocabulary.value)?.ids;
  const firstPoints = (layout.value?.points.length ?? 0) / 2;
  if (!at || !words || !ids) return null;
  return Int32Array.from({ length: at.points.length / 2 }, (_, i) => {
    const id = ids.get(words[i] ?? "") ?? -1;
    return id < firstPoints ? id : -1;
  });
});

const firstPoints = computed(() => layout.value?.points ?? null);

/** The points of the second map, turned onto those of the first one. */
const turned = computed(() => {
  const at = ownLayout.value;
  const first = firstPoints.value;
  const ids = toFirst.value;
  if (!at || !first || !ids) return null;
  const by = ontoFirst(first, at.points, ids);
  return { by, points: applyToAll(by, at.points) };
});

/** The map of the second model in the units of the first one, with the first one's clusters. */
export const otherLayout = computed<Layout | null>(() => {
  const at = ownLayout.value;
  const first = layout.value;
  const ids = toFirst.value;
  const done = turned.value;
  if (!at || !first || !ids || !done || first.projection !== at.projection) return null;
  const info = { ...at.info, coarse: first.info.coarse ?? [], fine: [] };
  return { ...at, info, points: done.points, labels: clustersOnSecond(first, done.points, ids), toMap: (x, y) => apply(done.by, ...at.toMap(x, y)) };
});

/** A map by UMAP begins at the places of the first model's. */
export function likeOf(projection: ProjectionName, first: string): string {
  return projection === "umap" ? first : "";
}

/** Loads what the second model needs, whenever it is shown. */
export function startComparing(source: Source): void {
  const askVocabulary = new Latest(otherVocabulary);
  effect(() => {
    const now = other.value;
    if (!now) return askVocabulary.clear();
    void askVocabulary.ask(async (signal) => {
      const words = await source.words(now.name, signal);
      return vocabularyOf(now, words, null);
    });
  });

  // Both maps are by the same method, also while the first one shows PCA until UMAP is there.
  const shown = computed(() => (layout.value?.model === model.value?.name ? layout.value?.projection : undefined));
  let endLayout = () => {};
  effect(() => {
    const now = other.value;
    const first = model.value;
    const wanted = shown.value;
    endLayout();
    endLayout = () => {};
    ownLayout.value = null;
    if (!now || !first || !wanted) return;
    const on = {
      info: (info: Load<MapInfo>) => (otherMapInfo.value = info),
      layout: (made: Layout) => (ownLayout.value = made),
    };
    endLayout = followLayout(source, now, wanted, on, likeOf(wanted, first.name));
  });

  const askNeighbors = new Latest(otherNeighbors);
  effect(() => {
    const now = other.value;
    const asked = query.value;
    const k = neighborCount.value;
    if (!now || !asked) return askNeighbors.clear();
    // Clusters and fields are those of the first model.
    const may = { first: firstWords.value, where: [], clusters: [] };
    void askNeighbors.ask((signal) => source.neighbors(now.name, asked, k, may, signal));
  });

  const askPlace = new Latest(otherPlace);
  effect(() => {
    const at = otherLayout.value;
    const asked = query.value;
    if (!at || !asked) return askPlace.clear();
    void askPlace.ask((signal) => source.place(at.model, at.projection, asked, signal, likeOf(at.projection, modelName.peek())));
  });

  const askCosines = new Latest(cosines);
  effect(() => {
    const [old, now] = [model.value, other.value];
    if (!old || !now || colorBy.value.by !== "moved" || comparison.value.state !== "ready" || comparison.value.value.state === "running") return askCosines.clear();
    void askCosines.ask(async (signal) => (await source.cosines(old.name, now.name, signal)) ?? new Float32Array(0));
  });

  const askComparison = new Latest(comparison);
  let timer: ReturnType<typeof setTimeout> | undefined;
  effect(() => {
    const old = model.value;
    const now = other.value;
    clearTimeout(timer);
    askComparison.clear();
    if (!old || !now) return;
    const ask = async (): Promise<void> => {
      await askComparison.ask((signal) => source.compare(old.name, now.name, movedWords, signal), true);
      const current = model.peek() === old && other.peek() === now;
      if (current && valueOf(comparison.peek())?.state === "running") timer = setTimeout(() => void ask(), askAgain);
    };
    void ask();
  });
}
