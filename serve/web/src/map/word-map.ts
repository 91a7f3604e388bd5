// The map of one layout: scene, overlay, pointer and animations together. It knows nothing of the state
// of the app, so that a page can have several.

import type { Layout } from "../app/state";
import type { Camera } from "../app/view";
import { mapRadius } from "../app/layout";
import { between, clearing, ease, fitBox, fitPoints, labelMargin, magnification, moved, safeArea, toMap, visibleBox, zoomedAt, type Box, type Size } from "./camera";
import { densityContours, type Contour } from "./density";
import { Gestures } from "./gestures";
import type { WordLabel } from "./labels";
import { countInView, groundOf, levelsOf, noLevels, type Levels } from "./levels";
import type { Chip } from "./outside";
import { noEmphasis, Overlay, type Emphasis, type Ink, type OverlayScene } from "./overlay";
import type { Rgb } from "./palette";
import { PointIndex, pointsInPolygon } from "./picking";
import { Scene } from "./scene";

export interface WordMapEvents {
  /** The camera has moved; null shows the whole map. */
  camera: (camera: Camera | null) => void;
  /** What the camera is that shows the whole map. */
  whole?: (camera: Camera) => void;
  hover: (id: number) => void;
  pick: (id: number) => void;
  /** Points inside of a lasso. */
  lasso: (ids: number[]) => void;
  /** Words whose labels are shown, a moment after they changed. */
  labels: (words: string[]) => void;
  /** Marks of what is outside the view, as soon as they changed. */
  outside: (marks: string[]) => void;
  /** How many words of each cluster are in view, at the same time. */
  clusters?: (counts: Map<number, number>) => void;
  /** Whether there is no word in view. */
  lost: (lost: boolean) => void;
  /** The points cannot be drawn. */
  failed: (error: Error) => void;
}

/** The zoom of a turn of the wheel by a pixel, where deck.gl does not move the camera. */
const wheelZoom = 0.004;
/** How long points and the camera travel, in milliseconds. */
const morphTime = 900;
const flyTime = 550;
/** How long the labels must stay before they are told. */
const labelsRest = 500;
/** How near to a point the pointer must be, in pixels: a mouse, and a finger. */
const reach = { mouse: 9, touch: 22 };
/** So many words stay in view however near the camera comes: the last of them at a share of the shorter side from the middle. */
const company = { words: 4, share: 0.42 };

/** Which map has reported a camera, and when the flight began that it is of. */
const reported = new WeakMap<Camera, { map: WordMap; began: number }>();

export class WordMap {
  private readonly scene: Scene | null;
  private readonly overlay: Overlay;
  private readonly gestures: Gestures;
  private readonly resizing: ResizeObserver;
  private size: Size = { width: 1, height: 1 };
  private camera: Camera | null = null;
  private wholeCamera: Camera | null = null;
  private layout: Layout | null = null;
  /** Where the points are now, which differs from the layout while they travel. */
  private points: Float32Array = new Float32Array(0);
  private words: string[] = [];
  private colors: Uint8Array = new Uint8Array(0);
  private index: PointIndex | null = null;
  private levels: Levels = noLevels;
  /** Words that say little where much is seen. */
  private stop: ReadonlySet<number> = new Set();
  private emphasis: Emphasis = noEmphasis;
  private lasso: number[] = [];
  private crosshair = false;
  private contours: Contour[] | null = null;
  private contoursWanted = true;
  private clusterColored = true;
  private dark = false;
  private ink: Ink;
  private shown: WordLabel[] = [];
  private told = "";
  private toldOutside = "";
  private frame = 0;
  private morph = 0;
  private flight = 0;
  private labelTimer = 0;
  private densityTimer = 0;
  private pointed: [number, number] | null = null;
  private hovered = -1;
  private lost = false;
  private flying = false;
  /** Where the latest flight went, and what does it again; null after none. */
  private landed: Camera | null = null;
  private again: (() => void) | null = null;
  /** When the flight began. */
  private began = 0;

