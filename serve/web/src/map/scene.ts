// What the graphics card draws: the points, those that are marked, and the contours.

import { COORDINATE_SYSTEM, Deck, OrthographicView, type Layer, type OrthographicViewState } from "@deck.gl/core";
import { SolidPolygonLayer } from "@deck.gl/layers";
import type { Camera } from "../app/view";
import { maxZoom, minZoom, type Size } from "./camera";
import { choose, does, mostDrawn, mostMoving, type Detail } from "./detail";
import { levels, type Contour } from "./density";
import type { Rgb } from "./palette";
import { VertexLayer, type Vertices } from "./vertex-layer";

interface SceneEvents {
  /** The user or the inertia moved the camera. */
  camera: (camera: Camera) => void;
  /** Where a movement of the camera ends. */
  limit: (from: Camera, to: Camera) => Camera;
  /** Nothing can be drawn. */
  failed: (error: Error) => void;
}

/** So many marked points have a rim, if they are so many radii apart. Others would be a blot. */
const rimmed = 300;
/** So few are larger. */
const few = 60;
const apart = 4;

/** How points stand back beside those that are marked, and how many pixels of ground the latter have around them. */
const back = { color: [138, 144, 154], opacity: 0.3 } as const;
const halo = 1.6;

/** After so many milliseconds without movement all points are drawn. */
const rest = 150;

/** Pixels beyond two for each CSS pixel are not seen, but drawn. */
const mostPixels = 2;

export function hasWebGL2(): boolean {
  try {
    const context = document.createElement("canvas").getContext("webgl2");
    // Browsers keep few contexts at a time.
    context?.getExtension("WEBGL_lose_context")?.loseContext();
    return context !== null;
  } catch {
    return false;
  }
}

export class Scene {
  private readonly deck: Deck<OrthographicView>;
  private camera: Camera | null = null;
  private size: Size = { width: 1, height: 1 };
  private points: Float32Array | null = null;
  private colors: Uint8Array = new Uint8Array(0);
  private radii: Float32Array = new Float32Array(0);
  /** Which of the points are drawn, and what is sent of them to the graphics card. */
  private detail: Detail | null = null;
  private data: Vertices | null = null;
  /** Whether the processor draws. Then there are fewer points while the map moves. */
  private slow = false;
  private chosenFor: Camera | null = null;
  /** Whether something has changed since the last frame. */
  private stale = true;
  private moving = 0;
  private marked: Vertices | null = null;
  private markedIds: readonly number[] = [];
  private markedColors: readonly (Rgb | null)[] = [];
  /** How far marked points are from each other, in units of the map. */
  private spacing = 0;
  private contours: Contour[] = [];
  private lines: Vertices | null = null;
  private ink: Rgb = [0, 0, 0];
  private ground: Rgb = [255, 255, 255];
  private opacity = 1;
  private radius = 1;

  constructor(canvas: HTMLCanvasElement, events: SceneEvents, inertia: boolean) {
    this.deck = new Deck<OrthographicView>({
      canvas,
      width: "100%",
      height: "100%",
      views: new OrthographicView({
        id: "map",
        flipY: false,
        controller: { inertia: inertia ? 250 : 0, scrollZoom: { speed: 0.012, smooth: false }, doubleClickZoom: true, touchRotate: false, dragRotate: false, keyboard: false },
      }),
      viewState: { target: [0, 0, 0], zoom: 0, minZoom, maxZoom },
      layers: [],
      useDevicePixels: Math.min(mostPixels, window.devicePixelRatio),
      // The page's own listeners find what is under the pointer.
      pickingRadius: 0,
      getCursor: ({ isDragging }) => (isDragging ? "grabbing" : "inherit"),
      deviceProps: { type: "webgl", webgl: { antialias: false } },
      onViewStateChange: ({ viewState }) => {
        const wanted = cameraOf(viewState);
        if (!wanted) return;
        const camera = this.camera ? events.limit(this.camera, wanted) : wanted;
        this.camera = camera;
        // The state holds the course of the inertia, too.
        this.deck.setProps({ viewState: camera === wanted ? viewState : { ...viewState, target: [camera.x, camera.y, 0], zoom: camera.zoom } });
        events.camera(camera);
      },
      onDeviceInitialized: (device) => (this.slow = device.info.gpuType === "cpu"),
      // The map around it has the focus; deck.gl would give it to the canvas, which is hidden from screen readers.
      onLoad: () => (canvas.tabIndex = -1),
      onError: (error) => {
        if (!this.points || !this.deck.isInitialized) events.failed(error);
      },
    });
  }

