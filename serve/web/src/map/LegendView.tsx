import { useRef, useEffect, useState } from "preact/hooks";
import { selectCluster } from "../app/actions";
import { other } from "../compare/state";
import { count as counted } from "../numbers";
import { legendEntries, legendInView, ofClusters, type Legend } from "./colors";
import { counting } from "./distortion";
import { progressText } from "./MapStatus";
import { inView } from "./shown";
import { css, type Rgb } from "./palette";

/** How many rows the legend has, however many clusters are in view: the safe area of the map is not to change with the view. */
function rowsOf(whole: Legend): number {
  return ofClusters(whole) ? Math.min(whole.entries.length, legendEntries + 1) : 0;
}

/** Whether there is room for the legend beside the words. */
function roomy(): boolean {
  return window.innerWidth > 1000 && window.innerHeight > 600;
}

/** What the colours mean. Clusters can be selected here. */
export function LegendView({ legend: whole }: { legend: Legend }) {
  const legend = legendInView(whole, inView.value);
  const [open, setOpen] = useState(roomy);
  // Half a map has no room for it.
  const comparing = other.value !== null;
  useEffect(() => setOpen(!comparing && roomy()), [comparing]);
  if (legend.kind === "none") return null;
  return (
    <details class="legend" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{legend.title}</summary>
      {legend.kind === "ramp" ? (
        <>
          <Ramp colors={legend.colors} />
          <div class="ramp-ends">
            <span>{legend.low}</span>
            <span>{legend.high}</span>
          </div>
          {legend.note && <p class="note">{legend.note}</p>}
          {counting.value && <p class="note">{progressText(counting.value)}</p>}
        </>
      ) : (
        <ul>
          {legend.entries.map(({ label, color, cluster, count }) => (
            <li key={cluster ?? label}>
              {cluster === undefined ? (
                <span class="legend-entry">
                  <Swatch color={color} /> {label}
                </span>
              ) : (
                <button type="button" class="legend-entry" title="Select the words of this cluster" onClick={() => selectCluster(cluster)}>
                  <Swatch color={color} />
                  <span class="legend-label">{label}</span>
                  {count !== undefined && <span class="legend-count">{counted(count)}</span>}
                </button>
              )}
            </li>
          ))}
          {legend.more > 0 && <li class="note">and {legend.more} more</li>}
          {Array.from({ length: Math.max(0, rowsOf(whole) - legend.entries.length - (legend.more > 0 ? 1 : 0)) }, (_, i) => (
            <li key={`empty ${i}`} class="legend-entry" aria-hidden="true">
              {"\u00a0"}
            </li>
          ))}
        </ul>
      )}
    </details>
  );
}

function Swatch({ color }: { color: Rgb }) {
  return (
    <svg class="legend-swatch" viewBox="0 0 10 10" aria-hidden="true">
      <circle cx="5" cy="5" r="5" fill={css(color)} />
    </svg>
  );
}

/** A canvas, because the page's policy allows no style attributes. */
function Ramp({ colors }: { colors: Rgb[] }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const context = canvas.current?.getContext("2d");
    if (!context) return;
    colors.forEach((color, i) => {
      context.fillStyle = css(color);
      context.fillRect(i, 0, 1, 1);
    });
  }, [colors]);
  return <canvas ref={canvas} class="ramp" width={colors.length} height={1} aria-hidden="true" />;
}
