import { useEffect, useState } from "preact/hooks";
import { loading, type Load } from "../app/state";
import { useSource } from "../components/context";
import { CurveChart } from "../components/CurveChart";
import { CurveTable } from "../components/CurveTable";
import { LoadView } from "../components/LoadView";
import { RunTable } from "../components/RunTable";
import type { Run } from "../source";
import { quantities, type Abscissa } from "../training/curves";
import { followRuns, type Followed } from "../training/follow";

/** How long to wait before the list of logs is read again, in milliseconds: a folder may get new ones. */
const listAgain = 3000;

/** How many runs are drawn at first. */
const shownAtFirst = 6;

/** Training as its logs tell it, also while it goes on. */
export function RunsPanel() {
  const source = useSource();
  const [runs, setRuns] = useState<Load<Run[]>>(loading);
  useEffect(() => {
    const control = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const list = (): void => {
      source.runs(control.signal).then(
        (value) => {
          setRuns({ state: "ready", value });
          timer = setTimeout(list, listAgain);
        },
        (error: Error) => {
          if (control.signal.aborted) return;
          // What was read stays: a server that is away for a moment takes no curves away.
          setRuns((before) => (before.state === "ready" ? before : { state: "failed", error }));
          timer = setTimeout(list, listAgain);
        },
      );
    };
    list();
    return () => {
      control.abort();
      clearTimeout(timer);
    };
  }, [source]);
  return (
    <div class="report">
      <h2>Training</h2>
      <LoadView load={runs}>
        {(value) =>
          value.length > 0 ? (
            <Runs names={value.map((run) => run.name)} />
          ) : (
            <>
              <p>There are no logs yet. A training writes one, and the server shows it, also while it grows:</p>
              <pre>{"w2v train corpus.txt -o model.w2v --log-json run.jsonl\nw2v serve earlier.w2v --log run.jsonl"}</pre>
              <p class="note">A folder given to --log shows every log in it. This page finds new ones by itself.</p>
            </>
          )
        }
      </LoadView>
    </div>
  );
}

function Runs({ names }: { names: string[] }) {
  const source = useSource();
  const [runs, setRuns] = useState<Followed[]>([]);
  const [hidden, setHidden] = useState<ReadonlySet<string>>(() => new Set(names.slice(shownAtFirst)));
  const [tables, setTables] = useState(false);
  const [abscissa, setAbscissa] = useState<Abscissa>("tokens");
  useEffect(() => followRuns(source, names, setRuns), [source, names.join("\n")]);

  const toggle = (name: string) => {
    const next = new Set(hidden);
    if (!next.delete(name)) next.add(name);
    setHidden(next);
  };
  const shown = runs.flatMap(({ name, log }, series) => (hidden.has(name) ? [] : [{ name, log, series }]));
  const charts = quantities(shown.map((run) => run.log));
  // All charts have the same axis, along which the pointer moves.
  const end = Math.max(0, ...shown.map(({ log }) => (abscissa === "tokens" ? log.tokens : log.seconds)));
  return (
    <>
      <RunTable runs={runs} hidden={hidden} toggle={toggle} />
      <div class="visually-hidden" role="status">
        {runs.map((run) => `${run.name} ${run.log.state}`).join(", ")}
      </div>
      <fieldset class="segmented start">
        <legend class="visually-hidden">The curves go along</legend>
        {(["tokens", "seconds"] as const).map((choice) => (
          <label key={choice}>
            <input type="radio" name="abscissa" checked={abscissa === choice} onChange={() => setAbscissa(choice)} />
            <span>{choice === "tokens" ? "By tokens" : "By time"}</span>
          </label>
        ))}
      </fieldset>
      {charts.length > 0 && <p class="note pointer-only">Drag over a chart to look closer. A double click shows all again.</p>}
      {charts.length === 0 && <p class="note">{shown.length > 0 ? "There is nothing to draw yet." : "No run is chosen."}</p>}
      <div class="charts">
        {charts.map((quantity) => (
          <CurveChart key={quantity.key} quantity={quantity} runs={shown} abscissa={abscissa} end={end} />
        ))}
      </div>
      {charts.length > 0 && (
        <details class="disclosure" open={tables} onToggle={(event) => setTables(event.currentTarget.open)}>
          <summary>The curves as tables</summary>
          {tables && shown.map((run) => <CurveTable key={run.name} name={run.name} log={run.log} shown={charts} />)}
        </details>
      )}
      <Notes runs={runs} />
    </>
  );
}

function Notes({ runs }: { runs: Followed[] }) {
  const noted = runs.filter(({ log, error }) => log.notes.length > 0 || log.error || error);
  if (noted.length === 0) return null;
  return (
    <section>
      <h3>Remarks</h3>
      {noted.map(({ name, log, error }) => (
        <ul key={name} class="remarks" aria-label={`Remarks of ${name}`}>
          {[error, log.error].map((text, i) => text && <li key={`error ${i}`} class="failed wrap">{`${name}: ${text}`}</li>)}
          {log.notes.map((note, i) => (
            <li key={i} class="wrap">{`${name}: ${note}`}</li>
          ))}
        </ul>
      ))}
    </section>
  );
}
