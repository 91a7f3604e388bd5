// What the address of the page says: everything one needs to see the same view again.

import { parseCondition } from "../filter/conditions";
import { idsFromText, idsToText, mostCharacters } from "../selections/ids";
import type { ProjectionName, Query } from "../source";
import type { Selection } from "./state";

export type ColorBy = { by: "cluster" } | { by: "frequency" } | { by: "field"; field: string } | { by: "axis" } | { by: "moved" } | { by: "distortion" } | { by: "none" };

export interface Camera {
  x: number;
  y: number;
  /** One unit of the map is 2^zoom pixels. */
  zoom: number;
}

export interface View {
  model: string;
  projection: ProjectionName;
  /** The word or expression that is looked at. */
  query: Query | null;
  camera: Camera | null;
  color: ColorBy;
  analogy: [string, string, string] | null;
  axis: [string, string] | null;
  /** How many first words may answer; 0 for all, null for the default. */
  frequent: number | null;
  /** The clusters of words that may answer, and conditions on their fields; empty for all. */
  clusters: number[];
  where: string[];
  selections: Selection[];
  /** The place of the selection that is looked at; -1 for none. */
  chosen: number;
  /** Whether the map shows that selection alone. */
  isolated: boolean;
  /** How that selection is projected again; empty for not. */
  again: ProjectionName | "";
  /** Whether the analogy or the axis is on the map of all words, and not in a plane of its own. */
  wholeMap: boolean;
  panel: string;
  /** The second model, when two are compared. */
  other: string;
}

export const defaultView: View = {
  model: "",
  projection: "umap",
  query: null,
  camera: null,
  color: { by: "cluster" },
  analogy: null,
  axis: null,
  frequent: null,
  clusters: [],
  where: [],
  selections: [],
  chosen: -1,
  isolated: false,
  again: "",
  wholeMap: false,
  panel: "word",
  other: "",
};

/** The most clusters, and conditions, that an address holds. */
const mostFilters = 32;

/** The most selections that there are. */
export const mostSelections = 8;

/** Whether a view is of the plane of an analogy or an axis, which has a camera of its own. */
export function inPlane(view: Pick<View, "panel" | "analogy" | "axis" | "wholeMap" | "again" | "chosen">): boolean {
  if (view.wholeMap) return false;
  return (view.panel === "analogy" && view.analogy !== null) || (view.panel === "axis" && view.axis !== null) || (view.panel === "selection" && view.again !== "" && view.chosen >= 0);
}

/** The selections as an address has them: name, "~" and ids. Those that there is no room for are left out. */
export function linked(selections: readonly Selection[]): { texts: string[]; left: number[] } {
  const texts: string[] = [];
  const left: number[] = [];
  let room = mostCharacters;
  selections.forEach(({ name, ids }, i) => {
    const text = `${name}~${idsToText(ids)}`;
    if (text.length > room) left.push(i);
    else {
      texts.push(text);
      room -= text.length;
    }
  });
  return { texts, left };
}

function selectionFrom(text: string): Selection | null {
  const at = text.lastIndexOf("~");
  const ids = idsFromText(text.slice(at + 1));
  return ids && ids.length > 0 ? { name: text.slice(0, Math.max(0, at)), ids } : null;
}

/** The view as the part of an address behind "#". The part is never sent to a server, and works in a
 * page that is a file, too. */
export function viewToHash(view: View): string {
  const params = new URLSearchParams();
  if (view.model) params.set("model", view.model);
  params.set("map", view.projection);
  if (view.query) params.set(view.query.expression ? "expr" : "word", view.query.text);
  if (view.panel !== defaultView.panel) params.set("panel", view.panel);
  if (view.color.by === "field") params.set("color", `field:${view.color.field}`);
  else if (view.color.by !== "cluster") params.set("color", view.color.by);
  if (view.analogy) view.analogy.forEach((word) => params.append("analogy", word));
  if (view.axis) view.axis.forEach((word) => params.append("axis", word));
  if (view.frequent !== null) params.set("first", String(view.frequent));
  if (view.clusters.length > 0) params.set("clusters", view.clusters.join("."));
  for (const condition of view.where) params.append("where", condition);
  const { texts, left } = linked(view.selections);
  for (const text of texts) params.append("select", text);
  // Those that are left out do not count.
  const at = left.includes(view.chosen) ? -1 : view.chosen - left.filter((i) => i < view.chosen).length;
  if (at !== texts.length - 1) params.set("chosen", String(at));
  if (view.isolated && at >= 0) params.set("only", "selection");
  if (view.again && at >= 0) params.set("again", view.again);
  if (view.wholeMap) params.set("on", "map");
  if (view.other) params.set("other", view.other);
  if (view.camera) {
    const { x, y, zoom } = view.camera;
    params.set("at", `${x.toFixed(2)},${y.toFixed(2)},${zoom.toFixed(2)}`);
  }
  return params.toString();
}

