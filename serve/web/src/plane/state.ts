// The plane of the analogy or the axis that is asked for, which is shown in place of the map.

import { computed, effect, signal } from "@preact/signals";
import { isKnown, parseQuery } from "../app/actions";
import { Latest } from "../app/latest";
import { again, among, analogy, axis, model, none, panel, valueOf, wholeMap, type Load } from "../app/state";
import type { Source } from "../source";
import { localSelection, type LocalSelection } from "../selections/state";
import { unit } from "./geometry";
import { analogyPlane, axisPlane, type LocalAnalogy, type LocalAxis, type NamedWord } from "./question";

/** How many words near to each word of a question are in its plane, and how many words of each end of an axis. */
const nearEach = 6;
const endWords = 12;

export const localAnalogy = signal<Load<LocalAnalogy>>(none);
export const localAxis = signal<Load<LocalAxis>>(none);

/** The plane that the panel is about, also while the whole map is shown; null if there is none. */
export const local = computed<LocalAnalogy | LocalAxis | LocalSelection | null>(() => {
  if (panel.value === "selection") return again.value ? valueOf(localSelection.value) : null;
  if (panel.value === "analogy") return valueOf(localAnalogy.value);
  if (panel.value === "axis") return valueOf(localAxis.value);
  return null;
});

/** What is drawn in place of the map. */
export const localShown = computed(() => (wholeMap.value ? null : local.value));

export function startPlanes(source: Source): void {
  const near = async (name: string, words: NamedWord[], signal: AbortSignal): Promise<NamedWord[]> => {
    const lists = await Promise.all(words.map((w) => source.neighbors(name, { text: w.word, expression: false }, nearEach, among.peek(), signal)));
    return lists.flatMap((list) => list.neighbors);
  };
  const rowsOf = async (name: string, words: NamedWord[], signal: AbortSignal) => {
    const rows = await source.vectors(name, words.map((w) => w.word), signal);
    return rows.map(unit);
  };

  const askAnalogy = new Latest(localAnalogy);
  effect(() => {
    const now = model.value;
    const found = valueOf(analogy.value);
    if (!now || !found || found.answers.length === 0) return askAnalogy.clear();
    void askAnalogy.ask(async (signal) => {
      const given = (["a", "b", "c"] as const).flatMap((role) => found.terms.filter((t) => t.role === role));
      const question = [...given, ...found.answers].map(({ word, id }) => ({ word, id }));
      const words = unlike([...question, ...(await near(now.name, question.slice(0, 4), signal))]);
      return analogyPlane(words, await rowsOf(now.name, words, signal), found.answers.length);
    });
  });

  const askAxis = new Latest(localAxis);
  effect(() => {
    const now = model.value;
    const found = valueOf(axis.value);
    // An expression is no word that could have a place.
    if (!now || !found || [found.from, found.to].some((end) => parseQuery(end, isKnown)?.expression)) return askAxis.clear();
    const ends = [found.from, found.to].map((word) => ({ word, id: -1 }));
    void askAxis.ask(async (signal) => {
      const words = unlike([...ends, ...found.toward.slice(0, endWords), ...found.away.slice(0, endWords), ...(await near(now.name, ends, signal))].map(({ word, id }) => ({ word, id })));
      return axisPlane(words, await rowsOf(now.name, words, signal));
    });
  });
}

/** The words, each once. The first three of an analogy may be alike, and stay. */
function unlike(words: NamedWord[]): NamedWord[] {
  const seen = new Set<string>();
  return words.filter(({ word }, i) => {
    const kept = i < 3 || !seen.has(word);
    seen.add(word);
    return kept;
  });
}
