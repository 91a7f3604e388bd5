// Which points are drawn: all, or of very many the most frequent words of the view.

import type { Camera } from "../app/view";
import { inside, visibleBox, type Box, type Size } from "./camera";

/** So many points are drawn at most: more are not told apart on a screen. */
export const mostDrawn = 200_000;
/** So many while the map moves, if the processor draws it. */
export const mostMoving = 50_000;

/** How far beyond the view points are drawn, as a share of its size: the camera moves that far before they are chosen anew. */
const margin = 0.25;
/** The zoom after which they are chosen anew. */
const nearer = 0.5;

/** What is drawn: the ids of some points, rising, and for which views they do. */
export interface Detail {
  ids: Uint32Array;
  /** Whether more points are in the box than are drawn. */
  some: boolean;
  /** The part of the map that the points are of; null for all of it. */
  box: Box | null;
  zoom: number;
  most: number;
}

/** Chooses at most so many points for a view. Words are in the order of frequency: the first ones are taken. */
export function choose(points: Float32Array, camera: Camera, size: Size, most: number): Detail {
  const n = points.length / 2;
  if (n <= most) {
    const ids = new Uint32Array(n);
    for (let i = 0; i < n; i++) ids[i] = i;
    return { ids, some: false, box: null, zoom: camera.zoom, most };
  }
  const view = visibleBox(camera, size);
  const dx = margin * (view.right - view.left);
  const dy = margin * (view.top - view.bottom);
  const box = { left: view.left - dx, right: view.right + dx, bottom: view.bottom - dy, top: view.top + dy };
  const ids = new Uint32Array(most);
  let found = 0;
  let i = 0;
  for (; i < n && found < most; i++) {
    if (inside(box, points[2 * i] ?? 0, points[2 * i + 1] ?? 0)) ids[found++] = i;
  }
  return { ids: ids.subarray(0, found), some: i < n, box, zoom: camera.zoom, most };
}

/** Whether what is drawn does for a view, too. */
export function does(detail: Detail, camera: Camera, size: Size, most: number): boolean {
  const { box, some, ids } = detail;
  if (some ? detail.most !== most : ids.length > most) return false;
  if (!box) return true;
  const view = visibleBox(camera, size);
  const within = view.left >= box.left && view.right <= box.right && view.bottom >= box.bottom && view.top <= box.top;
  return within && (!some || camera.zoom < detail.zoom + nearer);
}
