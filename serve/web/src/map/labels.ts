// Which labels are shown: as many as there is room for, the most important first.

import { inside, toScreen, visibleBox, type Box, type Size } from "./camera";
import type { Camera } from "../app/view";
import type { PointIndex } from "./picking";

export interface Label {
  text: string;
  /** The middle of the label, in pixels of the screen. */
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The label of a point. */
export interface WordLabel extends Label {
  id: number;
}

/** Remembers which parts of the screen are taken. Cells keep the search for overlaps short. */
export class Room {
  private readonly cells = new Map<number, Box[]>();
  private static readonly cell = 64;

  /** Takes a box, whatever else is there. */
  keep(box: Box): void {
    this.add(box, Room.keys(box));
  }

  /** Takes a box if nothing else is there. */
  take(box: Box): boolean {
    const keys = Room.keys(box);
    for (const key of keys) {
      for (const other of this.cells.get(key) ?? []) {
        if (box.left < other.right && box.right > other.left && box.bottom < other.top && box.top > other.bottom) return false;
      }
    }
    this.add(box, keys);
    return true;
  }

  private add(box: Box, keys: number[]): void {
    for (const key of keys) {
      const list = this.cells.get(key);
      if (list) list.push(box);
      else this.cells.set(key, [box]);
    }
  }

  private static keys(box: Box): number[] {
    const keys: number[] = [];
    for (let i = Math.floor(box.left / Room.cell); i <= Math.floor(box.right / Room.cell); i++) {
      for (let j = Math.floor(box.bottom / Room.cell); j <= Math.floor(box.top / Room.cell); j++) keys.push(i * 4096 + j);
    }
    return keys;
  }
}

/** The box of a label in pixels, whose y goes down: bottom is its upper edge. */
export function labelBox(label: Label, margin: number): Box {
  return {
    left: label.x - label.width / 2 - margin,
    right: label.x + label.width / 2 + margin,
    bottom: label.y - label.height / 2 - margin,
    top: label.y + label.height / 2 + margin,
  };
}

/** How many words are tried for the labels of a frame, and how many are enough without asking the index. */
const tried = 2500;
const enough = 600;

/** Ids of points that may have a label, in order of frequency. Where much of the map is visible, frequent
 * words are likely to be; where little is, the index finds the words. */
export function candidates(points: Float32Array, index: PointIndex | null, camera: Camera, size: Size): number[] {
  const box = visibleBox(camera, size);
  const n = points.length / 2;
  const found: number[] = [];
  // So many words are read before the index is asked.
  const read = Math.min(n, 20_000);
  for (let i = 0; i < read && found.length < tried; i++) {
    if (inside(box, points[2 * i] ?? 0, points[2 * i + 1] ?? 0)) found.push(i);
  }
  if (found.length >= enough || read === n || !index) return found;
  return smallest(index.within(box), tried);
}

/** The k smallest numbers, in order. */
export function smallest(numbers: number[], k: number): number[] {
  if (numbers.length <= 4 * k) return numbers.sort((a, b) => a - b).slice(0, k);
  // Most of many numbers are beyond the k-th of a sample, and need no sorting.
  let most = 0;
  for (const n of numbers) most = Math.max(most, n);
  let limit = Math.ceil((most * k * 1.5) / numbers.length) + k;
  for (;;) {
    const below = numbers.filter((n) => n <= limit);
    if (below.length >= k || limit >= most) return below.sort((a, b) => a - b).slice(0, k);
    limit *= 2;
  }
}

/** Places labels of words where there is room, up to a number. */
export function placeWords(ids: number[], points: Float32Array, words: string[], camera: Camera, size: Size, room: Room, most: number, measure: (text: string) => number, height: number): WordLabel[] {
  const placed: WordLabel[] = [];
  for (const id of ids) {
    if (placed.length >= most) break;
    const text = words[id];
    if (!text) continue;
    const [px, py] = toScreen(camera, size, points[2 * id] ?? 0, points[2 * id + 1] ?? 0);
    // A label stands above its point.
    const label = { id, text, x: px, y: py - height * 0.75, width: measure(text), height };
    if (label.x - label.width / 2 < 2 || label.x + label.width / 2 > size.width - 2 || label.y < height / 2) continue;
    if (room.take(labelBox(label, 3))) placed.push(label);
  }
  return placed;
}