  constructor(
    private readonly container: HTMLElement,
    canvas: HTMLCanvasElement,
    overlay: HTMLCanvasElement,
    private readonly events: WordMapEvents,
    private readonly still: () => boolean,
    webgl: boolean,
  ) {
    this.overlay = new Overlay(overlay);
    this.ink = inkOf(container);
    this.scene = webgl ? new Scene(canvas, { camera: (camera) => this.moved(camera), limit: (from, to) => this.limited(from, to), failed: events.failed }, !still()) : null;
    this.gestures = new Gestures(container, {
      point: (place) => {
        this.pointed = place;
        this.schedule();
      },
      pick: (place, touch) => {
        const chip = this.chipAt(place);
        if (chip) return this.goTo(chip.sought.x, chip.sought.y);
        const id = this.at(place, touch ? reach.touch : reach.mouse);
        if (id >= 0) events.pick(id);
      },
      lasso: (path) => {
        this.lasso = path;
        this.schedule();
      },
      lassoEnd: (path, cancelled) => {
        this.lasso = [];
        this.schedule();
        if (!cancelled) this.select(path);
      },
      drag: (dx, dy) => {
        if (!this.scene) this.moved(moved(this.view(), -dx, dy, 0));
      },
      pinch: (place, zoom, dx, dy) => {
        if (this.scene) return;
        const from = moved(this.view(), -dx, dy, 0);
        this.moved(this.limited(from, zoomedAt(from, this.size, place, zoom)));
      },
      wheel: (place, turn) => {
        if (!this.scene) this.moved(this.limited(this.view(), zoomedAt(this.view(), this.size, place, -wheelZoom * turn)));
      },
    });
    this.resizing = new ResizeObserver(() => this.resize());
    this.resizing.observe(container);
    this.resize();
  }

  destroy(): void {
    cancelAnimationFrame(this.frame);
    cancelAnimationFrame(this.morph);
    cancelAnimationFrame(this.flight);
    clearTimeout(this.labelTimer);
    clearTimeout(this.densityTimer);
    this.resizing.disconnect();
    this.gestures.destroy();
    this.scene?.destroy();
  }

  /** Shows a layout. Points that are shown already travel to their new places. */
  setLayout(layout: Layout | null, words: string[], colors: Uint8Array): void {
    const before = this.layout;
    const from = this.points;
    if (layout && before && layout.points === before.points && this.words === words && this.points.length > 0) {
      // The same map, of which more is known.
      this.layout = layout;
      this.updateClusters();
      return this.setColors(colors);
    }
    cancelAnimationFrame(this.morph);
    clearTimeout(this.densityTimer);
    this.wholeCamera = null;
    this.layout = layout;
    this.words = words;
    this.colors = colors;
    this.index = null;
    this.contours = null;
    this.scene?.setContours([]);
    if (!layout) {
      this.points = new Float32Array(0);
      this.scene?.setPoints(this.points, new Uint8Array(0));
      this.restyle();
      return;
    }
    this.updateClusters();
    const travels = before?.model === layout.model && before.projection !== layout.projection && from.length === layout.points.length && !this.still();
    if (travels) this.travel(from, layout.points);
    else this.arrive(layout.points);
  }

  private travel(from: Float32Array, to: Float32Array): void {
    const began = performance.now();
    const on = new Float32Array(to.length);
    this.scene?.setPoints(from, this.colors);
    const step = (now: number) => {
      const t = Math.min(1, (now - began) / morphTime);
      if (t >= 1) return this.arrive(to);
      const done = ease(t);
      for (let i = 0; i < to.length; i++) on[i] = (from[i] ?? 0) + ((to[i] ?? 0) - (from[i] ?? 0)) * done;
      this.points = on;
      this.scene?.movePoints(on);
      this.restyle();
      this.morph = requestAnimationFrame(step);
    };
    this.morph = requestAnimationFrame(step);
  }

  private arrive(points: Float32Array): void {
    this.points = points;
    this.scene?.setPoints(points, this.colors);
    this.restyle();
    // Points are seen first, then they can be picked, then there are contours.
    this.densityTimer = window.setTimeout(() => {
      this.index = new PointIndex(points);
      this.schedule();
      this.densityTimer = window.setTimeout(() => this.updateContours(), 30);
    }, 30);
  }

  private updateContours(): void {
    if (!this.contoursWanted || !this.layout) return this.scene?.setContours([]);
    this.contours ??= densityContours(this.layout.points);
    this.scene?.setContours(this.contours);
  }

  private updateClusters(): void {
    this.levels = levelsOf(this.layout, this.dark, this.clusterColored, this.ink.text, this.ink.dim);
    this.stop = new Set(this.layout?.info.stop ?? []);
  }

