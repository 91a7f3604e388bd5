import { clearlyBest, type Result, type SetOfResults } from "../evaluation/records";
import { fixed } from "../numbers";

interface Props {
  sets: SetOfResults[];
  names: string[];
  nameOf: (result: Result) => string;
}

/** All scores: a row a set, a column a model. */
export function ScoreTable({ sets, names, nameOf }: Props) {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="Table of all scores">
      <table class="table">
        <thead>
          <tr>
            <th scope="col">Set</th>
            <th scope="col">Score</th>
            {names.map((name) => (
              <th key={name} scope="col" class="right">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {sets.map((set) => {
            const best = clearlyBest(set.results);
            return (
              <tr key={set.key}>
                <th scope="row" class="wrap">
                  {set.set}
                </th>
                <td>{metricName(set.metric)}</td>
                {names.map((name) => {
                  const result = set.results.findLast((r) => nameOf(r) === name);
                  return (
                    <td key={name} class="right">
                      {result && result === best ? <strong>{fixed(result.score)}</strong> : fixed(result?.score)}
                      {result?.interval && <span class="note"> [{fixed(result.interval.low)}, {fixed(result.interval.high)}]</span>}
                    </td>
                  );
                })}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

const metrics = new Map([
  ["spearman", "Spearman’s ρ"],
  ["effect_size", "effect size"],
]);

/** What a score is. */
export function metricName(metric: string): string {
  return metrics.get(metric) ?? metric.replaceAll("_", " ");
}
