import KDBush from "kdbush";
import type { Box } from "./camera";

/** Finds points by where they are, on the processor: reading back from the graphics card would stall it. */
export class PointIndex {
  private readonly tree: KDBush;

  constructor(private readonly points: Float32Array) {
    const n = points.length / 2;
    this.tree = new KDBush(n, 64, Float32Array);
    for (let i = 0; i < n; i++) this.tree.add(points[2 * i] ?? 0, points[2 * i + 1] ?? 0);
    this.tree.finish();
  }

  /** The point nearest to a place, if there is one within a distance; otherwise -1. */
  nearest(x: number, y: number, distance: number): number {
    let best = -1;
    let least = Infinity;
    for (const id of this.tree.within(x, y, distance)) {
      const d = ((this.points[2 * id] ?? 0) - x) ** 2 + ((this.points[2 * id + 1] ?? 0) - y) ** 2;
      // Of points at one place, the most frequent word is meant.
      if (d < least || (d === least && id < best)) [best, least] = [id, d];
    }
    return best;
  }

  /** How far the k-th nearest point of a place is; infinite if there are fewer. */
  distance(x: number, y: number, k: number): number {
    for (let radius = 1 / 64; radius < 1e6; radius *= 2) {
      const found = this.tree.within(x, y, radius);
      if (found.length < k) continue;
      const all = found.map((id) => Math.hypot((this.points[2 * id] ?? 0) - x, (this.points[2 * id + 1] ?? 0) - y)).sort((a, b) => a - b);
      return all[k - 1] ?? Infinity;
    }
    return Infinity;
  }

  /** The points in a box, in no order. */
  within(box: Box): number[] {
    return this.tree.range(box.left, box.bottom, box.right, box.top);
  }
}

/** Whether a place is inside of a polygon x0, y0, x1, y1, …, by the even-odd rule. */
export function insidePolygon(polygon: number[], x: number, y: number): boolean {
  let inside = false;
  const n = polygon.length;
  for (let i = 0, j = n - 2; i < n; j = i, i += 2) {
    const [x1 = 0, y1 = 0] = [polygon[i], polygon[i + 1]];
    const [x2 = 0, y2 = 0] = [polygon[j], polygon[j + 1]];
    if (y1 > y !== y2 > y && x < ((x2 - x1) * (y - y1)) / (y2 - y1) + x1) inside = !inside;
  }
  return inside;
}

/** The points inside of a polygon. */
export function pointsInPolygon(index: PointIndex, points: Float32Array, polygon: number[]): number[] {
  if (polygon.length < 6) return [];
  const box: Box = { left: Infinity, bottom: Infinity, right: -Infinity, top: -Infinity };
  for (let i = 0; i < polygon.length; i += 2) {
    box.left = Math.min(box.left, polygon[i] ?? 0);
    box.right = Math.max(box.right, polygon[i] ?? 0);
    box.bottom = Math.min(box.bottom, polygon[i + 1] ?? 0);
    box.top = Math.max(box.top, polygon[i + 1] ?? 0);
  }
  return index.within(box).filter((id) => insidePolygon(polygon, points[2 * id] ?? 0, points[2 * id + 1] ?? 0));
}
