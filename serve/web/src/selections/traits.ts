// What distinguishes some words from the others: what more of them have in common.

/** A property that words have one value of, such as their cluster; null for words without. */
export interface Property {
  name: string;
  of: (id: number) => string | null;
}

export interface Trait {
  name: string;
  value: string;
  /** The shares of the words that have it: of the selection, and of the rest. */
  inside: number;
  outside: number;
}

/** How many words of the rest are looked at, at most. */
const sampled = 50_000;
/** So many words of a selection must have a value. */
const fewest = 3;
const beginAt = 0.04;

/** The values that most distinguish a selection from the rest of n words, by p·log2(p/q): p is the share of the selection
 * that has the value, and q that of the rest. */
export function traits(ids: readonly number[], n: number, properties: Property[], most: number): Trait[] {
  const within = new Set(ids);
  const step = Math.max(1, Math.floor(n / sampled));
  const rest: number[] = [];
  for (let id = 0; id < n; id += step) if (!within.has(id)) rest.push(id);
  const found: (Trait & { weight: number })[] = [];
  for (const { name, of } of properties) {
    const here = countsOf(ids, of);
    const there = countsOf(rest, of);
    for (const [value, count] of here) {
      const inside = count / ids.length;
      if (count < fewest || inside < beginAt) continue;
      const outside = (there.get(value) ?? 0) / Math.max(1, rest.length);
      // A value that no other word has is no proof that none could.
      const weight = inside * Math.log2(inside / ((outside * rest.length + 0.5) / (rest.length + 1)));
      if (weight > 0.03 && inside > 2 * outside) found.push({ name, value, inside, outside, weight });
    }
  }
  found.sort((a, b) => b.weight - a.weight);
  return found.slice(0, most).map(({ name, value, inside, outside }) => ({ name, value, inside, outside }));
}

function countsOf(ids: readonly number[], of: Property["of"]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const id of ids) {
    const value = of(id);
    if (value !== null) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return counts;
}

/** The last letters of words, as a property: of longer words only. */
export function endings(words: readonly string[], letters: number): Property {
  return {
    name: "ends in",
    of: (id) => {
      const word = words[id] ?? "";
      return word.length > letters + 1 ? `-${word.slice(-letters)}` : null;
    },
  };
}

/** The value in the middle of the known ones; null if there is none. */
export function median(values: (number | null | undefined)[]): number | null {
  const known = values.filter((value): value is number => typeof value === "number" && Number.isFinite(value)).sort((a, b) => a - b);
  return known[Math.floor(known.length / 2)] ?? null;
}
