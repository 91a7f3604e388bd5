// What is drawn over the points on a two-dimensional canvas: labels, lines to neighbours, the
// parallelogram of an analogy, and the lasso.

import type { Camera } from "../app/view";
import { mapRadius } from "../app/layout";
import { inside, toScreen, visibleBox, type Box, type Size } from "./camera";
import { choose, mostDrawn } from "./detail";
import { candidates, labelBox, placeWords, Room, type Label, type WordLabel } from "./labels";
import { levelAt, shortened, wordsBeside, type LevelName, type Levels } from "./levels";
import { css } from "./palette";
import { hiddenAt, placeChips, type Chip, type Sought } from "./outside";
import type { PointIndex } from "./picking";
import { SvgContext } from "./svg";

/** A place on the map with a name. */
export interface Spot {
  word: string;
  x: number;
  y: number;
}

/** Parts of the map that the user asked for. All are in units of the map. */
export interface Emphasis {
  /** The word that is looked at, with its neighbours. A composed word has no point of its own. */
  focus: (Spot & { composed: boolean; neighbors: (Spot & { similarity: number })[] }) | null;
  analogy: { a: Spot; b: Spot; c: Spot; target: { x: number; y: number }; answers: Spot[]; miss?: string } | null;
  /** The ends of an axis. */
  axis: { from: Spot; to: Spot } | null;
  /** The word that is pointed at, and what is said of it. */
  hovered: (Spot & { card?: string[] }) | null;
  /** Words that were elsewhere on another map: from there to here, the farthest first. */
  moves?: { word: string; from: { x: number; y: number }; to: { x: number; y: number } }[];
}

export const noEmphasis: Emphasis = { focus: null, analogy: null, axis: null, hovered: null };

/** Colours of the page's theme. */
export interface Ink {
  text: string;
  dim: string;
  ground: string;
  accent: string;
  warm: string;
}

export interface OverlayScene {
  camera: Camera;
  size: Size;
  points: Float32Array;
  words: string[];
  index: PointIndex | null;
  levels: Levels;
  /** Words that have no label where clusters have. */
  stop: ReadonlySet<number>;
  emphasis: Emphasis;
  /** What lies over the map, in pixels: no label of a cluster or word goes there. */
  covered: Box[];
  /** The part of the screen that nothing lies over. */
  safe: Box;
  /** Whether the camera flies: then there are no marks of what is outside the view. */
  flying: boolean;
  /** Whether there is no word in view: then a small map shows where the view is. */
  lost: boolean;
  /** Places in pixels x0, y0, … of the lasso while it is drawn. */
  lasso: number[];
  /** RGBA of the points. Dim ones have no label. */
  colors: Uint8Array;
  /** RGBA of the points, if they are to be drawn here because nothing else can: the most frequent ones. */
  dots: Uint8Array | null;
  dotRadius: number;
  /** Whether to show the middle, which the keyboard works on. */
  crosshair: boolean;
  ink: Ink;
}

const fontFamily = 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif';
const fonts = {
  word: { font: `12px ${fontFamily}`, height: 15 },
  strong: { font: `600 13px ${fontFamily}`, height: 17 },
  coarse: { font: `700 16px ${fontFamily}`, height: 22 },
  cluster: { font: `650 14px ${fontFamily}`, height: 19 },
  fine: { font: `600 12.5px ${fontFamily}`, height: 16 },
} as const;
type FontName = keyof typeof fonts;

const fontOf = { coarse: "coarse", clusters: "cluster", fine: "fine" } as const;

/** How opaque labels of words are, and where something was asked. All labels have a contrast of 4.5 at least. */
export const wordStrength = { usual: 0.92, asked: 0.7 } as const;

/** The most characters of a label. */
const longestLabel = 60;

/** A label of a word for so many square pixels, at most. */
const areaOfLabel = 6500;

/** A label of a neighbour or an answer for so many square pixels, at most, and how much room its dot has around its middle. */
const areaOfSpot = 12_000;
const dotRoom = 4;

/** A word of many letters as far as there is room for it. */
function short(text: string): string {
  return text.length > longestLabel ? `${text.slice(0, longestLabel - 1)}…` : text;
}

