import { useEffect, useMemo, useState } from "preact/hooks";
import { loading, type Load } from "../app/state";
import { useSource } from "../components/context";
import { LoadView } from "../components/LoadView";
import { ScoreSet } from "../components/ScoreSet";
import { ScoreTable } from "../components/ScoreTable";
import { seriesClass } from "../components/Swatch";
import { groupBySet, readResults, type Result } from "../evaluation/records";
import type { EvaluationFile } from "../source";

/** The results of evaluations: a table of all, and bars with intervals of each set. */
export function ScoresPanel() {
  const source = useSource();
  const [files, setFiles] = useState<Load<EvaluationFile[]>>(loading);
  useEffect(() => {
    const control = new AbortController();
    source.evaluations(control.signal).then(
      (value) => setFiles({ state: "ready", value }),
      (error: Error) => !control.signal.aborted && setFiles({ state: "failed", error }),
    );
    return () => control.abort();
  }, [source]);
  return (
    <div class="report">
      <h2>Evaluation</h2>
      <LoadView load={files}>{(value) => <Scores files={value} />}</LoadView>
    </div>
  );
}

/** The name of the models' column of a result: the file is named if a model occurs in several. */
function columnOf(result: Result, severalFiles: boolean): string {
  return severalFiles ? `${result.model} (${result.file})` : result.model;
}

function Scores({ files }: { files: EvaluationFile[] }) {
  const { results, skipped } = useMemo(() => readResults(files), [files]);
  const columns = useMemo(() => {
    const filesOf = new Map<string, Set<string>>();
    for (const r of results) filesOf.set(r.model, (filesOf.get(r.model) ?? new Set()).add(r.file));
    return new Map(results.map((r) => [r.key, columnOf(r, (filesOf.get(r.model)?.size ?? 0) > 1)]));
  }, [results]);
  const names = [...new Set(columns.values())];
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  if (results.length === 0) {
    return (
      <>
        {files.length === 0 ? (
          <>
            <p>The server was given no scores. Write some, and name the file when it starts:</p>
            <pre>{"w2v eval model.w2v sets/ --json > scores.jsonl\nw2v serve model.w2v --scores scores.jsonl"}</pre>
          </>
        ) : (
          <p>The files hold no results of w2v eval --json.</p>
        )}
        <Errors files={files} />
      </>
    );
  }
  const shown = results.filter((r) => !hidden.has(columns.get(r.key) ?? ""));
  const sets = groupBySet(shown);
  const series = (result: Result) => names.indexOf(columns.get(result.key) ?? "");
  const toggle = (name: string) => {
    const next = new Set(hidden);
    if (!next.delete(name)) next.add(name);
    setHidden(next);
  };
  return (
    <>
      <p class="note">
        Whiskers and brackets are 95 % intervals. {skipped > 0 && `${skipped} records are no results of an evaluation, and are left out.`}
      </p>
      <Errors files={files} />
      {names.length > 1 && (
        <fieldset class="choices">
          <legend class="visually-hidden">Models that are shown</legend>
          {names.map((name, i) => (
            <label key={name} class={`run-choice ${seriesClass(i)}`}>
              <input type="checkbox" checked={!hidden.has(name)} onChange={() => toggle(name)} />
              <span class="patch" aria-hidden="true" />
              <span class="wrap">{name}</span>
            </label>
          ))}
        </fieldset>
      )}
      <ScoreTable sets={sets} names={names.filter((name) => !hidden.has(name))} nameOf={(r) => columns.get(r.key) ?? ""} />
      {[...new Set(sets.map((s) => s.task))].map((task) => (
        <section key={task} aria-label={task} class="score-task">
          <h3>{titleOf(task)}</h3>
          {sets
            .filter((s) => s.task === task)
            .map((s) => (
              <ScoreSet key={s.key} set={s} nameOf={(r) => columns.get(r.key) ?? ""} seriesOf={series} />
            ))}
        </section>
      ))}
    </>
  );
}

/** Files that could not be read, or not to their end. */
function Errors({ files }: { files: EvaluationFile[] }) {
  return files.flatMap(({ file, error }) =>
    error ? (
      <p key={file} class="failed wrap">
        {file}: {error}
      </p>
    ) : (
      []
    ),
  );
}

const titles = new Map([
  ["similarity", "Word similarity"],
  ["analogy", "Analogies"],
  ["relation", "Relations of pairs"],
  ["categorization", "Categories"],
  ["outliers", "Outliers"],
  ["bias", "Associations (WEAT)"],
  ["sentences", "Sentence similarity"],
]);

function titleOf(task: string): string {
  return titles.get(task) ?? task;
}
