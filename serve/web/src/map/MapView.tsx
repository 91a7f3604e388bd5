import { useComputed, useSignalEffect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { clearAnalogy, clearAxis, clearQuery, clearSelection, lookAt, projectAgain, select } from "../app/actions";
import { analogy, analogyWords, axisWords, camera, hovered, isolated, lassoActive, layout, mapInfo, modelName, neighbors, place, projection, query, selection, showContours, valueOf, vocabulary, wholeCamera, type Layout } from "../app/state";
import { otherLayout } from "../compare/state";
import { dark } from "../theme";
import { marks } from "../selections/state";
import { local, localShown } from "../plane/state";
import { PlaneMap, PlaneStatus, WholeMapSwitch } from "../plane/PlaneMap";
import { fitPoints, inside, magnification, safeBox } from "./camera";
import { emphasisOf } from "./emphasis";
import { LegendView } from "./LegendView";
import { MapCanvas } from "./MapCanvas";
import { MapStatus } from "./MapStatus";
import { inView, shownMap } from "./shown";
import { Skeleton } from "./Skeleton";
import { coloring, painted } from "./painting";
import { Toolbar } from "./Toolbar";
import type { WordMap } from "./word-map";

const noWords: string[] = [];

/** How far a word that is looked at, or an analogy, is zoomed into. */
const nearest = 4;

/** How many words of a selection tell where it is. */
const sampled = 1000;

/** The map of the app's state, with its legend, status and tools. */
export function MapView() {
  const map = useRef<WordMap | null>(null);
  const plane = useRef<WordMap | null>(null);
  const inPlane = localShown.value !== null;
  const skeleton = !inPlane && layout.value === null && valueOf(mapInfo.value)?.state === "running";
  const words = useComputed(() => (layout.value ? (valueOf(vocabulary.value)?.words ?? noWords) : noWords));
  const emphasis = useComputed(() => emphasisOf(layout.value, words.value, hovered.value));
  // The names of clusters would be those of words that are hidden.
  const shown = useComputed(() => (layout.value && isolated.value ? { ...layout.value, labels: [] } : layout.value));
  const marked = useComputed(() => marks(dark.value));
  followQuestions(map);
  followPanels(map);
  followSelection(map);
  useEffect(() => {
    shownMap.value = () => (localShown.peek() ? plane.current : map.current);
    return () => (shownMap.value = null);
  }, []);
  useEffect(() => {
    const keys = (event: KeyboardEvent) => {
      if (event.key === "Escape" && !event.defaultPrevented) escape();
    };
    document.addEventListener("keydown", keys);
    return () => document.removeEventListener("keydown", keys);
  }, []);

  return (
    <section class="map" aria-label="Map">
      <MapCanvas
        label={`Map of ${modelName.value}`}
        layout={shown.value}
        words={words.value}
        colors={painted.value.colors}
        clusterColored={coloring.value.by === "cluster"}
        contours={showContours.value && !isolated.value}
        dark={dark.value}
        camera={camera.value}
        emphasis={emphasis.value}
        marked={marked.value.ids}
        markedColors={marked.value.colors}
        lasso={lassoActive.value}
        onCamera={(to) => (camera.value = to)}
        onWhole={(to) => (wholeCamera.value = to)}
        onClusters={(counts) => (inView.value = counts)}
        onHover={(id) => (hovered.value = id)}
        onPick={(id) => lookAt(words.value[id] ?? "")}
        onLasso={(ids) => {
          lassoActive.value = false;
          select(ids.sort((a, b) => a - b)); // in order of frequency, which is the order of ids
        }}
        onEscape={escape}
        away={inPlane}
        onReady={(ready) => (map.current = ready)}
      />
      {local.value && <PlaneMap map={plane} onEscape={escape} />}
      {skeleton && <Skeleton />}
      {inPlane ? <PlaneStatus /> : !skeleton && <MapStatus>{local.value && <WholeMapSwitch />}</MapStatus>}
      {!skeleton && <Toolbar map={inPlane ? plane : map} plane={inPlane} lasso={localShown.value === null || localShown.value.kind === "selection"} />}
      {!inPlane && <LegendView legend={painted.value.legend} />}
    </section>
  );
}

/** Escape takes back one thing at a time. */
function escape(): void {
  if (lassoActive.value) lassoActive.value = false;
  else if (localShown.value?.kind === "analogy") clearAnalogy();
  else if (localShown.value?.kind === "axis") clearAxis();
  else if (localShown.value?.kind === "selection") projectAgain("");
  else if (selection.value.length > 0) clearSelection();
  else if (query.value) clearQuery();
  else if (analogyWords.value) clearAnalogy();
}

/** Moves the camera to a new word, analogy or axis, if it is not well in view, and to the whole map when there is
 * a new projection. The camera of an address stays. */
function followQuestions(map: { current: WordMap | null }): void {
  // What the camera has been moved for.
  const seen = useRef({ layout: "", query: "", analogy: "", axis: "" });
  const keep = useRef(camera.peek() !== null);

  useSignalEffect(() => {
    const at = layout.value;
    const found = valueOf(place.value);
    const drawn = valueOf(analogy.value);
    const asked = query.value?.text ?? "";
    const words = analogyWords.value?.join(" ") ?? "";
    const ends = axisWords.value ?? [];
    const view = map.current;
    if (!at || !view) return;
    // The camera of an address is that of its map, and not of one that stands in for it.
    if (keep.current && at.projection !== projection.value) return;
    const name = `${at.model} ${at.projection}`;
    const before = seen.current;
    const now = { layout: name, query: "", analogy: "", axis: ends.length > 0 ? `${name} ${ends.join(" ")}` : "" };
    if (asked && found?.word === asked && found.projection === at.projection && found.x !== undefined) now.query = `${name} ${asked}`;
    if (words && drawn?.projection === at.projection) now.analogy = `${name} ${words}`;
    // Until an answer is there, the question before counts as seen.
    if (asked && !now.query) now.query = before.query;
    if (words && !now.analogy) now.analogy = before.analogy;
    seen.current = now;

    const size = view.viewSize();
    if (keep.current) {
      // All that the address asks for has been seen when it is there.
      if ((!asked || now.query) && (!words || now.analogy)) keep.current = false;
    } else if (drawn && now.analogy !== before.analogy && now.analogy) {
      const corners = [...drawn.terms, ...(drawn.target ? [drawn.target] : []), ...drawn.answers.slice(0, 1)];
      view.bring(onMap(at, corners), onMap(at, [...corners, ...drawn.answers]), nearest);
    } else if (now.axis !== before.axis && now.axis) {
      const ids = valueOf(vocabulary.peek())?.ids;
      const spots = ends.flatMap((word): [number, number][] => {
        const id = ids?.get(word) ?? -1;
        return id < 0 || 2 * id + 1 >= at.points.length ? [] : [[at.points[2 * id] ?? 0, at.points[2 * id + 1] ?? 0]];
      });
      const box = safeBox(view.view(), size, view.safe());
      // The colours of the whole map matter more than the ends, which need only be in view.
      if (spots.some(([x, y]) => !inside(box, x, y))) view.showWhole();
    } else if (otherLayout.value && asked) {
      // Where two models are compared, the second map brings the word into view on both.
    } else if (found && now.query !== before.query && now.query) {
      const all = [...onMap(at, [found]), ...listed(at)];
      const around = company(all.slice(0, 11));
      const [here] = around;
      const box = safeBox(view.view(), size, view.safe());
      // A word that is in view with most of its neighbours needs no journey.
      const near = around.filter(([x, y]) => inside(box, x, y)).length;
      const inView = before.layout === name && here && inside(box, ...here) && near > 0.6 * around.length && magnification(view.view(), size) > 1.5;
      if (inView) view.uncover(all);
      else if (here) view.bring(around, all, nearest);
    } else if (before.layout && before.layout !== name && !asked && !words && ends.length === 0) {
      view.showWhole();
    }
  });
}

/** Keeps the word that is looked at and its neighbours from under what lies over the map, when that changes or they do. */
function followPanels(map: { current: WordMap | null }): void {
  useSignalEffect(() => {
    void [neighbors.value, painted.value.legend, mapInfo.value];
    const at = layout.value;
    const found = valueOf(place.value);
    if (!at || found?.word !== query.value?.text || !found || otherLayout.value || localShown.value) return;
    // What lies over the map is rendered first.
    const frame = requestAnimationFrame(() => map.current?.keepClear([...onMap(at, [found]), ...listed(at)]));
    return () => cancelAnimationFrame(frame);
  });
}

/** Moves the camera to words that were selected elsewhere than on the map. */
function followSelection(map: { current: WordMap | null }): void {
  useSignalEffect(() => {
    const ids = selection.value;
    const at = layout.peek();
    const view = map.current;
    if (!at || !view || ids.length === 0) return;
    const step = Math.ceil(ids.length / sampled);
    const spots = ids.filter((_, i) => i % step === 0).map((id): [number, number] => [at.points[2 * id] ?? 0, at.points[2 * id + 1] ?? 0]);
    const box = safeBox(view.view(), view.viewSize(), view.safe());
    const seen = spots.filter(([x, y]) => inside(box, x, y)).length;
    if (seen < 0.6 * spots.length) view.flyTo(fitPoints(most(spots), view.viewSize(), nearest, view.safe()));
  });
}

/** Places without those at the edges: a few words of a cluster may be anywhere. */
function most(spots: [number, number][]): [number, number][] {
  const range = (of: 0 | 1) => {
    const sorted = spots.map((spot) => spot[of]).sort((a, b) => a - b);
    const at = (share: number) => sorted[Math.round(share * (sorted.length - 1))] ?? 0;
    return [at(0.05), at(0.95)] as const;
  };
  const [[left, right], [bottom, top]] = [range(0), range(1)];
  return [
    [left, bottom],
    [right, top],
  ];
}

/** A place and those of its neighbours that are not far off, compared with most. */
function company([here, ...others]: [number, number][]): [number, number][] {
  if (!here) return [];
  const distance = ([x, y]: [number, number]) => Math.hypot(x - here[0], y - here[1]);
  const sorted = others.map(distance).sort((a, b) => a - b);
  const middle = sorted[Math.floor(sorted.length / 2)] ?? 0;
  return [here, ...others.filter((other) => distance(other) <= 3 * middle)];
}

/** Where the neighbours are that are listed, which may be others than those that the place was found by. */
function listed(at: Layout): [number, number][] {
  const near = valueOf(neighbors.peek())?.neighbors ?? [];
  return near.flatMap(({ id }): [number, number][] => (id < 0 || 2 * id + 1 >= at.points.length ? [] : [[at.points[2 * id] ?? 0, at.points[2 * id + 1] ?? 0]]));
}

/** Places in units of the map. Words that are not on the map have none. */
function onMap(at: Layout, spots: { x?: number; y?: number }[]): [number, number][] {
  return spots.flatMap(({ x, y }) => (x === undefined || y === undefined ? [] : [at.toMap(x, y)]));
}
