// Records of `w2v eval --json`, one a set, and of `w2v eval --runs --json`.

import type { EvaluationFile } from "../source";

export interface Interval {
  low: number;
  high: number;
}

/** A part of a result: a section of questions, a category, a band of frequencies. */
export interface PartScore {
  name: string;
  score: number | null;
  interval: Interval | null;
  used: number | null;
  items: number | null;
}

/** One score of one model, or of several of one setting, on one set. */
export interface Result {
  /** Unique among all results. */
  key: string;
  file: string;
  model: string;
  checksum: string;
  set: string;
  setChecksum: string;
  task: string;
  metric: string;
  score: number | null;
  interval: Interval | null;
  items: number | null;
  used: number | null;
  composed: number;
  missing: string[];
  notes: string[];
  /** Of a mean of several models: how many there are. */
  runs: number | null;
  sections: PartScore[];
  bands: PartScore[];
  byWords: PartScore[];
  conventions: PartScore[];
  settings: [string, string][];
}

export interface Results {
  results: Result[];
  /** Records that are no results of an evaluation. */
  skipped: number;
}

/** Reads the records of all files. */
export function readResults(files: EvaluationFile[]): Results {
  const results: Result[] = [];
  let skipped = 0;
  files.forEach((file, f) => {
    file.records.forEach((record, r) => {
      const result = readResult(record, file.file, `${f}.${r}`);
      if (result) results.push(result);
      else skipped++;
    });
  });
  return { results, skipped };
}

function readResult(record: unknown, file: string, key: string): Result | null {
  const fields = objectOf(record);
  const { set, task, metric } = fields;
  if (typeof set !== "string" || typeof task !== "string" || typeof metric !== "string") return null;
  const runs = numberOf(fields["runs"]);
  if (runs === null && !("score" in fields)) return null;
  const model = modelOf(fields, runs);
  const detail = objectOf(fields["result"]);
  return {
    key,
    file,
    ...model,
    set,
    setChecksum: textOf(objectOf(fields["set_file"])["sha256"]),
    task,
    metric,
    score: numberOf(runs === null ? fields["score"] : fields["mean"]),
    interval: intervalOf(fields["interval"]),
    items: numberOf(fields["items"]),
    used: numberOf(fields["used"]),
    composed: numberOf(fields["composed"]) ?? 0,
    missing: textsOf(fields["missing"]),
    notes: textsOf(fields["notes"]),
    runs,
    sections: listOf(detail["sections"] ?? detail["clusters"] ?? detail["relations"] ?? detail["tests"]).flatMap(partOf),
    bands: listOf(fields["bands"]).flatMap(partOf),
    byWords: listOf(fields["by_words"]).flatMap(partOf),
    conventions: Object.entries(objectOf(fields["conventions"])).flatMap(([name, value]) =>
      partOf({ name: name.replaceAll("_", " "), ...objectOf(value) }),
    ),
    settings: settingsOf(fields),
  };
}

function modelOf(fields: Fields, runs: number | null): { model: string; checksum: string } {
  if (runs !== null) {
    const names = listOf(fields["model_files"]).map(fileName).filter((name) => name !== "");
    return { model: names.length > 0 ? names.join(", ") : `${runs} models`, checksum: "" };
  }
  const source = objectOf(fields["model_file"]);
  return { model: fileName(source) || "unnamed model", checksum: textOf(source["sha256"]) };
}

/** The last element of the path of a source's first file. */
function fileName(source: unknown): string {
  const path = textOf(objectOf(listOf(objectOf(source)["files"])[0])["path"]);
  return path.split(/[/\\]/).at(-1) ?? "";
}

function partOf(value: unknown): PartScore[] {
  const fields = objectOf(value);
  if (typeof fields["name"] !== "string") return [];
  const score = ["score", "accuracy", "spearman", "effect_size", "purity"]
    .map((name) => numberOf(fields[name]))
    .find((number) => number !== null);
  return [
    {
      name: fields["name"],
      score: score ?? null,
      interval: intervalOf(fields["interval"] ?? fields["ci95"]),
      used: numberOf(fields["used"]),
      items: numberOf(fields["items"] ?? fields["questions"] ?? fields["tests"]),
    },
  ];
}

function settingsOf(fields: Fields): [string, string][] {
  const settings: [string, string][] = [];
  for (const [name, value] of Object.entries(objectOf(fields["settings"]))) {
    if (typeof value === "object" && value !== null) {
      for (const [inner, option] of Object.entries(value)) settings.push([inner, shortText(option)]);
    } else settings.push([name, shortText(value)]);
  }
  if (typeof fields["w2v_version"] === "string") settings.push(["w2v version", fields["w2v_version"]]);
  return settings.map(([name, value]) => [name.replaceAll("_", " "), value]);
}

function shortText(value: unknown): string {
  if (typeof value === "boolean") return value ? "yes" : "no";
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}

/** The range of a chart's axis. */
export interface Range {
  low: number;
  high: number;
}

/** The range that shows all scores and intervals of a metric, with zero. */
export function rangeOf(parts: { metric?: string; score: number | null; interval: Interval | null }[]): Range {
  let [low, high] = [0, 0];
  for (const { score, interval } of parts) {
    for (const value of [score, interval?.low, interval?.high]) {
      if (typeof value !== "number") continue;
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
  }
  // Correlations and shares are at most one, and are compared with that.
  if (high <= 1) high = 1;
  return { low: Math.floor(low * 10) / 10, high: Math.ceil(high * 10) / 10 };
}

/** All results of a set, so that models can be compared on it. */
export interface SetOfResults {
  key: string;
  task: string;
  set: string;
  metric: string;
  results: Result[];
}

/** Puts results of the same content, task and metric together, in the order of their first. */
export function groupBySet(results: Result[]): SetOfResults[] {
  const groups = new Map<string, SetOfResults>();
  for (const result of results) {
    const key = JSON.stringify([result.task, result.metric, result.set, result.setChecksum]);
    const group = groups.get(key) ?? {
      key,
      task: result.task,
      set: result.set,
      metric: result.metric,
      results: [],
    };
    group.results.push(result);
    groups.set(key, group);
  }
  return [...groups.values()];
}

/** The result that is ahead, if all others' intervals end below its own; it alone is marked. */
export function clearlyBest(results: Result[]): Result | null {
  const scored = results.filter((result) => result.score !== null);
  if (scored.length < 2) return null;
  const best = scored.reduce((a, b) => ((b.score as number) > (a.score as number) ? b : a));
  const clear = scored.every(
    (result) => result === best || (best.interval !== null && result.interval !== null && result.interval.high < best.interval.low),
  );
  return clear ? best : null;
}

type Fields = Record<string, unknown>;

function objectOf(value: unknown): Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function textsOf(value: unknown): string[] {
  return listOf(value).filter((entry) => typeof entry === "string");
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function numberOf(value: unknown): number | null {
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

function intervalOf(value: unknown): Interval | null {
  if (!Array.isArray(value) || value.length !== 2) return null;
  const [low, high] = [numberOf(value[0]), numberOf(value[1])];
  return low === null || high === null ? null : { low, high };
}
