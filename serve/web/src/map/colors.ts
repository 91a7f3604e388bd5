// Which colour each point has, and what the legend says.

import type { Cluster, Field } from "../source";
import { meanKept, noNeighbors } from "./distortion";
import { amount, categories, diverging, missing, plain, shades, type Rgb } from "./palette";

/** What points are coloured by, with the values. */
export type Coloring =
  | { by: "none" }
  | { by: "cluster"; clusters: Uint16Array; info: Cluster[] }
  | { by: "frequency"; counts: Float64Array | null }
  | { by: "field"; name: string; field: Field }
  | { by: "axis"; from: string; to: string; values: Float32Array }
  /** How far words moved to another model: the cosines of both vectors. */
  | { by: "moved"; cosines: Float32Array }
  /** How many of a word's ten nearest words are near to it on the map, and the same of a second map; null while they are counted. */
  | { by: "distortion"; kept: Uint8Array | null; other?: Uint8Array | null; failed?: string };

export type Legend =
  | { kind: "none" }
  | { kind: "swatches"; title: string; entries: { label: string; color: Rgb; cluster?: number; count?: number }[]; more: number }
  | { kind: "ramp"; title: string; low: string; high: string; colors: Rgb[]; note?: string };

const noCluster = 65535;
/** How many nearest words of a word are looked for on the map. */
const keptOf = 10;
/** How many clusters a legend lists. */
export const legendEntries = 10;
/** The opacity of dim points, of 255. */
const dimmed = 40;
const rampSteps = 24;
/** The share of values beyond each end of a ramp. */
const beyond = 0.02;

const numbers = new Intl.NumberFormat("en", { maximumSignificantDigits: 3 });

/** Calls set with the colour of each of n points. */
function paint(n: number, colorOf: (i: number) => Rgb): Uint8Array {
  const colors = new Uint8Array(4 * n);
  for (let i = 0; i < n; i++) {
    const [r, g, b] = colorOf(i);
    colors[4 * i] = r;
    colors[4 * i + 1] = g;
    colors[4 * i + 2] = b;
    colors[4 * i + 3] = 255;
  }
  return colors;
}

/** RGBA of each of n points, and the legend. Points that are not left are dim; null leaves all. */
export function colorPoints(n: number, coloring: Coloring, dark: boolean, left: Uint8Array | null = null): { colors: Uint8Array; legend: Legend } {
  const painted = paintPoints(n, coloring, dark);
  if (left) for (let i = 0; i < n; i++) if (left[i] === 0) painted.colors[4 * i + 3] = dimmed;
  return painted;
}