/** Places of the middle of a label around a spot, the best first. far adds places farther away. */
export function placesAround(px: number, py: number, width: number, height: number, far: boolean): { x: number; y: number; away: boolean }[] {
  const [up, side] = [height * 0.95, width / 2 + 10];
  const near = [[0, -up], [0, up], [side, 0], [-side, 0], [side, -up], [-side, -up], [side, up], [-side, up]];
  const rings = far ? [2.2, 3.4, 4.6].flatMap((by) => [[0, -by * height], [0, by * height], [side, -by * height], [-side, -by * height], [side, by * height], [-side, by * height]]) : [];
  return [...near, ...rings].map(([x = 0, y = 0], i) => ({ x: px + x, y: py + y, away: i >= near.length }));
}

/** Keeps labels off a line. */
function keepLine(room: Room, from: [number, number], to: [number, number]): void {
  const steps = Math.min(300, Math.ceil(Math.hypot(to[0] - from[0], to[1] - from[1]) / (2 * dotRoom)));
  for (let i = 0; i <= steps; i++) {
    const [x, y] = [from[0] + ((to[0] - from[0]) * i) / Math.max(1, steps), from[1] + ((to[1] - from[1]) * i) / Math.max(1, steps)];
    room.keep({ left: x - dotRoom, right: x + dotRoom, bottom: y - dotRoom, top: y + dotRoom });
  }
}

/** What was asked for, in units of the map. */
function soughtOf({ focus, analogy, axis }: Emphasis): Sought[] {
  const all: Sought[] = [];
  if (focus) all.push({ word: focus.word, value: "", x: focus.x, y: focus.y }, ...focus.neighbors.map(({ word, x, y, similarity }) => ({ word, x, y, value: similarity.toFixed(2) })));
  if (analogy) {
    const { a, b, c, target, answers } = analogy;
    all.push(...[a, b, c].map((spot) => ({ ...spot, value: "" })), { word: "corner", value: "", ...target }, ...answers.map((spot, i) => ({ ...spot, word: `${i + 1} ${spot.word}`, value: "" })));
  }
  if (axis) all.push({ ...axis.from, value: "" }, { ...axis.to, value: "" });
  return all;
}

/** What is drawn on: the canvas, or a picture. */
type Context = Pick<
  CanvasRenderingContext2D,
  | "fillStyle" | "strokeStyle" | "lineWidth" | "globalAlpha" | "font" | "lineJoin" | "lineCap" | "textAlign" | "textBaseline"
  | "setTransform" | "clearRect" | "measureText" | "setLineDash" | "beginPath" | "moveTo" | "lineTo" | "closePath" | "arc" | "roundRect"
  | "fill" | "stroke" | "fillRect" | "strokeRect" | "fillText" | "strokeText"
>;

export class Overlay {
  private context: Context;
  private readonly widths = new Map<string, number>();
  private ratio = 1;
  /** The marks of the latest frame. */
  chips: Chip[] = [];
  /** The labels of clusters in the latest frame. */
  regions: string[] = [];
  /** How many words were in view, as far as they were counted. */
  seen = 0;

  constructor(private readonly canvas: HTMLCanvasElement) {
    const context = canvas.getContext("2d");
    if (!context) throw new Error("The browser has no canvas.");
    this.context = context;
  }

  /** Draws a frame as SVG, with the points that are in view. The marks of the latest frame stay. */
  picture(scene: OverlayScene, opacity: number): string {
    const canvas = this.context;
    const measuring = document.createElement("canvas").getContext("2d");
    if (!measuring) throw new Error("The browser has no canvas.");
    const [chips, seen] = [this.chips, this.seen];
    const svg = new SvgContext(measuring);
    this.context = svg as unknown as Context;
    try {
      const box = visibleBox(scene.camera, scene.size);
      svg.globalAlpha = opacity;
      // The first words are drawn last, as on the screen.
      for (const id of choose(scene.points, scene.camera, scene.size, mostDrawn).ids.reverse()) {
        const [x, y] = [scene.points[2 * id] ?? 0, scene.points[2 * id + 1] ?? 0];
        if (!inside(box, x, y)) continue;
        svg.fillStyle = css([scene.colors[4 * id] ?? 0, scene.colors[4 * id + 1] ?? 0, scene.colors[4 * id + 2] ?? 0], (scene.colors[4 * id + 3] ?? 255) / 255);
        svg.beginPath();
        svg.arc(...toScreen(scene.camera, scene.size, x, y), scene.dotRadius);
        svg.fill();
      }
      svg.globalAlpha = 1;
      this.draw({ ...scene, dots: null, crosshair: false });
    } finally {
      this.context = canvas;
      [this.chips, this.seen] = [chips, seen];
    }
    return svg.toString(scene.size.width, scene.size.height, scene.ink.ground);
  }

