// Generated data, for the development server and for tests: clusters of made-up words, and a few pairs
// that make analogies.

import {
  SourceError,
  type Among,
  type Analogy,
  type Axis,
  type Comparison,
  type EvaluationFile,
  type Field,
  type MapInfo,
  type ModelInfo,
  type Neighbors,
  type Place,
  type ProjectionName,
  type Query,
  type Run,
  type RunRecord,
  type SelectionFacts,
  type SelectionMap,
  type Source,
  type Stream,
} from "./source";
import { principal, summary } from "./selections/vectors";

const dim = 8;
const clusterCount = 24;

const pairs: [string, string][] = [
  ["man", "woman"],
  ["king", "queen"],
  ["prince", "princess"],
  ["father", "mother"],
  ["boy", "girl"],
  ["paris", "france"],
  ["berlin", "germany"],
  ["rome", "italy"],
];

/** A generator of numbers from 0 to 1 that gives the same numbers each time (mulberry32). */
function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

const syllables = ["ba", "ke", "li", "mo", "nu", "ra", "se", "ti", "vo", "zu", "dan", "fer", "gol", "hin", "jur", "pen"];

function madeUp(i: number): string {
  let text = "";
  for (let n = i + syllables.length; n > 0; n = Math.floor(n / syllables.length)) text += syllables[n % syllables.length] ?? "";
  return text;
}

export class MockSource implements Source {
  readonly can = { compare: true, evaluations: true, runs: true, again: ["pca", "umap"] as const };
  private readonly list: string[];
  private readonly ids: Map<string, number>;
  private readonly rows: Float32Array;
  private readonly cluster: Uint16Array;
  private umapSince = 0;

  /** delay is how long the projection UMAP takes at first, in milliseconds. */
  constructor(
    readonly size = 5000,
    private readonly delay = 1500,
  ) {
    const random = generator(1);
    this.list = pairs.flat().slice(0, size);
    while (this.list.length < size) this.list.push(madeUp(this.list.length));
    this.ids = new Map(this.list.map((word, id) => [word, id]));
    this.rows = new Float32Array(size * dim);
    this.cluster = new Uint16Array(size);
    const centres = Float32Array.from({ length: clusterCount * dim }, () => normal(random));
    const offset = Float32Array.from({ length: dim }, () => 0.6 * normal(random));
    for (let i = 0; i < size; i++) {
      const c = i < pairs.length * 2 ? 0 : Math.floor(random() * random() * clusterCount);
      this.cluster[i] = c;
      for (let d = 0; d < dim; d++) {
        let value = (centres[c * dim + d] ?? 0) + 0.35 * normal(random);
        const partner = i < pairs.length * 2 && i % 2 === 1;
        if (partner) value = (this.rows[(i - 1) * dim + d] ?? 0) + (offset[d] ?? 0) + 0.03 * normal(random);
        this.rows[i * dim + d] = value;
      }
    }
  }

  private model(name: string): ModelInfo {
    return {
      name,
      format: "mock",
      words: this.size,
      dim,
      points: this.size,
      subwords: true,
      counts: true,
      training: { architecture: "skip-gram", epochs: 5, window: 5 },
      fields: [
        { name: "part of speech", kind: "category" },
        { name: "length", kind: "number" },
      ],
      projections: ["pca", "umap"],
    };
  }

  async models(): Promise<ModelInfo[]> {
    return [this.model("mock"), this.model("mock 2")];
  }

  async words(): Promise<string[]> {
    return this.list;
  }

  async counts(): Promise<Float64Array> {
    return Float64Array.from(this.list, (_, i) => Math.round(1e6 / (i + 3)));
  }

  async field(_model: string, name: string): Promise<Field> {
    if (name === "length") return { kind: "number", values: this.list.map((word, i) => (i % 50 === 0 ? null : word.length)) };
    return { kind: "category", categories: ["noun", "verb", "adjective", "other"], values: this.list.map((_, i) => (i % 40 === 0 ? -1 : (this.cluster[i] ?? 0) % 4)) };
  }