  setColors(colors: Uint8Array): void {
    this.colors = colors;
    this.scene?.setColors(colors);
    this.restyle();
  }

  setContours(wanted: boolean): void {
    if (wanted === this.contoursWanted) return;
    this.contoursWanted = wanted;
    this.updateContours();
  }

  setTheme(dark: boolean): void {
    this.dark = dark;
    this.ink = inkOf(this.container);
    this.updateClusters();
    this.restyle();
  }

  /** Sets whether the points of a cluster have its colour; its label has it then, too. */
  setClusterColored(colored: boolean): void {
    this.clusterColored = colored;
    this.updateClusters();
    this.schedule();
  }

  setEmphasis(emphasis: Emphasis): void {
    this.emphasis = emphasis;
    this.restyle();
  }

  setMarked(ids: readonly number[], colors?: readonly (Rgb | null)[]): void {
    this.scene?.setMarked(ids, colors);
    this.restyle();
  }

  setLasso(active: boolean): void {
    this.gestures.lassoTool = active;
  }

  setCrosshair(shown: boolean): void {
    this.crosshair = shown;
    this.schedule();
  }

  /** Drops a lasso that is being drawn; false if there is none. */
  dropLasso(): boolean {
    return this.gestures.dropLasso();
  }

  /** The camera now: by default the one that shows the whole map. */
  view(): Camera {
    return this.camera ?? this.whole();
  }

  /** The camera that shows the whole map beside what lies over it. */
  private whole(): Camera {
    if (this.wholeCamera) return this.wholeCamera;
    const safe = this.safe();
    const extent = this.layout?.extent;
    const small = 0.03 * Math.min(safe.right - safe.left, safe.top - safe.bottom);
    const square = { left: -mapRadius, bottom: -mapRadius, right: mapRadius, top: mapRadius };
    const whole = extent ? fitBox(extent, this.size, safe, labelMargin(safe)) : fitBox(square, this.size, safe, { x: small, y: small });
    this.wholeCamera = whole;
    this.events.whole?.(whole);
    return whole;
  }

  /** The part of the screen that nothing lies over. */
  safe(): Box {
    return safeArea(this.size, this.covered());
  }

  /** Shows some spots, at most so much magnified, and has none of all under what lies over the map. It does so again when the size
   * of the map changes, until the camera moves elsewhere. */
  bring(spots: [number, number][], all: [number, number][], most: number): void {
    const covered = this.covered();
    const safe = safeArea(this.size, covered);
    this.flyTo(clearing(fitPoints(spots, this.size, most, safe), this.size, all, safe, covered));
    this.again = () => this.bring(spots, all, most);
  }

  /** Moves the camera by as little as that none of some spots is under what lies over the map. */
  uncover(all: [number, number][]): void {
    const covered = this.covered();
    const to = clearing(this.view(), this.size, all, safeArea(this.size, covered), covered);
    const again = this.again;
    if (to !== this.view()) this.flyTo(to);
    this.again = again;
  }

  /** Does the same once the map rests, unless the user has moved it since it brought something into view. */
  keepClear(all: [number, number][]): void {
    if (this.flying) setTimeout(() => this.keepClear(all), flyTime);
    else if (this.landed === this.camera) this.uncover(all);
  }

  /** Moves the camera by pixels and a zoom, which ends where few words are left. */
  step(dx: number, dy: number, zoom: number): void {
    const from = this.view();
    this.flyTo(this.limited(from, moved(from, dx, dy, zoom)));
  }

  /** Where a movement of the camera ends: a zoom goes no further than some words are in view. */
  private limited(from: Camera, to: Camera): Camera {
    if (to.zoom <= from.zoom || !this.index) return to;
    const most = ({ x, y }: Camera) => {
      const distance = this.index?.distance(x, y, Math.min(company.words, this.points.length / 2)) ?? Infinity;
      return Math.log2((company.share * Math.min(this.size.width, this.size.height)) / Math.max(1e-9, distance));
    };
    if (to.zoom <= most(to)) return to;
    return { ...from, zoom: Math.min(to.zoom, Math.max(from.zoom, most(from))) };
  }

