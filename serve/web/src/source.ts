// What the explorer asks for, and the shapes of the answers. A Source is a server (ServerSource), the
// data inside of an exported page (EmbeddedSource) or generated data (MockSource).

export type ProjectionName = "pca" | "umap";

export interface FieldInfo {
  name: string;
  kind: "category" | "number";
}

export interface ModelInfo {
  name: string;
  format: string;
  words: number;
  dim: number;
  /** How many of the first words are on the map. */
  points: number;
  subwords: boolean;
  counts: boolean;
  /** Facts of the training, as the model's file has them. */
  training: Record<string, unknown>;
  fields: FieldInfo[];
  projections: ProjectionName[];
}

export type Field =
  | { kind: "category"; categories: string[]; values: number[]; /** How many rare categories the last one stands for. */ merged?: number }
  | { kind: "number"; values: (number | null)[] };

export interface Cluster {
  id: number;
  label: string;
  x: number;
  y: number;
  size: number;
  /** Which of the colours for clusters it has, on all maps of the model. */
  tone?: number;
}

/** A group of clusters, or a part of one. */
export interface Group {
  label: string;
  x: number;
  y: number;
  size: number;
  /** The clusters in it, or the one that it is a part of. */
  of: number[];
}

export interface MapInfo {
  state: "ready" | "running" | "failed";
  stage?: string;
  /** From 0 to 1. */
  progress?: number;
  eta_seconds?: number;
  /** About how many bytes the computation takes. */
  memory?: number;
  error?: string;
  trustworthiness?: number;
  trustworthiness_points?: number;
  /** How many words were laid out, if the others were placed beside the nearest of them. */
  landmarks?: number;
  /** Shares of the variance, of PCA only. */
  explained?: number[];
  /** minx, miny, maxx, maxy */
  bounds?: number[];
  clusters?: Cluster[];
  /** Groups of clusters, the largest first, and parts of clusters. */
  coarse?: Group[];
  fine?: Group[];
  /** Ids of frequent words that are near to all others. */
  stop?: number[];
}

export interface Neighbor {
  word: string;
  id: number;
  similarity: number;
  count?: number;
}

export interface Neighbors {
  model: string;
  query: string;
  found_as?: string;
  terms?: string[];
  composed?: boolean;
  neighbors: Neighbor[];
}

export interface Part {
  name: string;
  kind: "ngram" | "word";
  norm: number;
  /** From 0 to 1; the shares of all parts add up to 1. */
  share: number;
}

export interface Place {
  word: string;
  found_as?: string;
  /** -1 if the word is not in the vocabulary. */
  id: number;
  composed: boolean;
  /** Absent if nothing places the word. */
  x?: number;
  y?: number;
  neighbors: (Neighbor & { x?: number; y?: number })[];
  parts?: Part[];
}

export interface AxisWord {
  word: string;
  id: number;
  value: number;
}

export interface Axis {
  from: string;
  to: string;
  toward: AxisWord[];
  away: AxisWord[];
  words?: AxisWord[];
}

/** What is said of many words. */
export interface SelectionFacts {
  /** The mean of the cosines of all pairs. */
  similarity: number;
  /** The cosine of each word with the mean of the unit vectors. */
  cosines: number[];
  /** The words nearest to the direction from the mean of the rest to that of the selection. */
  toward: AxisWord[];
}

/** A map of some words alone. */
export interface SelectionMap {
  /** x0, y0, x1, y1, … */
  points: Float32Array;
  /** Shares of the variance, of PCA only. */
  explained?: number[];
}

export interface AnalogyTerm {
  role: "a" | "b" | "c";
  word: string;
  id: number;
  /** Absent if the word is not on the map. */
  x?: number;
  y?: number;
}

export interface AnalogyAnswer {
  word: string;
  id: number;
  score: number;
  x?: number;
  y?: number;
}

export interface Analogy {
  terms: AnalogyTerm[];
  /** Absent if one of the terms is not on the map. */
  target?: { x: number; y: number };
  answers: AnalogyAnswer[];
}

export interface MovedWord {
  word: string;
  /** Of its two vectors, after the models were aligned. */
  cosine: number;
  rank: number;
  old_neighbors: string[];
  new_neighbors: string[];
}

export type Comparison =
  | { state: "running"; progress?: number; stage?: string }
  | {
      state?: "ready";
      shared: number;
      /** Words that either model saw less often are left out. */
      min_count?: number;
      rare?: number;
      /** Of the cosines. */
      median?: number;
      moved: MovedWord[];
      stable: MovedWord[];
      only_old?: OnlyWords;
      only_new?: OnlyWords;
    };

/** Words that one model alone has, and the most frequent of them. */
export interface OnlyWords {
  count: number;
  words: string[];
}

