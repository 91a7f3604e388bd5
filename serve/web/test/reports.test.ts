import { describe, expect, test, vi } from "vitest";
import { filterMoved, inBoth } from "../src/compare/moved";
import { factsOf } from "../src/model/facts";
import { bytes, count, duration, fixed, percent, short } from "../src/numbers";
import type { ModelInfo, RunRecord } from "../src/source";
import { followRuns } from "../src/training/follow";

describe("numbers", () => {
  test.each([
    [0, "0"],
    [999, "999"],
    [999_999, "1 M"],
    [3_260_657, "3.26 M"],
    [1.5e12, "1.5 T"],
    [-2500, "-2.5 k"],
    [0.01234, "0.0123"],
    [null, "–"],
  ])("short(%d) is %s", (value, text) => expect(short(value)).toBe(text));
  test.each([
    [0.04, "0 s"],
    [1.23, "1.2 s"],
    [59.4, "59 s"],
    [61, "1 min 1 s"],
    [180, "3 min"],
    [3725, "1 h 2 min"],
    [90_000, "1 d 1 h"],
    [null, "–"],
  ])("duration(%d) is %s", (value, text) => expect(duration(value)).toBe(text));
  test("others", () => {
    expect(count(1234567)).toBe("1,234,567");
    expect(count(undefined)).toBe("–");
    expect(fixed(-0.1234)).toBe("−0.123");
    expect(percent(0.1234, 1)).toBe("12.3 %");
    expect(bytes(24_012_000)).toBe("24 MB");
    expect(bytes(12)).toBe("12 B");
  });
});

describe("facts", () => {
  const model: ModelInfo = { name: "m", format: "w2v", words: 10, dim: 5, points: 4, subwords: false, counts: true, training: {}, fields: [], projections: ["pca"] };
  const training = (facts: Record<string, unknown>) => factsOf({ ...model, training: facts }, []).find((group) => group.title === "Training")?.facts;

  test("of nested settings, lists and empty values", () => {
    expect(training({ ngrams: { minn: 3, kind: "floret" }, files: ["a", "b"], note: "", none: null, tied: false })).toEqual([
      ["Ngrams minn", "3"],
      ["Ngrams kind", "floret"],
      ["Files", "a, b"],
      ["Tied", "no"],
    ]);
  });
  test("of a model that says nothing of its training", () => expect(training({})).toBeUndefined());
  test("a setting may be called like something of every object", () => {
    expect(training(JSON.parse('{"__proto__": 1, "constructor": "x"}') as Record<string, unknown>)).toEqual([
      ["  proto  ", "1"],
      ["Constructor", "x"],
    ]);
  });
  test("say how many words are on the map", () => {
    expect(factsOf(model, [])[0]?.facts).toContainEqual(["On the map", "the first 4 words"]);
  });
});

describe("words that moved", () => {
  const words = [
    { word: "bank", cosine: 0.2, rank: 1, old_neighbors: ["river"], new_neighbors: ["money"] },
    { word: "Cell", cosine: 0.3, rank: 2, old_neighbors: ["prison"], new_neighbors: ["phone"] },
  ];
  test.each([
    ["", ["bank", "Cell"]],
    [" cel", ["Cell"]],
    ["RIV", ["bank"]],
    ["pho", ["Cell"]],
    ["iver", []],
  ])("%j keeps %j", (text, kept) => expect(filterMoved(words, text).map((m) => m.word)).toEqual(kept));
  test("common words of two lists", () => expect([...inBoth(["a", "b", "__proto__"], ["__proto__", "b"])]).toEqual(["b", "__proto__"]));
});

describe("following runs", () => {
  test("gathers records, begins anew, and ends", () => {
    vi.useFakeTimers();
    const closed: string[] = [];
    const listeners = new Map<string, { record: (r: RunRecord) => void; restarted: () => void; end: () => void }>();
    const seen: number[][] = [];
    const end = followRuns(
      {
        run: (name, listener) => {
          listeners.set(name, listener);
          return { close: () => closed.push(name) };
        },
      },
      ["a", "b"],
      (runs) => seen.push(runs.map((run) => run.log.progress.length)),
    );
    const a = listeners.get("a");
    for (let tokens = 1; tokens <= 50; tokens++) a?.record({ event: "progress", tokens, loss: 1 });
    expect(seen).toEqual([[0, 0]]);
    vi.advanceTimersByTime(1000);
    expect(seen).toEqual([[0, 0], [50, 0]]);
    a?.restarted();
    a?.record({ event: "progress", tokens: 1, loss: 1 });
    vi.advanceTimersByTime(1000);
    expect(seen.at(-1)).toEqual([1, 0]);
    a?.record({ event: "progress", tokens: 2, loss: 1 });
    end();
    vi.advanceTimersByTime(1000);
    expect(seen.length).toBe(3);
    expect(closed).toEqual(["a", "b"]);
    vi.useRealTimers();
  });
});
