import { describe, expect, it } from "vitest";
import { nearestOnMap } from "../src/map/distortion";
import { insidePolygon, PointIndex, pointsInPolygon } from "../src/map/picking";

const points = Float32Array.of(0, 0, 10, 0, 10, 10, 0, 10, 5, 5, 5, 5);
const index = new PointIndex(points);

describe("the nearest points on a map", () => {
  it("are without the point itself, the nearest first, of the first ones", () => {
    const places = Float32Array.of(0, 0, 5, 0, 1, 0, 0, -2, 0, 0.5);
    expect(nearestOnMap(places, 0, 3, 0)).toEqual([4, 2, 3]);
    expect(nearestOnMap(places, 0, 3, 3)).toEqual([2, 1]);
    expect(nearestOnMap(places, 1, 1, 0)).toEqual([2]);
  });
});

describe("the distance of the nearest points", () => {
  it("is that of the k-th, and infinite if there are fewer", () => {
    const index = new PointIndex(Float32Array.of(0, 0, 3, 4, 0, 100));
    expect(index.distance(0, 0, 1)).toBe(0);
    expect(index.distance(0, 0, 2)).toBe(5);
    expect(index.distance(0, 0, 3)).toBe(100);
    expect(index.distance(0, 0, 4)).toBe(Infinity);
  });
});

describe("picking", () => {
  it("finds the nearest point within a distance", () => {
    expect(index.nearest(9, 1, 2)).toBe(1);
    expect(index.nearest(7.5, 1, 2)).toBe(-1);
  });

  it("means the more frequent of two words at one place", () => {
    expect(index.nearest(5.1, 5, 1)).toBe(4);
  });
});

describe("the lasso", () => {
  // A U: the gap in its middle is outside.
  const u = [0, 0, 12, 0, 12, 12, 8, 12, 8, 4, 4, 4, 4, 12, 0, 12];

  it.each([
    [2, 8, true],
    [10, 8, true],
    [6, 8, false],
    [6, 2, true],
    [-1, 2, false],
  ])("has %d, %d inside: %j", (x, y, want) => {
    expect(insidePolygon(u, x, y)).toBe(want);
  });

  it("selects the points inside", () => {
    expect(pointsInPolygon(index, points, [-1, -1, 11, -1, 11, 11]).sort()).toEqual([0, 1, 2, 4, 5]);
    expect(pointsInPolygon(index, points, [1, 1, 2, 2])).toEqual([]);
  });
});
