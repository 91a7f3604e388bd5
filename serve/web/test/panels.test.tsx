import { render } from "preact";
import { act } from "preact/test-utils";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { analogyWords, colorBy, layout, mapInfo, model, modelName, models, neighbors, otherModel, panel, place, query, vocabulary } from "../src/app/state";
import { Composition } from "../src/components/Composition";
import { SourceContext } from "../src/components/context";
import { comparison, otherNeighbors } from "../src/compare/state";
import { ComparePanel } from "../src/panels/ComparePanel";
import { startLens } from "../src/map/distortion";
import { LegendView } from "../src/map/LegendView";
import { MapStatus } from "../src/map/MapStatus";
import { AnalogyPanel } from "../src/panels/AnalogyPanel";
import { ModelPanel } from "../src/panels/ModelPanel";
import { RunsPanel } from "../src/panels/RunsPanel";
import { ScoresPanel } from "../src/panels/ScoresPanel";
import { WordPanel } from "../src/panels/WordPanel";
import type { ModelInfo, MovedWord, Neighbors, Source } from "../src/source";
import { hostileWords } from "./embedded-data";

const info = (name: string): ModelInfo => ({
  name,
  format: "w2v",
  words: 1000,
  dim: 50,
  points: 1000,
  subwords: true,
  counts: false,
  training: { lr: 0.05, min_count: 5, tokens: 797077 },
  fields: [],
  projections: ["pca"],
});

let root: HTMLElement;

async function show(panelShown: preact.ComponentChild, source: Partial<Source> = {}): Promise<string> {
  await act(() => render(<SourceContext.Provider value={source as Source}>{panelShown}</SourceContext.Provider>, root));
  await act(async () => {
    await Promise.resolve();
  });
  return root.textContent ?? "";
}

beforeEach(() => {
  root = document.createElement("div");
  document.body.append(root);
  models.value = { state: "ready", value: [info("old"), info("<b>new</b>")] };
  modelName.value = "old";
});

afterEach(() => {
  render(null, root);
  root.remove();
  query.value = null;
  otherModel.value = "";
  panel.value = "word";
});

const moved = (word: string, near: string[], now: string[]): MovedWord => ({ word, cosine: 0.25, rank: 1, old_neighbors: near, new_neighbors: now });
const near = (...words: string[]): Neighbors => ({ model: "old", query: "x", neighbors: words.map((word, id) => ({ word, id, similarity: 0.5 })) });

describe("the state of a map", () => {
  test("says how many words were laid out, and how many are drawn", async () => {
    const info = { state: "ready" as const, trustworthiness: 0.866, trustworthiness_points: 2000, landmarks: 200_000 };
    mapInfo.value = { state: "ready", value: info };
    layout.value = { model: "old", projection: "umap", info, points: new Float32Array(600_000), clusters: new Uint16Array(0), toMap: (x, y) => [x, y] };
    const text = await show(<MapStatus />);
    expect(text).toContain("200,000 words laid out, the others beside them");
    expect(text).toContain("the 200,000 most frequent words are drawn");
    expect(text).toContain("The number is of 2,000 of the 300,000 words, each among all of them.");
    [mapInfo.value, layout.value] = [{ state: "none" }, null];
  });
});

describe("the legend", () => {
  test("says how far the count of distortion is", async () => {
    const info = { state: "running" as const, stage: "nearest neighbours", progress: 0.42 };
    layout.value = { model: "old", projection: "umap", info: { state: "ready" }, points: new Float32Array(2), clusters: new Uint16Array(0), toMap: (x, y) => [x, y] };
    colorBy.value = { by: "distortion" };
    startLens({ preserved: async () => info } as Partial<Source> as Source);
    const legend = <LegendView legend={{ kind: "ramp", title: "", low: "", high: "", colors: [] }} />;
    expect(await show(legend)).toContain("nearest neighbours, 42 %");
    [colorBy.value, layout.value] = [{ by: "cluster" }, null];
    expect(await show(legend)).not.toContain("42 %");
  });
});

