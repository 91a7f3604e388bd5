import { useComputed, useSignalEffect } from "@preact/signals";
import { useRef } from "preact/hooks";
import { clearAnalogy, clearQuery, clearSelection, lookAt, select } from "../app/actions";
import { analogy, analogyWords, axisValues, axisWords, camera, colorBy, field, hovered, lassoActive, layout, modelName, place, query, selection, showContours, valueOf, vocabulary } from "../app/state";
import { dark } from "../theme";
import { fitPoints, inside, magnification, visibleBox } from "./camera";
import { colorPoints, type Coloring } from "./colors";
import { emphasisOf } from "./emphasis";
import { LegendView } from "./LegendView";
import { MapCanvas } from "./MapCanvas";
import { MapStatus } from "./MapStatus";
import { Toolbar } from "./Toolbar";
import type { WordMap } from "./word-map";

const noWords: string[] = [];

/** How far a word that is looked at, or an analogy, is zoomed into. */
const nearest = 4;

/** The map of the app's state, with its legend, status and tools. */
export function MapView() {
  const map = useRef<WordMap | null>(null);
  const words = useComputed(() => (layout.value ? (valueOf(vocabulary.value)?.words ?? noWords) : noWords));
  const coloring = useComputed<Coloring>(currentColoring);
  const painted = useComputed(() => colorPoints((layout.value?.points.length ?? 0) / 2, coloring.value, dark.value));
  const emphasis = useComputed(() => emphasisOf(layout.value, words.value, hovered.value));
  followQuestions(map);

  return (
    <section class="map" aria-label="Map">
      <MapCanvas
        label={`Map of ${modelName.value}`}
        layout={layout.value}
        words={words.value}
        colors={painted.value.colors}
        contours={showContours.value}
        dark={dark.value}
        camera={camera.value}
        emphasis={emphasis.value}
        marked={selection.value}
        lasso={lassoActive.value}
        onCamera={(to) => (camera.value = to)}
        onHover={(id) => (hovered.value = id)}
        onPick={(id) => lookAt(words.value[id] ?? "")}
        onLasso={(ids) => {
          lassoActive.value = false;
          select(ids);
        }}
        onEscape={escape}
        onReady={(ready) => (map.current = ready)}
      />
      <MapStatus />
      <Toolbar map={map} />
      <LegendView legend={painted.value.legend} />
    </section>
  );
}

/** What the points are coloured by. Until the values are there they have one colour. */
function currentColoring(): Coloring {
  const at = layout.value;
  const by = colorBy.value;
  if (!at) return { by: "none" };
  switch (by.by) {
    case "none":
      return { by: "none" };
    case "cluster":
      return { by: "cluster", clusters: at.clusters, info: at.info.clusters ?? [] };
    case "frequency":
      return { by: "frequency", counts: valueOf(vocabulary.value)?.counts ?? null };
    case "field": {
      const values = valueOf(field.value);
      return values ? { by: "field", name: by.field, field: values } : { by: "none" };
    }
    case "axis": {
      const values = valueOf(axisValues.value);
      const ends = axisWords.value;
      return values && ends ? { by: "axis", from: ends[0], to: ends[1], values } : { by: "none" };
    }
  }
}

/** Escape takes back one thing at a time. */
function escape(): void {
  if (lassoActive.value) lassoActive.value = false;
  else if (selection.value.length > 0) clearSelection();
  else if (query.value) clearQuery();
  else if (analogyWords.value) clearAnalogy();
}

/** Moves the camera to a new word or analogy, if it is not well in view. The camera of an address stays. */
function followQuestions(map: { current: WordMap | null }): void {
  const given = camera.peek() !== null;
  const seen = useRef({ query: (given && query.peek()?.text) || "", analogy: (given && analogyWords.peek()?.join(" ")) || "" });

  useSignalEffect(() => {
    const at = layout.value;
    const found = valueOf(place.value);
    const asked = query.value?.text ?? "";
    if (!asked) seen.current.query = "";
    if (!at || !found || found.word !== asked || seen.current.query === asked) return;
    seen.current.query = asked;
    const view = map.current;
    if (!view || !at) return;
    const here = at.toMap(found.x, found.y);
    const box = visibleBox(view.view(), view.viewSize());
    const around = [here, ...found.neighbors.slice(0, 8).map((n) => at.toMap(n.x, n.y))];
    const inView = inside(box, ...here) && magnification(view.view(), view.viewSize()) > 1.5;
    if (!inView) view.flyTo(fitPoints(around, view.viewSize(), nearest));
  });

  useSignalEffect(() => {
    const at = layout.value;
    const drawn = valueOf(analogy.value);
    const asked = analogyWords.value?.join(" ") ?? "";
    if (!asked) seen.current.analogy = "";
    if (!at || !drawn || seen.current.analogy === asked) return;
    seen.current.analogy = asked;
    const view = map.current;
    if (!view) return;
    const corners = [...drawn.terms, drawn.target, ...drawn.answers.slice(0, 1)].map((spot) => at.toMap(spot.x, spot.y));
    view.flyTo(fitPoints(corners, view.viewSize(), nearest));
  });
}
