import { describe, expect, it } from "vitest";
import { between, clearing, ease, fitPoints, inside, magnification, moved, safeArea, toMap, toScreen, visibleBox, wholeMap, zoomedAt } from "../src/map/camera";

const size = { width: 800, height: 600 };

describe("the camera", () => {
  it("shows the whole map, with its middle in the middle", () => {
    const camera = wholeMap(size);
    expect(toScreen(camera, size, 0, 0)).toEqual([400, 300]);
    const box = visibleBox(camera, size);
    expect(box.bottom).toBeLessThan(-100);
    expect(box.top).toBeGreaterThan(100);
    expect(magnification(camera, size)).toBe(0);
  });

  it("finds the place of a pixel, and the pixel of a place", () => {
    const camera = { x: 12, y: -7, zoom: 3.3 };
    const [px, py] = toScreen(camera, size, 20, -10);
    const [x, y] = toMap(camera, size, px, py);
    expect(x).toBeCloseTo(20);
    expect(y).toBeCloseTo(-10);
    // Up on the map is up on the screen.
    expect(toScreen(camera, size, 0, 1)[1]).toBeLessThan(toScreen(camera, size, 0, 0)[1]);
  });

  it("fits points, but comes no nearer than asked, and no point is lost", () => {
    expect(fitPoints([], size, 4)).toEqual(wholeMap(size));
    expect(magnification(fitPoints([[5, 5]], size, 4), size)).toBeCloseTo(4);
    const corners: [number, number][] = [[-30, -20], [40, 10]];
    const camera = fitPoints(corners, size, 9);
    for (const [x, y] of corners) {
      const [px, py] = toScreen(camera, size, x, y);
      expect(px).toBeGreaterThan(0);
      expect(px).toBeLessThan(800);
      expect(py).toBeGreaterThan(0);
      expect(py).toBeLessThan(600);
    }
  });

  it("fits points beside what lies over the map", () => {
    const safe = safeArea(size, [{ left: 0, right: 260, bottom: 300, top: 600 }, { left: 0, right: 300, bottom: 0, top: 40 }, { left: 760, right: 800, bottom: 0, top: 200 }]);
    const points: [number, number][] = [[-90, -20], [40, 70], [35, -66]];
    const camera = fitPoints(points, size, 9, safe);
    for (const [x, y] of points) {
      const [px, py] = toScreen(camera, size, x, y);
      expect(px).toBeGreaterThan(safe.left);
      expect(px).toBeLessThan(safe.right);
      expect(py).toBeGreaterThan(safe.bottom);
      expect(py).toBeLessThan(safe.top);
    }
  });

  it("has nothing that was asked for under a panel", () => {
    const covered = [{ left: 10, right: 260, bottom: 300, top: 590 }, { left: 10, right: 300, bottom: 10, top: 40 }, { left: 750, right: 790, bottom: 10, top: 200 }];
    const safe = safeArea(size, covered);
    // Numbers that are as good as random.
    const random = (i: number) => ((i * 7919 + 13) % 1009) / 1009;
    for (let trial = 0; trial < 50; trial++) {
      const near = Array.from({ length: 10 }, (_, i): [number, number] => [40 * random(trial * 40 + i), 30 * random(trial * 40 + i + 10)]);
      const far = Array.from({ length: 3 }, (_, i): [number, number] => [200 * random(trial * 40 + i + 20) - 100, 200 * random(trial * 40 + i + 30) - 100]);
      const camera = clearing(fitPoints(near, size, 9, safe), size, [...near, ...far], safe, covered);
      for (const [x, y] of near) expect(inside(safe, ...toScreen(camera, size, x, y))).toBe(true);
      for (const [x, y] of far) expect(covered.some((box) => inside(box, ...toScreen(camera, size, x, y)))).toBe(false);
    }
  });

  it("moves by pixels, and zooms within bounds", () => {
    expect(moved({ x: 0, y: 0, zoom: 1 }, 10, -4, 0)).toEqual({ x: 5, y: -2, zoom: 1 });
    expect(moved({ x: 0, y: 0, zoom: 11.9 }, 0, 0, 5).zoom).toBe(12);
    expect(moved({ x: 0, y: 0, zoom: 0 }, 0, 0, -50).zoom).toBe(-2);
  });

  it("zooms at a pixel", () => {
    const camera = zoomedAt({ x: 3, y: 4, zoom: 2 }, size, [100, 500], 1.5);
    expect(camera.zoom).toBe(3.5);
    toMap(camera, size, 100, 500).forEach((v, i) => expect(v).toBeCloseTo(toMap({ x: 3, y: 4, zoom: 2 }, size, 100, 500)[i] ?? 0));
  });

  it("travels from one place to another", () => {
    const [from, to] = [{ x: 0, y: 0, zoom: 0 }, { x: 8, y: 4, zoom: 3 }];
    expect(between(from, to, 0)).toEqual(from);
    expect(between(from, to, 1)).toEqual(to);
    expect(between({ x: 0, y: 0, zoom: 2 }, { x: 8, y: 4, zoom: 2 }, 0.5)).toEqual({ x: 4, y: 2, zoom: 2 });
    expect([ease(0), ease(0.5), ease(1)]).toEqual([0, 0.5, 1]);
  });
});
