// Brings the map of a second model onto that of a first one.

import { mapRadius } from "../app/layout";
import type { Layout } from "../app/state";
import type { Cluster } from "../source";

/** A turn, perhaps with a reflection, a scale and a shift of the plane. */
export interface Similarity {
  /** (x, y) goes to (a·x − f·b·y + dx, b·x + f·a·y + dy), where f is −1 for a reflection. */
  a: number;
  b: number;
  reflected: boolean;
  dx: number;
  dy: number;
}

export const identity: Similarity = { a: 1, b: 0, reflected: false, dx: 0, dy: 0 };

/** Fewer pairs do not tell how a map lies. */
const fewest = 3;
/** The most pairs that are looked at: the first words are the most frequent. */
const sampled = 20_000;
/** Points further out do not count. */
const reach = 1.5 * mapRadius;

/** The turn and shift that bring points of a second map nearest to those of the same words on a first map (Procrustes).
 * toFirst has the first map's point for each point of the second one, or -1. The scale makes both as wide as each other. */
export function ontoFirst(first: Float32Array, second: Float32Array, toFirst: Int32Array): Similarity {
  const pairs: [number, number, number, number][] = [];
  for (let i = 0; i < toFirst.length && pairs.length < sampled; i++) {
    const j = toFirst[i] ?? -1;
    if (j < 0) continue;
    const pair: (typeof pairs)[number] = [second[2 * i] ?? NaN, second[2 * i + 1] ?? NaN, first[2 * j] ?? NaN, first[2 * j + 1] ?? NaN];
    if (pair.every((x) => Math.abs(x) < reach)) pairs.push(pair);
  }
  if (pairs.length < fewest) return identity;
  const mean = (k: 0 | 1 | 2 | 3) => pairs.reduce((sum, pair) => sum + pair[k], 0) / pairs.length;
  const [px, py, qx, qy] = [mean(0), mean(1), mean(2), mean(3)];
  // Sums of products: of the same axes, and of one with the other.
  let [xx, yy, xy, yx, ofSecond, ofFirst] = [0, 0, 0, 0, 0, 0];
  for (const [x0, y0, u0, v0] of pairs) {
    const [x, y, u, v] = [x0 - px, y0 - py, u0 - qx, v0 - qy];
    xx += x * u;
    yy += y * v;
    xy += x * v;
    yx += y * u;
    ofSecond += x * x + y * y;
    ofFirst += u * u + v * v;
  }
  if (ofSecond === 0 || ofFirst === 0) return identity;
  const turn = Math.hypot(xx + yy, xy - yx);
  const mirror = Math.hypot(xx - yy, xy + yx);
  const reflected = mirror > turn;
  const length = reflected ? mirror : turn;
  const scale = Math.sqrt(ofFirst / ofSecond);
  const a = length === 0 ? scale : (scale * (reflected ? xx - yy : xx + yy)) / length;
  const b = length === 0 ? 0 : (scale * (reflected ? xy + yx : xy - yx)) / length;
  const map = apply({ a, b, reflected, dx: 0, dy: 0 }, px, py);
  return { a, b, reflected, dx: qx - map[0], dy: qy - map[1] };
}

export function apply({ a, b, reflected, dx, dy }: Similarity, x: number, y: number): [number, number] {
  const v = reflected ? -y : y;
  return [a * x - b * v + dx, b * x + a * v + dy];
}

export function applyToAll(by: Similarity, points: Float32Array): Float32Array {
  const result = new Float32Array(points.length);
  for (let i = 0; i < points.length; i += 2) {
    const [x, y] = apply(by, points[i] ?? 0, points[i + 1] ?? 0);
    result[i] = x;
    result[i + 1] = y;
  }
  return result;
}

/** The clusters of a first map where their words are on a second one: in the middle of them. */
export function clustersOnSecond(first: Layout, second: Float32Array, toFirst: Int32Array): Cluster[] {
  const places = new Map<number, { xs: number[]; ys: number[] }>();
  toFirst.forEach((j, i) => {
    const cluster = first.clusters[j];
    if (j < 0 || cluster === undefined) return;
    const of = places.get(cluster) ?? { xs: [], ys: [] };
    of.xs.push(second[2 * i] ?? 0);
    of.ys.push(second[2 * i + 1] ?? 0);
    places.set(cluster, of);
  });
  const median = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1] ?? 0;
  return (first.info.clusters ?? []).flatMap((cluster) => {
    const of = places.get(cluster.id);
    return of ? [{ ...cluster, x: median(of.xs), y: median(of.ys), size: of.xs.length }] : [];
  });
}
