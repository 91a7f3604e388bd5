import { useEffect, useRef, useState } from "preact/hooks";
import type { Layout } from "../app/state";
import type { Camera } from "../app/view";
import { reducedMotion } from "../theme";
import type { Emphasis } from "./overlay";
import type { Rgb } from "./palette";
import { hasWebGL2 } from "./scene";
import { WordMap } from "./word-map";

export interface MapCanvasProps {
  /** What screen readers call the map. */
  label: string;
  layout: Layout | null;
  words: string[];
  /** RGBA of each point. */
  colors: Uint8Array;
  /** Whether the colours are those of the clusters. */
  clusterColored: boolean;
  contours: boolean;
  dark: boolean;
  /** Null shows the whole map. */
  camera: Camera | null;
  emphasis: Emphasis;
  /** Ids of points that stand out. */
  marked: readonly number[];
  /** Their colours; null, and none, is that of the point. */
  markedColors?: readonly (Rgb | null)[];
  lasso: boolean;
  /** Whether the few points are drawn without the graphics card. */
  plain?: boolean;
  /** Whether something else is shown in the place of the map. */
  away?: boolean;
  onCamera: (camera: Camera | null) => void;
  /** Tells which camera shows the whole map. */
  onWhole?: (camera: Camera) => void;
  /** Tells how many words of each cluster are in view. */
  onClusters?: (counts: Map<number, number>) => void;
  onHover: (id: number) => void;
  onPick: (id: number) => void;
  onLasso: (ids: number[]) => void;
  /** Called when Escape was pressed and there is no lasso to drop. */
  onEscape: () => void;
  /** Gives the map to the parent, whose buttons move the camera. */
  onReady?: (map: WordMap | null) => void;
}

/** Pixels of a step by an arrow key, and the zoom of a step by plus or minus. */
const panStep = 90;
const zoomStep = 0.6;

/** A map of words. It can be used without a pointer: arrows, plus and minus move it, Enter picks the word in the middle. */
export function MapCanvas(props: MapCanvasProps) {
  const container = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const overlay = useRef<HTMLCanvasElement>(null);
  const map = useRef<WordMap | null>(null);
  // Listeners of the map outlive a rendering, and must call the latest functions.
  const latest = useRef(props);
  latest.current = props;
  const [labels, setLabels] = useState<string[]>([]);
  const [outside, setOutside] = useState<string[]>([]);
  const [lost, setLost] = useState(false);
  const [failure, setFailure] = useState("");

  useEffect(() => {
    if (!container.current || !canvas.current || !overlay.current) return;
    const webgl = !latest.current.plain && hasWebGL2();
    if (!webgl && !latest.current.plain) setFailure("This browser has no WebGL 2: of the points, only the most frequent words are drawn. All else works.");
    const made = new WordMap(
      container.current,
      canvas.current,
      overlay.current,
      {
        camera: (camera) => latest.current.onCamera(camera),
        whole: (camera) => latest.current.onWhole?.(camera),
        hover: (id) => latest.current.onHover(id),
        pick: (id) => latest.current.onPick(id),
        lasso: (ids) => latest.current.onLasso(ids),
        labels: setLabels,
        outside: setOutside,
        ...(latest.current.onClusters ? { clusters: (counts: Map<number, number>) => latest.current.onClusters?.(counts) } : {}),
        lost: setLost,
        failed: (error) => setFailure(`The points cannot be drawn: ${error.message}. Search and all lists work.`),
      },
      reducedMotion,
      webgl,
    );
    map.current = made;
    latest.current.onReady?.(made);
    return () => {
      latest.current.onReady?.(null);
      map.current = null;
      made.destroy();
    };
  }, []);

  const { layout, words, colors, clusterColored, contours, dark, camera, emphasis, marked, markedColors, lasso } = props;
  const drawn = useRef<Layout | null>(null);
  useEffect(() => map.current?.setTheme(dark), [dark]);
  useEffect(() => {
    if (drawn.current === layout && layout) map.current?.setColors(colors);
    else map.current?.setLayout(layout, words, colors);
    drawn.current = layout;
  }, [layout, words, colors]);
  useEffect(() => map.current?.setClusterColored(clusterColored), [clusterColored]);
  useEffect(() => map.current?.setContours(contours), [contours]);
  useEffect(() => map.current?.setCamera(camera), [camera]);
  useEffect(() => map.current?.setMarked(marked, markedColors), [marked, markedColors, layout, colors]);
  useEffect(() => map.current?.setEmphasis(emphasis), [emphasis]);
  useEffect(() => map.current?.setLasso(lasso), [lasso]);

  const keys = (event: KeyboardEvent) => {
    const at = map.current;
    if (!at || event.ctrlKey || event.metaKey || event.altKey) return;
    const by = (dx: number, dy: number, zoom: number) => {
      event.preventDefault();
      at.step(dx, dy, zoom);
    };
    switch (event.key) {
      case "ArrowLeft":
        return by(-panStep, 0, 0);
      case "ArrowRight":
        return by(panStep, 0, 0);
      case "ArrowUp":
        return by(0, panStep, 0);
      case "ArrowDown":
        return by(0, -panStep, 0);
      case "+":
      case "=":
        return by(0, 0, zoomStep);
      case "-":
        return by(0, 0, -zoomStep);
      case "0":
        event.preventDefault();
        return at.showWhole();
      case "Enter": {
        const id = at.middle();
        if (id >= 0) props.onPick(id);
        return;
      }
      case "Escape":
        event.stopPropagation();
        if (!at.dropLasso()) props.onEscape();
    }
  };

  return (
    <div
      ref={container}
      class={`map-canvas${lasso ? " lasso" : ""}${props.away ? " away" : ""}`}
      tabIndex={0}
      role="application"
      aria-roledescription="map"
      aria-label={`${props.label}. Arrows pan, plus and minus zoom, 0 shows everything, Enter looks at the word in the middle.`}
      onKeyDown={keys}
      onFocus={(event) => map.current?.setCrosshair(event.currentTarget.matches(":focus-visible"))}
      onBlur={() => map.current?.setCrosshair(false)}
    >
      <canvas ref={canvas} class="points" aria-hidden="true" />
      <canvas ref={overlay} class="overlay" aria-hidden="true" />
      {failure && (
        <p class="map-failure" role="alert">
          {failure}
        </p>
      )}
      <ul class="visually-hidden" aria-label="Clusters and words in view, the largest and the most frequent first">
        {labels.map((word) => (
          <li key={word}>{word}</li>
        ))}
      </ul>
      {outside.length > 0 && (
        <ul class="visually-hidden" aria-label="Outside the view">
          {outside.map((mark) => (
            <li key={mark}>{mark}</li>
          ))}
        </ul>
      )}
      {lost && (
        <button type="button" class="button lost" onClick={() => map.current?.showWhole()}>
          No word is here. Show everything
        </button>
      )}
    </div>
  );
}