  resize(size: Size): void {
    this.ratio = window.devicePixelRatio;
    this.canvas.width = Math.round(size.width * this.ratio);
    this.canvas.height = Math.round(size.height * this.ratio);
  }

  /** Draws a frame, and returns the labels of words that are shown, the most frequent first. */
  draw(scene: OverlayScene): WordLabel[] {
    const { context: c } = this;
    const { camera, size, emphasis } = scene;
    c.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    c.clearRect(0, 0, size.width, size.height);
    c.lineJoin = "round";
    c.lineCap = "round";
    c.textAlign = "center";
    c.textBaseline = "middle";

    const room = new Room();
    const at = (spot: { x: number; y: number }) => toScreen(camera, size, spot.x, spot.y);
    const asked = emphasis.focus !== null || emphasis.analogy !== null;

    // Marks come before labels, which have other places, too. Neither lies over a dot.
    const sought = soughtOf(emphasis).map((s) => ({ ...s, x: at(s)[0], y: at(s)[1] }));
    for (const { x, y } of sought) room.keep({ left: x - dotRoom, right: x + dotRoom, bottom: y - dotRoom, top: y + dotRoom });
    this.chips = placeChips(sought.filter(({ x, y }) => !scene.flying && hiddenAt(x, y, size, scene.covered)), scene.safe, room, (text) => this.measure("word", text), fonts.word.height);

    if (scene.dots) this.drawDots(scene, scene.dots, asked ? 0.4 : 0.85);
    if (emphasis.moves) this.drawMoves(scene, emphasis.moves, at);
    if (emphasis.axis) this.drawAxis(scene, emphasis.axis, at, room);
    if (emphasis.focus) this.drawFocus(scene, emphasis.focus, at, room);
    if (emphasis.analogy) this.drawAnalogy(scene, emphasis.analogy, at, room);

    // What was asked for is labelled even there, for it is not to move while one opens the legend.
    for (const box of scene.covered) room.keep(box);
    const level = levelAt(scene.levels, scene.camera, scene.points.length / 2);
    this.drawRegions(scene, level, room, asked);
    const shown = this.drawWords(scene, level, room, asked && !scene.dots ? wordStrength.asked : wordStrength.usual);

    for (const chip of this.chips) this.drawChip(chip, scene.ink);
    if (scene.lost) this.drawSmallMap(scene);
    if (emphasis.hovered) this.drawHovered(scene, emphasis.hovered, at);
    if (scene.lasso.length >= 4) this.drawLasso(scene);
    if (scene.crosshair) this.drawCrosshair(scene);
    return shown;
  }

  private drawDots(scene: OverlayScene, colors: Uint8Array, alpha: number): void {
    const { context: c } = this;
    c.globalAlpha = alpha;
    for (const id of candidates(scene.points, scene.index, scene.camera, scene.size)) {
      const [x, y] = toScreen(scene.camera, scene.size, scene.points[2 * id] ?? 0, scene.points[2 * id + 1] ?? 0);
      c.fillStyle = css([colors[4 * id] ?? 0, colors[4 * id + 1] ?? 0, colors[4 * id + 2] ?? 0]);
      c.beginPath();
      c.arc(x, y, scene.dotRadius, 0, 2 * Math.PI);
      c.fill();
    }
    c.globalAlpha = 1;
  }

