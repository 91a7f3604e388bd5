import {
  SourceError,
  type Among,
  type Analogy,
  type Axis,
  type AxisWord,
  type Comparison,
  type EvaluationFile,
  type Field,
  type MapInfo,
  type ModelInfo,
  type Neighbor,
  type Neighbors,
  type Place,
  type ProjectionName,
  type Query,
  type Run,
  type SelectionFacts,
  type SelectionMap,
  type Source,
  type Stream,
} from "../source";
import { meets, parseCondition } from "../filter/conditions";
import { percent } from "../numbers";
import type { VectorClient } from "./client";
import type { Decoded, DecodedMap } from "./format";
import { best, type Scored, type Term } from "./vectors";
import { parseExpression, WordIndex } from "./words";

const suggestionsGiven = 5;
const everything: Among = { first: 0, where: [], clusters: [] };

/** EmbeddedSource answers from the data inside of the page. It needs no server. */
export class EmbeddedSource implements Source {
  readonly can = { compare: false, evaluations: false, runs: false, again: ["pca"] as const };
  readonly about: [string, string][];
  private readonly index: WordIndex;

  constructor(
    private readonly data: Decoded,
    private readonly ask: VectorClient,
  ) {
    this.index = new WordIndex(data.words, data.model.training);
    this.about = [
      ["Made by", data.generator],
      ["Made on", data.created],
      ["Vectors", `${data.dim} dimensions of a byte each, which keep ${percent(data.kept, 1)} of their squared length`],
    ];
    if (data.recall !== null) {
      this.about.push(["Neighbours", `${percent(data.recall)} of the ten nearest are those of the model, by a sample`]);
    }
  }

  models(): Promise<ModelInfo[]> {
    return Promise.resolve([this.data.model]);
  }

  words(): Promise<string[]> {
    return Promise.resolve(this.data.words);
  }

  counts(): Promise<Float64Array | null> {
    return Promise.resolve(this.data.counts);
  }

  async field(_model: string, name: string): Promise<Field> {
    const field = this.data.fields.get(name);
    if (!field) throw new SourceError("This page has no such field.", 404, "unknown_field");
    return field;
  }

  async map(_model: string, projection: ProjectionName): Promise<MapInfo> {
    return this.projection(projection).info;
  }

  mapProgress(_model: string, projection: ProjectionName, report: (info: MapInfo) => void): Stream {
    report(this.projection(projection).info);
    return { close: () => undefined };
  }

  async points(_model: string, projection: ProjectionName): Promise<Float32Array> {
    return this.projection(projection).points;
  }

  async clusters(_model: string, projection: ProjectionName): Promise<Uint16Array> {
    return this.projection(projection).clusters;
  }

  async preserved(_model: string, projection: ProjectionName): Promise<Uint8Array> {
    return this.projection(projection).preserved;
  }

  async place(_model: string, projection: ProjectionName, query: Query, signal?: AbortSignal): Promise<Place> {
    const { points } = this.projection(projection);
    const terms = this.terms(query);
    const near = (await this.nearest(terms, 10, everything, signal)).map((n) => ({ ...n, ...at(points, n.id) }));
    const only = terms.length === 1 && terms[0]?.weight === 1 ? terms[0].row : -1;
    const point = only >= 0 ? at(points, only) : weightedMean(near);
    const found = only >= 0 ? { found_as: this.word(only) } : {};
    return { word: query.text, ...found, id: only, composed: false, ...point, neighbors: near };
  }

  async vectors(_model: string, words: string[], signal?: AbortSignal): Promise<Float32Array[]> {
    const reply = await this.ask({ kind: "rows", rows: words.map((word) => this.row(word)) });
    signal?.throwIfAborted();
    if (reply.kind !== "rows") throw new Error("the vectors gave another answer");
    return reply.rows;
  }

