import { mapRadius } from "../app/layout";
import type { Camera } from "../app/view";

/** The size of a map on the screen, in CSS pixels. */
export interface Size {
  width: number;
  height: number;
}

export interface Box {
  left: number;
  bottom: number;
  right: number;
  top: number;
}

export const minZoom = -2;
export const maxZoom = 12;

/** The share of the smaller side that a map fills when it is shown as a whole. */
const filled = 0.94;

/** The camera that shows the whole map. */
export function wholeMap(size: Size): Camera {
  return { x: 0, y: 0, zoom: clampZoom(Math.log2((filled * Math.max(1, Math.min(size.width, size.height))) / (2 * mapRadius))) };
}

/** How far the camera is zoomed in from the whole map: 1 is twice as large. */
export function magnification(camera: Camera, size: Size): number {
  return camera.zoom - wholeMap(size).zoom;
}

/** The part of the screen that nothing lies over, in pixels whose y goes down: bottom is its upper edge. It is the
 * largest box between the edges of what lies over the map. */
export function safeArea(size: Size, covered: Box[]): Box {
  const within = (x: number, most: number) => Math.min(most, Math.max(0, x));
  const xs = [0, size.width, ...covered.flatMap((box) => [within(box.left, size.width), within(box.right, size.width)])];
  const ys = [0, size.height, ...covered.flatMap((box) => [within(box.bottom, size.height), within(box.top, size.height)])];
  let best: Box = { left: 0, bottom: 0, right: size.width, top: size.height };
  let most = -1;
  for (const left of xs) {
    for (const right of xs) {
      for (const bottom of ys) {
        for (const top of ys) {
          // Of two boxes the one with the larger short side is better: a map is about as high as wide.
          const area = (right - left) * (top - bottom) * Math.min(right - left, top - bottom);
          if (right <= left || top <= bottom || area <= most) continue;
          if (covered.some((box) => box.left < right && box.right > left && box.bottom < top && box.top > bottom)) continue;
          [best, most] = [{ left, bottom, right, top }, area];
        }
      }
    }
  }
  return best;
}

/** The camera that has a box of the map in a part of the screen. */
export function fitBox(box: Box, size: Size, safe: Box, margin: { x: number; y: number }): Camera {
  const width = Math.max(40, safe.right - safe.left - 2 * margin.x);
  const height = Math.max(40, safe.top - safe.bottom - 2 * margin.y);
  const zoom = clampZoom(Math.log2(Math.min(width / Math.max(1e-6, box.right - box.left), height / Math.max(1e-6, box.top - box.bottom))));
  return centred(box, size, safe, zoom);
}

function centred(box: Box, size: Size, safe: Box, zoom: number): Camera {
  const scale = 2 ** zoom;
  return {
    x: (box.left + box.right) / 2 - ((safe.left + safe.right) / 2 - size.width / 2) / scale,
    y: (box.bottom + box.top) / 2 + ((safe.bottom + safe.top) / 2 - size.height / 2) / scale,
    zoom,
  };
}

/** Room around points that are fit, for their labels, in pixels. */
export function labelMargin(safe: Box): { x: number; y: number } {
  return { x: Math.min(90, (safe.right - safe.left) / 5), y: Math.min(45, (safe.top - safe.bottom) / 6) };
}

/** The camera that shows some points in a part of the screen with room around them, at most maxMagnification into the map. */
export function fitPoints(points: [number, number][], size: Size, maxMagnification: number, safe: Box = { left: 0, bottom: 0, right: size.width, top: size.height }): Camera {
  const box: Box = { left: Infinity, bottom: Infinity, right: -Infinity, top: -Infinity };
  for (const [x, y] of points) {
    box.left = Math.min(box.left, x);
    box.right = Math.max(box.right, x);
    box.bottom = Math.min(box.bottom, y);
    box.top = Math.max(box.top, y);
  }
  if (points.length === 0) return wholeMap(size);
  const { zoom } = fitBox(box, size, safe, labelMargin(safe));
  return centred(box, size, safe, Math.min(zoom, clampZoom(wholeMap(size).zoom + maxMagnification)));
}

/** How far clearing moves the camera in pixels, and zooms out; and how far from what lies over the map a spot must be. */
const shifts = [0, 8, 16, 24, 36, 52, 72, 100];
const zooms = Array.from({ length: 26 }, (_, i) => -0.1 * i);
const clearance = 5;