  private measure(name: FontName, text: string): number {
    const key = `${name} ${text}`;
    let width = this.widths.get(key);
    if (width === undefined) {
      this.context.font = fonts[name].font;
      width = this.context.measureText(text).width;
      if (this.widths.size > 20_000) this.widths.clear();
      this.widths.set(key, width);
    }
    return width;
  }

  private text(name: FontName, label: Label, color: string, ground: string, alpha: number): void {
    const { context: c } = this;
    c.font = fonts[name].font;
    c.globalAlpha = alpha;
    c.strokeStyle = ground;
    c.lineWidth = 3.5;
    c.strokeText(label.text, label.x, label.y);
    c.fillStyle = color;
    c.fillText(label.text, label.x, label.y);
    c.globalAlpha = 1;
  }

  /** Labels a spot above it, or where there is room around it. must labels it farther away, with a line to the spot, and draws the
   * label even if there is no room at all. It returns whether there is a label. */
  private spotLabel(scene: OverlayScene, text: string, [px, py]: [number, number], color: string, room: Room, must: boolean, name: FontName = "strong"): boolean {
    const { height } = fonts[name];
    text = short(text);
    const width = this.measure(name, text);
    const { size, ink } = scene;
    // The label of a point in view is not cut, and does not go under what lies over the map.
    const seen = !hiddenAt(px, py, size, scene.covered);
    for (const { x, y, away } of placesAround(px, py, width, height, must)) {
      if ((seen || must) && (x - width / 2 < 2 || x + width / 2 > size.width - 2 || y < height / 2 || y > size.height - height / 2)) continue;
      const { left, right, bottom, top } = labelBox({ text, x, y, width, height }, 0);
      if (seen && scene.covered.some((box) => left < box.right && right > box.left && bottom < box.top && top > box.bottom)) continue;
      const label = { text, x, y, width, height };
      if (!room.take(labelBox(label, 1))) continue;
      if (away) this.line([px, py], [x, y + Math.sign(py - y) * (height / 2)], color, 1, 0.6);
      this.text(name, label, color, ink.ground, 1);
      return true;
    }
    if (must) this.text(name, { text, x: px, y: py - height * 0.95, width, height }, color, ink.ground, 1);
    return must;
  }

  /** Labels some spots, the first ones first, and no more of them than there is room for on the screen. */
  private spotLabels(scene: OverlayScene, spots: { text: string; at: [number, number] }[], color: string, room: Room, name: FontName): void {
    let most = Math.max(3, Math.round((scene.size.width * scene.size.height) / areaOfSpot));
    for (const { text, at } of spots) if (most > 0 && this.spotLabel(scene, text, at, color, room, false, name)) most--;
  }

  private dot([px, py]: [number, number], radius: number, fill: string, ring: string): void {
    const { context: c } = this;
    c.beginPath();
    c.arc(px, py, radius, 0, 2 * Math.PI);
    c.fillStyle = fill;
    c.fill();
    c.lineWidth = 1.5;
    c.strokeStyle = ring;
    c.stroke();
  }

  private arrow(from: [number, number], to: [number, number], color: string, width: number, dash: number[] = []): void {
    const { context: c } = this;
    const length = Math.hypot(to[0] - from[0], to[1] - from[1]);
    if (length < 2) return;
    const [ux, uy] = [(to[0] - from[0]) / length, (to[1] - from[1]) / length];
    // The arrow ends before the dot of its end.
    const gap = Math.min(7, length / 4);
    const head = Math.min(11, length / 2);
    const tip: [number, number] = [to[0] - gap * ux, to[1] - gap * uy];
    const neck: [number, number] = [tip[0] - head * ux, tip[1] - head * uy];
    c.strokeStyle = color;
    c.fillStyle = color;
    c.lineWidth = width;
    c.setLineDash(dash);
    c.beginPath();
    c.moveTo(from[0] + gap * ux, from[1] + gap * uy);
    c.lineTo(neck[0], neck[1]);
    c.stroke();
    c.setLineDash([]);
    c.beginPath();
    c.moveTo(tip[0], tip[1]);
    c.lineTo(neck[0] - 0.45 * head * uy, neck[1] + 0.45 * head * ux);
    c.lineTo(neck[0] + 0.45 * head * uy, neck[1] - 0.45 * head * ux);
    c.fill();
  }

