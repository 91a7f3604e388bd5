// Planes through vectors: of the words of a question, not of all words.

/** Words in a plane. */
export interface Plane {
  /** x and y of each row. */
  points: [number, number][];
  /** The share of the variance of the rows that the plane was made for which lies in it. */
  share: number;
}

/** The plane of an analogy: the two principal components of a, b, c and the best answer, which are the first four of
 * the rows, as `w2v plot map --analogy` draws them. It is turned so that c is at the right of a, and b above both. */
export function planeOfAnalogy(rows: Float32Array[]): Plane {
  const four = centred(rows.slice(0, 4));
  const { directions, share } = components(four.rows, 2);
  const [right, up] = directions;
  const points = rows.map((row): [number, number] => {
    const from = less(row, four.mean);
    return [right ? dot(from, right) : 0, up ? dot(from, up) : 0];
  });
  const [a, b, c] = points;
  return { points: a && b && c ? turned(points, a, b, c) : points, share };
}

/** The plane of an axis: to the right goes the difference of the second row and the first one, and upwards the first
 * principal component of what is left of the rows. */
export function planeOfAxis(rows: Float32Array[]): Plane {
  const { rows: all, mean } = centred(rows);
  const [from, to] = [all[0], all[1]];
  if (!from || !to) return { points: [], share: 0 };
  const right = unit(less(to, from));
  const left = all.map((row) => along(row, right, -dot(row, right)));
  const up = components(left, 1).directions[0];
  const points = rows.map((row): [number, number] => {
    const at = less(row, mean);
    return [dot(at, right), up ? dot(at, up) : 0];
  });
  const whole = all.reduce((sum, row) => sum + dot(row, row), 0);
  return { points, share: whole > 0 ? points.reduce((sum, [x, y]) => sum + x * x + y * y, 0) / whole : 0 };
}

/** The row as a vector of length 1. One without a direction stays zero. */
export function unit(row: Float32Array): Float32Array {
  const length = Math.sqrt(dot(row, row));
  return length > 0 && Number.isFinite(length) ? row.map((x) => x / length) : new Float32Array(row.length);
}

export function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
}

/** a + factor·b. */
export function along(a: Float32Array, b: Float32Array, factor: number): Float32Array {
  return a.map((x, i) => x + factor * (b[i] ?? 0));
}

export function less(a: Float32Array, b: Float32Array): Float32Array {
  return along(a, b, -1);
}

function centred(rows: Float32Array[]): { rows: Float32Array[]; mean: Float32Array } {
  const mean = new Float32Array(rows[0]?.length ?? 0);
  for (const row of rows) row.forEach((x, i) => (mean[i] = (mean[i] ?? 0) + x / rows.length));
  return { rows: rows.map((row) => less(row, mean)), mean };
}

/** Turns points around so that c is at the right of a, and mirrors them so that b is above the line of both. */
function turned(points: [number, number][], a: [number, number], b: [number, number], c: [number, number]): [number, number][] {
  const [dx, dy] = [c[0] - a[0], c[1] - a[1]];
  const length = Math.hypot(dx, dy);
  if (length === 0) return points;
  const [cos, sin] = [dx / length, dy / length];
  const rotated = ([x, y]: [number, number]): [number, number] => [cos * x + sin * y, cos * y - sin * x];
  const up = rotated(b)[1] < rotated(a)[1] ? -1 : 1;
  return points.map((point) => {
    const [x, y] = rotated(point);
    return [x, up * y];
  });
}

/** The first principal components of centred rows, which are few: they come of the products of the rows. */
function components(rows: Float32Array[], count: number): { directions: Float32Array[]; share: number } {
  const { values, vectors } = eigen(rows.map((a) => rows.map((b) => dot(a, b))));
  const order = values.map((_, i) => i).sort((i, j) => (values[j] ?? 0) - (values[i] ?? 0));
  const whole = values.reduce((sum, value) => sum + Math.max(0, value), 0);
  const first = order.slice(0, count).filter((i) => (values[i] ?? 0) > 1e-9 * whole);
  const directions = first.map((i) => {
    let sum = new Float32Array(rows[0]?.length ?? 0);
    rows.forEach((row, j) => (sum = along(sum, row, vectors[j]?.[i] ?? 0) as typeof sum));
    return unit(sum);
  });
  return { directions, share: whole > 0 ? first.reduce((sum, i) => sum + (values[i] ?? 0), 0) / whole : 0 };
}

/** The eigenvalues of a symmetric matrix, and its eigenvectors as columns, by Jacobi's rotations. */
function eigen(matrix: number[][]): { values: number[]; vectors: number[][] } {
  const a = matrix.map((row) => [...row]);
  const n = a.length;
  const v = a.map((_, i) => a.map((_, j) => (i === j ? 1 : 0)));
  const at = (m: number[][], i: number, j: number) => m[i]?.[j] ?? 0;
  const set = (m: number[][], i: number, j: number, x: number) => {
    const row = m[i];
    if (row) row[j] = x;
  };
  const rotate = (m: number[][], i: number, j: number, k: number, l: number, s: number, tau: number) => {
    const [g, h] = [at(m, i, j), at(m, k, l)];
    set(m, i, j, g - s * (h + g * tau));
    set(m, k, l, h + s * (g - h * tau));
  };
  for (let sweep = 0; sweep < 60; sweep++) {
    let off = 0;
    for (let p = 0; p < n; p++) for (let q = p + 1; q < n; q++) off += at(a, p, q) ** 2;
    if (off < 1e-20) break;
    for (let p = 0; p < n; p++) {
      for (let q = p + 1; q < n; q++) {
        const apq = at(a, p, q);
        if (Math.abs(apq) < 1e-15) continue;
        const theta = (at(a, q, q) - at(a, p, p)) / (2 * apq);
        const t = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
        const c = 1 / Math.sqrt(t * t + 1);
        const s = t * c;
        const tau = s / (1 + c);
        set(a, p, p, at(a, p, p) - t * apq);
        set(a, q, q, at(a, q, q) + t * apq);
        set(a, p, q, 0);
        set(a, q, p, 0);
        for (let i = 0; i < n; i++) {
          if (i !== p && i !== q) {
            rotate(a, i, p, i, q, s, tau);
            set(a, p, i, at(a, i, p));
            set(a, q, i, at(a, i, q));
          }
          rotate(v, i, p, i, q, s, tau);
        }
      }
    }
  }
  return { values: a.map((_, i) => at(a, i, i)), vectors: v };
}
