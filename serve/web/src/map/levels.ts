// Labels of clusters at three resolutions: groups of them far out, then the clusters, then their parts, and words last.

import type { Layout } from "../app/state";
import { mapRadius } from "../app/layout";
import type { Camera } from "../app/view";
import { clusterColors } from "./colors";
import { css, readable, type Rgb } from "./palette";

export type LevelName = "coarse" | "clusters" | "fine" | "words";

/** The label of a cluster, a group of them, or a part of one. */
export interface Region {
  label: string;
  x: number;
  y: number;
  size: number;
  color: string;
}

export type Levels = Record<Exclude<LevelName, "words">, Region[]>;

export const noLevels: Levels = { coarse: [], clusters: [], fine: [] };

/** The ground of the map, as the style sheet has it. */
export function groundOf(dark: boolean): Rgb {
  return dark ? [17, 21, 26] : [251, 252, 253];
}

/** The labels of a map, the largest cluster first. The label of a cluster has the colour of its words, and so have those of its parts.
 * A group has many colours, and its label that of text; so have all if the words are coloured by something else. */
export function levelsOf(layout: Layout | null, dark: boolean, colored: boolean, text: string, dim: string): Levels {
  if (!layout) return noLevels;
  const clusters = layout.labels ?? layout.info.clusters ?? [];
  const palette = clusterColors(clusters, dark);
  const colorOf = (id: number | undefined) => {
    const color = palette.get(id ?? -1);
    return colored && color ? css(readable(color, groundOf(dark))) : dim;
  };
  const place = (at: { x: number; y: number }) => {
    const [x, y] = layout.toMap(at.x, at.y);
    return { x, y };
  };
  const bySize = <T extends { size: number }>(all: T[]) => [...all].sort((a, b) => b.size - a.size);
  // Of a second map the clusters alone are known: a group is where its largest one is.
  const second = layout.labels ? new Map(layout.labels.map((cluster) => [cluster.id, cluster])) : null;
  return {
    coarse: bySize(layout.info.coarse ?? []).flatMap(({ label, size, x, y, of }) => {
      if (!second) return [{ label, size, ...place({ x, y }), color: text }];
      const [largest] = bySize(of.flatMap((id) => second.get(id) ?? []));
      return largest ? [{ label, size, x: largest.x, y: largest.y, color: text }] : [];
    }),
    clusters: bySize(clusters).map((cluster) => ({ label: cluster.label, size: cluster.size, ...(second ? { x: cluster.x, y: cluster.y } : place(cluster)), color: colorOf(cluster.id) })),
    fine: second ? [] : bySize(layout.info.fine ?? []).map(({ label, size, x, y, of }) => ({ label, size, ...place({ x, y }), color: colorOf(of[0]) })),
  };
}

/** A level is shown when the map on the screen has so many square pixels for each of its labels, and words are shown beyond so many for
 * each label of the finest one. */
const room = 24_000;
const roomForParts = 1.4 * room;
const roomForWords = 8 * room;
const manyWords = 500;

/** The finest level for whose labels there is room on a map of so many words. It depends on the camera alone, so that panning does not change it. */
export function levelAt(levels: Levels, camera: Camera, words = 0): LevelName {
  const area = (2 * mapRadius * 2 ** camera.zoom) ** 2;
  const { coarse, clusters, fine } = levels;
  const finest = fine.length || clusters.length;
  // Before clusters are known, few of many words are named where all is seen.
  if (finest === 0) return words > manyWords && area < roomForWords * 10 ? "clusters" : "words";
  if (area / finest >= roomForWords) return "words";
  if (fine.length > 0 && area / fine.length >= roomForParts) return "fine";
  if (coarse.length === 0 || area / clusters.length >= room) return "clusters";
  return "coarse";
}

/** How many of the labels of words are shown beside those of a level. */
export const wordsBeside: Record<LevelName, number> = { coarse: 0, clusters: 0.2, fine: 0.5, words: 1 };

/** A label with fewer of its words, where there is little room. */
export function shortened(label: string, width: number): string {
  return width < 600 ? label.split(", ").slice(0, 2).join(", ") : label;
}

/** How many points of each cluster are in view. */
export function countInView(points: Float32Array, clusters: Uint16Array, view: { left: number; right: number; bottom: number; top: number }): Map<number, number> {
  const counts = new Map<number, number>();
  for (let i = 0; i < clusters.length; i++) {
    const [x, y, c] = [points[2 * i] ?? 0, points[2 * i + 1] ?? 0, clusters[i] ?? 0];
    if (x >= view.left && x <= view.right && y >= view.bottom && y <= view.top) counts.set(c, (counts.get(c) ?? 0) + 1);
  }
  return counts;
}
