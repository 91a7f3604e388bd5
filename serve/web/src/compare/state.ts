// The second model, beside the first one.

import { computed, effect, signal } from "@preact/signals";
import { followWithStandIn } from "../app/follow-layout";
import { Latest } from "../app/latest";
import { firstWords, model, models, neighborCount, none, otherModel, panel, projection, query, valueOf, vocabularyOf, type Layout, type Load, type Vocabulary } from "../app/state";
import type { Comparison, MapInfo, Neighbors, Place, Source } from "../source";

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
export const otherLayout = signal<Layout | null>(null);
export const otherNeighbors = signal<Load<Neighbors>>(none);
export const otherPlace = signal<Load<Place>>(none);
export const comparison = signal<Load<Comparison>>(none);

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

  let endLayout = () => {};
  effect(() => {
    const now = other.value;
    const wanted = projection.value;
    endLayout();
    if (otherLayout.peek()?.model !== now?.name) otherLayout.value = null;
    if (!now) return;
    endLayout = followWithStandIn(source, now, wanted, () => otherLayout.peek() === null, {
      info: (info) => (otherMapInfo.value = info),
      layout: (made) => (otherLayout.value = made),
    });
  });

  const askNeighbors = new Latest(otherNeighbors);
  effect(() => {
    const now = other.value;
    const asked = query.value;
    const k = neighborCount.value;
    if (!now || !asked) return askNeighbors.clear();
    const first = firstWords.value;
    void askNeighbors.ask((signal) => source.neighbors(now.name, asked, k, first, signal));
  });

  const askPlace = new Latest(otherPlace);
  effect(() => {
    const at = otherLayout.value;
    const asked = query.value;
    if (!at || !asked) return askPlace.clear();
    void askPlace.ask((signal) => source.place(at.model, at.projection, asked, signal));
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