  private xy(i: number, projection: ProjectionName): [number, number] {
    const v = (d: number) => this.rows[i * dim + d] ?? 0;
    if (projection === "pca") return [v(0) + 0.4 * v(2), v(1) - 0.3 * v(3)];
    const c = this.cluster[i] ?? 0;
    return [4 * Math.cos(c * 2.4) * Math.sqrt(c + 1) + v(4) + 0.5 * v(6), 4 * Math.sin(c * 2.4) * Math.sqrt(c + 1) + v(5) - 0.5 * v(7)];
  }

  private mapAt(projection: ProjectionName): MapInfo {
    if (projection === "umap") {
      if (this.umapSince === 0) this.umapSince = Date.now();
      const progress = (Date.now() - this.umapSince) / this.delay;
      if (progress < 1) return { state: "running", stage: progress < 0.5 ? "nearest neighbours" : "layout", progress, eta_seconds: Math.ceil(((1 - progress) * this.delay) / 1000) };
    }
    const sums = Array.from({ length: clusterCount }, () => ({ x: 0, y: 0, size: 0, words: [] as string[] }));
    for (let i = 0; i < this.size; i++) {
      const sum = sums[this.cluster[i] ?? 0];
      if (!sum) continue;
      const [x, y] = this.xy(i, projection);
      sum.x += x;
      sum.y += y;
      sum.size++;
      if (sum.words.length < 3) sum.words.push(this.list[i] ?? "");
    }
    return {
      state: "ready",
      trustworthiness: projection === "pca" ? 0.81 : 0.95,
      trustworthiness_points: Math.min(5000, this.size),
      ...(projection === "pca" ? { explained: [0.31, 0.22] } : {}),
      bounds: [-10, -10, 10, 10],
      clusters: sums.flatMap(({ x, y, size, words }, id) => (size > 0 ? [{ id, label: words.join(", "), x: x / size, y: y / size, size }] : [])),
    };
  }

  async map(_model: string, projection: ProjectionName): Promise<MapInfo> {
    return this.mapAt(projection);
  }

  mapProgress(_model: string, projection: ProjectionName, report: (info: MapInfo) => void): Stream {
    const timer = setInterval(() => {
      const info = this.mapAt(projection);
      if (info.state !== "running") clearInterval(timer);
      report(info);
    }, 100);
    return { close: () => clearInterval(timer) };
  }

  async points(_model: string, projection: ProjectionName): Promise<Float32Array> {
    const points = new Float32Array(2 * this.size);
    for (let i = 0; i < this.size; i++) points.set(this.xy(i, projection), 2 * i);
    return points;
  }

  async clusters(): Promise<Uint16Array> {
    return this.cluster;
  }

  private id(word: string): number {
    const id = this.ids.get(word);
    if (id === undefined) throw new SourceError(`unknown word ${JSON.stringify(word)}`, 404, "unknown_word", this.list.slice(0, 3));
    return id;
  }

  /** A unit vector: of a word, of the letters of an unknown one, or of an expression. */
  private vector(query: Query): Float32Array {
    const sum = new Float32Array(dim);
    const add = (word: string, sign: number) => {
      const id = this.ids.get(word);
      if (id === undefined && query.expression) this.id(word);
      const row = id ?? [...word].reduce((hash, letter) => (hash * 31 + (letter.codePointAt(0) ?? 0)) % this.size, 7);
      const v = this.unit(row);
      for (let d = 0; d < dim; d++) sum[d] = (sum[d] ?? 0) + sign * (v[d] ?? 0);
    };
    if (query.expression) {
      let sign = 1;
      for (const piece of query.text.split(/\s+/)) {
        if (piece === "+" || piece === "-") sign = piece === "+" ? 1 : -1;
        else add(piece, sign);
      }
    } else add(query.text, 1);
    return normalised(sum);
  }

  private unit(i: number): Float32Array {
    return normalised(this.rows.slice(i * dim, (i + 1) * dim));
  }

