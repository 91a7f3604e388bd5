import { describe, expect, it } from "vitest";
import { planeOfAnalogy, planeOfAxis, unit } from "../src/plane/geometry";
import { analogyPlane, missOf } from "../src/plane/question";

const rows = (...all: number[][]) => all.map((row) => Float32Array.from(row));

describe("the plane of an analogy", () => {
  it("has a parallelogram as it is, with a at the lower left", () => {
    const { points, share } = planeOfAnalogy(rows([0, 0, 1], [0, 3, 1], [2, 0, 1], [2, 3, 1], [1, 1, 9]));
    expect(share).toBeCloseTo(1);
    const [a, b, c, d, near] = points.map(([x, y]) => [x - (points[0]?.[0] ?? 0), y - (points[0]?.[1] ?? 0)]);
    expect(a).toEqual([0, 0]);
    for (const [got, want] of [[b, [0, 3]], [c, [2, 0]], [d, [2, 3]], [near, [1, 1]]] as const) {
      got?.forEach((x, i) => expect(x).toBeCloseTo(want[i] ?? 0, 4));
    }
  });

  it("is that of the two largest components, which hold the share that is told", () => {
    // Of the squares 50, 18 and 2 about the mean, the plane has the first two.
    const { share } = planeOfAnalogy(rows([5, 0, 1], [-5, 0, 1], [0, 3, -1], [0, -3, -1]));
    expect(share).toBeCloseTo(68 / 72);
  });

  it("is a line for words on a line, and a point for equal words", () => {
    const line = planeOfAnalogy(rows([1, 1], [2, 2], [3, 3], [4, 4]));
    expect(line.share).toBeCloseTo(1);
    for (const [, y] of line.points) expect(y).toBeCloseTo(0);
    expect(planeOfAnalogy(rows([1, 1], [1, 1], [1, 1], [1, 1])).points.flat().every((x) => x === 0)).toBe(true);
  });
});

describe("the plane of an axis", () => {
  it("goes from one end to the other, and upwards where the rest differs most", () => {
    const { points, share } = planeOfAxis(rows([-1, 0, 0], [1, 0, 0], [0, 2, 0.1], [0, -2, -0.1]));
    const [from, to, high, low] = points;
    expect((to?.[0] ?? 0) - (from?.[0] ?? 0)).toBeCloseTo(2);
    expect(from?.[1]).toBeCloseTo(to?.[1] ?? 9);
    expect(Math.abs((high?.[1] ?? 0) - (low?.[1] ?? 0))).toBeCloseTo(Math.hypot(4, 0.2));
    expect(share).toBeCloseTo(1);
  });
});

describe("an answer", () => {
  const words = ["man", "king", "woman", "queen"].map((word, id) => ({ word, id }));

  it("is missed by the distance from the corner, in lengths of the arrow", () => {
    const [a, b, c, d] = rows([0, 0, 0], [0, 2, 0], [3, 0, 0], [3, 2, 1]);
    expect(a && b && c && d && missOf(a, b, c, d)).toBeCloseTo(0.5);
  });

  it("comes with why the three given words are barred", () => {
    const vectors = rows([1, 0, 0], [1, 1, 0], [1, 0, 1], [1, 1, 1]).map(unit);
    const plane = analogyPlane(words, vectors, 1);
    expect(plane.barred.map((w) => w.word)).toEqual(["king", "woman", "man"]);
    expect(plane.barred.map((w) => w.rank)).toEqual([2, 3, 4]);
    expect(plane.missAll).toBeGreaterThan(0);
    expect(plane.missDrawn).toBeLessThanOrEqual(plane.missAll + 1e-6);
    expect(plane.answers).toEqual([3]);
  });
});
