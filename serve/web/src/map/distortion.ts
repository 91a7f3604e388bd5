// How far a map can be believed: which of a word's nearest words in the model are near to it on the map.

import { computed, effect, signal, type ReadonlySignal, type Signal } from "@preact/signals";
import { Latest } from "../app/latest";
import { colorBy, layout, modelName, none, type Layout, type Load } from "../app/state";
import { likeOf, otherLayout } from "../compare/state";
import type { MapInfo, ProjectionName, Source } from "../source";

/** The points nearest to another one on a map, the nearest first. Only the first ones count, 0 being all of them, and of these the ones that are left. */
export function nearestOnMap(points: Float32Array, id: number, k: number, first: number, left: Uint8Array | null = null): number[] {
  const n = first > 0 ? Math.min(first, points.length / 2) : points.length / 2;
  const [x, y] = [points[2 * id] ?? 0, points[2 * id + 1] ?? 0];
  const found: { id: number; distance: number }[] = [];
  for (let i = 0; i < n; i++) {
    if (i === id || left?.[i] === 0) continue;
    const distance = ((points[2 * i] ?? 0) - x) ** 2 + ((points[2 * i + 1] ?? 0) - y) ** 2;
    if (found.length >= k && distance >= (found[found.length - 1]?.distance ?? Infinity)) continue;
    let at = found.length;
    while (at > 0 && (found[at - 1]?.distance ?? 0) > distance) at--;
    found.splice(at, 0, { id: i, distance });
    if (found.length > k) found.pop();
  }
  return found.map((f) => f.id);
}

/** What a word has that counts for nothing: a vector without direction. */
export const noNeighbors = 255;

/** The mean number of nearest words that a map keeps near to a word; NaN if that is known of no word. */
export function meanKept(kept: Uint8Array): number {
  let sum = 0;
  let words = 0;
  for (const n of kept) {
    if (n === noNeighbors) continue;
    sum += n;
    words++;
  }
  return sum / words;
}

/** How many of its ten nearest words each word of the first map has near it, and the same of the second map. */
export const preserved = signal<Load<Uint8Array>>(none);
export const otherPreserved = signal<Load<Uint8Array>>(none);
/** How far the count for the first map is; null if nothing is counted. */
export const counting = signal<MapInfo | null>(null);

/** How long to wait before asking again for what is being counted, in milliseconds. */
const askAgain = 700;

/** Asks for these numbers while the maps are coloured by them. */
export function startLens(source: Source): void {
  follow(preserved, source, layout, () => "", (info) => (counting.value = info));
  follow(otherPreserved, source, otherLayout, (at) => likeOf(at.projection, modelName.value));
}

function follow(target: Signal<Load<Uint8Array>>, source: Source, of: ReadonlySignal<Layout | null>, like: (at: Layout) => string, tell: (info: MapInfo | null) => void = () => {}): void {
  const ask = new Latest(target);
  // Of a map more may become known, which changes nothing here.
  const map = computed(() => {
    const at = of.value;
    return at && colorBy.value.by === "distortion" ? JSON.stringify([at.model, at.projection, like(at)]) : "";
  });
  effect(() => {
    const asked = map.value;
    tell(null);
    if (asked === "") return ask.clear();
    const [name, projection, first] = JSON.parse(asked) as [string, ProjectionName, string];
    void ask.ask(async (signal) => {
      try {
        for (;;) {
          const counted = await source.preserved(name, projection, signal, first);
          if (counted instanceof Uint8Array) return counted;
          signal.throwIfAborted();
          tell(counted);
          await new Promise((resolve) => setTimeout(resolve, askAgain));
          signal.throwIfAborted();
        }
      } finally {
        if (!signal.aborted) tell(null);
      }
    });
  });
}
