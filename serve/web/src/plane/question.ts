// What a question and its words look like in their own plane.

import { mapRadius } from "../app/layout";
import type { Layout } from "../app/state";
import type { Box } from "../map/camera";
import { along, dot, less, planeOfAnalogy, planeOfAxis, unit, type Plane } from "./geometry";

export interface NamedWord {
  word: string;
  id: number;
}

/** The words of a question where they lie in its plane. */
export interface Local {
  kind: "analogy" | "axis";
  words: NamedWord[];
  layout: Layout;
  share: number;
}

export interface LocalAnalogy extends Local {
  kind: "analogy";
  /** The fourth corner, b − a + c. */
  target: { x: number; y: number };
  /** Indices of the answers, the best first. a, b and c are the first three words. */
  answers: number[];
  /** How far the best answer is from the corner, in lengths of the arrow from a to b: in all dimensions, and as drawn. */
  missAll: number;
  missDrawn: number;
  /** The given words with their cosines with b − a + c, the nearest first, and the rank that each would have as an answer. */
  barred: (NamedWord & { value: number; rank: number })[];
}

export interface LocalAxis extends Local {
  kind: "axis";
}

/** How far d is from b − a + c, in lengths of b − a. */
export function missOf(a: Float32Array, b: Float32Array, c: Float32Array, d: Float32Array): number {
  const arrow = less(b, a);
  const miss = less(along(c, arrow, 1), d);
  return Math.sqrt(dot(miss, miss)) / Math.sqrt(dot(arrow, arrow));
}

/** The plane of an analogy. The words are a, b, c, so many answers, and others near to these; rows are their unit vectors. */
export function analogyPlane(words: NamedWord[], rows: Float32Array[], answers: number): LocalAnalogy {
  const plane = planeOfAnalogy(rows);
  const [[x0, y0] = [0, 0], [x1, y1] = [0, 0], [x2, y2] = [0, 0]] = plane.points;
  const { layout, share, drawn } = placed(plane, [x1 - x0 + x2, y1 - y0 + y2]);
  const at = (i: number): [number, number] => drawn[i] ?? [0, 0];
  const [a, b, c, d] = rows;
  const [[ax, ay], [bx, by], [cx, cy], [dx, dy]] = [at(0), at(1), at(2), at(3)];
  const target = { x: bx - ax + cx, y: by - ay + cy };
  const corner = a && b && c ? unit(along(less(b, a), c, 1)) : new Float32Array(0);
  const scores = rows.slice(3, 3 + answers).map((row) => dot(row, corner));
  const given = words.slice(0, 3).map((word, i) => ({ ...word, value: dot(rows[i] ?? corner, corner) }));
  given.sort((x, y) => y.value - x.value);
  const barred = given.map((word, i) => ({ ...word, rank: 1 + i + scores.filter((score) => score > word.value).length }));
  return {
    kind: "analogy",
    words,
    layout,
    share,
    target,
    answers: scores.map((_, i) => 3 + i),
    missAll: a && b && c && d ? missOf(a, b, c, d) : 0,
    missDrawn: Math.hypot(target.x - dx, target.y - dy) / Math.max(1e-9, Math.hypot(bx - ax, by - ay)),
    barred,
  };
}

/** The plane of an axis, whose ends are the first two words. */
export function axisPlane(words: NamedWord[], rows: Float32Array[]): LocalAxis {
  const { layout, share } = placed(planeOfAxis(rows));
  return { kind: "axis", words, layout, share };
}

/** Brings a plane to the size of a map; places without a word are in view, too. */
export function placed({ points, share }: Plane, ...also: [number, number][]): { layout: Layout; share: number; drawn: [number, number][] } {
  const box: Box = { left: Infinity, bottom: Infinity, right: -Infinity, top: -Infinity };
  for (const [x, y] of [...points, ...also]) {
    box.left = Math.min(box.left, x);
    box.right = Math.max(box.right, x);
    box.bottom = Math.min(box.bottom, y);
    box.top = Math.max(box.top, y);
  }
  const [x0, y0] = [(box.left + box.right) / 2, (box.bottom + box.top) / 2];
  const scale = (2 * mapRadius) / Math.max(box.right - box.left, box.top - box.bottom, 1e-9);
  const drawn = points.map(([x, y]): [number, number] => [(x - x0) * scale, (y - y0) * scale]);
  const layout: Layout = {
    model: "",
    projection: "pca",
    info: { state: "ready" },
    points: Float32Array.from(drawn.flat()),
    clusters: new Uint16Array(0),
    toMap: (x, y) => [(x - x0) * scale, (y - y0) * scale],
    extent: { left: (box.left - x0) * scale, right: (box.right - x0) * scale, bottom: (box.bottom - y0) * scale, top: (box.top - y0) * scale },
  };
  return { layout, share, drawn };
}
