// The state of the app: signals that components read. What changes them is in actions.ts, what loads
// them in load.ts, and what keeps the address like them in address.ts.

import { computed, signal } from "@preact/signals";
import type { Among, Analogy, Axis, Cluster, Field, MapInfo, ModelInfo, Neighbors, Place, ProjectionName, Query } from "../source";
import { languageOf } from "../embedded/words";
import type { Box } from "../map/camera";
import type { Camera, ColorBy } from "./view";

/** Something that is asked of the source. */
export type Load<T> = { state: "none" } | { state: "loading" } | { state: "ready"; value: T } | { state: "failed"; error: Error };

export const none = { state: "none" } as const;
export const loading = { state: "loading" } as const;

/** The value, or null while there is none. */
export function valueOf<T>(load: Load<T>): T | null {
  return load.state === "ready" ? load.value : null;
}

/** The words of one model. */
export interface Vocabulary {
  words: string[];
  /** From a word to its id. */
  ids: Map<string, number>;
  counts: Float64Array | null;
  /** By whose rules words are in lower case; empty for those of no language. */
  language: string;
}

/** Of words that are listed twice the first one counts. */
export function vocabularyOf(model: ModelInfo, words: string[], counts: Float64Array | null): Vocabulary {
  const ids = new Map<string, number>();
  words.forEach((word, id) => {
    if (!ids.has(word)) ids.set(word, id);
  });
  return { words, ids, counts, language: languageOf(model.training) };
}

/** How often a word must be seen for its vector to mean much, and how many words a small model keeps all the same. */
const often = { count: 100, words: 2000 };

/** How many first words were seen often enough; 0 if all were, or if that is not known. */
export function seenOften(vocabulary: Vocabulary | null): number {
  if (!vocabulary?.counts) return 0;
  const rare = vocabulary.counts.findIndex((count) => count < often.count);
  return rare < 0 || vocabulary.words.length <= often.words ? 0 : Math.max(rare, often.words);
}

/** One projection of one model, in units of the map: the middle of the points is 0, and nearly all of
 * them lie between -100 and 100. */
export interface Layout {
  model: string;
  projection: ProjectionName;
  info: MapInfo;
  points: Float32Array;
  clusters: Uint16Array;
  /** From coordinates of the source to those of the map. */
  toMap(x: number, y: number): [number, number];
  /** Clusters in units of the map, in the place of those of info. */
  labels?: Cluster[];
  /** What is shown as the whole; by default -100 to 100 both ways. */
  extent?: Box;
}

/** An answer with the projection that its coordinates belong to. */
export type On<T> = T & { projection: ProjectionName };

export const models = signal<Load<ModelInfo[]>>(none);
export const modelName = signal("");
export const model = computed(() => valueOf(models.value)?.find((m) => m.name === modelName.value) ?? null);

export const vocabulary = signal<Load<Vocabulary>>(none);

export const projection = signal<ProjectionName>("umap");
/** What the server says of the projection that is asked for. */
export const mapInfo = signal<Load<MapInfo>>(none);
/** What is drawn: the last layout that is complete. */
export const layout = signal<Layout | null>(null);

/** Where the camera of the map is; null shows the whole map. A second map has the same one. */
export const camera = signal<Camera | null>(null);
/** The camera that shows the whole map. */
export const wholeCamera = signal<Camera | null>(null);

/** Whether an analogy or an axis is shown on the map of all words, and not in a plane of its own. */
export const wholeMap = signal(false);
/** The camera of that plane; null shows all of it. */
export const planeCamera = signal<Camera | null>(null);

export const query = signal<Query | null>(null);
export const neighbors = signal<Load<Neighbors>>(none);
/** How many first words of the vocabulary, which are the most frequent ones, may answer: 0 for all, and null for those
 * that were seen often enough. */
export const frequent = signal<number | null>(null);
export const firstWords = computed(() => frequent.value ?? seenOften(valueOf(vocabulary.value)));
/** The clusters and the conditions on fields of the words that may answer; empty for all. */
export const clustersChosen = signal<number[]>([]);
export const conditions = signal<string[]>([]);
/** Which words may answer. */
export const among = computed<Among>(() => ({ first: firstWords.value, clusters: clustersChosen.value, where: conditions.value }));
/** Whether it is known yet which these are: how often words were seen, and where the clusters are. */
export const amongKnown = computed(() => {
  const clusters = clustersChosen.value.length === 0 || (layout.value?.info.clusters?.length ?? 0) > 0 || model.value?.projections.includes("umap") === false;
  return clusters && (frequent.value !== null || vocabulary.value.state === "ready" || vocabulary.value.state === "failed");
});

export const neighborCount = signal(12);
/** Where the query lies on the map, and what it is composed of. */
export const place = signal<Load<On<Place>>>(none);
/** The word under the pointer or the focus of a list, as an id of the map; -1 for none. */
export const hovered = signal(-1);

export const colorBy = signal<ColorBy>({ by: "cluster" });
export const field = signal<Load<Field>>(none);

export const analogyWords = signal<[string, string, string] | null>(null);
export const analogy = signal<Load<On<Analogy>>>(none);

export const axisWords = signal<[string, string] | null>(null);
export const axis = signal<Load<Axis>>(none);
export const axisValues = signal<Load<Float32Array>>(none);

/** Many words. One with a name stays beside those that are made later; there is one without at most. */
export interface Selection {
  name: string;
  /** By lasso in order of frequency, or in that of a list. */
  ids: number[];
  /** What it was made of, such as the name of a cluster. */
  about?: string;
}

export const selections = signal<Selection[]>([]);
/** The place of the selection that is looked at; -1 for none. */
export const chosen = signal(-1);
export const selected = computed<Selection | null>(() => selections.value[chosen.value] ?? null);
/** The ids of the selection that is looked at. */
export const selection = computed(() => selected.value?.ids ?? noIds);
const noIds: number[] = [];
/** Whether the map shows that selection alone. */
export const isolated = signal(false);
/** How the words of that selection are projected again, of themselves alone; empty for not. */
export const again = signal<ProjectionName | "">("");
export const lassoActive = signal(false);

export const showContours = signal(true);

export const panel = signal("word");
/** The model that the first one is compared with. */
export const otherModel = signal("");

/** What the address asks for and is not here; empty for nothing. */
export const notice = signal("");

/** Says something else of the address, once. */
export function note(text: string): void {
  const before = notice.peek();
  if (!before.includes(text)) notice.value = before ? `${before} ${text}` : text;
}

/** A text of an address as it is named, which may be long. */
export function named(text: string): string {
  return `“${text.length > 60 ? `${text.slice(0, 59)}…` : text}”`;
}

/** What screen readers are told. */
export const announcement = signal("");
