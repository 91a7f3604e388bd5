import { analogy, axisWords, neighbors, panel, place, query, valueOf, vocabulary, type Layout } from "../app/state";
import type { Emphasis, Spot } from "./overlay";

/** What of the state is drawn over the points. */
export function emphasisOf(layout: Layout | null, words: string[], hovered: number): Emphasis {
  if (!layout) return { focus: null, analogy: null, axis: null, hovered: null };
  const ids = valueOf(vocabulary.value)?.ids;
  const ofId = (id: number): Spot | null => {
    const word = words[id];
    return word === undefined || 2 * id + 1 >= layout.points.length ? null : { word, x: layout.points[2 * id] ?? 0, y: layout.points[2 * id + 1] ?? 0 };
  };
  const ofWord = (word: string) => ofId(ids?.get(word) ?? -1);
  const onMap = (spot: Spot): Spot => {
    const [x, y] = layout.toMap(spot.x, spot.y);
    return { word: spot.word, x, y };
  };

  return {
    focus: focusOf(ofId, onMap),
    analogy: analogyOf(onMap),
    axis: axisOf(ofWord),
    hovered: hovered >= 0 ? ofId(hovered) : null,
  };
}

function focusOf(ofId: (id: number) => Spot | null, onMap: (spot: Spot) => Spot): Emphasis["focus"] {
  const asked = query.value;
  const found = valueOf(place.value);
  // An analogy is not crossed by the lines of a word, unless the word is what the user looks at.
  if (!asked || !found || found.word !== asked.text || (analogy.value.state === "ready" && panel.value === "analogy")) return null;
  const list = valueOf(neighbors.value)?.neighbors ?? found.neighbors;
  const near = list.flatMap((n) => {
    const spot = ofId(n.id);
    return spot ? [{ ...spot, similarity: n.similarity }] : [];
  });
  const known = found.id >= 0 ? ofId(found.id) : null;
  const spot = known ?? onMap(found);
  return { ...spot, word: known?.word ?? found.word, composed: known === null, neighbors: near };
}

function analogyOf(onMap: (spot: Spot) => Spot): Emphasis["analogy"] {
  const drawn = valueOf(analogy.value);
  if (!drawn || (query.value && panel.value !== "analogy")) return null;
  const term = (role: "a" | "b" | "c") => {
    const found = drawn.terms.find((t) => t.role === role);
    return found ? onMap(found) : null;
  };
  const [a, b, c] = [term("a"), term("b"), term("c")];
  if (!a || !b || !c) return null;
  return { a, b, c, target: onMap({ word: "", ...drawn.target }), answers: drawn.answers.slice(0, 5).map(onMap) };
}

function axisOf(ofWord: (word: string) => Spot | null): Emphasis["axis"] {
  const ends = axisWords.value;
  if (!ends || panel.value !== "axis") return null;
  const [from, to] = [ofWord(ends[0]), ofWord(ends[1])];
  return from && to ? { from, to } : null;
}