  private line(from: [number, number], to: [number, number], color: string, width: number, alpha: number, dash: number[] = []): void {
    const { context: c } = this;
    c.globalAlpha = alpha;
    c.strokeStyle = color;
    c.lineWidth = width;
    c.setLineDash(dash);
    c.beginPath();
    c.moveTo(from[0], from[1]);
    c.lineTo(to[0], to[1]);
    c.stroke();
    c.setLineDash([]);
    c.globalAlpha = 1;
  }

  /** A diamond is a place without a point: no word of the vocabulary is there. */
  private diamond([x, y]: [number, number], radius: number, fill: string, edge: string): void {
    const { context: c } = this;
    c.beginPath();
    c.moveTo(x, y - radius);
    c.lineTo(x + radius, y);
    c.lineTo(x, y + radius);
    c.lineTo(x - radius, y);
    c.closePath();
    c.fillStyle = fill;
    c.fill();
    c.lineWidth = 2;
    c.strokeStyle = edge;
    c.stroke();
  }

  /** A ring where each word was, and an arrow from there. */
  private drawMoves(scene: OverlayScene, moves: NonNullable<Emphasis["moves"]>, at: (spot: { x: number; y: number }) => [number, number]): void {
    const { context: c } = this;
    const { ink } = scene;
    // Many arrows are lighter, so that they are no blot.
    const strength = Math.max(0.35, Math.min(0.9, 6 / Math.sqrt(moves.length)));
    for (const { from, to } of moves) {
      const [x, y] = at(from);
      c.globalAlpha = strength;
      c.beginPath();
      c.arc(x, y, 4, 0, 2 * Math.PI);
      c.lineWidth = 1.5;
      c.strokeStyle = ink.warm;
      c.stroke();
      this.arrow([x, y], at(to), ink.warm, 1.5);
      c.globalAlpha = 1;
    }
  }

  private drawFocus(scene: OverlayScene, focus: NonNullable<Emphasis["focus"]>, at: (spot: Spot) => [number, number], room: Room): void {
    const { ink } = scene;
    const centre = at(focus);
    for (const n of focus.neighbors) this.line(centre, at(n), ink.accent, 1.25, 0.25 + 0.6 * Math.max(0, n.similarity));
    for (const n of focus.neighbors) this.dot(at(n), 3.5, ink.accent, ink.ground);
    if (focus.composed) this.diamond(centre, 8, ink.warm, ink.ground);
    else this.dot(centre, 6, ink.warm, ink.ground);
    const spots = focus.neighbors.map((n) => ({ text: n.word, at: at(n) }));
    this.spotLabel(scene, focus.word, centre, ink.warm, room, true, "cluster");
    this.spotLabels(scene, spots, ink.text, room, "strong");
  }

  private drawAnalogy(scene: OverlayScene, analogy: NonNullable<Emphasis["analogy"]>, at: (spot: { x: number; y: number }) => [number, number], room: Room): void {
    const { context: c } = this;
    const { ink } = scene;
    const [a, b, d, target] = [at(analogy.a), at(analogy.b), at(analogy.c), at(analogy.target)];
    c.globalAlpha = 0.1;
    c.fillStyle = ink.accent;
    c.beginPath();
    for (const [x, y] of [a, b, target, d]) c.lineTo(x, y);
    c.fill();
    c.globalAlpha = 1;
    this.line(a, d, ink.dim, 1, 0.7, [2, 5]);
    this.line(b, target, ink.dim, 1, 0.7, [2, 5]);
    this.arrow(a, b, ink.accent, 2.5);
    this.arrow(d, target, ink.accent, 2.5, [7, 5]);

    const best = analogy.answers[0];
    if (best) this.line(target, at(best), ink.warm, 1.5, 0.9, [3, 4]);
    this.diamond(target, 7, ink.ground, ink.accent);

    analogy.answers.slice(1).forEach((answer) => this.dot(at(answer), 3.5, ink.dim, ink.ground));
    for (const spot of [a, b, d]) this.dot(spot, 5.5, ink.accent, ink.ground);
    if (best) this.dot(at(best), 6, ink.warm, ink.ground);

    keepLine(room, a, b);
    keepLine(room, d, target);
    if (best) this.spotLabel(scene, [`1 ${best.word}`, analogy.miss].filter(Boolean).join(", "), at(best), ink.warm, room, true);
    for (const spot of [analogy.a, analogy.b, analogy.c]) this.spotLabel(scene, spot.word, at(spot), ink.text, room, true);
    this.spotLabel(scene, `${analogy.b.word} − ${analogy.a.word} + ${analogy.c.word}`, target, ink.accent, room, true, "word");
    this.spotLabels(scene, analogy.answers.slice(1).map((answer, i) => ({ text: `${i + 2} ${answer.word}`, at: at(answer) })), ink.dim, room, "word");
  }

