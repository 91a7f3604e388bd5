import { describe, expect, it } from "vitest";
import { clustersChosen, conditions, frequent, layout } from "../src/app/state";
import { categoriesOf, meets, parseCondition } from "../src/filter/conditions";
import { fewest, scaleOf } from "../src/filter/histogram";
import { left } from "../src/filter/state";

describe("conditions", () => {
  it.each([
    ["country=France", { field: "country", sign: "=", value: "France" }],
    ["part of speech != a=b", { field: "part of speech", sign: "!=", value: "a=b" }],
    ["year>=1990", { field: "year", sign: ">=", value: "1990" }],
    ["nothing", null],
    ["=x", null],
  ])("are read: %s", (text, parts) => {
    expect(parseCondition(text)).toEqual(parts);
  });

  it("are met as on the server, and never by what is not known", () => {
    const kinds = { kind: "category", categories: ["a", "b", "other (9 categories)"], values: [0, 1, -1], merged: 9 } as const;
    const met = (text: string, field: Parameters<typeof meets>[0]) => [0, 1, 2].map((i) => meets(field, i, parseCondition(text) ?? { field: "", sign: "=", value: "" }));
    const field = { ...kinds, categories: [...kinds.categories], values: [...kinds.values] };
    expect(met("k=a", field)).toEqual([true, false, false]);
    expect(met("k!=a", field)).toEqual([false, true, false]);
    expect(categoriesOf(field)).toEqual(["a", "b"]);
    const years = { kind: "number" as const, values: [1990, 2000, null] };
    expect(met("y>=1990", years)).toEqual([true, true, false]);
    expect(met("y<1995", years)).toEqual([true, false, false]);
    expect(met("y!=2000", years)).toEqual([true, false, false]);
  });
});

describe("the slider of frequency", () => {
  const counts = Float64Array.from({ length: 5000 }, (_, i) => Math.round(1e6 / (i + 1)));

  it("goes by counts: each place is the place of the words that it leaves", () => {
    const scale = scaleOf(5000, counts, 40);
    expect([scale.words(0), scale.words(1)]).toEqual([fewest, 5000]);
    for (const words of [100, 240, 1000, 4999]) expect(counts[scale.words(scale.place(words)) - 1]).toBe(counts[words - 1]);
    expect(scale.bars?.reduce((sum, n) => sum + n, 0)).toBe(5000);
    expect((scale.bars?.[39] ?? 0) > (scale.bars?.[5] ?? 0)).toBe(true);
  });

  it("goes by ranks without counts, or with equal ones", () => {
    for (const scale of [scaleOf(10_000, null, 40), scaleOf(10_000, new Float64Array(10_000).fill(3), 40)]) {
      expect(scale.bars).toBeNull();
      expect([scale.words(0), scale.words(0.5), scale.words(1)]).toEqual([100, 1000, 10_000]);
      expect(scale.place(1000)).toBeCloseTo(0.5);
    }
  });
});

describe("the filter", () => {
  it("leaves words that are frequent and in a cluster", () => {
    layout.value = { model: "m", projection: "pca", info: { state: "ready" }, points: new Float32Array(10), clusters: Uint16Array.of(0, 1, 1, 2, 1), toMap: (x, y) => [x, y] };
    expect(left.value).toBeNull();
    clustersChosen.value = [1, 2];
    expect([...(left.value ?? [])]).toEqual([0, 1, 1, 1, 1]);
    frequent.value = 3;
    expect([...(left.value ?? [])]).toEqual([0, 1, 1, 0, 0]);
    clustersChosen.value = [];
    conditions.value = [];
    expect([...(left.value ?? [])]).toEqual([1, 1, 1, 0, 0]);
    frequent.value = null;
    layout.value = null;
  });
});
