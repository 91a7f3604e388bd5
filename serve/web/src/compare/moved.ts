import type { MovedWord } from "../source";

/** The words that hold a text, or that have a neighbour that begins with it. All if the text is empty. */
export function filterMoved(words: MovedWord[], text: string): MovedWord[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === "") return words;
  const near = (neighbors: string[]) => neighbors.some((word) => word.toLowerCase().startsWith(wanted));
  return words.filter((m) => m.word.toLowerCase().includes(wanted) || near(m.old_neighbors) || near(m.new_neighbors));
}

/** The words of two lists that are in both. */
export function inBoth(a: string[], b: string[]): Set<string> {
  const second = new Set(b);
  return new Set(a.filter((word) => second.has(word)));
}