  private nearest(v: Float32Array, k: number, without: number[], first = 0, clusters: number[] = []): { word: string; id: number; similarity: number }[] {
    const all = this.list.map((word, id) => ({ word, id, similarity: dot(this.unit(id), v) }));
    return all
      .filter(({ id }) => !without.includes(id) && (first === 0 || id < first) && (clusters.length === 0 || clusters.includes(this.cluster[id] ?? -1)))
      .sort((a, b) => b.similarity - a.similarity)
      .slice(0, k);
  }

  private terms(query: Query): number[] {
    return query.text.split(/\s+/).flatMap((piece) => this.ids.get(piece) ?? []);
  }

  async vectors(_model: string, words: string[]): Promise<Float32Array[]> {
    return words.map((word) => this.vector({ text: word, expression: false }));
  }

  async neighbors(model: string, query: Query, k: number, { first, clusters }: Among): Promise<Neighbors> {
    if (query.text === "nosuchword") this.id(query.text);
    const composed = !query.expression && !this.ids.has(query.text);
    const neighbors = this.nearest(this.vector(query), k, this.terms(query), first, clusters).map((n) => ({ ...n, count: Math.round(1e6 / (n.id + 3)) }));
    return { model, query: query.text, found_as: query.text, terms: query.text.split(/\s+/), composed, neighbors };
  }

  async preserved(): Promise<Uint8Array> {
    return Uint8Array.from(this.list, (_, i) => (i * 7) % 11);
  }

  async place(_model: string, projection: ProjectionName, query: Query): Promise<Place> {
    if (query.text === "nosuchword") this.id(query.text);
    const id = query.expression ? -1 : (this.ids.get(query.text) ?? -1);
    const neighbors = this.nearest(this.vector(query), 8, this.terms(query)).map((n) => {
      const [x, y] = this.xy(n.id, projection);
      return { ...n, x, y };
    });
    const total = neighbors.reduce((sum, n) => sum + n.similarity, 0);
    const mean = (axis: "x" | "y") => neighbors.reduce((sum, n) => sum + (n[axis] * n.similarity) / total, 0);
    const [x, y] = id >= 0 ? this.xy(id, projection) : [mean("x"), mean("y")];
    const grams = [...`<${query.text}>`].map((_, i, all) => all.slice(i, i + 4).join("")).filter((gram) => gram.length === 4);
    const parts = grams.map((name, i) => ({ name, kind: "ngram" as const, norm: 1 / (i + 1), share: 1 / grams.length }));
    return { word: query.text, found_as: query.text, id, composed: id < 0 && !query.expression, x, y, neighbors, ...(query.expression ? {} : { parts }) };
  }

  async analogy(_model: string, projection: ProjectionName, a: string, b: string, c: string, k: number): Promise<Analogy> {
    const roles = ["a", "b", "c"] as const;
    const terms = [a, b, c].map((word, i) => {
      const id = this.id(word);
      const [x, y] = this.xy(id, projection);
      return { role: roles[i] ?? "a", word, id, x, y };
    });
    const answers = this.nearest(this.vector({ text: `${b} - ${a} + ${c}`, expression: true }), k, terms.map((t) => t.id)).map(({ word, id, similarity }) => {
      const [x, y] = this.xy(id, projection);
      return { word, id, score: similarity, x, y };
    });
    const at = (i: number, axis: "x" | "y") => terms[i]?.[axis] ?? 0;
    return { terms, target: { x: at(1, "x") - at(0, "x") + at(2, "x"), y: at(1, "y") - at(0, "y") + at(2, "y") }, answers };
  }

  async axisValues(_model: string, from: string, to: string): Promise<Float32Array> {
    const a = this.unit(this.id(from));
    const b = this.unit(this.id(to));
    const direction = normalised(b.map((value, d) => value - (a[d] ?? 0)));
    return Float32Array.from(this.list, (_, i) => dot(this.unit(i), direction));
  }

  async axis(model: string, from: string, to: string, k: number): Promise<Axis> {
    const values = await this.axisValues(model, from, to);
    const sorted = this.list.map((word, id) => ({ word, id, value: values[id] ?? 0 })).sort((a, b) => b.value - a.value);
    return { from, to, toward: sorted.slice(0, k), away: sorted.slice(-k).reverse() };
  }

