import type { Interval, Range } from "../evaluation/records";

interface Props {
  score: number | null;
  interval: Interval | null;
  range: Range;
}

/** A score as a bar from zero, with its interval. The numbers stand beside it. */
export function ScoreBar({ score, interval, range }: Props) {
  const at = (value: number) => `${(100 * (Math.min(Math.max(value, range.low), range.high) - range.low)) / (range.high - range.low)}%`;
  const length = (from: number, to: number) => `${(100 * Math.abs(to - from)) / (range.high - range.low)}%`;
  const lines = interval && (
    <g class="interval">
      <line x1={at(interval.low)} x2={at(interval.high)} y1="11" y2="11" />
      <line x1={at(interval.low)} x2={at(interval.low)} y1="7" y2="15" />
      <line x1={at(interval.high)} x2={at(interval.high)} y1="7" y2="15" />
    </g>
  );
  return (
    <svg class="score-bar" aria-hidden="true" focusable="false">
      <rect class="track" x="0" y="4" width="100%" height="14" rx="3" />
      {score !== null && <rect class="value" x={at(Math.min(0, score))} y="4" width={length(0, score)} height="14" />}
      <line class="zero" x1={at(0)} x2={at(0)} y1="2" y2="20" />
      {lines}
    </svg>
  );
}
