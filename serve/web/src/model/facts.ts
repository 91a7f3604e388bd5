import { bytes, count } from "../numbers";
import type { ModelInfo } from "../source";

export type Fact = [name: string, value: string];

export interface FactGroup {
  title: string;
  facts: Fact[];
}

/** What is known of a model, in groups. of is what a source says of itself. */
export function factsOf(model: ModelInfo, of: Fact[]): FactGroup[] {
  const size: Fact[] = [
    ["Words", count(model.words)],
    ["Dimensions", count(model.dim)],
    ["On the map", model.points < model.words ? `the first ${count(model.points)} words` : "all words"],
    ["Other words", model.subwords ? "composed from n-grams" : "have no vector"],
    ["Counts of words", model.counts ? "known" : "not in the file"],
  ];
  if (model.fields.length > 0) size.push(["Metadata", model.fields.map((f) => f.name).join(", ")]);
  const training = Object.entries(model.training).flatMap(([name, value]) => flatten(name, value));
  const groups = [
    { title: "Size", facts: [["Format", model.format] as Fact, ...size] },
    { title: "Training", facts: training },
    { title: "This page", facts: of },
  ];
  return groups.filter((group) => group.facts.length > 0);
}

/** A fact as the model has it; objects become a fact for each of their entries. */
function flatten(name: string, value: unknown): Fact[] {
  if (value === null || value === undefined || value === "") return [];
  if (Array.isArray(value)) return value.length === 0 ? [] : [[label(name), value.map(textOf).join(", ")]];
  if (typeof value === "object") {
    return Object.entries(value).flatMap(([inner, v]) => flatten(`${name} ${inner}`, v));
  }
  if (typeof value === "number" && /bytes$/.test(name)) return [[label(name.replace(/_?bytes$/, "")) || "Bytes", bytes(value)]];
  return [[label(name), textOf(value)]];
}

function textOf(value: unknown): string {
  switch (typeof value) {
    case "boolean":
      return value ? "yes" : "no";
    case "number":
      // Years and identifiers are rare among settings, counts are not.
      return Number.isInteger(value) ? count(value) : String(value);
    case "string":
      return value;
    default:
      return JSON.stringify(value) ?? "";
  }
}

const names: Record<string, string> = {
  arch: "Architecture",
  lr: "Learning rate",
  ns_exponent: "Exponent of the noise",
  min_count: "Smallest count",
  minn: "Shortest n-gram",
  maxn: "Longest n-gram",
  sample: "Subsampling",
  tokens: "Tokens of the corpus",
  trained: "Tokens trained",
};

function label(name: string): string {
  if (Object.hasOwn(names, name)) return names[name] ?? name;
  const words = name.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
