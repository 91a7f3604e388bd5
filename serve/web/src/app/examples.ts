import type { Vocabulary } from "./state";

const analogies: [string, string, string][] = [
  ["man", "king", "woman"],
  ["japan", "tokyo", "france"],
  ["Japan", "Tokyo", "France"],
  ["he", "his", "she"],
  ["france", "french", "germany"],
  ["son", "daughter", "brother"],
  ["big", "bigger", "small"],
  ["walk", "walked", "play"],
  ["good", "better", "bad"],
  ["one", "first", "two"],
  ["Mann", "König", "Frau"],
  ["homme", "roi", "femme"],
];

const axes: [string, string][] = [
  ["bad", "good"],
  ["he", "she"],
  ["small", "big"],
  ["poor", "rich"],
  ["war", "peace"],
  ["old", "new"],
  ["schlecht", "gut"],
];

const words = ["paris", "Paris", "king", "water", "König", "roi"];

function present<T extends string[]>(all: T[], vocabulary: Vocabulary | null): T[] {
  return vocabulary ? all.filter((words) => words.every((word) => vocabulary.ids.has(word))) : [];
}

/** Analogies whose words are all in a vocabulary. */
export function exampleAnalogies(vocabulary: Vocabulary | null): [string, string, string][] {
  return present(analogies, vocabulary).slice(0, 5);
}

/** A word whose neighbours are easy to judge; empty if the vocabulary has none. */
export function exampleWord(vocabulary: Vocabulary | null): string {
  return words.find((word) => vocabulary?.ids.has(word)) ?? "";
}

/** Pairs of opposites that are in a vocabulary. */
export function exampleAxes(vocabulary: Vocabulary | null): [string, string][] {
  return present(axes, vocabulary).slice(0, 5);
}
