// What the user does.

import { batch } from "@preact/signals";
import type { ProjectionName, Query } from "../source";
import { again, analogyWords, announcement, axisWords, camera, chosen, clustersChosen, colorBy, conditions, frequent, hovered, isolated, layout, modelName, otherModel, panel, planeCamera, projection, query, selected, selections, vocabulary, valueOf, wholeMap } from "./state";
import { inPlane, mostSelections, type ColorBy, type View } from "./view";

/** A word of the vocabulary is a word, whatever it looks like. Anything else with a plus or minus
 * between spaces is an expression. */
export function parseQuery(text: string, known: (word: string) => boolean): Query | null {
  const trimmed = text.trim();
  if (trimmed === "") return null;
  return { text: trimmed, expression: !known(trimmed) && /\s[+-]\s/.test(trimmed) };
}

export function isKnown(word: string): boolean {
  return valueOf(vocabulary.peek())?.ids.has(word) ?? false;
}

/** Looks at a word or an expression: its neighbours, and its place on the map. */
export function lookAt(text: string): void {
  const asked = parseQuery(text, isKnown);
  batch(() => {
    query.value = asked;
    // Where two models are compared, it is looked at in both.
    if (asked && panel.peek() !== "compare") panel.value = "word";
  });
}

export function clearQuery(): void {
  query.value = null;
}

export function chooseModel(name: string): void {
  if (name === modelName.peek()) return;
  batch(() => {
    modelName.value = name;
    selections.value = [];
    showSelection(-1);
    frequent.value = null;
    clearFilter();
    hovered.value = -1;
    camera.value = null;
    if (colorBy.peek().by === "field") colorBy.value = { by: "cluster" };
  });
}

/** Who chooses how the map looks wants to see the map. */
export function chooseProjection(name: ProjectionName): void {
  batch(() => {
    projection.value = name;
    wholeMap.value = true;
  });
}

export function chooseColor(color: ColorBy): void {
  batch(() => {
    colorBy.value = color;
    wholeMap.value = true;
  });
}

export function drawAnalogy(a: string, b: string, c: string): void {
  batch(() => {
    analogyWords.value = [a, b, c];
    wholeMap.value = false;
    planeCamera.value = null;
    panel.value = "analogy";
  });
}

export function clearAnalogy(): void {
  analogyWords.value = null;
}

export function drawAxis(from: string, to: string): void {
  batch(() => {
    axisWords.value = [from, to];
    wholeMap.value = false;
    planeCamera.value = null;
    colorBy.value = { by: "axis" };
    panel.value = "axis";
  });
}

export function clearAxis(): void {
  batch(() => {
    axisWords.value = null;
    if (colorBy.peek().by === "axis") colorBy.value = { by: "cluster" };
  });
}

/** Selects many words, and keeps their order. They take the place of a selection without a name. */
export function select(ids: number[], about = ""): void {
  batch(() => {
    const kept = selections.peek().filter((s) => s.name !== "");
    selections.value = ids.length > 0 ? [...kept, { name: "", ids, about }] : kept;
    showSelection(selections.value.length - 1);
    if (ids.length > 0) panel.value = "selection";
    announcement.value = ids.length === 1 ? "1 word selected" : `${ids.length} words selected`;
  });
}

/** Looks at one of the selections; -1 for none. */
export function showSelection(place: number): void {
  batch(() => {
    chosen.value = place;
    planeCamera.value = null;
    if (place >= 0) return;
    isolated.value = false;
    again.value = "";
  });
}

/** Whether there may be one more selection with a name. */
export function canKeep(): boolean {
  return selections.value.filter((s) => s.name !== "").length < mostSelections - 1;
}

/** Gives the selection that is looked at a name. It then stays beside others. */
export function nameSelection(name: string): void {
  const at = chosen.peek();
  const named = name.trim().slice(0, 60);
  if (named === "") return;
  selections.value = selections.peek().map((s, i) => (i === at ? { ...s, name: named } : s));
}

export function deleteSelection(place: number): void {
  batch(() => {
    selections.value = selections.peek().filter((_, i) => i !== place);
    const at = chosen.peek();
    if (at === place) showSelection(selections.value.length > 0 ? Math.min(place, selections.value.length - 1) : -1);
    else if (at > place) chosen.value = at - 1;
  });
}

/** Selects the words of two selections, those of the first one without the second, or those that are in both. */
export function combine(how: "with" | "without" | "common", place: number): void {
  const [first, second] = [selected.peek(), selections.peek()[place]];
  if (!first || !second) return;
  const other = new Set(second.ids);
  const ids = { with: [...new Set([...first.ids, ...second.ids])].sort((x, y) => x - y), without: first.ids.filter((id) => !other.has(id)), common: first.ids.filter((id) => other.has(id)) }[how];
  const [a, b] = [first, second].map((s) => s.name || s.about || "selection");
  if (ids.length === 0) announcement.value = "No word is left";
  else select(ids, { with: `${a} and ${b}`, without: `${a} without ${b}`, common: `both ${a} and ${b}` }[how]);
}

/** Shows the words of the selection alone, or all. */
export function isolate(alone: boolean): void {
  isolated.value = alone;
}

/** Projects the words of the selection again, without the others; empty for the map of all words. */
export function projectAgain(by: ProjectionName | ""): void {
  batch(() => {
    again.value = by;
    planeCamera.value = null;
    wholeMap.value = false;
  });
}

/** Selects the words of a cluster: a way to a selection without a pointer. */
export function selectCluster(cluster: number): void {
  const ids: number[] = [];
  layout.peek()?.clusters.forEach((c, id) => {
    if (c === cluster) ids.push(id);
  });
  select(ids, layout.peek()?.info.clusters?.find((c) => c.id === cluster)?.label);
}

/** Restricts who answers to some clusters, or to words that meet conditions. */
export function filterBy(filter: { clusters?: number[]; conditions?: string[] }): void {
  batch(() => {
    if (filter.clusters) clustersChosen.value = filter.clusters;
    if (filter.conditions) conditions.value = filter.conditions;
  });
}

export function clearFilter(): void {
  filterBy({ clusters: [], conditions: [] });
}

/** One without a name goes; one with a name is looked at no more. */
export function clearSelection(): void {
  batch(() => {
    const at = chosen.peek();
    if (selected.peek()?.name === "") selections.value = selections.peek().filter((_, i) => i !== at);
    showSelection(-1);
  });
}

/** Shows a view that came from an address. */
export function showView(view: View): void {
  batch(() => {
    if (view.model) modelName.value = view.model;
    projection.value = view.projection;
    query.value = view.query;
    analogyWords.value = view.analogy;
    axisWords.value = view.axis;
    colorBy.value = view.color;
    panel.value = view.panel;
    otherModel.value = view.other;
    frequent.value = view.frequent;
    filterBy({ clusters: view.clusters, conditions: view.where });
    selections.value = view.selections;
    chosen.value = view.chosen;
    isolated.value = view.isolated;
    again.value = view.again;
    wholeMap.value = view.wholeMap;
    (inPlane(view) ? planeCamera : camera).value = view.camera;
  });
}

