// What the address of the page says: everything one needs to see the same view again.

import { parseCondition } from "../filter/conditions";
import type { ProjectionName, Query } from "../source";

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
  /** Ids of selected words. */
  selection: number[];
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
  selection: [],
  wholeMap: false,
  panel: "word",
  other: "",
};

/** The most clusters, and conditions, that an address holds. */
const mostFilters = 32;

/** The most selected words that an address holds. */
export const linkedWords = 3000;

/** Whether a view is of the plane of an analogy or an axis, which has a camera of its own. */
export function inPlane(view: Pick<View, "panel" | "analogy" | "axis" | "wholeMap">): boolean {
  return !view.wholeMap && ((view.panel === "analogy" && view.analogy !== null) || (view.panel === "axis" && view.axis !== null));
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
  if (view.selection.length > 0 && view.selection.length <= linkedWords) params.set("select", view.selection.map((id) => id.toString(36)).join("."));
  if (view.wholeMap) params.set("on", "map");
  if (view.other) params.set("other", view.other);
  if (view.camera) {
    const { x, y, zoom } = view.camera;
    params.set("at", `${x.toFixed(2)},${y.toFixed(2)},${zoom.toFixed(2)}`);
  }
  return params.toString();
}

/** The view that an address asks for. What it does not say, or says wrongly, is as by default. */
export function viewFromHash(hash: string): View {
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
  const ids = (params.get("select") ?? "").split(".").filter(Boolean).map((id) => Number.parseInt(id, 36));
  if (ids.every((id) => id >= 0) && ids.length <= linkedWords) view.selection = ids;
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
  return view;
}

function colorFrom(text: string): ColorBy {
  if (text.startsWith("field:")) return { by: "field", field: text.slice("field:".length) };
  if (text === "frequency" || text === "axis" || text === "moved" || text === "distortion" || text === "none") return { by: text };
  return { by: "cluster" };
}
