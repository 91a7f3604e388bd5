// What the user does.

import { batch } from "@preact/signals";
import type { ProjectionName, Query } from "../source";
import { analogyWords, announcement, axisWords, camera, clustersChosen, colorBy, conditions, frequent, hovered, layout, modelName, otherModel, panel, planeCamera, projection, query, selection, vocabulary, valueOf, wholeMap } from "./state";
import { inPlane, type ColorBy, type View } from "./view";

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
    selection.value = [];
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

/** Selects many words, and keeps their order. */
export function select(ids: number[]): void {
  batch(() => {
    selection.value = ids;
    if (ids.length > 0) panel.value = "selection";
    announcement.value = ids.length === 1 ? "1 word selected" : `${ids.length} words selected`;
  });
}

/** Selects the words of a cluster: a way to a selection without a pointer. */
export function selectCluster(cluster: number): void {
  const ids: number[] = [];
  layout.peek()?.clusters.forEach((c, id) => {
    if (c === cluster) ids.push(id);
  });
  select(ids);
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

export function clearSelection(): void {
  selection.value = [];
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
    selection.value = view.selection;
    wholeMap.value = view.wholeMap;
    if (view.camera) (inPlane(view) ? planeCamera : camera).value = view.camera;
  });
}

