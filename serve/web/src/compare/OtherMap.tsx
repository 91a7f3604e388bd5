import { useComputed, useSignal, useSignalEffect } from "@preact/signals";
import { useRef } from "preact/hooks";
import { clearQuery, lookAt } from "../app/actions";
import { camera, hovered, lassoActive, layout, model, place, query, selection, showContours, valueOf, vocabulary, wholeCamera, type Layout } from "../app/state";
import { fitPoints, inside, magnification, safeBox } from "../map/camera";
import { colorsOnSecond, paintKept } from "../map/colors";
import { otherPreserved } from "../map/distortion";
import { MapCanvas } from "../map/MapCanvas";
import { Progress } from "../map/MapStatus";
import { noEmphasis, type Emphasis, type Spot } from "../map/overlay";
import type { WordMap } from "../map/word-map";
import type { Place } from "../source";
import { coloring, painted } from "../map/painting";
import { dark } from "../theme";
import { other, otherLayout, otherMapInfo, otherNeighbors, otherPlace, otherVocabulary, toFirst } from "./state";

const nothing: never[] = [];

/** How far a word that is looked at is zoomed into. */
const nearest = 4;

/** The most words whose way from the first map is drawn. */
const arrows = 150;

/** The map of the second model, whose camera is that of the first one. A word that is picked or pointed at is so on both maps. */
export function OtherMap() {
  const map = useRef<WordMap | null>(null);
  const here = useSignal(-1);
  const words = useComputed(() => (otherLayout.value ? (valueOf(otherVocabulary.value)?.words ?? nothing) : nothing));
  const colors = useComputed(() => ownColors() ?? (toFirst.value && otherLayout.value ? colorsOnSecond(painted.value.colors, toFirst.value, dark.value) : new Uint8Array(0)));
  const marked = useComputed(() => idsHere(selection.value));
  const emphasis = useComputed(() => emphasisOf(words.value, here.value, marked.value));

  // The word is to be seen on both maps. The camera of an address stays.
  const seen = useRef(camera.peek() === null ? "" : (query.peek()?.text ?? ""));
  useSignalEffect(() => {
    const at = otherLayout.value;
    const first = layout.value;
    const [before, after] = [place.value, otherPlace.value];
    const view = map.current;
    const asked = query.value?.text ?? "";
    if (asked === "") seen.current = "";
    const known = [before, after].every((load) => load.state === "failed" || (load.state === "ready" && load.value.word === asked));
    if (!at || !first || !view || !known || seen.current === asked) return;
    seen.current = asked;
    const spots = [spotsOf(first, valueOf(before)), spotsOf(at, valueOf(after))].filter((list) => list.length > 0);
    const box = safeBox(view.view(), view.viewSize(), view.safe());
    const inView = spots.every(([here]) => here && inside(box, ...here)) && magnification(view.view(), view.viewSize()) > 1.5;
    if (spots.length > 0 && !inView) view.flyTo(fitPoints(spots.flat(), view.viewSize(), nearest, view.safe()));
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
        colors={colors.value}
        clusterColored={coloring.value.by === "cluster"}
        contours={showContours.value}
        dark={dark.value}
        camera={camera.value ?? wholeCamera.value}
        emphasis={emphasis.value}
        marked={marked.value}
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

/** Colours of what is another on each map; null if the words have those of the first one. */
function ownColors(): Uint8Array | null {
  const kept = valueOf(otherPreserved.value);
  return coloring.value.by === "distortion" && kept && 2 * kept.length === otherLayout.value?.points.length ? paintKept(kept, dark.value) : null;
}

/** Where a word and its nearest ones are, the word first. */
function spotsOf(at: Layout, found: Place | null): [number, number][] {
  if (found?.x === undefined || found.y === undefined) return [];
  const near = found.neighbors.slice(0, 5).flatMap((n): [number, number][] => (n.x === undefined || n.y === undefined ? [] : [at.toMap(n.x, n.y)]));
  return [at.toMap(found.x, found.y), ...near];
}

function Status() {
  const load = otherMapInfo.value;
  const name = other.value?.name;
  const at = otherLayout.value;
  if (load.state === "failed") {
    return (
      <div class="map-status failed" role="alert">
        {name}: {load.error.message}
      </div>
    );
  }
  if (load.state === "ready" && load.value.state === "running") return <Progress info={load.value} title={`Computing UMAP of ${name ?? ""}, from the places of ${model.value?.name ?? ""}`} />;
  return (
    <div class="map-status">
      <strong>{name}</strong>
      {at ? <span title={sameUnits}>from the places of {model.value?.name}</span> : <span>Loading the map…</span>}
    </div>
  );
}

const sameUnits =
  "Words that both models have begin at their places on the first map, and have its colours. The map is turned onto the first one. Grey words are not on the first map. A ring is where a word was.";

/** The word that is looked at, with its neighbours in this model, and the one that is pointed at in either. */
function emphasisOf(words: string[], here: number, marked: readonly number[]): Emphasis {
  const at = otherLayout.value;
  const ids = valueOf(otherVocabulary.value)?.ids;
  if (!at || !ids) return noEmphasis;
  const ofId = (id: number): Spot | null => {
    const word = words[id];
    return word === undefined || 2 * id + 1 >= at.points.length ? null : { word, x: at.points[2 * id] ?? 0, y: at.points[2 * id + 1] ?? 0 };
  };
  const there = hovered.value < 0 ? undefined : valueOf(vocabulary.value)?.words[hovered.value];
  const pointed = there === undefined ? here : (ids.get(there) ?? -1);
  const focus = focusOf(ofId);
  return { ...noEmphasis, hovered: ofId(pointed), focus, moves: movesOf(at, words, [...marked, ids.get(focus?.word ?? "") ?? -1, pointed]) };
}

/** The points of this map for those of the first one. */
function idsHere(firstIds: readonly number[]): number[] {
  const first = valueOf(vocabulary.value)?.words;
  const ids = valueOf(otherVocabulary.value)?.ids;
  const points = (otherLayout.value?.points.length ?? 0) / 2;
  return firstIds.flatMap((id) => {
    const here = ids?.get(first?.[id] ?? "");
    return here === undefined || here >= points ? [] : [here];
  });
}

/** Where some words were on the first map, those that went farthest. */
function movesOf(at: Layout, words: string[], ids: number[]): NonNullable<Emphasis["moves"]> {
  const first = layout.value?.points;
  if (!first) return [];
  const moves = [...new Set(ids)].flatMap((id) => {
    const old = toFirst.value?.[id] ?? -1;
    if (old < 0) return [];
    const from = { x: first[2 * old] ?? 0, y: first[2 * old + 1] ?? 0 };
    const to = { x: at.points[2 * id] ?? 0, y: at.points[2 * id + 1] ?? 0 };
    return [{ word: words[id] ?? "", from, to, far: Math.hypot(to.x - from.x, to.y - from.y) }];
  });
  return moves.sort((a, b) => b.far - a.far).slice(0, arrows);
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
