import { useComputed, useSignal, useSignalEffect } from "@preact/signals";
import { useRef } from "preact/hooks";
import { clearQuery, lookAt } from "../app/actions";
import { hovered, lassoActive, query, showContours, valueOf, vocabulary } from "../app/state";
import type { Camera } from "../app/view";
import { fitPoints, inside, magnification, safeBox } from "../map/camera";
import { colorPoints } from "../map/colors";
import { MapCanvas } from "../map/MapCanvas";
import { noEmphasis, type Emphasis, type Spot } from "../map/overlay";
import type { WordMap } from "../map/word-map";
import { percent } from "../numbers";
import { dark } from "../theme";
import { other, otherLayout, otherMapInfo, otherNeighbors, otherPlace, otherVocabulary } from "./state";

const nothing: never[] = [];

/** How far a word that is looked at is zoomed into. */
const nearest = 4;

/** The map of the second model. A word that is picked or pointed at is so on both maps. */
export function OtherMap() {
  const map = useRef<WordMap | null>(null);
  const camera = useSignal<Camera | null>(null);
  const here = useSignal(-1);
  const words = useComputed(() => (otherLayout.value ? (valueOf(otherVocabulary.value)?.words ?? nothing) : nothing));
  const painted = useComputed(() => {
    const at = otherLayout.value;
    const coloring = at ? ({ by: "cluster", clusters: at.clusters, info: at.info.clusters ?? [] } as const) : ({ by: "none" } as const);
    return colorPoints((at?.points.length ?? 0) / 2, coloring, dark.value);
  });
  const emphasis = useComputed(() => emphasisOf(words.value, here.value));

  useSignalEffect(() => {
    const at = otherLayout.value;
    const found = valueOf(otherPlace.value);
    const view = map.current;
    if (!at || !view || found?.x === undefined || found.y === undefined || found.word !== query.value?.text) return;
    const spot = at.toMap(found.x, found.y);
    const around = found.neighbors.slice(0, 8).flatMap((n) => (n.x === undefined || n.y === undefined ? [] : [at.toMap(n.x, n.y)]));
    const inView = inside(safeBox(view.view(), view.viewSize(), view.safe()), ...spot) && magnification(view.view(), view.viewSize()) > 1.5;
    if (!inView) view.flyTo(fitPoints([spot, ...around], view.viewSize(), nearest, view.safe()));
  });

  const hover = (id: number) => {
    here.value = id;
    hovered.value = valueOf(vocabulary.value)?.ids.get(words.value[id] ?? "") ?? -1;
  };
  return (
    <section class="map second" aria-label="Second map">
      <MapCanvas
        label={`Map of ${other.value?.name ?? ""}`}
        layout={otherLayout.value}
        words={words.value}
        colors={painted.value.colors}
        clusterColored
        contours={showContours.value}
        dark={dark.value}
        camera={camera.value}
        emphasis={emphasis.value}
        marked={nothing}
        lasso={false}
        onCamera={(to) => (camera.value = to)}
        onHover={hover}
        onPick={(id) => lookAt(words.value[id] ?? "")}
        onLasso={() => (lassoActive.value = false)}
        onEscape={clearQuery}
        onReady={(ready) => (map.current = ready)}
      />
      <Status />
    </section>
  );
}

function Status() {
  const load = otherMapInfo.value;
  const name = other.value?.name;
  const running = load.state === "ready" && load.value.state === "running" ? load.value : null;
  return (
    <div class="map-status">
      <strong>{name}</strong>
      {load.state === "failed" && <span class="failed">{load.error.message}</span>}
      {running && (
        <span>
          {running.stage ?? "starting"}, {percent(running.progress ?? 0)}
        </span>
      )}
      {load.state === "loading" && <span>Loading the map…</span>}
    </div>
  );
}

/** The word that is looked at, with its neighbours in this model, and the one that is pointed at in either. */
function emphasisOf(words: string[], here: number): Emphasis {
  const at = otherLayout.value;
  const ids = valueOf(otherVocabulary.value)?.ids;
  if (!at || !ids) return noEmphasis;
  const ofId = (id: number): Spot | null => {
    const word = words[id];
    return word === undefined || 2 * id + 1 >= at.points.length ? null : { word, x: at.points[2 * id] ?? 0, y: at.points[2 * id + 1] ?? 0 };
  };
  const there = hovered.value < 0 ? undefined : valueOf(vocabulary.value)?.words[hovered.value];
  const pointed = there === undefined ? here : (ids.get(there) ?? -1);
  return { ...noEmphasis, hovered: ofId(pointed), focus: focusOf(ofId) };
}

function focusOf(ofId: (id: number) => Spot | null): Emphasis["focus"] {
  const found = valueOf(otherPlace.value);
  const at = otherLayout.value;
  if (!at || !found || found.word !== query.value?.text) return null;
  const near = (valueOf(otherNeighbors.value)?.neighbors ?? found.neighbors).flatMap((n) => {
    const spot = ofId(n.id);
    return spot ? [{ ...spot, similarity: n.similarity }] : [];
  });
  const known = found.id >= 0 ? ofId(found.id) : null;
  if (known) return { ...known, composed: false, neighbors: near };
  if (found.x === undefined || found.y === undefined) return null;
  const [x, y] = at.toMap(found.x, found.y);
  return { word: found.word, x, y, composed: true, neighbors: near };
}
