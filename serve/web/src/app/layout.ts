// Layouts of all projections come to the same size, so that one camera serves them all.

import type { MapInfo, ProjectionName } from "../source";
import type { Layout } from "./state";

/** Half the width or height of a map, whichever is larger. */
export const mapRadius = 100;

/** The share of the points that may lie outside of mapRadius at each side: a few outliers must not make
 * all others small. */
const outside = 0.01;

/** How much wider a map becomes at each side so that the points outside are on it, too: an edge where words
 * are dense must not be cut. It is a share of the width without them. */
const grown = 0.03;

/** How many points the size is measured by. */
const sampled = 20000;

export function makeLayout(model: string, projection: ProjectionName, info: MapInfo, points: Float32Array, clusters: Uint16Array): Layout {
  const n = points.length / 2;
  const step = Math.max(1, Math.floor(n / sampled));
  const xs: number[] = [];
  const ys: number[] = [];
  for (let i = 0; i < n; i += step) {
    xs.push(points[2 * i] ?? 0);
    ys.push(points[2 * i + 1] ?? 0);
  }
  const [left, right] = spread(xs);
  const [bottom, top] = spread(ys);
  const x0 = (left + right) / 2;
  const y0 = (bottom + top) / 2;
  const scale = (2 * mapRadius) / Math.max(right - left, top - bottom, 1e-12);

  const scaled = new Float32Array(points.length);
  for (let i = 0; i < points.length; i += 2) {
    scaled[i] = ((points[i] ?? 0) - x0) * scale;
    scaled[i + 1] = ((points[i + 1] ?? 0) - y0) * scale;
  }
  return { model, projection, info, points: scaled, clusters, toMap: (x, y) => [(x - x0) * scale, (y - y0) * scale] };
}

function spread(values: number[]): [number, number] {
  const sorted = Float64Array.from(values).sort();
  const at = (share: number) => sorted[Math.round(share * (sorted.length - 1))] ?? 0;
  const [low, high] = [at(outside), at(1 - outside)];
  const room = grown * (high - low);
  return [Math.max(at(0), low - room), Math.min(at(1), high + room)];
}