export interface EvaluationFile {
  file: string;
  records: Record<string, unknown>[];
  /** Why there are no more records. */
  error?: string;
}

export interface Run {
  name: string;
  finished: boolean;
}

/** One line of a training log (`train --log-json`). */
export type RunRecord = Record<string, unknown>;

/** Which words may answer. */
export interface Among {
  /** So many first words; 0 for all. */
  first: number;
  /** Conditions on fields, such as "country=France", all of which a word must meet. */
  where: string[];
  /** Clusters, in one of which a word must be; empty for all words. */
  clusters: number[];
}

/** A word, or an expression such as "king - man + woman". */
export interface Query {
  text: string;
  expression: boolean;
}

/** A request that was refused or failed, with the server's words. */
export class SourceError extends Error {
  constructor(
    message: string,
    readonly status: number,
    readonly code: string,
    readonly suggestions: string[] = [],
  ) {
    super(message);
    this.name = "SourceError";
  }
}

/** What a stream of events calls; close ends the stream. */
export interface Stream {
  close(): void;
}

export interface Source {
  /** What the source can do besides showing one model's map. */
  readonly can: { compare: boolean; evaluations: boolean; runs: boolean; /** How words are projected again. */ again: readonly ProjectionName[] };
  /** Facts of the page itself, such as when it was exported, as pairs of a name and a value. */
  readonly about?: [string, string][];
  /** The address of short pages about word vectors with the words of a model, if there are some. */
  lessons?(model: string): string;

  models(signal?: AbortSignal): Promise<ModelInfo[]>;
  words(model: string, signal?: AbortSignal): Promise<string[]>;
  /** Null if the model knows no counts. */
  counts(model: string, signal?: AbortSignal): Promise<Float64Array | null>;
  field(model: string, name: string, signal?: AbortSignal): Promise<Field>;

  /** Asking starts the computation of a projection that is not there yet. One by UMAP that is like another model begins at
   * the places of that model's map, and so do the methods below; it has points of its own. */
  map(model: string, projection: ProjectionName, signal?: AbortSignal, like?: string): Promise<MapInfo>;
  /** Reports until the state is not "running"; the last report says ready or failed. */
  mapProgress(model: string, projection: ProjectionName, report: (info: MapInfo) => void, like?: string): Stream;
  /** x0, y0, x1, y1, … */
  points(model: string, projection: ProjectionName, signal?: AbortSignal, like?: string): Promise<Float32Array>;
  /** The cluster of each point, 65535 for none. */
  clusters(model: string, projection: ProjectionName, signal?: AbortSignal, like?: string): Promise<Uint16Array>;
  /** How many of its ten nearest words each word has among the ten nearest on the map, 255 for a word without direction; while they are
   * counted, how far that is. */
  preserved(model: string, projection: ProjectionName, signal?: AbortSignal, like?: string): Promise<Uint8Array | MapInfo>;
  place(model: string, projection: ProjectionName, query: Query, signal?: AbortSignal, like?: string): Promise<Place>;

  /** The vectors of words, in their order. */
  vectors(model: string, words: string[], signal?: AbortSignal): Promise<Float32Array[]>;
  neighbors(model: string, query: Query, k: number, among: Among, signal?: AbortSignal): Promise<Neighbors>;
  analogy(model: string, projection: ProjectionName, a: string, b: string, c: string, k: number, among: Among, signal?: AbortSignal): Promise<Analogy>;
  axis(model: string, from: string, to: string, k: number, among: Among, signal?: AbortSignal): Promise<Axis>;
  axisValues(model: string, from: string, to: string, signal?: AbortSignal): Promise<Float32Array>;

  /** What is said of words of the map. So many first words are named; 0 for all. */
  selected(model: string, ids: readonly number[], first: number, signal?: AbortSignal): Promise<SelectionFacts>;
  /** Projects words of the map without the others. */
  project(model: string, by: ProjectionName, ids: readonly number[], signal?: AbortSignal): Promise<SelectionMap>;

  compare(oldModel: string, newModel: string, k: number, signal?: AbortSignal): Promise<Comparison>;
  /** The cosine of each word of the map with a word or an expression. */
  cosinesWith(model: string, query: Query, signal?: AbortSignal): Promise<Float32Array>;
  /** The cosine of the two vectors of each word of the old model's map, NaN for words without two; null while it is computed. */
  cosines(oldModel: string, newModel: string, signal?: AbortSignal): Promise<Float32Array | null>;
  evaluations(signal?: AbortSignal): Promise<EvaluationFile[]>;
  runs(signal?: AbortSignal): Promise<Run[]>;
  /** All lines of a log from its beginning, then new ones as they are written. restarted says that
   * the file begins anew, and end that there will be no more. */
  run(name: string, listener: { record: (record: RunRecord) => void; restarted: () => void; end: (error?: SourceError) => void }): Stream;
}
