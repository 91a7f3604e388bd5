// Which words answer and stand out: those of some clusters, and those whose fields meet conditions. How frequent they must
// be is a part of the filter, too.

import { computed, effect, signal } from "@preact/signals";
import { Latest } from "../app/latest";
import { clustersChosen, conditions, frequent, layout, model, named, none, note, valueOf, type Load } from "../app/state";
import type { Field, Source } from "../source";
import { meets, parseCondition } from "./conditions";

/** The values of the fields that conditions are on. */
export const filterFields = signal<Load<Map<string, Field>>>(none);

const fieldNames = computed(() => [...new Set(conditions.value.flatMap((text) => parseCondition(text)?.field ?? []))].sort().join("\n"));

/** For each word of the map 1 if the filter leaves it; null if it leaves all. */
export const left = computed<Uint8Array | null>(() => {
  const at = layout.value;
  const first = frequent.value ?? 0;
  const clusters = new Set(clustersChosen.value);
  const all = conditions.value.flatMap((text) => parseCondition(text) ?? []);
  if (!at || (first === 0 && clusters.size === 0 && all.length === 0)) return null;
  const fields = valueOf(filterFields.value);
  const n = at.points.length / 2;
  const result = new Uint8Array(n);
  for (let i = 0; i < n; i++) {
    if (first > 0 && i >= first) break;
    if (clusters.size > 0 && !clusters.has(at.clusters[i] ?? -1)) continue;
    if (all.every((condition) => !fields?.has(condition.field) || meets(fields.get(condition.field) as Field, i, condition))) result[i] = 1;
  }
  return result;
});

/** Loads the fields, whenever there are conditions on others. */
export function startFiltering(source: Source): void {
  const ask = new Latest(filterFields);
  effect(() => {
    const now = model.value;
    const names = fieldNames.value.split("\n").filter(Boolean);
    if (!now || names.length === 0) return ask.clear();
    const absent = names.find((name) => !now.fields.some((f) => f.name === name));
    if (absent !== undefined) {
      note(`The address asks for words by the field ${named(absent)}, which ${now.name} does not have.`);
      conditions.value = conditions.peek().filter((text) => parseCondition(text)?.field !== absent);
      return;
    }
    void ask.ask(async (signal) => new Map(await Promise.all(names.map(async (name) => [name, await source.field(now.name, name, signal)] as const))));
  });
}
