import { describe, expect, it } from "vitest";
import { clusterColors, colorPoints, colorsOnSecond, keptColor, legendInView } from "../src/map/colors";
import { amount, categories, contrast, diverging, missing, readable, shades } from "../src/map/palette";

const at = (colors: Uint8Array, i: number) => [...colors.slice(4 * i, 4 * i + 3)];

describe("colours", () => {
  it("of clusters are those of their tones, on every map", () => {
    const cluster = { label: "", x: 0, y: 0, size: 1 };
    const colors = clusterColors([{ ...cluster, id: 5, tone: 3 }, { ...cluster, id: 25, tone: 19 }, { ...cluster, id: 26 }], false);
    expect([...colors]).toEqual([
      [5, shades(false)[3]],
      [25, shades(false)[19]],
      [26, shades(false)[6]],
    ]);
    for (const dark of [false, true]) expect(new Set(shades(dark).map(String)).size).toBe(20);
  });

  it("of a second map are those of the same words on the first", () => {
    const first = Uint8Array.of(1, 2, 3, 255, 4, 5, 6, 255);
    const colors = colorsOnSecond(first, Int32Array.of(1, -1, 0), true);
    expect(at(colors, 0)).toEqual([4, 5, 6]);
    expect(at(colors, 1)).toEqual([...missing(true)]);
    expect(at(colors, 2)).toEqual([1, 2, 3]);
  });

  it("of frequency go by the logarithm of counts", () => {
    const { colors, legend } = colorPoints(3, { by: "frequency", counts: Float64Array.of(10_000, 100, 1) }, true);
    expect(at(colors, 0)).toEqual([...amount(1, true)]);
    expect(at(colors, 2)).toEqual([...amount(0, true)]);
    expect(at(colors, 1)).toEqual([...amount(Math.round(255 / 2) / 255, true)]);
    expect(legend).toMatchObject({ kind: "ramp", low: "1", high: "10,000" });
  });

  it("of an axis are those of the distance from the median", () => {
    const { colors, legend } = colorPoints(4, { by: "axis", from: "bad", to: "good", values: Float32Array.of(0.1, 0.2, 0.4, NaN) }, false);
    expect(at(colors, 2)).toEqual([...diverging(1, false)]);
    expect(at(colors, 1)).toEqual([...diverging((2 * 128) / 255 - 1, false)]);
    expect(at(colors, 0)).toEqual([...diverging((2 * 64) / 255 - 1, false)]);
    expect(at(colors, 3)).toEqual([...missing(false)]);
    expect(legend).toMatchObject({ low: "bad", high: "good" });
  });

  it("of clusters have a legend of those in view", () => {
    const cluster = { x: 0, y: 0, tone: 0 };
    const { legend } = colorPoints(2, { by: "cluster", clusters: Uint16Array.of(1, 2), info: [{ ...cluster, id: 1, label: "one", size: 9 }, { ...cluster, id: 2, label: "two", size: 5 }] }, false);
    expect(legendInView(legend, null)).toMatchObject({ title: "Clusters", entries: [{ label: "one", count: 9 }, { label: "two", count: 5 }], more: 0 });
    expect(legendInView(legend, new Map([[2, 3]]))).toMatchObject({ title: "Clusters in view", entries: [{ label: "two", count: 3 }], more: 0 });
    const named = colorPoints(1, { by: "field", name: "Clusters", field: { kind: "category", categories: ["a"], values: [0] } }, false).legend;
    expect(legendInView(named, new Map([[2, 3]]))).toEqual(named);
  });

  it("of distortion say how many neighbours a map keeps, with their mean", () => {
    const { colors, legend } = colorPoints(4, { by: "distortion", kept: Uint8Array.of(0, 10, 255, 5), other: Uint8Array.of(1, 2) }, true);
    expect(at(colors, 0)).toEqual([...keptColor(0, true)]);
    expect(at(colors, 1)).toEqual([...amount(1, true)]);
    expect(at(colors, 2)).toEqual([...missing(true)]);
    expect(colorPoints(2, { by: "distortion", kept: null }, true).legend).toMatchObject({ note: expect.stringContaining("being counted") });
    expect(legend).toMatchObject({ kind: "ramp", low: "0 of 10", high: "10 of 10", note: expect.stringContaining("Mean: 5 here, 1.5 on the second map") });
  });

  it("of labels can be read", () => {
    for (const [dark, ground] of [[false, [251, 252, 253]], [true, [17, 21, 26]]] as const) {
      for (const color of categories(dark)) expect(contrast(readable(color, ground), ground)).toBeGreaterThanOrEqual(4.5);
    }
    expect(contrast([0, 0, 0], [255, 255, 255])).toBeCloseTo(21);
  });

  it("of categories are as many as can be told apart", () => {
    const names = Array.from({ length: 14 }, (_, i) => `c${i}`);
    const values = names.flatMap((_, i) => Array<number>(14 - i).fill(i));
    const { colors, legend } = colorPoints(values.length, { by: "field", name: "part", field: { kind: "category", categories: names, values } }, false);
    expect(at(colors, 0)).toEqual([...(categories(false)[0] ?? [])]);
    expect(at(colors, values.length - 1)).toEqual([...missing(false)]);
    expect(legend).toMatchObject({ kind: "swatches", more: 4 });
  });

  it("of numbers leave out what is not known", () => {
    const { colors } = colorPoints(3, { by: "field", name: "year", field: { kind: "number", values: [null, 1900, 2000] } }, false);
    expect(at(colors, 0)).toEqual([...missing(false)]);
    expect(at(colors, 1)).toEqual([...amount(0, false)]);
    expect(at(colors, 2)).toEqual([...amount(1, false)]);
  });
});