  destroy(): void {
    clearTimeout(this.moving);
    this.deck.finalize();
  }

  /** Draws a frame at once. */
  redraw(): void {
    this.deck.redraw("picture");
  }

  setCamera(camera: Camera, size: Size): void {
    if (size !== this.size) this.stale = true;
    this.size = size;
    const now = this.camera;
    if (now && now.x === camera.x && now.y === camera.y && now.zoom === camera.zoom) return;
    this.camera = camera;
    this.deck.setProps({ viewState: { target: [camera.x, camera.y, 0], zoom: camera.zoom, minZoom, maxZoom } });
  }

  /** Takes new points. The first words are the most frequent: they are larger, and drawn last. */
  setPoints(points: Float32Array, colors: Uint8Array): void {
    const n = points.length / 2;
    this.radii = new Float32Array(n);
    const last = Math.log(n + 1);
    for (let i = 0; i < n; i++) this.radii[i] = 1 + 1.6 * (1 - Math.log(i + 1) / last) ** 1.5;
    [this.points, this.colors, this.detail] = [points, colors, null];
    this.mark(this.markedIds);
  }

  /** Moves the points, in the time of an animation. */
  movePoints(points: Float32Array): void {
    this.points = points;
    if (this.data && this.detail) this.data = { ...this.data, positions: this.taken(points, 2, this.detail.ids) };
    this.mark(this.markedIds);
  }

  setColors(colors: Uint8Array): void {
    if (!this.points || 2 * this.points.length !== colors.length) return;
    this.colors = colors;
    if (this.data && this.detail) this.data = { ...this.data, colors: this.taken(colors, 4, this.detail.ids) };
    this.mark(this.markedIds);
  }

  /** Chooses the points that are drawn, if others were chosen for another view. */
  private choose(): void {
    const { points, camera, size } = this;
    if (!points || !camera) return;
    const n = points.length / 2;
    const moved = this.chosenFor && (this.chosenFor.x !== camera.x || this.chosenFor.y !== camera.y || this.chosenFor.zoom !== camera.zoom);
    if (moved && this.slow && n > mostMoving) {
      clearTimeout(this.moving);
      this.moving = window.setTimeout(() => {
        this.moving = 0;
        this.draw();
      }, rest);
    }
    this.chosenFor = camera;
    const most = this.moving ? mostMoving : mostDrawn;
    if (this.detail && this.data && does(this.detail, camera, size, most)) return;
    const detail = choose(points, camera, size, most);
    this.detail = detail;
    this.data = { positions: this.taken(points, 2, detail.ids), radii: this.taken(this.radii, 1, detail.ids), colors: this.taken(this.colors, 4, detail.ids), count: detail.ids.length };
  }

  /** Numbers of points, the last one first. There is room for as many as may be drawn. */
  private taken<T extends Float32Array | Uint8Array>(values: T, width: number, ids: Uint32Array): T {
    const room = width * Math.min(mostDrawn, values.length / width);
    const result = (values instanceof Float32Array ? new Float32Array(room) : new Uint8Array(room)) as T;
    const count = ids.length;
    for (let i = 0; i < count; i++) {
      const from = width * (ids[count - 1 - i] ?? 0);
      for (let j = 0; j < width; j++) result[width * i + j] = values[from + j] ?? 0;
    }
    return result;
  }

  /** Marks some points, which are drawn over the others in full colour. */
  setMarked(ids: readonly number[], markColors: readonly (Rgb | null)[] = []): void {
    this.markedColors = markColors;
    this.mark(ids);
    this.draw();
  }

  setContours(contours: Contour[]): void {
    this.contours = contours;
    this.lines = contours.length > 0 ? contourLines(contours, this.ink) : null;
    this.draw();
  }

  /** Sets how things look: the radius of points in pixels, how much they stand back, the colours of contours and of the ground. */
  setStyle(radius: number, opacity: number, ink: Rgb, ground: Rgb): void {
    const [now, before] = [this.camera, this.chosenFor];
    const still = now && before && now.x === before.x && now.y === before.y && now.zoom === before.zoom;
    // The pointer alone changes nothing here: a frame of many points costs the processor much.
    if (still && !this.stale && radius === this.radius && opacity === this.opacity && ink.join() === this.ink.join()) return;
    this.radius = radius;
    this.opacity = opacity;
    if (ink.join() !== this.ink.join() && this.lines) this.lines = contourLines(this.contours, ink);
    this.ink = ink;
    this.ground = ground;
    this.draw();
  }

