import { describe, expect, it } from "vitest";
import { clusterColors, colorPoints } from "../src/map/colors";
import { amount, categories, diverging, missing } from "../src/map/palette";

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

  it("of an axis have the same strength at both ends", () => {
    const { colors, legend } = colorPoints(3, { by: "axis", from: "bad", to: "good", values: Float32Array.of(-0.2, 0, 0.4) }, false);
    expect(at(colors, 2)).toEqual([...diverging(1, false)]);
    expect(at(colors, 0)).not.toEqual([...diverging(-1, false)]);
    expect(legend).toMatchObject({ low: "bad", high: "good" });
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
