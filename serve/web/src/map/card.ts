// What is said of the word that is pointed at.

import { effect, signal } from "@preact/signals";
import { Latest } from "../app/latest";
import { among, amongKnown, hovered, model, neighbors, none, query, valueOf, vocabulary, type Layout, type Load, type Vocabulary } from "../app/state";
import { shared } from "../components/Shared";
import { count } from "../numbers";
import type { Field, Neighbors, Source } from "../source";

/** How long a word must be pointed at before its neighbours are asked for, in milliseconds. */
const rests = 250;
/** How many neighbours are named, of how many that are asked for, and how many fields. */
const named = 3;
const held = 25;
const mostFields = 4;

const near = signal<Load<Neighbors & { id: number }>>(none);
const fields = signal<Load<[string, Field][]>>(none);

/** Asks for the neighbours of the word that is pointed at, and once for the fields. */
export function startCards(source: Source): void {
  const askNear = new Latest(near);
  const askFields = new Latest(fields);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let of = "";
  effect(() => {
    const id = hovered.value;
    const now = model.value;
    const word = valueOf(vocabulary.value)?.words[id];
    clearTimeout(timer);
    if (now?.name !== of) askFields.clear();
    if (id < 0 || !now || word === undefined) return askNear.clear();
    if (now.name !== of && now.fields.length > 0) {
      void askFields.ask((signal) => Promise.all(now.fields.slice(0, mostFields).map(async ({ name }): Promise<[string, Field]> => [name, await source.field(now.name, name, signal)])));
    }
    of = now.name;
    if (valueOf(near.peek())?.id === id || !amongKnown.peek()) return;
    askNear.clear();
    timer = setTimeout(() => void askNear.ask(async (signal) => ({ ...(await source.neighbors(now.name, { text: word, expression: false }, held, among.peek(), signal)), id })), rests);
  });
}

/** The lines of the card of a word. */
export function cardOf(at: Layout, id: number, words: Vocabulary | null): string[] {
  return linesOf(at, id, words, valueOf(fields.value) ?? [], valueOf(near.value), query.value ? valueOf(neighbors.value) : null);
}

/** asked are the neighbours that are listed: a card of one of them says which words are near to both. */
export function linesOf(at: Layout, id: number, words: Vocabulary | null, facts: [string, Field][], close: (Neighbors & { id: number }) | null, asked: Neighbors | null = null): string[] {
  const seen = words?.counts?.[id];
  const cluster = at.info.clusters?.find((c) => c.id === at.clusters[id]);
  const lines = [`rank ${count(id + 1)}${seen === undefined ? "" : ` · seen ${count(seen)} times`}`];
  if (cluster) lines.push(`cluster: ${cluster.label}`);
  for (const [name, field] of facts) {
    const value = field.kind === "category" ? field.categories[field.values[id] ?? -1] : field.values[id];
    if (value !== undefined && value !== null) lines.push(`${name}: ${value}`);
  }
  if (close?.id === id && close.neighbors.length > 0) lines.push(`near: ${close.neighbors.slice(0, named).map((n) => n.word).join(", ")}`);
  const both = close?.id === id && asked?.neighbors.some((n) => n.id === id) ? shared(asked.neighbors, close.neighbors).slice(0, named) : [];
  if (asked && both.length > 0) lines.push(`near to ${asked.query}, too: ${both.join(", ")}`);
  return lines;
}
