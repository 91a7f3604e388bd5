import { describe, expect, it } from "vitest";
import { wholeMap } from "../src/map/camera";
import { candidates, labelBox, placeWords, Room, smallest } from "../src/map/labels";
import { PointIndex } from "../src/map/picking";

const size = { width: 800, height: 600 };

describe("room for labels", () => {
  it("is given once", () => {
    const room = new Room();
    expect(room.take({ left: 0, bottom: 0, right: 100, top: 20 })).toBe(true);
    expect(room.take({ left: 90, bottom: 10, right: 200, top: 30 })).toBe(false);
    expect(room.take({ left: 100, bottom: 0, right: 200, top: 20 })).toBe(true);
    // The one that was refused has taken nothing.
    expect(room.take({ left: 90, bottom: 20, right: 200, top: 40 })).toBe(true);
  });
});

describe("labels of words", () => {
  const points = Float32Array.from({ length: 4000 }, (_, i) => ((i * 7919) % 2000) / 10 - 100);
  const words = Array.from({ length: 2000 }, (_, i) => `word${i}`);

  it("do not overlap, and frequent words come first", () => {
    const camera = wholeMap(size);
    const ids = candidates(points, null, camera, size);
    const placed = placeWords(ids, points, words, camera, size, new Room(), 20, () => 50, 15);
    expect(placed.length).toBe(20);
    expect(placed[0]?.id).toBe(0);
    expect(placed.map((l) => l.id)).toEqual(placed.map((l) => l.id).sort((a, b) => a - b));
    const boxes = placed.map((l) => labelBox(l, 0));
    boxes.forEach((a, i) =>
      boxes.slice(i + 1).forEach((b) => {
        expect(a.left < b.right && a.right > b.left && a.bottom < b.top && a.top > b.bottom).toBe(false);
      }),
    );
  });

  it("are of words on the screen only", () => {
    const camera = { x: 50, y: 50, zoom: 6 };
    for (const id of candidates(points, null, camera, size)) {
      expect(Math.abs((points[2 * id] ?? 0) - 50)).toBeLessThanOrEqual(800 / 2 / 64);
      expect(Math.abs((points[2 * id + 1] ?? 0) - 50)).toBeLessThanOrEqual(600 / 2 / 64);
    }
  });

  it("of rare words are found where no frequent ones are", () => {
    const many = new Float32Array(2 * 50_000).fill(90);
    many.set([-50, -50], 2 * 49_999);
    const camera = { x: -50, y: -50, zoom: 6 };
    expect(candidates(many, new PointIndex(many), camera, size)).toEqual([49_999]);
  });
});

it.each([
  [[5, 1, 4, 2, 3], 2, [1, 2]],
  [[], 3, []],
  [Array.from({ length: 1000 }, (_, i) => 999 - i), 3, [0, 1, 2]],
  [[...Array.from({ length: 500 }, (_, i) => 1_000_000 + i)], 2, [1_000_000, 1_000_001]],
])("the smallest of some numbers", (numbers, k, want) => {
  expect(smallest(numbers, k)).toEqual(want);
});
