// What the graphics card draws: the points, those that are marked, and the contours.

import { COORDINATE_SYSTEM, Deck, OrthographicView, type Layer, type OrthographicViewState } from "@deck.gl/core";
import { PathLayer, ScatterplotLayer, SolidPolygonLayer } from "@deck.gl/layers";
import type { Camera } from "../app/view";
import { maxZoom, minZoom } from "./camera";
import { levels, type Contour } from "./density";
import type { Rgb } from "./palette";

/** Attributes of points as deck.gl takes them without a copy. */
interface PointData {
  length: number;
  attributes: {
    getPosition: { value: Float32Array; size: 2 };
    getRadius: { value: Float32Array; size: 1 };
    getFillColor: { value: Uint8Array; size: 4; normalized: true };
  };
}

interface SceneEvents {
  /** The user or the inertia moved the camera. */
  camera: (camera: Camera) => void;
  /** Nothing can be drawn. */
  failed: (error: Error) => void;
}

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
  private data: PointData | null = null;
  private marked: PointData | null = null;
  private markedIds: readonly number[] = [];
  private contours: Contour[] = [];
  private ink: Rgb = [0, 0, 0];
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
        const camera = cameraOf(viewState);
        if (!camera) return;
        this.camera = camera;
        // The state holds the course of the inertia, too.
        this.deck.setProps({ viewState });
        events.camera(camera);
      },
      onError: (error) => {
        if (!this.data || !this.deck.isInitialized) events.failed(error);
      },
    });
  }

  destroy(): void {
    this.deck.finalize();
  }

  setCamera(camera: Camera): void {
    const now = this.camera;
    if (now && now.x === camera.x && now.y === camera.y && now.zoom === camera.zoom) return;
    this.camera = camera;
    this.deck.setProps({ viewState: { target: [camera.x, camera.y, 0], zoom: camera.zoom, minZoom, maxZoom } });
  }

  /** Takes new points. The first words are the most frequent: they are larger, and drawn last. */
  setPoints(points: Float32Array, colors: Uint8Array): void {
    const n = points.length / 2;
    const radii = new Float32Array(n);
    const last = Math.log(n + 1);
    for (let i = 0; i < n; i++) radii[n - 1 - i] = 1 + 1.6 * (1 - Math.log(i + 1) / last) ** 1.5;
    this.data = {
      length: n,
      attributes: {
        getPosition: { value: reversed(points, 2), size: 2 },
        getRadius: { value: radii, size: 1 },
        getFillColor: { value: reversed(colors, 4), size: 4, normalized: true },
      },
    };
    this.mark(this.markedIds);
  }

  /** Moves the points, in the time of an animation. */
  movePoints(points: Float32Array): void {
    if (!this.data) return;
    this.data = { ...this.data, attributes: { ...this.data.attributes, getPosition: { value: reversed(points, 2), size: 2 } } };
    this.mark(this.markedIds);
  }

  setColors(colors: Uint8Array): void {
    if (!this.data || colors.length !== 4 * this.data.length) return;
    this.data = { ...this.data, attributes: { ...this.data.attributes, getFillColor: { value: reversed(colors, 4), size: 4, normalized: true } } };
    this.mark(this.markedIds);
  }

  /** Marks some points, which are drawn over the others in full colour. */
  setMarked(ids: readonly number[]): void {
    this.mark(ids);
    this.draw();
  }

  setContours(contours: Contour[]): void {
    this.contours = contours;
    this.draw();
  }

  /** Sets how things look: the radius of points in pixels, how much they stand back, the colour of contours. */
  setStyle(radius: number, opacity: number, ink: Rgb): void {
    this.radius = radius;
    this.opacity = opacity;
    this.ink = ink;
    this.draw();
  }

  private mark(ids: readonly number[]): void {
    this.markedIds = ids;
    const all = this.data;
    if (!all || ids.length === 0) {
      this.marked = null;
      return;
    }
    const n = ids.length;
    const { getPosition, getRadius, getFillColor } = all.attributes;
    const positions = new Float32Array(2 * n);
    const radii = new Float32Array(n);
    const colors = new Uint8Array(4 * n);
    ids.forEach((id, i) => {
      const at = all.length - 1 - id;
      positions.set(getPosition.value.subarray(2 * at, 2 * at + 2), 2 * i);
      radii[i] = getRadius.value[at] ?? 1;
      colors.set(getFillColor.value.subarray(4 * at, 4 * at + 4), 4 * i);
    });
    this.marked = { length: n, attributes: { getPosition: { value: positions, size: 2 }, getRadius: { value: radii, size: 1 }, getFillColor: { value: colors, size: 4, normalized: true } } };
  }

  draw(): void {
    const layers: Layer[] = [];
    const ink = this.ink;
    if (this.contours.length > 0) {
      layers.push(
        new SolidPolygonLayer<Contour>({
          id: "regions",
          data: this.contours,
          coordinateSystem: COORDINATE_SYSTEM.CARTESIAN,
          getPolygon: (c) => c.rings,
          getFillColor: [ink[0], ink[1], ink[2], 11],
          updateTriggers: { getFillColor: ink },
          parameters: { depthCompare: "always" },
        }),
        new PathLayer<{ level: number; path: [number, number][] }>({
          id: "contours",
          data: this.contours.flatMap(({ level, rings }) => rings.map((path) => ({ level, path }))),
          dataComparator: () => false,
          coordinateSystem: COORDINATE_SYSTEM.CARTESIAN,
          getPath: (c) => c.path,
          getColor: (c) => [ink[0], ink[1], ink[2], 34 + (60 * c.level) / levels],
          updateTriggers: { getColor: ink },
          getWidth: 1,
          widthUnits: "pixels",
          parameters: { depthCompare: "always" },
        }),
      );
    }
    if (this.data) layers.push(this.points("points", this.data, this.marked ? this.opacity * 0.35 : this.opacity, this.radius));
    if (this.marked) layers.push(this.points("marked", this.marked, 1, this.radius + 0.8));
    this.deck.setProps({ layers });
  }

  private points(id: string, data: PointData, opacity: number, radius: number): Layer {
    return new ScatterplotLayer({
      id,
      data,
      coordinateSystem: COORDINATE_SYSTEM.CARTESIAN,
      radiusUnits: "pixels",
      radiusScale: radius,
      opacity,
      stroked: false,
      parameters: { depthCompare: "always" },
    });
  }
}

function cameraOf(state: OrthographicViewState): Camera | null {
  const [x, y] = state.target ?? [];
  const zoom = Array.isArray(state.zoom) ? state.zoom[0] : state.zoom;
  return typeof x === "number" && typeof y === "number" && typeof zoom === "number" ? { x, y, zoom } : null;
}

function reversed<T extends Float32Array | Uint8Array>(values: T, size: number): T {
  const result = values.slice() as T;
  const n = values.length / size;
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < size; j++) result[(n - 1 - i) * size + j] = values[i * size + j] ?? 0;
  }
  return result;
}
