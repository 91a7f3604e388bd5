import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { duration, short } from "../numbers";
import { dark } from "../theme";
import type { Abscissa, Curve, Quantity } from "../training/curves";
import type { RunLog } from "../training/log";
import { valueText } from "./CurveTable";
import { dashOf, seriesClass } from "./Swatch";

/** A run that is drawn; series is its colour. */
export interface DrawnRun {
  name: string;
  log: RunLog;
  series: number;
}

interface Props {
  quantity: Quantity;
  runs: DrawnRun[];
  abscissa: Abscissa;
  /** Where the horizontal axis ends. */
  end: number;
}

const height = 200;

const fewPoints = 25;

/** Distances of marks on an axis of time, in seconds. */
const steps = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 14400, 28800, 43200, 86400, 172800, 432000, 864000];

/** Quantities whose charts begin at zero: small changes of theirs must not look large. */
const fromZero = new Set(["speed", "rate"]);

/** One quantity of all runs that are shown. */
export function CurveChart({ quantity, runs, abscissa, end }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const endNow = useRef(end);
  endNow.current = end;
  const [at, setAt] = useState<number | null>(null);
  // Logs of long runs have hundreds of thousands of lines, and a chart is made anew whenever the pointer moves.
  const curves = useMemo(
    () => runs.map((run) => quantity.curve(run.log, abscissa)),
    [quantity.key, abscissa, runs.map(({ name, log }) => `${name} ${log.started} ${log.lines}`).join("\n")],
  );
  const data = useMemo(() => joined(curves), [curves]);
  // What the chart is made of; if only the data changes, it is kept.
  const made = JSON.stringify([runs.map((run) => [run.name, run.series]), abscissa, dark.value]);

  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const chart = new uPlot(optionsOf(element, quantity, runs, abscissa, endNow, setAt), data, element);
    plot.current = chart;
    const sized = new ResizeObserver(() => chart.setSize({ width: element.clientWidth, height }));
    sized.observe(element);
    return () => {
      sized.disconnect();
      chart.destroy();
      plot.current = null;
    };
  }, [made, quantity.key]);
  const drawn = useRef(end);
  useEffect(() => {
    const chart = plot.current;
    if (!chart) return;
    // Who looks closer goes on to see the same part.
    const { min, max } = chart.scales["x"] ?? {};
    const closer = typeof min === "number" && typeof max === "number" && (min > 0 || max < drawn.current);
    drawn.current = end;
    chart.setData(data, !closer);
    if (closer) chart.redraw(true);
  }, [data, end]);

  return (
    <figure class="chart">
      <figcaption>
        <h3>{quantity.title}</h3>
        <span class="note">{at === null ? quantity.unit : readout(quantity, runs, curves, abscissa, at)}</span>
      </figcaption>
      <div ref={box} class="chart-plot" role="img" aria-label={summary(quantity, runs, curves)} />
    </figure>
  );
}

/** All curves along one axis. Where a curve has no point, uPlot goes on with the next one; a null is a gap. */
function joined(curves: Curve[]): uPlot.AlignedData {
  if (curves.length === 0) return [[]];
  return uPlot.join(curves.map((curve): uPlot.AlignedData => [curve.x, curve.y]));
}