  private drawAxis(scene: OverlayScene, axis: NonNullable<Emphasis["axis"]>, at: (spot: Spot) => [number, number], room: Room): void {
    const { ink } = scene;
    const [from, to] = [at(axis.from), at(axis.to)];
    this.arrow(from, to, ink.text, 1.5);
    this.dot(from, 5, ink.text, ink.ground);
    this.dot(to, 5, ink.text, ink.ground);
    this.spotLabel(scene, axis.from.word, from, ink.text, room, true);
    this.spotLabel(scene, axis.to.word, to, ink.text, room, true);
  }

  /** Draws the labels of clusters, groups of them or their parts: those for which there is room, the largest first. */
  private drawRegions(scene: OverlayScene, level: LevelName, room: Room, asked: boolean): void {
    this.regions = [];
    if (level === "words") return;
    const font = fontOf[level];
    const { height } = fonts[font];
    for (const region of scene.levels[level]) {
      const [px, py] = toScreen(scene.camera, scene.size, region.x, region.y);
      if (px < 0 || py < 0 || px > scene.size.width || py > scene.size.height) continue;
      const text = shortened(region.label, scene.size.width);
      const width = this.measure(font, text);
      // A label at the edge is moved inside, unless it is too long for the map.
      const half = width / 2 + 6;
      if (2 * half > scene.size.width) continue;
      const x = Math.min(Math.max(px, half), scene.size.width - half);
      const label = [0, 1, -1].map((by) => ({ text, x, y: py + by * height, width, height })).find((at) => room.take(labelBox(at, 4)));
      if (!label) continue;
      this.text(font, label, asked ? scene.ink.dim : region.color, scene.ink.ground, 1);
      this.regions.push(region.label);
    }
  }

  private drawWords(scene: OverlayScene, level: LevelName, room: Room, strength: number): WordLabel[] {
    const { camera, size, points, words, index, ink } = scene;
    // Words come last: where groups of clusters are named, none is.
    const most = Math.round(Math.min(220, (size.width * size.height) / areaOfLabel) * wordsBeside[level]);
    const { height } = fonts.word;
    const all = candidates(points, index, camera, size);
    this.seen = all.length;
    // Before it is known which words say little, the most frequent ones are left out.
    const first = level !== "words" && scene.levels.clusters.length === 0 ? Math.min(100, points.length / 200) : 0;
    const ids = all.filter((id) => id >= first && scene.colors[4 * id + 3] === 255 && (level === "words" || !scene.stop.has(id)));
    const placed = placeWords(ids, points, words, camera, size, room, most, (text) => this.measure("word", text), height);
    for (const label of placed) this.text("word", label, ink.text, ink.ground, strength);
    return placed;
  }

