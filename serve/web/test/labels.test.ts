import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { wholeMap } from "../src/map/camera";
import { candidates, labelBox, placeWords, Room, smallest } from "../src/map/labels";
import { countInView, groundOf, levelAt, levelsOf, noLevels, shortened } from "../src/map/levels";
import { wordStrength } from "../src/map/overlay";
import { contrast, readable, shades, type Rgb } from "../src/map/palette";
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

describe("levels of labels", () => {
  const region = { label: "a, b, c", x: 0, y: 0, size: 1, color: "" };
  const levels = { coarse: Array(5).fill(region), clusters: Array(25).fill(region), fine: Array(100).fill(region) };

  it("go from groups of clusters to words as one comes nearer, and no further on a small screen", () => {
    const zooms = [0, 1, 2, 2.5, 3, 4, 6];
    expect(zooms.map((zoom) => levelAt(levels, { x: 0, y: 0, zoom }))).toEqual(["coarse", "coarse", "clusters", "clusters", "clusters", "fine", "words"]);
    expect(levelAt({ ...levels, fine: [] }, { x: 0, y: 0, zoom: 3 })).toBe("clusters");
    expect(levelAt(noLevels, { x: 0, y: 0, zoom: 2 }, 30)).toBe("words");
    expect([2, 4].map((zoom) => levelAt(noLevels, { x: 0, y: 0, zoom }, 9000))).toEqual(["clusters", "words"]);
    expect(shortened("a, b, c", 390)).toBe("a, b");
    expect(shortened("a, b, c", 1440)).toBe("a, b, c");
  });

  it("have the colours of their clusters, and groups that of text", () => {
    const info = { state: "ready" as const, clusters: [{ id: 0, label: "x", x: 1, y: 2, size: 3, tone: 4 }, { id: 7, label: "y", x: 0, y: 0, size: 9, tone: 2 }], coarse: [{ label: "g", x: 1, y: 1, size: 12, of: [0, 7] }], fine: [{ label: "p", x: 3, y: 3, size: 2, of: [7] }] };
    const layout = { model: "m", projection: "umap" as const, info, points: new Float32Array(0), clusters: new Uint16Array(0), toMap: (x: number, y: number): [number, number] => [10 * x, 10 * y] };
    const { coarse, clusters, fine } = levelsOf(layout, false, true, "text", "dim");
    expect(coarse).toEqual([{ label: "g", x: 10, y: 10, size: 12, color: "text" }]);
    expect(clusters.map(({ label, x, y }) => [label, x, y])).toEqual([["y", 0, 0], ["x", 10, 20]]);
    expect(fine.map(({ color }) => color)).toEqual([clusters[0]?.color]);
    expect(levelsOf(layout, false, false, "text", "dim").fine[0]?.color).toBe("dim");
    // On a second map, which knows the places of the clusters.
    const second = levelsOf({ ...layout, labels: info.clusters.map((c) => ({ ...c, x: 5, y: c.id })) }, false, true, "text", "dim");
    expect([second.coarse, second.fine.length]).toEqual([[{ label: "g", x: 5, y: 7, size: 12, color: "text" }], 0]);
  });

  it("count the words of clusters in view", () => {
    const counts = countInView(Float32Array.of(0, 0, 5, 5, 1, 1), Uint16Array.of(3, 3, 65535), { left: -1, right: 2, bottom: -1, top: 2 });
    expect([...counts]).toEqual([[3, 1], [65535, 1]]);
  });

  it("have a contrast of 4.5 in both themes, also while something was asked", () => {
    const [light = "", night = ""] = readFileSync("src/styles/base.css", "utf8").split('[data-theme="dark"]');
    for (const [dark, part] of [[false, light], [true, night]] as const) {
      const of = (name: string): Rgb => {
        const n = Number.parseInt(new RegExp(`--${name}: #([0-9a-f]{6})`).exec(part)?.[1] ?? "", 16);
        return [n >> 16, (n >> 8) & 255, n & 255];
      };
      const ground = groundOf(dark);
      expect(of("map-bg")).toEqual(ground);
      const over = (color: Rgb, opacity: number): Rgb => [0, 1, 2].map((i) => Math.round((color[i] ?? 0) * opacity + (ground[i] ?? 0) * (1 - opacity))) as unknown as Rgb;
      const drawn = [...shades(dark).map((color) => readable(color, ground)), of("text-2"), of("warm"), of("accent"), over(of("text"), wordStrength.asked), over(of("text"), wordStrength.usual)];
      expect(Math.min(...drawn.map((color) => contrast(color, ground)))).toBeGreaterThanOrEqual(4.5);
    }
  });
});