function optionsOf(
  element: HTMLElement,
  quantity: Quantity,
  runs: DrawnRun[],
  abscissa: Abscissa,
  end: { current: number },
  setAt: (x: number | null) => void,
): uPlot.Options {
  const style = getComputedStyle(element);
  const color = (name: string) => style.getPropertyValue(name).trim();
  const font = `11px ${color("--font")}`;
  const axis = { stroke: color("--text-2"), font, grid: { stroke: color("--line"), width: 1 }, ticks: { stroke: color("--line"), width: 1, size: 4 } };
  return {
    width: Math.max(element.clientWidth, 100),
    height,
    legend: { show: false },
    cursor: { y: false, points: { size: 6 }, sync: { key: "training" }, drag: { x: true, y: false } },
    scales: { x: { time: false, range: (chart, low, high) => rangeOf(chart, low, high, end.current) }, y: fromZero.has(quantity.key) ? { range: (_, __, high) => [0, high * 1.06 || 1] } : {} },
    axes: [
      { ...axis, size: 28, space: 64, ...(abscissa === "seconds" ? { incrs: steps } : {}), values: (_, values) => values.map((v) => (abscissa === "tokens" ? short(v) : duration(v))) },
      { ...axis, size: 52, values: (_, values) => values.map((v) => (quantity.key === "speed" ? short(v) : String(Number(v.toPrecision(6))))) },
    ],
    series: [
      {},
      ...runs.map(({ name, series }): uPlot.Series => ({
        label: name,
        stroke: colorOf(element, series),
        width: 1.75,
        dash: dashOf(series),
        // A few points are seen better as points.
        points: { show: (chart, i) => (chart.data[i] ?? []).filter((y) => typeof y === "number").length < fewPoints, size: 5, fill: colorOf(element, series) },
      })),
    ],
    hooks: {
      setCursor: [(chart) => setAt(chart.cursor.left === undefined || chart.cursor.left < 0 ? null : chart.posToVal(chart.cursor.left, "x"))],
      draw: [(chart) => drawBreaks(chart, runs, abscissa, color("--line-strong"))],
    },
  };
}

/** The whole axis, unless a part was chosen. */
function rangeOf(chart: uPlot, low: number, high: number, end: number): [number, number] {
  const x = chart.data[0];
  const whole = x.length === 0 || (low === x[0] && high === x[x.length - 1]);
  return whole ? [0, end || 1] : [low, high];
}

function colorOf(element: HTMLElement, series: number): string {
  return getComputedStyle(element).getPropertyValue(`--${seriesClass(series)}`).trim();
}

/** A dashed line where a run was resumed or went back. */
function drawBreaks(chart: uPlot, runs: DrawnRun[], abscissa: Abscissa, stroke: string): void {
  const { ctx, bbox } = chart;
  ctx.save();
  ctx.strokeStyle = stroke;
  ctx.lineWidth = devicePixelRatio;
  ctx.setLineDash([3 * devicePixelRatio, 3 * devicePixelRatio]);
  for (const { log } of runs) {
    for (const b of log.breaks) {
      const x = Math.round(chart.valToPos(b[abscissa], "x", true));
      if (x < bbox.left || x > bbox.left + bbox.width) continue;
      ctx.beginPath();
      ctx.moveTo(x, bbox.top);
      ctx.lineTo(x, bbox.top + bbox.height);
      ctx.stroke();
    }
  }
  ctx.restore();
}

/** The values under the pointer. */
function readout(quantity: Quantity, runs: DrawnRun[], curves: Curve[], abscissa: Abscissa, at: number): string {
  const values = runs.flatMap((run, i) => {
    const value = valueAt(curves[i], at);
    if (value === null) return [];
    return [runs.length === 1 ? valueText(quantity, value) : `${run.name} ${valueText(quantity, value)}`];
  });
  const where = abscissa === "tokens" ? `${short(Math.round(at))} tokens` : duration(at);
  return `at ${where}: ${values.length > 0 ? values.join(", ") : "nothing"}`;
}

function valueAt(curve: Curve | undefined, x: number): number | null {
  if (!curve || x > (curve.x.at(-1) ?? -1)) return null;
  let [low, high] = [0, curve.x.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((curve.x[middle] as number) <= x) low = middle + 1;
    else high = middle;
  }
  return curve.y[low - 1] ?? null;
}

/** What the chart shows, in words. */
function summary(quantity: Quantity, runs: DrawnRun[], curves: Curve[]): string {
  const texts = runs.flatMap((run, i) => {
    const known = (curves[i]?.y ?? []).filter((y) => y !== null);
    const [first, last] = [known[0], known.at(-1)];
    if (first === undefined || last === undefined) return [];
    return [`${run.name} from ${valueText(quantity, first)} to ${valueText(quantity, last)}`];
  });
  return `Chart of ${quantity.title}: ${texts.join("; ")}`;
}