function paintPoints(n: number, coloring: Coloring, dark: boolean): { colors: Uint8Array; legend: Legend } {
  const unknown = missing(dark);
  switch (coloring.by) {
    case "none": {
      const one = plain(dark);
      return { colors: paint(n, () => one), legend: { kind: "none" } };
    }
    case "cluster": {
      if (coloring.info.length === 0) return paintPoints(n, { by: "none" }, dark);
      const palette = clusterColors(coloring.info, dark);
      const colors = paint(n, (i) => palette.get(coloring.clusters[i] ?? noCluster) ?? unknown);
      const largest = [...coloring.info].sort((a, b) => b.size - a.size);
      const entries = largest.map((c) => ({ label: c.label, color: palette.get(c.id) ?? unknown, cluster: c.id, count: c.size }));
      return { colors, legend: { kind: "swatches", title: "Clusters", entries, more: 0 } };
    }
    case "frequency": {
      const { counts } = coloring;
      if (!counts) {
        // Words are in order of frequency: without counts, the rank tells the most.
        const last = Math.log(n + 1);
        const colors = paintRamp(n, (i) => 1 - Math.log(i + 1) / last, dark);
        return { colors, legend: ramp("Rank by frequency", `${numbers.format(n)}th`, "1st", (v) => amount(v, dark)) };
      }
      const logs = Float64Array.from({ length: n }, (_, i) => Math.log(Math.max(1, counts[i] ?? 1)));
      const [low, high] = ends(logs, 0, 0);
      const colors = paintRamp(n, (i) => scaled(logs[i] ?? 0, low, high), dark);
      return { colors, legend: ramp("Occurrences, logarithmic", numbers.format(Math.round(Math.exp(low))), numbers.format(Math.round(Math.exp(high))), (v) => amount(v, dark)) };
    }
    case "field":
      return coloring.field.kind === "category" ? colorCategories(n, coloring.name, coloring.field, dark) : colorNumbers(n, coloring.name, coloring.field.values, dark);
    case "moved": {
      const far = coloring.cosines.map((cosine) => 1 - cosine);
      const [low, high] = ends(far.filter((value) => !Number.isNaN(value)), beyond, beyond);
      const steps = Array.from({ length: 256 }, (_, i) => amount(i / 255, dark));
      const colors = paint(n, (i) => steps[Math.round(255 * scaled(far[i] ?? NaN, low, high))] ?? unknown);
      return { colors, legend: ramp("How far words moved: 1 − cosine", numbers.format(low), numbers.format(high), (v) => amount(v, dark)) };
    }
    case "distortion": {
      const { kept, other, failed } = coloring;
      const mean = (of: Uint8Array) => numbers.format(meanKept(of));
      const scale = ramp("Neighbours kept on the map", "0 of 10", "10 of 10", (v) => keptColor(v, dark));
      if (kept?.length !== n) return { colors: paint(n, () => unknown), legend: { ...scale, note: failed || "The neighbours of all words are being counted…" } };
      const colors = paintKept(kept, dark);
      const said = `Of each word’s ten nearest in the model, how many are among the ten nearest on the map. Mean: ${mean(kept)}${other ? ` here, ${mean(other)} on the second map` : ""}.`;
      return { colors, legend: { ...scale, note: said } };
    }
    case "axis": {
      const { values } = coloring;
      // Words have more of one end than of the other, as a rule: the middle is that of the vocabulary, not a cosine of 0.
      const known = values.filter((value) => !Number.isNaN(value));
      const [low, high] = ends(known, beyond, beyond);
      const [middle] = ends(known, 0.5, 0);
      const reach = Math.max(middle - low, high - middle, 1e-9);
      const steps = Array.from({ length: 256 }, (_, i) => diverging((2 * i) / 255 - 1, dark));
      const colors = paint(n, (i) => steps[Math.round(255 * scaled(values[i] ?? NaN, middle - reach, middle + reach))] ?? unknown);
      return { colors, legend: ramp("Axis, from the median", coloring.from, coloring.to, (v) => diverging(2 * v - 1, dark)) };
    }
  }
}

/** Whether the entries of a legend are clusters. */
export function ofClusters(legend: Legend): legend is Extract<Legend, { kind: "swatches" }> {
  return legend.kind === "swatches" && legend.entries[0]?.cluster !== undefined;
}

/** The legend of the clusters that are in view, those with the most words first, with how many words of each are. */
export function legendInView(legend: Legend, counts: Map<number, number> | null): Legend {
  if (!ofClusters(legend)) return legend;
  const seen = legend.entries.map((entry) => ({ ...entry, count: counts ? (counts.get(entry.cluster ?? -1) ?? 0) : (entry.count ?? 0) })).filter(({ count }) => count > 0);
  const entries = seen.sort((a, b) => b.count - a.count).slice(0, legendEntries);
  return { ...legend, title: counts ? "Clusters in view" : "Clusters", entries, more: seen.length - entries.length };
}

/** The colour of a share of neighbours that are kept. That of none is to be seen, too. */
export function keptColor(share: number, dark: boolean): Rgb {
  return amount(0.15 + 0.85 * share, dark);
}

