// What a training log says: the lines of `w2v train --log-json`.

import type { RunRecord } from "../source";

export interface ProgressPoint {
  tokens: number;
  /** Seconds of training, of all runs that the log holds. */
  seconds: number;
  rate: number | null;
  loss: number | null;
  speed: number | null;
}

export interface EvaluationPoint {
  tokens: number;
  seconds: number;
  heldOut: number | null;
  scores: Map<string, number>;
  best: boolean;
}

export type RunState = "waiting" | "running" | "finished" | "interrupted" | "failed";

/** A break in the curves. */
export interface Break {
  kind: "resumed" | "diverged";
  tokens: number;
  seconds: number;
}

/** RunLog collects the records of a log. A run that was resumed goes on where its checkpoint was: what
 * had been trained after that was lost and is trained again, so its points are dropped. The same holds
 * for what diverged. */
export class RunLog {
  state: RunState = "waiting";
  /** By the clock, RFC 3339, of the first start. */
  started: string | null = null;
  total: number | null = null;
  words: number | null = null;
  eta: number | null = null;
  progress: ProgressPoint[] = [];
  evaluations: EvaluationPoint[] = [];
  breaks: Break[] = [];
  notes: string[] = [];
  /** Why the run failed, or what it could not save. */
  error: string | null = null;
  /** The mean loss of the last epoch, when it is known. */
  finalLoss: number | null = null;
  output: string | null = null;
  checkpoints = 0;
  /** How many lines were added: the log has changed if this has. */
  lines = 0;
  /** Lines with an event that this page does not know. */
  unknown = 0;
  private secondsBefore = 0;
  private lastSeconds = 0;

  /** The tokens trained so far. */
  get tokens(): number {
    return Math.max(this.progress.at(-1)?.tokens ?? 0, this.evaluations.at(-1)?.tokens ?? 0);
  }

  get seconds(): number {
    return this.lastSeconds;
  }

  /** The names of the evaluation sets, in the order of the log. */
  get sets(): string[] {
    const names = new Set<string>();
    for (const evaluation of this.evaluations) for (const name of evaluation.scores.keys()) names.add(name);
    return [...names];
  }

  add(record: RunRecord): void {
    this.lines++;
    switch (record["event"]) {
      case "start":
        return this.start(record);
      case "progress":
        return this.addProgress(record);
      case "evaluation":
        return this.addEvaluation(record);
      case "divergence":
        return this.diverge(record);
      case "checkpoint":
        if (record["error"]) this.notes.push(`A checkpoint could not be written: ${String(record["error"])}`);
        else this.checkpoints++;
        return;
      case "note":
        this.notes.push(String(record["text"] ?? ""));
        return;
      case "done":
        return this.end(record);
      case "failed":
        this.state = "failed";
        this.error = String(record["error"] ?? "");
        this.eta = null;
        return;
      default:
        this.unknown++;
    }
  }

  private start(record: RunRecord): void {
    const tokens = numberOf(record["tokens"]) ?? 0;
    if (record["resumed"] === true) {
      this.secondsBefore = this.lastSeconds;
      this.dropAfter(tokens);
      this.breaks.push({ kind: "resumed", tokens, seconds: this.secondsBefore });
    } else {
      this.secondsBefore = this.lastSeconds = 0;
      this.progress = [];
      this.evaluations = [];
      this.breaks = [];
      this.notes = [];
      this.checkpoints = 0;
    }
    if (this.started === null || record["resumed"] !== true) this.started = textOf(record["time"]);
    this.state = "running";
    this.error = this.output = this.finalLoss = this.eta = null;
    this.total = numberOf(record["total"]);
    this.words = numberOf(record["words"]);
  }

  private addProgress(record: RunRecord): void {
    const tokens = numberOf(record["tokens"]);
    if (tokens === null) return;
    this.total = numberOf(record["total"]) ?? this.total;
    this.eta = numberOf(record["eta"]);
    const last = this.progress.at(-1);
    // The last line has means of the epoch and of the run, which are no points of the curves.
    const means = record["final"] === true;
    if (means) this.finalLoss = numberOf(record["loss"]);
    if (last && tokens <= last.tokens) return;
    const alone = means && !last;
    this.progress.push({
      tokens,
      seconds: this.clock(record),
      rate: numberOf(record["lr"]),
      loss: means && !alone ? null : numberOf(record["loss"]),
      speed: means && !alone ? null : numberOf(record["tokens_per_second_now"]),
    });
  }

  private addEvaluation(record: RunRecord): void {
    const tokens = numberOf(record["tokens"]);
    if (tokens === null) return;
    const scores = new Map<string, number>();
    if (Array.isArray(record["scores"])) {
      for (const entry of record["scores"] as unknown[]) {
        if (typeof entry !== "object" || entry === null) continue;
        const { set, score } = entry as { set?: unknown; score?: unknown };
        const value = numberOf(score);
        if (typeof set === "string" && value !== null) scores.set(set, value);
      }
    }
    const last = this.evaluations.at(-1);
    if (last && tokens <= last.tokens) this.evaluations.pop();
    this.evaluations.push({
      tokens,
      seconds: this.clock(record),
      heldOut: numberOf(record["held_out_loss"]),
      scores,
      best: record["best"] === true,
    });
  }

  private diverge(record: RunRecord): void {
    const back = numberOf(record["back_to"]) ?? 0;
    this.dropAfter(back);
    this.breaks.push({ kind: "diverged", tokens: back, seconds: this.lastSeconds });
    this.notes.push("Training diverged and went back; the learning rate was halved.");
  }

  private end(record: RunRecord): void {
    this.state = record["complete"] === false ? "interrupted" : "finished";
    this.error = textOf(record["error"]) || null;
    this.output = textOf(record["output"]) || null;
    this.finalLoss = numberOf(record["loss"]) ?? this.finalLoss;
    this.eta = null;
    if (Array.isArray(record["remarks"])) {
      for (const remark of record["remarks"] as unknown[]) {
        const text = typeof remark === "object" && remark !== null ? (remark as { text?: unknown }).text : undefined;
        if (typeof text === "string" && !this.notes.includes(text)) this.notes.push(text);
      }
    }
  }

  private dropAfter(tokens: number): void {
    this.progress = this.progress.filter((point) => point.tokens <= tokens);
    this.evaluations = this.evaluations.filter((point) => point.tokens <= tokens);
    this.breaks = this.breaks.filter((point) => point.tokens <= tokens);
  }

  private clock(record: RunRecord): number {
    this.lastSeconds = Math.max(this.lastSeconds, this.secondsBefore + (numberOf(record["elapsed"]) ?? 0));
    return this.lastSeconds;
  }
}

function numberOf(value: unknown): number | null {
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

function textOf(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}
