import { signal } from "@preact/signals";
import { Fragment } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Latest } from "../app/latest";
import { among, amongKnown, modelName, none, query, type Load } from "../app/state";
import type { Neighbor, Query } from "../source";
import { useSource } from "./context";
import { LoadView } from "./LoadView";

/** How many nearest words of each of two words are held beside each other; of how many neighbours; and how many words are named. */
const held = 25;
const explained = 10;
const named = 6;

/** The words that are in both lists: those first whose lesser similarity is the largest. */
export function shared(one: Neighbor[], other: Neighbor[]): string[] {
  const similarity = new Map(other.map((n) => [n.id, n.similarity]));
  const least = (n: Neighbor) => Math.min(n.similarity, similarity.get(n.id) ?? -1);
  return one.filter((n) => similarity.has(n.id)).sort((a, b) => least(b) - least(a)).map((n) => n.word);
}

const found = signal<Load<{ word: string; both: string[] }[]>>(none);
const ask = new Latest(found);

/** What a model alone can say of why words are near: which other words are near to both. It is asked for when it is opened. */
export function Shared({ list }: { list: Neighbor[] }) {
  const source = useSource();
  const [open, setOpen] = useState(false);
  const [asked, name, may] = [query.value, modelName.value, among.value];
  const words = list.slice(0, explained).map((n) => n.word);
  useEffect(() => {
    if (!open || !asked || !amongKnown.peek()) return;
    void ask.ask(async (signal) => {
      const near = async (of: Query) => (await source.neighbors(name, of, held, may, signal)).neighbors;
      const [own, ...others] = await Promise.all([near(asked), ...words.map((text) => near({ text, expression: false }))]);
      return words.map((word, i) => ({ word, both: shared(own ?? [], others[i] ?? []) }));
    });
    return () => ask.clear();
  }, [open, asked, name, may, words.join("\n")]);
  return (
    <details class="disclosure" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Why are these near?</summary>
      <p class="note">
        Words are near if the training text has them beside the same words. The model keeps vectors and no sentences, but it tells which words are near to both: of the {held} nearest of
        “{asked?.text}” and the {held} nearest of
      </p>
      <LoadView load={found.value}>
        {(all) => (
          <dl class="facts short" aria-label={`Near both ${asked?.text ?? ""} and a neighbour`}>
            {all.map(({ word, both }) => (
              <Fragment key={word}>
                <dt>{word}</dt>
                <dd>{both.length === 0 ? "none" : `${both.length}: ${both.slice(0, named).join(", ")}${both.length > named ? ", …" : ""}`}</dd>
              </Fragment>
            ))}
          </dl>
        )}
      </LoadView>
    </details>
  );
}
