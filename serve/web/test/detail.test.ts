import { describe, expect, it, vi } from "vitest";
import { choose, does, mostDrawn } from "../src/map/detail";
import { noLevels } from "../src/map/levels";
import { noEmphasis, Overlay } from "../src/map/overlay";

const points = Float32Array.of(0, 0, 100, 0, 1, 0, 0, 1, 1, 1);
const size = { width: 10, height: 10 };
const near = { x: 0, y: 0, zoom: 0 };

it("are those of the view in a picture, too, however rare they are", () => {
  // All words lie beside the view, but for the last one.
  const words = new Float32Array(2 * (mostDrawn + 1)).fill(1000);
  words.set([0, 0], 2 * mostDrawn);
  const canvas = { measureText: () => ({ width: 1 }) };
  vi.spyOn(HTMLCanvasElement.prototype, "getContext").mockReturnValue(canvas as never);
  const scene = { camera: near, size, points: words, words: [], index: null, levels: noLevels, stop: new Set<number>(), emphasis: noEmphasis, covered: [], safe: { left: 0, bottom: 0, right: 10, top: 10 }, flying: false, lost: false, lasso: [], colors: new Uint8Array(4 * (mostDrawn + 1)), dots: null, dotRadius: 2, crosshair: false, ink: { text: "", dim: "", ground: "", accent: "", warm: "" } };
  const svg = new Overlay(document.createElement("canvas")).picture(scene, 1);
  vi.restoreAllMocks();
  expect(svg.match(/<path/g)).toHaveLength(1);
});

describe("the points that are drawn", () => {
  it("are all if there are few", () => {
    const all = choose(points, near, size, 5);
    expect([...all.ids]).toEqual([0, 1, 2, 3, 4]);
    expect(does(all, { x: 90, y: 0, zoom: 3 }, size, 5)).toBe(true);
    expect(does(all, near, size, 4)).toBe(false);
  });

  it("are else the first of a view, until it changes much", () => {
    const some = choose(points, near, size, 3);
    expect([...some.ids]).toEqual([0, 2, 3]);
    expect(does(some, { x: 1, y: 0, zoom: 0 }, size, 3)).toBe(true);
    expect(does(some, { x: 9, y: 0, zoom: 0 }, size, 3)).toBe(false);
    expect(does(some, { x: 0, y: 0, zoom: -2 }, size, 3)).toBe(false);
    expect(does(some, { x: 0, y: 0, zoom: 1 }, size, 3)).toBe(false);
    expect(does(some, near, size, 4)).toBe(false);
    // All of the view are drawn: a nearer one has no others.
    const view = choose(points, near, size, 4);
    expect([...view.ids]).toEqual([0, 2, 3, 4]);
    expect(does(view, { x: 0, y: 0, zoom: 1 }, size, 3)).toBe(false);
  });
});