/** The colours of a map whose words keep so many of their nearest words near. */
export function paintKept(kept: Uint8Array, dark: boolean): Uint8Array {
  const steps = Array.from({ length: keptOf + 1 }, (_, n) => keptColor(n / keptOf, dark));
  return paint(kept.length, (i) => steps[kept[i] ?? noNeighbors] ?? missing(dark));
}

function colorCategories(n: number, name: string, field: Extract<Field, { kind: "category" }>, dark: boolean): { colors: Uint8Array; legend: Legend } {
  const unknown = missing(dark);
  const sizes = new Map<number, number>();
  for (const value of field.values) sizes.set(value, (sizes.get(value) ?? 0) + 1);
  const order = field.categories.map((_, i) => i).sort((a, b) => (sizes.get(b) ?? 0) - (sizes.get(a) ?? 0));
  // Beyond the number of colours that can be told apart, categories are as grey as no category.
  const palette = new Map(order.slice(0, categories(dark).length).map((id, i) => [id, categories(dark)[i] ?? unknown]));
  const colors = paint(n, (i) => palette.get(field.values[i] ?? -1) ?? unknown);
  const entries = [...palette].map(([id, color]) => ({ label: field.categories[id] ?? "", color }));
  return { colors, legend: { kind: "swatches", title: name, entries, more: order.length - entries.length } };
}

function colorNumbers(n: number, name: string, values: (number | null)[], dark: boolean): { colors: Uint8Array; legend: Legend } {
  const unknown = missing(dark);
  const known = values.filter((v): v is number => v !== null);
  const [low, high] = ends(Float64Array.from(known), beyond, beyond);
  const colors = paint(n, (i) => {
    const value = values[i];
    return value === null || value === undefined ? unknown : amount(scaled(value, low, high), dark);
  });
  return { colors, legend: ramp(name, numbers.format(low), numbers.format(high), (v) => amount(v, dark)) };
}

function paintRamp(n: number, value: (i: number) => number, dark: boolean): Uint8Array {
  const steps = Array.from({ length: 256 }, (_, i) => amount(i / 255, dark));
  return paint(n, (i) => steps[Math.round(255 * value(i))] ?? [0, 0, 0]);
}

function ramp(title: string, low: string, high: string, colorOf: (value: number) => Rgb): Extract<Legend, { kind: "ramp" }> {
  return { kind: "ramp", title, low, high, colors: Array.from({ length: rampSteps }, (_, i) => colorOf(i / (rampSteps - 1))) };
}

function scaled(value: number, low: number, high: number): number {
  return high > low ? Math.min(1, Math.max(0, (value - low) / (high - low))) : 0.5;
}

/** The values that shares of all values lie below and above. */
function ends(values: Float32Array | Float64Array, below: number, above: number): [number, number] {
  const sorted = Float64Array.from(values).sort();
  const last = sorted.length - 1;
  if (last < 0) return [0, 0];
  return [sorted[Math.round(below * last)] ?? 0, sorted[Math.round((1 - above) * last)] ?? 0];
}

/** The colour of each cluster, which is the same on all maps of a model. */
export function clusterColors(clusters: Cluster[], dark: boolean): Map<number, Rgb> {
  const all = shades(dark);
  return new Map(clusters.map(({ id, tone }) => [id, all[(tone ?? id) % all.length] ?? missing(dark)]));
}

/** The colours of a second map: those that the words have on a first one. Words that are not there have none. */
export function colorsOnSecond(first: Uint8Array, toFirst: Int32Array, dark: boolean): Uint8Array {
  const colors = new Uint8Array(4 * toFirst.length);
  const [r, g, b] = missing(dark);
  toFirst.forEach((j, i) => {
    if (4 * j + 3 < first.length && j >= 0) for (let k = 0; k < 4; k++) colors[4 * i + k] = first[4 * j + k] ?? 0;
    else colors.set([r, g, b, dimmed], 4 * i);
  });
  return colors;
}