  /** Brings a place of the screen to the middle of what nothing lies over. */
  private goTo(px: number, py: number): void {
    const safe = this.safe();
    this.flyTo(moved(this.view(), px - (safe.left + safe.right) / 2, (safe.bottom + safe.top) / 2 - py, 0));
  }

  private chipAt([px, py]: [number, number]): Chip | undefined {
    return this.overlay.chips.find((c) => Math.abs(px - c.x) <= c.width / 2 && Math.abs(py - c.y) <= c.height / 2);
  }

  /** Moves the camera to the whole map, which then stays whole when the window changes. */
  showWhole(): void {
    this.wholeCamera = null;
    this.flyTo(this.whole(), () => {
      this.camera = null;
      this.events.camera(null);
    });
  }

  viewSize(): Size {
    return this.size;
  }

  /** Sets the camera. One that the map has reported itself comes back late, and is not news. Of the flights of two maps with
   * one camera, the later one goes on. */
  setCamera(camera: Camera | null): void {
    const of = camera && reported.get(camera);
    if (of && (of.map === this || (this.flying && of.began <= this.began))) return;
    this.land();
    this.camera = camera;
    this.restyle();
  }

  /** Ends a flight where the camera is. */
  private land(): void {
    cancelAnimationFrame(this.flight);
    this.flying = false;
  }

  /** Moves the camera, in small steps unless the user wants no motion. */
  flyTo(to: Camera, there?: () => void): void {
    this.land();
    const from = this.view();
    this.landed = to;
    this.again = null;
    if (this.still()) {
      this.moved(to);
      there?.();
      return;
    }
    const began = performance.now();
    this.began = began;
    this.flying = true;
    const step = (now: number) => {
      const t = Math.min(1, (now - began) / flyTime);
      this.flying = t < 1;
      this.moved(t < 1 ? between(from, to, ease(t)) : to);
      if (t < 1) this.flight = requestAnimationFrame(step);
      else there?.();
    };
    this.flight = requestAnimationFrame(step);
  }

  private moved(camera: Camera): void {
    this.camera = camera;
    this.restyle();
    reported.set(camera, { map: this, began: this.flying ? this.began : performance.now() });
    this.events.camera(camera);
  }

  /** The point at a place of the screen, or whose label is there; -1 if there is none. */
  private at([px, py]: [number, number], distance: number): number {
    const camera = this.view();
    const [x, y] = toMap(camera, this.size, px, py);
    const id = this.index?.nearest(x, y, distance / 2 ** camera.zoom) ?? -1;
    if (id >= 0) return id;
    const label = this.shown.find((l) => Math.abs(px - l.x) <= l.width / 2 && Math.abs(py - l.y) <= l.height / 2);
    return label?.id ?? -1;
  }

  /** The word nearest to the middle of the screen, which the keyboard picks; -1 if there is none near. */
  middle(): number {
    return this.at([this.size.width / 2, this.size.height / 2], 60);
  }

  private select(path: number[]): void {
    if (!this.index) return;
    const polygon: number[] = [];
    const camera = this.view();
    for (let i = 0; i < path.length; i += 2) polygon.push(...toMap(camera, this.size, path[i] ?? 0, path[i + 1] ?? 0));
    this.events.lasso(pointsInPolygon(this.index, this.points, polygon));
  }

  private resize(): void {
    const { clientWidth: width, clientHeight: height } = this.container;
    if (width === 0 || height === 0) return;
    this.size = { width, height };
    this.wholeCamera = null;
    this.overlay.resize(this.size);
    this.restyle();
    if (this.again && this.camera === this.landed) this.again();
  }

  /** The size of points: fewer points are larger, and all grow slowly as one comes nearer. */
  private radius(): number {
    const n = Math.max(1, this.points.length / 2);
    const side = Math.min(this.size.width, this.size.height);
    const base = Math.min(2.3, Math.max(0.8, (0.21 * side) / Math.sqrt(n)));
    return Math.min(5, base * 2 ** (0.32 * Math.max(0, magnification(this.view(), this.size))));
  }

  /** How much points stand back. */
  private opacity(): number {
    return this.emphasis.focus !== null || this.emphasis.analogy !== null ? 0.4 : 0.85;
  }

  private restyle(): void {
    const scene = this.scene;
    if (scene) {
      scene.setCamera(this.view(), this.size);
      const ink: Rgb = this.dark ? [170, 190, 220] : [60, 80, 120];
      scene.setStyle(this.radius(), this.opacity(), ink, groundOf(this.dark));
    }
    this.schedule();
  }