  async neighbors(model: string, query: Query, k: number, among: Among, signal?: AbortSignal): Promise<Neighbors> {
    const terms = this.terms(query);
    const words = terms.map((term) => this.word(term.row));
    const [only] = words;
    return {
      model,
      query: query.text,
      ...(words.length === 1 && only !== undefined ? { found_as: only } : { terms: words }),
      neighbors: await this.nearest(terms, k, among, signal),
    };
  }

  async analogy(
    _model: string,
    projection: ProjectionName,
    a: string,
    b: string,
    c: string,
    k: number,
    among: Among,
    signal?: AbortSignal,
  ): Promise<Analogy> {
    const { points } = this.projection(projection);
    const [rowA, rowB, rowC] = [this.row(a), this.row(b), this.row(c)];
    const terms: Term[] = [
      { row: rowB, weight: 1 },
      { row: rowA, weight: -1 },
      { row: rowC, weight: 1 },
    ];
    const answers = await this.nearest(terms, k, among, signal);
    const [atA, atB, atC] = [at(points, rowA), at(points, rowB), at(points, rowC)];
    return {
      terms: [
        { role: "a", word: this.word(rowA), id: rowA, ...atA },
        { role: "b", word: this.word(rowB), id: rowB, ...atB },
        { role: "c", word: this.word(rowC), id: rowC, ...atC },
      ],
      target: { x: atC.x + atB.x - atA.x, y: atC.y + atB.y - atA.y },
      answers: answers.map(({ word, id, similarity }) => ({ word, id, score: similarity, ...at(points, id) })),
    };
  }

  async axis(model: string, from: string, to: string, k: number, among: Among, signal?: AbortSignal): Promise<Axis> {
    const values = await this.axisValues(model, from, to, signal);
    const ends = new Set([this.row(from), this.row(to)]);
    const allowed = this.allowed(among);
    const named = ({ row, score }: Scored): AxisWord => ({ word: this.word(row), id: row, value: score });
    const away = best(
      values.map((value) => -value),
      k,
      ends,
      among.first,
      allowed,
    );
    return {
      from,
      to,
      toward: best(values, k, ends, among.first, allowed).map(named),
      away: away.map(({ row, score }) => named({ row, score: -score })),
    };
  }

  async axisValues(_model: string, from: string, to: string, signal?: AbortSignal): Promise<Float32Array<ArrayBuffer>> {
    const terms: Term[] = [
      { row: this.row(to), weight: 1 },
      { row: this.row(from), weight: -1 },
    ];
    return this.values(terms, signal);
  }

  async cosinesWith(_model: string, query: Query, signal?: AbortSignal): Promise<Float32Array> {
    return this.values(this.terms(query), signal);
  }

  private async values(terms: Term[], signal?: AbortSignal): Promise<Float32Array<ArrayBuffer>> {
    const reply = await this.ask({ kind: "values", terms });
    signal?.throwIfAborted();
    if (reply.kind !== "values") throw new Error("the vectors gave another answer");
    return reply.values;
  }

  async selected(_model: string, ids: readonly number[], first: number, signal?: AbortSignal): Promise<SelectionFacts> {
    const reply = await this.ask({ kind: "summary", rows: [...ids], k: 10, first });
    signal?.throwIfAborted();
    if (reply.kind !== "summary") throw new Error("the vectors gave another answer");
    return { similarity: reply.similarity, cosines: reply.cosines, toward: reply.toward.map(({ row, score }) => ({ word: this.word(row), id: row, value: score })) };
  }

  async project(_model: string, _by: ProjectionName, ids: readonly number[], signal?: AbortSignal): Promise<SelectionMap> {
    const reply = await this.ask({ kind: "principal", rows: [...ids] });
    signal?.throwIfAborted();
    if (reply.kind !== "principal") throw new Error("the vectors gave another answer");
    return reply;
  }

  compare(): Promise<Comparison> {
    return Promise.reject(absent());
  }