/** The view that an address asks for. What it does not say, or says wrongly, is as by default. The latter is added to wrong. */
export function viewFromHash(hash: string, wrong: string[] = []): View {
  const params = new URLSearchParams(hash.replace(/^#/, ""));
  const view: View = { ...defaultView };
  view.model = params.get("model") ?? "";
  view.other = params.get("other") ?? "";
  view.panel = params.get("panel") || defaultView.panel;
  const first = params.get("first") ?? "";
  if (/^\d{1,9}$/.test(first)) view.frequent = Number(first);
  const clusters = (params.get("clusters") ?? "").split(".").filter(Boolean);
  if (clusters.length <= mostFilters && clusters.every((id) => /^\d{1,5}$/.test(id))) view.clusters = clusters.map(Number);
  view.where = params.getAll("where").filter((text) => parseCondition(text) !== null).slice(0, mostFilters);
  const entries = params.getAll("select").map(selectionFrom).slice(0, mostSelections);
  view.selections = entries.filter((entry) => entry !== null);
  const at = params.get("chosen") ?? "";
  // A wrong entry has its place all the same.
  const chosen = entries[/^(-1|\d)$/.test(at) && Number(at) < entries.length ? Number(at) : entries.length - 1];
  view.chosen = chosen ? view.selections.indexOf(chosen) : -1;
  view.isolated = params.get("only") === "selection" && view.chosen >= 0;
  const again = params.get("again");
  view.again = view.chosen >= 0 && (again === "pca" || again === "umap") ? again : "";
  view.wholeMap = params.get("on") === "map";
  view.projection = params.get("map") === "pca" ? "pca" : "umap";
  const word = params.get("word");
  const expression = params.get("expr");
  if (word) view.query = { text: word, expression: false };
  else if (expression) view.query = { text: expression, expression: true };
  view.color = colorFrom(params.get("color") ?? "");
  const analogy = params.getAll("analogy");
  const [a, b, c] = analogy;
  if (a && b && c) view.analogy = [a, b, c];
  const [from, to] = params.getAll("axis");
  if (from && to) view.axis = [from, to];
  const [x, y, zoom] = (params.get("at") ?? "").split(",").map(Number);
  if (x !== undefined && y !== undefined && zoom !== undefined && [x, y, zoom].every(Number.isFinite)) {
    view.camera = { x, y, zoom: Math.min(Math.max(zoom, -4), 14) };
  }
  const right: Record<string, (value: string, i: number) => boolean> = {
    model: () => true,
    other: () => true,
    panel: () => true,
    word: () => true,
    map: (text) => text === view.projection,
    expr: () => !word,
    color: (text) => view.color.by !== "cluster" || text === "cluster",
    analogy: () => analogy.length === 3 && view.analogy !== null,
    axis: () => params.getAll("axis").length === 2 && view.axis !== null,
    first: () => view.frequent !== null,
    clusters: () => view.clusters.length > 0,
    where: (text) => view.where.includes(text),
    select: (_, i) => Boolean(entries[i]),
    chosen: () => view.chosen >= 0 || at === "-1",
    only: () => view.isolated,
    again: () => view.again !== "",
    on: () => view.wholeMap,
    at: () => view.camera !== null && view.camera.zoom === zoom,
  };
  for (const key of new Set(params.keys())) {
    const is = Object.hasOwn(right, key) ? right[key] : undefined;
    params.getAll(key).forEach((value, i) => is?.(value, i) || wrong.push(`${key}=${value}`));
  }
  return view;
}

function colorFrom(text: string): ColorBy {
  if (text.startsWith("field:")) return { by: "field", field: text.slice("field:".length) };
  if (text === "frequency" || text === "axis" || text === "moved" || text === "distortion" || text === "none") return { by: text };
  return { by: "cluster" };
}
