import { contourDensity } from "d3-contour";
import { mapRadius } from "../app/layout";

/** The boundary of a region whose density is at least a level. */
export interface Contour {
  /** From 0, the outermost, to levels - 1. */
  level: number;
  /** The outer ring and its holes, in units of the map. */
  rings: [number, number][][];
}

/** Levels are shares of the highest density. Few words are far denser than most: they rise by ratios. */
const shares = [0.015, 0.04, 0.1, 0.2, 0.38, 0.65];

export const levels = shares.length;

/** The square that densities are computed in: units of its own, the size of a cell, and how much of the
 * map beyond mapRadius it holds. */
const side = 512;
const cell = 2;
const reach = 1.3 * mapRadius;

/** Where the points of a map are dense. */
export function densityContours(points: Float32Array): Contour[] {
  const n = points.length / 2;
  if (n < 50) return [];
  const scale = side / (2 * reach);
  const ids = new Uint32Array(n).map((_, i) => i);
  const density = contourDensity<number>()
    .x((i) => ((points[2 * i] ?? 0) + reach) * scale)
    .y((i) => ((points[2 * i + 1] ?? 0) + reach) * scale)
    .size([side, side])
    .cellSize(cell)
    .bandwidth(n < 5000 ? 12 : 7);
  const at = density.contours(ids);
  return shares.flatMap((share, level) =>
    at(share * at.max).coordinates.map((rings) => ({
      level,
      rings: rings.map((ring) => ring.map(([x = 0, y = 0]): [number, number] => [x / scale - reach, y / scale - reach])),
    })),
  );
}