/** The camera nearest to one, such that no spot is under what lies over the map. Spots in the safe area stay there. It is the
 * same camera if none of those that are tried is such. */
export function clearing(camera: Camera, size: Size, spots: [number, number][], safe: Box, covered: Box[]): Camera {
  const places = (at: Camera) => spots.map(([x, y]) => toScreen(at, size, x, y));
  const first = places(camera).map(([x, y]) => inside(safe, x, y));
  const clear = (at: Camera) =>
    places(at).every(([x, y], i) => {
      if (first[i] && !inside(safe, x, y)) return false;
      return !covered.some((box) => x > box.left - clearance && x < box.right + clearance && y > box.bottom - clearance && y < box.top + clearance);
    });
  if (clear(camera)) return camera;
  for (const zoom of zooms) {
    const out = zoomedAt(camera, size, [(safe.left + safe.right) / 2, (safe.bottom + safe.top) / 2], zoom);
    for (const by of shifts) {
      for (const [dx, dy] of [[1, 0], [-1, 0], [0, 1], [0, -1], [0.7, 0.7], [-0.7, 0.7], [0.7, -0.7], [-0.7, -0.7]] as const) {
        const at = moved(out, by * dx, by * dy, 0);
        if (clear(at)) return at;
        if (by === 0) break;
      }
    }
  }
  return camera;
}

export function toScreen(camera: Camera, size: Size, x: number, y: number): [number, number] {
  const scale = 2 ** camera.zoom;
  return [size.width / 2 + (x - camera.x) * scale, size.height / 2 - (y - camera.y) * scale];
}

export function toMap(camera: Camera, size: Size, px: number, py: number): [number, number] {
  const scale = 2 ** camera.zoom;
  return [camera.x + (px - size.width / 2) / scale, camera.y - (py - size.height / 2) / scale];
}

/** The part of the map that is on the screen. */
export function visibleBox(camera: Camera, size: Size): Box {
  const [left, top] = toMap(camera, size, 0, 0);
  const [right, bottom] = toMap(camera, size, size.width, size.height);
  return { left, bottom, right, top };
}

/** A part of the screen, as safeArea has it, on the map. */
export function safeBox(camera: Camera, size: Size, safe: Box): Box {
  const [left, top] = toMap(camera, size, safe.left, safe.bottom);
  const [right, bottom] = toMap(camera, size, safe.right, safe.top);
  return { left, bottom, right, top };
}

export function inside(box: Box, x: number, y: number): boolean {
  return x >= box.left && x <= box.right && y >= box.bottom && y <= box.top;
}

export function clampZoom(zoom: number): number {
  return Math.min(maxZoom, Math.max(minZoom, zoom));
}

/** The camera after a step of so many pixels and so much zoom. */
export function moved(camera: Camera, dx: number, dy: number, zoom: number): Camera {
  const scale = 2 ** camera.zoom;
  return { x: camera.x + dx / scale, y: camera.y + dy / scale, zoom: clampZoom(camera.zoom + zoom) };
}

/** The camera after a zoom that leaves what is at a pixel where it is. */
export function zoomedAt(camera: Camera, size: Size, [px, py]: [number, number], zoom: number): Camera {
  const [x, y] = toMap(camera, size, px, py);
  const zoomed = { ...camera, zoom: clampZoom(camera.zoom + zoom) };
  const [nowX, nowY] = toMap(zoomed, size, px, py);
  return { ...zoomed, x: zoomed.x + x - nowX, y: zoomed.y + y - nowY };
}

/** The camera on its way from one to another, done being from 0 to 1. The point that stays where it is on
 * the screen while one zooms goes a straight way. */
export function between(from: Camera, to: Camera, done: number): Camera {
  const zoom = from.zoom + (to.zoom - from.zoom) * done;
  const [a, b, now] = [2 ** -from.zoom, 2 ** -to.zoom, 2 ** -zoom];
  const share = Math.abs(a - b) < 1e-9 * a ? done : (now - a) / (b - a);
  return { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share, zoom };
}

/** Slow at both ends. */
export function ease(t: number): number {
  return t < 0.5 ? 4 * t ** 3 : 1 - (-2 * t + 2) ** 3 / 2;
}
