import { describe, expect, it, vi } from "vitest";
import { followWithStandIn } from "../src/app/follow-layout";
import { makeLayout, mapRadius } from "../src/app/layout";
import { densityContours } from "../src/map/density";
import { MockSource } from "../src/mock";

describe("a layout", () => {
  const n = 1000;
  const points = Float32Array.from({ length: 2 * n }, (_, i) => 3 + ((i * 7919) % 1000) / 1000);
  points.set([9000, -9000], 0);
  const layout = makeLayout("m", "umap", { state: "ready" }, points, new Uint16Array(n));

  it("has the size of most points, whatever a few are like", () => {
    const inside = Array.from({ length: n }, (_, i) => Math.abs(layout.points[2 * i] ?? 0) <= 1.02 * mapRadius);
    expect(inside.filter(Boolean).length).toBeGreaterThanOrEqual(0.98 * n);
    expect(layout.points[0]).toBeGreaterThan(100 * mapRadius);
  });

  it("takes places of the source to those of its points", () => {
    const [x, y] = layout.toMap(points[20] ?? 0, points[21] ?? 0);
    expect(x).toBeCloseTo(layout.points[20] ?? 0, 3);
    expect(y).toBeCloseTo(layout.points[21] ?? 0, 3);
  });

  it("of no points or of one is nothing special", () => {
    expect(makeLayout("m", "pca", { state: "ready" }, new Float32Array(0), new Uint16Array(0)).points.length).toBe(0);
    expect([...makeLayout("m", "pca", { state: "ready" }, Float32Array.of(4, 5), new Uint16Array(1)).points]).toEqual([0, 0]);
  });
});

describe("the map of many words", () => {
  it("is PCA until UMAP is there, unless something else is shown", async () => {
    const shown = async (points: number, empty: boolean) => {
      const source = new MockSource(400, 300);
      const [model] = await source.models();
      const seen: string[] = [];
      if (!model) return seen;
      const end = followWithStandIn(source, { ...model, points }, "umap", () => empty, { info: () => {}, layout: (made) => seen.push(made.projection) });
      await vi.waitFor(() => expect(seen.at(-1)).toBe("umap"), 3000);
      end();
      return seen;
    };
    expect(await shown(300_000, true)).toEqual(["pca", "umap"]);
    expect(await shown(300_000, false)).toEqual(["umap"]);
    expect(await shown(200_000, true)).toEqual(["umap"]);
  });
});

describe("density contours", () => {
  it("surround where points are", async () => {
    const layout = makeLayout("m", "pca", { state: "ready" }, await new MockSource(2000).points("m", "pca"), new Uint16Array(2000));
    const contours = densityContours(layout.points);
    expect(new Set(contours.map((c) => c.level)).size).toBe(6);
    for (const [x, y] of contours.flatMap((c) => c.rings.flat())) {
      expect(Math.abs(x)).toBeLessThanOrEqual(1.4 * mapRadius);
      expect(Math.abs(y)).toBeLessThanOrEqual(1.4 * mapRadius);
    }
  });

  it("are none for a few points", () => {
    expect(densityContours(Float32Array.of(1, 2, 3, 4))).toEqual([]);
  });
});