describe("what a word is composed of", () => {
  const composed = (parts: [string, number][]) => ({
    state: "ready" as const,
    value: { projection: "pca" as const, word: "x", id: -1, composed: true, x: 0, y: 0, neighbors: [], parts: parts.map(([name, share]) => ({ name, share, norm: 1, kind: "ngram" as const })) },
  });
  test("is listed with the largest share first", async () => {
    place.value = composed([["<ki", 0.2], ["ing>", 0.8]]);
    await show(<Composition />);
    expect([...root.querySelectorAll(".name")].map((e) => e.textContent)).toEqual(["ing>", "<ki"]);
    expect(root.textContent).toContain("80.0 %");
  });
  test("is not shown for a word of the vocabulary", async () => {
    place.value = { state: "ready", value: { projection: "pca", word: "x", id: 5, composed: false, x: 0, y: 0, neighbors: [] } };
    expect(await show(<Composition />)).toBe("");
  });
});

describe("two models", () => {
  beforeEach(() => {
    panel.value = "compare";
    otherModel.value = "<b>new</b>";
  });
  test("common neighbours are marked", async () => {
    query.value = { text: "x", expression: false };
    neighbors.value = { state: "ready", value: near("a", "b", "c") };
    otherNeighbors.value = { state: "ready", value: near("c", "d", "a") };
    const text = await show(<ComparePanel />);
    expect(text).toContain("2 of 3 are common to both");
    expect([...root.querySelectorAll(".common .link")].map((e) => e.textContent)).toEqual(["a", "c", "c", "a"]);
  });
  test("the words that moved can be filtered and looked at", async () => {
    comparison.value = { state: "ready", value: { shared: 900, moved: [moved("bank", ["river"], ["money"]), moved("cell", ["prison"], ["phone"])], stable: [] } };
    await show(<ComparePanel />);
    const filter = root.querySelector<HTMLInputElement>(".filter");
    expect(root.querySelectorAll(".moved li").length).toBe(2);
    await act(() => {
      if (filter) filter.value = "mon";
      filter?.dispatchEvent(new Event("input", { bubbles: true }));
    });
    const words = [...root.querySelectorAll<HTMLButtonElement>(".moved .link")];
    expect(words.map((e) => e.textContent)).toEqual(["bank"]);
    await act(() => words[0]?.click());
    expect(query.value).toEqual({ text: "bank", expression: false });
    expect(panel.value).toBe("compare");
  });
  test("names and words from hostile models are text", async () => {
    comparison.value = { state: "ready", value: { shared: 4, moved: hostileWords.map((word) => moved(word, hostileWords, hostileWords)), stable: [] } };
    const text = await show(<ComparePanel />);
    expect(root.querySelector("img, b, script")).toBeNull();
    for (const word of hostileWords) expect(text).toContain(word);
  });
  test("a comparison that is being computed shows its progress", async () => {
    comparison.value = { state: "ready", value: { state: "running", progress: 0.4, stage: "rotation" } };
    expect(await show(<ComparePanel />)).toContain("rotation");
    expect(root.querySelector("progress")?.value).toBe(0.4);
  });
});

