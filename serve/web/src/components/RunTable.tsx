import { count, duration, fixed, percent, short } from "../numbers";
import type { Followed } from "../training/follow";
import type { RunLog } from "../training/log";
import { Swatch } from "./Swatch";

interface Props {
  runs: Followed[];
  hidden: ReadonlySet<string>;
  toggle: (name: string) => void;
}

/** What the curves say, in numbers: a row a run. It is the legend, too. */
export function RunTable({ runs, hidden, toggle }: Props) {
  const sets = [...new Set(runs.flatMap((run) => run.log.sets))];
  const heldOut = runs.some(({ log }) => log.evaluations.some((e) => e.heldOut !== null));
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="Table of runs">
      <table class="table">
        <thead>
          <tr>
            <th scope="col">Run</th>
            <th scope="col">State</th>
            <th scope="col" class="right">
              Tokens
            </th>
            <th scope="col" class="right">
              Time
            </th>
            <th scope="col" class="right">
              Loss
            </th>
            {heldOut && (
              <th scope="col" class="right">
                Held-out loss
              </th>
            )}
            {sets.map((set) => (
              <th key={set} scope="col" class="right">
                {set}
              </th>
            ))}
            <th scope="col" class="right">
              Tokens a second
            </th>
          </tr>
        </thead>
        <tbody>
          {runs.map(({ name, log }, series) => (
            <tr key={name}>
              <th scope="row">
                <label class="run-choice">
                  <input type="checkbox" checked={!hidden.has(name)} onChange={() => toggle(name)} />
                  <Swatch series={series} />
                  <span class="wrap">{name}</span>
                </label>
              </th>
              <td>
                <span class={`state-mark ${log.state}`}>{log.state}</span>
                {log.state === "running" && log.eta !== null && <div class="note">{duration(log.eta)} left</div>}
                {resumed(log)}
              </td>
              <td class="right" title={`${count(log.tokens)} of ${count(log.total)}`}>
                {short(log.tokens)}
                {log.total ? <div class="note">{percent(log.tokens / log.total)}</div> : null}
              </td>
              <td class="right">{duration(log.seconds)}</td>
              <td class="right">{fixed(log.finalLoss ?? lastOf(log.progress, (p) => p.loss))}</td>
              {heldOut && (
                <td class="right">
                  {fixed(lastOf(log.evaluations, (e) => e.heldOut))}
                  <BestHeldOut log={log} />
                </td>
              )}
              {sets.map((set) => (
                <td key={set} class="right">
                  {fixed(lastOf(log.evaluations, (e) => e.scores.get(set) ?? null))}
                </td>
              ))}
              <td class="right">{short(lastOf(log.progress, (p) => p.speed))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function resumed(log: RunLog) {
  const times = log.breaks.filter((b) => b.kind === "resumed").length;
  if (times === 0) return null;
  return <div class="note">{times === 1 ? "resumed once" : `resumed ${times} times`}</div>;
}

function BestHeldOut({ log }: { log: RunLog }) {
  const values = log.evaluations.map((e) => e.heldOut).filter((value) => value !== null);
  const best = Math.min(...values);
  const last = values.at(-1);
  if (last === undefined || best >= last) return null;
  return <div class="note">best {fixed(best)}</div>;
}

function lastOf<P>(points: P[], value: (point: P) => number | null): number | null {
  for (let i = points.length - 1; i >= 0; i--) {
    const found = value(points[i] as P);
    if (found !== null) return found;
  }
  return null;
}
