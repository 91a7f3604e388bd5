// What is known of the selection that is looked at, and the words of it projected again.

import { computed, effect, signal } from "@preact/signals";
import { Latest } from "../app/latest";
import { again, firstWords, layout, model, none, panel, selected, selection, selections, chosen, isolated, valueOf, vocabulary, type Layout, type Load } from "../app/state";
import { categories, type Rgb } from "../map/palette";
import { placed } from "../plane/question";
import type { Field, SelectionFacts, Source } from "../source";
import { endings, median, traits, type Property, type Trait } from "./traits";

/** Fields beyond these are not looked at for what distinguishes a selection. */
const mostFields = 8;
const mostTraits = 6;

export const selectionFacts = signal<Load<SelectionFacts>>(none);
const fields = signal<Load<Map<string, Field>>>(none);

/** The words of the selection, projected of themselves alone. */
export interface LocalSelection {
  kind: "selection";
  words: { word: string; id: number }[];
  layout: Layout;
  /** The share of the variance, of PCA; 0 if there is none. */
  share: number;
}
export const localSelection = signal<Load<LocalSelection>>(none);

/** The colour of the selection at a place. One without a name has those of its points. */
export function colorOf(place: number, dark: boolean): Rgb | null {
  const all = categories(dark);
  return selections.value[place]?.name ? (all[place % all.length] ?? null) : null;
}

/** The selected ids that are on the map. */
const onMap = computed(() => {
  const n = (layout.value?.points.length ?? 0) / 2;
  return selection.value.filter((id) => id < n);
});

/** What stands out on the map: the selection that is looked at, over the others that have a name. */
export function marks(dark: boolean): { ids: number[]; colors: (Rgb | null)[] } {
  const ids: number[] = [];
  const colors: (Rgb | null)[] = [];
  if (chosen.value < 0) return { ids, colors };
  const n = (layout.value?.points.length ?? 0) / 2;
  const add = (place: number) => {
    const color = colorOf(place, dark);
    for (const id of selections.value[place]?.ids ?? []) {
      if (id >= n) continue;
      ids.push(id);
      colors.push(color);
    }
  };
  if (!isolated.value) selections.value.forEach((s, place) => s.name !== "" && place !== chosen.value && add(place));
  add(chosen.value);
  return { ids, colors };
}

/** The words of the selection with their cosines with its mean: in the order that they came in, if it is one of their own,
 * and else the most typical first. */
export const listed = computed<{ id: number; cosine: number | null }[]>(() => {
  const ids = onMap.value;
  const cosines = valueOf(selectionFacts.value)?.cosines;
  if (!cosines || cosines.length !== ids.length) return ids.map((id) => ({ id, cosine: null }));
  const words = ids.map((id, i) => ({ id, cosine: cosines[i] ?? 0 }));
  const ordered = ids.some((id, i) => i > 0 && id < (ids[i - 1] ?? 0));
  return ordered ? words : words.sort((a, b) => b.cosine - a.cosine);
});

/** The words nearest to the mean, of those that were seen often enough, if there are some. */
export const typical = computed<number[]>(() => {
  const known = listed.value.filter((w) => w.cosine !== null);
  const often = known.filter((w) => firstWords.value === 0 || w.id < firstWords.value);
  return (often.length > 0 ? often : known).sort((a, b) => (b.cosine ?? 0) - (a.cosine ?? 0)).map((w) => w.id);
});

/** What more of the selection than of the rest have in common. */
export const distinguishing = computed<Trait[]>(() => {
  const at = layout.value;
  const words = valueOf(vocabulary.value)?.words;
  if (!at || !words || panel.value !== "selection" || onMap.value.length === 0) return [];
  const labels = new Map((at.info.clusters ?? []).map((c) => [c.id, c.label]));
  const properties: Property[] = [{ name: "cluster", of: (id) => labels.get(at.clusters[id] ?? -1) ?? null }];
  for (const [name, field] of valueOf(fields.value) ?? []) {
    if (field.kind === "category") properties.push({ name, of: (id) => field.categories[field.values[id] ?? -1] ?? null });
  }
  properties.push(endings(words, 2), endings(words, 3));
  return traits(onMap.value, at.points.length / 2, properties, mostTraits);
});

/** The middle values of counts and of fields of numbers: of the selection, and of all words. */
export const middles = computed<{ name: string; inside: number; all: number }[]>(() => {
  const counts = valueOf(vocabulary.value)?.counts;
  const ids = onMap.value;
  if (panel.value !== "selection" || ids.length === 0) return [];
  const found: { name: string; inside: number; all: number }[] = [];
  const add = (name: string, values: ArrayLike<number | null>) => {
    const inside = median(ids.map((id) => values[id]));
    const all = median(Array.from({ length: Math.min(values.length, 50_000) }, (_, i) => values[Math.floor((i * values.length) / Math.min(values.length, 50_000))] ?? null));
    if (inside !== null && all !== null) found.push({ name, inside, all });
  };
  if (counts) add("times seen", counts);
  for (const [name, field] of valueOf(fields.value) ?? []) if (field.kind === "number") add(name, field.values);
  return found;
});

export function startSelections(source: Source): void {
  const askFacts = new Latest(selectionFacts);
  effect(() => {
    const now = model.value;
    const ids = onMap.value;
    const first = firstWords.value;
    if (!now || ids.length === 0) return askFacts.clear();
    void askFacts.ask((signal) => source.selected(now.name, ids, first, signal));
  });

  const askFields = new Latest(fields);
  let known = "";
  effect(() => {
    const now = model.value;
    if (!now || now.name === known || panel.value !== "selection" || selected.value === null) return;
    known = now.name;
    const names = now.fields.slice(0, mostFields).map((f) => f.name);
    if (names.length === 0) return askFields.clear();
    void askFields.ask(async (signal) => new Map(await Promise.all(names.map(async (name) => [name, await source.field(now.name, name, signal)] as const))));
  });

  const askMap = new Latest(localSelection);
  effect(() => {
    const now = model.value;
    const ids = onMap.value;
    const by = again.value;
    const words = valueOf(vocabulary.value)?.words;
    if (!now || !words || ids.length === 0 || by === "") return askMap.clear();
    if (!source.can.again.includes(by)) {
      again.value = source.can.again[0] ?? "";
      return;
    }
    // The first words of the vocabulary are labelled first, and drawn last.
    const sorted = [...ids].sort((a, b) => a - b);
    void askMap.ask(async (signal) => {
      const { points, explained } = await source.project(now.name, by, sorted, signal);
      const places = sorted.map((_, i): [number, number] => [points[2 * i] ?? 0, points[2 * i + 1] ?? 0]);
      const share = (explained ?? []).slice(0, 2).reduce((sum, one) => sum + one, 0);
      return { kind: "selection", words: sorted.map((id) => ({ word: words[id] ?? "", id })), layout: placed({ points: places, share }).layout, share };
    });
  });
}
