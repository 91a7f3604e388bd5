import { signal } from "@preact/signals";
import type { WordMap } from "./word-map";

/** The map or the plane that is shown, of which pictures are made. */
export const shownMap = signal<(() => WordMap | null) | null>(null);

/** How many words of each cluster are in view on the first map; null before that is counted. */
export const inView = signal<Map<number, number> | null>(null);
