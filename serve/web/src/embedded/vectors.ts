import { principal, summary } from "../selections/vectors";

/** A term of an expression: a word's row and its sign or weight. */
export interface Term {
  row: number;
  weight: number;
}

/** A row with its score, best first in lists. */
export interface Scored {
  row: number;
  score: number;
}

/** Asks for the rows nearest to a sum of unit vectors. */
export interface NearestRequest {
  kind: "nearest";
  terms: Term[];
  k: number;
  exclude: number[];
  /** How many first rows may answer; 0 allows all. */
  first: number;
  /** For each row 1 if it may answer; null for all. */
  allowed?: Uint8Array | null;
}

/** Asks for the cosines of all rows with a sum of unit vectors. */
export interface ValuesRequest {
  kind: "values";
  terms: Term[];
}

/** Asks for unit vectors. */
export interface RowsRequest {
  kind: "rows";
  rows: number[];
}

/** Asks what is said of many rows, with k words of the direction from the rest to them. */
export interface SummaryRequest {
  kind: "summary";
  rows: number[];
  k: number;
  /** How many first rows may answer; 0 allows all. */
  first: number;
}

/** Asks for the two principal components of some rows. */
export interface PrincipalRequest {
  kind: "principal";
  rows: number[];
}

export type VectorRequest = NearestRequest | ValuesRequest | RowsRequest | SummaryRequest | PrincipalRequest;
export type VectorReply =
  | { kind: "nearest"; rows: Scored[] }
  | { kind: "values"; values: Float32Array<ArrayBuffer> }
  | { kind: "rows"; rows: Float32Array[] }
  | { kind: "summary"; similarity: number; cosines: number[]; toward: Scored[] }
  | { kind: "principal"; points: Float32Array<ArrayBuffer>; explained: number[] };

/** Lets others run during a long computation. A worker has no need to. */
export type Pause = () => Promise<void> | undefined;

const sliceOfRows = 4096;

/** ByteVectors are rows of bytes whose directions matter, and not their lengths. */
export class ByteVectors {
  readonly size: number;
  private readonly inverse: Float32Array;

  constructor(
    private readonly rows: Int8Array,
    readonly dim: number,
  ) {
    this.size = dim > 0 ? Math.floor(rows.length / dim) : 0;
    this.inverse = new Float32Array(this.size);
    for (let r = 0; r < this.size; r++) {
      let square = 0;
      for (let i = r * dim; i < (r + 1) * dim; i++) square += (rows[i] ?? 0) ** 2;
      this.inverse[r] = square > 0 ? 1 / Math.sqrt(square) : 0;
    }
  }

  /** The sum of the terms' unit vectors, of length 1. It is zero if the terms cancel out. */
  sum(terms: Term[]): Float32Array {
    const sum = new Float32Array(this.dim);
    for (const { row, weight } of terms) {
      if (row < 0 || row >= this.size) throw new RangeError(`there is no row ${row}`);
      const factor = weight * (this.inverse[row] ?? 0);
      for (let i = 0; i < this.dim; i++) sum[i] = (sum[i] ?? 0) + factor * (this.rows[row * this.dim + i] ?? 0);
    }
    const length = Math.hypot(...sum);
    if (length > 1e-6) for (let i = 0; i < this.dim; i++) sum[i] = (sum[i] ?? 0) / length;
    else sum.fill(0);
    return sum;
  }

  /** The cosine of each row with a vector of length 1. */
  async cosines(query: Float32Array, pause: Pause): Promise<Float32Array<ArrayBuffer>> {
    const { rows, dim, inverse, size } = this;
    const out = new Float32Array(size);
    for (let from = 0; from < size; from += sliceOfRows) {
      const to = Math.min(from + sliceOfRows, size);
      for (let r = from, i = from * dim; r < to; r++) {
        let dot = 0;
        for (let j = 0; j < dim; j++, i++) dot += (rows[i] as number) * (query[j] as number);
        out[r] = dot * (inverse[r] as number);
      }
      const pausing = pause();
      if (pausing) await pausing;
    }
    return out;
  }

  /** Reads unit vectors into one array. */
  private unit(): (row: number) => Float32Array {
    const to = new Float32Array(this.dim);
    return (row) => {
      const [at, factor] = [row * this.dim, this.inverse[row] ?? 0];
      for (let i = 0; i < this.dim; i++) to[i] = factor * (this.rows[at + i] ?? 0);
      return to;
    };
  }

  /** Answers a request. */
  async answer(request: VectorRequest, pause: Pause): Promise<VectorReply> {
    if (request.kind === "rows") return { kind: "rows", rows: request.rows.map((row) => this.sum([{ row, weight: 1 }])) };
    if (request.kind === "principal") return { kind: "principal", ...principal(request.rows, this.dim, this.unit()) };
    if (request.kind === "summary") {
      const { away, similarity, cosines } = summary(request.rows, this.size, this.dim, this.unit());
      return { kind: "summary", similarity, cosines, toward: best(await this.cosines(away, pause), request.k, new Set(), request.first) };
    }
    const values = await this.cosines(this.sum(request.terms), pause);
    if (request.kind === "values") return { kind: "values", values };
    return { kind: "nearest", rows: best(values, request.k, new Set(request.exclude), request.first, request.allowed) };
  }
}

/** Of the first rows (0 for all) the k rows of the largest scores, best first; of equal scores the earlier row is first. */
export function best(scores: Float32Array, k: number, exclude: Set<number>, first = 0, allowed: Uint8Array | null = null): Scored[] {
  const found: Scored[] = [];
  const rows = first > 0 ? Math.min(first, scores.length) : scores.length;
  for (let row = 0; row < rows; row++) {
    const score = scores[row] as number;
    const last = found[found.length - 1];
    if (found.length >= k && (k <= 0 || !last || score <= last.score)) continue;
    if (exclude.has(row) || allowed?.[row] === 0) continue;
    let at = found.length;
    while (at > 0 && (found[at - 1] as Scored).score < score) at--;
    found.splice(at, 0, { row, score });
    if (found.length > k) found.pop();
  }
  return found;
}
