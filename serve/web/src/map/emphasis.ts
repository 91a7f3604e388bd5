import { analogy, axisWords, neighbors, panel, place, query, selection, valueOf, vocabulary, type Layout } from "../app/state";
import { cardOf } from "./card";
import type { ProjectionName } from "../source";
import type { Emphasis, Spot } from "./overlay";

/** How many answers of an analogy are on the map; all are in the list. */
const answersDrawn = 5;

/** Takes something of the source to where it is on the map; null if it is nowhere. */
type OnMap = (spot: { word: string; x?: number; y?: number }) => Spot | null;

/** What of the state is drawn over the points. */
export function emphasisOf(layout: Layout | null, words: string[], hovered: number): Emphasis {
  if (!layout) return { focus: null, analogy: null, axis: null, hovered: null };
  const ids = valueOf(vocabulary.value)?.ids;
  const ofId = (id: number): Spot | null => {
    const word = words[id];
    return word === undefined || 2 * id + 1 >= layout.points.length ? null : { word, x: layout.points[2 * id] ?? 0, y: layout.points[2 * id + 1] ?? 0 };
  };
  const ofWord = (word: string) => ofId(ids?.get(word) ?? -1);
  const onMap: OnMap = ({ word, x, y }) => {
    if (x === undefined || y === undefined) return null;
    const [mapX, mapY] = layout.toMap(x, y);
    return { word, x: mapX, y: mapY };
  };

  return {
    focus: focusOf(layout.projection, ofId, onMap),
    analogy: analogyOf(layout.projection, onMap),
    axis: axisOf(ofWord),
    hovered: hoveredOf(hovered, ofId, layout),
  };
}

function hoveredOf(id: number, ofId: (id: number) => Spot | null, layout: Layout): Emphasis["hovered"] {
  const spot = id >= 0 ? ofId(id) : null;
  return spot && { ...spot, card: cardOf(layout, id, valueOf(vocabulary.value)) };
}

function focusOf(projection: ProjectionName, ofId: (id: number) => Spot | null, onMap: OnMap): Emphasis["focus"] {
  const asked = query.value;
  const found = valueOf(place.value);
  if (!asked || !found || found.word !== asked.text || hidden()) return null;
  const list = valueOf(neighbors.value)?.neighbors ?? found.neighbors;
  const near = list.flatMap((n) => {
    const spot = ofId(n.id);
    return spot ? [{ ...spot, similarity: n.similarity }] : [];
  });
  const known = found.id >= 0 ? ofId(found.id) : null;
  const spot = known ?? (found.projection === projection ? onMap(found) : null);
  if (!spot) return null;
  return { ...spot, word: known?.word ?? found.word, composed: known === null, neighbors: near };
}

/** An analogy, an axis or a selection is not crossed by the lines of a word, while its panel is open. */
function hidden(): boolean {
  switch (panel.value) {
    case "analogy":
      return analogy.value.state === "ready";
    case "axis":
      return axisWords.value !== null;
    case "selection":
      return selection.value.length > 0;
    default:
      return false;
  }
}

function analogyOf(projection: ProjectionName, onMap: OnMap): Emphasis["analogy"] {
  const drawn = valueOf(analogy.value);
  if (!drawn || drawn.projection !== projection || panel.value === "axis" || (query.value && panel.value !== "analogy")) return null;
  const term = (role: "a" | "b" | "c") => {
    const found = drawn.terms.find((t) => t.role === role);
    return found ? onMap(found) : null;
  };
  const [a, b, c] = [term("a"), term("b"), term("c")];
  const target = drawn.target ? onMap({ word: "", ...drawn.target }) : null;
  if (!a || !b || !c || !target) return null;
  return { a, b, c, target, answers: drawn.answers.slice(0, answersDrawn).flatMap((answer) => onMap(answer) ?? []) };
}

function axisOf(ofWord: (word: string) => Spot | null): Emphasis["axis"] {
  const ends = axisWords.value;
  if (!ends || panel.value !== "axis") return null;
  const [from, to] = [ofWord(ends[0]), ofWord(ends[1])];
  return from && to ? { from, to } : null;
}
