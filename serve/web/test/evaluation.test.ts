import { describe, expect, test } from "vitest";
import { clearlyBest, groupBySet, rangeOf, readResults, type Result } from "../src/evaluation/records";

const record = {
  set: "ws353",
  task: "similarity",
  metric: "spearman",
  score: 0.55,
  interval: [0.45, 0.63],
  items: 353,
  used: 300,
  composed: 4,
  missing: ["Maradona", "<img onerror=alert(1)>"],
  notes: ["a note"],
  conventions: { in_vocabulary: { used: 300, score: 0.55, interval: [0.45, 0.63] }, zero: { used: 353, score: 0.4 } },
  bands: [{ name: "1-1000", from: 1, to: 1000, items: 20, score: null }],
  by_words: [{ name: "in vocabulary", items: 296, score: 0.56 }],
  settings: { ignore_case: true, resamples: 10000, options: { method: "3cosadd" } },
  set_file: { sha256: "aa", files: [{ path: "/sets/ws353.tsv", sha256: "aa", bytes: 1 }] },
  model_file: { sha256: "bb", files: [{ path: "C:\\models\\small.w2v", sha256: "bb", bytes: 2 }] },
  w2v_version: "v1",
  result: { sections: [{ name: "all", questions: 9, used: 8, accuracy: 0.5, ci95: [0.1, 0.9] }] },
};

const read = (...records: unknown[]) => readResults([{ file: "a.jsonl", records: records as Record<string, unknown>[] }]);

describe("records of evaluations", () => {
  test("are read", () => {
    const [result] = read(record).results;
    expect(result).toMatchObject({
      model: "small.w2v",
      checksum: "bb",
      score: 0.55,
      interval: { low: 0.45, high: 0.63 },
      items: 353,
      used: 300,
      missing: ["Maradona", "<img onerror=alert(1)>"],
      sections: [{ name: "all", score: 0.5, interval: { low: 0.1, high: 0.9 }, used: 8, items: 9 }],
      bands: [{ name: "1-1000", score: null }],
      settings: [["ignore case", "yes"], ["resamples", "10000"], ["method", "3cosadd"], ["w2v version", "v1"]],
    });
    expect(result?.conventions.map((c) => c.name)).toEqual(["in vocabulary", "zero"]);
  });
  test("means of several models are results, too", () => {
    const files = ["a.w2v", "b.w2v"].map((path) => ({ files: [{ path }] }));
    const [mean] = read({ set: "rg65", task: "similarity", metric: "spearman", runs: 2, mean: 0.56, interval: [0.3, 0.8], model_files: files }).results;
    expect(mean).toMatchObject({ model: "a.w2v, b.w2v", score: 0.56, runs: 2, interval: { low: 0.3, high: 0.8 } });
  });
  test("other lines are counted", () => {
    expect(read(null, 5, "x", [], {}, { set: "x", task: "y", metric: "z" })).toEqual({ results: [], skipped: 6 });
  });
  test("a record without anything else is read", () => {
    const [bare] = read({ set: "", task: "bias", metric: "effect_size", score: null }).results;
    expect(bare).toMatchObject({ score: null, interval: null, model: "unnamed model", missing: [], composed: 0 });
  });
  test("numbers that are none are missing", () => {
    const [odd] = read({ ...record, score: "0.5", interval: [0.1], items: null, missing: [1, "x"] }).results;
    expect(odd).toMatchObject({ score: null, interval: null, items: null, missing: ["x"] });
  });
});

describe("comparing results", () => {
  test("the same set is one group, another content of the same name is not", () => {
    const other = { ...record, set_file: { sha256: "cc" } };
    const groups = groupBySet(read(record, other, { ...record, score: 0.6 }).results);
    expect(groups.map((g) => g.results.map((r) => r.score))).toEqual([[0.55, 0.6], [0.55]]);
  });
  test.each<[string, [number, number, number][], number | null]>([
    ["one alone is not marked", [[0.5, 0.4, 0.6]], null],
    ["overlapping intervals mark none", [[0.5, 0.4, 0.6], [0.55, 0.45, 0.65]], null],
    ["an interval above all others is marked", [[0.5, 0.4, 0.54], [0.6, 0.55, 0.65]], 0.6],
  ])("%s", (_, scores, expected) => {
    const results = read(...scores.map(([score, low, high]) => ({ ...record, score, interval: [low, high] }))).results;
    expect(clearlyBest(results as Result[])?.score ?? null).toBe(expected);
  });
  test("axes hold all intervals, zero, and one", () => {
    expect(rangeOf([{ score: 0.5, interval: { low: -0.23, high: 0.6 } }])).toEqual({ low: -0.3, high: 1 });
    expect(rangeOf([{ score: 1.21, interval: null }])).toEqual({ low: 0, high: 1.3 });
    expect(rangeOf([])).toEqual({ low: 0, high: 1 });
  });
});
