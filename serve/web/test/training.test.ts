import { describe, expect, test } from "vitest";
import { quantities, tableOf, thin } from "../src/training/curves";
import { RunLog } from "../src/training/log";

type Line = Record<string, unknown>;

const start = (tokens = 0, resumed = false): Line => ({ event: "start", time: "2026-11-23T17:18:16Z", tokens, total: 1000, words: 50, resumed });
const progress = (tokens: number, elapsed: number, more: Line = {}): Line => ({
  event: "progress",
  tokens,
  total: 1000,
  lr: 0.05 * (1 - tokens / 1000),
  loss: 3 - tokens / 1000,
  tokens_per_second: 90,
  tokens_per_second_now: 100,
  elapsed,
  eta: (1000 - tokens) / 100,
  final: false,
  ...more,
});
const evaluation = (tokens: number, elapsed: number, heldOut: number | null, scores: Line[] | null = null): Line => ({
  event: "evaluation",
  tokens,
  elapsed,
  held_out_loss: heldOut,
  scores,
  best: true,
  seconds: 0.1,
});
const done = (more: Line = {}): Line => ({ event: "done", complete: true, error: "", loss: 2.1, output: "m.w2v", remarks: [], ...more });

function logOf(...lines: Line[]): RunLog {
  const log = new RunLog();
  for (const line of lines) log.add(line);
  return log;
}

const curve = (log: RunLog, key: string, x: "tokens" | "seconds" = "tokens") => quantities([log]).find((q) => q.key === key)?.curve(log, x);

describe("a training log", () => {
  test("has a state", () => {
    expect(logOf().state).toBe("waiting");
    expect(logOf(start(), progress(100, 1)).state).toBe("running");
    expect(logOf(start(), progress(100, 1), done())).toMatchObject({ state: "finished", output: "m.w2v", eta: null });
    expect(logOf(start(), done({ complete: false })).state).toBe("interrupted");
    expect(logOf(start(), { event: "failed", error: "no room" })).toMatchObject({ state: "failed", error: "no room" });
  });
  test("the last line has means of the epoch, which are no points", () => {
    const log = logOf(start(), progress(500, 5), progress(1000, 10, { final: true, loss: 2 }));
    expect(curve(log, "loss")).toEqual({ x: [500], y: [2.5] });
    expect(curve(log, "rate")?.x).toEqual([500, 1000]);
    expect(log.finalLoss).toBe(2);
  });
  test("a run of less than a second has its last line only", () => {
    expect(curve(logOf(start(), progress(1000, 0.5, { final: true, loss: 2 })), "loss")).toEqual({ x: [1000], y: [2] });
  });
  test("a resumed run goes on from its checkpoint, with a gap, and its clock too", () => {
    const log = logOf(start(), progress(300, 3), progress(600, 6), start(400, true), progress(500, 1), progress(600, 2));
    expect(curve(log, "loss")).toEqual({ x: [300, 400, 500, 600], y: [2.7, null, 2.5, 2.4] });
    expect(curve(log, "loss", "seconds")).toEqual({ x: [3, 5, 7, 8], y: [2.7, null, 2.5, 2.4] });
    expect(log.breaks).toEqual([{ kind: "resumed", tokens: 400, seconds: 6 }]);
    expect(log.state).toBe("running");
  });
  test("what diverged is dropped", () => {
    const log = logOf(start(), progress(300, 3), progress(600, 6, { loss: null }), { event: "divergence", tokens: 600, back_to: 0, lr: 0.02 }, progress(200, 8));
    expect(log.progress.map((p) => p.tokens)).toEqual([200]);
    expect(log.breaks).toEqual([{ kind: "diverged", tokens: 0, seconds: 6 }]);
    expect(log.notes.length).toBe(1);
  });
  test("a new run in the same log takes the place of the old one", () => {
    const log = logOf(start(), progress(300, 3), done(), start(), progress(100, 1));
    expect(log.progress.map((p) => [p.tokens, p.seconds])).toEqual([[100, 1]]);
    expect(log).toMatchObject({ state: "running", finalLoss: null, output: null });
  });
  test("evaluations have a held-out loss, scores, or both", () => {
    const log = logOf(
      start(),
      evaluation(100, 1, 2.9, [{ set: "ws353", score: 0.2 }, { set: "__proto__", score: 0.1 }]),
      evaluation(200, 2, null, [{ set: "ws353", score: null }, 7 as unknown as Line]),
    );
    expect(log.sets).toEqual(["ws353", "__proto__"]);
    expect(curve(log, "held-out")).toEqual({ x: [100], y: [2.9] });
    expect(curve(log, "set:__proto__")).toEqual({ x: [100], y: [0.1] });
  });
  test("lines of later versions and damaged lines do no harm", () => {
    const log = logOf(start(), { event: "moon" }, {}, { event: "progress" }, { event: "progress", tokens: "many" }, progress(100, 1));
    expect(log.unknown).toBe(2);
    expect(log.progress.length).toBe(1);
  });
  test("remarks and checkpoints that failed are notes", () => {
    const log = logOf(
      start(),
      { event: "note", kind: "case", text: "upper case" },
      { event: "checkpoint", error: "disk full" },
      { event: "checkpoint", error: "" },
      done({ remarks: [{ kind: "case", text: "upper case" }, { kind: "collapsed", text: "on a line" }] }),
    );
    expect(log.notes).toEqual(["upper case", "A checkpoint could not be written: disk full", "on a line"]);
    expect(log.checkpoints).toBe(1);
  });
});

describe("curves", () => {
  test("only quantities that a log has are shown", () => {
    expect(quantities([logOf(start(), progress(100, 1))]).map((q) => q.key)).toEqual(["loss", "speed", "rate"]);
    expect(quantities([])).toEqual([]);
  });
  test("long curves keep their peaks", () => {
    const points = Array.from({ length: 10_000 }, (_, i) => ({ x: i, y: i === 4321 ? 99 : i % 7 }));
    const kept = thin(points, 1000);
    expect(kept.length).toBeLessThanOrEqual(1000);
    expect(kept.some((p) => p.y === 99)).toBe(true);
    expect(kept.every((p, i) => i === 0 || (kept[i - 1]?.x ?? 0) < p.x)).toBe(true);
  });
  test("a table has the last value known at even distances", () => {
    const log = logOf(start(), progress(250, 2), evaluation(500, 5, 2.8), progress(1000, 10));
    const shown = quantities([log]).filter((q) => q.key === "loss" || q.key === "held-out");
    expect(tableOf(log, shown, 4)).toEqual([
      { tokens: 250, seconds: 2, values: [2.75, null] },
      { tokens: 500, seconds: 2, values: [2.75, 2.8] },
      { tokens: 750, seconds: 2, values: [2.75, 2.8] },
      { tokens: 1000, seconds: 10, values: [2, 2.8] },
    ]);
    expect(tableOf(logOf(start()), shown, 4)).toEqual([]);
  });
});