  private mark(ids: readonly number[]): void {
    this.stale = true;
    this.markedIds = ids;
    const { points, colors: all, radii: sizes } = this;
    if (!points || ids.length === 0) {
      this.marked = null;
      return;
    }
    const n = ids.length;
    const positions = new Float32Array(2 * n);
    const radii = new Float32Array(n);
    const colors = new Uint8Array(4 * n);
    // Tens of thousands may be marked: this copies numbers, and makes no views.
    for (let i = 0; i < n; i++) {
      const at = ids[i] ?? 0;
      radii[i] = sizes[at] ?? 1;
      for (let j = 0; j < 2; j++) positions[2 * i + j] = points[2 * at + j] ?? 0;
      const color = this.markedColors[i];
      for (let j = 0; j < 3; j++) colors[4 * i + j] = color?.[j] ?? all[4 * at + j] ?? 0;
      colors[4 * i + 3] = 255;
    }
    this.spacing = spacingOf(positions);
    this.marked = { positions, radii, colors };
  }

  draw(): void {
    this.stale = false;
    this.choose();
    const layers: Layer[] = [];
    const ink = this.ink;
    if (this.contours.length > 0) {
      layers.push(
        new SolidPolygonLayer<Contour>({
          id: "regions",
          data: this.contours,
          coordinateSystem: COORDINATE_SYSTEM.CARTESIAN,
          getPolygon: (c) => c.rings,
          getFillColor: [ink[0], ink[1], ink[2], 8],
          updateTriggers: { getFillColor: ink },
          parameters: { depthCompare: "always" },
        }),
      );
    }
    if (this.lines) layers.push(this.vertices("contours", this.lines, "line-list", 1, 1));
    if (this.data) layers.push(this.marked ? this.vertices("points", this.data, "point-list", this.opacity * back.opacity, this.radius, { tint: back.color }) : this.vertices("points", this.data, "point-list", this.opacity, this.radius));
    if (this.marked) {
      const rim = this.markedIds.length <= rimmed && this.spacing * 2 ** (this.camera?.zoom ?? 0) > apart * this.radius;
      // Many points that lie close are let through, so that they are more than one area.
      const dense = this.markedIds.length > rimmed;
      const radius = this.radius + (dense ? 0.3 : this.markedIds.length > few ? 0.8 : 2);
      // Around marked points there is ground, so that others between them do not look like them.
      layers.push(this.vertices("ground", this.marked, "point-list", 1, radius + halo, { tint: this.ground }));
      layers.push(this.vertices("marked", this.marked, "point-list", dense ? 0.85 : 1, radius, { rim }));
    }
    this.deck.setProps({ layers });
  }

  private vertices(id: string, vertices: Vertices, topology: "point-list" | "line-list", opacity: number, radius: number, { rim = false, tint = null }: { rim?: boolean; tint?: Rgb | null } = {}): Layer {
    return new VertexLayer({ id, coordinateSystem: COORDINATE_SYSTEM.CARTESIAN, vertices, topology, opacity, radius, rim, tint, parameters: { depthCompare: "always" } });
  }
}

/** How far points are from each other where most of them are: the side of the square that each has in the circle with half of
 * them. */
function spacingOf(positions: Float32Array): number {
  const n = positions.length / 2;
  let [x0, y0] = [0, 0];
  for (let i = 0; i < n; i++) {
    x0 += (positions[2 * i] ?? 0) / n;
    y0 += (positions[2 * i + 1] ?? 0) / n;
  }
  const squares = Float64Array.from({ length: n }, (_, i) => ((positions[2 * i] ?? 0) - x0) ** 2 + ((positions[2 * i + 1] ?? 0) - y0) ** 2).sort();
  return Math.sqrt((Math.PI * (squares[n >> 1] ?? 0) * 2) / Math.max(1, n));
}

/** The boundaries of contours as pairs of ends. */
function contourLines(contours: Contour[], ink: Rgb): Vertices {
  const positions: number[] = [];
  const colors: number[] = [];
  for (const { level, rings } of contours) {
    const alpha = Math.round(34 + (60 * level) / levels);
    for (const ring of rings) {
      ring.slice(1).forEach((to, i) => {
        const from = ring[i] ?? to;
        positions.push(...from, ...to);
        colors.push(...ink, alpha, ...ink, alpha);
      });
    }
  }
  return { positions: Float32Array.from(positions), colors: Uint8Array.from(colors) };
}

function cameraOf(state: OrthographicViewState): Camera | null {
  const [x, y] = state.target ?? [];
  const zoom = Array.isArray(state.zoom) ? state.zoom[0] : state.zoom;
  return typeof x === "number" && typeof y === "number" && typeof zoom === "number" ? { x, y, zoom } : null;
}
