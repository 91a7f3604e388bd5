// What is said of a selection where there is no server: from unit vectors.

/** The unit vector of a row, which is valid until the next call. */
export type RowOf = (row: number) => Float32Array;

export interface Summary {
  similarity: number;
  cosines: number[];
  /** The difference of the means of the selection and of the rest, of length 1. */
  away: Float32Array;
}

/** See SelectionFacts of the source. */
export function summary(ids: readonly number[], n: number, dim: number, rowOf: RowOf): Summary {
  const within = new Uint8Array(n);
  for (const id of ids) within[id] = 1;
  const [inside, outside] = [new Float64Array(dim), new Float64Array(dim)];
  for (let id = 0; id < n; id++) {
    const to = within[id] ? inside : outside;
    const row = rowOf(id);
    for (let i = 0; i < dim; i++) to[i] = (to[i] ?? 0) + (row[i] ?? 0);
  }
  const size = ids.length;
  const square = inside.reduce((sum, x) => sum + x * x, 0);
  const length = Math.sqrt(square) || 1;
  const away = Float32Array.from(inside, (x, i) => x / Math.max(1, size) - (outside[i] ?? 0) / Math.max(1, n - size));
  const awayLength = Math.hypot(...away) || 1;
  return {
    similarity: size > 1 ? (square - size) / (size * (size - 1)) : 0,
    cosines: ids.map((id) => rowOf(id).reduce((sum, x, i) => sum + (x * (inside[i] ?? 0)) / length, 0)),
    away: away.map((x) => x / awayLength),
  };
}

/** The places of rows by their two principal components, and the shares of the variance of these. */
export function principal(ids: readonly number[], dim: number, rowOf: RowOf): { points: Float32Array<ArrayBuffer>; explained: number[] } {
  const mean = new Float64Array(dim);
  for (const id of ids) rowOf(id).forEach((x, i) => (mean[i] = (mean[i] ?? 0) + x / ids.length));
  const covariance = Array.from({ length: dim }, () => new Float64Array(dim));
  const centred = new Float64Array(dim);
  const centre = (id: number) => rowOf(id).forEach((x, i) => (centred[i] = x - (mean[i] ?? 0)));
  for (const id of ids) {
    centre(id);
    for (let i = 0; i < dim; i++) {
      const [row, x] = [covariance[i] as Float64Array, centred[i] ?? 0];
      for (let j = 0; j < dim; j++) row[j] = (row[j] ?? 0) + x * (centred[j] ?? 0);
    }
  }
  const whole = covariance.reduce((sum, row, i) => sum + (row[i] ?? 0), 0);
  const directions: Float64Array[] = [];
  const explained: number[] = [];
  for (let k = 0; k < 2; k++) {
    // Power iteration; then what the direction holds is taken away.
    let direction = Float64Array.from({ length: dim }, (_, i) => 1 + ((i * 7 + k * 3) % 5));
    let value = 0;
    for (let turn = 0; turn < 300; turn++) {
      const next = Float64Array.from(covariance, (row) => row.reduce((sum, x, i) => sum + x * (direction[i] ?? 0), 0));
      value = Math.hypot(...next);
      if (value === 0) break;
      direction = next.map((x) => x / value);
    }
    directions.push(direction);
    explained.push(whole > 0 ? value / whole : 0);
    covariance.forEach((row, i) => row.forEach((x, j) => (row[j] = x - value * (direction[i] ?? 0) * (direction[j] ?? 0))));
  }
  const points = new Float32Array(2 * ids.length);
  ids.forEach((id, at) => {
    centre(id);
    directions.forEach((direction, k) => (points[2 * at + k] = direction.reduce((sum, x, i) => sum + x * (centred[i] ?? 0), 0)));
  });
  return { points, explained };
}
