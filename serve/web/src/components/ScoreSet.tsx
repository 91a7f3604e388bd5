import { useState } from "preact/hooks";
import { clearlyBest, rangeOf, type PartScore, type Range, type Result, type SetOfResults } from "../evaluation/records";
import { count, fixed, percent } from "../numbers";
import { ScoreBar } from "./ScoreBar";
import { metricName } from "./ScoreTable";
import { seriesClass } from "./Swatch";

interface Props {
  set: SetOfResults;
  nameOf: (result: Result) => string;
  seriesOf: (result: Result) => number;
}

/** One set: a bar a model, and what is behind each score. */
export function ScoreSet({ set, nameOf, seriesOf }: Props) {
  const range = rangeOf(set.results);
  const best = clearlyBest(set.results);
  return (
    <article class="score-set">
      <h4>
        <span class="wrap">{set.set}</span>
        <span class="note">{metricName(set.metric)}</span>
      </h4>
      {set.results.map((result) => (
        <div key={result.key} class={seriesClass(seriesOf(result))}>
          <ScoreLine name={nameOf(result)} note={coverage(result)} part={result} range={range} best={result === best} />
          <Details result={result} name={nameOf(result)} />
        </div>
      ))}
    </article>
  );
}

interface LineProps {
  name: string;
  note?: string;
  part: Pick<PartScore, "score" | "interval">;
  range: Range;
  best?: boolean;
}

function ScoreLine({ name, note, part, range, best }: LineProps) {
  return (
    <div class="score-line">
      <div>
        <span class="wrap">{name}</span> {best && <span class="tag">clearly best</span>}
        {note && <div class="note">{note}</div>}
      </div>
      <ScoreBar score={part.score} interval={part.interval} range={range} />
      <div class="number">
        {fixed(part.score)}
        {part.interval && ` [${fixed(part.interval.low)}, ${fixed(part.interval.high)}]`}
      </div>
    </div>
  );
}

function coverage({ used, items, composed, runs }: Result): string {
  const parts: string[] = [];
  if (runs !== null) parts.push(`mean of ${runs} models`);
  if (used !== null && items !== null && items > 0) parts.push(`${count(used)} of ${count(items)} used, ${percent(used / items)}`);
  if (composed > 0) parts.push(`${count(composed)} with composed words`);
  return parts.join(" · ");
}

/** Details are made when they are opened: a folder of sets has thousands of missing words. */
function Details({ result, name }: { result: Result; name: string }) {
  const [open, setOpen] = useState(false);
  return (
    <details class="disclosure" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        Details<span class="visually-hidden"> of {name} on {result.set}</span>
        {result.missing.length > 0 && `, ${count(result.missing.length)} missing words`}
      </summary>
      {open && (
        <div class="score-details">
          <Parts title="Parts" parts={result.sections} />
          <Parts title="By the rank of the rarest word" parts={result.bands} />
          <Parts title="By words" parts={result.byWords} />
          <Parts title="Conventions about missing words" parts={result.conventions} />
          <Missing words={result.missing} />
          {result.notes.length > 0 && (
            <section>
              <h5>Notes</h5>
              {result.notes.map((note, i) => (
                <p key={i} class="note wrap">
                  {note}
                </p>
              ))}
            </section>
          )}
          <Settings result={result} />
        </div>
      )}
    </details>
  );
}

function Parts({ title, parts }: { title: string; parts: PartScore[] }) {
  const scored = parts.filter((part) => part.score !== null);
  if (scored.length === 0) return null;
  const range = rangeOf(scored);
  const left = parts.length - scored.length;
  return (
    <section>
      <h5>{title}</h5>
      {scored.map((part, i) => (
        <ScoreLine key={i} name={part.name} note={size(part)} part={part} range={range} />
      ))}
      {left > 0 && <p class="note">{left === 1 ? "One part has no score." : `${left} parts have no score.`}</p>}
    </section>
  );
}

function size({ used, items }: PartScore): string {
  if (used !== null && items !== null) return `${count(used)} of ${count(items)}`;
  const known = used ?? items;
  return known === null ? "" : `${count(known)} items`;
}

/** How many missing words are listed at first. */
const listed = 60;

function Missing({ words }: { words: string[] }) {
  const [all, setAll] = useState(false);
  if (words.length === 0) return null;
  return (
    <section>
      <h5>Words without a vector ({count(words.length)})</h5>
      <p class="wrap note">{(all ? words : words.slice(0, listed)).join(", ")}</p>
      {!all && words.length > listed && (
        <button type="button" class="button" onClick={() => setAll(true)}>
          Show all {count(words.length)}
        </button>
      )}
    </section>
  );
}

function Settings({ result }: { result: Result }) {
  const rows: [string, string][] = [...result.settings];
  if (result.setChecksum) rows.push(["set’s sha256", result.setChecksum]);
  if (result.checksum) rows.push(["model’s sha256", result.checksum]);
  if (rows.length === 0) return null;
  return (
    <section>
      <h5>Settings</h5>
      <table class="table">
        <tbody>
          {rows.map(([name, value], i) => (
            <tr key={i}>
              <th scope="row">{name}</th>
              <td class="wrap">{value}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