  async selected(_model: string, ids: readonly number[], first: number): Promise<SelectionFacts> {
    const { away, ...facts } = summary(ids, this.size, dim, (id) => this.unit(id));
    return { ...facts, toward: this.nearest(away, 10, [], first).map(({ word, id, similarity }) => ({ word, id, value: similarity })) };
  }

  async project(_model: string, _by: ProjectionName, ids: readonly number[]): Promise<SelectionMap> {
    return principal(ids, dim, (id) => this.unit(id));
  }

  async compare(_old: string, _new: string, k: number): Promise<Comparison> {
    const moved = this.list.slice(0, k).map((word, rank) => ({ word, cosine: 0.2 + rank / 100, rank, old_neighbors: this.list.slice(rank + 1, rank + 6), new_neighbors: this.list.slice(rank + 20, rank + 25) }));
    return { shared: this.size, moved, stable: moved.map((m) => ({ ...m, cosine: 0.99 - m.rank / 1000 })) };
  }

  async cosinesWith(_model: string, query: Query): Promise<Float32Array> {
    const v = this.vector(query);
    return Float32Array.from(this.list, (_, i) => dot(this.unit(i), v));
  }

  async cosines(): Promise<Float32Array> {
    return Float32Array.from(this.list, (_, i) => (i % 10 === 9 ? NaN : 1 - 0.8 / Math.sqrt(i + 1)));
  }

  async evaluations(): Promise<EvaluationFile[]> {
    const record = (model: string, set: string, score: number) => ({
      set,
      task: "similarity",
      metric: "spearman",
      score,
      interval: [score - 0.06, score + 0.05],
      items: 353,
      used: 341,
      composed: 0,
      missing: ["Maradona", "<b>Arafat</b>"],
      bands: [{ name: "1-1000", items: 40, score: score - 0.1 }],
      settings: { ignore_case: true, resamples: 10000 },
      model_file: { sha256: model, files: [{ path: `${model}.w2v` }] },
    });
    return ["large", "small"].map((model, i) => ({
      file: `${model}.jsonl`,
      records: [record(model, "ws353", 0.68 - i / 5), record(model, "simlex999", 0.37 - i / 50)],
    }));
  }

  async runs(): Promise<Run[]> {
    return [
      { name: "run 1", finished: true },
      { name: "run 2", finished: false },
    ];
  }

  run(name: string, listener: { record: (record: RunRecord) => void; restarted: () => void; end: (error?: SourceError) => void }): Stream {
    const live = name === "run 2";
    const total = 3e8;
    const slower = live ? 1.1 : 1;
    let step = 0;
    const next = () => {
      step++;
      const tokens = (total * step) / 100;
      const elapsed = step * slower;
      const loss = 2 + 1 / Math.sqrt(step * slower);
      listener.record({ event: "progress", tokens, total, loss, lr: 0.05 * (1 - step / 100), tokens_per_second_now: 3e6 / slower, elapsed, eta: (100 - step) * slower, final: false });
      if (step % 10 === 0) listener.record({ event: "evaluation", tokens, elapsed, held_out_loss: loss + 0.2, scores: [{ set: "ws353", score: 0.7 - 1 / step }], best: true });
      if (step === 100) {
        clearInterval(timer);
        listener.record({ event: "done", complete: true, loss, output: `${name}.w2v`, error: "", remarks: [] });
        listener.end();
      }
    };
    const timer = setInterval(next, 200);
    listener.record({ event: "start", time: "2026-01-01T00:00:00Z", tokens: 0, total, words: this.size, resumed: false });
    while (step < (live ? 20 : 100)) next();
    return { close: () => clearInterval(timer) };
  }
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let d = 0; d < a.length; d++) sum += (a[d] ?? 0) * (b[d] ?? 0);
  return sum;
}

function normalised(v: Float32Array): Float32Array {
  const norm = Math.sqrt(dot(v, v)) || 1;
  return v.map((value) => value / norm);
}
