import { describe, expect, it } from "vitest";
import { clusterColors, colorPoints } from "../src/map/colors";
import { amount, categories, contrast, diverging, missing, readable } from "../src/map/palette";

const at = (colors: Uint8Array, i: number) => [...colors.slice(4 * i, 4 * i + 3)];

describe("colours", () => {
  it("of clusters differ between neighbours", () => {
    const clusters = Array.from({ length: 25 }, (_, id) => ({ id, label: `c${id}`, x: (id % 5) * 10, y: Math.floor(id / 5) * 10, size: 100 - id }));
    const colors = clusterColors(clusters, false);
    for (const a of clusters) {
      for (const b of clusters) {
        if (a.id < b.id && Math.hypot(a.x - b.x, a.y - b.y) <= 10) expect(colors.get(a.id)).not.toEqual(colors.get(b.id));
      }
    }
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