  private drawHovered(scene: OverlayScene, spot: NonNullable<Emphasis["hovered"]>, at: (spot: Spot) => [number, number]): void {
    const { context: c } = this;
    const { ink, size } = scene;
    const [px, py] = at(spot);
    c.beginPath();
    c.arc(px, py, 8, 0, 2 * Math.PI);
    c.lineWidth = 2;
    c.strokeStyle = ink.warm;
    c.stroke();
    const word = short(spot.word);
    const lines = (spot.card ?? []).map(short);
    const width = Math.max(this.measure("strong", word), ...lines.map((line) => this.measure("word", line))) + 18;
    const height = 24 + lines.length * fonts.word.height + (lines.length > 0 ? 6 : 0);
    const x = Math.min(Math.max(px - width / 2, 4), Math.max(4, size.width - width - 4));
    // The card of a word that is out of view is at the edge.
    const y = Math.max(4, Math.min(size.height - height - 4, py - 16 - height < 0 ? py + 14 : py - 14 - height));
    c.beginPath();
    c.roundRect(x, y, width, height, 6);
    c.fillStyle = ink.text;
    c.fill();
    c.font = fonts.strong.font;
    c.fillStyle = ink.ground;
    c.fillText(word, x + width / 2, y + 12.5);
    c.font = fonts.word.font;
    lines.forEach((line, i) => c.fillText(line, x + width / 2, y + 24 + (i + 0.5) * fonts.word.height));
  }

  private drawChip(chip: Chip, ink: Ink): void {
    const { context: c } = this;
    c.beginPath();
    c.roundRect(chip.x - chip.width / 2, chip.y - chip.height / 2, chip.width, chip.height, 6);
    c.fillStyle = ink.ground;
    c.fill();
    c.lineWidth = 1;
    c.strokeStyle = ink.accent;
    c.stroke();
    c.font = fonts.word.font;
    c.fillStyle = ink.text;
    c.fillText(chip.text, chip.x, chip.y);
  }

  /** All points in a corner, and where the view is among them. */
  private drawSmallMap({ safe, points, camera, size, ink }: OverlayScene): void {
    const { context: c } = this;
    const side = Math.min(110, (safe.right - safe.left) / 3, (safe.top - safe.bottom) / 3);
    const [left, top] = [safe.right - side - 10, safe.top - side - 10];
    const place = (x: number, y: number): [number, number] => {
      const share = (value: number) => Math.min(1, Math.max(0, 0.5 + value / (2.3 * mapRadius)));
      return [left + side * share(x), top + side * (1 - share(y))];
    };
    c.beginPath();
    c.roundRect(left, top, side, side, 6);
    c.fillStyle = ink.ground;
    c.fill();
    c.lineWidth = 1;
    c.strokeStyle = ink.dim;
    c.stroke();
    c.fillStyle = ink.dim;
    const step = Math.ceil(points.length / 2 / 1500);
    for (let i = 0; i < points.length / 2; i += step) {
      const [x, y] = place(points[2 * i] ?? 0, points[2 * i + 1] ?? 0);
      c.fillRect(x, y, 1, 1);
    }
    const view = visibleBox(camera, size);
    const [[x0, y0], [x1, y1]] = [place(view.left, view.top), place(view.right, view.bottom)];
    c.lineWidth = 2;
    c.strokeStyle = ink.warm;
    // However small the view is, it is seen.
    c.strokeRect((x0 + x1) / 2 - Math.max(3, (x1 - x0) / 2), (y0 + y1) / 2 - Math.max(3, (y1 - y0) / 2), Math.max(6, x1 - x0), Math.max(6, y1 - y0));
  }

  private drawLasso(scene: OverlayScene): void {
    const { context: c } = this;
    c.beginPath();
    for (let i = 0; i < scene.lasso.length; i += 2) c.lineTo(scene.lasso[i] ?? 0, scene.lasso[i + 1] ?? 0);
    c.closePath();
    c.globalAlpha = 0.12;
    c.fillStyle = scene.ink.accent;
    c.fill();
    c.globalAlpha = 1;
    c.strokeStyle = scene.ink.accent;
    c.lineWidth = 1.5;
    c.setLineDash([5, 4]);
    c.stroke();
    c.setLineDash([]);
  }

  private drawCrosshair(scene: OverlayScene): void {
    const [x, y] = [scene.size.width / 2, scene.size.height / 2];
    for (const [dx, dy] of [
      [1, 0],
      [-1, 0],
      [0, 1],
      [0, -1],
    ] as const) {
      this.line([x + 5 * dx, y + 5 * dy], [x + 13 * dx, y + 13 * dy], scene.ink.accent, 2, 1);
    }
  }
}
