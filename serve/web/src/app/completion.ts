import { lowered } from "../embedded/words";
import type { Vocabulary } from "./state";

const keysOf = new WeakMap<Vocabulary, string[]>();

/** The words that begin with a text, the most frequent first, whatever their case; then words that hold
 * it elsewhere, if there is room. */
export function complete(vocabulary: Vocabulary, text: string, limit: number): string[] {
  const wanted = lowered(text, vocabulary.language);
  if (wanted === "") return [];
  let keys = keysOf.get(vocabulary);
  if (!keys) {
    keys = vocabulary.words.map((word) => lowered(word, vocabulary.language));
    keysOf.set(vocabulary, keys);
  }
  const begin: string[] = [];
  const hold: string[] = [];
  // The word as it was typed comes first, however rare it is.
  if (vocabulary.ids.has(text)) begin.push(text);
  for (let i = 0; i < keys.length && begin.length < limit; i++) {
    const at = keys[i]?.indexOf(wanted) ?? -1;
    const word = vocabulary.words[i];
    if (at < 0 || word === undefined || word === text) continue;
    if (at === 0) begin.push(word);
    else if (hold.length < limit) hold.push(word);
  }
  return [...begin, ...hold].slice(0, limit);
}

/** The last word of a text that may be an expression, which is what is completed. */
export function lastTerm(text: string): { before: string; term: string } {
  const match = /^(.*\s[+-]\s+)(.*)$/.exec(text);
  return match ? { before: match[1] ?? "", term: match[2] ?? "" } : { before: "", term: text.trimStart() };
}
