// Curves of training logs, ready to be drawn.

import type { Break, EvaluationPoint, RunLog } from "./log";

export type Abscissa = "tokens" | "seconds";

/** A quantity that has a chart of its own. */
export interface Quantity {
  key: string;
  title: string;
  /** What one unit is, for the axis. */
  unit: string;
  /** Whether a log has it at all. */
  known: (log: RunLog) => boolean;
  curve: (log: RunLog, abscissa: Abscissa) => Curve;
}

/** x ascends; a null in y is a gap. */
export interface Curve {
  x: number[];
  y: (number | null)[];
}

/** The most points of a curve that are drawn. */
const mostPoints = 1200;

function ofProgress(value: "loss" | "speed" | "rate"): Pick<Quantity, "known" | "curve"> {
  return {
    known: (log) => log.progress.some((point) => point[value] !== null),
    curve: (log, abscissa) => curveOf(log.progress, log.breaks, abscissa, (point) => point[value]),
  };
}

function ofEvaluations(value: (point: EvaluationPoint) => number | null): Pick<Quantity, "known" | "curve"> {
  return {
    known: (log) => log.evaluations.some((point) => value(point) !== null),
    curve: (log, abscissa) => curveOf(log.evaluations, log.breaks, abscissa, value),
  };
}

/** The quantities that at least one of the logs has. */
export function quantities(logs: RunLog[]): Quantity[] {
  const all: Quantity[] = [
    { key: "loss", title: "Training loss", unit: "a pair with its negatives", ...ofProgress("loss") },
    { key: "held-out", title: "Held-out loss", unit: "a pair with its negatives", ...ofEvaluations((point) => point.heldOut) },
  ];
  for (const set of new Set(logs.flatMap((log) => log.sets))) {
    all.push({
      key: `set:${set}`,
      title: `Score on ${set}`,
      unit: "Spearman’s correlation or accuracy",
      ...ofEvaluations((point) => point.scores.get(set) ?? null),
    });
  }
  all.push(
    { key: "speed", title: "Speed", unit: "tokens a second", ...ofProgress("speed") },
    { key: "rate", title: "Learning rate", unit: "", ...ofProgress("rate") },
  );
  return all.filter((quantity) => logs.some(quantity.known));
}

function curveOf<P extends { tokens: number; seconds: number }>(
  points: P[],
  breaks: Break[],
  abscissa: Abscissa,
  value: (point: P) => number | null,
): Curve {
  const known: { x: number; y: number; tokens: number }[] = [];
  for (const point of points) {
    const y = value(point);
    if (y !== null) known.push({ x: point[abscissa], y, tokens: point.tokens });
  }
  const curve: Curve = { x: [], y: [] };
  let next = 0;
  for (const point of thin(known, mostPoints)) {
    let crossed = false;
    for (let b = breaks[next]; b && b.tokens < point.tokens; b = breaks[++next]) crossed = true;
    const last = curve.x.at(-1);
    if (crossed && last !== undefined) {
      curve.x.push((last + point.x) / 2);
      curve.y.push(null);
    }
    curve.x.push(point.x);
    curve.y.push(point.y);
  }
  return curve;
}

/** Keeps the smallest and the largest value of each stretch, so that no peak is lost. */
export function thin<P extends { y: number }>(points: P[], most: number): P[] {
  if (points.length <= most) return points;
  const stretches = Math.floor(most / 2);
  const kept: P[] = [];
  for (let s = 0; s < stretches; s++) {
    const from = Math.floor((s * points.length) / stretches);
    const to = Math.floor(((s + 1) * points.length) / stretches);
    let [low, high] = [from, from];
    for (let i = from + 1; i < to; i++) {
      if ((points[i] as P).y < (points[low] as P).y) low = i;
      if ((points[i] as P).y > (points[high] as P).y) high = i;
    }
    for (const i of new Set([Math.min(low, high), Math.max(low, high)])) kept.push(points[i] as P);
  }
  return kept;
}

/** A row of the table that stands for the curves. */
export interface TableRow {
  tokens: number;
  seconds: number;
  values: (number | null)[];
}

/** About `rows` rows at even distances of a run, with the last value known at each. */
export function tableOf(log: RunLog, shown: Quantity[], rows: number): TableRow[] {
  const end = log.tokens;
  if (end === 0 || rows < 1) return [];
  const curves = shown.map((quantity) => quantity.curve(log, "tokens"));
  const table: TableRow[] = [];
  for (let i = 1; i <= rows; i++) {
    const tokens = Math.round((end * i) / rows);
    const values = curves.map((curve) => lastBefore(curve, tokens));
    const seconds = log.progress.findLast((point) => point.tokens <= tokens)?.seconds ?? 0;
    if (values.some((value) => value !== null)) table.push({ tokens, seconds, values });
  }
  return table;
}

function lastBefore(curve: Curve, x: number): number | null {
  let value: number | null = null;
  for (let i = 0; i < curve.x.length && (curve.x[i] as number) <= x; i++) value = curve.y[i] ?? value;
  return value;
}