  private schedule(): void {
    if (this.frame !== 0) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = 0;
      this.draw();
    });
  }

  private overlayScene(): OverlayScene {
    const covered = this.covered();
    return {
      camera: this.view(),
      size: this.size,
      points: this.points,
      words: this.words,
      index: this.index,
      levels: this.points === this.layout?.points ? this.levels : noLevels,
      stop: this.stop,
      emphasis: this.emphasis,
      covered,
      safe: safeArea(this.size, covered),
      flying: this.flying,
      lost: this.lost,
      lasso: this.lasso,
      colors: this.colors,
      dots: this.scene ? null : this.colors,
      dotRadius: this.radius(),
      crosshair: this.crosshair,
      ink: this.ink,
    };
  }

  /** The view as a picture that can be enlarged. */
  svg(): string {
    return this.overlay.picture({ ...this.overlayScene(), covered: [], emphasis: { ...this.emphasis, hovered: null } }, this.opacity());
  }

  /** The view as it is on the screen; null if the browser cannot make it. */
  png(): Promise<Blob | null> {
    const canvas = document.createElement("canvas");
    const c = canvas.getContext("2d");
    const layers = [...this.container.querySelectorAll("canvas")];
    [canvas.width, canvas.height] = [layers[1]?.width ?? 1, layers[1]?.height ?? 1];
    if (!c) return Promise.resolve(null);
    c.fillStyle = this.ink.ground;
    c.fillRect(0, 0, canvas.width, canvas.height);
    // What the graphics card drew is gone with the frame: it is drawn again in this one.
    this.scene?.redraw();
    this.draw();
    for (const layer of layers) c.drawImage(layer, 0, 0, canvas.width, canvas.height);
    return new Promise((done) => canvas.toBlob(done));
  }

  private draw(): void {
    if (this.pointed && this.points === this.layout?.points) this.hover(this.at(this.pointed, reach.mouse), this.chipAt(this.pointed) !== undefined);
    else if (!this.pointed) this.hover(-1, false);
    this.shown = this.overlay.draw(this.overlayScene());
    this.setLost(this.index !== null && this.points.length > 0 && this.overlay.seen === 0);
    const outside = this.overlay.chips.map((chip) => chip.text);
    if (outside.join("\n") !== this.toldOutside) this.events.outside(outside);
    this.toldOutside = outside.join("\n");
    clearTimeout(this.labelTimer);
    this.labelTimer = window.setTimeout(() => {
      const words = [...this.overlay.regions, ...this.shown.map((label) => label.text)];
      const text = words.join("\n");
      if (text !== this.told) this.events.labels(words);
      this.told = text;
      if (this.layout && this.events.clusters) this.events.clusters(countInView(this.layout.points, this.layout.clusters, visibleBox(this.view(), this.size)));
    }, labelsRest);
  }

  /** Where the legend, the tools and the state of the map are, beside which it lies in the page, and the sheet of a phone. */
  private covered(): Box[] {
    const from = this.container.getBoundingClientRect();
    const beside = [...(this.container.parentElement?.children ?? [])].filter((element) => !element.classList.contains("map-canvas") && getComputedStyle(element).position === "absolute");
    return [...beside, ...document.querySelectorAll(".sidebar")].flatMap((element): Box[] => {
      const box = element.getBoundingClientRect();
      if (box.width * box.height === 0) return [];
      return [{ left: box.left - from.left, right: box.right - from.left, bottom: box.top - from.top, top: box.bottom - from.top }];
    });
  }

  private setLost(lost: boolean): void {
    if (lost === this.lost) return;
    this.lost = lost;
    this.schedule();
    this.events.lost(lost);
  }

  private hover(found: number, onChip: boolean): void {
    const id = onChip ? -1 : found;
    this.container.classList.toggle("pointing", id >= 0 || onChip);
    if (id === this.hovered) return;
    this.hovered = id;
    this.events.hover(id);
  }
}

function inkOf(element: HTMLElement): Ink {
  const style = getComputedStyle(element);
  const of = (name: string) => style.getPropertyValue(name).trim();
  return { text: of("--text"), dim: of("--text-2"), ground: of("--map-bg"), accent: of("--accent"), warm: of("--warm") };
}
