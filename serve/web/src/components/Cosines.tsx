import { useEffect, useState } from "preact/hooks";
import { modelName, query } from "../app/state";
import { fixed } from "../numbers";
import { Bars } from "./Bars";
import { useSource } from "./context";

const bars = 50;

/** How the cosines of a word with all words of the map are spread, from the least to the largest. */
export interface Spread {
  sizes: number[];
  least: number;
  largest: number;
  median: number;
  /** The value that 99 of 100 lie below. */
  high: number;
}

export function spreadOf(values: Float32Array): Spread | null {
  const known = values.filter((value) => !Number.isNaN(value)).sort();
  const at = (share: number) => known[Math.round(share * (known.length - 1))] ?? 0;
  if (known.length === 0) return null;
  const [least, largest] = [at(0), at(1)];
  const sizes = new Array<number>(bars).fill(0);
  for (const value of known) {
    const bar = Math.min(bars - 1, Math.floor((bars * (value - least)) / Math.max(1e-9, largest - least)));
    sizes[bar] = (sizes[bar] ?? 0) + 1;
  }
  return { sizes, least, largest, median: at(0.5), high: at(0.99) };
}

/** The histogram of cosines, which is computed when it is opened. The last one that is listed tells which bars have the colour. */
export function Cosines({ last }: { last: number }) {
  const source = useSource();
  const [open, setOpen] = useState(false);
  const [spread, setSpread] = useState<Spread | null>(null);
  const [failure, setFailure] = useState("");
  const [asked, name] = [query.value, modelName.value];
  useEffect(() => {
    setSpread(null);
    setFailure("");
    if (!open || !asked) return;
    const control = new AbortController();
    source.cosinesWith(name, asked, control.signal).then(
      (values) => control.signal.aborted || setSpread(spreadOf(values)),
      (error: unknown) => control.signal.aborted || setFailure(error instanceof Error ? error.message : String(error)),
    );
    return () => control.abort();
  }, [open, asked, name]);
  const text = spread && `Half of all words on the map have a cosine below ${fixed(spread.median, 2)}, and 99 of 100 one below ${fixed(spread.high, 2)}. The words that are listed have ${fixed(last, 2)} or more.`;
  return (
    <details class="disclosure" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Cosines with all words</summary>
      {failure && <p class="failed">{failure}</p>}
      {spread && text && (
        <>
          <Bars sizes={spread.sizes} within={(bar) => spread.least + ((bar + 1) / bars) * (spread.largest - spread.least) > last} label="Histogram of the cosines with all words of the map" />
          <div class="ramp-ends">
            <span>{fixed(spread.least, 2)}</span>
            <span>{fixed(spread.largest, 2)}</span>
          </div>
          <p class="note">{text}</p>
        </>
      )}
    </details>
  );
}