  cosines(): Promise<Float32Array | null> {
    return Promise.reject(absent());
  }

  evaluations(): Promise<EvaluationFile[]> {
    return Promise.reject(absent());
  }

  runs(): Promise<Run[]> {
    return Promise.reject(absent());
  }

  run(_name: string, listener: { end: (error?: SourceError) => void }): Stream {
    listener.end(absent());
    return { close: () => undefined };
  }

  private projection(name: ProjectionName): DecodedMap {
    const map = this.data.maps.get(name);
    if (!map) throw new SourceError("This page does not have that map.", 404, "unknown_projection");
    return map;
  }

  private word(row: number): string {
    return this.data.words[row] ?? "";
  }

  private row(word: string): number {
    const row = this.index.find(word);
    if (row < 0) throw this.unknown(word);
    return row;
  }

  private terms(query: Query): Term[] {
    const row = this.index.find(query.text);
    if (row >= 0) return [{ row, weight: 1 }];
    if (!query.expression) throw this.unknown(query.text);
    const parsed = parseExpression(query.text, this.index);
    if ("unknown" in parsed) throw this.unknown(parsed.unknown);
    return parsed.terms;
  }

  private unknown(word: string): SourceError {
    const suggestions = this.index.suggestions(word, suggestionsGiven);
    const tokenizer = this.data.model.training["tokenizer"];
    const tokens = typeof tokenizer === "string" && tokenizer.startsWith("tokenizer.json");
    const which = tokens ? ", which are the tokens of a tokenizer.json as the file has them" : "";
    return new SourceError(`“${word}” is not among the words of this page${which}.`, 404, "unknown_word", suggestions);
  }

  /** For each word 1 if clusters and conditions leave it; null if they leave all. */
  private allowed({ where, clusters }: Among): Uint8Array | null {
    if (where.length === 0 && clusters.length === 0) return null;
    const [map] = this.data.maps.values(); // all have the same clusters
    const chosen = new Set(clusters);
    const all = where.map((text) => {
      const condition = parseCondition(text);
      const field = condition && this.data.fields.get(condition.field);
      if (!field) throw new SourceError(`This page has no field for “${text.slice(0, 80)}”.`, 400, "invalid_value");
      return { condition, field };
    });
    return Uint8Array.from(this.data.words, (_, i) => (chosen.size > 0 && !chosen.has(map?.clusters[i] ?? -1) ? 0 : all.every(({ condition, field }) => meets(field, i, condition)) ? 1 : 0));
  }

  private async nearest(terms: Term[], k: number, among: Among, signal?: AbortSignal): Promise<Neighbor[]> {
    const reply = await this.ask({ kind: "nearest", terms, k, first: among.first, allowed: this.allowed(among), exclude: terms.map((term) => term.row) });
    signal?.throwIfAborted();
    if (reply.kind !== "nearest") throw new Error("the vectors gave another answer");
    return reply.rows.map(({ row, score }) => {
      const count = this.data.counts?.[row];
      return { word: this.word(row), id: row, similarity: score, ...(count === undefined ? {} : { count }) };
    });
  }
}

function absent(): SourceError {
  return new SourceError("An exported page has no server to ask.", 404, "no_server");
}

function at(points: Float32Array, row: number): { x: number; y: number } {
  return { x: points[2 * row] ?? 0, y: points[2 * row + 1] ?? 0 };
}

/** The mean of the neighbours' points, weighted by their similarities if these are positive. */
export function weightedMean(near: { similarity: number; x: number; y: number }[]): { x: number; y: number } {
  let [x, y, weights] = [0, 0, 0];
  for (const neighbor of near) {
    const weight = Math.max(neighbor.similarity, 1e-6);
    x += weight * neighbor.x;
    y += weight * neighbor.y;
    weights += weight;
  }
  return weights > 0 ? { x: x / weights, y: y / weights } : { x: 0, y: 0 };
}