describe("scores", () => {
  const record = (file: string, missing: string[]) => ({
    file,
    records: [{ set: "ws353", task: "similarity", metric: "spearman", score: 0.5, interval: [0.4, 0.6], items: 353, used: 341, missing, model_file: { files: [{ path: "m.w2v" }] } }],
  });
  test("of the same model in two files are told apart", async () => {
    await show(<ScoresPanel />, { evaluations: () => Promise.resolve([record("a.jsonl", []), record("b.jsonl", [])]) });
    expect([...root.querySelectorAll("thead th")].map((e) => e.textContent)).toEqual(["Set", "Score", "m.w2v (a.jsonl)", "m.w2v (b.jsonl)"]);
  });
  test("come with coverage and missing words", async () => {
    const text = await show(<ScoresPanel />, { evaluations: () => Promise.resolve([record("a.jsonl", hostileWords)]) });
    expect(text).toContain("341 of 353 used, 97 %");
    await act(() => {
      const details = root.querySelector("details");
      if (details) details.open = true;
      details?.dispatchEvent(new Event("toggle"));
    });
    expect(root.textContent).toContain(hostileWords[0]);
    expect(root.querySelector("img")).toBeNull();
  });
  test("that are not there are explained, and so are failures", async () => {
    expect(await show(<ScoresPanel />, { evaluations: () => Promise.resolve([]) })).toContain("--scores");
    render(null, root);
    expect(await show(<ScoresPanel />, { evaluations: () => Promise.reject(new Error("no such file")) })).toContain("no such file");
  });
  test("a file that could not be read to its end is named", async () => {
    const evaluations = () => Promise.resolve([{ file: "cut.jsonl", records: [], error: "line 3 is no JSON" }]);
    expect(await show(<ScoresPanel />, { evaluations })).toContain("cut.jsonl: line 3 is no JSON");
  });
});

describe("a model’s facts", () => {
  test("are listed with what they are", async () => {
    const text = await show(<ModelPanel />, { about: [["Made by", "w2v test"]] });
    expect(model.value?.name).toBe("old");
    expect(text).toContain("Learning rate0.05");
    expect(text).toContain("Tokens of the corpus797,077");
    expect(text).toContain("Made byw2v test");
  });
});

const knows = (...words: string[]) => {
  vocabulary.value = { state: "ready", value: { words, counts: null, language: "", ids: new Map(words.map((word, id) => [word, id])) } };
};

describe("an analogy’s fields", () => {
  const field = (label: string) => {
    const found = [...root.querySelectorAll("label")].find((e) => e.textContent === label);
    const input = root.querySelector<HTMLInputElement>(`#${found?.htmlFor}`);
    if (!input) throw new Error(`no field ${label}`);
    return input;
  };
  const type = (label: string, text: string) =>
    act(() => {
      field(label).focus();
      field(label).value = text;
      field(label).dispatchEvent(new Event("input", { bubbles: true }));
    });
  const enter = (label: string) => act(() => void field(label).dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true })));

  test("follow each other by Enter", async () => {
    knows("man", "king", "woman");
    analogyWords.value = null;
    await show(<AnalogyPanel />);
    await type("a", "man");
    await enter("a");
    expect(document.activeElement).toBe(field("b"));
    expect(analogyWords.value).toBeNull();
  });
  test("take a completion that is picked as a whole", async () => {
    knows("man", "king", "woman");
    analogyWords.value = null;
    await show(<AnalogyPanel />);
    await type("a", "man");
    await type("b", "king");
    await type("c", "wom");
    const option = [...root.querySelectorAll<HTMLElement>("[role=option]")].find((e) => e.textContent === "woman");
    await act(() => option?.click());
    expect(analogyWords.value).toEqual(["man", "king", "woman"]);
  });
});

test("several words typed as one query are offered as a sum and an analogy", async () => {
  knows("man", "king", "woman");
  query.value = { text: "king man woman", expression: false };
  neighbors.value = { state: "failed", error: new Error("not in the vocabulary") };
  await show(<WordPanel />);
  expect([...root.querySelectorAll(".chip")].map((e) => e.textContent)).toEqual(["king + man + woman", "king - man + woman", "king : man = woman : ?"]);
});

test("logs that appear later are found", async () => {
  vi.useFakeTimers();
  try {
    const names: string[] = [];
    const source: Partial<Source> = { runs: () => Promise.resolve(names.map((name) => ({ name, finished: false }))), run: () => ({ close: () => {} }) };
    expect(await show(<RunsPanel />, source)).toContain("--log");
    names.push("late");
    await act(async () => {
      await vi.advanceTimersByTimeAsync(4000);
    });
    expect(root.textContent).toContain("late");
  } finally {
    vi.useRealTimers();
  }
});
